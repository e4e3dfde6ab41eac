// slow
/** Hostile films: resource limits, the concurrency limit, and how an inspection ends. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { endIdleChildren } from '../../src/media/children.ts'
import { inspectFilm } from '../../src/media/film/inspect.ts'
import { MediaRefused } from '../../src/media/refusal.ts'
import { writeFilm } from '../support/film-file.ts'
import * as films from '../support/films.ts'

const onLinux = process.platform === 'linux'
const MB = 1024 * 1024

// Those of test files that ran before in this process would be counted here.
before(endIdleChildren)

/** The child processes that inspect a film. A test worker has others: the browser that its test files share. */
function childrenNow(): number[] {
  const list = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
  return list.split(' ').filter(Boolean).map(Number).filter(isInspectingChild)
}

function isInspectingChild(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('media/inspecting-child')
  } catch {
    return false
  }
}

/** The process that decodes: the programs that set up the sandbox have one child each. */
function decoderOf(pid: number): number {
  try {
    const child = Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10)
    return child > 0 ? decoderOf(child) : pid
  } catch {
    return pid
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function processorSeconds(pid: number): number {
  try {
    const [user, system] =
      readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ').slice(11, 13) ?? []
    return (Number(user) + Number(system)) / 100
  } catch {
    return 0
  }
}

async function until<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const seen = look()
    if (seen !== undefined) return seen
    await delay(5)
  }
}

const bombs: { name: string; code: string; make: () => Promise<Buffer> }[] = [
  { name: 'a container that declares them', code: 'TOO_LARGE_PICTURE', make: films.bombFilm },
  {
    name: 'a container that claims 640×360',
    code: 'TOO_LARGE_PICTURE',
    make: () => films.disguisedBombFilm('true size'),
  },
  {
    name: 'a container and a decoder configuration that claim 640×360',
    code: 'TOO_LARGE_PICTURE',
    make: () => films.disguisedBombFilm('false size'),
  },
  { name: 'its second picture only', code: 'TOO_LARGE_PICTURE', make: films.growingFilm },
]

for (const { name, code, make } of bombs) {
  test(`refused: 8192×8192 pixels in ${name} → the server's memory does not grow`, async (t) => {
    const { folder, file, thumbnailFile } = await writeFilm(t, await make())
    const beforeBytes = process.memoryUsage.rss()
    let mostBytes = 0
    const watch = setInterval(() => {
      mostBytes = Math.max(mostBytes, process.memoryUsage.rss())
    }, 5)
    await assert.rejects(inspectFilm(file, { thumbnailFile }), { name: 'MediaRefused', code })
    clearInterval(watch)
    assert.ok(mostBytes > 0 && mostBytes - beforeBytes < 64 * MB, `${(mostBytes - beforeBytes) / MB} MB`)
    assert.deepEqual(await readdir(folder), ['result.mp4'])
  })
}

test('refused: decoding exceeds the memory limit → UNDECODABLE', { skip: !onLinux }, async (t) => {
  const { folder, file, thumbnailFile } = await writeFilm(t, await films.disguisedBombFilm('false size'))
  // Enough for the child to start, not for one frame of the film.
  const limits = { memoryMaxBytes: 150 * MB }
  await assert.rejects(inspectFilm(file, { thumbnailFile, limits }), { name: 'MediaRefused', code: 'UNDECODABLE' })
  assert.deepEqual(await readdir(folder), ['result.mp4'])
})

test('refused: index that exhausts the memory → UNDECODABLE', async (t) => {
  const { folder, file, thumbnailFile } = await writeFilm(t, films.withEndlessTable(await films.greyFilm(320, 180, 2)))
  await assert.rejects(inspectFilm(file, { thumbnailFile }), { name: 'MediaRefused', code: 'UNDECODABLE' })
  assert.deepEqual(await readdir(folder), ['result.mp4'])
})

test('refused: endless index → TOO_SLOW at the CPU limit', async (t) => {
  const { file, thumbnailFile } = await writeFilm(t, films.withEndlessChunk(await films.greyFilm(320, 180, 2)))
  const limits = { cpuMaxS: 1 }
  await assert.rejects(inspectFilm(file, { thumbnailFile, limits }), { name: 'MediaRefused', code: 'TOO_SLOW' })
})

test('refused: endless index → TOO_SLOW at the wall-clock limit', async (t) => {
  const { file, thumbnailFile } = await writeFilm(t, films.withEndlessChunk(await films.greyFilm(320, 180, 2)))
  const limits = { timeoutMs: 8000 }
  await assert.rejects(inspectFilm(file, { thumbnailFile, limits }), { name: 'MediaRefused', code: 'TOO_SLOW' })
})

test("semaphore: ten films concurrently → at most two children, none with the server's environment", {
  skip: !onLinux,
}, async (t) => {
  process.env.KINORA_TEST_SECRET = 'not for children'
  t.after(() => delete process.env.KINORA_TEST_SECRET)
  const { folder, file } = await writeFilm(t, await films.greyFilm(640, 360, 1))
  let most = 0
  const environments = new Set<string>()
  const watch = setInterval(() => {
    const children = childrenNow()
    most = Math.max(most, children.length)
    for (const pid of children) environments.add(environmentOf(pid)).add(environmentOf(decoderOf(pid)))
  }, 10)
  const inspections = Array.from({ length: 10 }, (_, i) =>
    inspectFilm(file, { thumbnailFile: path.join(folder, `${i}.jpg`) }),
  )
  const inspected = await Promise.all(inspections)
  clearInterval(watch)
  assert.equal(most, 2)
  assert.equal(inspected.length, 10)
  assert.equal((await readdir(folder)).length, 11)
  assert.ok([...environments].some((one) => one.includes('UV_THREADPOOL_SIZE')))
  assert.ok(![...environments].some((one) => /SECRET|PATH|HOME/.test(one)))
})

/** Empty for a child that has exited or has not called exec yet: until then it shows this process's environment. */
function environmentOf(pid: number): string {
  try {
    const program = readFileSync(`/proc/${pid}/comm`, 'utf8')
    const isOurs = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('media/inspecting-child')
    return isOurs && !program.startsWith('sh') ? readFileSync(`/proc/${pid}/environ`, 'utf8') : ''
  } catch {
    return ''
  }
}

test('abort: during inspections → children killed, no files left, the next inspection works', {
  skip: !onLinux,
}, async (t) => {
  const { folder, file, thumbnailFile } = await writeFilm(t, films.withEndlessChunk(await films.greyFilm(320, 180, 2)))
  const abort = new AbortController()
  const inspections = Array.from({ length: 4 }, () => inspectFilm(file, { thumbnailFile, signal: abort.signal }))
  const settled = Promise.allSettled(inspections)
  const children = await until(() => (childrenNow().length === 2 ? childrenNow() : undefined))
  const decoders = children.map(decoderOf)
  abort.abort(new Error('The worker is stopping.'))
  for (const result of await settled) {
    assert.equal(result.status === 'rejected' && result.reason.message, 'The worker is stopping.')
  }
  for (const pid of children) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  for (const pid of decoders) await until(() => (isAlive(pid) ? undefined : true))
  assert.deepEqual(await readdir(folder), ['result.mp4'])
  await writeFile(file, await films.greyFilm(320, 180, 1))
  assert.equal((await inspectFilm(file, { thumbnailFile })).durationS, 1)
})

test('abort: before the inspection → no child is started', async (t) => {
  const { file, thumbnailFile } = await writeFilm(t, await films.greyFilm(320, 180, 1))
  const signal = AbortSignal.abort(new Error('Too late.'))
  await assert.rejects(inspectFilm(file, { thumbnailFile, signal }), { message: 'Too late.' })
})

test('inspectFilm: failure of the server → ordinary error, not MediaRefused', async (t) => {
  const { folder, file, thumbnailFile } = await writeFilm(t, await films.greyFilm(320, 180, 1))
  const notRefused = (error: unknown) => error instanceof Error && !(error instanceof MediaRefused)
  await assert.rejects(inspectFilm(path.join(folder, 'gone.mp4'), { thumbnailFile }), { code: 'ENOENT' })
  const nowhere = path.join(folder, 'gone', 'thumbnail.jpg')
  await assert.rejects(inspectFilm(file, { thumbnailFile: nowhere }), { code: 'ENOENT' })
  // No child becomes ready within these limits.
  await assert.rejects(inspectFilm(file, { thumbnailFile, limits: { timeoutMs: 1 } }), notRefused)
  if (onLinux) await assert.rejects(inspectFilm(file, { thumbnailFile, limits: { memoryMaxBytes: MB } }), notRefused)
  assert.deepEqual(await readdir(folder), ['result.mp4'])
})

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`inspectFilm: child receives ${signal} from outside → ordinary error, which is tried again`, {
    skip: !onLinux,
  }, async (t) => {
    const { file, thumbnailFile } = await writeFilm(t, films.withEndlessChunk(await films.greyFilm(320, 180, 2)))
    const inspection = inspectFilm(file, { thumbnailFile })
    const outcome = assert.rejects(inspection, (error) => error instanceof Error && !(error instanceof MediaRefused))
    // The child is decoding after 0.5 s of CPU time: it is ready after 0.15 s.
    const child = await until(() =>
      childrenNow()
        .map(decoderOf)
        .find((pid) => processorSeconds(pid) > 0.5),
    )
    process.kill(child, signal)
    await outcome
  })
}
