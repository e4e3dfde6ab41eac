/**
 * Counters in PostgreSQL, for API processes on several machines. The table is unlogged: its commits wait for no disk,
 * and a crash of the database empties it. Times are the database's, so clocks that differ do not matter.
 */
import type { Logger } from 'pino'
import type { Sql } from '../db/db.ts'
import {
  type Attempt,
  backoffOutcome,
  counterOf,
  type LimitName,
  type Outcome,
  type Policy,
  policies,
  policyOf,
  type SharedCounters,
  windowOutcome,
} from './policies.ts'

const PURGE_EVERY_MS = 60_000
const PURGE_ROWS = 10_000

type Consumed = { counter: LimitName; key: string; count: number; resetMs: number }

export function postgresqlCounters(sql: Sql, log: Logger): SharedCounters {
  const purge = () =>
    sql`
      delete from kinora.rate_counter
      where ctid = any (array(select ctid from kinora.rate_counter where until < clock_timestamp() limit ${PURGE_ROWS}))
    `.catch((error: unknown) => log.debug({ err: error }, 'the counters of the rate limits were not purged'))
  // The time has jitter, because the processes of a deployment start together.
  const timer = setInterval(purge, PURGE_EVERY_MS * (0.5 + Math.random())).unref()
  return {
    consume: async (attempts) => {
      const windows = await consumeWindows(
        sql,
        attempts.filter(({ name }) => policies[name].kind === 'window'),
      )
      const outcomes: Outcome[] = []
      for (const attempt of attempts) {
        const policy = policyOf(attempt)
        outcomes.push(
          policy.kind === 'window'
            ? nextOutcome(policy, windows.get(rowKey(attempt)))
            : await consumeBackoff(sql, policy, attempt),
        )
      }
      return outcomes
    },
    reward: async ({ name, key }) => {
      const counter = counterOf(name)
      if (policies[name].kind === 'backoff')
        await sql`delete from kinora.rate_counter where counter = ${counter} and key = ${key}`
      else {
        await sql`
          update kinora.rate_counter set count = count - 1 where counter = ${counter} and key = ${key} and count > 0
        `
      }
    },
    read: async (attempts) => {
      const rows = await sql<Consumed[]>`
        select counter, key, count, extract(epoch from until - clock_timestamp())::double precision * 1000 as reset_ms
        from kinora.rate_counter
        where (counter, key) in (
          select r.counter, r.key
          from json_to_recordset(${JSON.stringify(attempts.map(({ name, key }) => ({ counter: counterOf(name), key })))}::text::json)
            as r (counter text, key text)
        ) and until > clock_timestamp()
      `
      const found = new Map(rows.map((row) => [rowKey({ name: row.counter, key: row.key }), row]))
      return attempts.map((attempt) => {
        const { count, resetMs } = found.get(rowKey(attempt)) ?? { count: 0, resetMs: 0 }
        return { ...windowOutcome(policyOf(attempt), count, count > 0 ? resetMs : 0), isAllowed: true }
      })
    },
    close: () => clearInterval(timer),
  }
}

const rowKey = ({ name, key }: Attempt) => `${counterOf(name)} ${key}`

/**
 * Counts all attempts with one statement, a row for each key. The rows are locked in the order of their keys, so
 * that the batches of two processes cannot deadlock. `count` is that before the attempts of this batch.
 */
async function consumeWindows(sql: Sql, attempts: Attempt[]): Promise<Map<string, Consumed>> {
  const rows = new Map<string, { counter: LimitName; key: string; window_ms: number; n: number }>()
  for (const attempt of attempts) {
    const { name, key } = attempt
    const row = rows.get(rowKey(attempt)) ?? { counter: counterOf(name), key, window_ms: policies[name].windowMs, n: 0 }
    row.n += 1
    rows.set(rowKey(attempt), row)
  }
  if (rows.size === 0) return new Map()
  const consumed = await sql<Consumed[]>`
    insert into kinora.rate_counter as c (counter, key, count, until)
    select r.counter, r.key, r.n, clock_timestamp() + make_interval(secs => r.window_ms / 1000.0)
    from json_to_recordset(${JSON.stringify([...rows.values()])}::text::json)
      as r (counter text, key text, window_ms integer, n integer)
    order by r.counter collate "C", r.key collate "C"
    on conflict (counter, key) do update set
      count = case when c.until <= clock_timestamp() then excluded.count else least(c.count, 1000000) + excluded.count end,
      until = case when c.until <= clock_timestamp() then excluded.until else c.until end
    returning counter, key, count, extract(epoch from until - clock_timestamp())::double precision * 1000 as reset_ms
  `
  for (const row of consumed) row.count -= rows.get(rowKey({ name: row.counter, key: row.key }))?.n ?? 0
  return new Map(consumed.map((row) => [rowKey({ name: row.counter, key: row.key }), row]))
}

function nextOutcome(policy: Policy, row: Consumed | undefined): Outcome {
  if (!row) throw new Error('the database returned no counter for an attempt')
  row.count += 1
  return windowOutcome(policy, row.count, Math.max(1, row.resetMs))
}

/** `until` is the last attempt and the window, so the last attempt is `until` less the window. */
async function consumeBackoff(
  sql: Sql,
  policy: Policy & { kind: 'backoff' },
  { name, key }: Attempt,
): Promise<Outcome> {
  const counter = counterOf(name)
  const { max, firstMs, longestMs, windowMs } = policy
  const window = sql`make_interval(secs => ${windowMs / 1000}::double precision)`
  const pauseEnds = sql`
    c.until - ${window} + make_interval(secs => case
      when c.count < ${max} then 0
      else least(${longestMs / 1000}, ${firstMs / 1000} * power(2, least(c.count - ${max}, 30)))
    end::double precision)
  `
  const [allowed] = await sql<{ count: number }[]>`
    insert into kinora.rate_counter as c (counter, key, count, until)
    values (${counter}, ${key}, 1, clock_timestamp() + ${window})
    on conflict (counter, key) do update set
      count = case when c.until <= clock_timestamp() then 1 else c.count + 1 end,
      until = excluded.until
    where c.until <= clock_timestamp() or ${pauseEnds} <= clock_timestamp()
    returning count
  `
  if (allowed) return backoffOutcome(policy, allowed.count)
  const [refused] = await sql<{ resetMs: number }[]>`
    select extract(epoch from ${pauseEnds} - clock_timestamp())::double precision * 1000 as reset_ms
    from kinora.rate_counter c
    where c.counter = ${counter} and c.key = ${key}
  `
  return { isAllowed: false, max, remaining: 0, resetMs: Math.max(1, refused?.resetMs ?? 1) }
}
