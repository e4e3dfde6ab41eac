/** The requests of users and clients beside the same work in SQL alone: generate, and the three that are read most. */
import { type Bench, runInProcess, startServer } from './environment.ts'
import type { Job, LoadResult } from './http-load.ts'
import type { PacedJob, PacedResult } from './paced-load.ts'
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
import { MEMBERS, seedTeam, USERS, userIdSql, videoIdSql } from './users.ts'

const CONNECTIONS = 64
const WARM_UP_SECONDS = 2
const GENERATE_TARGET = 2.5
const ONE_ACCOUNT_TARGET = 0.9
const READ_TARGET = 0.5

/** POST /generate of many accounts, of one, and of one that is a team's, beside TPC-B on the same database. */
export async function generate({ environment, sql, seconds, runs }: Bench): Promise<Line[]> {
  await createTpcb(sql)
  const team = await seedTeam(sql)
  // One account exceeds the limit of 60 requests a minute.
  const server = await startServer(environment, { RATE_LIMITS: 'off' })
  const baselines: Baseline[] = []
  const many: LoadResult[] = []
  const one: LoadResult[] = []
  const members: LoadResult[] = []
  const apiUs: number[] = []
  const databaseUs: number[] = []
  await load({ kind: 'generate', port: server.port, seconds: WARM_UP_SECONDS })
  for (let i = 0; i < runs; i += 1) {
    baselines.push(await runBaseline(environment, tpcb, seconds))
    const startUs = await server.cpuUs()
    const startDatabaseUs = environment.databaseCpuUs()
    const result = await load({ kind: 'generate', port: server.port, seconds })
    apiUs.push(((await server.cpuUs()) - startUs) / result.requests)
    databaseUs.push((environment.databaseCpuUs() - startDatabaseUs) / result.requests)
    many.push(result)
    one.push(await load({ kind: 'generate', port: server.port, seconds, users: 1 }))
    members.push(await load({ kind: 'generate', port: server.port, seconds, users: MEMBERS, team }))
  }
  const lone = await load({ kind: 'generate', port: server.port, seconds, connections: 1 })
  const manyRates = many.map((each) => each.perSecond)
  const perSecond = Math.round(median(manyRates) / 2)
  const half: PacedResult[] = []
  for (let i = 0; i < runs; i += 1) half.push(await loadPaced({ port: server.port, perSecond, seconds }))
  await server.stop()
  const oneRates = one.map((each) => each.perSecond)
  const memberRates = members.map((each) => each.perSecond)
  return [
    baselineLine(`TPC-B, scale 20, ${BASELINE_CONNECTIONS} connections`, baselines),
    {
      what: `POST /generate, ${USERS} accounts`,
      unit: '/s',
      runs: manyRates,
      ratio: { value: medianRatio(manyRates, ratesOf(baselines)), target: GENERATE_TARGET },
      note:
        `one API process, sessions and validation as in production; ${CONNECTIONS} connections. Client, API and PostgreSQL share ` +
        `the machine's CPUs: of every request the API took ${Math.round(median(apiUs))} µs, PostgreSQL ` +
        `${Math.round(median(databaseUs))} µs and the client ${Math.round(median(many.map((each) => each.cpuUs)))} µs.`,
      figures: { generateApiUs: median(apiUs), generateDatabaseUs: median(databaseUs) },
    },
    {
      what: 'POST /generate, one account',
      unit: '/s',
      runs: oneRates,
      ratio: { value: medianRatio(oneRates, manyRates), target: ONE_ACCOUNT_TARGET },
      note: 'the ratio is to the line above.',
    },
    {
      what: `POST /generate, ${MEMBERS} members of one team, each with a budget`,
      unit: '/s',
      runs: memberRates,
      ratio: { value: medianRatio(memberRates, oneRates), target: ONE_ACCOUNT_TARGET },
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
  const server = await startServer(environment, { RATE_LIMITS: 'off' })
  const lines: Line[] = []
  for (const [kind, statement] of Object.entries(reads) as [keyof typeof reads, string][]) {
    const script = { variables: { n: [1, USERS] as [number, number] }, statements: [statement] }
    const baselines: Baseline[] = []
    const rates: number[] = []
    const apiUs: number[] = []
    const databaseUs: number[] = []
    await load({ kind, port: server.port, seconds: WARM_UP_SECONDS })
    for (let i = 0; i < runs; i += 1) {
      baselines.push(await runBaseline(environment, script, seconds))
      const startUs = await server.cpuUs()
      const startDatabaseUs = environment.databaseCpuUs()
      const result = await load({ kind, port: server.port, seconds })
      apiUs.push(((await server.cpuUs()) - startUs) / result.requests)
      databaseUs.push((environment.databaseCpuUs() - startDatabaseUs) / result.requests)
      rates.push(result.perSecond)
    }
    lines.push(baselineLine(`the query of ${kind}`, baselines), {
      what: `GET ${kind}`,
      unit: '/s',
      runs: rates,
      ratio: { value: medianRatio(rates, ratesOf(baselines)), target: READ_TARGET },
      note: `of every request the API took ${Math.round(median(apiUs))} µs and PostgreSQL ${Math.round(median(databaseUs))} µs.`,
      figures: kind === 'task' ? { pollApiUs: median(apiUs), pollDatabaseUs: median(databaseUs) } : {},
    })
  }
  await server.stop()
  return lines
}

/** @throws Error when a response has another status than 200 */
export async function load(job: Omit<Job, 'connections'> & { connections?: number }): Promise<LoadResult> {
  const result = await runInProcess<Job, LoadResult>('http-load.ts', { connections: CONNECTIONS, ...job })
  if (result.refused > 0) throw new Error(`${result.refused} of ${result.requests} were refused:\n${result.example}`)
  return result
}

/** @throws Error when a request fails */
async function loadPaced(job: PacedJob): Promise<PacedResult> {
  const result = await runInProcess<PacedJob, PacedResult>('paced-load.ts', job)
  if (result.failed > 0) throw new Error(`${result.failed} of ${result.sent} failed at half load: ${result.example}`)
  return result
}
