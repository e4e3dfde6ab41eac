/** A vendor whose responses are scripted one by one: for bodies that no sentinel of the simulator produces. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Adapter, Provider, Task } from '../../src/provider/provider.ts'
import { parseJson } from '../../src/text/json-reader.ts'

/** `body`: an object is sent as JSON, a text as it is. */
type Reply = { status?: number; body?: object | string; headers?: Record<string, string> }
type Request = { method: string; path: string; headers: Record<string, unknown>; body: unknown }

/** Opens the adapter at a server that gives the replies in sequence, the last for ever. `requests`: what arrived. */
export async function atScriptedVendor(
  adapter: Adapter,
  replies: Reply[],
  use: (provider: Provider, requests: Request[]) => Promise<void>,
): Promise<void> {
  const requests: Request[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const { status = 200, body = '', headers: more } = replies[Math.min(requests.length, replies.length - 1)] ?? {}
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers, body: parseJson(text) ?? text })
    response.writeHead(status, { 'content-type': 'application/json', ...more })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = adapter.open({ id: 'scripted', url, apiKey: 'key', webhookKey: null, timeoutS: 5 })
  try {
    await use(provider, requests)
  } finally {
    await provider.close()
    server.close()
  }
}

/**
 * Submits to a vendor that gives each reply.
 * @param rows the reply and the outcome: `refused` and its code, `not_accepted` and whether it is retryable, or the
 * kind alone
 */
export async function assertOutcomes(adapter: Adapter, rows: readonly (readonly [Reply, string])[]): Promise<void> {
  for (const [reply, expected] of rows) {
    await atScriptedVendor(adapter, [reply], async (provider) => {
      const outcome = await provider.submit(scriptedTask('model', {}))
      const code = outcome.kind === 'refused' ? outcome.failure.code : ''
      const isRetryable = outcome.kind === 'not_accepted' ? String(outcome.retryable) : ''
      assert.equal(`${outcome.kind} ${code}${isRetryable}`.trim(), expected, JSON.stringify(reply))
    })
  }
}

export const scriptedTask = (model: string, input: Record<string, unknown>): Task => ({
  videoId: '0199aaaa-0000-7000-8000-000000000001',
  callbackUrl: 'https://kinora.example/api/v1/video/callback/x?ref=x.0199aaaa-0000-7000-8000-000000000001&sig=00',
  model,
  input,
})
