/**
 * `npm run bench:streams`: the cost of open event streams. 1,000 of the 3,000 users have one stream each on one API
 * process, while all users generate as fast as possible. One table: memory of a stream, latency from commit to event,
 * and the throughput of generate with streams and without.
 */
import postgres from 'postgres'
import { runBenchmark } from './benchmark.ts'
import { type BenchEnvironment, memoryBytes, runInProcess, type Server, startServer } from './environment.ts'
import { openStream } from './event-stream.ts'
import type { Job as LoadJob, LoadResult } from './http-load.ts'
import { isMet, type Line, median, medianRatio, quantile } from './table.ts'
import { seedUsers } from './users.ts'

const STREAMS = 1_000
const CONNECTIONS = 32
const WARM_UP_SECONDS = 2
const P99_TARGET_MS = 1_000
const GENERATE_TARGET = 0.9
/** Until memory usage is stable and the last events have arrived. */
const SETTLE_MS = 2_000

/** generate requests a second, and the API's CPU time per request. */
type Rate = { perSecond: number; cpuUs: number }
type Costs = { without: Rate; beside: Rate; kilobytes: number; events: number; p50Ms: number; p99Ms: number }

await runBenchmark(4, async (environment, { seconds, runs }) => {
  const results = await measureStreams(environment, seconds, runs)
  const valuesOf = (key: 'kilobytes' | 'events' | 'p50Ms' | 'p99Ms') => results.map((result) => result[key])
  const without = results.map((result) => result.without.perSecond)
  const besideRates = results.map((result) => result.beside.perSecond)
  const beside: Line = {
    what: `generate beside ${STREAMS.toLocaleString('en')} streams`,
    unit: '/s',
    runs: besideRates,
    ratio: { value: medianRatio(besideRates, without), target: GENERATE_TARGET },
    note: 'every third video is reported on a stream; no video finishes, so that all are polled to the end of a run.',
  }
  const lines: Line[] = [
    { what: 'generate without streams', unit: '/s', runs: without },
    beside,
    { what: 'CPU time of the API per request, without', unit: 'µs', runs: results.map(({ without }) => without.cpuUs) },
    { what: 'CPU time of the API per request, beside', unit: 'µs', runs: results.map(({ beside }) => beside.cpuUs) },
    { what: 'events of new videos', unit: '', runs: valuesOf('events') },
    { what: 'from the id of a video to its event, p50', unit: 'ms', runs: valuesOf('p50Ms') },
    {
      what: 'from the id of a video to its event, p99',
      unit: 'ms',
      runs: valuesOf('p99Ms'),
      note: `the target is at most ${P99_TARGET_MS} ms. The id is made before the commit, so the latency since the commit is a little less.`,
    },
    { what: 'memory of the API per stream', unit: 'kB', runs: valuesOf('kilobytes') },
  ]
  return { lines, isMet: isMet(beside) && median(valuesOf('p99Ms')) <= P99_TARGET_MS }
})

/** Each run measures without streams and with them, in alternating order, because the tables grow. */
async function measureStreams(environment: BenchEnvironment, seconds: number, runs: number): Promise<Costs[]> {
  const sql = postgres(environment.databaseUrl, { max: 1, onnotice: () => {} })
  await seedUsers(sql)
  const server = await startServer(environment, 'api')
  const results: Costs[] = []
  await load(server, WARM_UP_SECONDS)
  for (let i = 0; i < runs; i += 1) {
    const before = i % 2 === 0 ? await load(server, seconds) : null
    const costs = await withStreams(server, seconds)
    results.push({ ...costs, without: before ?? (await load(server, seconds)) })
  }
  await server.stop()
  await sql.end()
  return results
}

async function withStreams(server: Server, seconds: number): Promise<Omit<Costs, 'without'>> {
  await settle()
  const bytes = memoryBytes(server.pid)
  const latenciesMs: number[] = []
  const sockets = await Promise.all(
    Array.from({ length: STREAMS }, (_, n) => openStream(server.port, n + 1, latenciesMs)),
  )
  await settle()
  const kilobytes = (memoryBytes(server.pid) - bytes) / 1024 / STREAMS
  const beside = await load(server, seconds)
  await settle()
  for (const socket of sockets) socket.destroy()
  const latencies = { p50Ms: quantile(latenciesMs, 0.5), p99Ms: quantile(latenciesMs, 0.99) }
  return { beside, kilobytes, events: latenciesMs.length, ...latencies }
}

async function load(server: Server, seconds: number): Promise<Rate> {
  const startUs = await server.cpuUs()
  const job: LoadJob = { kind: 'generate', port: server.port, connections: CONNECTIONS, seconds }
  const result = await runInProcess<LoadJob, LoadResult>('http-load.ts', job)
  if (result.refused > 0) throw new Error(`${result.refused} of ${result.requests} were refused:\n${result.example}`)
  return { perSecond: result.perSecond, cpuUs: ((await server.cpuUs()) - startUs) / result.requests }
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
}
