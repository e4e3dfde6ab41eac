// slow
/** inspectFilm: accepted films with their facts and thumbnails; refused films with their codes and no files left. */
import assert from 'node:assert/strict'
import { open, readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import sharp from 'sharp'
import { FILM_SECONDS_MAX } from '../../src/media/film/film.ts'
import { inspectFilm, takeFrames } from '../../src/media/film/inspect.ts'
import { MediaRefused } from '../../src/media/refusal.ts'
import { writeFilm } from '../support/film-file.ts'
import * as films from '../support/films.ts'

/** The colour at half the height and `across` (0 to 1) of the width. */
async function colorAt(file: string, across: number): Promise<number[]> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width * across)) * info.channels
  return [...data.subarray(at, at + 3)]
}

function assertColor(actual: number[], expected: [number, number, number]): void {
  const near = actual.every((value, i) => Math.abs(value - (expected[i] ?? Number.NaN)) <= 6)
  assert.ok(near, `the colour is ${actual}, not ${expected}`)
}

const small = () => films.greyFilm(320, 180, 2)

type Accepted = { name: string; make: () => Promise<Buffer>; facts: object; thumbnail: [number, number] }
const accepted: Accepted[] = [
  {
    name: '720p',
    make: () => films.greyFilm(1280, 720, 5),
    facts: { durationS: 5, width: 1280, height: 720, codec: 'avc', contentType: 'video/mp4', extension: 'mp4' },
    thumbnail: [640, 360],
  },
  {
    name: 'smaller than a thumbnail, with odd sides',
    make: () => films.greyFilm(318, 182, 1),
    facts: { width: 318, height: 182 },
    thumbnail: [318, 182],
  },
  {
    name: '4k portrait',
    make: () => films.greyFilm(2160, 3840, 1),
    facts: { width: 2160, height: 3840 },
    thumbnail: [360, 640],
  },
  {
    name: '4k 21:9',
    make: () => films.greyFilm(5040, 2160, 1),
    facts: { width: 5040, height: 2160 },
    thumbnail: [640, 274],
  },
  {
    name: 'two minutes, in fragments',
    make: () => films.greyFilm(640, 360, 120, { container: 'fragmented' }),
    facts: { durationS: 120 },
    thumbnail: [640, 360],
  },
  {
    name: 'the longest that the catalogue allows, and six frames',
    make: () => films.greyFilm(320, 180, FILM_SECONDS_MAX + 0.25),
    facts: { durationS: FILM_SECONDS_MAX + 0.25 },
    thumbnail: [320, 180],
  },
  {
    name: 'the widest',
    make: () => films.greyFilm(5120, 320, 1),
    facts: { width: 5120, height: 320 },
    thumbnail: [640, 40],
  },
  {
    name: 'QuickTime, turned by a quarter',
    make: () => films.greyFilm(1280, 720, 1, { container: 'mov', rotation: 90 }),
    facts: { width: 720, height: 1280, contentType: 'video/quicktime', extension: 'mov' },
    thumbnail: [360, 640],
  },
]

for (const { name, make, facts, thumbnail } of accepted) {
  test(`inspectFilm: ${name} → accepted`, async (t) => {
    const bytes = await make()
    const { folder, file, thumbnailFile } = await writeFilm(t, bytes)
    const inspected = await inspectFilm(file, { thumbnailFile })
    assert.partialDeepStrictEqual(inspected, { ...facts, sizeBytes: bytes.length })
    const jpeg = await readFile(thumbnailFile)
    const [width, height] = thumbnail
    assert.deepEqual(inspected.thumbnail, { width, height, sizeBytes: jpeg.length })
    assert.partialDeepStrictEqual(await sharp(jpeg).metadata(), { format: 'jpeg', width, height })
    assert.deepEqual(await readdir(folder), ['result.mp4', 'thumbnail.jpg'])
  })
}

test('inspectFilm: live WebM without sizes → accepted', async (t) => {
  const { file, thumbnailFile } = await writeFilm(t, await films.paintedFilm('vp8', 640, 360, 2, 'live'))
  const film = await inspectFilm(file, { thumbnailFile })
  assert.partialDeepStrictEqual(film, { codec: 'vp8', contentType: 'video/webm' })
  // Such a film has no duration for its last frame.
  assert.ok(film.durationS > 1.9 && film.durationS <= 2, String(film.durationS))
})

test('inspectFilm: film followed by padding → accepted', async (t) => {
  const { file, thumbnailFile } = await writeFilm(t, Buffer.concat([await small(), Buffer.alloc(1000)]))
  assert.equal((await inspectFilm(file, { thumbnailFile })).durationS, 2)
})

for (const [codec, contentType, extension] of [
  ['avc', 'video/mp4', 'mp4'],
  ['vp8', 'video/webm', 'webm'],
  ['vp9', 'video/webm', 'webm'],
  ['av1', 'video/webm', 'webm'],
] as const) {
  test(`inspectFilm: ${codec} from an encoder → thumbnail with the right colours`, async (t) => {
    const bytes = await (codec === 'av1' ? films.paintedAv1Film() : films.paintedFilm(codec, 640, 360, 2))
    const { file, thumbnailFile } = await writeFilm(t, bytes)
    const film = await inspectFilm(file, { thumbnailFile })
    assert.partialDeepStrictEqual(film, { codec, contentType, extension, durationS: 2, width: 640, height: 360 })
    assertColor(await colorAt(thumbnailFile, 0.1), [220, 30, 30])
    assertColor(await colorAt(thumbnailFile, 0.9), [30, 30, 220])
  })
}

// Middle grey is 128 of 256; in limited range (16 to 235) it is displayed slightly brighter.
for (const [format, grey] of [
  ['usual', 130],
  ['tenBits', 130],
  ['fullColor', 130],
  ['fullRange', 128],
] as const) {
  test(`inspectFilm: H.264 with ${format} samples → uniformly grey thumbnail`, async (t) => {
    const { file, thumbnailFile } = await writeFilm(t, await films.greyFilm(1280, 720, 1, { format }))
    await inspectFilm(file, { thumbnailFile })
    const { channels } = await sharp(thumbnailFile).stats()
    for (const { min, max } of channels) assert.deepEqual([min, max], [grey, grey])
  })
}

const html = '<!doctype html><html><head><title>Sign in</title></head><body>Please sign in</body></html>'
const image = () => sharp({ create: { width: 64, height: 64, channels: 3, background: '#888' } })
const refused: { name: string; code: string; message?: RegExp; make: () => Promise<Buffer> }[] = [
  { name: 'no bytes', code: 'NOT_A_VIDEO', make: async () => Buffer.alloc(0) },
  { name: 'zero bytes', code: 'NOT_A_VIDEO', make: async () => Buffer.alloc(100_000) },
  { name: 'HTML', code: 'NOT_A_VIDEO', make: async () => Buffer.from(html) },
  { name: 'JSON', code: 'NOT_A_VIDEO', make: async () => Buffer.from('{"error":"expired"}') },
  { name: 'a PNG', code: 'NOT_A_VIDEO', make: () => image().png().toBuffer() },
  { name: 'a JPEG', code: 'NOT_A_VIDEO', make: () => image().jpeg().toBuffer() },
  { name: 'an AVIF', code: 'NOT_A_VIDEO', make: () => image().avif({ effort: 0 }).toBuffer() },
  { name: 'a playlist', code: 'NOT_A_VIDEO', make: async () => Buffer.from('#EXTM3U\n/etc/passwd\n') },
  { name: 'sound only', code: 'NO_VIDEO_TRACK', make: films.soundOnlyFilm },
  { name: 'MP4 cut in its pictures', code: 'TRUNCATED', make: async () => films.cutShort(await small(), 0.9) },
  { name: 'MP4 cut in its index', code: 'TRUNCATED', make: async () => films.cutShort(await small(), 0.1) },
  {
    name: 'MP4 that lost the index at its end',
    code: 'TRUNCATED',
    make: async () => films.cutShort(await films.greyFilm(320, 180, 2, { container: 'mov' }), 0.8),
  },
  { name: 'MP4 without its index', code: 'TRUNCATED', make: async () => films.withoutBox(await small(), 'moov') },
  { name: 'MP4 without its pictures', code: 'TRUNCATED', make: async () => films.withoutBox(await small(), 'mdat') },
  {
    name: 'fragments, cut',
    code: 'TRUNCATED',
    make: async () => films.cutShort(await films.greyFilm(320, 180, 4, { container: 'fragmented' }), 0.7),
  },
  {
    name: 'WebM, cut',
    code: 'TRUNCATED',
    make: async () => films.cutShort(await films.paintedFilm('vp8', 640, 360, 2), 0.7),
  },
  {
    name: 'live WebM, cut within a picture',
    code: 'TRUNCATED',
    make: async () => (await films.paintedFilm('vp8', 640, 360, 2, 'live')).subarray(0, -5),
  },
  {
    name: 'MP4 with blank pictures',
    code: 'UNDECODABLE',
    make: async () => films.withBlankPictures(await films.paintedFilm('avc', 640, 360, 2)),
  },
  { name: '121 seconds', code: 'TOO_LONG', message: /121 seconds/, make: () => films.greyFilm(320, 180, 121) },
  { name: '5136 pixels wide', code: 'TOO_LARGE_PICTURE', make: () => films.greyFilm(5136, 320, 1) },
  { name: '4096×4096', code: 'TOO_LARGE_PICTURE', message: /4096×4096/, make: () => films.greyFilm(4096, 4096, 1) },
  { name: 'boxes within boxes', code: 'UNDECODABLE', make: async () => films.nestedFilm(await small()) },
  { name: 'four million boxes', code: 'UNDECODABLE', make: async () => films.manyBoxesFilm(await small()) },
]

for (const { name, code, message, make } of refused) {
  test(`inspectFilm: ${name} → ${code}`, async (t) => {
    const { folder, file, thumbnailFile } = await writeFilm(t, await make())
    await assert.rejects(inspectFilm(file, { thumbnailFile }), (error) => {
      assert.ok(error instanceof MediaRefused, String(error))
      assert.equal(error.code, code)
      assert.match(error.message, message ?? /^[A-Z][^/\\]+\.$/)
      return true
    })
    assert.deepEqual(await readdir(folder), ['result.mp4'])
  })
}

test('inspectFilm: index of 500 MB → UNDECODABLE', async (t) => {
  const { file, thumbnailFile } = await writeFilm(t, films.startOfHugeIndex(await small(), 500_000_000))
  const handle = await open(file, 'r+')
  await handle.truncate(600_000_000)
  await handle.close()
  await assert.rejects(inspectFilm(file, { thumbnailFile }), { name: 'MediaRefused', code: 'UNDECODABLE' })
})

test('takeFrames: long film, each codec, one key frame → a picture of each second up to countMax, of that second', async (t) => {
  const take = async (bytes: Buffer) => {
    const { file } = await writeFilm(t, bytes)
    return await takeFrames(file, { countMax: 16 })
  }
  const long = await take(await films.greyFilm(3840, 2160, 120))
  assert.equal(long.length, 16)
  for (const make of [films.paintedHevcMp4, films.paintedAv1Film, () => films.paintedFilm('vp9', 320, 180, 2)])
    assert.equal((await take(await make())).length, 2)
  const colours = [220, 120, 30].map((red): [number, number, number] => [red, 30, 30])
  const taken = await take(await films.colouredFilm(colours))
  const reds = await Promise.all(taken.map(async (jpeg) => (await sharp(jpeg).stats()).channels[0]?.mean ?? 0))
  for (const [i, red] of reds.entries()) assert.ok(Math.abs(red - (colours[i]?.[0] ?? 0)) < 12, `${reds}`)
})

test('takeFrames: blank pictures, picture that grows → refused', async (t) => {
  for (const bytes of [films.withBlankPictures(await films.greyFilm(640, 360, 2)), await films.growingFilm()]) {
    const { file } = await writeFilm(t, bytes)
    await assert.rejects(takeFrames(file, { countMax: 16 }), MediaRefused)
  }
})
