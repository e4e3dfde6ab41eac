/**
 * The measurements, one function each, in the order of the table. Each run measures the baseline and then the service,
 * so that growing tables and background load affect both alike.
 */
import type postgres from 'postgres'
import { openDb } from '../server/src/db/db.ts'
import { newId } from '../server/src/id.ts'
import { creditFreezeHolds, creditReleaseHolds, creditSettleHolds } from '../server/test/support/ledger/ledger-calls.ts'
import type { BareJob, BareReady } from './bare-server.ts'
import {
  type BenchEnvironment,
  cpuUsOfTree,
  memoryBytes,
  runInProcess,
  startBusyProvider,
  startProcess,
  startServer,
} from './environment.ts'
import type { Job as LoadJob, LoadResult } from './http-load.ts'
import type { Job as LifecycleJob, LifecycleResult } from './lifecycle-process.ts'
import type { PacedJob, PacedResult } from './paced-load.ts'
import { runSqlLoad, type Script, tool } from './sql-load.ts'
import { type Line, median, medianRatio } from './table.ts'
import { createTpcb, tpcb } from './tpcb.ts'
import { createVideos, USERS, userIdOf, userIdSql, videoIdSql } from './users.ts'

export type Bench = { environment: BenchEnvironment; sql: postgres.Sql; seconds: number; runs: number }

const CONNECTIONS = 64
const BASELINE_CONNECTIONS = 32
const WARM_UP_SECONDS = 2
const GENERATE_TARGET = 2.5
const ONE_ACCOUNT_TARGET = 0.9
const READ_TARGET = 0.5
const LIFECYCLE_TARGET = 4
const LEDGER_TARGET = 30_000
const LEDGER_BATCH = 128
const LIFECYCLE_VIDEOS = 12_000
/** The most that the setting allows: an eighth of it collects, and the larger the sets, the less a step costs. */
const LIFECYCLE_CONCURRENCY = '1000'
const IDLE_MS = 5_000
const MEMORY_SAMPLE_MS = 250

const allUsers: Script['variables'] = { n: [1, USERS] }
const times = async <T>(count: number, run: () => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let i = 0; i < count; i += 1) results.push(await run())
  return results
}

/** POST /generate of many accounts and of one, beside TPC-B on the same database. */
export async function generate({ environment, sql, seconds, runs }: Bench): Promise<Line[]> {
  await createTpcb(sql)
  // One account exceeds the limit of 60 requests a minute.
  const server = await startServer(environment, 'api', { RATE_LIMITS: 'off' })
  const baselines: number[] = []
  const many: LoadResult[] = []
  const one: LoadResult[] = []
  const apiUs: number[] = []
  const databaseUs: number[] = []
  await load({ kind: 'generate', port: server.port, seconds: WARM_UP_SECONDS })
  for (let i = 0; i < runs; i += 1) {
    baselines.push(await runSqlLoad(environment.databaseUrl, tpcb, BASELINE_CONNECTIONS, seconds))
    const startUs = await server.cpuUs()
    const startDatabaseUs = environment.databaseCpuUs()
    const result = await load({ kind: 'generate', port: server.port, seconds })
    apiUs.push(((await server.cpuUs()) - startUs) / result.requests)
    databaseUs.push((environment.databaseCpuUs() - startDatabaseUs) / result.requests)
    many.push(result)
    one.push(await load({ kind: 'generate', port: server.port, seconds, users: 1 }))
  }
  const lone = await load({ kind: 'generate', port: server.port, seconds, connections: 1 })
  const manyRates = many.map((each) => each.perSecond)
  const perSecond = Math.round(median(manyRates) / 2)
  const half = await times(runs, () =>
    runInProcess<PacedJob, PacedResult>('paced-load.ts', { port: server.port, perSecond, seconds }),
  )
  const failed = half.find((each) => each.failed > 0)
  if (failed) throw new Error(`${failed.failed} of ${failed.sent} failed at half of the top load: ${failed.example}`)
  await server.stop()
  const oneRates = one.map((each) => each.perSecond)
  return [
    { what: `TPC-B, scale 20, ${BASELINE_CONNECTIONS} connections (${tool})`, unit: '/s', runs: baselines },
    {
      what: `POST /generate, ${USERS} accounts`,
      unit: '/s',
      runs: manyRates,
      ratio: { value: medianRatio(manyRates, baselines), target: GENERATE_TARGET },
      note:
        `one API process, sessions and validation as in production; ${CONNECTIONS} connections. Client, API and PostgreSQL share ` +
        `the machine's CPUs: of every request the API took ${Math.round(median(apiUs))} µs, PostgreSQL ` +
        `${Math.round(median(databaseUs))} µs and the client ${Math.round(median(many.map((each) => each.cpuUs)))} µs.`,
    },
    {
      what: 'POST /generate, one account',
      unit: '/s',
      runs: oneRates,
      ratio: { value: medianRatio(oneRates, manyRates), target: ONE_ACCOUNT_TARGET },
      note: 'the ratio is to the line above.',
    },
    { what: 'POST /generate, one connection: median latency', unit: 'µs', runs: [lone.p50 * 1000] },
    { what: 'POST /generate, top load: 99th percentile', unit: 'µs', runs: many.map((each) => each.p99 * 1000) },
    {
      what: `POST /generate, half of the top load (${perSecond}/s): 99th percentile`,
      unit: 'µs',
      runs: half.map((each) => each.p99Ms * 1000),
      note: 'requests are sent at that rate whether or not those before have their response.',
    },
  ]
}

const ofUser = `user_id = ${userIdSql}`
const reads = {
  task: `select id, status, progress, error from kinora.video where ${ofUser} and id = ${videoIdSql}`,
  list: `select * from kinora.video where ${ofUser} and deleted_at is null order by id desc limit 21`,
  history: `select * from kinora.credit_transaction where ${ofUser} order by n desc limit 21`,
}

/** GET requests beside their queries in SQL alone. */
export async function read({ environment, seconds, runs }: Bench): Promise<Line[]> {
  const server = await startServer(environment, 'api', { RATE_LIMITS: 'off' })
  const lines: Line[] = []
  for (const [kind, statement] of Object.entries(reads) as [keyof typeof reads, string][]) {
    const script = { variables: allUsers, statements: [statement] }
    const baselines: number[] = []
    const rates: number[] = []
    const apiUs: number[] = []
    await load({ kind, port: server.port, seconds: WARM_UP_SECONDS })
    for (let i = 0; i < runs; i += 1) {
      baselines.push(await runSqlLoad(environment.databaseUrl, script, BASELINE_CONNECTIONS, seconds))
      const startUs = await server.cpuUs()
      const result = await load({ kind, port: server.port, seconds })
      apiUs.push(((await server.cpuUs()) - startUs) / result.requests)
      rates.push(result.perSecond)
    }
    lines.push(
      { what: `the query of ${kind} (${tool})`, unit: '/s', runs: baselines },
      {
        what: `GET ${kind}`,
        unit: '/s',
        runs: rates,
        ratio: { value: medianRatio(rates, baselines), target: READ_TARGET },
        note: `of every request the API took ${Math.round(median(apiUs))} µs.`,
      },
    )
  }
  await server.stop()
  return [...lines, ...(await bareServers(seconds, runs))]
}

/** What Node and Fastify alone take for the response of a poll: the rest of GET task is Kinora's. */
async function bareServers(seconds: number, runs: number): Promise<Line[]> {
  const lines: Line[] = []
  for (const kind of ['node:http', 'Fastify'] as const) {
    const server = await startProcess<BareJob, BareReady>('bare-server.ts', { kind })
    const rates: number[] = []
    const us: number[] = []
    await load({ kind: 'task', port: server.port, seconds: WARM_UP_SECONDS })
    for (let i = 0; i < runs; i += 1) {
      const startUs = cpuUsOfTree(server.pid)
      const result = await load({ kind: 'task', port: server.port, seconds })
      us.push((cpuUsOfTree(server.pid) - startUs) / result.requests)
      rates.push(result.perSecond)
    }
    await server.stop()
    const note = `of every request the server took ${Math.round(median(us))} µs.`
    lines.push({ what: `the limit: ${kind} alone, the response of GET task`, unit: '/s', runs: rates, note })
  }
  return lines
}

/** @throws Error when a response has another status than 200 */
async function load(job: Omit<LoadJob, 'connections'> & { connections?: number }): Promise<LoadResult> {
  const result = await runInProcess<LoadJob, LoadResult>('http-load.ts', { connections: CONNECTIONS, ...job })
  if (result.refused > 0) throw new Error(`${result.refused} of ${result.requests} were refused:\n${result.example}`)
  return result
}

/** The ledger by itself: freeze, settle and release in batches, all on one account row. */
export async function ledger({ environment, seconds, runs }: Bench): Promise<Line[]> {
  const sql = openDb(environment.databaseUrl, { connections: 1, name: 'kinora bench' })
  const userId = userIdOf(1)
  const cycle = async () => {
    const now = new Date()
    const holds = Array.from({ length: LEDGER_BATCH }, () => ({
      userId,
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
  const rates = await times(runs, async () => {
    const startMs = performance.now()
    let done = 0
    while (performance.now() < startMs + seconds * 1000) done += await cycle()
    return (done * 1000) / (performance.now() - startMs)
  })
  await sql.end()
  return [
    {
      what: `freeze, settle, release: one account, batches of ${LEDGER_BATCH}, one connection`,
      unit: '/s',
      runs: rates,
      target: LEDGER_TARGET,
      note: 'durable, with hash-chained history, through the driver.',
    },
    ...published,
  ]
}

/** Figures that others have published, not measured here; decisions/0020-set-based-core.md has the sources. */
const published: Line[] = [
  { what: 'published: TigerBeetle, prototype of 2020, two-phase transfers, "office laptops"', rate: 200_000 },
  { what: 'published: TigerBeetle, alpha of 2020, hardware not stated', rate: 800_000 },
  { what: 'published by a user: TigerBeetle, batches of 128, one client, Ryzen 9950X3D, one NVMe SSD', rate: 16_111 },
  { what: 'published: Formance Ledger, one ledger, PostgreSQL, "commodity storage instance"', rate: 1_000 },
].map(({ what, rate }) => ({ what, unit: '/s', runs: [rate] }))

export async function lifecycle({ environment, sql, seconds, runs }: Bench): Promise<Line[]> {
  await createTpcb(sql)
  const baselines: number[] = []
  const rates: number[] = []
  const cpuUs: number[] = []
  const concurrency = environment.env.WORKER_CONCURRENCY ?? LIFECYCLE_CONCURRENCY
  const env = { ...environment.env, WORKER_CONCURRENCY: concurrency }
  for (let i = 0; i < runs; i += 1) {
    baselines.push(await runSqlLoad(environment.databaseUrl, tpcb, BASELINE_CONNECTIONS, seconds))
    await createVideos(sql, LIFECYCLE_VIDEOS, () => newId(new Date()))
    await sql.unsafe('vacuum analyze')
    const job = { videos: LIFECYCLE_VIDEOS }
    const result = await runInProcess<LifecycleJob, LifecycleResult>('lifecycle-process.ts', job, env)
    rates.push(result.steps / result.seconds)
    cpuUs.push(result.cpuUs)
  }
  return [
    { what: `TPC-B, scale 20, ${BASELINE_CONNECTIONS} connections (${tool})`, unit: '/s', runs: baselines },
    {
      what: 'lifecycle steps of one worker process',
      unit: 'steps/s',
      runs: rates,
      ratio: { value: medianRatio(rates, baselines), target: LIFECYCLE_TARGET },
      note:
        `${LIFECYCLE_VIDEOS.toLocaleString('en')} videos from PENDING to COMPLETED, three steps each: submit (before and after the request), ` +
        'poll and complete with settling, claims included, all durable. The stub provider responds at ' +
        `once; download, inspection and storage of the film are left out. WORKER_CONCURRENCY is ${concurrency}. The worker took ${Math.round(median(cpuUs))} µs of ` +
        'CPU time a step.',
    },
  ]
}

export async function memory({ environment, seconds, runs }: Bench): Promise<Line[]> {
  const provider = await startBusyProvider()
  const server = await startServer(environment, 'all', { PROVIDER_A_URL: provider.url, PROVIDER_B_URL: provider.url })
  const idle: number[] = []
  const loaded: number[] = []
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  for (let i = 0; i < runs; i += 1) idle.push(memoryBytes(server.pid) / 1024 ** 2)
  for (let i = 0; i < runs; i += 1) {
    const samples: number[] = []
    const sampling = setInterval(() => samples.push(memoryBytes(server.pid) / 1024 ** 2), MEMORY_SAMPLE_MS)
    await load({ kind: 'generate', port: server.port, seconds })
    clearInterval(sampling)
    loaded.push(Math.max(...samples))
  }
  await server.stop()
  provider.close()
  const what = 'memory of API and worker in one process'
  return [
    { what: `${what}, idle`, unit: 'MiB', runs: idle },
    {
      what: `${what}, generating`,
      unit: 'MiB',
      runs: loaded,
      note: 'resident, the most seen in a run, while the load of POST /generate is on and the worker submits.',
    },
  ]
}
