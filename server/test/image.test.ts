/** `POST /api/v1/video/image`: a start image is uploaded, checked, made anew, and used. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import sharp from 'sharp'
import { signLink } from '../src/storage/link.ts'
import { sweepImages } from '../src/video/image.ts'
import { generateBody, openKinora, type Person, pathsOf } from './harness.ts'
import * as images from './images.ts'
import { waitFor } from './video-row.ts'

const kinora = await openKinora({ simulator: true, env: { FILE_URL_TTL: '5m' } })
const { app } = kinora
const DAY_MS = 86_400_000
const MB = 1024 * 1024

type Uploaded = {
  url: string
  width: number
  height: number
  sizeBytes: number
  contentType: string
  expiresAt: string
}
type Reply = { status: number; data: Uploaded; error: { code: string; message: string } | undefined }

async function send(
  as: Person | null,
  body: Buffer | ReadableStream,
  type: string | null = 'image/png',
  to = kinora.url,
) {
  const response = await fetch(`${to}/api/v1/video/image`, {
    method: 'POST',
    headers: {
      ...(as ? { authorization: `Bearer ${as.token}` } : {}),
      ...(type === null ? {} : { 'content-type': type }),
    },
    body: body instanceof Buffer ? new Uint8Array(body) : body,
    duplex: 'half',
  } as RequestInit)
  return { status: response.status, ...((await response.json()) as Omit<Reply, 'status'>) }
}

const folderOf = (name: string) => {
  const folder = path.join(app.config.dataDir, name)
  return existsSync(folder) ? readdirSync(folder) : []
}
const keptOf = (as: Person) => folderOf(`files/image/${as.userId}`)
const rowsOf = async (as: Person) => [
  ...(await app.sql<{ id: string; state: string }[]>`
    select id, state from kinora.video_image where user_id = ${as.userId}
  `),
]
const quote = (as: Person, startImageUrl: string) =>
  kinora.call('POST', '/api/v1/video/quote', { as, body: { ...generateBody, startImageUrl } })

async function refused(as: Person, body: Buffer, status: number, message: RegExp, type = 'image/png') {
  const answer = await send(as, body, type)
  assert.match(answer.error?.message ?? '', message)
  assert.equal(answer.status, status)
  assert.deepEqual([keptOf(as), await rowsOf(as), folderOf('parts')], [[], [], []])
}

for (const [format, kept] of [
  ['png', 'png'],
  ['jpeg', 'jpeg'],
  ['webp', 'jpeg'],
] as const) {
  test(`200: a ${format} is kept as ${kept}, behind a link that shows it to anybody and runs nothing`, async () => {
    const ann = await kinora.person()
    const { status, data } = await send(ann, await images.plain(320, 200, format), `image/${format}`)
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
    assert.deepEqual(folderOf('parts'), [])
  })
}

test('200: the bytes decide, not the header', async () => {
  const ann = await kinora.person()
  const { status, data } = await send(ann, await images.plain(64, 64, 'jpeg'), 'IMAGE/PNG; charset=binary')
  assert.deepEqual([status, data.contentType], [200, 'image/jpeg'])
})

test('200: a photograph is turned upright, and tells no longer where and with what it was taken', async () => {
  const ann = await kinora.person()
  const photograph = await images.photograph()
  assert.ok((await sharp(photograph).metadata()).exif?.includes('Secret Camera'))
  const { data } = await send(ann, photograph, 'image/jpeg')
  assert.deepEqual([data.width, data.height], [120, 200])
  const bytes = Buffer.from(await (await fetch(data.url)).arrayBuffer())
  const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata()
  assert.deepEqual([exif, xmp, iptc, icc, orientation], [undefined, undefined, undefined, undefined, undefined])
  assert.ok(!bytes.includes('Secret') && !bytes.includes('Exif'))
  // Turned by a quarter to the right, what was on the left is on top.
  const { data: pixels } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const [red = 0, , blue = 0] = pixels.subarray(0, 3)
  assert.ok(red > 200 && blue < 60, `${red} ${blue}`)
})

test('200: a PNG without transparency keeps every pixel; transparency is laid on white', async () => {
  const ann = await kinora.person()
  const drawing = await images.noise(200, 150, 'png')
  const { data } = await send(ann, drawing)
  const kept = Buffer.from(await (await fetch(data.url)).arrayBuffer())
  const pixelsOf = (bytes: Buffer) => sharp(bytes).removeAlpha().raw().toBuffer()
  assert.deepEqual(await pixelsOf(kept), await pixelsOf(drawing))

  const create = { width: 64, height: 64, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } }
  const clear = await send(ann, await sharp({ create }).webp({ lossless: true }).toBuffer(), 'image/webp')
  assert.equal(clear.data.contentType, 'image/png')
  const white = Buffer.from(await (await fetch(clear.data.url)).arrayBuffer())
  assert.deepEqual(await pixelsOf(white), Buffer.alloc(64 * 64 * 3, 255))
})

test('200: an image larger than any film is made smaller, and one that stays heavy becomes a JPEG', async () => {
  const ann = await kinora.person()
  const wide = await send(ann, await images.plain(8192, 1000))
  assert.deepEqual([wide.status, wide.data.width, wide.data.height], [200, 4096, 500])
  const heavy = await send(ann, await images.noise(2300, 2100, 'png'))
  assert.deepEqual([heavy.status, heavy.data.contentType], [200, 'image/jpeg'])
  assert.ok(heavy.data.sizeBytes <= 10 * MB)
})

test('200: the same upload again is the same image, also at the same time; of another user it is another', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const png = await images.plain(300, 300)
  const answers = await Promise.all([1, 2, 3].map(() => send(ann, png)))
  const again = await send(ann, png)
  for (const { status, data } of answers) assert.deepEqual([status, data], [200, again.data])
  assert.notEqual((await send(bob, png)).data.url, again.data.url)
  kinora.turnClock(2 * 3600_000)
  await sweepImages(app)
  assert.deepEqual([(await rowsOf(ann)).length, keptOf(ann).length, keptOf(bob).length], [1, 1, 1])
  assert.equal((await fetch(again.data.url)).status, 200)
})

test('401: nobody', async () => {
  assert.equal((await send(null, await images.plain(64, 64))).error?.code, 'UNAUTHENTICATED')
})

test('415: a body that is not called an image, with what to do', async () => {
  const ann = await kinora.person()
  const png = await images.plain(64, 64)
  for (const type of [
    'application/json',
    'multipart/form-data; boundary=x',
    'text/plain',
    'image/gif',
    'image/svg+xml',
    null,
  ]) {
    const { status, error } = await send(ann, png, type)
    assert.deepEqual([status, error?.code], [415, 'UNSUPPORTED_MEDIA_TYPE'], String(type))
    assert.match(error?.message ?? '', /^Send the image itself as the body/)
  }
  assert.deepEqual(keptOf(ann), [])
})

test('415: bytes of another kind, whatever they are called; it is said what they are', async () => {
  const ann = await kinora.person()
  const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>'
  const other: [Buffer, RegExp][] = [
    [Buffer.from(svg), /^This is an SVG; send a PNG, JPEG or WebP\.$/],
    [await images.moving('gif'), /^This is a GIF;/],
    [
      await sharp(await images.plain(64, 64))
        .tiff()
        .toBuffer(),
      /^This is a TIFF;/,
    ],
    [
      await sharp(await images.plain(64, 64))
        .avif()
        .toBuffer(),
      /^This is an AVIF;/,
    ],
    [Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'), /^This is a HEIC;/],
    [Buffer.from('%PDF-1.7'), /^This is a PDF;/],
    [Buffer.from('<!doctype html><script>alert(1)</script>'), /^This is not an image;/],
    [Buffer.alloc(0), /^The body is empty;/],
  ]
  for (const [bytes, message] of other) await refused(ann, bytes, 415, message)
})

test('400: cut short, animated, or with something behind its end', async () => {
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

test('200: what a phone puts behind a JPEG is left out', async () => {
  const ann = await kinora.person()
  const script = '<script>alert(1)</script>'
  const jpeg = Buffer.concat([await images.plain(64, 64, 'jpeg'), Buffer.from(script)])
  const { status, data } = await send(ann, jpeg, 'image/jpeg')
  assert.equal(status, 200)
  assert.ok(!(await (await fetch(data.url)).text()).includes('script'))
})

test('400: too few or too many pixels, with how many there may be', async () => {
  const ann = await kinora.person()
  const sides = /each side must have 64 to 8192\.$/
  await refused(ann, await images.plain(63, 500), 400, sides)
  await refused(ann, await images.plain(8193, 64), 400, sides)
  await refused(ann, await images.plain(8000, 7000, 'png'), 400, /^The image has 8000×7000 pixels; 50 million in all/)
  const { status } = await send(ann, await images.plain(64, 64))
  assert.equal(status, 200)
})

test('400: a bomb costs the server nothing, whatever size it claims', async () => {
  const ann = await kinora.person()
  const beforeBytes = process.memoryUsage.rss()
  let mostBytes = 0
  const watch = setInterval(() => {
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss())
  }, 5)
  const bombs = [images.bomb(30_000), images.bomb(100_000), images.bomb(4096)]
  const afterMakingBytes = process.memoryUsage.rss()
  for (const bomb of bombs) await refused(ann, bomb, 400, /each side must have|cannot be read|too long|cut short/)
  clearInterval(watch)
  assert.ok(mostBytes - Math.max(beforeBytes, afterMakingBytes) < 64 * MB, `${(mostBytes - beforeBytes) / MB} MB`)
})

test('413: more than 15 MB, said or not, and nothing is kept; 15 MB are taken', async () => {
  const ann = await kinora.person()
  const large = Buffer.concat([await images.plain(64, 64, 'jpeg'), Buffer.alloc(15 * MB)])
  const unsaid = () => new Blob([new Uint8Array(large)]).stream()
  for (const body of [large, unsaid()]) {
    const { status, error } = await send(ann, body, 'image/jpeg')
    assert.deepEqual([status, error?.code], [413, 'PAYLOAD_TOO_LARGE'])
    assert.match(error?.message ?? '', /^The image is larger than 15 MB; make it smaller/)
  }
  await waitFor('the parts to go', () => folderOf('parts').length === 0)
  assert.deepEqual([keptOf(ann), await rowsOf(ann)], [[], []])
  assert.equal((await send(ann, large.subarray(0, 15 * MB), 'image/jpeg')).status, 200)
})

test('a client that leaves in the middle leaves nothing behind', async () => {
  const ann = await kinora.person()
  const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'image/png', 'content-length': 5 * MB }
  const request = http.request(`${kinora.url}/api/v1/video/image`, { method: 'POST', headers })
  request.on('error', () => undefined)
  request.write(Buffer.alloc(MB))
  await waitFor('the part', () => folderOf('parts').length === 1)
  request.destroy()
  await waitFor('the part to go', () => folderOf('parts').length === 0)
  assert.deepEqual(await rowsOf(ann), [])
})

test('200: from upload to film: quoted, generated, fetched by the provider, shown with a new link, used again', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data } = await send(ann, await images.plain(1280, 720, 'png', '#00a040'))
  assert.equal((await quote(ann, data.url)).status, 200)
  const made = await kinora.generate(ann, { startImageUrl: data.url })
  assert.equal(made.status, 200)
  // The task is sent later, when the link that was given is no longer good.
  kinora.turnClock(10 * 60_000)
  const sentAt = app.now().getTime()
  const { status, error } = await kinora.finish(ann, made.data.uuid)
  assert.deepEqual([status, error], ['COMPLETED', null])
  const tasks = ((await kinora.simulator?.tasks()) ?? []) as unknown as { imageUrl: string | null }[]
  const given = new URL(tasks.find(({ imageUrl }) => imageUrl)?.imageUrl ?? '')
  assert.equal(given.pathname, new URL(data.url).pathname)
  assert.ok(Number(given.searchParams.get('exp')) * 1000 >= sentAt + DAY_MS)
  const row = await kinora.call<{ startImageUrl: string; thumbnailUrl: string }>(
    'GET',
    `/api/v1/video/${made.data.uuid}`,
    { as: ann },
  )
  assert.notEqual(row.data.startImageUrl, data.url)
  assert.equal((await fetch(row.data.startImageUrl)).status, 200)
  // The film begins with the image.
  const thumbnail = Buffer.from(await (await fetch(row.data.thumbnailUrl)).arrayBuffer())
  const { data: pixels } = await sharp(thumbnail).raw().toBuffer({ resolveWithObject: true })
  const [red = 0, green = 0, blue = 0] = pixels.subarray(0, 3)
  assert.ok(red < 60 && green > 110 && blue < 110, `${red} ${green} ${blue}`)
  assert.equal((await kinora.generate(ann, { startImageUrl: row.data.startImageUrl })).status, 200)
})

test('200: an Idempotency-Key knows an image by itself, not by its link', async () => {
  const ann = await kinora.person()
  const key = { 'idempotency-key': 'one' }
  const png = await images.plain(100, 100)
  const first = await kinora.generate(ann, { startImageUrl: (await send(ann, png)).data.url }, key)
  kinora.turnClock(app.config.fileUrlTtlS * 1000)
  const { url } = (await send(ann, png)).data
  const second = await kinora.generate(ann, { startImageUrl: url }, key)
  assert.deepEqual([second.status, second.data.uuid], [200, first.data.uuid])
})

test('400: a link that is forged, over, foreign, gone, or to something else', async (t: TestContext) => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const { url } = (await send(ann, await images.plain(100, 100))).data
  const sign = (key: string) => signLink(app.config, key, { nowMs: app.now().getTime(), ttlS: app.config.fileUrlTtlS })
  const cases: [string, Person, string, RegExp][] = [
    ['forged', ann, url.replace(/sig=.{6}/, 'sig=AAAAAA'), /^The startImageUrl is not a link to an image of yours/],
    ['longer', ann, url.replace(/exp=\d/, 'exp=9'), /is not a link to an image of yours/],
    ['unsigned', ann, url.replace(/\?.*/, ''), /is not a link to an image of yours/],
    ['of another', bob, url, /is not a link to an image of yours; upload the image first\.$/],
    ['a film', ann, sign(`video/${ann.userId}/${ann.userId}.mp4`), /is not a link to an image of yours/],
    ['never kept', ann, sign(`image/${ann.userId}/${ann.userId}.png`), /is no longer kept; upload it again\.$/],
  ]
  for (const [title, as, startImageUrl, message] of cases) {
    await t.test(title, async () => {
      for (const answer of [await quote(as, startImageUrl), await kinora.generate(as, { startImageUrl })]) {
        assert.deepEqual([answer.status, answer.error?.code], [400, 'INVALID_REQUEST'])
        assert.match(answer.error?.message ?? '', message)
        assert.deepEqual(pathsOf(answer), ['startImageUrl'])
      }
    })
  }
  assert.equal((await quote(ann, url)).status, 200)
  kinora.turnClock((app.config.fileUrlTtlS * 9 * 1000) / 8 + 1000)
  assert.match((await quote(ann, url)).error?.message ?? '', /^The link of the startImageUrl has expired; upload/)
})

test('an image that no video uses goes after a week; one that a video uses goes after the video', async () => {
  const ann = await kinora.person()
  const used = await send(ann, await images.plain(100, 100, 'png', 'red'))
  await send(ann, await images.plain(100, 100, 'png', 'blue'))
  const made = await kinora.generate(ann, { startImageUrl: used.data.url, prompt: '[fail: no]' })
  await kinora.finish(ann, made.data.uuid)
  const kept = async (days: number) => {
    kinora.turnClock(days * DAY_MS)
    while ((await sweepImages(app)) > 0);
    assert.equal((await rowsOf(ann)).length, keptOf(ann).length)
    return keptOf(ann).length
  }
  assert.equal(await kept(6), 2)
  assert.equal(await kept(1.1), 1)
  assert.equal(await kept(30), 1)
  await kinora.call('DELETE', `/api/v1/video/${made.data.uuid}`, { as: ann })
  assert.equal(await kept(7.1), 0)
  assert.equal((await fetch(used.data.url)).status, 404)
})

test('of many unused images the latest 50 are kept', async () => {
  const ann = await kinora.person()
  const first = await send(ann, await images.plain(64, 64))
  await app.sql`
    insert into kinora.video_image (
      user_id, id, digest, key, content_type, width, height, size_bytes, state, created_at, due_at
    )
    select user_id, gen_random_uuid(), sha256(n::text::bytea), 'image/none/' || n || '.png', 'image/png', 64, 64, 1,
      'kept', created_at, due_at + n * interval '1 second'
    from kinora.video_image, generate_series(1, 49) n
    where user_id = ${ann.userId}
  `
  const more = await send(ann, await images.plain(65, 65))
  assert.equal(more.status, 200)
  assert.equal((await quote(ann, more.data.url)).status, 200)
  assert.match((await quote(ann, first.data.url)).error?.message ?? '', /is no longer kept; upload it again\.$/)
  await sweepImages(app)
  assert.deepEqual([(await rowsOf(ann)).length, keptOf(ann).length], [50, 1])
})

test('a process that died between storing and recording leaves nothing for ever', async () => {
  const ann = await kinora.person()
  await send(ann, await images.plain(64, 64))
  const now = app.now()
  await app.sql`
    update kinora.video_image set state = 'storing', due_at = ${new Date(now.getTime() + 3600_000)}
    where user_id = ${ann.userId}
  `
  const before = keptOf(ann)
  assert.equal((await send(ann, await images.plain(64, 64))).status, 200)
  kinora.turnClock(3600_000 + 1000)
  await sweepImages(app)
  assert.equal((await rowsOf(ann)).length, 1)
  assert.equal(keptOf(ann).length, 1)
  assert.notDeepEqual(keptOf(ann), before)
})

test('429: the 31st upload of a user in a minute; nothing else is touched', async () => {
  await kinora.withSettings({ rateLimits: true }, async (url) => {
    const ann = await kinora.person()
    for (let n = 0; n < 30; n++) assert.equal((await send(ann, Buffer.from('none'), 'image/png', url)).status, 415)
    assert.equal((await send(ann, Buffer.from('none'), 'image/png', url)).status, 429)
    const balance = await fetch(`${url}/api/v1/credit/balance`, { headers: { authorization: `Bearer ${ann.token}` } })
    assert.equal(balance.status, 200)
  })
})

test('many large uploads at once: each is answered, and the memory of the server stays small', async () => {
  const people: Person[] = []
  for (let n = 0; n < 6; n++) people.push(await kinora.person())
  const jpeg = Buffer.concat([await images.plain(1000, 1000, 'jpeg'), Buffer.alloc(12 * MB)])
  const answers = await Promise.all(people.map((person) => send(person, jpeg, 'image/jpeg')))
  assert.deepEqual(
    answers.map(({ status }) => status),
    people.map(() => 200),
  )
  assert.deepEqual(folderOf('parts'), [])
})
