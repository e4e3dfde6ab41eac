/**
 * Sums over the films that ended in a period (server/sql/film_sum.sql): of whole days that are summed from their rows,
 * of whole months from one row, and of everything else from the videos: the edges of a period in another zone than UTC,
 * and its days. Invariant: the answer is that of the videos, whatever is summed.
 */
import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import type { Sql } from '../db/db.ts'
import { countInEach } from '../db/parts.ts'
import type { Period } from './period.ts'

export const GROUPINGS = ['day', 'model', 'account', 'route', 'user'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** What a row's films have in common; null: not grouped by it. A route is a model at an account by its name there. */
export type Group = {
  /** In the time zone of the report. */
  day: string | null
  model: string | null
  account: string | null
  /** Null also of films that were never sent. */
  vendorModel: string | null
  userId: string | null
}

/** Sums over films. Costs are in USD. */
export type Sums = {
  films: number
  failed: number
  cancelled: number
  filmSeconds: number
  creditsEarned: number
  creditsReturned: number
  /** How many films have a cost that the provider stated or reserved, that is the catalogue's, or that is unknown. */
  statedCosts: number
  reservedCosts: number
  catalogueCosts: number
  unknownCosts: number
  /** What the credits of completed films were sold for, and how many of them have no value in USD. */
  earnedUsd: number
  unvaluedCredits: number
  /** Of the films whose cost is known. */
  knownUsd: number
  knownEarnedUsd: number
  knownUnvalued: number
  /** Films whose stated cost is not the catalogue's, by more than DIFFERENCE_SHARE, and both costs of these. */
  differing: number
  differingExpectedUsd: number
  differingFoundUsd: number
}

/** `seconds`: of generation, each with the number of films. `unpriced`: stated amounts in units without a value. */
export type Row = Group & Sums & { seconds: [number, number][]; unpriced: [string, number][] }

/** `account`: of its films only. `zone`: of the days that are grouped by. */
export type Films = { period: Period; account: string | undefined; zone: string }

const DAY_MS = 86_400_000

/** Pieces of one sweep: years that were never summed must not keep it from its other tasks. */
const PIECES_MAX = 100

/** Sums the days that are over and were not summed before, the oldest first. @returns pieces of work */
export const sumFilms = (
  { log, database, now }: Pick<App, 'log' | 'database' | 'now'>,
  signal?: AbortSignal,
): Promise<number> =>
  countInEach({ log }, database.parts(), async (sql) => {
    let done = 0
    while (done < PIECES_MAX && !signal?.aborted && (await call(sql, 'film_sum_next', { now: now() }))) done += 1
    return done
  })

/** @returns the rows with the most credits, `limit` at most */
export async function readSums(
  sql: Sql,
  { period, account, zone }: Films,
  groupBy: readonly Grouping[],
  limit: number,
): Promise<Row[]> {
  const by = (...groupings: Grouping[]) => groupings.some((each) => groupBy.includes(each))
  const { name, isStored } = groupingOf(groupBy, account)
  const ofUtc = isStored && (zone === 'UTC' || !by('day'))
  const { months, days, ranges } = await planOf(sql, period, { isStored: ofUtc, byDay: by('day') })
  const none = sql`null::text`
  // Not all of them: a later release may add some.
  const columns = sql`
    user_id, since, model, account, vendor_model, films, failed, cancelled, film_seconds, credits_earned, credits_returned,
    stated_costs, reserved_costs, catalogue_costs, unknown_costs, known_usd, differing, differing_expected_usd,
    differing_found_usd, earned_usd, unvalued_credits, known_earned_usd, known_unvalued, seconds, unpriced
  `
  const stored = (span: 'month' | 'day', firstDays: string[]) => sql`
    select ${columns} from kinora.film_sum
    where grouped_by = ${name} and span = ${span} and since = any(${firstDays}::text[]::date[])
      ${account === undefined ? sql`` : sql`and account = ${account}`}
  `
  const rows = await sql<(Omit<Row, 'seconds' | 'unpriced'> & { seconds: string; unpriced: string })[]>`
    with sums as (
      ${stored('month', months)}
      union all
      ${stored('day', days)}
      union all
      select ${columns}
      from unnest(${ranges.map(([from]) => from.toISOString())}::text[]::timestamptz[], ${ranges.map(([, to]) => to.toISOString())}::text[]::timestamptz[]) r (begins, ends)
      cross join lateral kinora.film_sums(
        p_since => r.begins, p_until => r.ends, p_groupings => array[${name}]::text[], p_account => ${account ?? null},
        p_zone => ${zone}
      ) s
    )
    select ${by('day') ? sql`since::text` : none} as day,
           ${by('model', 'route') ? sql`model` : none} as model,
           ${by('account', 'route') ? sql`account` : none} as account,
           ${by('route') ? sql`nullif(vendor_model, '')` : none} as vendor_model,
           ${by('user') ? sql`user_id` : sql`null::uuid`} as user_id,
           sum(films)::bigint as films,
           sum(failed)::bigint as failed,
           sum(cancelled)::bigint as cancelled,
           sum(film_seconds)::float8 as film_seconds,
           sum(credits_earned)::bigint as credits_earned,
           sum(credits_returned)::bigint as credits_returned,
           sum(stated_costs)::bigint as stated_costs,
           sum(reserved_costs)::bigint as reserved_costs,
           sum(catalogue_costs)::bigint as catalogue_costs,
           sum(unknown_costs)::bigint as unknown_costs,
           sum(known_usd)::float8 as known_usd,
           sum(differing)::bigint as differing,
           sum(differing_expected_usd)::float8 as differing_expected_usd,
           sum(differing_found_usd)::float8 as differing_found_usd,
           sum(earned_usd)::float8 as earned_usd,
           sum(unvalued_credits)::bigint as unvalued_credits,
           sum(known_earned_usd)::float8 as known_earned_usd,
           sum(known_unvalued)::bigint as known_unvalued,
           concat('[', string_agg(seconds, ','), ']') as seconds,
           concat('[', string_agg(unpriced, ','), ']') as unpriced
    from sums
    group by 1, 2, 3, 4, 5
    order by credits_earned desc
    limit ${limit}
  `
  return rows.map((row) => ({ ...row, seconds: JSON.parse(row.seconds), unpriced: JSON.parse(row.unpriced) }))
}

/** The grouping of film_sum whose rows can be added up to these groups; of others there are no stored rows. */
function groupingOf(groupBy: readonly Grouping[], account: string | undefined): { name: string; isStored: boolean } {
  const parts = new Set<string>(groupBy.filter((each) => each !== 'day'))
  if (account !== undefined) parts.add('account')
  if (parts.has('model') && parts.has('account')) parts.add('route')
  if (parts.has('route')) for (const part of ['model', 'account']) parts.delete(part)
  return { name: [...parts].join(), isStored: parts.size <= 1 }
}

type Plan = { months: string[]; days: string[]; ranges: Period[] }

/** What is read of a period from where: the first days of months, days, and what is read from the videos. */
async function planOf(
  sql: Sql,
  [since, until]: Period,
  { isStored, byDay }: { isStored: boolean; byDay: boolean },
): Promise<Plan> {
  const first = Math.ceil(since.getTime() / DAY_MS)
  const end = Math.floor(until.getTime() / DAY_MS)
  const [state] = isStored && first < end ? await readState(sql) : []
  if (!state) return { months: [], days: [], ranges: [[since, until]] }
  const stale = new Set(state.stale)
  const isSummed = (day: number) => day >= state.since && day < state.until && !stale.has(day)
  const summed = Array.from({ length: end - first }, (_, n) => first + n).filter(isSummed)
  // The sums of a month are those of its summed days.
  const hasAll = ([month, days]: [string, number[]]) => {
    const [begin, next] = [dayOf(`${month}-01`), dayOf(nextMonth(month))]
    const stored = Math.min(next, state.until) - Math.max(begin, state.since)
    return days.length === stored && (next <= state.until || state.until === state.over)
  }
  const byMonth = byDay ? [] : [...Map.groupBy(summed, (day) => dayText(day).slice(0, 7))].filter(hasAll)
  const inMonths = new Set(byMonth.flatMap(([, days]) => days))
  return {
    months: byMonth.map(([month]) => `${month}-01`),
    days: summed.filter((day) => !inMonths.has(day)).map(dayText),
    ranges: between(since, until, summed),
  }
}

/** Days are numbers from 1970. */
const readState = (sql: Sql) => sql<{ since: number; until: number; over: number; stale: number[] }[]>`
  select since - date '1970-01-01' as since, until - date '1970-01-01' as until, over - date '1970-01-01' as over,
         array(select d - date '1970-01-01' from kinora.film_sum_stale_days() d) as stale
  from kinora.film_sum_state
`

const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
const dayOf = (text: string): number => Date.parse(text) / DAY_MS
/** The first day of the month behind one. */
const nextMonth = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)).toISOString().slice(0, 10)

/** The parts of a period without the days. */
function between(since: Date, until: Date, days: readonly number[]): Period[] {
  const starts = [since, ...days.map((day) => new Date((day + 1) * DAY_MS))]
  const ends = [...days.map((day) => new Date(day * DAY_MS)), until]
  return starts.flatMap((start, n): Period[] => {
    const end = ends[n]
    return end && start < end ? [[start, end]] : []
  })
}
