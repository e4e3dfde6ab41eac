/** The work behind the requests: the steps of one worker process beside TPC-B, and the ledger's calls by themselves. */
import type postgres from 'postgres'
import { openDb } from '../server/src/db/db.ts'
import { newId } from '../server/src/id.ts'
import { creditFreezeHolds, creditReleaseHolds, creditSettleHolds } from '../server/test/support/ledger/ledger-calls.ts'
import { type Bench, runInProcess } from './environment.ts'
import type { Job, LifecycleResult } from './lifecycle-process.ts'
import {
  BASELINE_CONNECTIONS,
  type Baseline,
  baselineLine,
  createTpcb,
  ratesOf,
  runBaseline,
  tpcb,
} from './sql-load.ts'
import { type Line, median, medianRatio } from './table.ts'
import { createVideos, userIdOf } from './users.ts'

const LIFECYCLE_TARGET = 4
const LIFECYCLE_VIDEOS = 12_000
/** The most that the setting allows: an eighth of it collects, and the larger the sets, the less a step costs. */
const LIFECYCLE_CONCURRENCY = '1000'
const STEPS = 3
const ALONE_VIDEOS = 500
const LEDGER_TARGET = 30_000
const LEDGER_BATCH = 128
/** The user of the ledger's calls by themselves, which make holds that have no video. */
export const LEDGER_USER = userIdOf(1)

/** Videos from PENDING to COMPLETED by the worker's loop. */
export async function lifecycle({ environment, sql, seconds, runs }: Bench): Promise<Line[]> {
  await createTpcb(sql)
  const baselines: Baseline[] = []
  const rates: number[] = []
  const cpuUs: number[] = []
  const databaseUs: number[] = []
  const writes: Writes[] = []
  const concurrency = environment.env.WORKER_CONCURRENCY ?? LIFECYCLE_CONCURRENCY
  const env = { ...environment.env, WORKER_CONCURRENCY: concurrency }
  const emptyBytes = await tableBytes(sql)
  for (let i = 0; i < runs; i += 1) {
    baselines.push(await runBaseline(environment, tpcb, seconds))
    await createVideos(sql, LIFECYCLE_VIDEOS, () => newId(new Date()))
    await sql.unsafe('vacuum analyze')
    const job = { videos: LIFECYCLE_VIDEOS }
    const countWrites = await openWriteCount(sql)
    const startDatabaseUs = environment.databaseCpuUs()
    const result = await runInProcess<Job, LifecycleResult>('lifecycle-process.ts', job, env)
    rates.push(result.steps / result.seconds)
    cpuUs.push(result.cpuUs)
    databaseUs.push((environment.databaseCpuUs() - startDatabaseUs) / result.steps)
    writes.push(await countWrites(LIFECYCLE_VIDEOS))
  }
  const grownBytes = await tableBytes(sql)
  const bytesOf = (name: string) =>
    ((grownBytes.get(name) ?? 0) - (emptyBytes.get(name) ?? 0)) / (runs * LIFECYCLE_VIDEOS)
  const alone = await oneByOne(environment, sql)
  return [
    baselineLine(`TPC-B, scale 20, ${BASELINE_CONNECTIONS} connections`, baselines),
    {
      what: 'lifecycle steps of one worker process',
      unit: 'steps/s',
      runs: rates,
      ratio: { value: medianRatio(rates, ratesOf(baselines)), target: LIFECYCLE_TARGET },
      note:
        `${LIFECYCLE_VIDEOS.toLocaleString('en')} videos from PENDING to COMPLETED, three steps each: submit (before and after the request), ` +
        'poll and complete with settling, claims included, all durable. The stub provider responds at ' +
        `once; download, inspection and storage of the film are left out. WORKER_CONCURRENCY is ${concurrency}. Of a step the worker took ` +
        `${Math.round(median(cpuUs))} µs of CPU time and PostgreSQL ${Math.round(median(databaseUs))} µs; of a film ` +
        `${Math.round(median(cpuUs) * STEPS)} µs and ${Math.round(median(databaseUs) * STEPS)} µs. ${writesText(writes)}`,
      figures: {
        filmDatabaseUs: median(databaseUs) * STEPS,
        filmRowsBytes: bytesOf('rows'),
        filmLogBytes: bytesOf('video_log'),
        filmTaskBytes: bytesOf('provider_task'),
      },
    },
    {
      what: 'the same, one film at a time: PostgreSQL, a film',
      unit: 'µs',
      runs: [alone.databaseUs],
      figures: { filmAloneDatabaseUs: alone.databaseUs },
      note: `the worker took ${Math.round(alone.workerUs)} µs of a film. Both have their polls for work in it.`,
    },
  ]
}

/** A service with little to do: no set has more than one film. */
async function oneByOne(environment: Bench['environment'], sql: postgres.Sql) {
  await createVideos(sql, ALONE_VIDEOS, () => newId(new Date()))
  const startUs = environment.databaseCpuUs()
  const env = { ...environment.env, WORKER_CONCURRENCY: '1' }
  const { steps, cpuUs } = await runInProcess<Job, LifecycleResult>(
    'lifecycle-process.ts',
    { videos: ALONE_VIDEOS },
    env,
  )
  return {
    databaseUs: (environment.databaseCpuUs() - startUs) / ALONE_VIDEOS,
    workerUs: (cpuUs * steps) / ALONE_VIDEOS,
  }
}

/** Bytes with indexes: of what ends by a setting of its own by its table, and of all others as `rows`. */
async function tableBytes(sql: postgres.Sql): Promise<Map<string, number>> {
  const tables = await sql<{ name: string; bytes: number }[]>`
    select case when relname in ('video_log', 'provider_task') then relname else 'rows' end as name,
           sum(pg_total_relation_size(oid))::float8 as bytes
    from pg_class where relnamespace = 'kinora'::regnamespace and relkind = 'r' group by 1
  `
  return new Map(tables.map(({ name, bytes }) => [name, bytes]))
}

/** What PostgreSQL's log has of a film. `walBytes` are without the pages that follow a checkpoint. */
type Writes = {
  walBytes: number
  updates: number
  hotUpdates: number
  inserts: number
  btree: number
  gin: number
  locks: number
}

/** Begins to count in the log. @returns the counts of each of `films` since then */
async function openWriteCount(sql: postgres.Sql): Promise<(films: number) => Promise<Writes>> {
  await sql`create extension if not exists pg_walinspect`
  const [start] = await sql<{ lsn: string }[]>`select pg_current_wal_lsn()::text as lsn`
  return async (films) => {
    const records = await sql<{ name: string; count: number; bytes: number }[]>`
      select "resource_manager/record_type" as name, count::float8 as count, record_size::float8 as bytes
      from pg_get_wal_stats(${start?.lsn ?? ''}, pg_current_wal_lsn(), true)
    `
    const of = (pattern: RegExp, field: 'count' | 'bytes' = 'count') =>
      records.filter(({ name }) => pattern.test(name)).reduce((sum, record) => sum + record[field], 0) / films
    return {
      walBytes: of(/./, 'bytes'),
      updates: of(/^Heap\/UPDATE/),
      hotUpdates: of(/^Heap\/HOT_UPDATE/),
      inserts: of(/^Heap\/INSERT|^Heap2\/MULTI_INSERT/),
      btree: of(/^Btree\/INSERT/),
      gin: of(/^Gin\//),
      locks: of(/^Heap\/LOCK|^Heap2\/LOCK/),
    }
  }
}

function writesText(writes: Writes[]): string {
  const of = (field: keyof Writes) => median(writes.map((each) => each[field])).toFixed(1)
  return (
    `PostgreSQL logs of a film ${Math.round(median(writes.map(({ walBytes }) => walBytes))).toLocaleString('en')} bytes, ` +
    `${of('updates')} updates that are not HOT and ${of('hotUpdates')} that are, ${of('inserts')} inserts of rows, ${of('btree')} ` +
    `entries of B-trees, ${of('gin')} records of GIN, and ${of('locks')} locks of rows.`
  )
}

/** The ledger by itself: freeze, settle and release in batches, all on one account row. */
export async function ledger({ environment, seconds, runs }: Bench): Promise<Line[]> {
  const sql = openDb(environment.databaseUrl, { connections: 1, name: 'kinora bench' })
  const cycle = async () => {
    const now = new Date()
    const holds = Array.from({ length: LEDGER_BATCH }, () => ({
      userId: LEDGER_USER,
      holdId: newId(now),
      credits: 1,
      remark: 'bench',
      graceS: 60,
    }))
    const half = LEDGER_BATCH / 2
    await creditFreezeHolds(sql, holds, now)
    await creditSettleHolds(sql, holds.slice(0, half), new Date())
    await creditReleaseHolds(sql, holds.slice(half), new Date())
    return LEDGER_BATCH * 2
  }
  const rates: number[] = []
  for (let i = 0; i < runs; i += 1) {
    const startMs = performance.now()
    let done = 0
    while (performance.now() < startMs + seconds * 1000) done += await cycle()
    rates.push((done * 1000) / (performance.now() - startMs))
  }
  await sql.end()
  return [
    {
      what: `freeze, settle, release: one account, batches of ${LEDGER_BATCH}, one connection`,
      unit: '/s',
      runs: rates,
      target: LEDGER_TARGET,
      note: 'durable, with hash-chained history, through the driver.',
    },
  ]
}
