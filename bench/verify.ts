/**
 * `node bench/verify.ts`: how long `kinora verify` takes over many videos. Seeds an embedded PostgreSQL with `--videos` videos
 * (default 5,000,000) of `--users` users (default 50,000): nine of ten completed, one failed. The users are copies of one whom the
 * service's functions made, each with a hash chain of its own.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { verifyInRanges } from '../server/src/credit/verify.ts'
import { migrate } from '../server/src/db/migrate.ts'
import { openDb } from '../server/src/db.ts'

const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '5000000' },
    users: { type: 'string', default: '50000' },
    connections: { type: 'string', default: '1,2' },
    /** A database that was seeded before, with or without one to seed. */
    'database-url': { type: 'string' },
    seeded: { type: 'boolean', default: false },
  },
})
const users = Number(values.users)
const perUser = Math.round(Number(values.videos) / users)

const embedded = values['database-url'] ? null : await startEmbedded()
const databaseUrl = values['database-url'] ?? embedded?.url ?? ''
try {
  if (!values.seeded) {
    await migrate(databaseUrl)
    await seed(databaseUrl)
  }
  for (const connections of values.connections.split(',').map(Number)) await measure(connections)
} finally {
  embedded?.child.kill('SIGTERM')
}

async function measure(connections: number): Promise<void> {
  const sql = openDb(databaseUrl, {
    connections: connections + 2,
    name: 'bench',
    statementTimeoutMs: 0,
    parallel: false,
  })
  const started = performance.now()
  let ranges = 0
  let differences = 0
  let longestMs = 0
  let lastMs = started
  await verifyInRanges(sql, {
    connections,
    onRange: (range) => {
      ranges++
      differences += range.differences.length
      longestMs = Math.max(longestMs, performance.now() - lastMs)
      lastMs = performance.now()
    },
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(
    `${users * perUser} videos, ${connections} connections: ${seconds} s, ${ranges} ranges, ${differences} differences, ` +
      `at most ${Math.round(longestMs)} ms between two ranges`,
  )
  await sql.end()
}

/** Rows by SQL, because five million calls would take an hour; the history is what freezes and releases would have written. */
async function seed(url: string): Promise<void> {
  const sql = openDb(url, { connections: 2, name: 'bench seed', statementTimeoutMs: 0 })
  const id = (kind: string, n: string) => `('${kind}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
  const step = async (name: string, text: string) => {
    const started = performance.now()
    await sql.unsafe(text)
    console.error(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }
  const failed = `(v.n % 10 = 0)`
  const videos = `generate_series(0, ${users} - 1) u (n) cross join generate_series(1, ${perUser}) v (n)`
  const user = id('00000001', 'u.n')
  const pack = id('00000002', 'u.n')
  const video = id('00000003', `u.n::bigint * ${perUser} + v.n`)
  const used = perUser - Math.floor(perUser / 10)
  const initial = 1_000_000
  const rows = 1 + perUser + Math.floor(perUser / 10)
  await step(
    'accounts and packages',
    `insert into kinora.credit_account (user_id, available, used, total, transactions, ledger_version, next_expiry_at, created_at)
     select ${user}, ${initial} - ${used} * 16, ${used} * 16, ${initial}, ${rows}, 1, '2099-01-01', now()
     from generate_series(0, ${users} - 1) u (n);
     insert into kinora.credit_package (user_id, id, trans_type, source, initial, remaining, used, expires_at, created_at)
     select ${user}, ${pack}, 'ORDER_PAY', 'bench', ${initial}, ${initial} - ${used} * 16, ${used} * 16, '2099-01-01', now()
     from generate_series(0, ${users} - 1) u (n)`,
  )
  await step(
    'holds and slices',
    `insert into kinora.credit_hold (user_id, id, credits, state, created_at, closed_at)
     select ${user}, ${video}, 16, case when ${failed} then 'released' else 'settled' end, now(), now() from ${videos};
     insert into kinora.credit_slice (user_id, hold_id, package_id, credits)
     select ${user}, ${video}, ${pack}, 16 from ${videos}`,
  )
  await step(
    'videos',
    `insert into kinora.video (user_id, id, status, prompt, model, duration_s, aspect_ratio, quality, credits, providers, usual_s,
       error, video_key, thumbnail_key, created_at, updated_at, deadline_at)
     select ${user}, ${video}, case when ${failed} then 'FAILED' else 'COMPLETED' end, repeat('a paper boat ', 12), 'delta-1-5', 4,
       '16:9', '720p', 16, '{provider-a}', 60, 'e', 'video/' || v.n, 'video/' || v.n, now(), now(), now()
     from ${videos}`,
  )
  // Row n: the grant, then each freeze, and after every tenth its release.
  await step(
    'history',
    `insert into kinora.credit_transaction (user_id, n, id, trans_no, trans_type, credits, balance_after, package_id, video_id,
       remark, created_at, source, expires_at)
     select a.user_id, 1, gen_random_uuid(), kinora.credit_trans_no(a.number, 1), 'ORDER_PAY', ${initial}, ${initial}, p.id, null,
       'bench', now(), 'bench', p.expires_at
     from kinora.credit_account a join kinora.credit_package p on p.user_id = a.user_id;
     insert into kinora.credit_transaction (user_id, n, id, trans_no, trans_type, credits, balance_after, video_id, remark, created_at)
     select a.user_id, r.n, ${video}, kinora.credit_trans_no(a.number, r.n), r.type, r.credits,
       ${initial} - 16 * (v.n - (v.n - 1) / 10) + case when r.type = 'REFUND' then 16 else 0 end, ${video}, 'delta-1-5, 4 s', now()
     from ${videos}
     join kinora.credit_account a on a.user_id = ${user}
     cross join lateral (
       select 1 + v.n + (v.n - 1) / 10 as n, 'VIDEO_CONSUME' as type, -16 as credits
       union all select 2 + v.n + (v.n - 1) / 10, 'REFUND', 16 where ${failed}
     ) r`,
  )
  await step('statistics', 'vacuum (analyze) kinora.credit_transaction')
  await step(
    'hash chain',
    `create temporary table chain as
     select user_id, n, kinora.history_chain('\\x', kinora.history_text(t)) over (partition by user_id order by n) as hash
     from kinora.credit_transaction t;
     update kinora.credit_transaction t set hash = c.hash from chain c where c.user_id = t.user_id and c.n = t.n;
     update kinora.credit_account a set history_hash = c.hash from chain c where c.user_id = a.user_id and c.n = a.transactions`,
  )
  await step('vacuum', 'vacuum full kinora.credit_transaction')
  await step('statistics', 'vacuum (analyze)')
  await sql.end()
}

async function startEmbedded(): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(
    process.execPath,
    [new URL('../cli/src/main.ts', import.meta.url).pathname, 'postgres', '--fast'],
    {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    return { url: (JSON.parse(line) as { url: string }).url, child }
  }
  throw new Error('The embedded PostgreSQL did not start.')
}
