/**
 * `npm run failover -- --kills 20`: two API processes, two workers and the simulator on a PostgreSQL with a synchronous
 * standby under Patroni, whose primary is killed in the middle of the load. Nothing that was acknowledged may be
 * missing; the longest time without a write is reported, and that after a host that went without a word. Skipped where
 * Debian's packages are missing. docs/high-availability.md is what was run. Installs nothing.
 */
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import postgres from 'postgres'
import { openApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { migrate } from '../../server/src/db/database.ts'
import { ensureRoleLimits } from '../../server/src/db/role-limits.ts'
import { accounts } from '../../server/src/provider/accounts.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { findPgbouncer, startPgbouncer } from '../../server/test/support/pgbouncer.ts'
import { startSimulator } from '../../server/test/support/simulator.ts'
import { keepRunning, startServer } from '../chaos/cluster.ts'
import { environment } from '../chaos/environment.ts'
import { checkInvariants } from '../chaos/invariants.ts'
import { startLoad } from '../chaos/load.ts'
import { report } from '../chaos/report.ts'
import { openProofFolder, runProof } from '../chaos/run-proof.ts'
import { openTcpProxy } from '../chaos/tcp-proxy.ts'
import { createUsers } from '../chaos/users.ts'
import { findPrograms, type Kill, openCluster } from './cluster.ts'
import { AWAY_MS, CLIENTS, loseHost } from './silent-host.ts'
import { startApiWriter, startSqlWriter } from './writers.ts'

const USERS = 8
const DRAIN_MAX_MS = 10 * 60_000
/** Every fourth failure takes the node with its Patroni: the lease has to expire. */
const NODE_EVERY = 4

const { values } = parseArgs({ options: { kills: { type: 'string' }, pause: { type: 'string' } } })
const kills = Number(values.kills ?? 20)
const found = findPrograms()
if (typeof found === 'string') {
  console.log(
    `SKIPPED: ${found} not found. On Debian: apt-get install patroni python3-etcd etcd-server haproxy postgresql`,
  )
  process.exit(0)
}
const programs = found

type Failure = {
  kind: Kill
  isPromoted: boolean
  promotedMs: number
  sqlGapMs: number
  apiGapMs: number
  redundantMs: number
}
const failures: Failure[] = []
await runProof(run)

async function run(stack: AsyncDisposableStack): Promise<boolean> {
  const silent = await loseHost(stack)
  console.log(`a host without a word: ${s(silent.firstMs)}`)
  const root = openProofFolder('failover')
  const cluster = await openCluster(root, programs, stack)
  console.log('primary and synchronous standby are there')
  const superuser = postgres(cluster.url('postgres'), { max: 1 })
  const [{ version }] = await superuser<[{ version: string }]>`select current_setting('server_version') as version`
  await superuser`create database kinora`
  await superuser.end()
  const databaseUrl = cluster.url('kinora')
  await migrate(databaseUrl)
  // The service's processes go through pgbouncer where it is installed; the writer of single rows and the migrations do
  // not.
  const pgbouncer = findPgbouncer()
  const pooler = pgbouncer === null ? null : await startPgbouncer(pgbouncer, databaseUrl)
  if (pooler) stack.defer(pooler.stop)
  const serviceUrl = pooler?.through(databaseUrl) ?? databaseUrl
  if (pooler) await ensureRoleLimits(serviceUrl)

  const ports = [await freePort(), await freePort()]
  let connections = 0
  const nextPort = () => ports[connections++ % ports.length] ?? 0
  const callbacks = stack.adopt(await openTcpProxy(nextPort), ({ close }) => close())
  const simulator = stack.adopt(await startSimulator({ pace: 0.3 }), ({ stop }) => stop())
  const dataDir = path.join(root, 'data')
  mkdirSync(dataDir)
  const publicUrl = `http://127.0.0.1:${callbacks.port}`
  const env = {
    ...environment({ root, dataDir, databaseUrl: serviceUrl, publicUrl, providerUrl: simulator.url }),
    ...(pooler ? { DATABASE_POOLER: 'transaction', DATABASE_URL_DIRECT: databaseUrl } : {}),
  }
  const servers = [
    ...ports.map((port, n) => keepRunning(`API ${n + 1}`, () => startServer('api', { ...env, PORT: `${port}` }))),
    ...['1', '2'].map((n) => keepRunning(`worker ${n}`, () => startServer('worker', { ...env, PORT: '0' }))),
  ]
  for (const { stop } of servers) stack.defer(stop)
  await Promise.all(servers.map(({ ready }) => ready))
  const app = await openApp(readConfig(env, accounts()), pino({ level: 'silent' }))
  stack.defer(app.close)
  const users = await createUsers(app, USERS)
  const api = () => `http://127.0.0.1:${nextPort()}`
  const load = startLoad(api, users, Number(values.pause ?? 6000))
  const sqlWriter = await startSqlWriter(databaseUrl)
  const apiWriter = startApiWriter(api, users[0]?.token ?? '')
  await sleep(5_000)

  for (let n = 1; n <= kills; n++) {
    failures.push(await failPrimary(n, cluster, { sqlWriter, apiWriter }))
  }

  console.log('the failures end')
  await load.stop()
  await sqlWriter.stop()
  await apiWriter.stop()
  const { problems, facts } = await checkInvariants(app, { load, users, simulator, drainMaxMs: DRAIN_MAX_MS })
  const lost = await sqlWriter.lost(databaseUrl)
  if (lost > 0) problems.push(`${lost} acknowledged rows are missing`)

  facts.push(
    `A host that is gone for ${s(AWAY_MS)} without closing a connection, as by loss of power: the first write through the API ${s(silent.firstMs)} after its address answered again, those of all ${CLIENTS} clients ${s(silent.allMs)}.`,
    `${sqlWriter.acknowledged()} single rows and ${apiWriter.acknowledged()} changes of a name were acknowledged beside this; ${lost} of the rows were lost.`,
  )
  const isGood = report('failover', linesOf(version, pooler !== null), { facts, problems })
  // Last of all, once nothing writes into it. The logs of a run that failed stay.
  if (isGood) process.once('exit', () => rmSync(root, { recursive: true, force: true }))
  else console.log(`logs: ${root}`)
  return isGood
}

type Writers = {
  sqlWriter: Awaited<ReturnType<typeof startSqlWriter>>
  apiWriter: ReturnType<typeof startApiWriter>
}

/** Kills the primary for the n-th time and waits until there are two nodes again. */
async function failPrimary(
  n: number,
  cluster: Awaited<ReturnType<typeof openCluster>>,
  { sqlWriter, apiWriter }: Writers,
): Promise<Failure> {
  const kind: Kill = n % NODE_EVERY === 0 ? 'node' : 'postgres'
  sqlWriter.longestGapMs()
  apiWriter.longestGapMs()
  const killedMs = performance.now()
  const killed = await cluster.killPrimary(kind)
  const isPromoted = (await cluster.waitForPrimary(killed)) !== killed.name
  const promotedMs = performance.now() - killedMs
  killed.restart()
  await cluster.waitForRedundancy()
  const redundantMs = performance.now() - killedMs
  await sleep(2_000 + 3_000 * Math.random())
  const failure = {
    kind,
    isPromoted,
    promotedMs,
    sqlGapMs: sqlWriter.longestGapMs(),
    apiGapMs: apiWriter.longestGapMs(),
    redundantMs,
  }
  console.log(
    `${new Date().toISOString().slice(11, 19)} ${n}. ${kind} of ${killed.name}: ${isPromoted ? 'standby promoted' : 'recovered in place'} ${s(promotedMs)}, no write for ${s(failure.sqlGapMs)} ` +
      `(API ${s(failure.apiGapMs)}), redundant again ${s(redundantMs)}`,
  )
  return failure
}

function linesOf(version: string, isPooled: boolean): string[] {
  return [
    `PostgreSQL ${version} with a synchronous standby, Patroni, etcd, HAProxy${isPooled ? ', pgbouncer in transaction mode' : ''}; 2 API processes, 2 workers, ${USERS} users. ` +
      `The primary was killed ${failures.length} times under load.`,
    '',
    '| Killed (SIGKILL) | Times | Standby promoted | New primary after: median, longest | No write by SQL: median, longest | No write through the API: median, longest | Redundant again: longest |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...(['postgres', 'node'] as const).map((kind) => rowOf(kind)),
  ]
}

function rowOf(kind: Kill): string {
  const of = failures.filter((each) => each.kind === kind)
  const both = (pick: (failure: Failure) => number) => {
    const sorted = of.map(pick).sort((a, b) => a - b)
    return sorted.length === 0 ? '–' : `${s(sorted[sorted.length >> 1] ?? 0)}, ${s(sorted.at(-1) ?? 0)}`
  }
  const what = kind === 'postgres' ? 'PostgreSQL' : 'PostgreSQL and its Patroni'
  const redundant = s(Math.max(0, ...of.map(({ redundantMs }) => redundantMs)))
  const promoted = of.filter(({ isPromoted }) => isPromoted).length
  return `| ${what} | ${of.length} | ${promoted} | ${both((each) => each.promotedMs)} | ${both((each) => each.sqlGapMs)} | ${both((each) => each.apiGapMs)} | ${redundant} |`
}

function s(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
