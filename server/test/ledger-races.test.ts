/** The ledger's functions on many connections at once: no deadlock, no error, no credit twice, and books that are right. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { verify } from '../src/credit/verify.ts'
import { openDb } from '../src/db.ts'
import { createDatabase } from './database.ts'
import { waitFor } from './video-row.ts'

const CONNECTIONS = 16
const database = await createDatabase()
const sql = openDb(database.url, { connections: CONNECTIONS, name: 'kinora ledger races' })
afterEach(async () => assert.deepEqual(await verify({ sql }), [], 'the books must be right after every test'))
after(async () => {
  await sql.end()
  await database.drop()
})

const start = new Date('2030-01-01T00:00:00Z')
const later = (ms: number) => new Date(start.getTime() + ms)
const DAY_MS = 86_400_000
const times = <T>(count: number, each: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => each(index)))
const random = (below: number) => Math.floor(Math.random() * below)

const grant = (user: string, credits: number, expiresAt: Date, now = start) => {
  const id = randomUUID()
  return sql`select from kinora.credit_grant(${user}, ${id}, ${id}, 'ORDER_PAY', ${credits}, ${expiresAt}, ${now}, null, null)`
}
const freeze = async (user: string, hold: string, credits: number, now = start) =>
  (await sql`select outcome from kinora.credit_freeze(${user}, ${hold}, ${credits}, ${now}, null)`)[0]?.outcome
const settle = async (user: string, hold: string, now = start) =>
  (await sql`select kinora.credit_settle(${user}, ${hold}, ${now}) as state`)[0]?.state
const release = async (user: string, hold: string, now = start) =>
  (await sql`select kinora.credit_release(${user}, ${hold}, ${now}, '1 day', null) as state`)[0]?.state

test('settle against release, 4 of each at once on 100 holds: the first decides, and all hear the same', async () => {
  const user = randomUUID()
  await grant(user, 1000, later(DAY_MS))
  const decided = { settled: 0, released: 0 }
  for (let round = 0; round < 100; round += 1) {
    const hold = randomUUID()
    await freeze(user, hold, 10)
    const states = await times(8, (turn) => ((turn + round) % 2 === 0 ? settle(user, hold) : release(user, hold)))
    const [first] = states as ('settled' | 'released')[]
    assert.ok(first)
    assert.deepEqual(new Set(states), new Set([first]))
    decided[first] += 1
  }
  const [account] = await sql`select available, frozen, used from kinora.credit_account where user_id = ${user}`
  assert.deepEqual({ ...account }, { available: 10 * decided.released, frozen: 0, used: 10 * decided.settled })
})

test('100 freezes at once of 7 of 100 credits: 14 fit', async () => {
  const user = randomUUID()
  for (let each = 0; each < 10; each += 1) await grant(user, 10, later(DAY_MS + each))
  const outcomes = await times(100, () => freeze(user, randomUUID(), 7))
  assert.equal(outcomes.filter((outcome) => outcome === 'frozen').length, 14)
})

test('one grant, one freeze and one gift, each 32 times at once on a user nobody knows: each happens once', async () => {
  const user = randomUUID()
  const [id, hold] = [randomUUID(), randomUUID()]
  const until = later(DAY_MS)
  await times(96, async (index) => {
    if (index % 3 === 0) {
      await sql`select from kinora.credit_grant(${user}, ${id}, 'order', 'ORDER_PAY', 100, ${until}, ${start}, null, null)`
    } else if (index % 3 === 1) {
      await sql`select kinora.credit_welcome(${user}, ${randomUUID()}, 60, ${until}, ${start})`
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
  test(`a storm of everything on ${CONNECTIONS} connections and ${users} users: no error, and every credit accounted for`, async () => {
    const ids = Array.from({ length: users }, () => randomUUID())
    const holds: { user: string; hold: string }[] = []
    const any = <T>(list: T[]): T | undefined => list[random(list.length)]
    // Time passes while they are at it, not for all at the same pace: clocks of machines differ.
    let tick = 0
    const storm = async () => {
      const user = any(ids) ?? ''
      tick += 1
      const now = later(tick * 1000 + random(5000))
      const open = any(holds)
      const kind = random(8)
      if (kind === 0) await grant(user, 1 + random(50), new Date(now.getTime() + random(60_000)), now)
      else if (kind <= 3) {
        const hold = randomUUID()
        if ((await freeze(user, hold, 1 + random(20), now)) === 'frozen') holds.push({ user, hold })
      } else if (kind === 4 && open) await settle(open.user, open.hold, now)
      else if (kind === 5 && open) await release(open.user, open.hold, now)
      else if (kind === 6) await sql`select from kinora.credit_lock(${user}, ${now})`
      else await sql`select from kinora.credit_balance(${user}, ${now})`
    }
    await times(CONNECTIONS, async () => {
      for (let round = 0; round < 80; round += 1) await storm()
    })
    const [moved] = await sql`select count(*) as rows from kinora.credit_transaction where user_id = any(${ids})`
    assert.ok(moved?.rows > 200, 'the storm moved something')
  })
}

test('a balance read amid movements is of one moment: what expires soon is never more than there is', async () => {
  const user = randomUUID()
  await grant(user, 10, later(DAY_MS))
  let isOver = false
  const moving = times(4, async () => {
    for (let round = 0; round < 100; round += 1) {
      const hold = randomUUID()
      await freeze(user, hold, 10)
      await release(user, hold)
    }
  }).finally(() => {
    isOver = true
  })
  const reading = times(8, async () => {
    while (!isOver) {
      const [row] = await sql`select available, expiring_soon from kinora.credit_balance(${user}, ${start})`
      assert.equal(row?.expiringSoon, row?.available)
    }
  })
  await Promise.all([moving, reading])
})

test('due videos are claimed in the order given, whatever the planner thinks: two workers cannot deadlock', async () => {
  const user = randomUUID()
  const ids = Array.from({ length: 4 }, () => randomUUID()).sort()
  // When the planner last looked nothing was due, so that to it the index of what is due looks cheapest; and there the
  // order is the opposite one.
  await sql`
    insert into kinora.video (user_id, id, prompt, model, duration_s, aspect_ratio, quality, credits, providers, usual_s,
      created_at, updated_at, due_at, deadline_at)
    select gen_random_uuid(), gen_random_uuid(), 'p', 'm', 4, '16:9', '720p', 1, '{a}', 30, ${start}, ${start},
           ${later(DAY_MS)}, ${start}
    from generate_series(1, 3000)
  `
  await sql`analyze kinora.video`
  for (const [index, id] of ids.entries()) await insertVideo(user, id, later(-index * 1000))
  const [first, last] = [ids[0] ?? '', ids[3] ?? '']

  const held = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  const holding = sql.begin(async (tx) => {
    await tx`select from kinora.video where id = ${last} for update`
    held.resolve()
    await letGo.promise
  })
  await held.promise
  const claiming = sql`
    select id from kinora.video_claim(${ids.map(() => user)}, ${ids}, ${randomUUID()}, ${later(60_000)}, ${start})
  `.execute()
  // The claim waits for the last row; by then it has the first.
  const waiting = () => sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%video_claim%'
  `
  await waitFor('the claim to wait', async () => (await waiting()).length > 0)
  const [free] = await sql`select id from kinora.video where id = ${first} for update skip locked`
  letGo.resolve()
  await holding
  assert.equal((await claiming).length, 4)
  assert.equal(free, undefined, 'the first row was locked before the last one was waited for')
  await sql`delete from kinora.video`
})

test('16 claims at once of the same 200 due videos: each is claimed once', async () => {
  const user = randomUUID()
  const ids = Array.from({ length: 200 }, () => randomUUID()).sort()
  for (const id of ids) await insertVideo(user, id, start)
  const claims = await times(CONNECTIONS, () => {
    const until = later(60_000)
    return sql<{ id: string }[]>`
      select id from kinora.video_claim(${ids.map(() => user)}, ${ids}, ${randomUUID()}, ${until}, ${start})
    `
  })
  const claimed = claims.flatMap((rows) => rows.map((row) => row.id))
  assert.deepEqual(claimed.sort(), ids)
  await sql`delete from kinora.video`
})

async function insertVideo(user: string, id: string, dueAt: Date): Promise<void> {
  await sql`
    insert into kinora.video (user_id, id, prompt, model, duration_s, aspect_ratio, quality, credits, providers, usual_s,
      created_at, updated_at, due_at, deadline_at)
    values (${user}, ${id}, 'p', 'm', 4, '16:9', '720p', 1, '{a}', 30, ${start}, ${start}, ${dueAt}, ${start})
  `
}
