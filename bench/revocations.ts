/**
 * `npm run bench:revocations`: how long a revoked session works at an API process, and how long its event stream stays open
 * there, while other users generate as fast as possible. The session is deleted by SQL, so that the time of the commit is known. One table.
 */
import { connect } from 'node:net'
import postgres from 'postgres'
import { runBenchmark } from './benchmark.ts'
import { runInProcess, type Server, startServer } from './environment.ts'
import type { Job as LoadJob, LoadResult } from './http-load.ts'
import { type Line, median } from './table.ts'
import { seedUsers, tokenOf, USERS } from './users.ts'

const TARGET_MS = 1_000
const CONNECTIONS = 16
/** Between two revocations, so that they fall on all moments of a poll interval. */
const PAUSE_MS = 83

type Delays = { requestMs: number; streamMs: number }

await runBenchmark(10, async (environment, { seconds, runs }) => {
  const sql = postgres(environment.databaseUrl, { max: 1, onnotice: () => {} })
  await seedUsers(sql)
  const server = await startServer(environment, 'api')
  const worst: Delays[] = []
  const middle: Delays[] = []
  for (let i = 0; i < runs; i += 1) {
    // The users of the load come first by number, those whose session is revoked last.
    const job: LoadJob = { kind: 'generate', port: server.port, connections: CONNECTIONS, seconds, users: USERS / 2 }
    const load = runInProcess<LoadJob, LoadResult>('http-load.ts', job)
    const delays = await revokeFor(seconds - 2, sql, server, USERS - i * 200)
    await load
    worst.push(summary(delays, Math.max))
    middle.push(summary(delays, (...values) => median(values)))
  }
  await server.stop()
  await sql.end()
  const line = (what: string, of: Delays[], key: keyof Delays): Line => ({
    what,
    unit: 'ms',
    runs: of.map((each) => each[key]),
  })
  const lines = [
    line('revocation to the last accepted request, median', middle, 'requestMs'),
    line('revocation to the last accepted request, most', worst, 'requestMs'),
    line('revocation to the end of the stream, median', middle, 'streamMs'),
    { ...line('revocation to the end of the stream, most', worst, 'streamMs'), note: `the target is ${TARGET_MS} ms.` },
  ]
  return { lines, isMet: worst.every(({ requestMs, streamMs }) => Math.max(requestMs, streamMs) <= TARGET_MS) }
})

function summary(delays: Delays[], of: (...values: number[]) => number): Delays {
  return {
    requestMs: of(...delays.map(({ requestMs }) => requestMs)),
    streamMs: of(...delays.map(({ streamMs }) => streamMs)),
  }
}

/** Revokes the session of one user after another, from number `n` down. */
async function revokeFor(seconds: number, sql: postgres.Sql, server: Server, n: number): Promise<Delays[]> {
  const endMs = performance.now() + seconds * 1000
  const delays: Promise<Delays>[] = []
  while (performance.now() < endMs) {
    delays.push(revoke(sql, server, n))
    n -= 1
    await pause(PAUSE_MS)
  }
  return Promise.all(delays)
}

async function revoke(sql: postgres.Sql, { port }: Server, n: number): Promise<Delays> {
  const headers = { authorization: `Bearer ${tokenOf(n)}` }
  const stream = await follow(port, n)
  const status = async () => (await fetch(`http://127.0.0.1:${port}/api/v1/credit/balance`, { headers })).status
  if ((await status()) !== 200) throw new Error('a session does not work before it is revoked')
  await sql`delete from public.session where token = public.stored_token(${tokenOf(n)})`
  const startMs = performance.now()
  // The latest request that was accepted is what counts, and not how long its refusal takes.
  let acceptedMs = 0
  for (;;) {
    const sentMs = performance.now()
    if ((await status()) === 401) break
    acceptedMs = sentMs - startMs
    await pause(5)
  }
  return { requestMs: acceptedMs, streamMs: Math.max(0, (await stream.ended) - startMs) }
}

/** Resolves when the stream is open. `ended` resolves to the time of its end. */
async function follow(port: number, n: number): Promise<{ ended: Promise<number> }> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const opened = Promise.withResolvers<void>()
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1')
  socket.write(`GET /api/v1/video/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${tokenOf(n)}\r\n\r\n`)
  socket.on('data', (text: string) => text.includes('retry:') && opened.resolve())
  socket.once('error', opened.reject)
  socket.once('close', () => resolve(performance.now()))
  await opened.promise
  return { ended: promise }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
