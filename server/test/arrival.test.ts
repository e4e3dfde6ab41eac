/** Requests that arrive slowly: how long each may take, and that none holds a connection or a file for ever. */
import assert from 'node:assert/strict'
import net from 'node:net'
import { type TestContext, test } from 'node:test'
import { openKinora } from './harness.ts'
import * as images from './images.ts'
import { folderOf, keptOf, rowsOf, send } from './images.ts'

const kinora = await openKinora()
const ann = await kinora.person()

/** Waits without timers, which stand still in these tests. The runner's limit of time ends what waits in vain. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

/** Begins a request whose body does not come, and waits until the server is at it. It never hangs up by itself. */
async function begin(t: TestContext, target: string, headers: Record<string, string | number>) {
  const { hostname, port } = new URL(kinora.url)
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
  await until(() => slow.heard.includes('100 Continue'))
  return slow
}

/** A client that does not read learns of the cut only by sending on. */
const isCut = ({ socket, isClosed }: { socket: net.Socket; isClosed: boolean }): boolean => {
  if (!isClosed) socket.write('x')
  return isClosed
}

const authorization = `Bearer ${ann.token}`
const partsOf = () => folderOf(kinora, 'parts')

test('408: a body that is not there after a minute; the connection ends, though the client holds on to it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const json = { 'content-type': 'application/json', 'content-length': 1_000_000 }
  const slow = [
    await begin(t, '/api/v1/video/generate', { authorization, ...json }),
    await begin(t, '/api/v1/video/generate', json),
    // Nobody's upload is no upload.
    await begin(t, '/api/v1/video/image', { 'content-type': 'image/png', 'content-length': 1_000_000 }),
    await begin(t, '/nowhere', { 'content-length': 1_000_000 }),
  ]
  t.mock.timers.tick(60_000)
  await until(() => slow.every(({ heard }) => heard.includes('408 Request Timeout')))
  assert.match(slow[0]?.heard ?? '', /The request did not arrive in time; send it again/)
  t.mock.timers.tick(1000)
  for (const each of slow) await until(() => isCut(each))
})

test('200: an upload may take minutes; 408: but not for ever, and nothing is left of it', async (t) => {
  const png = await images.plain(64, 64)
  const headers = { authorization, 'content-type': 'image/png', 'content-length': png.length }
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const done = await begin(t, '/api/v1/video/image', headers)
  const never = await begin(t, '/api/v1/video/image', { ...headers, 'content-length': 1_000_000 })
  await until(() => partsOf().length === 2)
  t.mock.timers.tick(299_000)
  done.socket.write(png)
  await until(() => done.heard.includes('200 OK'))
  t.mock.timers.tick(1000)
  await until(() => never.heard.includes('408 Request Timeout'))
  t.mock.timers.tick(1000)
  await until(() => isCut(never) && partsOf().length === 0)
  assert.ok(!done.isClosed && !done.heard.includes('408'))
  assert.deepEqual([keptOf(kinora, ann).length, (await rowsOf(kinora, ann)).length], [1, 1])
})

test('429: a ninth upload of a user while eight are under way; of another user it is taken, and the place comes free', async (t) => {
  const [cid, dan] = [await kinora.person(), await kinora.person()]
  const png = await images.plain(64, 64)
  const headers = { authorization: `Bearer ${cid.token}`, 'content-type': 'image/png', 'content-length': png.length }
  const sending = await Promise.all(Array.from({ length: 8 }, () => begin(t, '/api/v1/video/image', headers)))
  await until(() => partsOf().length === 8)
  assert.equal((await send(kinora, cid, png)).error?.code, 'RATE_LIMITED')
  assert.equal((await send(kinora, dan, png)).status, 200)
  sending[0]?.socket.destroy()
  sending[1]?.socket.write(png)
  await until(() => partsOf().length === 6)
  assert.equal((await send(kinora, cid, png)).status, 200)
})
