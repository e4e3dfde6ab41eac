/**
 * What open event streams cost: 1,000 streams of 1,000 users on one API process, beside a third of which other users
 * generate as fast as they can. `npm run bench:streams` starts all it needs and prints one table: memory of a stream, time
 * from a commit to its event, and generate with streams against generate without.
 */
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { isMet, median, medianRatio, printTable } from './table.ts'
import type { Load, Job as LoadJob } from './http-load.ts'
import { makePeople, tokenOf } from './users.ts'
import { inProcess, memoryBytes, openPlace, type Place, processorsInUse, type Server, startServer } from './environment.ts'

const STREAMS = 1_000
const CONNECTIONS = 32
const WARM_UP_SECONDS = 2
const P99_TARGET_MS = 1_000
const GENERATE_TARGET = 0.9
/** For memory to come to rest, and for the last events to arrive. */
const SETTLE_MS = 2_000

/** Generations a second, and the processor time of the API for one of them. */
type Rate = { perSecond: number; cpuUs: number }
export type Costs = { without: Rate; beside: Rate; kilobytes: number; events: number; p50Ms: number; p99Ms: number }

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '4' }, runs: { type: 'string', default: '3' } },
  })
  const inUse = await processorsInUse()
  const place = await openPlace()
  try {
    const runs = await streams(place, Number(values.seconds), Number(values.runs))
    const figures = (key: 'kilobytes' | 'events' | 'p50Ms' | 'p99Ms') => runs.map((run) => run[key])
    const without = runs.map((run) => run.without.perSecond)
    const withThem = runs.map((run) => run.beside.perSecond)
    if (inUse > 0.1)
      console.log(`Other programs took ${Math.round(inUse * 100)} % of the processors before this began.\n`)
    const beside = {
      what: `generate beside ${STREAMS.toLocaleString('en')} streams`,
      unit: '/s',
      runs: withThem,
      ratio: { value: medianRatio(withThem, without), target: GENERATE_TARGET },
      note: 'every third video is told on a stream; none of them ever ends, so that all are looked at to the end of a run.',
    }
    printTable([
      { what: 'generate without streams', unit: '/s', runs: without },
      beside,
      { what: 'processor time of the API, without', unit: 'µs', runs: runs.map((run) => run.without.cpuUs) },
      { what: 'processor time of the API, beside', unit: 'µs', runs: runs.map((run) => run.beside.cpuUs) },
      { what: 'events of new videos', unit: '', runs: figures('events') },
      { what: 'from the id of a video to its event, half within', unit: 'ms', runs: figures('p50Ms') },
      {
        what: 'from the id of a video to its event, 99 of 100 within',
        unit: 'ms',
        runs: figures('p99Ms'),
        note: `at most ${P99_TARGET_MS} ms is wanted. The id is made before the commit, so this is a little more than asked.`,
      },
      { what: 'memory of the API for a stream', unit: 'kB', runs: figures('kilobytes') },
    ])
    process.exitCode = isMet(beside) && median(figures('p99Ms')) <= P99_TARGET_MS ? 0 : 1
  } finally {
    await place.close()
  }
}

/** Each run measures without streams and with them, in turn in either order, each from an empty table of videos. */
export async function streams(place: Place, seconds: number, runs: number): Promise<Costs[]> {
  const sql = postgres(place.databaseUrl, { max: 1, onnotice: () => {} })
  await makePeople(sql)
  const server = await startServer(place, 'api')
  const results: Costs[] = []
  await load(server, WARM_UP_SECONDS)
  const alone = async () => {
    await sql.unsafe('truncate kinora.video')
    return load(server, seconds)
  }
  for (let i = 0; i < runs; i += 1) {
    const before = i % 2 === 0 ? await alone() : null
    await sql.unsafe('truncate kinora.video')
    const costs = await withStreams(server, seconds)
    results.push({ ...costs, without: before ?? (await alone()) })
  }
  await server.stop()
  await sql.end()
  return results
}

async function withStreams(server: Server, seconds: number): Promise<Omit<Costs, 'without'>> {
  await settle()
  const bytes = memoryBytes(server.pid)
  const waitsMs: number[] = []
  const sockets = await Promise.all(Array.from({ length: STREAMS }, (_, n) => follow(server.port, n + 1, waitsMs)))
  await settle()
  const kilobytes = (memoryBytes(server.pid) - bytes) / 1024 / STREAMS
  const beside = await load(server, seconds)
  await settle()
  for (const socket of sockets) socket.destroy()
  waitsMs.sort((a, b) => a - b)
  const within = (share: number) => waitsMs[Math.ceil(waitsMs.length * share) - 1] ?? Number.NaN
  return { beside, kilobytes, events: waitsMs.length, p50Ms: within(0.5), p99Ms: within(0.99) }
}

async function load(server: Server, seconds: number): Promise<Rate> {
  const startUs = await server.cpuUs()
  const job: LoadJob = { kind: 'generate', port: server.port, connections: CONNECTIONS, seconds }
  const result = await inProcess<LoadJob, Load>('http-load.ts', job)
  if (result.refused > 0) throw new Error(`${result.refused} of ${result.requests} were refused:\n${result.example}`)
  return { perSecond: result.perSecond, cpuUs: ((await server.cpuUs()) - startUs) / result.requests }
}

/** Opens the stream of user n; `waitsMs` gets the age of every new video at the moment when it is told. */
function follow(port: number, n: number, waitsMs: number[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let rest = ''
    const socket = connect(port, '127.0.0.1')
    socket.setEncoding('latin1')
    socket.write(
      `GET /api/v1/video/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${tokenOf(n)}\r\n` +
        'accept: text/event-stream\r\n\r\n',
    )
    socket.once('error', reject)
    socket.on('data', (chunk) => {
      const nowMs = Date.now()
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith('retry:')) resolve(socket)
        if (line.startsWith('HTTP/1.1') && !line.includes(' 200 ')) reject(new Error(line))
        // The first 48 bits of the id are the time in milliseconds.
        const [, high, low] = /^data: \{"uuid":"(\w{8})-(\w{4})-[^"]*","status":"PENDING"/.exec(line) ?? []
        if (high && low) waitsMs.push(nowMs - Number.parseInt(high + low, 16))
      }
    })
  })
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
}
