/** Figures over all users: the same of a database in one part and of one in two, whose users are divided unevenly. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { backlog } from '../../src/admin/backlog.ts'
import { readOperations } from '../../src/admin/operations.ts'
import { providerHealth } from '../../src/admin/provider-health.ts'
import { unfinished } from '../../src/admin/unfinished.ts'
import type { App } from '../../src/app.ts'
import { openDb, type Sql } from '../../src/db/db.ts'
import { type Database, inEach, onePart } from '../../src/db/parts.ts'
import { openProviders } from '../../src/provider/open.ts'
import { notDistributed } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'

const now = new Date('2030-01-01T12:00:00Z')
const databases = await Promise.all([createDatabase(), createDatabase(), createDatabase()])
const opened = databases.map(({ url }) => openDb(url, { connections: 4, name: 'kinora parts test' }))
const [all, first, second] = opened as [Sql, Sql, Sql]
after(async () => {
  for (const sql of opened) await sql.end()
  for (const database of databases) await database.drop()
})
const log = pino({ level: 'silent' })
const appOf = (database: Database) =>
  ({
    database,
    sql: database.sql,
    now: () => now,
    log,
    providers: openProviders({}),
    config: { dataDir: '/', mail: { smtp: null } },
  }) as unknown as App
const whole = appOf(onePart(all))
const divided = appOf({ ...onePart(first), parts: () => [first, second] })

/** 300 videos; every third is not final. The durations are of hundredths of a second, and their number is even. */
async function fill(sql: Sql, users: string): Promise<void> {
  await sql
    .unsafe(`
    create temp table made as
    select n, overlay(md5((n % 10)::text) placing '8' from 17)::uuid as user_id, md5('video' || n)::uuid as id, n % 3 = 0 as is_open,
           array['provider-' || case when n % 7 < 3 then 'a' else 'b' end] as providers,
           timestamptz '2030-01-01T11:30:00Z' + n * interval '1 second' as at,
           case when n % 3 = 1 then 'COMPLETED' when n % 3 = 2 then 'FAILED' when n % 2 = 0 then 'PENDING' else 'GENERATING' end as status
    from generate_series(1, 300) n
    where ${users};
    insert into kinora.video (
      user_id, id, prompt, model, duration_s, aspect_ratio, quality, credits, providers, usual_s, created_at, updated_at, deadline_at,
      status, due_at, submitted_at, accepted_at, result_at, error, error_code, video_key
    )
    select user_id, id, 'a boat', 'delta-1-5', 4, '16:9', '720p', 16, providers, 30, at, at, at, status,
           case when is_open then at end, case when status <> 'PENDING' then at end, at, at + n * n * interval '10 ms',
           case status when 'FAILED' then 'reason ' || n end, case when n % 9 = 2 then 'CONTENT_REFUSED' else 'PROVIDER_ERROR' end, 'key'
    from made;
    insert into kinora.video_log (user_id, video_id, id, entry, detail, at)
    select user_id, id, id, case when is_open then 'not accepted' else lower(status) end,
           case when is_open then providers[1] || ': ' || n || ': it is busy' end, at
    from made;
  `)
    .simple()
}
await fill(all, 'true')
await fill(first, 'n % 10 in (0, 1)')
await fill(second, 'n % 10 not in (0, 1)')

test(
  'providers: users in two parts of the database → as in one, medians too',
  notDistributed('has parts already'),
  async () => {
    const expected = await providerHealth(whole)
    assert.deepEqual(await providerHealth(divided), expected)
    const [a, b] = expected.providers
    assert.ok(a?.lastFailureReason && b?.lastFailureReason && a.refused > 0 && a.inProgress > 0 && a.waiting > 0)
    for (const { id, succeeded, medianSeconds } of expected.providers) {
      const [row] = await all<[{ median: number }]>`
      select percentile_cont(0.5) within group (order by extract(epoch from result_at - accepted_at)) as median
      from kinora.video where status = 'COMPLETED' and providers[1] = ${id}
    `
      assert.ok(succeeded > 40 && Math.abs((medianSeconds ?? 0) - row.median) <= 0.1, `${medianSeconds}, ${row.median}`)
    }
  },
)

test(
  'backlog, due work, videos in progress: users in two parts of the database → as in one',
  notDistributed('has parts already'),
  async () => {
    const byStatus = async (app: App) => (await backlog(app)).toSorted((x, y) => x.status.localeCompare(y.status))
    assert.deepEqual(await byStatus(divided), await byStatus(whole))
    assert.deepEqual(
      (await byStatus(whole)).map(({ inProgress, overdue }) => [inProgress, overdue]),
      [
        [50, 50],
        [50, 50],
      ],
    )
    const { due } = await readOperations(whole)
    assert.deepEqual((await readOperations(divided)).due, due)
    assert.deepEqual(due, { videos: 100, oldestS: 1797 })
    const page = { state: 'in-progress', pageSize: 20 } as const
    assert.deepEqual(await unfinished(divided, page), await unfinished(whole, page))
  },
)

test('parts: one cannot be reached → the others are read; none → its error', async () => {
  const read = async (parts: Sql[]) => {
    const found: number[] = []
    for await (const count of inEach({ log }, parts, async (sql) => (await sql`select`).count)) found.push(count)
    return found
  }
  const broken = (() => Promise.reject(new Error('away'))) as unknown as Sql
  assert.deepEqual(await read([broken, first]), [1])
  await assert.rejects(read([broken, broken]), /away/)
})
