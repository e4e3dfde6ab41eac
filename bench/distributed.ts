/**
 * `npm run bench:distributed`: PostgreSQL's CPU time for the life of a video on the Citus cluster that CITUS_URL names, and on a plain
 * database of the same server, in turn. Counted are the sessions of the bench, whose processes have to be on this machine: a statement about
 * a user uses no others. Options: `--videos` of each run, `--runs`, `--shards`, `--at-once` requests that
 * are under way together: the fewer shards and the more requests, the larger the sets.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { openDatabase } from '../server/src/db/database.ts'
import { openDb, type Sql } from '../server/src/db/db.ts'
import { migrate } from '../server/src/db/migrate.ts'
import { onePart } from '../server/src/db/parts.ts'
import { openSetCalls, type SetCalls } from '../server/src/db/set-calls.ts'
import { newId } from '../server/src/id.ts'
import { videoClaimOldest } from '../server/src/video/claim-transitions.ts'
import * as steps from '../server/src/video/transitions.ts'
import { creditGrant } from '../server/test/support/ledger/ledger-calls.ts'
import { newVideo } from '../server/test/support/video-row.ts'
import { median } from './table.ts'

const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '3' },
    shards: { type: 'string', default: '8' },
    'at-once': { type: 'string', default: '1,64' },
  },
})
const citusUrl = process.env.CITUS_URL
if (!citusUrl) {
  console.log('SKIPPED: CITUS_URL is not set: docs/distributed.md says how to start a cluster.')
  process.exit(0)
}
const [videos, runs] = [Number(values.videos), Number(values.runs)]
const USERS = 256
/** One session each, so that all of its time is that of its process. */
const SESSIONS = { connections: 1, name: 'kinora bench' }
const TICK_US = 10_000

type Database = {
  name: string
  calls: SetCalls
  sql: Sql
  /** What one worker claims from: all, or the shards of one node. */
  claimed: () => Sql[]
  cpuUs: () => number
  users: string[]
  close: () => Promise<void>
}
type Costs = Record<'generate' | 'poll' | 'claim' | 'begin' | 'accept' | 'result' | 'complete', number>

const databases = [await openPlain(citusUrl), await openCluster(citusUrl)]
try {
  for (const atOnce of values['at-once'].split(',').map(Number)) {
    const costs = databases.map((): Costs[] => [])
    for (let run = 0; run <= runs; run += 1) {
      // The first one is the warm-up: plans are made.
      for (const [i, database] of databases.entries()) {
        const found = await measure(database, atOnce)
        if (run > 0) costs[i]?.push(found)
      }
    }
    console.log(`\n${atOnce} at once: µs of PostgreSQL for each video, medians of ${runs}`)
    console.log(['', ...databases.map(({ name }) => name), 'ratio'].map((text) => text.padStart(12)).join(''))
    for (const step of Object.keys(costs[0]?.[0] ?? {}) as (keyof Costs)[]) {
      const [plain = 0, distributed = 0] = costs.map((all) => median(all.map((each) => each[step])))
      const columns = [step, plain.toFixed(0), distributed.toFixed(0), (distributed / plain).toFixed(2)]
      console.log(columns.map((text) => text.padStart(12)).join(''))
    }
  }
} finally {
  for (const database of databases) await database.close()
}

async function measure(database: Database, atOnce: number): Promise<Costs> {
  const { calls, users } = database
  const created = Array.from({ length: videos }, (_, i) => ({
    userId: users[i % users.length] as string,
    videoId: newId(new Date()),
    taskId: randomUUID(),
  }))
  const lease = randomUUID()
  const now = () => new Date()
  const later = (ms: number) => new Date(Date.now() + ms)
  const each = async (step: (video: (typeof created)[number]) => Promise<unknown>): Promise<number> => {
    const startUs = database.cpuUs()
    const left = created.values()
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const video of left) await step(video)
      }),
    )
    return (database.cpuUs() - startUs) / videos
  }
  const generate = await each((video) =>
    steps.videoGenerate(
      calls,
      newVideo({
        ...video,
        now: now(),
        prompt: 'A paper boat in a rain gutter, dawn, the camera low above the water, reflections of shop signs',
        providers: ['provider-b', 'provider-a'],
        usualS: 60,
        deadlineAt: later(1_800_000),
      }),
    ),
  )
  const poll = await each(({ userId, videoId }) => calls.task.add(userId, { user_id: userId, id: videoId }, now()))
  const startUs = database.cpuUs()
  let claims = 0
  for (let claimed = 0; claimed < videos; ) {
    for (const sql of database.claimed()) {
      const due = { statuses: ['PENDING' as const, 'GENERATING' as const], count: 64, bucket: null }
      const rows = await videoClaimOldest(sql, { ...due, lease, leaseUntil: later(60_000), now: now() })
      claimed += rows.length
      if (rows.length > 0) claims += 1
    }
  }
  const claim = (database.cpuUs() - startUs) / videos
  if (claims === 0) throw new Error('nothing was claimed')
  const leased = <T extends object>(video: T) => ({ ...video, lease, now: now() })
  return {
    generate,
    poll,
    claim,
    begin: await each((video) => steps.videoBeginSubmit(calls, leased(video))),
    accept: await each((video) =>
      steps.videoAccept(calls, { ...video, now: now(), dueAt: later(60_000), deadlineAt: later(1_800_000) }),
    ),
    result: await each((video) =>
      steps.videoReportResult(calls, {
        ...video,
        now: now(),
        provider: 'provider-b',
        url: 'https://films.example/a.mp4',
      }),
    ),
    complete: await completeAll(database, created, each),
  }
}

async function completeAll(
  database: Database,
  created: { userId: string; videoId: string }[],
  each: (step: (video: (typeof created)[number] & { taskId: string }) => Promise<unknown>) => Promise<number>,
): Promise<number> {
  const lease = randomUUID()
  for (let claimed = 0; claimed < created.length; ) {
    for (const sql of database.claimed()) {
      const due = { statuses: ['UPLOADING' as const], count: 64, bucket: null }
      const leaseUntil = new Date(Date.now() + 60_000)
      claimed += (await videoClaimOldest(sql, { ...due, lease, leaseUntil, now: new Date() })).length
    }
  }
  const film = { sizeBytes: 1_000_000, durationS: 4, width: 1280, height: 720 }
  const complete = await each(({ userId, videoId }) =>
    steps.videoComplete(database.calls, {
      userId,
      videoId,
      lease,
      now: new Date(),
      videoKey: `video/${userId}/${videoId}.mp4`,
      thumbnailKey: `video/${userId}/${videoId}.jpg`,
      ...film,
    }),
  )
  const [row] = await database.sql<[{ count: number }]>`
    select count(*)::integer as count from kinora.video where lease_id = ${lease} and status = 'UPLOADING'
  `
  if (row.count > 0) throw new Error(`${row.count} videos are not completed`)
  return complete
}

async function openPlain(url: string): Promise<Database> {
  const name = 'kinora_bench_plain'
  const own = await createDatabase(url, name)
  await migrate(own)
  const sql = openDb(own, SESSIONS)
  return finish(
    'plain',
    sql,
    openSetCalls(onePart(sql)),
    () => [sql],
    [sql],
    () => dropDatabase(url, name),
  )
}

async function openCluster(url: string): Promise<Database> {
  const name = 'kinora_bench_citus'
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  const nodes = await admin<{ host: string; port: number }[]>`
    select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' and groupid <> 0
  `
  await admin.end()
  const urls = [url, ...nodes.map(({ host, port }) => withHost(url, host, port))]
  const [own = ''] = await Promise.all(urls.map((each) => createDatabase(each, name)))
  for (const each of urls) await run(inDatabase(each, name), 'create extension citus')
  const { hostname, port } = new URL(url)
  await run(own, `select citus_set_coordinator_host('${hostname}', ${port || 5432})`)
  for (const { host, port } of nodes) await run(own, `select citus_add_node('${host}', ${port})`)
  await migrate(own, { parts: Number(values.shards) })
  const coordinator = openDb(own, SESSIONS)
  const distributed = await openDatabase(own, SESSIONS)
  const parts = distributed.parts()
  return finish(
    'distributed',
    distributed.sql,
    openSetCalls(distributed),
    distributed.parts,
    [coordinator, ...parts],
    async () => {
      await distributed.close()
      for (const each of urls) await dropDatabase(each, name)
    },
    coordinator,
  )
}

async function finish(
  name: string,
  sql: Sql,
  calls: SetCalls,
  claimed: () => Sql[],
  sessions: Sql[],
  drop: () => Promise<void>,
  base: Sql = sql,
): Promise<Database> {
  const users = Array.from({ length: USERS }, () => newId(new Date()))
  for (const userId of users) {
    const expiresAt = new Date(Date.now() + 365 * 86_400_000)
    const grant = { source: 'bench', transType: 'SYSTEM_ADJUST', credits: 1_000_000_000, orderNo: null, remark: null }
    await creditGrant(sql, { userId, packageId: newId(new Date()), expiresAt, now: new Date(), ...grant })
  }
  const pids = new Set<number>()
  for (const session of sessions) {
    const [row] = await session<[{ pid: number }]>`select pg_backend_pid() as pid`
    pids.add(row.pid)
  }
  return {
    name,
    sql: base,
    calls,
    claimed,
    users,
    cpuUs: () => [...pids].reduce((sum, pid) => sum + cpuUsOf(pid), 0),
    close: async () => {
      await base.end({ timeout: 1 })
      await drop()
    },
  }
}

function cpuUsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/\(.*\)/, '()')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) * TICK_US
}

async function createDatabase(url: string, name: string): Promise<string> {
  await dropDatabase(url, name)
  await run(url, `create database ${name}`)
  return inDatabase(url, name)
}

function dropDatabase(url: string, name: string): Promise<void> {
  return run(url, `drop database if exists ${name} with (force)`)
}

async function run(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe(statement)
  await sql.end()
}

function inDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

function withHost(url: string, host: string, port: number): string {
  const changed = new URL(url)
  changed.hostname = host
  changed.port = `${port}`
  return changed.href
}
