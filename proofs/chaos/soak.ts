/**
 * `npm run soak:hour -- --minutes M`: real processes at a steady load without faults. Memory, file handles, connections
 * and temporary files are sampled, and must be flat: their slopes over the run go to docs/reliability.md. At the end
 * the run is checked for the invariants of a chaos run (invariants.ts).
 *
 * Of memory the heap decides, after a garbage collection that the run asks for. Resident memory is shown beside it: V8
 * lets the heap grow by what the load allocates between two collections, and the allocator of C keeps what it has
 * freed.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { openApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { migrate } from '../../server/src/db/database.ts'
import { accounts } from '../../server/src/provider/accounts.ts'
import { temporaryDir } from '../../server/src/storage/temporary-files.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { startSimulator } from '../../server/test/support/simulator.ts'
import { openPostgres, type Started, startServer } from './cluster.ts'
import { environment } from './environment.ts'
import { checkInvariants } from './invariants.ts'
import { startLoad } from './load.ts'
import { report } from './report.ts'
import type { MemoryReport } from './report-memory.ts'
import { openProofFolder, runProof } from './run-proof.ts'
import { createUsers } from './users.ts'

const USERS = 12
const STREAMS_PER_USER = 5
const SAMPLE_MS = 10_000
/** A forced collection stops the process for some tens of milliseconds, so it is not part of every sample. */
const HEAP_EVERY = 6
const REPORT_MAX_MS = 10_000
/** An event stream that ended is opened again after this time. */
const AGAIN_MS = 500
const DRAIN_MAX_MS = 10 * 60_000
/** Caches fill and code is compiled before it. */
const WARM_UP_SHARE = 0.25
/** Growth from the second quarter to the last that is still flat. */
const GROWTH_MAX = 1.15

const MEMORY_ARGS = ['--expose-gc', '--import', new URL('./report-memory.ts', import.meta.url).href]

/** A gauge, in MB or a count. `mustBeFlat`: it may not grow. */
type Series = {
  name: string
  unit: string
  mustBeFlat: boolean
  read: () => number | Promise<number>
  times: number[]
  values: number[]
}

const { values: options } = parseArgs({ options: { minutes: { type: 'string' }, pause: { type: 'string' } } })
const minutes = Number(options.minutes ?? 60)

await runProof(run)

async function run(stack: AsyncDisposableStack): Promise<boolean> {
  const root = openProofFolder('soak')
  stack.defer(() => rmSync(root, { recursive: true, force: true }))
  const dataDir = path.join(root, 'data')
  mkdirSync(dataDir)
  const postgres = openPostgres(path.join(root, 'database'))
  stack.defer(postgres.stop)
  await postgres.ready
  await migrate(postgres.url())
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const simulator = await startSimulator({ pace: 0.3 })
  stack.defer(simulator.stop)
  const env = environment({
    root,
    dataDir,
    databaseUrl: postgres.url(),
    publicUrl: url,
    providerUrl: simulator.url,
  })
  const app = await openApp(readConfig(env, accounts()), pino({ level: 'silent' }))
  stack.defer(() => app.close())
  const start = (command: 'api' | 'worker', serverPort: number) => {
    const server = startServer(command, { ...env, PORT: `${serverPort}` }, MEMORY_ARGS)
    stack.defer(() => end(server))
    return server
  }
  const api = start('api', port)
  const worker = start('worker', 0)
  await Promise.all([api.ready, worker.ready])
  const users = await createUsers(app, USERS)
  const tokens = users.flatMap((user) => Array.from({ length: STREAMS_PER_USER }, () => user.token))
  const streams = openStreams(url, tokens)
  stack.defer(() => void streams.close())
  const load = startLoad(() => url, users, Number(options.pause ?? 3000))
  console.log(`soak for ${minutes} minutes: API ${api.child.pid}, worker ${worker.child.pid}`)

  const series = [
    ...seriesOf('API', api),
    ...seriesOf('worker', worker),
    seriesOfCount(
      'connections to PostgreSQL',
      async () => (await app.sql<[{ n: number }]>`select count(*)::int as n from pg_stat_activity`)[0].n,
    ),
    seriesOfCount('temporary files', () =>
      existsSync(temporaryDir(dataDir)) ? readdirSync(temporaryDir(dataDir)).length : 0,
    ),
  ]
  await sample(series)

  await load.stop()
  const events = streams.close()
  const { problems, facts } = await checkInvariants(app, { load, users, simulator, drainMaxMs: DRAIN_MAX_MS })
  const rows = series.map((each) => rowOf(each, problems))
  const lines = [
    `${minutes} minutes without faults: an API process, a worker, ${USERS} users, ${tokens.length} event streams, which brought ${events} events. ` +
      'Medians of the second and of the last quarter; the slope is that of a line through all samples after the first quarter. ' +
      'The heap is what is left after a forced garbage collection, buffers included; it decides whether memory is flat.',
    '',
    '| | second quarter | last quarter | slope an hour |',
    '| --- | --- | --- | --- |',
    ...rows,
  ]
  const good = 'Everything is flat; nothing acknowledged was lost; `kinora verify` found no difference.'
  return report('soak', lines, { facts, problems, good })
}

function seriesOf(name: string, { child }: Started): Series[] {
  const pid = child.pid ?? 0
  return [
    {
      name: `resident memory of the ${name}`,
      unit: 'MB',
      mustBeFlat: false,
      read: () => residentMb(pid),
      times: [],
      values: [],
    },
    { name: `heap of the ${name}`, unit: 'MB', mustBeFlat: true, read: () => heapMb(child), times: [], values: [] },
    seriesOfCount(`file handles of the ${name}`, () => readdirSync(`/proc/${pid}/fd`).length),
  ]
}

function seriesOfCount(name: string, read: Series['read']): Series {
  return { name, unit: '', mustBeFlat: true, read, times: [], values: [] }
}

async function sample(series: Series[]): Promise<void> {
  const startMs = Date.now()
  for (let n = 1; Date.now() - startMs < minutes * 60_000; n++) {
    await sleep(SAMPLE_MS)
    for (const each of series) {
      if (each.name.startsWith('heap') && n % HEAP_EVERY !== 0) continue
      each.values.push(await each.read())
      each.times.push((Date.now() - startMs) / 3_600_000)
    }
    if (n % HEAP_EVERY === 0) console.log(series.map(({ values }) => (values.at(-1) ?? 0).toFixed(1)).join(' '))
  }
}

/** A row of the table. Adds to the problems when the series has grown. */
function rowOf({ name, unit, mustBeFlat, times, values }: Series, problems: string[]): string {
  const from = Math.floor(values.length * WARM_UP_SHARE)
  const before = median(values.slice(from, Math.floor(values.length * 0.5)))
  const after = median(values.slice(Math.floor(values.length * 0.75)))
  // A handful more or less is what happens to be under way.
  if (mustBeFlat && after > before * GROWTH_MAX + 5) problems.push(`${name} grew from ${before} to ${after}`)
  const slope = slopeOf(times.slice(from), values.slice(from))
  const show = (value: number) => `${value.toFixed(unit ? 0 : 1)}${unit && ` ${unit}`}`
  return `| ${name} | ${show(before)} | ${show(after)} | ${slope < 0 ? '−' : '+'}${show(Math.abs(slope))} |`
}

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** What is left after a garbage collection, buffers included. */
function heapMb(child: Started['child']): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`process ${child.pid} does not report its memory`)), REPORT_MAX_MS)
    const take = (message: MemoryReport | { kind: string }) => {
      if (!('heapMb' in message)) return
      clearTimeout(timer)
      child.off('message', take)
      resolve(message.heapMb + message.externalMb)
    }
    child.on('message', take)
    child.send({ kind: 'memory?' })
  })
}

async function end({ child }: Started): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

function median(of: number[]): number {
  const sorted = [...of].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

/** Least squares. */
function slopeOf(x: number[], y: number[]): number {
  const mean = (of: number[]) => of.reduce((sum, value) => sum + value, 0) / of.length
  const [middleX, middleY] = [mean(x), mean(y)]
  const covariance = x.reduce((sum, value, i) => sum + (value - middleX) * ((y[i] ?? 0) - middleY), 0)
  return covariance / (x.reduce((sum, value) => sum + (value - middleX) ** 2, 0) || 1)
}

/**
 * Holds event streams open: each is opened again when it ends, as a browser does.
 * @returns how to close them all; it returns how many events they have brought
 */
function openStreams(url: string, tokens: string[]): { close: () => number } {
  let events = 0
  let isClosed = false
  const open = new Set<() => void>()
  const follow = (token: string) => {
    if (isClosed) return
    const sent = request(`${url}/api/v1/video/events`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      agent: false,
    })
    const close = () => sent.destroy()
    open.add(close)
    const again = () => {
      if (open.delete(close)) setTimeout(follow, AGAIN_MS, token)
    }
    sent.on('response', (response) => {
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        events += text.match(/^data:/gm)?.length ?? 0
      })
      response.on('close', again)
    })
    sent.on('error', again)
    sent.end()
  }
  for (const token of tokens) follow(token)
  return {
    close: () => {
      isClosed = true
      for (const close of open) close()
      return events
    },
  }
}
