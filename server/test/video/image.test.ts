// slow
/** `POST /api/v1/video/image`: accepted kinds, the stored image, and refusals. */
import assert from 'node:assert/strict'
import http from 'node:http'
import { test } from 'node:test'
import sharp from 'sharp'
import { sweepAssets } from '../../src/asset/asset.ts'
import { openKinora, type Person } from '../support/harness.ts'
import * as images from '../support/images.ts'
import { folderOf, keptOf, rowsOf, send } from '../support/images.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()
const { app } = kinora
const MB = 1024 * 1024

const partsOf = () => folderOf(kinora, 'tmp')

async function refused(as: Person, body: Buffer, status: number, message: RegExp, type = 'image/png') {
  const answer = await send(kinora, as, body, type)
  assert.match(answer.error?.message ?? '', message)
  assert.equal(answer.status, status)
  assert.deepEqual([keptOf(kinora, as), await rowsOf(kinora, as), partsOf()], [[], [], []])
}

for (const [format, kept] of [
  ['png', 'png'],
  ['jpeg', 'jpeg'],
  ['webp', 'jpeg'],
] as const) {
  test(`200: ${format} upload → stored as ${kept}; its signed link works without a session and executes nothing`, async () => {
    const ann = await kinora.person()
    const { status, data } = await send(kinora, ann, await images.plain(320, 200, format), `image/${format}`)
    assert.equal(status, 200)
    const { url, expiresAt, ...facts } = data
    const reply = await fetch(url)
    const bytes = Buffer.from(await reply.arrayBuffer())
    assert.deepEqual(facts, { width: 320, height: 200, sizeBytes: bytes.length, contentType: `image/${kept}` })
    assert.equal(reply.headers.get('content-type'), `image/${kept}`)
    assert.match(reply.headers.get('content-security-policy') ?? '', /sandbox/)
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
    assert.equal((await sharp(bytes).metadata()).format, kept)
    const leftS = (Date.parse(expiresAt) - Date.now()) / 1000
    assert.ok(leftS >= app.config.fileUrlTtlS - 5 && leftS <= (app.config.fileUrlTtlS * 9) / 8 + 5)
    assert.equal(Number(new URL(url).searchParams.get('exp')) * 1000, Date.parse(expiresAt))
    assert.deepEqual(partsOf(), [])
  })
}

test('200: content type contradicts the bytes, or is image/jpg → content sniffing decides', async () => {
  const ann = await kinora.person()
  for (const type of ['IMAGE/PNG; charset=binary', 'image/jpg']) {
    const { status, data } = await send(kinora, ann, await images.plain(64, 64, 'jpeg'), type)
    assert.deepEqual([status, data.contentType], [200, 'image/jpeg'])
  }
})

test('200: photograph with EXIF → rotated upright, all metadata removed', async () => {
  const ann = await kinora.person()
  const photograph = await images.photograph()
  assert.ok((await sharp(photograph).metadata()).exif?.includes('Secret Camera'))
  const { data } = await send(kinora, ann, photograph, 'image/jpeg')
  assert.deepEqual([data.width, data.height], [120, 200])
  const bytes = Buffer.from(await (await fetch(data.url)).arrayBuffer())
  const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata()
  assert.deepEqual([exif, xmp, iptc, icc, orientation], [undefined, undefined, undefined, undefined, undefined])
  assert.ok(!bytes.includes('Secret') && !bytes.includes('Exif'))
  // The left half is at the top after a quarter turn clockwise.
  const { data: pixels } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const [red = 0, , blue = 0] = pixels.subarray(0, 3)
  assert.ok(red > 200 && blue < 60, `${red} ${blue}`)
})

test('200: opaque PNG → every pixel kept; transparent PNG → flattened on white', async () => {
  const ann = await kinora.person()
  const drawing = await images.noise(200, 150, 'png')
  const { data } = await send(kinora, ann, drawing)
  const kept = Buffer.from(await (await fetch(data.url)).arrayBuffer())
  const pixelsOf = (bytes: Buffer) => sharp(bytes).removeAlpha().raw().toBuffer()
  assert.deepEqual(await pixelsOf(kept), await pixelsOf(drawing))

  const create = { width: 64, height: 64, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } }
  const clear = await send(kinora, ann, await sharp({ create }).webp({ lossless: true }).toBuffer(), 'image/webp')
  assert.equal(clear.data.contentType, 'image/png')
  const white = Buffer.from(await (await fetch(clear.data.url)).arrayBuffer())
  assert.deepEqual(await pixelsOf(white), Buffer.alloc(64 * 64 * 3, 255))
})

test('200: image over 4096 pixels → scaled down; PNG over 10 MB → re-encoded as JPEG', async () => {
  const ann = await kinora.person()
  const wide = await send(kinora, ann, await images.plain(8192, 1000))
  assert.deepEqual([wide.status, wide.data.width, wide.data.height], [200, 4096, 500])
  const heavy = await send(kinora, ann, await images.noise(2300, 2100, 'png'))
  assert.deepEqual([heavy.status, heavy.data.contentType], [200, 'image/jpeg'])
  assert.ok(heavy.data.sizeBytes <= 10 * MB)
})

test('200: same bytes again, also concurrently → same image; by another user → another image', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const png = await images.plain(300, 300)
  const answers = await Promise.all([1, 2, 3].map(() => send(kinora, ann, png)))
  const again = await send(kinora, ann, png)
  for (const { status, data } of answers) assert.deepEqual([status, data], [200, again.data])
  assert.notEqual((await send(kinora, bob, png)).data.url, again.data.url)
  kinora.turnClock(2 * 3600_000)
  await sweepAssets(app)
  assert.deepEqual(
    [(await rowsOf(kinora, ann)).length, keptOf(kinora, ann).length, keptOf(kinora, bob).length],
    [1, 1, 1],
  )
  assert.equal((await fetch(again.data.url)).status, 200)
})

test('401: no credential → UNAUTHENTICATED', async () => {
  assert.equal((await send(kinora, null, await images.plain(64, 64))).error?.code, 'UNAUTHENTICATED')
})

test('415: content type is not an image → message says what to send', async () => {
  const ann = await kinora.person()
  const png = await images.plain(64, 64)
  for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain', null]) {
    const { status, error } = await send(kinora, ann, png, type)
    assert.deepEqual([status, error?.code], [415, 'UNSUPPORTED_MEDIA_TYPE'], String(type))
    assert.match(error?.message ?? '', /^Send the file itself as the body/)
  }
  assert.deepEqual(keptOf(kinora, ann), [])
})

test('415: bytes of another kind, under any content type → message names the kind', async () => {
  const ann = await kinora.person()
  const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>'
  const other: [Buffer, RegExp][] = [
    [Buffer.from(svg), /^This is an SVG, which is not read here; convert it to a PNG, JPEG, WebP or AVIF\.$/],
    [await images.moving('gif'), /^This is a GIF,/],
    [
      await sharp(await images.plain(64, 64))
        .tiff()
        .toBuffer(),
      /^This is a TIFF,/,
    ],
    [Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'), /^This is a HEIC,/],
    [Buffer.from('%PDF-1.7'), /^This is a PDF;/],
    [Buffer.from('<!doctype html><script>alert(1)</script>'), /^This is not an image;/],
    [Buffer.alloc(0), /^The body is empty;/],
  ]
  for (const [bytes, message] of other) await refused(ann, bytes, 415, message)
})

test('400: image truncated, animated, or followed by other data → refused with the reason', async () => {
  const ann = await kinora.person()
  for (const format of ['png', 'jpeg', 'webp'] as const) {
    const whole = await images.noise(200, 200, format)
    for (const part of [0.5, 0.98]) {
      await refused(ann, whole.subarray(0, Math.floor(whole.length * part)), 400, /cut short/, `image/${format}`)
    }
  }
  await refused(ann, await images.movingPng(), 400, /^The image is animated; send a still one\.$/)
  await refused(ann, await images.moving('webp'), 400, /^The image is animated; send a still one\.$/)
  const archive = Buffer.from('PK\x03\x04 something else')
  for (const format of ['png', 'webp'] as const) {
    const both = Buffer.concat([await images.plain(64, 64, format), archive])
    await refused(ann, both, 400, /^The file has something else behind the image; save the image anew\.$/)
  }
})

test('200: JPEG with appended data → accepted, appended data removed', async () => {
  const ann = await kinora.person()
  const script = '<script>alert(1)</script>'
  const jpeg = Buffer.concat([await images.plain(64, 64, 'jpeg'), Buffer.from(script)])
  const { status, data } = await send(kinora, ann, jpeg, 'image/jpeg')
  assert.equal(status, 200)
  assert.ok(!(await (await fetch(data.url)).text()).includes('script'))
})

test('400: too few or too many pixels → message states the limits', async () => {
  const ann = await kinora.person()
  const sides = /each side must have 64 to 8192\.$/
  await refused(ann, await images.plain(63, 500), 400, sides)
  await refused(ann, await images.plain(8193, 64), 400, sides)
  await refused(ann, await images.plain(8000, 7000, 'png'), 400, /^The image has 8000×7000 pixels; 50 million in all/)
  for (const longest of [64, 8192])
    assert.equal((await send(kinora, ann, await images.plain(longest, 64))).status, 200, `${longest}`)
})

test("400: decompression bomb → the server's memory does not grow", async (t) => {
  const ann = await kinora.person()
  const beforeBytes = process.memoryUsage.rss()
  let mostBytes = 0
  const watch = setInterval(() => {
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss())
  }, 5)
  t.after(() => clearInterval(watch))
  const bombs = [images.bomb(30_000), images.bomb(100_000), images.bomb(4096)]
  const afterMakingBytes = process.memoryUsage.rss()
  for (const bomb of bombs) await refused(ann, bomb, 400, /each side must have|cannot be read|too long|cut short/)
  assert.ok(mostBytes - Math.max(beforeBytes, afterMakingBytes) < 64 * MB, `${(mostBytes - beforeBytes) / MB} MB`)
})

test('413: one byte more than 15 MB, declared or not → nothing stored; exactly 15 MB → accepted', async () => {
  const ann = await kinora.person()
  const large = Buffer.concat([await images.plain(64, 64, 'jpeg'), Buffer.alloc(15 * MB)]).subarray(0, 15 * MB + 1)
  const unsaid = () => new Blob([new Uint8Array(large)]).stream()
  for (const body of [large, unsaid()]) {
    const { status, error } = await send(kinora, ann, body, 'image/jpeg')
    assert.deepEqual([status, error?.code], [413, 'PAYLOAD_TOO_LARGE'])
    assert.match(error?.message ?? '', /^The image is larger than 15 MB; make it smaller/)
  }
  await waitFor('the parts to go', () => partsOf().length === 0)
  assert.deepEqual([keptOf(kinora, ann), await rowsOf(kinora, ann)], [[], []])
  assert.equal((await send(kinora, ann, large.subarray(0, 15 * MB), 'image/jpeg')).status, 200)
})

/** Sends the first part of an upload. */
function beginUpload({ token }: Person): http.ClientRequest {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/png', 'content-length': 5 * MB }
  const request = http.request(`${kinora.url}/api/v1/video/image`, { method: 'POST', headers })
  request.on('error', () => undefined)
  request.write(Buffer.alloc(MB))
  return request
}

test('429: ninth upload of a user at the same time → refused, until others have ended; of another user → accepted', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const begun = Array.from({ length: 8 }, () => beginUpload(ann))
  await waitFor('eight parts', () => partsOf().length === 8)
  const png = await images.plain(64, 64)
  const { status, error } = await send(kinora, ann, png)
  assert.deepEqual([status, error?.code], [429, 'RATE_LIMITED'])
  assert.equal((await send(kinora, bob, png)).status, 200)
  for (const each of begun) each.destroy()
  await waitFor('the parts to go', () => partsOf().length === 0)
  assert.equal((await send(kinora, ann, png)).status, 200)
})

test('upload: client disconnects midway → nothing stored', async () => {
  const ann = await kinora.person()
  const request = beginUpload(ann)
  await waitFor('the part', () => partsOf().length === 1)
  request.destroy()
  await waitFor('the part to go', () => partsOf().length === 0)
  assert.deepEqual(await rowsOf(kinora, ann), [])
})

test('429: 31st upload of a user in a minute → other routes and users unaffected', async () => {
  await kinora.withSettings({ rateLimits: true }, async (url) => {
    const ann = await kinora.person()
    for (let n = 0; n < 30; n++) assert.equal((await send({ url }, ann, Buffer.from('none'), 'text/plain')).status, 415)
    assert.equal((await send({ url }, ann, Buffer.from('none'), 'text/plain')).status, 429)
    const bob = await kinora.person()
    assert.equal((await send({ url }, bob, Buffer.from('none'), 'text/plain')).status, 415)
    const balance = await fetch(`${url}/api/v1/credit/balance`, { headers: { authorization: `Bearer ${ann.token}` } })
    assert.equal(balance.status, 200)
  })
})

test('200: many large concurrent uploads → each succeeds, no temporary files left', async () => {
  const people: Person[] = []
  for (let n = 0; n < 6; n++) people.push(await kinora.person())
  const jpeg = Buffer.concat([await images.plain(1000, 1000, 'jpeg'), Buffer.alloc(12 * MB)])
  const answers = await Promise.all(people.map((person) => send(kinora, person, jpeg, 'image/jpeg')))
  assert.deepEqual(
    answers.map(({ status }) => status),
    people.map(() => 200),
  )
  assert.deepEqual(partsOf(), [])
})
