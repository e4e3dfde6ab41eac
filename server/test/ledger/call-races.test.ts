// slow
/** Concurrent calls of the ledger's SQL functions: no deadlock or error, no credit moved twice, a consistent ledger. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { creditGrantGift } from '../../src/credit/gift.ts'
import { creditBalance, creditLock } from '../../src/credit/ledger.ts'
import {
  videoBeginSubmit,
  videoComplete,
  videoDelete,
  videoGenerate,
  videoReportResult,
} from '../../src/video/transitions.ts'
import { beginFor, partFor } from '../support/citus/database.ts'
import { creditFreezeHolds } from '../support/ledger/ledger-calls.ts'
import { DAY_MS, later, openLedger, start } from '../support/ledger/open-ledger.ts'
import { videoClaim } from '../support/video-calls.ts'
import { newVideo, storedFilm, waitFor } from '../support/video-row.ts'

const CONNECTIONS = 16
const { sql, books, newUserId, grant, settle, release, freeze: freezeHold } = await openLedger(CONNECTIONS)

const times = <T>(count: number, each: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => each(index)))
const random = (below: number) => Math.floor(Math.random() * below)

const freeze = async (userId: string, holdId: string, credits: number, now = start) =>
  (await freezeHold(userId, holdId, credits, now)).outcome
test('settle, release: 4 of each at once on 100 holds → the first wins, all return its state', async () => {
  const user = randomUUID()
  await grant(user, 1000, later(DAY_MS))
  const counts = { settled: 0, released: 0 }
  for (let round = 0; round < 100; round += 1) {
    const hold = randomUUID()
    await freeze(user, hold, 10)
    const states = await times(8, (n) => ((n + round) % 2 === 0 ? settle(user, hold) : release(user, hold)))
    const [first] = states as ('settled' | 'released')[]
    assert.ok(first)
    assert.deepEqual(new Set(states), new Set([first]))
    counts[first] += 1
  }
  const [account] = await sql`select available, frozen, used from kinora.credit_account where user_id = ${user}`
  assert.deepEqual({ ...account }, { available: 10 * counts.released, frozen: 0, used: 10 * counts.settled })
})

test('sets: the same accounts in opposite sequences at once → no deadlock', async () => {
  const users = await times(24, async () => {
    const user = newUserId()
    await grant(user, 1000, later(DAY_MS))
    return user
  })
  const outcomes = await times(64, (n) => {
    const sequence = n % 2 === 0 ? users : users.toReversed()
    const holds = sequence.map((userId) => ({ userId, holdId: randomUUID(), credits: 1, remark: null }))
    return creditFreezeHolds(sql, holds, start)
  })
  assert.equal(outcomes.flat().filter(({ outcome }) => outcome === 'frozen').length, 64 * 24)
})

test('freeze: 100 at once of 7 credits, 100 available → 14 frozen', async () => {
  const user = randomUUID()
  for (let each = 0; each < 10; each += 1) await grant(user, 10, later(DAY_MS + each))
  const outcomes = await times(100, () => freeze(user, randomUUID(), 7))
  assert.equal(outcomes.filter((outcome) => outcome === 'frozen').length, 14)
})

test('grant, freeze, new-user gift: each 32 times at once for a new user → each takes effect once', async () => {
  const user = randomUUID()
  const [id, hold] = [randomUUID(), randomUUID()]
  const until = later(DAY_MS)
  await times(96, async (index) => {
    if (index % 3 === 0) {
      await grant(user, 100, until, start, { packageId: id })
    } else if (index % 3 === 1) {
      await creditGrantGift(sql, { userId: user, packageId: randomUUID(), credits: 60, expiresAt: until, now: start })
    } else {
      await freeze(user, hold, 10)
    }
  })
  await freeze(user, hold, 10)
  const rows = await sql<{ credits: number }[]>`select credits from kinora.credit_transaction where user_id = ${user}`
  assert.deepEqual(
    rows.map((row) => row.credits).sort((a, b) => a - b),
    [-10, 60, 100],
  )
})

for (const users of [1, 5]) {
  test(`random calls: ${CONNECTIONS} connections, ${users} users → no error, a consistent ledger`, async () => {
    const ids = Array.from({ length: users }, () => randomUUID())
    const holds: { user: string; hold: string }[] = []
    const pick = <T>(list: T[]): T | undefined => list[random(list.length)]
    // Time advances with each call, by differing amounts: the clocks of machines differ.
    let tick = 0
    const callRandomly = async () => {
      const user = pick(ids) ?? ''
      tick += 1
      const now = later(tick * 1000 + random(5000))
      const open = pick(holds)
      const kind = random(8)
      if (kind === 0) await grant(user, 1 + random(50), new Date(now.getTime() + random(60_000)), now)
      else if (kind <= 3) {
        const hold = randomUUID()
        if ((await freeze(user, hold, 1 + random(20), now)) === 'frozen') holds.push({ user, hold })
      } else if (kind === 4 && open) await settle(open.user, open.hold, now)
      else if (kind === 5 && open) await release(open.user, open.hold, now)
      else if (kind === 6) await creditLock(sql, { userId: user, now })
      else await creditBalance(sql, { userId: user, now })
    }
    await times(CONNECTIONS, async () => {
      for (let round = 0; round < 80; round += 1) await callRandomly()
    })
    const [moved] = await sql`select count(*) as rows from kinora.credit_transaction where user_id = any(${ids})`
    assert.ok(moved?.rows > 200, 'credits have moved')
  })
}

test('balance: read during freezes and releases → one snapshot, expiringSoon equals available', async () => {
  const user = randomUUID()
  await grant(user, 10, later(DAY_MS))
  let isDone = false
  const moving = times(4, async () => {
    for (let round = 0; round < 100; round += 1) {
      const hold = randomUUID()
      await freeze(user, hold, 10)
      await release(user, hold)
    }
  }).finally(() => {
    isDone = true
  })
  const reading = times(8, async () => {
    while (!isDone) {
      const row = await creditBalance(sql, { userId: user, now: start })
      assert.equal(row?.expiringSoon, row?.available)
    }
  })
  await Promise.all([moving, reading])
})

test('delete: a video as it completes, then another one completes → both are counted', async () => {
  const user = randomUUID()
  await grant(user, 48, later(DAY_MS))
  const [counted, deleted, other] = [await stored(user), await stored(user), await stored(user)]
  // The counter exists.
  assert.equal(await videoComplete(sql, counted), 'completed')

  const [isDeleted, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let deleting: Promise<void> | undefined
  await beginFor(sql, user, async (tx) => {
    assert.equal(await videoComplete(tx, deleted), 'completed')
    deleting = beginFor(sql, user, async (tx) => {
      assert.equal(await videoDelete(tx, deleted), 'deleted')
      isDeleted.resolve()
      await commit.promise
    })
    await waitForLock(user, 'video_apply')
  })
  await isDeleted.promise
  const completing = videoComplete(sql, other)
  await waitForLock(user, 'video_apply')
  commit.resolve()
  await deleting
  assert.equal(await completing, 'completed')
  // Not `total` alone: verify compares the counter after the test.
  const [row] = await sql`select videos from kinora.video_count where user_id = ${user}`
  assert.equal(row?.videos, 2)
})

/** Waits until a call of the SQL function waits for a lock, on the server that has the user's rows. */
async function waitForLock(user: string, name: string): Promise<void> {
  const part = partFor(books, user)
  const waiting = () => part`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${name}%`}
  `
  await waitFor(`${name} to wait`, async () => (await waiting()).length > 0)
}

/** An UPLOADING video whose film a worker has stored, as videoComplete takes it. */
async function stored(userId: string) {
  const video = { userId, videoId: randomUUID(), now: start }
  assert.equal((await videoGenerate(sql, newVideo(video))).outcome, 'created')
  const lease = randomUUID()
  const claim = () =>
    videoClaim(sql, { videos: [{ userId, id: video.videoId }], lease, leaseUntil: later(60_000), now: start })
  await claim()
  await videoBeginSubmit(sql, { ...video, lease })
  await videoReportResult(sql, { ...video, provider: 'provider-a', taskId: null, url: 'https://films.example/1' })
  assert.equal((await claim()).length, 1)
  return { ...video, lease, ...storedFilm, videoKey: video.videoId }
}
