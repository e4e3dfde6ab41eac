/**
 * What films have cost and earned, for administrators and metrics: sums over the films that ended in a period
 * (film-sums.ts), so that every figure is exact. Invariants: amounts of different units are never added, and an unknown
 * cost is never zero.
 *
 * The cost of a film in USD is what its provider said last, where the unit has a value (`unitUsd` of its account); of a
 * completed film else what the provider has reserved, else the catalogue's. A task that no provider took has cost
 * nothing. Every other cost is unknown: providers charge for a failed film or do not.
 *
 * What a film has earned is what the packages were sold for whose credits it used, without tax and refunds; gifts earn
 * nothing. Credits that were sold in another currency than USD have no value here.
 */
import type { App } from '../app.ts'
import { unitUsdOf } from '../catalogue/price.ts'
import { figures, type Merges, merged, sum } from '../db/parts.ts'
import { csvOf } from '../text/csv.ts'
import { DIFFERENCE_SHARE } from '../video/differing-cost.ts'
import { type ProviderBalance, readBalances } from './balances.ts'
import { type Films, type Group, type Grouping, type Row, readSums, type Sums } from './film-sums.ts'
import { type Owner, withOwners } from './owner.ts'
import { daysOf, type PeriodQuery, partsOf, periodOf } from './period.ts'

export type Costs = Group &
  Owner &
  Omit<Sums, 'earnedUsd' | 'knownUsd' | 'knownEarnedUsd' | 'knownUnvalued'> & {
    costUsd: number | null
    /** Null: none of the credits has a value. */
    earnedUsd: number | null
    /** What the films whose cost is known have earned, without that cost; null also when some of it has no value. */
    marginUsd: number | null
    unpriced: { unit: string; amount: number }[]
    /** Seconds from acceptance to result. */
    p50Seconds: number | null
    p95Seconds: number | null
  }

/** `account`: of its films only. */
export type CostsQuery = PeriodQuery & { groupBy: readonly Grouping[]; account?: string }

const ROWS_MAX = 10_000
/** Of one day, or of a report without days: there are fewer users. */
const ROWS_OF_CSV = 1_000_000

/**
 * @param query whole days in TIME_ZONE, the last one included; default: the last 30
 * @returns the rows, newest day and then most credits first, at most 10,000; `isComplete`: there are no more
 * @throws AppError INVALID_REQUEST for a period that ends before it begins or is longer than 366 days
 */
export async function costs(app: App, query: CostsQuery) {
  const { groupBy, account } = query
  const period = periodOf(query, app.now(), app.config.site.timeZone)
  const found = await read(app, { period, account }, groupBy)
  const isComplete = found.length <= ROWS_MAX
  const total = isComplete ? totalOf(found) : await read(app, { period, account }, [])
  const shown = found
    .toSorted((a, b) => (a.day === b.day ? b.creditsEarned - a.creditsEarned : (a.day ?? '') < (b.day ?? '') ? 1 : -1))
    .slice(0, ROWS_MAX)
  return {
    ...daysOf(period, app.config.site.timeZone),
    total: toCosts({ ...NO_OWNER, ...(total[0] ?? NOTHING) }),
    rows: (await withOwners(app, shown)).map(toCosts),
    isComplete,
  }
}

/** By account and model, of the films that ended in the last hour. */
export async function costsOfLastHour(app: App): Promise<Costs[]> {
  const now = app.now()
  const period = [new Date(now.getTime() - 3600_000), now] as const
  const rows = await read(app, { period, account: undefined }, ['account', 'model'])
  return rows.map((row) => toCosts({ ...NO_OWNER, ...row }))
}

/** What an account fell by and what its films cost, in USD, on a day on which that differs. */
type DayOfAccount = { day: string; fellUsd: number; costUsd: number }
export type AccountCosts = {
  account: string
  /** When its vendor says what a film costs; null: never. */
  says: 'submit' | 'poll' | null
  balance: ProviderBalance | null
  /** Of the days on which the balance was read, and on which the cost of every film is known. */
  days: number
  fellUsd: number | null
  costUsd: number | null
  /** The largest differences first. */
  differing: DayOfAccount[]
}

const DIFFERING_DAYS_MAX = 10
/** Below it a difference is that of films at midnight. */
const DIFFERENCE_USD = 0.05

/**
 * For each account in use, how its costs become known, and the difference of its balance by day against the cost of its
 * films: it shows what no film tells.
 * @throws AppError INVALID_REQUEST as `costs`
 */
export async function accountCosts(app: App, query: PeriodQuery): Promise<AccountCosts[]> {
  const period = periodOf(query, app.now(), app.config.site.timeZone)
  const [since, until] = period
  const [balances, films, falls] = await Promise.all([
    readBalances(app),
    read(app, { period, account: undefined }, ['day', 'account'], 1_000_000),
    app.sql<{ day: string; account: string; unit: string; spent: number }[]>`
      select (asked_at at time zone ${app.config.site.timeZone})::date::text as day, account, unit, sum(spent)::float8 as spent
      from kinora.provider_balance
      where hour >= ${since} and hour < ${until} and spent is not null
      group by 1, 2, 3
    `,
  ])
  return await Promise.all(
    [...balances].map(async ([account, balance]) => {
      const compared = falls.flatMap(({ day, unit, spent, ...fall }): DayOfAccount[] => {
        const unitUsd = unitUsdOf(app.config.providers[account], unit)
        const cost = films.find((each) => each.day === day && each.account === account) ?? NOTHING
        if (fall.account !== account || unitUsd === null || cost.unknownCosts > 0) return []
        return [{ day, fellUsd: toCent(spent * unitUsd), costUsd: toCent(cost.knownUsd) }]
      })
      const total = (name: 'fellUsd' | 'costUsd') =>
        compared.length === 0 ? null : toCent(compared.reduce((all, each) => all + each[name], 0))
      return {
        account,
        says: (await app.providers.open(account))?.adapter.capabilities.cost ?? null,
        balance,
        days: compared.length,
        fellUsd: total('fellUsd'),
        costUsd: total('costUsd'),
        differing: compared
          .filter((each) => differenceOf(each) > Math.max(DIFFERENCE_USD, DIFFERENCE_SHARE * each.costUsd))
          .toSorted((a, b) => differenceOf(b) - differenceOf(a))
          .slice(0, DIFFERING_DAYS_MAX),
      }
    }),
  )
}

const differenceOf = ({ fellUsd, costUsd }: DayOfAccount): number => Math.abs(fellUsd - costUsd)

const joined = <T>(a: T[], b: T[]): T[] => [...a, ...b]
const merges: Merges<Row> = {
  films: sum,
  failed: sum,
  cancelled: sum,
  filmSeconds: sum,
  creditsEarned: sum,
  creditsReturned: sum,
  statedCosts: sum,
  reservedCosts: sum,
  catalogueCosts: sum,
  unknownCosts: sum,
  earnedUsd: sum,
  unvaluedCredits: sum,
  knownUsd: sum,
  knownEarnedUsd: sum,
  knownUnvalued: sum,
  differing: sum,
  differingExpectedUsd: sum,
  differingFoundUsd: sum,
  seconds: joined,
  unpriced: joined,
}
const NO_OWNER: Owner = { email: null, team: null }
const NO_GROUP = { day: null, model: null, account: null, vendorModel: null, userId: null }
/** The histograms are put together at once, because each merge copies them. */
const totalOf = (rows: readonly Row[]): Row[] =>
  merged(
    rows.map((row): Row => ({ ...row, ...NO_GROUP, seconds: [], unpriced: [] })),
    merges,
  ).map((total) => ({
    ...total,
    seconds: rows.flatMap(({ seconds }) => seconds),
    unpriced: rows.flatMap(({ unpriced }) => unpriced),
  }))
const NOTHING: Row = {
  ...NO_GROUP,
  ...(Object.fromEntries(Object.keys(merges).map((name) => [name, 0])) as Sums),
  seconds: [],
  unpriced: [],
}

/** All films of a user are in one part: the first ROWS_MAX rows of each part contain those of all. */
const read = (app: App, of: Omit<Films, 'zone'>, groupBy: readonly Grouping[], limit = ROWS_MAX + 1): Promise<Row[]> =>
  figures<Row>(app, (sql) => readSums(sql, { ...of, zone: app.config.site.timeZone }, groupBy, limit), merges)

function toCosts(row: Row & Owner): Costs {
  const { knownUsd, knownEarnedUsd, knownUnvalued, seconds, unpriced, ...shown } = row
  const isKnown = row.unknownCosts === 0 || row.statedCosts + row.reservedCosts + row.catalogueCosts > 0
  const units = Map.groupBy(unpriced, ([unit]) => unit)
  return {
    ...shown,
    // Sums of binary fractions depend on their order, here and below.
    filmSeconds: Math.round(row.filmSeconds * 1e3) / 1e3,
    costUsd: isKnown ? toCent(knownUsd) : null,
    earnedUsd: row.unvaluedCredits > 0 && row.unvaluedCredits === row.creditsEarned ? null : toCent(row.earnedUsd),
    marginUsd: isKnown && knownUnvalued === 0 ? toCent(knownEarnedUsd - knownUsd) : null,
    differingExpectedUsd: toCent(row.differingExpectedUsd),
    differingFoundUsd: toCent(row.differingFoundUsd),
    unpriced: [...units].map(([unit, amounts]) => ({
      unit,
      amount: Math.round(amounts.reduce((all, [, each]) => all + each, 0) * 1e6) / 1e6,
    })),
    p50Seconds: percentile(seconds, 0.5),
    p95Seconds: percentile(seconds, 0.95),
  }
}

/** A hundredth of a cent: films cost some cents. */
const toCent = (usd: number): number => Math.round(usd * 1e4) / 1e4

/** The least of the values that this share of them does not exceed; null without any. */
function percentile(histogram: readonly [number, number][], share: number): number | null {
  const total = histogram.reduce((all, [, films]) => all + films, 0)
  let before = 0
  for (const [seconds, films] of histogram.toSorted(([a], [b]) => a - b)) {
    before += films
    if (before >= share * total) return seconds
  }
  return null
}

const COLUMNS = [
  'day',
  'model',
  'account',
  'vendorModel',
  'userId',
  'films',
  'failed',
  'cancelled',
  'filmSeconds',
  'creditsEarned',
  'creditsReturned',
  'earnedUsd',
  'unvaluedCredits',
  'costUsd',
  'marginUsd',
  'statedCosts',
  'reservedCosts',
  'catalogueCosts',
  'unknownCosts',
  'unpriced',
  'differing',
  'differingExpectedUsd',
  'differingFoundUsd',
  'p50Seconds',
  'p95Seconds',
] as const satisfies (keyof Costs)[]

/**
 * All rows as CSV; what is unknown is empty. With days in the grouping, each day is read by itself, so that a year
 * needs no more memory than a day. A row names a user by the id alone.
 */
export async function* costsCsv(app: App, { groupBy, account, ...query }: CostsQuery): AsyncGenerator<string> {
  const zone = app.config.site.timeZone
  const period = periodOf(query, app.now(), zone)
  yield COSTS_HEAD
  for (const piece of groupBy.includes('day') ? partsOf(period, zone, 'day') : [period]) {
    const rows = await read(app, { period: piece, account }, groupBy, ROWS_OF_CSV)
    yield rows
      .toSorted((a, b) => b.creditsEarned - a.creditsEarned)
      .map((row) => costsLine(toCosts({ ...NO_OWNER, ...row })))
      .join('')
  }
}

export const costsLine = (row: Costs): string =>
  csvOf([
    COLUMNS.map((column) => {
      const value = row[column]
      return Array.isArray(value) ? value.map(({ unit, amount }) => `${amount} ${unit}`).join('; ') : value
    }),
  ])
export const COSTS_HEAD = csvOf([COLUMNS])
