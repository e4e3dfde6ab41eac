/** Large responses: a film in base64, of which many may end at once. Large requests: films in forms. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHttpClient } from '../../src/net/http-client.ts'
import { retainedMemory } from '../support/garbage.ts'

const LARGE = 'x'.repeat(9 * 1024 * 1024)
/** Of a request for /held, whose response has not ended. */
let onHeld = (_response: ServerResponse) => {}
const server = createServer(({ url }, response) => {
  if (url === '/small') return response.end('{"film":"small"}')
  response.write(`{"film":"${LARGE}`)
  if (url === '/held') onHeld(response)
  else response.end('"}')
  return undefined
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const client = openHttpClient(20)
after(async () => {
  await client.close()
  server.closeAllConnections()
  server.close()
})

const call = async (path: string, signal?: AbortSignal) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const result = await client.call('GET', url, { headers: {}, bytesMax: 16 * 1024 * 1024, signal })
  return result.kind === 'response' ? (result.body as { film: string }).film.length : result.kind
}

/** Begins a response that is held. */
async function startHeld() {
  const response = new Promise<ServerResponse>((resolve) => {
    onHeld = resolve
  })
  const ended = call('/held')
  const early = ended.then((result): never => assert.fail(`the call ended before its response: ${result}`))
  return { ended, response: await Promise.race([response, early]) }
}

test('large body: another one is being read → waits for it; a small one does not, an aborted one ends', async () => {
  const first = await startHeld()
  await sleep(100)
  let isDone = false
  const second = call('/large').finally(() => {
    isDone = true
  })
  assert.match(String(await call('/large', AbortSignal.timeout(500))), /^no/)
  assert.equal(await call('/small'), 'small'.length)
  assert.equal(isDone, false)
  first.response.end('"}')
  assert.deepEqual(await Promise.all([first.ended, second]), [LARGE.length, LARGE.length])
  const broken = await startHeld()
  broken.response.destroy()
  assert.deepEqual([await broken.ended, await call('/large')], ['no_response', LARGE.length])
})

test('form: file of 200 MB and fields → sent whole with its length, read as it is sent; names with quotes stay apart', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-form-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'film.mp4')
  const sizeBytes = 200 * 1024 ** 2
  await using handle = await open(file, 'w')
  await handle.truncate(sizeBytes)
  let [received, head] = [0, '']
  let [most, seen] = [0, 0]
  const before = retainedMemory().arrayBuffers
  const vendor = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      if (head.length < 500) head += chunk.toString('latin1', 0, 500)
      received += chunk.length
      if (received < seen + 48 * 1024 ** 2) return
      seen = received
      most = Math.max(most, retainedMemory().arrayBuffers - before)
    })
    request.on('end', () => response.end(JSON.stringify({ length: request.headers['content-length'] })))
  }).listen(0, '127.0.0.1')
  t.after(() => vendor.close())
  await once(vendor, 'listening')
  const form = new FormData()
  form.set('folder', 'kinora')
  form.set('file', new File([await openAsBlob(file)], 'a "film".mp4', { type: 'video/mp4' }))
  const url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/`
  const result = await client.call('POST', url, { headers: {}, body: form })
  assert.ok(result.kind === 'response', JSON.stringify(result))
  assert.equal(Number((result.body as { length: string }).length), received)
  assert.ok(received > sizeBytes && received < sizeBytes + 1000)
  assert.match(
    head,
    /name="folder"\r\n\r\nkinora\r\n.*name="file"; filename="a %22film%22\.mp4"\r\ncontent-type: video\/mp4/s,
  )
  assert.ok(most > 0 && most < 64 * 1024 ** 2, `${most} bytes in memory`)
})
