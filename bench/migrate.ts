/**
 * `npm run bench:migrate -- --videos 5000000`: how long requests wait while migrations change big tables and the SQL functions
 * are replaced. The load sends the server's statements; the table shows the longest of each phase.
 */
import { randomUUID } from 'node:crypto'
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { creditBalance } from '../server/src/credit/ledger.ts'
import { openDb, type Sql } from '../server/src/db/db.ts'
import { migrate } from '../server/src/db/migrate.ts'
import { videoCancel, videoGenerate } from '../server/src/video/transitions.ts'
import { newVideo } from '../server/test/support/video-row.ts'
import { openEnvironment } from './environment.ts'
import { seedLedger } from './seed.ts'
import { quantile } from './table.ts'
import { verifyBooks } from './verify-books.ts'

const LIMIT_MS = 1_000
const LOOPS = 8
const VIDEOS_PER_USER = 50
const PRICE = 16

/** What a generate request becomes. */
const video = {
  prompt: 'A paper boat in a rain gutter',
  credits: PRICE,
  providers: ['provider-b', 'provider-a'],
  usualS: 60,
}

const { values: options } = parseArgs({ options: { videos: { type: 'string', default: '500000' } } })
const videos = Number(options.videos)
const users = Math.ceil(videos / VIDEOS_PER_USER)

/** Each is one release: a migration, or only the replacement of the functions. */
const phases: [title: string, migration: string][] = [
  ['no migration', ''],
  ['replace the functions', ''],
  [
    'add columns to four tables',
    `-- step: videos
alter table kinora.video add column if not exists next text, alter column next set default 'new',
add column if not exists next_at timestamptz not null default now();
-- step: transactions
alter table kinora.credit_transaction add column if not exists next bigint not null default 0;
-- step: holds
alter table kinora.credit_hold add column if not exists next bigint;
-- step: accounts
alter table kinora.credit_account add column if not exists next bigint not null default 0;`,
  ],
  [
    'create index concurrently on videos',
    `-- step: index
create index concurrently if not exists video_next on kinora.video (user_id, next_at);`,
  ],
  [
    'create index concurrently on transactions',
    `-- step: index
create index concurrently if not exists transaction_next on kinora.credit_transaction (user_id, next);`,
  ],
  [
    'add a check, not valid',
    'alter table kinora.credit_transaction add constraint next_there check (next is not null) not valid;',
  ],
  [
    'validate it, set not null',
    `-- step: validate
alter table kinora.credit_transaction validate constraint next_there;
-- step: not null
alter table kinora.credit_transaction alter column next set not null;`,
  ],
  [
    'fill a column of 100,000 videos in batches',
    `-- repeated step: fill
update kinora.video set next = 'x'
where (user_id, id) in (
  select user_id, id from kinora.video where next is null and user_id < '00000000-0000-7000-8000-${hex(2000)}' limit 2000
);`,
  ],
  ['drop a column', '-- contract: a bench\nalter table kinora.video drop column next;'],
]

const environment = await openEnvironment()
const folder = mkdtempSync(path.join(tmpdir(), 'kinora-bench-schema-'))
try {
  const sql = openDb(environment.databaseUrl, { connections: LOOPS, name: 'bench' })
  console.error(`seeding ${videos} videos of ${users} users …`)
  await seed()
  for (const name of ['migrations', 'sql']) {
    cpSync(fileURLToPath(new URL(`../server/${name}`, import.meta.url)), path.join(folder, name), { recursive: true })
  }
  const load = startLoad(sql)
  console.log(`${videos} videos, ${LOOPS} connections\n`)
  console.log(row('', 'took s', 'statements', 'failed', 'median ms', 'p99.9 ms', 'longest ms'))
  for (const [i, [title, text]] of phases.entries()) {
    load.reset()
    const startMs = performance.now()
    if (i > 0) await release(i, text)
    // The connections parse everything again after the commit.
    await sleep(3_000)
    const { times, failed } = load.results()
    const tookS = (performance.now() - startMs - 3_000) / 1000
    console.log(
      row(
        title,
        tookS.toFixed(1),
        times.length,
        failed.length,
        ...[0.5, 0.999, 1].map((share) => quantile(times, share).toFixed(1)),
      ),
    )
    for (const message of new Set(failed)) console.log(`  ${message}`)
    if (failed.length > 0 || quantile(times, 1) > LIMIT_MS) process.exitCode = 1
  }
  await load.stop()
  await sql.end()
  await verifyBooks(environment)
} finally {
  rmSync(folder, { recursive: true })
  await environment.close()
}

async function release(i: number, text: string): Promise<void> {
  if (text) writeFileSync(path.join(folder, `migrations/9${100 + i}.sql`), text)
  writeFileSync(path.join(folder, 'sql/schema.json'), JSON.stringify({ version: 1_000 + i, minimum: 0 }))
  appendFileSync(path.join(folder, 'sql/verify.sql'), `\n-- ${i}\n`)
  await migrate(environment.databaseUrl, {
    dir: pathToFileURL(`${folder}/`),
    warn: (message) => console.log(`  ${message}`),
  })
}

function startLoad(sql: Sql) {
  let times: number[] = []
  let failed: string[] = []
  let isStopped = false
  const timed = async (work: () => Promise<unknown>) => {
    const startMs = performance.now()
    await work().catch((error: Error) => failed.push(error.message))
    times.push(performance.now() - startMs)
  }
  const loop = async () => {
    while (!isStopped) {
      const userId = `00000000-0000-7000-8000-${hex(1 + Math.floor(Math.random() * users))}`
      const at = { userId, videoId: randomUUID(), now: new Date() }
      await timed(() => videoGenerate(sql, newVideo({ ...at, ...video, deadlineAt: new Date(Date.now() + 1_800_000) })))
      await timed(() => creditBalance(sql, at))
      await timed(
        () => sql`select id, status, created_at from kinora.video where user_id = ${userId} order by id desc limit 20`,
      )
      await timed(
        () => sql`select n, credits from kinora.credit_transaction where user_id = ${userId} order by n desc limit 20`,
      )
      await timed(() => videoCancel(sql, { ...at, error: 'Cancelled.', graceS: 60 }))
      await sleep(5)
    }
  }
  const loops = Array.from({ length: LOOPS }, loop)
  return {
    reset: () => {
      times = []
      failed = []
    },
    results: () => ({ times, failed }),
    stop: async () => {
      isStopped = true
      await Promise.all(loops)
    },
  }
}

async function seed(): Promise<void> {
  const sql = openDb(environment.databaseUrl, { connections: 1, name: 'bench seed', statementTimeoutMs: 0 })
  await seedLedger(sql, { groups: [{ users, films: VIDEOS_PER_USER }] })
  await sql.end()
}

function hex(n: number): string {
  return n.toString(16).padStart(12, '0')
}

function row(title: string, ...cells: (string | number)[]): string {
  return title.padEnd(46) + cells.map((cell) => String(cell).padStart(11)).join('')
}
