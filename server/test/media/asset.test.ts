// slow
/** inspectAsset: what is kept of pictures, films and sounds, and which are refused. */
import assert from 'node:assert/strict'
import { open, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import sharp from 'sharp'
import type { AssetJob } from '../../src/media/asset/asset.ts'
import { inspectAsset } from '../../src/media/asset/inspect.ts'
import { inspectFilm } from '../../src/media/film/inspect.ts'
import { MediaRefused } from '../../src/media/refusal.ts'
import { writeFilm } from '../support/film-file.ts'
import * as films from '../support/films.ts'
import * as images from '../support/images.ts'
import { remade, silence, sound } from '../support/sounds.ts'

async function inspect(t: TestContext, bytes: Buffer, limits: Partial<AssetJob> = {}) {
  const { folder, file } = await writeFilm(t, bytes)
  const outputFile = path.join(folder, 'kept')
  const asset = await inspectAsset(file, { outputFile, limits })
  const kept = await readFile(outputFile)
  assert.equal(asset.sizeBytes, kept.length)
  return { asset, kept, outputFile, folder }
}

/** Codecs and rotation of a file, as its container says. */
async function tracksOf(bytes: Buffer) {
  using input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const video = await input.getPrimaryVideoTrack()
  const audio = await input.getPrimaryAudioTrack()
  return {
    format: (await input.getFormat()).name,
    video: (await video?.getCodec()) ?? null,
    rotation: (await video?.getRotation()) ?? null,
    audio: (await audio?.getCodec()) ?? null,
    tags: await input.getMetadataTags(),
  }
}

/** When the pictures are shown, in the order in which they are stored. */
async function timesOf(bytes: Buffer): Promise<number[]> {
  using input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const video = await input.getPrimaryVideoTrack()
  const times: number[] = []
  if (video) for await (const { timestamp } of new EncodedPacketSink(video).packets()) times.push(timestamp)
  return times
}

const painted = (codec: 'avc' | 'vp8' | 'vp9' = 'avc') => films.paintedFilm(codec, 320, 180, 2)
const film = (extension: string, contentType: string, sides = [320, 180], hasSound = false) => {
  const [width, height] = sides
  return { kind: 'film', extension, contentType, width, height, hasSound }
}
const heard = (extension: string, contentType: string) =>
  ({ kind: 'sound', extension, contentType, width: null, height: null, hasSound: true }) as const
const picture = (extension: string, contentType: string, sides: [number, number]) => {
  const [width, height] = sides
  return { kind: 'image', extension, contentType, width, height, durationS: null, hasSound: null }
}

const accepted: { name: string; make: () => Promise<Buffer>; facts: object; tracks?: object }[] = [
  {
    name: 'MP4',
    make: () => films.greyFilm(320, 180, 2),
    facts: { ...film('mp4', 'video/mp4'), durationS: 2 },
    tracks: { format: 'MP4', video: 'avc', audio: null },
  },
  {
    name: 'MP4 with sound',
    make: async () => remade(await painted(), { codec: 'aac' }),
    facts: film('mp4', 'video/mp4', [320, 180], true),
    tracks: { video: 'avc', audio: 'aac' },
  },
  {
    name: 'MP4 in fragments',
    make: () => films.greyFilm(320, 180, 2, { container: 'fragmented' }),
    facts: { ...film('mp4', 'video/mp4'), durationS: 2 },
  },
  { name: 'HEVC', make: films.paintedHevcMp4, facts: film('mp4', 'video/mp4', [640, 360]), tracks: { video: 'hevc' } },
  {
    name: 'QuickTime → MP4',
    make: async () => remade(await painted(), { codec: 'aac', container: 'mov' }),
    facts: film('mp4', 'video/mp4', [320, 180], true),
    tracks: { format: 'MP4', video: 'avc', audio: 'aac' },
  },
  {
    name: 'QuickTime with uncompressed sound → stays',
    make: async () => remade(await painted(), { codec: 'pcm-s16', container: 'mov' }),
    facts: film('mov', 'video/quicktime', [320, 180], true),
    tracks: { format: 'QuickTime File Format', video: 'avc', audio: 'pcm-s16' },
  },
  {
    name: 'WebM',
    make: async () => remade(await painted('vp9'), { codec: 'opus', container: 'webm' }),
    facts: film('webm', 'video/webm', [320, 180], true),
    tracks: { format: 'WebM', video: 'vp9', audio: 'opus' },
  },
  {
    name: 'live WebM',
    make: () => films.paintedFilm('vp8', 320, 180, 2, 'live'),
    facts: film('webm', 'video/webm'),
    tracks: { format: 'WebM', video: 'vp8' },
  },
  { name: 'AV1', make: films.paintedAv1Film, facts: film('webm', 'video/webm', [640, 360]), tracks: { video: 'av1' } },
  {
    name: 'five minutes',
    make: () => films.greyFilm(320, 180, 300, { framesPerSecond: 2 }),
    facts: { ...film('mp4', 'video/mp4'), durationS: 300 },
  },
  { name: 'MP3', make: () => sound('mp3', 2), facts: heard('mp3', 'audio/mpeg'), tracks: { format: 'MP3' } },
  {
    name: 'WAV',
    make: () => sound('pcm-s16', 1),
    facts: { ...heard('wav', 'audio/wav'), durationS: 1 },
    tracks: { format: 'WAVE' },
  },
  { name: 'M4A', make: () => sound('aac', 2), facts: heard('m4a', 'audio/mp4'), tracks: { audio: 'aac', video: null } },
  { name: 'Ogg', make: () => sound('opus', 2), facts: heard('ogg', 'audio/ogg'), tracks: { format: 'Ogg' } },
  {
    name: 'sound in WebM → Ogg',
    make: () => sound('opus', 2, { container: 'webm' }),
    facts: heard('ogg', 'audio/ogg'),
    tracks: { format: 'Ogg' },
  },
  {
    name: 'sound in QuickTime → WAV',
    make: () => sound('pcm-s16', 1, { container: 'mov' }),
    facts: heard('wav', 'audio/wav'),
    tracks: { format: 'WAVE' },
  },
  {
    name: 'WAV that was written as it was made',
    make: async () => silence(1, 0xffff_ffff - 36),
    facts: { ...heard('wav', 'audio/wav'), durationS: 1 },
  },
  { name: 'PNG', make: () => images.plain(80, 64), facts: picture('png', 'image/png', [80, 64]) },
  { name: 'WebP', make: () => images.plain(80, 64, 'webp'), facts: picture('jpg', 'image/jpeg', [80, 64]) },
  {
    name: 'AVIF',
    make: () => images.plain(80, 64, 'avif'),
    facts: picture('jpg', 'image/jpeg', [80, 64]),
  },
  { name: 'rotated JPEG', make: images.photograph, facts: picture('jpg', 'image/jpeg', [120, 200]) },
]

for (const { name, make, facts, tracks } of accepted) {
  test(`inspectAsset: ${name} → kept`, async (t) => {
    const { asset, kept, folder } = await inspect(t, await make())
    assert.partialDeepStrictEqual(asset, facts)
    if (tracks) assert.partialDeepStrictEqual(await tracksOf(kept), tracks)
    assert.deepEqual(await readdir(folder), ['kept', 'result.mp4'])
  })
}

for (const [name, rotation, colors] of [
  ['a quarter', 90, { top: [220, 30, 30], bottom: [30, 30, 220] }],
  ['three quarters', 270, { top: [30, 30, 220], bottom: [220, 30, 30] }],
] as const) {
  test(`inspectAsset: film that its metadata turns by ${name} → kept upright, with its sound`, async (t) => {
    const turned = films.rotated(await remade(await painted(), { codec: 'aac' }), rotation)
    const { asset, kept, outputFile, folder } = await inspect(t, turned)
    assert.partialDeepStrictEqual(asset, film('mp4', 'video/mp4', [180, 320], true))
    assert.partialDeepStrictEqual(await tracksOf(kept), { video: 'avc', rotation: 0, audio: 'aac' })
    const thumbnailFile = path.join(folder, 'thumbnail.jpg')
    const { durationS, width, height } = await inspectFilm(outputFile, { thumbnailFile })
    assert.deepEqual([width, height], [180, 320])
    assert.ok(Math.abs(durationS - (asset.durationS ?? 0)) < 0.05, `${durationS} of ${asset.durationS}`)
    const { data, info } = await sharp(thumbnailFile).raw().toBuffer({ resolveWithObject: true })
    for (const [at, expected] of [[0.1, colors.top] as const, [0.9, colors.bottom] as const]) {
      const start = (Math.floor(info.height * at) * info.width + info.width / 2) * info.channels
      const color = [...data.subarray(start, start + 3)]
      assert.ok(
        color.every((value, i) => Math.abs(value - (expected[i] ?? 0)) <= 8),
        `${at}: ${color}`,
      )
    }
  })
}

test('inspectAsset: rotated film with odd sides → upright with even ones', async (t) => {
  const odd = await remade(await films.paintedFilm('vp9', 319, 181, 1), {})
  const { asset, kept } = await inspect(t, films.rotated(odd, 90))
  assert.partialDeepStrictEqual(asset, film('mp4', 'video/mp4', [182, 320]))
  assert.partialDeepStrictEqual(await tracksOf(kept), { video: 'avc' })
})

test('inspectAsset: rotated film whose pictures are stored out of order → each at its time', async (t) => {
  const turned = films.rotated(await films.paintedHevcMp4(), 90)
  const { kept } = await inspect(t, turned)
  const stored = await timesOf(turned)
  const inOrder = stored.toSorted((a, b) => a - b)
  assert.notDeepEqual(stored, inOrder)
  const times = await timesOf(kept)
  assert.equal(times.length, inOrder.length)
  for (const [index, time] of times.entries()) assert.ok(Math.abs(time - (inOrder[index] ?? 0)) < 0.001, `${times}`)
})

test('inspectAsset: metadata of films and sounds → not kept', async (t) => {
  const tags = { title: 'Secret title', comment: 'Secret place' }
  // The place of the recording, as phones write it.
  const placed = { ...tags, raw: { '©xyz': '+52.5200+013.4050' } }
  const made = [
    await remade(await painted(), { codec: 'aac', tags: placed }),
    await remade(await painted(), { codec: 'aac', container: 'mov', tags: placed }),
    await remade(await painted('vp9'), { codec: 'opus', container: 'webm', tags }),
    ...(await Promise.all((['mp3', 'aac', 'opus', 'pcm-s16'] as const).map((codec) => sound(codec, 1, { tags })))),
  ]
  assert.match(made[0]?.toString('latin1') ?? '', /\+52\.5200/)
  for (const bytes of made) {
    assert.match(bytes.toString('latin1'), /Secret title/)
    const { kept } = await inspect(t, bytes)
    assert.doesNotMatch(kept.toString('latin1'), /Secret|\+52\.5200/)
    assert.equal((await tracksOf(kept)).tags.title, undefined)
  }
})

const grey = () => films.greyFilm(320, 180, 2)
const protectedFilm = async () => Buffer.from((await grey()).toString('latin1').replaceAll('avc1', 'encv'), 'latin1')
const text = (latin: string) => async () => Buffer.from(latin, 'latin1')
type Refused = { name: string; code: string; message?: RegExp; make: () => Promise<Buffer>; limits?: Partial<AssetJob> }
const refused: Refused[] = [
  { name: 'no bytes', code: 'NOT_AN_ASSET', message: /^The file is empty/, make: text('') },
  { name: 'zero bytes', code: 'NOT_AN_ASSET', make: async () => Buffer.alloc(100_000) },
  { name: 'HTML', code: 'NOT_AN_ASSET', make: text('<!doctype html><script>alert(1)</script>') },
  { name: 'a playlist', code: 'NOT_AN_ASSET', make: text('#EXTM3U\n/etc/passwd\n') },
  { name: 'a PDF', code: 'NOT_AN_ASSET', message: /^This is a PDF/, make: text('%PDF-1.7') },
  { name: 'AVI', code: 'NOT_AN_ASSET', message: /an AVI film/, make: text('RIFF\x10\0\0\0AVI LIST') },
  {
    name: 'Matroska',
    code: 'NOT_AN_ASSET',
    message: /Matroska film; send an MP4, MOV or WebM\.$/,
    make: async () =>
      Buffer.from((await painted('vp8')).toString('latin1').replace('B\x82\x84webm', 'B\x82\x88matroska'), 'latin1'),
  },
  { name: 'FLAC', code: 'NOT_AN_ASSET', message: /a FLAC sound; send an MP3, WAV/, make: text('fLaC\0\0\0\x22') },
  { name: 'HEIC', code: 'NOT_AN_IMAGE', message: /^This is a HEIC, which/, make: text('\0\0\0\x18ftypheic\0\0\0\0') },
  { name: 'GIF', code: 'NOT_AN_IMAGE', message: /^This is a GIF/, make: () => images.moving('gif') },
  { name: 'moving AVIF', code: 'ANIMATED', make: text('\0\0\0\x18ftypavis\0\0\0\0avisavif') },
  { name: 'AVIF, cut', code: 'TRUNCATED', make: async () => (await images.plain(80, 64, 'avif')).subarray(0, -9) },
  { name: 'film, cut', code: 'TRUNCATED', make: async () => films.cutShort(await grey(), 0.9) },
  { name: 'WebM, cut', code: 'TRUNCATED', make: async () => films.cutShort(await painted('vp8'), 0.7) },
  { name: 'film without its index', code: 'TRUNCATED', make: async () => films.withoutBox(await grey(), 'moov') },
  { name: 'film without its pictures', code: 'TRUNCATED', make: async () => films.withoutBox(await grey(), 'mdat') },
  { name: 'M4A, cut', code: 'TRUNCATED', make: async () => films.cutShort(await sound('aac', 1), 0.8) },
  { name: 'Ogg, cut', code: 'TRUNCATED', make: async () => films.cutShort(await sound('opus', 1), 0.8) },
  { name: 'WAV, cut', code: 'TRUNCATED', make: async () => films.cutShort(silence(2), 0.8) },
  { name: 'blank pictures', code: 'UNDECODABLE', make: async () => films.withBlankPictures(await painted()) },
  { name: 'blank sound', code: 'UNDECODABLE', make: async () => films.withBlankPictures(await sound('aac', 1)) },
  { name: 'WAV without sound', code: 'NO_SOUND', make: async () => silence(0) },
  { name: 'protected film', code: 'PROTECTED', make: protectedFilm },
  {
    name: 'film in HDR',
    code: 'HIGH_DYNAMIC_RANGE',
    make: async () =>
      remade(await grey(), {
        colorSpace: { primaries: 'bt2020', transfer: 'hlg', matrix: 'bt2020-ncl', fullRange: false } as never,
      }),
  },
  {
    name: 'transparent film',
    code: 'TRANSPARENT',
    make: async () => remade(await painted('vp9'), { container: 'webm', isTransparent: true }),
  },
  {
    name: 'film of eleven minutes',
    code: 'TOO_LONG',
    message: /660 seconds; 600 are/,
    make: () => films.greyFilm(320, 180, 660, { framesPerSecond: 1 }),
  },
  { name: 'sound of eleven minutes', code: 'TOO_LONG', message: /^The sound has 660/, make: async () => silence(660) },
  {
    name: 'rotated film that takes too long to turn',
    code: 'ROTATED',
    make: () => films.greyFilm(320, 180, 2, { rotation: 90 }),
    limits: { rotatedPixelsMax: 320 * 180 * 47 },
  },
  { name: '8192×8192 pixels', code: 'TOO_LARGE_PICTURE', make: films.bombFilm },
  { name: '8192×8192 pixels, disguised', code: 'TOO_LARGE_PICTURE', make: () => films.disguisedBombFilm('true size') },
  {
    name: '8192×8192 pixels in its second picture, turned',
    code: 'TOO_LARGE_PICTURE',
    make: async () => films.rotated(await films.growingFilm(), 90),
  },
  { name: 'boxes within boxes', code: 'UNDECODABLE', make: async () => films.nestedFilm(await grey()) },
  { name: 'index without end', code: 'UNDECODABLE', make: async () => films.withEndlessTable(await grey()) },
  {
    name: 'endless index',
    code: 'TOO_SLOW',
    make: async () => films.withEndlessChunk(await grey()),
    limits: { cpuMaxS: 1 },
  },
  {
    name: 'film of which more is kept than allowed',
    code: 'TOO_LARGE',
    make: async () => remade(await painted(), { codec: 'pcm-s16', container: 'mov' }),
    limits: { filmBytesMax: 100_000 },
  },
]

for (const { name, code, message, make, limits } of refused) {
  test(`inspectAsset: ${name} → ${code}`, async (t) => {
    const { folder, file } = await writeFilm(t, await make())
    const inspecting = inspectAsset(file, { outputFile: path.join(folder, 'kept'), limits: limits ?? {} })
    await assert.rejects(inspecting, (error) => {
      assert.ok(error instanceof MediaRefused, String(error))
      assert.equal(error.code, code, error.message)
      assert.match(error.message, message ?? /^[A-Z][^/\\\n]{10,200}\.$/)
      return true
    })
    assert.deepEqual(await readdir(folder), ['result.mp4'])
  })
}

for (const [name, start, megabytes] of [
  ['film', grey, 201],
  ['sound', () => sound('mp3', 1), 31],
  ['image', () => images.plain(64, 64), 16],
] as const) {
  test(`inspectAsset: ${name} of ${megabytes} MB → TOO_LARGE`, async (t) => {
    const { folder, file } = await writeFilm(t, await start())
    await using handle = await open(file, 'r+')
    await handle.truncate(megabytes * 1024 * 1024)
    const inspecting = inspectAsset(file, { outputFile: path.join(folder, 'kept') })
    const message = new RegExp(`^The ${name} has more than ${megabytes - 1} MB\\.$`)
    await assert.rejects(inspecting, { code: 'TOO_LARGE', message })
  })
}

for (const [codec, container, extension] of [
  ['aac', 'm4a', 'm4a'],
  ['opus', 'webm', 'ogg'],
  ['pcm-s16', 'mov', 'wav'],
] as const) {
  test(`inspectAsset: sound of a film with ${codec} → ${extension}, as it is encoded`, async (t) => {
    const bytes = await remade(await painted(container === 'webm' ? 'vp9' : 'avc'), { codec, container })
    const { folder, file } = await writeFilm(t, bytes)
    const outputFile = path.join(folder, 'kept')
    const asset = await inspectAsset(file, { isSoundOnly: true, outputFile })
    assert.partialDeepStrictEqual(asset, { kind: 'sound', extension, width: null, hasSound: true })
    assert.partialDeepStrictEqual(await tracksOf(await readFile(outputFile)), { video: null, audio: codec })
  })
}

test('inspectAsset: sound of a film that has none → NO_SOUND', async (t) => {
  const { folder, file } = await writeFilm(t, await grey())
  const extracting = inspectAsset(file, { isSoundOnly: true, outputFile: path.join(folder, 'kept') })
  await assert.rejects(extracting, { code: 'NO_SOUND', message: 'The film has no sound.' })
})

test('inspectAsset: aborted, or a failure of the server → ordinary error, no file left', async (t) => {
  const { folder, file } = await writeFilm(t, await films.withEndlessChunk(await grey()))
  const outputFile = path.join(folder, 'kept')
  const abort = new AbortController()
  const inspecting = inspectAsset(file, { outputFile, signal: abort.signal })
  setImmediate(() => abort.abort(new Error('The client is gone.')))
  await assert.rejects(inspecting, { message: 'The client is gone.' })
  const notRefused = (error: unknown) => error instanceof Error && !(error instanceof MediaRefused)
  await assert.rejects(inspectAsset(path.join(folder, 'gone'), { outputFile }), notRefused)
  await assert.rejects(inspectAsset(file, { outputFile: path.join(folder, 'gone', 'kept') }), notRefused)
  await assert.rejects(inspectAsset(file, { outputFile, limits: { timeoutMs: 1 } }), notRefused)
  assert.deepEqual(await readdir(folder), ['result.mp4'])
  await writeFile(file, await grey())
  assert.equal((await inspectAsset(file, { outputFile })).kind, 'film')
})
