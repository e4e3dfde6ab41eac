/**
 * The measurements, one function each, in the order of the table. Each run measures the baseline and then the service,
 * so that growing tables and background load affect both alike.
 */
import type postgres from 'postgres'
import { creditFreeze, creditSettle } from '../server/src/credit/ledger.ts'
import { type BenchEnvironment, memoryBytes, runInProcess, startBusyProvider, startServer } from './environment.ts'
import type { Job as LoadJob, LoadResult } from './http-load.ts'
import type { Job as LifecycleJob, LifecycleResult } from './lifecycle-process.ts'
import { runSqlLoad, type Script, tool } from './sql-load.ts'
import { sqlTextOf } from './sql-text.ts'
import { type Line, median, medianRatio } from './table.ts'
import { generateSql, USERS, userIdSql, videoIdSql } from './users.ts'

export type Bench = { environment: BenchEnvironment; sql: postgres.Sql; seconds: number; runs: number }

const CONNECTIONS = 32
const WARM_UP_SECONDS = 2
const GENERATE_TARGET = 0.65
const TASK_TARGET = 0.35
const STEPS_TARGET = 2_400
const LIFECYCLE_VIDEOS = 12_000
const IDLE_MS = 5_000
const MEMORY_SAMPLE_MS = 250

const allUsers: Script['variables'] = { n: [1, USERS] }

export async function generate(bench: Bench): Promise<Line[]> {
  const script = { variables: allUsers, statements: [generateSql('uuidv7()')] }
  return await compare(bench, 'generate', script, {
    baseline: 'video_generate() in SQL',
    http: 'POST /api/v1/video/generate',
    target: GENERATE_TARGET,
  })
}

export async function task(bench: Bench): Promise<Line[]> {
  const read = `select id, status, progress, error from kinora.video where user_id = ${userIdSql} and id = ${videoIdSql}`
  return await compare(
    bench,
    'task',
    { variables: allUsers, statements: [read] },
    {
      baseline: 'the same row by primary key in SQL',
      http: 'GET /api/v1/video/task',
      target: TASK_TARGET,
    },
  )
}

async function compare(
  { environment, seconds, runs }: Bench,
  kind: LoadJob['kind'],
  script: Script,
  labels: { baseline: string; http: string; target: number },
): Promise<Line[]> {
  const server = await startServer(environment, 'api')
  const baselines: number[] = []
  const loads: LoadResult[] = []
  const serverUs: number[] = []
  await load(kind, server.port, WARM_UP_SECONDS)
  for (let i = 0; i < runs; i += 1) {
    baselines.push(await runSqlLoad(environment.databaseUrl, script, CONNECTIONS, seconds))
    const startUs = await server.cpuUs()
    const result = await load(kind, server.port, seconds)
    serverUs.push(((await server.cpuUs()) - startUs) / result.requests)
    loads.push(result)
  }
  await server.stop()
  const rates = loads.map((each) => each.perSecond)
  const clientUs = loads.map((each) => each.cpuUs)
  return [
    { what: `${labels.baseline} (${tool})`, unit: '/s', runs: baselines },
    {
      what: labels.http,
      unit: '/s',
      runs: rates,
      ratio: { value: medianRatio(rates, baselines), target: labels.target },
      note:
        `one API process, sessions, validation and limits as in production; ${CONNECTIONS} connections. Client, API and ` +
        `PostgreSQL share the machine's processors: of every request the API took ${Math.round(median(serverUs))} µs and ` +
        `the client ${Math.round(median(clientUs))} µs.`,
    },
  ]
}

/** @throws Error when a response has another status than 200 */
async function load(kind: LoadJob['kind'], port: number, seconds: number): Promise<LoadResult> {
  const result = await runInProcess<LoadJob, LoadResult>('http-load.ts', {
    kind,
    port,
    connections: CONNECTIONS,
    seconds,
  })
  if (result.refused > 0) throw new Error(`${result.refused} of ${result.requests} were refused:\n${result.example}`)
  return result
}

/** Freeze and settle, as for a completed video, all on one account row. */
export async function hotUser({ environment, seconds, runs }: Bench): Promise<Line[]> {
  const holdId = "lpad(to_hex(:hold::bigint), 32, '0')::uuid"
  const hold = { userId: '<user>', holdId: '<hold>', now: new Date(0) }
  const expressions = { '<user>': userIdSql.replace(':n', '1'), '<hold>': holdId }
  const script = {
    variables: { hold: [1, 2 ** 52] as [number, number] },
    statements: [
      sqlTextOf((sql) => creditFreeze(sql, { ...hold, credits: 1, remark: 'bench' }), expressions),
      sqlTextOf((sql) => creditSettle(sql, hold), expressions),
    ],
  }
  const lines: Line[] = []
  for (const connections of [1, CONNECTIONS]) {
    const rates: number[] = []
    for (let i = 0; i < runs; i += 1)
      rates.push(await runSqlLoad(environment.databaseUrl, script, connections, seconds))
    lines.push({
      what: `freeze and settle of one user, ${connections} connection${connections > 1 ? 's' : ''} (${tool})`,
      unit: 'cycles/s',
      runs: rates,
      ...(connections === 1 ? {} : { note: 'a cycle is two durable transactions.' }),
    })
  }
  return lines
}

export async function lifecycle({ environment, sql, runs }: Bench): Promise<Line[]> {
  const rates: number[] = []
  const cpuUs: number[] = []
  for (let i = 0; i < runs; i += 1) {
    await sql.unsafe('truncate kinora.video')
    const text = generateSql('uuidv7()').replaceAll(':n', `(n % ${USERS} + 1)`)
    await sql.unsafe(`select g.outcome from generate_series(1, ${LIFECYCLE_VIDEOS}) n, lateral (${text}) g`)
    await sql.unsafe('vacuum analyze')
    const job = { videos: LIFECYCLE_VIDEOS }
    const result = await runInProcess<LifecycleJob, LifecycleResult>('lifecycle-process.ts', job, environment.env)
    rates.push(result.steps / result.seconds)
    cpuUs.push(result.cpuUs)
  }
  return [
    {
      what: 'lifecycle steps of one worker process',
      unit: 'steps/s',
      runs: rates,
      target: STEPS_TARGET,
      note:
        `${LIFECYCLE_VIDEOS.toLocaleString('en')} videos from PENDING to COMPLETED, three steps each: submit (before and after the request: ` +
        'two durable transactions), poll (one) and complete with settling (one), claims included. The stub provider responds at ' +
        `once; download, inspection and storage of the film are left out. The worker took ${Math.round(median(cpuUs))} µs of ` +
        'processor time a step.',
    },
  ]
}

export async function memory({ environment, sql, seconds, runs }: Bench): Promise<Line[]> {
  // Videos of other measurements would keep the worker busy.
  await sql.unsafe('truncate kinora.video')
  const provider = await startBusyProvider()
  const server = await startServer(environment, 'all', { PROVIDER_A_URL: provider.url, PROVIDER_B_URL: provider.url })
  const idle: number[] = []
  const loaded: number[] = []
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  for (let i = 0; i < runs; i += 1) idle.push(memoryBytes(server.pid) / 1024 ** 2)
  for (let i = 0; i < runs; i += 1) {
    const samples: number[] = []
    const sampling = setInterval(() => samples.push(memoryBytes(server.pid) / 1024 ** 2), MEMORY_SAMPLE_MS)
    await load('generate', server.port, seconds)
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
