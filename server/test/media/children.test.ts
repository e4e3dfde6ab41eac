// slow
/** Whose files an inspecting child gets, and what a hostile one among them can do to the next. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { inspectFilm } from '../../src/media/film/inspect.ts'
import { writeFilm } from '../support/film-file.ts'
import * as films from '../support/films.ts'

const options = { skip: process.platform !== 'linux' }
const grey = await films.greyFilm(320, 180, 1)

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
