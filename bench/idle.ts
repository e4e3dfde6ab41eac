/**
 * What an unused service costs: statements that its processes send to PostgreSQL, how often they wake, and the
 * memory of all of them. Nothing is cached, and no client is connected. A proxy between them and PostgreSQL counts the
 * statements.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabaseProxy } from '../server/test/support/database-proxy.ts'
import { type Bench, type BenchEnvironment, startServer, startWorker } from './environment.ts'
import type { Line } from './table.ts'

const STATEMENTS_LIMIT = 8
const MEMORY_LIMIT_MB = 260
/** For the start to end, and connections that it has opened. */
const SETTLE_MS = 90_000
const MEASURE_MS = 60_000

export async function idle({ environment }: Bench): Promise<Line[]> {
  const proxy = await openDatabaseProxy(environment.databaseUrl)
  const through: BenchEnvironment = { ...environment, env: { ...environment.env, DATABASE_URL: proxy.url } }
  const texts = new Map<string, number>()
  const api = await startServer(through)
  const worker = await startWorker(through)
  try {
    await sleep(SETTLE_MS)
    proxy.onStatement = (text) => {
      texts.set(text, (texts.get(text) ?? 0) + 1)
      return null
    }
    const pids = [api.pid, worker.pid]
    const before = switchesOf(pids)
    await sleep(MEASURE_MS)
    const seconds = MEASURE_MS / 1000
    const statements = [...texts.values()].reduce((sum, count) => sum + count, 0) / seconds
    const postgresql = environment.databasePids()
    const memory = [api.pid, worker.pid].map((pid) => pssMbOf([pid])).concat(pssMbOf(postgresql))
    const most = [...texts].sort(([, a], [, b]) => b - a).slice(0, 5)
    for (const [text, count] of most) console.error(`${(count / seconds).toFixed(2)}/s ${text.slice(0, 100)}`)
    const [apiMb = 0, workerMb = 0, databaseMb = 0] = memory
    return [
      { what: 'idle: statements', unit: '/s', runs: [statements], limit: STATEMENTS_LIMIT },
      { what: 'idle: wake-ups of API and worker', unit: '/s', runs: [(switchesOf(pids) - before) / seconds] },
      {
        what: 'idle: memory (PSS) of API, worker and PostgreSQL',
        unit: 'MB',
        runs: [apiMb + workerMb + databaseMb],
        limit: MEMORY_LIMIT_MB,
        figures: { apiIdleMb: apiMb, workerIdleMb: workerMb, databaseIdleMb: databaseMb },
        note: `API ${apiMb.toFixed()}, worker ${workerMb.toFixed()}, ${postgresql.length} processes of PostgreSQL ${databaseMb.toFixed()} MB.`,
      },
    ]
  } finally {
    await worker.stop()
    await api.stop()
    await proxy.close()
  }
}

/** Voluntary context switches of all threads so far: each is a wait that something has ended. */
function switchesOf(pids: number[]): number {
  const threads = pids.flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`))
  const read = (thread: string) =>
    Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(readFileSync(`${thread}/status`, 'utf8'))?.[1])
  return threads.reduce((sum, thread) => sum + read(thread), 0)
}

function pssMbOf(pids: number[]): number {
  const read = (pid: number) => {
    try {
      return Number(/^Pss:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024
    } catch {
      // It has just ended.
      return 0
    }
  }
  return pids.reduce((sum, pid) => sum + read(pid), 0)
}
