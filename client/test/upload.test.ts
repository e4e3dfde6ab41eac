/** uploadAsset: files of any size, over connections that break. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openKinora as openService } from '../../server/test/support/harness.ts'
import { plain } from '../../server/test/support/images.ts'
import { silence } from '../../server/test/support/sounds.ts'
import { openKinora } from '../src/index.ts'
import { type Fault, openFaultyProxy } from './faulty-proxy.ts'

const service = await openService()
const SAMPLES = 360 * 48_000
const voice = () => new Blob([new Uint8Array(Buffer.concat([silence(0, SAMPLES, 48_000), randomBytes(SAMPLES)]))])

test('uploadAsset: small file → one request; name and kind are kept', async () => {
  const { token } = await service.person()
  const kinora = openKinora({ baseUrl: service.url, token })
  const picture = new Blob([new Uint8Array(await plain(64, 64))], { type: 'image/png' })
  const { data, error } = await kinora.uploadAsset(picture, { name: 'Mara', kind: 'image' })
  assert.deepEqual([error, data?.name, data?.width], [undefined, 'mara', 64])
  assert.match((await kinora.uploadAsset(picture, { kind: 'film' })).error?.message ?? '', /an image, and not a film/)
})

test('uploadAsset: connections that break before and after the service has a piece → each byte once, one asset', async (t) => {
  const { token } = await service.person()
  const proxy = await openFaultyProxy(service.url)
  t.after(proxy.close)
  const faults: Fault[] = ['before', 'after', null, 'after', 'before', null, null, 'after']
  proxy.onRequest = () => faults.shift() ?? null
  const kinora = openKinora({ baseUrl: proxy.url, token })
  const arrived: number[] = []
  const file = voice()
  const { data, error } = await kinora.uploadAsset(file, { onProgress: (bytes) => arrived.push(bytes) })
  assert.equal(error, undefined)
  assert.equal(data?.kind, 'sound')
  assert.equal(arrived.at(-1), file.size)
  assert.deepEqual(
    arrived,
    arrived.toSorted((a, b) => a - b),
  )
  const { data: all } = await kinora.GET('/api/v1/asset')
  assert.equal(all?.assets.length, 1)
})

test('uploadAsset: address of an earlier upload → only the rest is sent; one that has ended → from the start', async () => {
  const { token } = await service.person()
  const file = voice()
  const controller = new AbortController()
  let address: string | null = null
  const first = openKinora({ baseUrl: service.url, token })
  const stop = (bytes: number) => bytes > 8_000_000 && controller.abort()
  const options = { onAddress: (at: string | null) => (address = at), onProgress: stop, signal: controller.signal }
  await assert.rejects(first.uploadAsset(file, options), { name: 'AbortError' })
  assert.match(address ?? '', /^\/api\/v1\/asset\/upload\//)
  const sent: string[] = []
  const next = openKinora({
    ...{ baseUrl: service.url, token },
    fetch: (request) => {
      sent.push(`${request.method} ${request.headers.get('upload-offset') ?? ''}`)
      return fetch(request)
    },
  })
  const { data, error } = await next.uploadAsset(file, { address, onAddress: (at) => (address = at) })
  assert.deepEqual([error, data?.kind, address], [undefined, 'sound', null])
  assert.equal(sent[0], 'HEAD ')
  assert.ok(Number(sent[1]?.split(' ')[1]) >= 8_000_000, sent.join())
  const unknown = '/api/v1/asset/upload/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'
  assert.equal((await next.uploadAsset(file, { address: unknown })).data?.id, data?.id)
})

test('uploadAsset: file that is too large → the error of the service, after one request', async () => {
  const { token } = await service.person()
  const kinora = openKinora({ baseUrl: service.url, token })
  const { error } = await kinora.uploadAsset(new Blob([new Uint8Array(16 * 1024 ** 2 + 1)]), { kind: 'image' })
  assert.equal(error?.code, 'PAYLOAD_TOO_LARGE')
})
