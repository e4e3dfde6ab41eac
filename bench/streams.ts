/**
 * The cost of open event streams: 1,000 of the 3,000 users have one stream each on one API process, while all users
 * generate as fast as possible. Memory of a stream, latency from commit to event, and the throughput of generate with
 * streams and without.
 */
import { connect, type Socket } from 'node:net'
import { type Bench, type BenchEnvironment, memoryBytes, type Server, startServer } from './environment.ts'
import { load } from './requests.ts'
import { type Line, medianRatio, quantile } from './table.ts'
import { tokenOf } from './users.ts'

const STREAMS = 1_000
const CONNECTIONS = 32
const WARM_UP_SECONDS = 2
const P99_LIMIT_MS = 1_000
const GENERATE_TARGET = 0.9
/** Time in which memory usage becomes stable and the last events arrive. */
const SETTLE_MS = 2_000

/** generate requests a second, and the API's CPU time per request. */
type Rate = { perSecond: number; cpuUs: number }
type Costs = { without: Rate; beside: Rate; kilobytes: number; events: number; p50Ms: number; p99Ms: number }

export async function streams({ environment, seconds, runs }: Bench): Promise<Line[]> {
  const results = await measureStreams(environment, seconds, runs)
  const valuesOf = (key: 'kilobytes' | 'events' | 'p50Ms' | 'p99Ms') => results.map((result) => result[key])
  const without = results.map((result) => result.without.perSecond)
  const beside = results.map((result) => result.beside.perSecond)
  return [
    { what: 'generate without streams', unit: '/s', runs: without },
    {
      what: `generate beside ${STREAMS.toLocaleString('en')} streams`,
      unit: '/s',
      runs: beside,
      ratio: { value: medianRatio(beside, without), target: GENERATE_TARGET },
      note: 'every third video is reported on a stream; no video finishes, so that all are polled to the end of a run.',
    },
    { what: 'CPU time of the API per request, without', unit: 'µs', runs: results.map(({ without }) => without.cpuUs) },
    { what: 'CPU time of the API per request, beside', unit: 'µs', runs: results.map(({ beside }) => beside.cpuUs) },
    { what: 'events of new videos', unit: '', runs: valuesOf('events') },
    { what: 'from the id of a video to its event, p50', unit: 'ms', runs: valuesOf('p50Ms') },
    {
      what: 'from the id of a video to its event, p99',
      unit: 'ms',
      runs: valuesOf('p99Ms'),
      limit: P99_LIMIT_MS,
      note: 'the id is made before the commit, so the latency since the commit is a little less.',
    },
    { what: 'memory of the API per stream', unit: 'kB', runs: valuesOf('kilobytes') },
  ]
}

/** Each run measures without streams and with them, in alternating order, because the tables grow. */
async function measureStreams(environment: BenchEnvironment, seconds: number, runs: number): Promise<Costs[]> {
  const server = await startServer(environment)
  const results: Costs[] = []
  await rateOf(server, WARM_UP_SECONDS)
  for (let i = 0; i < runs; i += 1) {
    const before = i % 2 === 0 ? await rateOf(server, seconds) : null
    const costs = await withStreams(server, seconds)
    results.push({ ...costs, without: before ?? (await rateOf(server, seconds)) })
  }
  await server.stop()
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
  const beside = await rateOf(server, seconds)
  await settle()
  for (const socket of sockets) socket.destroy()
  const latencies = { p50Ms: quantile(latenciesMs, 0.5), p99Ms: quantile(latenciesMs, 0.99) }
  return { beside, kilobytes, events: latenciesMs.length, ...latencies }
}

async function rateOf(server: Server, seconds: number): Promise<Rate> {
  const startUs = await server.cpuUs()
  const result = await load({ kind: 'generate', port: server.port, connections: CONNECTIONS, seconds })
  return { perSecond: result.perSecond, cpuUs: ((await server.cpuUs()) - startUs) / result.requests }
}

/**
 * Opens the stream of user n on a plain socket, because a client library would take more CPU time than the service;
 * appends the age of every new video at the arrival of its event.
 */
function openStream(port: number, n: number, latenciesMs: number[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let rest = ''
    const socket = connect(port, '127.0.0.1')
    socket.setEncoding('latin1')
    socket.write(
      `GET /api/v1/video/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${tokenOf(n)}\r\n` +
        'accept: text/event-stream\r\n\r\n',
    )
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      const nowMs = Date.now()
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const text of lines) {
        if (text.startsWith('retry:')) resolve(socket)
        if (text.startsWith('HTTP/1.1') && !text.includes(' 200 ')) reject(new Error(text))
        // The first 48 bits of a UUIDv7 are its time in milliseconds.
        const [, high, low] = /^data: \{"uuid":"(\w{8})-(\w{4})-[^"]*","status":"PENDING"/.exec(text) ?? []
        // The prepared videos have ids of the year 1970.
        if (high && low && !high.startsWith('0000')) latenciesMs.push(nowMs - Number.parseInt(high + low, 16))
      }
    })
  })
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
}
