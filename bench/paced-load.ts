/** Sends generates at a fixed rate (open loop), in a process of its own. */
import { Pool } from 'undici'
import { quantile } from './table.ts'
import { generateBody, tokenOf, USERS } from './users.ts'

export type PacedJob = { port: number; perSecond: number; seconds: number }
/**
 * `failed`: no response, or another status than 200. `example`: the first of them. Latencies are counted from when a
 * request was due, and without those of the first second, in which this process opens its connections and compiles
 * itself.
 */
export type PacedResult = {
  sent: number
  served: number
  failed: number
  example: string
  p50Ms: number
  p99Ms: number
}

const TICK_MS = 5
const WARM_UP_MS = 1000
const CONNECTIONS = 64

process.once('message', async ({ port, perSecond, seconds }: PacedJob) => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS })
  const body = JSON.stringify(generateBody)
  const latenciesMs: number[] = []
  const result = { sent: 0, served: 0, failed: 0, example: '' }
  const startMs = performance.now()
  const send = async (n: number, dueMs: number) => {
    const headers = { authorization: `Bearer ${tokenOf((n % USERS) + 1)}`, 'content-type': 'application/json' }
    try {
      const response = await pool.request({ method: 'POST', path: '/api/v1/video/generate', headers, body })
      const text = await response.body.text()
      if (dueMs >= startMs + WARM_UP_MS) latenciesMs.push(performance.now() - dueMs)
      if (response.statusCode === 200) result.served += 1
      else {
        result.failed += 1
        result.example ||= `${response.statusCode} ${text}`
      }
    } catch (error) {
      result.failed += 1
      result.example ||= (error as Error).message
    }
  }
  const pending: Promise<void>[] = []
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsedMs = Math.min(performance.now() - startMs, seconds * 1000)
      while (result.sent < Math.floor((elapsedMs * perSecond) / 1000)) {
        pending.push(send(result.sent, startMs + (result.sent * 1000) / perSecond))
        result.sent += 1
      }
      if (elapsedMs < seconds * 1000) return
      clearInterval(timer)
      resolve()
    }, TICK_MS)
  })
  await Promise.all(pending)
  await pool.close()
  const latencies = { p50Ms: quantile(latenciesMs, 0.5), p99Ms: quantile(latenciesMs, 0.99) }
  process.send?.({ ...result, ...latencies } satisfies PacedResult)
})
