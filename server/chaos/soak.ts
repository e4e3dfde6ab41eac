/**
 * `npm run soak:hour -- --minutes M`: real processes at a steady load without faults. Memory, file handles, connections and
 * temporary files are sampled, and must be flat: their slopes over the run go to docs/reliability.md. At the end the run is
 * judged as a chaos run is.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { writeSection } from '../simulation/reliability.ts'
import { openApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { migrate } from '../src/db/migrate.ts'
import { temporaryDir } from '../src/storage/temporary-files.ts'
import { catalogue, providersOf } from '../src/video/catalogue.ts'
import { freePort } from '../test/free-port.ts'
import { startSimulator } from '../test/simulator.ts'
import { type Member, openPostgres, startServer } from './cluster.ts'
import { environment } from './environment.ts'
import { judge } from './judge.ts'
import { startLoad } from './load.ts'
import { openStreams } from './streams.ts'
import { createUsers } from './users.ts'

const USERS = 12
const STREAMS_PER_USER = 5
const SAMPLE_MS = 10_000
const DRAIN_MAX_MS = 10 * 60_000
/** Caches fill and code is compiled before it. */
const WARM_UP_SHARE = 0.25
/** Growth from the second quarter to the last that is still flat: the heap breathes by so much. */
const GROWTH_MAX = 1.15

const { values } = parseArgs({ options: { minutes: { type: 'string' }, pause: { type: 'string' } } })
const minutes = Number(values.minutes ?? 60)
const root = mkdtempSync(path.join(tmpdir(), 'kinora-soak-'))
if (process.getuid?.() === 0) spawnSync('chmod', ['711', root])
const dataDir = path.join(root, 'data')
mkdirSync(dataDir)
const postgres: Member & { ready: Promise<void>; url: () => string } = openPostgres(path.join(root, 'database'))
await postgres.ready
await migrate(postgres.url())
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const simulator = await startSimulator({ pace: 0.3 })
const env = environment({
  root,
  dataDir,
  databaseUrl: postgres.url(),
  publicUrl: url,
  providerUrl: simulator.url,
})
const api = startServer('api', { ...env, PORT: `${port}` })
const worker = startServer('worker', { ...env, PORT: '0' })
await Promise.all([api.ready, worker.ready])
const app = await openApp(readConfig(env, providersOf(catalogue())), pino({ level: 'silent' }))
const users = await createUsers(app, USERS)
const streams = openStreams(
  url,
  users.flatMap((user) => Array.from({ length: STREAMS_PER_USER }, () => user.token)),
)
const load = startLoad(() => url, users, Number(values.pause ?? 3000))
console.log(`soak for ${minutes} minutes: API ${api.child.pid}, worker ${worker.child.pid}`)

/** `level`: a stock, which may not grow; in MB or a count. */
type Series = { name: string; unit: string; read: () => number | Promise<number>; values: number[] }
const processes = { API: api.child.pid ?? 0, worker: worker.child.pid ?? 0 }
const series: Series[] = [
  ...Object.entries(processes).flatMap(([name, pid]): Series[] => [
    { name: `memory of the ${name}`, unit: 'MB', read: () => residentMb(pid), values: [] },
    { name: `file handles of the ${name}`, unit: '', read: () => readdirSync(`/proc/${pid}/fd`).length, values: [] },
  ]),
  {
    name: 'connections to PostgreSQL',
    unit: '',
    read: async () => (await app.sql<[{ n: number }]>`select count(*)::int as n from pg_stat_activity`)[0].n,
    values: [],
  },
  {
    name: 'temporary files',
    unit: '',
    read: () => (existsSync(temporaryDir(dataDir)) ? readdirSync(temporaryDir(dataDir)).length : 0),
    values: [],
  },
]
const startMs = Date.now()
const times: number[] = []
while (Date.now() - startMs < minutes * 60_000) {
  await sleep(SAMPLE_MS)
  times.push((Date.now() - startMs) / 3_600_000)
  for (const each of series) each.values.push(await each.read())
  if (times.length % 6 === 0) console.log(series.map(({ values }) => Math.round(values.at(-1) ?? 0)).join(' '))
}

await load.stop()
const events = streams.close()
const { problems, facts } = await judge(app, { load, users, simulator, drainMaxMs: DRAIN_MAX_MS })
const rows = series.map(({ name, unit, values }) => {
  const from = Math.floor(values.length * WARM_UP_SHARE)
  const before = median(values.slice(from, Math.floor(values.length * 0.5)))
  const after = median(values.slice(Math.floor(values.length * 0.75)))
  // A handful more or less is what happens to be under way.
  if (after > before * GROWTH_MAX + 5) problems.push(`${name} grew from ${before} to ${after}`)
  const slope = slopeOf(times.slice(from), values.slice(from))
  const show = (value: number) => `${value.toFixed(unit ? 0 : 1)}${unit && ` ${unit}`}`
  return `| ${name} | ${show(before)} | ${show(after)} | ${slope < 0 ? '−' : '+'}${show(Math.abs(slope))} |`
})
for (const { child } of [api, worker]) child.kill('SIGTERM')
await Promise.all([api, worker].map(({ child }) => new Promise((resolve) => child.once('exit', resolve))))
await app.close()
await postgres.stop()
await simulator.stop()
rmSync(root, { recursive: true, force: true })

const text = [
  `${minutes} minutes without faults: an API process, a worker, ${USERS} users, ${users.length * STREAMS_PER_USER} event streams, which brought ${events} events. ` +
    'Medians of the second and of the last quarter; the slope is that of a line through all samples after the first quarter.',
  '',
  '| | second quarter | last quarter | slope an hour |',
  '| --- | --- | --- | --- |',
  ...rows,
  '',
  ...facts.map((fact) => `- ${fact}`),
  problems.length === 0
    ? '- Everything is flat; nothing acknowledged was lost; `kinora verify` found no difference.'
    : `- **${problems.length} problems.**`,
].join('\n')
console.log(text)
for (const problem of problems) console.log(`PROBLEM ${problem}`)
writeSection('soak', text)
process.exit(problems.length === 0 ? 0 : 1)

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
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
