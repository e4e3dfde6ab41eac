/** Renders of cuts, compared by pictures and samples. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { BufferSource, EncodedPacketSink, Input, MP4, QTFF } from 'mediabunny'
import type { CutRecipe } from '../../src/media/cut/cut.ts'
import { encodingProblem, renderCut } from '../../src/media/cut/render.ts'
import { inspectFilm } from '../../src/media/film/inspect.ts'
import * as cuts from '../support/cut-films.ts'
import { writeFilm } from '../support/film-file.ts'
import * as films from '../support/films.ts'
import { silence, sound } from '../support/sounds.ts'

type Shot = [file: number, inMs: number, outMs: number]
type Recipe = Partial<Omit<CutRecipe, 'shots'>> & { shots: Shot[] }

async function render(t: TestContext, takes: Buffer[], recipe: Recipe) {
  const { folder, file } = await writeFilm(t, Buffer.alloc(0))
  const files = takes.map((_, index) => path.join(folder, `take-${index}`))
  for (const [index, take] of takes.entries()) await writeFile(files[index] ?? '', take)
  const shots = recipe.shots.map(([index, inMs, outMs]) => ({ file: index, inMs, outMs }))
  const whole: CutRecipe = { width: 320, height: 180, fps: 24, fit: 'fit', ...recipe, shots }
  const cut = await renderCut(whole, files, file, { userId: folder })
  const film = await readFile(file)
  return { cut, film, file, folder }
}

const numbersOf = async (film: Buffer): Promise<number[]> =>
  (await cuts.picturesOfCut(film)).map((shown) => cuts.numberOf(shown))
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index)

async function samplesOf(film: Buffer): Promise<Float32Array> {
  const heard = await cuts.soundOfCut(film)
  assert.ok(heard)
  return heard.samples
}

function assertNear(actual: number, expected: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual} instead of ${expected}`)
}

/** The root of the mean square of a second's part. */
function loudnessOf(samples: Float32Array, fromS: number, toS: number): number {
  const part = samples.subarray(Math.round(fromS * 48_000), Math.round(toS * 48_000))
  return Math.sqrt(part.reduce((sum, sample) => sum + sample ** 2, 0) / part.length)
}

const tone =
  (hertz: number, volume = 0.5) =>
  (atS: number): number =>
    volume * Math.sin(2 * Math.PI * hertz * atS)

test('encoders: this machine → a cut can be rendered', async () => {
  assert.equal(await encodingProblem(), null)
})

test('cut: times between key frames, in milliseconds → each shot has exactly its pictures', async (t) => {
  const take = await cuts.numberedTake({ frames: 60 })
  // 7/24 s to 20/24 s, each rounded up; 41/24 s to 43/24 s, rounded down; a picture; the end of the take.
  const shots: Shot[] = [
    [0, 292, 834],
    [0, 1708, 1791],
    [0, 208, 250],
    [0, 2000, 2500],
  ]
  const { cut, film } = await render(t, [take], { shots })
  assert.deepEqual(await numbersOf(film), [...range(7, 20), 41, 42, 5, ...range(48, 60)])
  assert.deepEqual(cut, {
    ...{ width: 320, height: 180, fps: 24, durationS: 28 / 24, hasSound: false, copied: false },
    sizeBytes: film.length,
  })
  const times = (await cuts.picturesOfCut(film)).map(({ atS }) => atS)
  for (const [index, atS] of times.entries()) assertNear(atS, index / 24, 1e-4, `picture ${index}`)
})

test('cut: a shot between key frames → decoded from the one before it, and no earlier', async (t) => {
  const take = await cuts.numberedTake({ frames: 60, keyEvery: 12 })
  // The first pictures are damaged.
  const packets = (await packetsOf(take)).slice(0, 20).map(({ bytes }) => Buffer.from(bytes, 'base64'))
  take.fill(0, take.indexOf(packets[0] ?? ''), take.indexOf(packets[0] ?? '') + Buffer.concat(packets).length)
  const { film } = await render(t, [take], { shots: [[0, 1125, 2000]] })
  assert.deepEqual(await numbersOf(film), range(27, 48))
})

test('cut: result → a film that inspection accepts, with its index at the start', async (t) => {
  const { film, file, folder } = await render(t, [await cuts.numberedTake()], { shots: [[0, 100, 900]] })
  const inspected = await inspectFilm(file, { thumbnailFile: path.join(folder, 'thumbnail.jpg') })
  assert.deepEqual([inspected.codec, inspected.width, inspected.height], ['avc', 320, 180])
  assert.ok(film.indexOf('moov') < film.indexOf('mdat'))
})

for (const isAac of [false, true]) {
  test(`cut: a click at each of ten joins, ${isAac ? 'AAC' : 'without compression'} → no drift`, async (t) => {
    const wave = cuts.clicksAt([0.5])
    const take = await cuts.numberedTake({ frames: 24, sound: { wave, isAac } })
    // 7 pictures of 24 a second are 291.67 ms: as milliseconds, ten would be 3 ms too long.
    const shots = Array.from({ length: 11 }, (): Shot => [0, 500, 792])
    const { cut, film } = await render(t, [take], { shots })
    assert.equal(cut.durationS, 77 / 24)
    const heard = await cuts.soundOfCut(film)
    assert.ok(heard)
    assertNear(heard.endS, 77 / 24, 1 / 48_000, 'length of the sound')
    const clicks = cuts.clicksIn(heard.samples)
    assert.equal(clicks.length, 11)
    for (const [index, atS] of clicks.entries()) assertNear(atS, (index * 7) / 24, 0.0005, `click ${index}`)
    assert.deepEqual(
      await numbersOf(film),
      shots.flatMap(() => range(12, 19)),
    )
  })
}

test('cut: takes of 12, 25, 30 and 60 pictures a second → a constant rate, each at its time', async (t) => {
  const rates = [12, 25, 30, 60]
  const takes = await Promise.all(rates.map((fps) => cuts.numberedTake({ fps, frames: fps })))
  const { film } = await render(t, takes, { shots: rates.map((_, index): Shot => [index, 0, 1000]) })
  const expected = rates.flatMap((fps) => range(0, 24).map((index) => Math.floor(((index + 0.5) / 24) * fps + 1e-6)))
  assert.deepEqual(await numbersOf(film), expected)
})

test('cut: 23.976 pictures a second → every picture once, and no drift', async (t) => {
  const fps = 24_000 / 1001
  const sound = { wave: cuts.clicksAt([1]) }
  const take = await cuts.numberedTake({ fps, frames: 48, sound })
  const { film } = await render(t, [take, take], {
    fps,
    shots: [
      [0, 0, 2002],
      [1, 0, 2002],
    ],
  })
  assert.deepEqual(await numbersOf(film), [...range(0, 48), ...range(0, 48)])
  const [first = 0, second = 0] = cuts.clicksIn(await samplesOf(film))
  assertNear(second - first, 48 / fps, 2 / 48_000, 'the second click')
})

test('cut: a wide and a tall take, fit → bars, the picture whole in the middle', async (t) => {
  const lumaAt = () => 180
  const takes = [
    await cuts.numberedTake({ width: 640, height: 160, frames: 4, lumaAt }),
    await cuts.numberedTake({ width: 90, height: 160, frames: 4, lumaAt }),
  ]
  const shots: Shot[] = [
    [0, 0, 160],
    [1, 0, 160],
  ]
  const { film } = await render(t, takes, { shots })
  const pictures = await cuts.picturesOfCut(film)
  const [wide, tall] = [pictures[2], pictures[6]]
  assert.ok(wide && tall)
  const at = (shown: typeof wide, points: [number, number][]) => points.map(([x, y]) => cuts.lumaAt(shown, x, y) > 100)
  // 320×80 of 320×180, and 102×180.
  const down: [number, number][] = [0.1, 0.26, 0.3, 0.5, 0.7, 0.74, 0.9].map((y) => [0.5, y])
  const across: [number, number][] = [0.1, 0.32, 0.36, 0.5, 0.64, 0.68, 0.9].map((x) => [x, 0.5])
  assert.deepEqual(at(wide, down), [false, false, true, true, true, false, false])
  assert.deepEqual(at(tall, across), [false, false, true, true, true, false, false])
  assertNear(cuts.lumaAt(wide, 0.5, 0.1), 16, 2, 'luma of a bar')
})

test('cut: a wide take, crop → it fills the picture, and loses both ends alike', async (t) => {
  // Stripes of a tenth of the width.
  const lumaAt = (x: number) => 20 + 20 * Math.floor(x / 64)
  const take = await cuts.numberedTake({ width: 640, height: 180, frames: 4, lumaAt })
  const { film } = await render(t, [take], { fit: 'crop', shots: [[0, 0, 160]] })
  const [shown] = (await cuts.picturesOfCut(film)).slice(2)
  assert.ok(shown)
  const seen = [0.02, 0.2, 0.4, 0.6, 0.8, 0.98].map((x) => cuts.lumaAt(shown, x, 0.5))
  const expected = [0.02, 0.2, 0.4, 0.6, 0.8, 0.98].map((x) => 20 + 20 * Math.floor((160 + x * 320) / 64))
  for (const [index, luma] of seen.entries()) assertNear(luma, expected[index] ?? 0, 3, `stripe ${index}`)
})

test('cut: a take that its metadata rotates → upright', async (t) => {
  // Bright at its left, which is above when it is turned clockwise.
  const lumaAt = (x: number) => (x < 160 ? 200 : 50)
  const take = await cuts.numberedTake({ width: 320, height: 180, frames: 4, rotation: 90, lumaAt })
  const { film } = await render(t, [take], { width: 180, height: 320, shots: [[0, 0, 160]] })
  const [shown] = (await cuts.picturesOfCut(film)).slice(2)
  assert.ok(shown)
  assertNear(cuts.lumaAt(shown, 0.5, 0.25), 200, 3, 'above')
  assertNear(cuts.lumaAt(shown, 0.5, 0.75), 50, 3, 'below')
})

test('cut: takes of other color spaces → the same colors', async (t) => {
  const space = (matrix: 'bt709' | 'smpte170m', fullRange: boolean) =>
    ({ primaries: 'bt709', transfer: 'bt709', matrix, fullRange }) as const
  // R 200, G 60, B 60 by ITU-T H.273, with each matrix and range.
  const takes = await Promise.all(
    [
      { planes: [93, 114, 189], space: space('bt709', false) },
      { planes: [103, 107, 189], space: space('smpte170m', false) },
      { planes: [102, 104, 198], space: space('smpte170m', true) },
    ].map((color) => cuts.numberedTake({ frames: 4, color: color as never })),
  )
  const { film } = await render(t, takes, { shots: takes.map((_, index): Shot => [index, 0, 160]) })
  const pictures = await cuts.picturesOfCut(film)
  for (const index of [2, 6, 10]) {
    const shown = pictures[index]
    assert.ok(shown)
    const seen = [shown.luma, shown.blue, shown.red].map(({ samples }) => samples[1000] ?? 0)
    for (const [plane, value] of [93, 114, 189].entries()) assertNear(seen[plane] ?? 0, value, 3, `picture ${index}`)
  }
})

test('cut: a film without sound between two with sound → silence there', async (t) => {
  const heard = await cuts.numberedTake({ frames: 24, sound: { wave: tone(440) } })
  const { cut, film } = await render(t, [heard, await cuts.numberedTake()], {
    shots: [
      [0, 0, 1000],
      [1, 0, 1000],
      [0, 0, 1000],
    ],
  })
  assert.equal(cut.hasSound, true)
  const samples = await samplesOf(film)
  const loud = Math.SQRT1_2 / 2
  assertNear(loudnessOf(samples, 0.1, 0.9), loud, 0.02, 'first')
  assertNear(loudnessOf(samples, 1.1, 1.9), 0, 0.002, 'second')
  assertNear(loudnessOf(samples, 2.1, 2.9), loud, 0.02, 'third')
})

test('cut: a sound shorter than its film, and later than it → silence around it', async (t) => {
  const sound = { wave: cuts.clicksAt([0, 0.1]), fromS: 0.5 }
  const take = await cuts.numberedTake({ frames: 48, sound })
  const { film } = await render(t, [take], { shots: [[0, 250, 1750]] })
  const clicks = cuts.clicksIn(await samplesOf(film))
  assert.equal(clicks.length, 2)
  for (const [index, atS] of [0.25, 0.35].entries()) assertNear(clicks[index] ?? 0, atS, 0.0005, `click ${index}`)
})

for (const [sampleRate, channels] of [
  [44_100, 1],
  [22_050, 2],
] as const) {
  test(`cut: a sound of ${sampleRate} Hz, ${channels} channels → the same tone at the same time`, async (t) => {
    const sound = { wave: tone(997), sampleRate, channels }
    const take = await cuts.numberedTake({ frames: 36, sound })
    const { film } = await render(t, [take], { shots: [[0, 250, 1250]] })
    const samples = await samplesOf(film)
    // The difference from the tone as it must be: pitch, time and loudness.
    const expected = Float32Array.from(samples, (_, at) => tone(997)(0.25 + at / 48_000))
    const difference = samples.map((sample, at) => sample - (expected[at] ?? 0))
    assertNear(loudnessOf(difference, 0.1, 0.9), 0, 0.01, 'difference')
  })
}

test('cut: a sound beside of 96000 Hz → the tones that 48 kHz has, and no others', async (t) => {
  const wave = (atS: number) => tone(997, 0.4)(atS) + tone(30_000, 0.4)(atS)
  const { film } = await render(t, [await cuts.numberedTake(), await cuts.wav(2, wave, 96_000)], {
    shots: [[0, 0, 1000]],
    sound: { file: 1, volume: 1, fadeInS: 0, fadeOutS: 0 },
  })
  const samples = await samplesOf(film)
  const difference = samples.map((sample, at) => sample - tone(997, 0.4)(at / 48_000))
  assertNear(loudnessOf(difference, 0.1, 0.9), 0, 0.01, 'difference')
})

test('cut: a sound beside → its volume, its fades, under the films at theirs', async (t) => {
  const take = await cuts.numberedTake({ frames: 96, sound: { wave: tone(200, 0.4) } })
  const beside = await sound('mp3', 10)
  const recipe = { file: 1, volume: 0.5, fadeInS: 1, fadeOutS: 1 }
  const shots: Shot[] = [[0, 0, 4000]]
  const alone = await render(t, [take, beside], { shots, sound: { ...recipe, filmsVolume: 0 } })
  const samples = await samplesOf(alone.film)
  const full = loudnessOf(samples, 1.5, 2.5)
  // A tone of half the volume, at half of it.
  assertNear(full, 0.25 * Math.SQRT1_2, 0.01, 'middle')
  assertNear(loudnessOf(samples, 0.45, 0.55), full / 2, 0.01, 'half of the first fade')
  assertNear(loudnessOf(samples, 3.45, 3.55), full / 2, 0.01, 'half of the second fade')
  const both = await render(t, [take, beside], { shots, sound: recipe })
  const films = 0.4 * Math.SQRT1_2
  assertNear(loudnessOf(await samplesOf(both.film), 1.5, 2.5), Math.hypot(films, full), 0.01, 'both')
})

test('cut: a sound beside that is shorter → it fades at its own end, then silence', async (t) => {
  const recipe = { file: 1, volume: 1, fadeInS: 0, fadeOutS: 0.5 }
  const { film } = await render(t, [await cuts.numberedTake({ frames: 48 }), await sound('aac', 1)], {
    shots: [[0, 0, 2000]],
    sound: recipe,
  })
  const samples = await samplesOf(film)
  assertNear(loudnessOf(samples, 0.1, 0.45), Math.SQRT1_2 / 2, 0.02, 'before')
  assertNear(loudnessOf(samples, 0.74, 0.78), Math.SQRT1_2 / 4, 0.03, 'half of the fade')
  assertNear(loudnessOf(samples, 1.1, 1.9), 0, 0.002, 'after')
})

type Packet = { bytes: string; place: number }

/** @returns what is in each packet, and at which picture it is shown */
async function packetsOf(film: Buffer): Promise<Packet[]> {
  using input = new Input({ source: new BufferSource(film), formats: [MP4, QTFF] })
  const video = await input.getPrimaryVideoTrack()
  assert.ok(video)
  const packets: Packet[] = []
  for await (const { data, timestamp } of new EncodedPacketSink(video).packets()) {
    packets.push({ bytes: Buffer.from(data).toString('base64'), place: Math.round(timestamp * 24) })
  }
  return packets
}

const bytesOf = (packets: Packet[]): string[] => packets.map(({ bytes }) => bytes)

test('cut: shots of one encoding that begin with key frames → the packets of the takes', async (t) => {
  const sound = { wave: cuts.clicksAt([0.5]) }
  const first = await cuts.numberedTake({ frames: 48, keyEvery: 12, sound })
  const second = await cuts.numberedTake({ frames: 48, keyEvery: 12, first: 100 })
  const takes = [first, second, silence(1)]
  const shots: Shot[] = [
    [0, 500, 1250],
    [1, 0, 2000],
    [0, 1000, 1042],
  ]
  const { cut, film } = await render(t, takes, { shots, sound: { file: 2, volume: 1, fadeInS: 0, fadeOutS: 0 } })
  assert.equal(cut.copied, true)
  assert.deepEqual(await numbersOf(film), [...range(12, 30), ...range(100, 148), 24])
  const [ofFirst, ofSecond] = [bytesOf(await packetsOf(first)), bytesOf(await packetsOf(second))]
  assert.deepEqual(bytesOf(await packetsOf(film)), [...ofFirst.slice(12, 30), ...ofSecond, ofFirst[24]])
  // Only its sound is new, and it is where it belongs.
  const [click = 0] = cuts.clicksIn(await samplesOf(film))
  assertNear(click, 0, 0.0005, 'click')
})

test('cut: packets in another order than their pictures → copied up to where none needs a later one', async (t) => {
  // As with B-frames: the third of three pictures comes first.
  const shownAt = (index: number) => (index === 0 ? 0 : index + ([2, -1, -1][(index - 1) % 3] ?? 0))
  const take = await cuts.numberedTake({ frames: 13, shownAt })
  const { cut, film } = await render(t, [take], { shots: [[0, 0, 292]] })
  assert.equal(cut.copied, true)
  assert.deepEqual(await packetsOf(film), (await packetsOf(take)).slice(0, 7))
  const shorter = await render(t, [take], { shots: [[0, 0, 250]] })
  assert.equal(shorter.cut.copied, false)
})

const changed: { what: string; recipe: Recipe }[] = [
  { what: 'begins between key frames', recipe: { shots: [[0, 250, 1000]] } },
  { what: 'is of another size', recipe: { width: 640, height: 360, shots: [[0, 0, 1000]] } },
  { what: 'is of another rate', recipe: { fps: 25, shots: [[0, 0, 1000]] } },
  {
    what: 'ends with a key frame, which a decoder could take for that of the next',
    recipe: {
      shots: [
        [0, 500, 542],
        [0, 0, 500],
      ],
    },
  },
  {
    what: 'is followed by one of another encoding',
    recipe: {
      shots: [
        [0, 0, 1000],
        [1, 0, 1000],
      ],
    },
  },
]
for (const { what, recipe } of changed) {
  test(`cut: a shot that ${what} → pictures are encoded anew`, async (t) => {
    const take = await cuts.numberedTake({ frames: 24, keyEvery: 12 })
    const other = await cuts.numberedTake({ width: 160, height: 90, frames: 24 })
    assert.equal((await render(t, [take, other], recipe)).cut.copied, false)
  })
}

const painted: { codec: string; make: () => Promise<Buffer> }[] = [
  { codec: 'VP8', make: () => films.paintedFilm('vp8', 320, 180, 2) },
  { codec: 'VP9', make: () => films.paintedFilm('vp9', 320, 180, 2) },
  { codec: 'AV1', make: films.paintedAv1Film },
  { codec: 'HEVC', make: films.paintedHevcMp4 },
]
for (const { codec, make } of painted) {
  test(`cut: a take of ${codec} → its pictures as H.264`, async (t) => {
    const { cut, film } = await render(t, [await make()], { shots: [[0, 500, 1500]] })
    assert.deepEqual([cut.durationS, cut.copied], [1, false])
    const pictures = await cuts.picturesOfCut(film)
    assert.equal(pictures.length, 24)
    for (const { red, blue } of pictures) {
      const [left, right] = [red, blue].map(({ samples, width }, half) => samples[width * 10 + (half ? width - 9 : 8)])
      assert.ok((left ?? 0) > 170 && (right ?? 0) > 170, 'red at the left, blue at the right')
    }
  })
}
