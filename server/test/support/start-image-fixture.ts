/** Fixture: what users' links may reach, a site of images, and films whose start image cannot be used. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { openSafeFetch } from '../../src/net/safe-fetch.ts'
import type { Kinora, Person } from './harness.ts'

/** Replaces what users' links may reach until the test ends. */
export function reach({ app }: Kinora, t: TestContext, options: Parameters<typeof openSafeFetch>[0]): void {
  const { userFetch } = app
  const replacement = openSafeFetch(options)
  app.userFetch = replacement
  t.after(async () => {
    app.userFetch = userFetch
    await replacement.close()
  })
}

/** A site of images that Kinora may reach, with INLINE_START_IMAGE on, until the test ends. */
export async function openSite(
  kinora: Kinora,
  t: TestContext,
  listener: http.RequestListener,
): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = []
  const server = http.createServer((request, response) => {
    requests.push(String(request.url))
    listener(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  kinora.app.config.inlineStartImage = true
  reach(kinora, t, { allow: [host] })
  t.after(() => {
    kinora.app.config.inlineStartImage = false
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://${host}`, requests }
}

export const sendImage = (response: http.ServerResponse, body: Buffer | string, type = 'image/png') =>
  response.writeHead(200, { 'content-type': type }).end(body)

/** The URLs of start images that providers were sent with a prompt. */
export const imagesSent = async ({ simulator }: Kinora, prompt: string): Promise<string[]> =>
  ((await simulator?.tasks()) ?? [])
    .filter((task) => task.prompt === prompt)
    .flatMap(({ inputs }) => inputs.map(({ url }) => url))

/** Runs due steps; the video is FAILED with this reason, the user's 60 credits are back, no provider has the task. */
export async function failsWith(
  kinora: Kinora,
  as: Person,
  uuid: string,
  prompt: string,
  reason: RegExp,
): Promise<void> {
  const { status, error } = await kinora.finish(as, uuid)
  assert.equal(status, 'FAILED')
  assert.match(error ?? '', reason)
  const { available, frozen } = await kinora.balance(as)
  assert.deepEqual([available, frozen], [60, 0])
  assert.deepEqual(await imagesSent(kinora, prompt), [])
}
