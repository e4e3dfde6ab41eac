/** Servers on loopback that misbehave as a test defines, and a SafeFetch that is allowed to reach them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { FetchError } from '../../src/net/fetch-error.ts'
import { type FetchLimits, openSafeFetch, type SafeFetch } from '../../src/net/safe-fetch.ts'

export const limits: FetchLimits = {
  maxBytes: 1000,
  timeoutMs: 5000,
  idleTimeoutMs: 2000,
  accept: ['video/mp4', 'image/*'],
  refuse: ['audio/*', 'image/gif'],
}

/** Part of the query of fetched URLs, like the secret of a signed link. */
export const secret = 'X-Signature=hidden'

/** Asserts the code, and that neither message nor stack contains the signed query. */
export async function refused(outcome: Promise<unknown>, code: string, retryable?: boolean): Promise<FetchError> {
  const error = await outcome.then(
    () => assert.fail(`expected ${code}, but the fetch succeeded`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof FetchError, String(error))
  assert.equal(error.code, code)
  assert.ok(!`${error.message}${error.stack}`.includes(secret), error.message)
  assert.match(error.message, /^[^\n]+\.$/)
  if (retryable !== undefined) assert.equal(error.retryable, retryable)
  return error
}

export async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export function opened(t: TestContext, options: Parameters<typeof openSafeFetch>[0]): SafeFetch {
  const safeFetch = openSafeFetch(options)
  t.after(() => safeFetch.close())
  return safeFetch
}

export async function serve(t: TestContext, listener: http.RequestListener) {
  const server = http.createServer(listener)
  const port = await listening(t, server)
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { safeFetch: opened(t, { allow: [`127.0.0.1:${port}`] }), url: `http://127.0.0.1:${port}`, close }
}

export async function serveRaw(t: TestContext, respond: (socket: net.Socket, head: string) => void) {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (head) => respond(socket, head.toString()))
  })
  const port = await listening(t, server)
  return { safeFetch: opened(t, { allow: [`127.0.0.1:${port}`] }), url: `http://127.0.0.1:${port}` }
}

export async function listening(t: TestContext, server: net.Server): Promise<number> {
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket: net.Socket) => sockets.add(socket))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
