/**
 * A stand-in for a moderation service, with Kinora's own contract and with OpenAI's, which takes one image a request. A
 * text with "[violence]", an image link with "violence" and a red picture are refused.
 */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { Moderation, ModerationCreateParams, ModerationMultiModalInput } from 'openai/resources/moderations'
import sharp from 'sharp'

export const MODERATION_KEY = 'moderation key'

export type Moderator = {
  own: string
  openAi: string
  /** The paths and bodies of the requests so far. */
  received: { path: string; body: Record<string, unknown> }[]
  /** Another response to every request: a status or a body; `hang`: none. */
  instead: { status?: number; body?: unknown; hang?: boolean } | null
}

/** It is closed after the tests of the file. */
export async function openModerator(): Promise<Moderator> {
  const server = http.createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Record<string, unknown>
    const path = String(request.url)
    moderator.received.push({ path, body })
    if (moderator.instead?.hang) return
    const isKnown = request.headers.authorization === `Bearer ${MODERATION_KEY}`
    const answer = isKnown ? await decide(path, body) : { status: 401, body: {} }
    const { status = 200, body: sent } = moderator.instead ?? answer
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(sent))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const moderator: Moderator = { own: `${url}/decide`, openAi: `${url}/v1/moderations`, received: [], instead: null }
  return moderator
}

const isViolent = (texts: unknown[]) => texts.some((text) => /\[violence\]|\/violence/.test(String(text)))

/** Whether a data URL is of a picture that is red all over. */
async function isRed(url: string): Promise<boolean> {
  const [, base64] = /^data:image\/jpeg;base64,(.*)$/.exec(url) ?? []
  if (base64 === undefined) return false
  const { channels } = await sharp(Buffer.from(base64, 'base64')).stats()
  const [red = 0, green = 0, blue = 0] = channels.map(({ mean }) => mean)
  return red > 180 && green < 80 && blue < 80
}

async function decide(path: string, body: Record<string, unknown>): Promise<{ status: number; body: object }> {
  if (path === '/decide') {
    const isRefused = isViolent([body.prompt, ...(body.images as string[])])
    return { status: 200, body: isRefused ? { allowed: false, categories: ['violence'] } : { allowed: true } }
  }
  const { input } = body as unknown as ModerationCreateParams
  const parts = input as ModerationMultiModalInput[]
  if (parts.filter(({ type }) => type === 'image_url').length > 1) {
    return { status: 400, body: { error: { code: 'too_many_images', type: 'invalid_request_error', param: 'input' } } }
  }
  const shown = parts.map((part) => (part.type === 'text' ? part.text : part.image_url.url))
  const isRefused = isViolent(shown) || (await Promise.all(shown.map(isRed))).includes(true)
  const categories = { violence: isRefused, sexual: false, illicit: null } as Moderation.Categories
  return { status: 200, body: { id: 'modr-1', model: body.model, results: [{ flagged: isRefused, categories }] } }
}
