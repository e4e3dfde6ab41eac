/**
 * `npm run bench:sustained-load`: 10,000 open event streams and 2,000 idle connections on one API process, beside 500 generates a second in
 * an open loop. Measured: the latency of generate and of events, memory, and whether everything is still open at the end. The hard limit of
 * open files (`ulimit -Hn`) has to allow 13,000. The figures go to docs/reliability.md.
 */
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { writeSection } from '../proofs/simulation/reliability.ts'
import { runBenchmark } from './benchmark.ts'
import { memoryBytes, runInProcess, startServer } from './environment.ts'
import { openStream } from './event-stream.ts'
import type { PacedJob, PacedResult } from './paced-load.ts'
import { type Line, quantile } from './table.ts'
import { seedUsers, USERS } from './users.ts'

const STREAMS = 10_000
const IDLE = 2_000
const PER_SECOND = 500
/** Opened together; more would overflow the accept queue. */
const BATCH = 200
const SHARE_SERVED_MIN = 0.99
const SETTLE_MS = 5_000
const OPENING_TRIES = 60
const AGAIN_MS = 1_000

await runBenchmark(60, async (environment, { seconds }) => {
  const sql = postgres(environment.databaseUrl, { max: 1, onnotice: () => {} })
  await seedUsers(sql)
  const server = await startServer(environment, 'api')
  const bytesBefore = memoryBytes(server.pid)
  const latenciesMs: number[] = []
  let reopened = 0
  const streams = new Set<Socket>()
  for (let n = 0; n < STREAMS; n += BATCH) {
    const opened = Array.from({ length: BATCH }, (_, i) => keepOpening(server.port, ((n + i) % USERS) + 1, latenciesMs))
    for (const socket of await Promise.all(opened)) {
      streams.add(socket)
      socket.once('close', () => streams.delete(socket))
    }
  }
  const idle = new Set<Socket>()
  const keepIdle = async () => {
    const socket = await openIdle(server.port)
    idle.add(socket)
    // The server closes a connection that was idle for its keep-alive timeout; a browser opens another one then.
    socket.once('close', () => {
      if (!idle.delete(socket) || isOver) return
      reopened += 1
      void keepIdle().catch(() => {})
    })
  }
  let isOver = false
  for (let n = 0; n < IDLE; n += BATCH) await Promise.all(Array.from({ length: BATCH }, keepIdle))
  await settle()
  const megabytes = memoryBytes(server.pid) / 1024 ** 2
  const files = readdirSync(`/proc/${server.pid}/fd`).length
  const startUs = await server.cpuUs()
  const job: PacedJob = { port: server.port, perSecond: PER_SECOND, seconds }
  const load = await runInProcess<PacedJob, PacedResult>('paced-load.ts', job)
  const cpuShare = ((await server.cpuUs()) - startUs) / 1e6 / seconds
  await settle()
  const after = { streams: streams.size, idle: idle.size, megabytes: memoryBytes(server.pid) / 1024 ** 2 }
  isOver = true
  for (const socket of [...streams, ...idle]) socket.destroy()
  await server.stop()
  await sql.end()

  const line = (what: string, unit: string, value: number): Line => ({ what, unit, runs: [value] })
  const lines = [
    line('event streams open at the start', '', STREAMS),
    line('event streams open at the end', '', after.streams),
    line('idle connections at the end', '', after.idle),
    line('idle connections that were opened again', '', reopened),
    line('open files of the API', '', files),
    line('memory of the API without connections', 'MB', bytesBefore / 1024 ** 2),
    line('memory of the API, all open', 'MB', megabytes),
    line('memory of the API at the end', 'MB', after.megabytes),
    line('generates a second, sent', '/s', load.sent / seconds),
    line('generates a second, 200', '/s', load.served / seconds),
    line('generate, p50', 'ms', load.p50Ms),
    line('generate, p99', 'ms', load.p99Ms),
    line('events of new videos', '', latenciesMs.length),
    line('from the id of a video to its event, p50', 'ms', quantile(latenciesMs, 0.5)),
    line('from the id of a video to its event, p99', 'ms', quantile(latenciesMs, 0.99)),
    line('CPU time of the API, of one CPU', '%', 100 * cpuShare),
  ]
  const isMet =
    after.streams === STREAMS && after.idle === IDLE && load.served >= load.sent * SHARE_SERVED_MIN && load.failed === 0
  const rows = lines.map(
    ({ what, unit, runs: [value = 0] }) => `| ${what} | ${value.toFixed(value < 10 ? 2 : 0)} ${unit} |`,
  )
  const verdict = isMet
    ? '- Every stream stayed open, and no generate failed.'
    : `- **Missed**: ${load.failed} generates failed. ${load.example.slice(0, 200)}`
  writeSection(
    'sustained-load',
    [`One API process, for ${seconds} s.`, '', '| | |', '| --- | --- |', ...rows, '', verdict].join('\n'),
  )
  return { lines, isMet }
})

/** A server that is busy says 503 with Retry-After, and a client tries again. */
async function keepOpening(port: number, n: number, latenciesMs: number[]): Promise<Socket> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await openStream(port, n, latenciesMs)
    } catch (error) {
      if (tries === OPENING_TRIES || !/ 503 /.test((error as Error).message)) throw error
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
}

/** A connection with one request, kept alive. */
function openIdle(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', reject)
    socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
    socket.on('data', () => resolve(socket))
  })
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
}
