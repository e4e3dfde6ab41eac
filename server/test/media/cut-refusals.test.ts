/** What is no cut: damaged and hostile takes, limits, and a render that is cancelled or killed. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { before, type TestContext, test } from 'node:test'
import { endIdleChildren } from '../../src/media/children.ts'
import type { CutRecipe } from '../../src/media/cut/cut.ts'
import { renderCut } from '../../src/media/cut/render.ts'
import { MediaRefused } from '../../src/media/refusal.ts'
import { numberedTake } from '../support/cut-films.ts'
import { writeFilm } from '../support/film-file.ts'
import * as films from '../support/films.ts'
import { remade, sound } from '../support/sounds.ts'

const onLinux = process.platform === 'linux'
// Those of test files that ran before in this process would be counted here.
before(endIdleChildren)
const format = { width: 320, height: 180, fps: 24, fit: 'fit' } as const
const first = await numberedTake()
const wholeOf = (count: number) => Array.from({ length: count }, (_, file) => ({ file, inMs: 0, outMs: 1000 }))

/** @returns the folder, in which the cut may be, and the files */
async function written(t: TestContext, takes: Buffer[]) {
  const { folder, file } = await writeFilm(t, takes[0] ?? Buffer.alloc(0))
  const files = [file]
  for (const [index, take] of takes.slice(1).entries()) {
    const name = path.join(folder, `take-${index + 1}`)
    await writeFile(name, take)
    files.push(name)
  }
  return { folder, files, outFile: path.join(folder, 'cut.mp4') }
}

type Options = Partial<Parameters<typeof renderCut>[3]>
async function refusalOf(t: TestContext, takes: Buffer[], recipe: Partial<CutRecipe> = {}, options: Options = {}) {
  const { folder, files, outFile } = await written(t, takes)
  const whole = { ...format, shots: wholeOf(takes.length), ...recipe }
  const error = await renderCut(whole, files, outFile, { userId: folder, ...options }).then(
    () => null,
    (error: Error) => error,
  )
  assert.ok(error)
  assert.deepEqual((await readdir(folder)).includes('cut.mp4'), false)
  return error
}

const refused: { name: string; code: string; message: RegExp; make: () => Promise<Buffer> }[] = [
  {
    name: 'pictures of zeros',
    code: 'UNDECODABLE',
    message: /^Shot 2: The film is damaged: its picture cannot be decoded\.$/,
    make: async () => films.withBlankPictures(await films.greyFilm(320, 180, 1)),
  },
  {
    name: 'its end is missing',
    code: 'TRUNCATED',
    message: /^Shot 2: The file is cut off: its end is missing\.$/,
    make: async () => films.cutShort(await films.greyFilm(320, 180, 1), 0.6),
  },
  {
    name: 'no film',
    code: 'NOT_A_VIDEO',
    message: /^Shot 2: The file is not an MP4, WebM or QuickTime film\.$/,
    make: async () => Buffer.from('<!doctype html><html></html>'),
  },
  {
    name: 'shorter than its shot',
    code: 'TRUNCATED',
    message: /^Shot 2: Its take ends after 500 ms\.$/,
    make: () => numberedTake({ frames: 12 }),
  },
  {
    name: 'high dynamic range',
    code: 'HIGH_DYNAMIC_RANGE',
    message: /^Shot 2: The film has high dynamic range/,
    make: async () => {
      const colorSpace = { primaries: 'bt2020', transfer: 'pq', matrix: 'bt2020-ncl', fullRange: false } as never
      return await remade(await films.greyFilm(320, 180, 1), { colorSpace })
    },
  },
  {
    name: '8192×8192 pixels, disguised',
    code: 'TOO_LARGE_PICTURE',
    message: /^Shot 2: The film's picture is too large/,
    make: () => films.disguisedBombFilm('false size'),
  },
  {
    name: 'a picture that grows to 8192×8192',
    code: 'TOO_LARGE_PICTURE',
    message: /^Shot 2: The film's picture is too large/,
    make: films.growingFilm,
  },
  {
    name: 'an index that exhausts the memory',
    code: 'UNDECODABLE',
    message: /^Shot 2: /,
    make: async () => films.withEndlessTable(await films.greyFilm(320, 180, 1)),
  },
]
for (const { name, code, message, make } of refused) {
  test(`refused: second take, ${name} → ${code}, the number of its shot, no file`, async (t) => {
    const error = await refusalOf(t, [first, await make(), first])
    assert.ok(error instanceof MediaRefused, String(error))
    assert.equal(error.code, code)
    assert.match(error.message, message)
  })
}

test('refused: an endless index → TOO_SLOW at the limit of processor time', async (t) => {
  const endless = films.withEndlessChunk(await films.greyFilm(320, 180, 1))
  const error = await refusalOf(t, [first, endless], {}, { limits: { cpuMaxS: 2 } })
  assert.ok(error instanceof MediaRefused)
  assert.equal(error.code, 'TOO_SLOW')
  assert.match(error.message, /^Shot 2: .*: it takes too long\.$/)
})

test('refused: a damaged sound in a take, and beside → whose it is', async (t) => {
  const wave = (atS: number) => Math.sin(atS * 3000)
  const damaged = (film: Buffer): Buffer => {
    const copy = Buffer.from(film)
    const at = copy.indexOf('mdat') + 4
    return copy.fill(0xff, at + 20, copy.length > at + 4000 ? at + 4000 : undefined)
  }
  const take = damaged(await numberedTake({ lumaAt: () => 100, sound: { wave, isAac: true } }))
  assert.match((await refusalOf(t, [first, take])).message, /^Shot 2: /)
  const recipe = { shots: wholeOf(1), sound: { file: 1, volume: 1, fadeInS: 0, fadeOutS: 0 } }
  const beside = await refusalOf(t, [first, damaged(await sound('aac', 2))], recipe)
  assert.match(beside.message, /^The sound beside: The sound is damaged/)
  assert.match(
    (await refusalOf(t, [first, first], recipe)).message,
    /^The sound beside: The file has no sound in it\.$/,
  )
})

test('refused: larger than it may be → TOO_LARGE', async (t) => {
  const error = await refusalOf(t, [first], {}, { limits: { bytesMax: 1000 } })
  assert.ok(error instanceof MediaRefused)
  assert.equal(error.code, 'TOO_LARGE')
})

const unfit: { what: string; recipe: Partial<CutRecipe>; message: RegExp }[] = [
  { what: 'an odd width', recipe: { width: 321 }, message: /even number of pixels/ },
  { what: '4k', recipe: { width: 3840, height: 2160 }, message: /1080p at the most/ },
  { what: 'no shot', recipe: { shots: [] }, message: /1 to 50 shots/ },
  { what: '51 shots', recipe: { shots: wholeOf(51) }, message: /1 to 50 shots/ },
  {
    what: 'a shot that ends first',
    recipe: { shots: [{ file: 0, inMs: 5, outMs: 5 }] },
    message: /ends after it begins/,
  },
  { what: '11 minutes', recipe: { shots: [{ file: 0, inMs: 0, outMs: 660_000 }] }, message: /10 minutes at the most/ },
  { what: '120 pictures a second', recipe: { fps: 120 }, message: /1 to 60 pictures/ },
  {
    what: 'a volume of 2',
    recipe: { sound: { file: 0, volume: 2, fadeInS: 0, fadeOutS: 0 } },
    message: /volume is from 0 to 1/,
  },
]
for (const { what, recipe, message } of unfit) {
  test(`recipe: ${what} → an error of the caller, nothing is rendered`, async (t) => {
    const error = await refusalOf(t, [first], recipe)
    assert.ok(!(error instanceof MediaRefused))
    assert.match(error.message, message)
  })
}

test('render: a file that is not there → an error of the server', async (t) => {
  const { folder, outFile } = await written(t, [first])
  const files = [path.join(folder, 'missing')]
  const render = renderCut({ ...format, shots: wholeOf(1) }, files, outFile, { userId: folder })
  await assert.rejects(render, { code: 'ENOENT' })
  assert.deepEqual(await readdir(folder), ['result.mp4'])
})

const long = await numberedTake({ width: 640, height: 360, frames: 240 })
const longRecipe = {
  shots: Array.from({ length: 6 }, () => ({ file: 0, inMs: 100, outMs: 10_000 })),
  width: 1280,
  height: 720,
}

test('render: progress → grows to 100', async (t) => {
  const { folder, files, outFile } = await written(t, [first])
  const told: number[] = []
  const options = { userId: folder, onProgress: (percent: number) => void told.push(percent) }
  await renderCut({ ...format, shots: wholeOf(1) }, files, outFile, options)
  assert.equal(told.at(-1), 100)
  assert.deepEqual(
    told,
    [...new Set(told)].sort((a, b) => a - b),
  )
})

test('render: cancelled in the middle, and while it waits → the reason, no file, no process', async (t) => {
  const cancelled = new AbortController()
  const reason = new Error('cancelled')
  const before = decodersNow()
  const onProgress = (percent: number) => {
    if (percent > 1) cancelled.abort(reason)
  }
  const options = { userId: 'of one user', signal: cancelled.signal, onProgress }
  const errors = await Promise.all([0, 1].map(() => refusalOf(t, [long], longRecipe, options)))
  assert.deepEqual(errors, [reason, reason])
  assert.deepEqual(decodersNow(), before)
})

test('render: its process is killed → an error of the server, no file', { skip: !onLinux }, async (t) => {
  const onProgress = (percent: number) => {
    if (percent === 2) for (const pid of decodersNow()) process.kill(pid, 'SIGKILL')
  }
  const error = await refusalOf(t, [long], longRecipe, { onProgress })
  assert.ok(!(error instanceof MediaRefused), error.message)
})

test('render: two of a user → one after the other', { skip: !onLinux }, async (t) => {
  let most = 0
  const onProgress = () => {
    most = Math.max(most, decodersNow().length)
  }
  const { folder, files } = await written(t, [first])
  const render = (name: string) =>
    renderCut({ ...format, shots: wholeOf(1) }, files, path.join(folder, name), { userId: folder, onProgress })
  await Promise.all([render('a.mp4'), render('b.mp4')])
  assert.equal(most, 1)
  assert.deepEqual((await readdir(folder)).sort(), ['a.mp4', 'b.mp4', 'result.mp4'])
})

/** The processes of this one that inspect or render. */
function decodersNow(): number[] {
  if (!onLinux) return []
  const childrenOf = (pid: number): number[] => {
    try {
      return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    } catch {
      return []
    }
  }
  const last = (pid: number): number => (childrenOf(pid)[0] === undefined ? pid : last(childrenOf(pid)[0] ?? pid))
  const commandOf = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    } catch {
      return ''
    }
  }
  const threads = readdirSync('/proc/self/task').map(Number)
  return threads
    .flatMap((thread) => childrenOf(thread))
    .map(last)
    .filter((pid) => commandOf(pid).includes('inspecting-child'))
}
