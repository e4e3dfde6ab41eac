/** Workers that claim at once: each gets as much as it asks for, none waits, and none gets a row of another. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { openDb } from '../../src/db/db.ts'
import type { Status } from '../../src/film/fields.ts'
import { nextBucket, videoClaimOldest, videoClaimRoundRobin } from '../../src/video/claim.ts'
import { serverOf } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { later, start } from '../support/ledger/open-ledger.ts'

const WORKERS = 8
const database = await createDatabase()
const whole = openDb(database.url, { connections: 1, name: 'kinora claim test' })
/** One shard of a distributed database, because a claim is of one. */
const server = await serverOf(whole, randomUUID())
const pool = openDb(server.url, { connections: WORKERS, name: 'kinora claim test' })
const sql = server.of(pool)
afterEach(() => sql`delete from kinora.video`)
after(async () => {
  await pool.end()
  await whole.end()
  await database.drop()
})

/**
 * `fromMs`: when the first is due, after `start`; each next one a millisecond later. The last byte of an id decides its
 * bucket: the ids go to the 64 buckets in turn, because random ones may leave one empty. @returns the ids in that
 * sequence
 */
async function insertDue(
  count: number,
  status: Status,
  fromMs: number,
  userId: string = randomUUID(),
): Promise<string[]> {
  const lastByteOf = (n: number) => ((n * 37) & 255).toString(16).padStart(2, '0')
  const ids = Array.from({ length: count }, (_, n) => randomUUID().slice(0, -2) + lastByteOf(n))
  await sql`
    insert into kinora.video (user_id, id, prompt, model, duration_s, aspect_ratio, quality, credits, providers, usual_s, status,
      created_at, updated_at, due_at, deadline_at, accepted_at, result_at, result_url)
    select ${userId}, id, 'due', 'm', 4, '16:9', '720p', 1, '{a}', 30, ${status}, ${start}, ${start},
           ${later(fromMs)}::timestamptz + (n - 1) * interval '1 millisecond', ${start},
           ${status === 'PENDING' ? null : start}, ${status === 'UPLOADING' ? start : null}, ${status === 'UPLOADING' ? 'https://films.example/1' : null}
    from unnest(${ids}::uuid[]) with ordinality as video (id, n)
  `
  return ids
}

const lease = () => ({ lease: randomUUID(), leaseUntil: later(120_000), now: later(60_000) })
const claimOldest = async (
  count: number,
  bucket: number | null = null,
  statuses: Status[] = ['PENDING', 'GENERATING'],
) => (await videoClaimOldest(sql, { statuses, count, bucket, ...lease() })).map(({ id }) => id)
const claimRoundRobin = async (count: number, perUserMax: number) =>
  (
    await videoClaimRoundRobin(sql, { status: 'UPLOADING', count, perUserMax, window: 1000, users: [], ...lease() })
  ).map(({ id }) => id)

test('claim: one worker → the oldest rows, of all its statuses', async () => {
  const pending = await insertDue(10, 'PENDING', 1000)
  const generating = await insertDue(10, 'GENERATING', 0)
  assert.deepEqual(new Set(await claimOldest(10)), new Set(generating))
  assert.deepEqual(new Set(await claimOldest(5)), new Set(pending.slice(0, 5)))
  assert.deepEqual(new Set(await claimOldest(10)), new Set(pending.slice(5)))
  assert.deepEqual(await claimOldest(10), [])
})

test('claim: 8 workers at once on 800 due videos → 100 for each, each video once', async () => {
  const ids = await insertDue(800, 'PENDING', 0)
  const claims = await Promise.all(Array.from({ length: WORKERS }, () => claimOldest(100)))
  assert.deepEqual(
    claims.map(({ length }) => length),
    Array(WORKERS).fill(100),
  )
  assert.deepEqual(claims.flat().sort(), ids.sort())
})

test('claim: rows that another transaction has locked → passed over without waiting', async () => {
  const ids = await insertDue(20, 'PENDING', 0)
  const films = await insertDue(20, 'UPLOADING', 0)
  await sql.begin(async (tx) => {
    await tx`select from kinora.video where id = any(${[...ids.slice(0, 10), ...films.slice(0, 10)]}::uuid[]) for update`
    assert.deepEqual(new Set(await claimOldest(10)), new Set(ids.slice(10)))
    assert.deepEqual(new Set(await claimRoundRobin(10, 20)), new Set(films.slice(10)))
  })
})

test('claim: from a bucket of a backlog → its oldest first, then the next buckets, until it has enough', async () => {
  const bucketOf = (id: string) => Number.parseInt(id.slice(-2), 16) & 63
  const ids = await insertDue(400, 'PENDING', 0)
  const own = ids.filter((id) => bucketOf(id) === 63)
  assert.ok(own.length > 1)
  assert.deepEqual(await claimOldest(1, 63), own.slice(0, 1))
  const next = await claimOldest(own.length, 63)
  assert.deepEqual(next.filter((id) => bucketOf(id) === 63).length, own.length - 1)
  assert.equal(next.length, own.length)
  assert.ok(next.every((id) => [63, 0, 1, 2].includes(bucketOf(id))))
  assert.equal((await claimOldest(1000, 7)).length, ids.length - own.length - 1, 'all buckets are visited')
})

test('claim: films of two users, locked by another worker in part → still round robin', async () => {
  const [ann, bob] = [randomUUID(), randomUUID()]
  const [anns, bobs] = [await insertDue(10, 'UPLOADING', 0, ann), await insertDue(2, 'UPLOADING', 100, bob)]
  await sql.begin(async (tx) => {
    await tx`select from kinora.video where id = ${bobs[0] ?? ''} for update`
    assert.deepEqual(new Set(await claimRoundRobin(2, 4)), new Set([anns[0], anns[1]]))
  })
  assert.deepEqual(new Set(await claimRoundRobin(2, 4)), new Set([anns[2], bobs[0]]))
})

test('claim: commit → does not wait for the disk (synchronous_commit off), the next statement of the session does', async () => {
  await insertDue(1, 'PENDING', 0)
  const reserved = await pool.reserve()
  const session = server.of(reserved)
  const setting = async () => (await session`select current_setting('synchronous_commit') as value`)[0]?.value
  try {
    await session`set synchronous_commit = on`
    await session`begin`
    await videoClaimOldest(session, { statuses: ['PENDING'], count: 1, bucket: null, ...lease() })
    assert.equal(await setting(), 'off')
    await session`commit`
    assert.equal(await setting(), 'on')
  } finally {
    reserved.release()
  }
})

test('worker: full claims → every bucket in 64 claims; a claim that was not full → the oldest of all', () => {
  const buckets = new Set<number | null>()
  let bucket: number | null = null
  for (let n = 0; n < 64; n += 1) {
    bucket = nextBucket(bucket, true)
    buckets.add(bucket)
  }
  assert.equal(buckets.size, 64)
  assert.ok([...buckets].every((each) => each !== null && each >= 0 && each < 64))
  assert.equal(nextBucket(bucket, false), null)
})
