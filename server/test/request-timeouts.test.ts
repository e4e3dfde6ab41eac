/** Requests that arrive slowly: how long each may take, and that none holds a connection or a file for ever. */
import assert from 'node:assert/strict'
import net from 'node:net'
import { type TestContext, test } from 'node:test'
import { openSignIn } from '../src/http/auth.ts'
import type { RequestTimeouts } from '../src/http/request-timeouts.ts'
import { closeHttp, openHttp } from '../src/http/server.ts'
import { openKinora } from './harness.ts'
import * as images from './images.ts'
import { folderOf, keptOf, rowsOf, send } from './images.ts'
import { waitFor } from './video-row.ts'

const kinora = await openKinora()
const ann = await kinora.person()

/** Begins a request whose body does not come, and waits until the server is at it. It never hangs up by itself. */
async function begin(t: TestContext, url: string, target: string, headers: Record<string, string | number>) {
  const { hostname, port } = new URL(url)
  const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  t.after(() => socket.destroy())
  const slow = { socket, heard: '', isClosed: false }
  socket.on('data', (bytes) => {
    slow.heard += bytes
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    slow.isClosed = true
  })
  const lines = Object.entries({ host: 'x', expect: '100-continue', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(`POST ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  await waitFor('the server', () => slow.heard.includes('100 Continue'))
  return slow
}

/** A client that does not read learns of the cut only by sending on. */
const isCut = ({ socket, isClosed }: { socket: net.Socket; isClosed: boolean }): boolean => {
  if (!isClosed) socket.write('x')
  return isClosed
}

const authorization = `Bearer ${ann.token}`
const partsOf = () => folderOf(kinora, 'parts')

/** A second service, in which requests have other times. */
async function openWith(t: TestContext, timeouts: RequestTimeouts): Promise<string> {
  const auth = openSignIn(kinora.app)
  const http = await openHttp(kinora.app, auth, timeouts)
  t.after(async () => {
    await closeHttp(http)
    await auth.close()
  })
  return http.listen({ port: 0, host: '127.0.0.1' })
}

const SHORT_MS = 3000
const LONG_MS = 60_000
const MB = 1_000_000

test('408: a body that does not come; the connection ends, though the client holds on to it; an upload has longer', async (t) => {
  const url = await openWith(t, { requestMs: SHORT_MS, uploadMs: LONG_MS })
  const png = await images.plain(64, 64)
  const image = { 'content-type': 'image/png' }
  const upload = await begin(t, url, '/api/v1/video/image', { authorization, ...image, 'content-length': png.length })
  const json = { 'content-type': 'application/json', 'content-length': MB }
  const slow = [
    await begin(t, url, '/api/v1/video/generate', { authorization, ...json }),
    await begin(t, url, '/api/v1/video/generate', json),
    // Nobody's upload is no upload.
    await begin(t, url, '/api/v1/video/image', { ...image, 'content-length': MB }),
    await begin(t, url, '/nowhere', { 'content-length': MB }),
  ]
  for (const each of slow) {
    await waitFor('408', () => each.heard.includes('408 Request Timeout'))
    await waitFor('the cut', () => isCut(each))
  }
  assert.match(slow[0]?.heard ?? '', /The request did not arrive in time; send it again/)
  upload.socket.write(png)
  await waitFor('the image', () => upload.heard.includes('200 OK'))
})

test('408: an upload that does not come; nothing is left of it', async (t) => {
  const url = await openWith(t, { requestMs: LONG_MS, uploadMs: SHORT_MS })
  const bob = await kinora.person()
  const headers = { authorization: `Bearer ${bob.token}`, 'content-type': 'image/png', 'content-length': MB }
  const slow = await begin(t, url, '/api/v1/video/image', headers)
  await waitFor('408', () => slow.heard.includes('408 Request Timeout'))
  await waitFor('the cut', () => isCut(slow) && partsOf().length === 0)
  assert.deepEqual([keptOf(kinora, bob), await rowsOf(kinora, bob)], [[], []])
})

test('429: a ninth upload of a user while eight are under way; of another user it is taken, and the place comes free', async (t) => {
  const [cid, dan] = [await kinora.person(), await kinora.person()]
  const png = await images.plain(64, 64)
  const headers = { authorization: `Bearer ${cid.token}`, 'content-type': 'image/png', 'content-length': png.length }
  const sending = await Promise.all(
    Array.from({ length: 8 }, () => begin(t, kinora.url, '/api/v1/video/image', headers)),
  )
  await waitFor('the eight', () => partsOf().length === 8)
  assert.equal((await send(kinora, cid, png)).error?.code, 'RATE_LIMITED')
  assert.equal((await send(kinora, dan, png)).status, 200)
  sending[0]?.socket.destroy()
  sending[1]?.socket.write(png)
  await waitFor('two places', () => partsOf().length === 6)
  assert.equal((await send(kinora, cid, png)).status, 200)
})
