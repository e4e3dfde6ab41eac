/** A stand-in for an OpenAI-shaped language model, which answers what the test sets. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export type LanguageModel = {
  url: string
  received: { path: string; authorization: string | undefined; body: Record<string, unknown> }[]
  /** The text of the next answers, or a status instead. */
  answer: string | number
}

/** It is closed after the tests of the file. */
export async function openLanguageModel(): Promise<LanguageModel> {
  const server = http.createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Record<string, unknown>
    model.received.push({ path: String(request.url), authorization: request.headers.authorization, body })
    if (typeof model.answer === 'number') return response.writeHead(model.answer).end('{}')
    const choices = [{ index: 0, message: { role: 'assistant', content: model.answer } }]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const model: LanguageModel = { url, received: [], answer: '' }
  return model
}
