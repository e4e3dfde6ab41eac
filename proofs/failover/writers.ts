/**
 * Two writers beside the load, each with one write after the other: rows by SQL, and a user's name through the API.
 * They measure how long nothing could be written, and keep what was acknowledged.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'

const PAUSE_MS = 50
const API_PAUSE_MS = 200
const TIMEOUT_MS = 5_000

export type Writer = {
  /** The longest time between two acknowledged writes since the last call, one still open included. */
  longestGapMs: () => number
  acknowledged: () => number
  stop: () => Promise<void>
}

export type SqlWriter = Writer & { lost: (url: string) => Promise<number> }

/** Writes until it is stopped. @param write resolves when the write was acknowledged */
function startWriter(write: (n: number) => Promise<unknown>, pauseMs: number): Writer {
  let isStopped = false
  let acknowledged = 0
  let lastMs = performance.now()
  let longestMs = 0
  const note = () => {
    longestMs = Math.max(longestMs, performance.now() - lastMs)
  }
  const loop = async () => {
    for (let n = 0; !isStopped; n++) {
      const isWritten = await write(n).then(
        () => true,
        () => false,
      )
      if (isWritten) {
        note()
        acknowledged++
        lastMs = performance.now()
      }
      await sleep(pauseMs)
    }
  }
  const over = loop()
  return {
    longestGapMs: () => {
      note()
      const longest = longestMs
      longestMs = 0
      lastMs = performance.now()
      return longest
    },
    acknowledged: () => acknowledged,
    stop: () => {
      isStopped = true
      return over
    },
  }
}

export async function startSqlWriter(url: string): Promise<SqlWriter> {
  const setUp = postgres(url, { max: 1 })
  await setUp`create table if not exists failover_write (n integer primary key)`
  await setUp.end()
  const written = new Set<number>()
  let sql = postgres(url, { max: 1, connect_timeout: 2 })
  const writer = startWriter(async (n) => {
    const timeout = new Promise((_, reject) => setTimeout(reject, TIMEOUT_MS, new Error('timeout')).unref())
    try {
      await Promise.race([sql`insert into failover_write values (${n})`, timeout])
      written.add(n)
    } catch (error) {
      void sql.end({ timeout: 0 }).catch(() => {})
      sql = postgres(url, { max: 1, connect_timeout: 2 })
      throw error
    }
  }, PAUSE_MS)
  return {
    ...writer,
    stop: async () => {
      await writer.stop()
      await sql.end({ timeout: 1 })
    },
    lost: async (direct) => {
      const check = postgres(direct, { max: 1 })
      const rows = await check<{ n: number }[]>`select n from failover_write`
      await check.end()
      const present = new Set(rows.map(({ n }) => n))
      return [...written].filter((n) => !present.has(n)).length
    },
  }
}

/** @param api the base URL of an API process, another one each time */
export function startApiWriter(api: () => string, token: string): Writer {
  return startWriter(async (n) => {
    const response = await fetch(`${api()}/api/auth/update-user`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Writer ${n}` }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${response.status}`)
  }, API_PAUSE_MS)
}
