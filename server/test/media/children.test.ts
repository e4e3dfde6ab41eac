// slow
/** Whose files an inspecting child gets, and what a hostile one among them can do to the next. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { afterEach, type TestContext, test } from 'node:test'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { type Child, startChild } from '../../src/media/child-process.ts'
import { endIdleChildren } from '../../src/media/children.ts'
import { inspectFilm, takeFrames } from '../../src/media/film/inspect.ts'
import { MediaRefused } from '../../src/media/refusal.ts'
import { writeFilm } from '../support/film-file.ts'
import * as films from '../support/films.ts'

const options = { skip: process.platform !== 'linux' }
const grey = await films.greyFilm(320, 180, 1)

afterEach(endIdleChildren)

/** A user without children. */
const newUser = randomUUID

async function inspect(t: TestContext, userId: string, film = grey) {
  const { file, thumbnailFile } = await writeFilm(t, film)
  const limits = { cpuMaxS: 2, timeoutMs: 20_000 }
  return await inspectFilm(file, { userId, thumbnailFile, limits })
}

const childrenOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** The processes that decode, of the children that live now. */
function decodersNow(): number[] {
  const decoderOf = (pid: number): number => childrenOf(pid).map(decoderOf)[0] ?? pid
  return childrenOf(process.pid).map(decoderOf).filter(isInspecting)
}

function isInspecting(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('media/inspecting-child')
  } catch {
    return false
  }
}

/** @returns the decoder that has come with the inspection, null when none stayed */
async function newDecoder(run: () => Promise<unknown>): Promise<number | null> {
  const before = decodersNow()
  await run()
  return decodersNow().find((pid) => !before.includes(pid)) ?? null
}

async function untilGone(pid: number): Promise<void> {
  while (isInspecting(pid)) await delay(10)
}

const openFiles = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))

test(
  'child: the next films of its user → the same process, which has no film open between them',
  options,
  async (t) => {
    const user = newUser()
    const first = await newDecoder(() => inspect(t, user))
    assert.ok(first)
    for (let n = 0; n < 3; n += 1) {
      assert.equal(await newDecoder(() => inspect(t, user)), null)
      assert.ok(isInspecting(first))
      assert.deepEqual(
        openFiles(first).filter((file) => file.includes('result.mp4')),
        [],
      )
    }
  },
)

test('child: a film of another user → another process, which cannot open what the first had', options, async (t) => {
  const first = await newDecoder(() => inspect(t, newUser()))
  const second = await newDecoder(() => inspect(t, newUser()))
  assert.ok(first && second && first !== second)
  const [ofFirst, ofSecond] = [openFiles(first), openFiles(second)]
  assert.deepEqual(
    ofSecond.filter((file) => /\.(mp4|jpg)$/.test(file)),
    [],
  )
  // Its channel and its errors.
  const sockets = ofSecond.filter((file) => file.startsWith('socket:'))
  assert.equal(sockets.length, 2)
  assert.ok(!sockets.some((socket) => ofFirst.includes(socket)))
})

test("child: a film of another user → nothing of the first's is in the memory of its process", options, async (t) => {
  const [ann, bob] = [await secretFilm(t), await secretFilm(t)]
  const ofAnn = await newDecoder(ann.inspect)
  const ofBob = await newDecoder(bob.inspect)
  await ann.inspect()
  assert.ok(ofAnn && ofBob)
  if (hasInMemory(ofAnn, ann.secret) === null) return t.diagnostic('memory may not be read')
  assert.equal(hasInMemory(ofAnn, ann.secret), true)
  assert.equal(hasInMemory(ofBob, bob.secret), true)
  assert.equal(hasInMemory(ofAnn, bob.secret), false)
  assert.equal(hasInMemory(ofBob, ann.secret), false)
})

/** A film that repeats bytes of its own, which its hash makes a child read. */
async function secretFilm(t: TestContext) {
  const secret = randomBytes(64)
  // Players skip such a box.
  const header = Buffer.concat([Buffer.alloc(4), Buffer.from('free', 'latin1')])
  header.writeUInt32BE(8 + 4096 * secret.length)
  const { file, thumbnailFile } = await writeFilm(t, Buffer.concat([grey, header, ...Array(4096).fill(secret)]))
  const userId = newUser()
  const binding = { boxBytes: 20_000, aigc: null }
  return { secret, inspect: () => inspectFilm(file, { userId, thumbnailFile, binding }) }
}

/** Whether the memory of a process contains the bytes; null: it may not be read. */
function hasInMemory(pid: number, wanted: Buffer): boolean | null {
  let memory: number
  try {
    memory = openSync(`/proc/${pid}/mem`, 'r')
  } catch {
    return null
  }
  try {
    return readFileSync(`/proc/${pid}/maps`, 'latin1')
      .split('\n')
      .flatMap((line) => /^([0-9a-f]+)-([0-9a-f]+) r.*?(?:\[v\w+\])?$/.exec(line) ?? [])
      .some((_, at, all) => at % 3 === 0 && rangeHas(memory, all.slice(at + 1, at + 3), wanted))
  } finally {
    closeSync(memory)
  }
}

function rangeHas(memory: number, [start = '0', end = '0']: string[], wanted: Buffer): boolean {
  const last = Number.parseInt(end, 16)
  const bytes = Buffer.alloc(4 * 1024 * 1024)
  for (let at = Number.parseInt(start, 16); at < last; at += bytes.length - wanted.length) {
    try {
      const length = readSync(memory, bytes, 0, Math.min(bytes.length, last - at), at)
      if (bytes.subarray(0, length).includes(wanted)) return true
    } catch {
      // Reserved and not mapped, or of the kernel.
      return false
    }
  }
  return false
}

test('child: films of a user at the same time → a process for each, and the facts of each film', options, async (t) => {
  const user = newUser()
  const lengths = [1, 2]
  const inspected = await Promise.all(
    lengths.map(async (seconds) => inspect(t, user, await films.greyFilm(320, 180, seconds))),
  )
  assert.deepEqual(
    inspected.map(({ durationS }) => durationS),
    lengths,
  )
})

test('child: twenty films → it ends, and the next one begins anew', options, async (t) => {
  const user = newUser()
  const first = await newDecoder(() => inspect(t, user))
  assert.ok(first)
  for (let n = 1; n < 20; n += 1) await inspect(t, user)
  await untilGone(first)
  const next = await newDecoder(() => inspect(t, user))
  assert.ok(next !== null && next !== first)
})

test('child: another kind of job, or another limit of the kernel → another process', options, async (t) => {
  const user = newUser()
  const { file, thumbnailFile } = await writeFilm(t, grey)
  const film = (limits = {}) => inspectFilm(file, { userId: user, thumbnailFile, limits })
  assert.ok(await newDecoder(film))
  assert.ok(await newDecoder(() => film({ memoryMaxBytes: 700 * 1024 * 1024 })))
  assert.ok(await newDecoder(() => takeFrames(file, { userId: user, countMax: 2 })))
  assert.equal(await newDecoder(film), null)
})

test('child: a minute without a film → it ends', options, async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const child = await newDecoder(() => inspect(t, newUser()))
  assert.ok(child)
  t.mock.timers.tick(59_999)
  await nextTurn()
  assert.ok(isInspecting(child))
  t.mock.timers.tick(1)
  while (isInspecting(child)) await nextTurn()
})

test('child: seven users one after another → the one that waited longest ends', options, async (t) => {
  const first = await newDecoder(() => inspect(t, newUser()))
  assert.ok(first)
  for (let n = 2; n <= 7; n += 1) await inspect(t, newUser())
  await untilGone(first)
  assert.equal(decodersNow().length, 6)
})

test('child: without a user → it ends with its film', options, async (t) => {
  const { file, thumbnailFile } = await writeFilm(t, grey)
  assert.equal(await newDecoder(() => inspectFilm(file, { thumbnailFile })), null)
})

const hostile: { what: string; code: string; make: () => Promise<Buffer> }[] = [
  { what: 'is cut off', code: 'TRUNCATED', make: async () => grey.subarray(0, 400) },
  {
    what: 'takes too long',
    code: 'TOO_SLOW',
    make: async () => films.withEndlessChunk(await films.greyFilm(320, 180, 2)),
  },
  {
    what: 'exhausts the memory',
    code: 'UNDECODABLE',
    make: async () => films.withEndlessTable(await films.greyFilm(320, 180, 2)),
  },
  { what: 'has too many pixels', code: 'TOO_LARGE_PICTURE', make: films.bombFilm },
]
for (const { what, code, make } of hostile) {
  test(
    `child with films before: one that ${what} → refused as by a new one, and the next film is not`,
    options,
    async (t) => {
      const user = newUser()
      const first = await newDecoder(() => inspect(t, user))
      assert.ok(first)
      await assert.rejects(inspect(t, user, await make()), { name: 'MediaRefused', code })
      await untilGone(first)
      assert.equal((await inspect(t, user)).durationS, 1)
    },
  )
}

test('child: killed between two films, and during one → the film is inspected all the same', options, async (t) => {
  const user = newUser()
  const first = await newDecoder(() => inspect(t, user))
  assert.ok(first)
  process.kill(first, 'SIGKILL')
  assert.equal((await inspect(t, user)).durationS, 1)
  const [second] = decodersNow().filter((pid) => pid !== first)
  assert.ok(second)
  const inspected = inspect(t, user)
  process.kill(second, 'SIGKILL')
  assert.equal((await inspected).durationS, 1)
})

/** A child that a file has taken over: it has its first job, and does what the script says. */
async function hostileChild(t: TestContext, script: string): Promise<{ child: Child; run: () => Promise<Buffer> }> {
  const { file } = await writeFilm(t, grey)
  const handle = await open(file, 'r')
  t.after(() => handle.close())
  const program = `
    import { readSync, writeSync } from 'node:fs'
    import { messageOf } from '${new URL('../../src/media/channel.ts', import.meta.url).href}'
    const receive = () => {
      const bytes = Buffer.alloc(4096)
      return JSON.parse(bytes.toString('utf8', 0, readSync(3, bytes))).number
    }
    writeSync(3, messageOf('ready', 0))
    const first = receive()
    const reply = messageOf('reply', first, Buffer.from('{"first":true}\\n'))
    ${script}
    receive()`
  const commandOf = () => ({
    file: process.execPath,
    args: ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', program],
    identity: {},
  })
  const limits = { memoryMaxBytes: 500 * 1024 * 1024, cpuMaxS: 10, timeoutMs: 10_000 }
  const layers = { launch: { kind: 'plain' as const, commandOf }, seccomp: false }
  const child = startChild({ kind: 'film', limits, layers, isReused: true, files: [] })
  t.after(child.end)
  return { child, run: () => child.run({ files: [handle], limits, replyMaxBytes: 1000, failure: 'It failed' }) }
}

const more = `messageOf('reply', first, Buffer.from('{"second":true}\\n'))`

test(
  'child that a file has taken over: says more, with its reply or after it → gets no other job',
  options,
  async (t) => {
    const honest = await hostileChild(t, 'writeSync(3, reply)')
    assert.equal((await honest.run()).toString(), '{"first":true}\n')
    assert.equal(await honest.child.isFit(), true)
    for (const script of [
      `writeSync(3, Buffer.concat([reply, ${more}]))`,
      `writeSync(3, reply); writeSync(3, ${more})`,
    ]) {
      const { child, run } = await hostileChild(t, script)
      await run()
      while (await child.isFit()) await nextTurn()
    }
  },
)

test(
  "child that a file has taken over: writes a reply ahead → not the next job's, and not its file's fault",
  options,
  async (t) => {
    // It has the second job, and has not looked at its number.
    const { run } = await hostileChild(t, `writeSync(3, reply); receive(); writeSync(3, ${more})`)
    await run()
    await assert.rejects(run(), (error) => error instanceof Error && !(error instanceof MediaRefused))
  },
)

test('child: killed while it starts → what escapes the signal ends with its channel', options, async (t) => {
  const { file } = await writeFilm(t, grey)
  const handle = await open(file, 'r')
  t.after(() => handle.close())
  // The signal finds the program that runs first.
  const commandOf = (command: string[]) => ({
    file: '/bin/sh',
    args: ['-c', 'sleep 10; "$@"; exit $?', 'sh', ...command],
    identity: {},
  })
  const layers = { launch: { kind: 'namespaces' as const, commandOf }, seccomp: false }
  const limits = { memoryMaxBytes: 500 * 1024 * 1024, cpuMaxS: 10, timeoutMs: 200 }
  const child = startChild({ kind: 'film', limits, layers, isReused: true, files: [] })
  const run = child.run({ files: [handle], limits, replyMaxBytes: 1000, failure: 'It failed' })
  await assert.rejects(run, (error) => error instanceof Error && !(error instanceof MediaRefused))
  await child.ended
})

test('film: server that stands still for longer than the time limit → inspected', options, async (t) => {
  await inspect(t, newUser())
  const before = decodersNow()
  const { file, thumbnailFile } = await writeFilm(t, grey)
  const inspected = inspectFilm(file, { userId: newUser(), thumbnailFile, limits: { timeoutMs: 1500 } })
  while (decodersNow().every((pid) => before.includes(pid))) await nextTurn()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)
  assert.equal((await inspected).width, 320)
})
