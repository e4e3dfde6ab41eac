/** `GET /api/v1/video/{uuid}`: one video, and the signed links to its film and thumbnail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request } from 'undici'
import { openKinora, type Person } from '../support/harness.ts'
import { leftOut } from '../support/sample-parameters.ts'

const kinora = await openKinora({ simulator: true })
const HOUR_MS = 3600_000

type Detail = Record<string, unknown> & { videoUrl: string; thumbnailUrl: string; fileSize: number }
const get = (as: Person, uuid: string) => kinora.call<Detail>('GET', `/api/v1/video/${uuid}`, { as })

// One finished film shared by the tests that read one: generating it takes a second.
const ann = await kinora.person({ credits: 1000 })
const made = await kinora.generate(ann, { prompt: '  A paper boat, upright  ', aspectRatio: '9:16', duration: 4 })
const film = made.data.uuid
await kinora.finish(ann, film)

test('200: video in progress → every field, null while unknown', async () => {
  const startImageUrl = 'https://example.com/boat.png'
  const { data } = await kinora.generate(ann, { startImageUrl, model: 'alpha-2', quality: '1080p', duration: 6 })
  const detail = await get(ann, data.uuid)
  assert.equal(detail.status, 200)
  assert.deepEqual(detail.data, {
    ...leftOut('detail'),
    usedIn: null,
    waiting: false,
    favourite: false,
    isPublished: false,
    folderId: null,
    madeBy: null,
    uuid: data.uuid,
    prompt: 'A paper boat in a rain gutter',
    model: 'alpha-2',
    status: 'PENDING',
    videoUrl: null,
    thumbnailUrl: null,
    duration: 6,
    aspectRatio: '16:9',
    creditsUsed: 36,
    createdAt: (data as { createdAt?: string }).createdAt,
    completedAt: null,
    provider: 'provider-a',
    startImageUrl,
    mode: 'image-to-video',
    inputs: [{ role: 'start', kind: 'image', asset: null, video: null, url: startImageUrl, at: null }],
    resolution: '1080p',
    fileSize: null,
    generationTime: null,
    error: null,
    failure: null,
    provenance: null,
    subject: null,
    metadata: null,
  })
})

test('200: completed video → size, duration and resolution of its film', async () => {
  const { data } = await get(ann, film)
  const { videoUrl, thumbnailUrl, fileSize, generationTime, completedAt, createdAt, ...rest } = data
  assert.deepEqual(rest, {
    ...leftOut('detail'),
    usedIn: null,
    waiting: false,
    mode: 'text-to-video',
    favourite: false,
    isPublished: false,
    folderId: null,
    madeBy: null,
    uuid: film,
    prompt: 'A paper boat, upright',
    model: 'delta-1-5',
    status: 'COMPLETED',
    duration: 4,
    aspectRatio: '9:16',
    creditsUsed: 16,
    provider: 'provider-b',
    startImageUrl: null,
    resolution: '720p',
    error: null,
    failure: null,
    provenance: { signed: true, signer: 'Kinora (self-made)', label: null, manifestUrl: null },
    subject: null,
    metadata: null,
  })
  assert.ok(Number.isInteger(fileSize) && fileSize > 10_000)
  assert.ok(Number(generationTime) >= 0)
  assert.match(String(generationTime), /^\d+(\.\d)?$/)
  assert.match(String(completedAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.ok(String(completedAt) > String(createdAt))
  const listed = await kinora.call<{ videos: Record<string, unknown>[] }>(
    'GET',
    '/api/v1/video/list?status=COMPLETED',
    {
      as: ann,
    },
  )
  const item = listed.data.videos[0]
  assert.deepEqual(item, Object.fromEntries(Object.keys(item ?? {}).map((key) => [key, data[key]])))
})

test('200: uuid in upper case → the same video', async () => {
  assert.equal((await get(ann, film.toUpperCase())).data.uuid, film)
})

test('200: failed video → its error, and no credits used', async () => {
  const { data } = await kinora.generate(ann, { prompt: '[fail: the boat sank]' })
  await kinora.finish(ann, data.uuid)
  const { data: detail } = await get(ann, data.uuid)
  const { status, error, creditsUsed, videoUrl, thumbnailUrl, fileSize, completedAt } = detail
  assert.deepEqual(
    { status, error, creditsUsed, videoUrl, thumbnailUrl, fileSize, completedAt },
    {
      status: 'FAILED',
      error: 'the boat sank',
      creditsUsed: 0,
      videoUrl: null,
      thumbnailUrl: null,
      fileSize: null,
      completedAt: null,
    },
  )
})

test('200: signed links without authentication → the film and its thumbnail', async () => {
  const { data } = await get(ann, film)
  const video = await fetch(data.videoUrl)
  assert.equal(video.status, 200)
  assert.equal(video.headers.get('content-type'), 'video/mp4')
  assert.equal(video.headers.get('content-disposition'), null)
  const bytes = Buffer.from(await video.arrayBuffer())
  assert.equal(bytes.length, data.fileSize)
  assert.equal(bytes.subarray(4, 8).toString(), 'ftyp')

  const thumbnail = await fetch(data.thumbnailUrl)
  assert.equal(thumbnail.headers.get('content-type'), 'image/jpeg')
  assert.equal(Buffer.from(await thumbnail.arrayBuffer()).readUInt16BE(0), 0xffd8)
})

test('206: range request for a film → that part', async () => {
  const { data } = await get(ann, film)
  const part = await fetch(data.videoUrl, { headers: { range: 'bytes=4-7' } })
  assert.equal(part.status, 206)
  assert.equal(part.headers.get('content-range'), `bytes 4-7/${data.fileSize}`)
  assert.equal(await part.text(), 'ftyp')
  const end = await fetch(data.videoUrl, { headers: { range: 'bytes=-10' } })
  assert.equal(end.headers.get('content-range'), `bytes ${data.fileSize - 10}-${data.fileSize - 1}/${data.fileSize}`)
  await end.body?.cancel()
  const beyond = await fetch(data.videoUrl, { headers: { range: `bytes=${data.fileSize}-` } })
  assert.equal(beyond.status, 416)
})

test('304: If-None-Match of a film → no body', async () => {
  const { data } = await get(ann, film)
  const first = await fetch(data.videoUrl, { method: 'HEAD' })
  const etag = first.headers.get('etag') ?? ''
  assert.match(etag, /^(W\/)?".+"$/)
  // Not with fetch, which adds "Cache-Control: no-cache" to a conditional request.
  const again = await request(data.videoUrl, { headers: { 'if-none-match': etag } })
  assert.equal(again.statusCode, 304)
  assert.equal(await again.body.text(), '')
})

test('200: HEAD of a film → headers without a body', async () => {
  const { data } = await get(ann, film)
  const head = await fetch(data.videoUrl, { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.equal(head.headers.get('content-length'), String(data.fileSize))
  assert.equal(head.headers.get('accept-ranges'), 'bytes')
  assert.equal(await head.text(), '')
})

test('200: ?download → attachment with a file name', async () => {
  const { data } = await get(ann, film)
  const response = await fetch(`${data.videoUrl}&download`, { method: 'HEAD' })
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="kinora-[0-9a-f]{8}\.mp4"$/)
})

test('403: expired or altered link → refused', async () => {
  const { data: fresh } = await get(ann, film)
  // A link is valid for at most 27 hours: the TTL of 24 and an eighth.
  kinora.turnClock(-28 * HOUR_MS)
  const { data: old } = await get(ann, film)
  kinora.turnClock(28 * HOUR_MS)
  const url = new URL(fresh.videoUrl)
  const later = new URL(url)
  later.searchParams.set('exp', String(Number(url.searchParams.get('exp')) + 1))
  const unsigned = url.origin + url.pathname
  const other = fresh.thumbnailUrl.replace('.jpg', '.mp4')
  for (const link of [old.videoUrl, later.href, unsigned, other]) {
    const response = await fetch(link)
    assert.equal(response.status, 403, link)
    assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'FORBIDDEN')
  }
  assert.equal((await fetch(fresh.videoUrl, { method: 'HEAD' })).status, 200)
})

test('404: unknown, another user’s or malformed uuid → the same response (IDOR)', async () => {
  const bob = await kinora.person()
  const unknown = '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'
  const messages = new Set<string | undefined>()
  for (const [as, uuid] of [
    [ann, unknown],
    [bob, film],
    [ann, 'boat'],
    [ann, `${film}0`],
  ] as const) {
    const { status, error } = await get(as, uuid)
    assert.equal(status, 404)
    assert.equal(error?.code, 'NOT_FOUND')
    messages.add(error?.message)
  }
  assert.equal(messages.size, 1)
})

test('401: no credential → refused', async () => {
  for (const uuid of [film, 'boat']) {
    const { status, error } = await kinora.call('GET', `/api/v1/video/${uuid}`)
    assert.equal(status, 401)
    assert.equal(error?.code, 'UNAUTHENTICATED')
  }
})
