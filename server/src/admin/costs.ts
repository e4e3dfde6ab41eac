/**
 * What films have cost and earned, for administrators and metrics: read from the rows of the films that ended in a
 * period, so that every figure is exact. Invariants: amounts of different units are never added, and an unknown cost is
 * never zero.
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
import { DIFFERENCE_SHARE } from '../video/differing-cost.ts'
import { type ProviderBalance, readBalances } from './balances.ts'
import { type Owner, withOwners } from './owner.ts'
import { daysOf, type Period, type PeriodQuery, periodOf } from './period.ts'

export const GROUPINGS = ['day', 'model', 'account', 'route', 'user'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** What a row's films have in common; null: not grouped by it. A route is a model at an account by its name there. */
type Group = Owner & {
  /** In UTC. */
  day: string | null
  model: string | null
  account: string | null
  /** Null also of films that were never sent. */
  vendorModel: string | null
  userId: string | null
}

/** Sums over films. Costs are in USD. */
type Sums = {
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
type Row = Omit<Group, keyof Owner> & Sums & { seconds: [number, number][]; unpriced: [string, number][] }

export type Costs = Group &
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
type Films = { period: Period; account: string | undefined }

const ROWS_MAX = 10_000

/**
 * @param query whole days in UTC, the last one included; default: the last 30
 * @returns the rows, newest day and then most credits first, at most 10,000; `isComplete`: there are no more
 * @throws AppError INVALID_REQUEST for a period that ends before it begins or is longer than 366 days
 */
export async function costs(app: App, query: CostsQuery) {
  const { groupBy, account } = query
  const period = periodOf(query, app.now())
  const found = await read(app, { period, account }, groupBy)
  const isComplete = found.length <= ROWS_MAX
  const total = isComplete ? merged(found.map(withoutGroup), merges) : await read(app, { period, account }, [])
  const shown = found
    .toSorted((a, b) => (a.day === b.day ? b.creditsEarned - a.creditsEarned : (a.day ?? '') < (b.day ?? '') ? 1 : -1))
    .slice(0, ROWS_MAX)
  return {
    ...daysOf(period),
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
  const period = periodOf(query, app.now())
  const [since, until] = period
  const [balances, films, falls] = await Promise.all([
    readBalances(app),
    figures<{ day: string; account: string; usd: number; unknown: number }>(
      app,
      (sql) => sql`
        with film as (${filmsOf(app, { period, account: undefined }, ['day', 'account'])}),
        priced as (${pricedIn(app)})
        select day::text, account, coalesce(sum(usd), 0)::float8 as usd, count(*) filter (where usd is null) as unknown
        from priced
        where account is not null
        group by day, account
      `,
      { usd: sum, unknown: sum },
    ),
    app.sql<{ day: string; account: string; unit: string; spent: number }[]>`
      select (asked_at at time zone 'UTC')::date::text as day, account, unit, sum(spent)::float8 as spent
      from kinora.provider_balance
      where hour >= ${since} and hour < ${until} and spent is not null
      group by 1, 2, 3
    `,
  ])
  return await Promise.all(
    [...balances].map(async ([account, balance]) => {
      const compared = falls.flatMap(({ day, unit, spent, ...fall }): DayOfAccount[] => {
        const unitUsd = unitUsdOf(app.config.providers[account], unit)
        const cost = films.find((each) => each.day === day && each.account === account) ?? { usd: 0, unknown: 0 }
        if (fall.account !== account || unitUsd === null || cost.unknown > 0) return []
        return [{ day, fellUsd: toCent(spent * unitUsd), costUsd: toCent(cost.usd) }]
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
const withoutGroup = (row: Row): Row => ({ ...row, ...NO_GROUP })
const NOTHING: Row = {
  ...NO_GROUP,
  ...(Object.fromEntries(Object.keys(merges).map((name) => [name, 0])) as Sums),
  seconds: [],
  unpriced: [],
}

/**
 * The films are counted by group and second of generation first, so that percentiles are exact and what a part of the
 * database returns is a histogram. All films of a user are in one part: the first ROWS_MAX rows of each part contain
 * those of all.
 */
const read = (app: App, of: Films, groupBy: readonly Grouping[]): Promise<Row[]> =>
  figures<Row>(
    app,
    (sql) => sql<Row[]>`
      with film as (${filmsOf(app, of, groupBy)}),
      priced as (${pricedIn(app)}),
      counted as (${countsOf(app)}),
      summed as (
        select day::text, model, account, vendor_model, user_id,
               ${sumsOf(app)},
               coalesce(jsonb_agg(jsonb_build_array(s, films)) filter (where s is not null), '[]') as seconds,
               coalesce(
                 jsonb_agg(jsonb_build_array(unpriced_unit, unpriced_cost)) filter (where unpriced_unit is not null), '[]'
               ) as unpriced
        from counted
        group by day, model, account, vendor_model, user_id
        order by credits_earned desc
        limit ${ROWS_MAX + 1}
      ),
      ${earnedIn(app)}
      select s.*,
             coalesce(e.earned_usd, 0)::float8 as earned_usd,
             coalesce(e.unvalued_credits, 0)::bigint as unvalued_credits,
             coalesce(e.known_earned_usd, 0)::float8 as known_earned_usd,
             coalesce(e.known_unvalued, 0)::bigint as known_unvalued
      from summed s
      left join earned e on e.group_name = row(s.day, s.model, s.account, s.vendor_model, s.user_id)::text
    `,
    merges,
  )

/** The films that ended in a period, as a part of the statement. */
function filmsOf({ sql: part }: App, { period, account }: Films, groupBy: readonly Grouping[]) {
  const [since, until] = period
  const by = (...groupings: Grouping[]) => groupings.some((each) => groupBy.includes(each))
  const none = part`null::text`
  return part`
    select ${by('day') ? part`(v.completed_at at time zone 'UTC')::date` : none} as day,
           ${by('model', 'route') ? part`v.model` : none} as model,
           ${by('account', 'route') ? part`v.providers[v.provider_index]` : none} as account,
           ${by('route') ? part`v.route_model` : none} as vendor_model,
           ${by('user') ? part`v.user_id` : part`null::uuid`} as user_id,
           v.user_id as payer,
           v.id,
           v.status = 'COMPLETED' as is_made,
           v.error_code is not distinct from 'CANCELLED' as is_cancelled,
           coalesce(v.film_duration_s, v.duration_s) as film_s,
           v.credits,
           round(extract(epoch from v.result_at - v.accepted_at))::integer as generation_s,
           v.final_cost * v.unit_usd as stated_usd,
           case when v.status = 'COMPLETED' then v.reserved_cost * v.unit_usd end as reserved_usd,
           v.catalogue_usd,
           v.accepted_at is null and v.provider_task_id is null
             and (v.submitted_at is null or v.error_code <> 'NOT_ACCEPTED') as is_free,
           case when v.unit_usd is null then v.cost_unit end as unpriced_unit,
           coalesce(v.final_cost, v.reserved_cost) as stated_cost
    from kinora.video v
    where v.due_at is null and v.completed_at >= ${since} and v.completed_at < ${until}
      ${account === undefined ? part`` : part`and v.providers[v.provider_index] = ${account}`}
  `
}

const pricedIn = ({ sql: part }: App) => part`
  select *,
         coalesce(stated_usd, reserved_usd, case when is_made then catalogue_usd when is_free then 0 end) as usd,
         is_made and abs(stated_usd - catalogue_usd) > ${DIFFERENCE_SHARE}::numeric * catalogue_usd as differs
  from film
`

const countsOf = ({ sql: part }: App) => part`
  select day, model, account, vendor_model, user_id,
         case when is_made then generation_s end as s,
         unpriced_unit,
         sum(case when unpriced_unit is not null then stated_cost end) as unpriced_cost,
         count(*) filter (where is_made) as films,
         count(*) filter (where not is_made and not is_cancelled) as failed,
         count(*) filter (where not is_made and is_cancelled) as cancelled,
         sum(film_s) filter (where is_made) as film_seconds,
         sum(credits) filter (where is_made) as credits_earned,
         sum(credits) filter (where not is_made) as credits_returned,
         count(stated_usd) as stated_costs,
         count(*) filter (where stated_usd is null and reserved_usd is not null) as reserved_costs,
         count(*) filter (where is_made and stated_usd is null and reserved_usd is null and catalogue_usd is not null) as catalogue_costs,
         count(*) filter (where usd is null) as unknown_costs,
         sum(usd) as known_usd,
         count(*) filter (where differs) as differing,
         sum(catalogue_usd) filter (where differs) as differing_expected_usd,
         sum(stated_usd) filter (where differs) as differing_found_usd
  from priced
  group by day, model, account, vendor_model, user_id, s, unpriced_unit
`

/**
 * What the credits of completed films were sold for: the payment of the package they came from, by way of the packages
 * that a release or a transfer to a team has made of it. A payment that was returned in part is spread over what it has
 * left, or what was used of it. A divided database has its payments apart: there no credit has a value.
 */
function earnedIn({ sql: part, database }: App) {
  const sold = database.payments
    ? part`select s.*, null::numeric as usd from used s`
    : part`
        select s.*,
               case
                 when o.trans_type not in ('ORDER_PAY', 'SUBSCRIPTION') then 0
                 when upper(pay.currency) = 'USD'
                   then coalesce(pay.money * pay.kept / 100 / nullif(greatest(pay.granted * pay.kept, o.used), 0), 0)
               end as usd
        from used s
        join kinora.credit_package p on p.user_id = s.payer and p.id = s.package_id
        left join kinora.credit_package r on r.user_id = p.user_id and r.id = p.root_id
        left join kinora.credit_package f
          on f.user_id = coalesce(r.from_user_id, p.from_user_id) and f.id = coalesce(r.from_package_id, p.from_package_id)
        left join kinora.credit_package fr on fr.user_id = f.user_id and fr.id = f.root_id
        cross join lateral (
          select coalesce(f.user_id, p.user_id) as user_id,
                 coalesce(fr.trans_type, f.trans_type, r.trans_type, p.trans_type) as trans_type,
                 coalesce(fr.source, f.source, r.source, p.source) as source,
                 coalesce(fr.used, f.used, r.used, p.used) as used
        ) o
        left join kinora.payment pay
          on pay.user_id = o.user_id
          and pay.source = regexp_replace(o.source, '(:pack)?(:[0-9]+)?$', '')
          and pay.part = case when o.source ~ ':pack(:[0-9]+)?$' then ':pack' else '' end
      `
  return part`
    -- A package is looked up once, for all films that used it.
    used as (
      select p.payer, s.package_id,
             array_agg(row(p.day::text, p.model, p.account, p.vendor_model, p.user_id)::text) as groups,
             array_agg(p.usd is not null) as are_known,
             array_agg(s.credits - coalesce(s.rest, 0)) as credits
      from priced p
      join kinora.credit_hold h on h.user_id = p.payer and h.id = p.id
      cross join lateral unnest(
        h.package_ids, h.package_credits, case when h.rest > 0 then kinora.credit_slice_rest(p_package_credits => h.package_credits, p_rest => h.rest) end
      ) as s (package_id, credits, rest)
      where p.is_made and s.credits > coalesce(s.rest, 0)
      group by p.payer, s.package_id
    ),
    sold as (${sold}),
    earned as (
      select u.group_name,
             sum(u.credits * usd) as earned_usd,
             sum(u.credits) filter (where usd is null) as unvalued_credits,
             sum(u.credits * usd) filter (where u.is_known) as known_earned_usd,
             sum(u.credits) filter (where u.is_known and usd is null) as known_unvalued
      from sold
      cross join lateral unnest(groups, are_known, credits) as u (group_name, is_known, credits)
      group by u.group_name
    )
  `
}

const sumsOf = ({ sql: part }: App) => part`
  sum(films)::bigint as films,
  sum(failed)::bigint as failed,
  sum(cancelled)::bigint as cancelled,
  coalesce(sum(film_seconds), 0)::float8 as film_seconds,
  coalesce(sum(credits_earned), 0)::bigint as credits_earned,
  coalesce(sum(credits_returned), 0)::bigint as credits_returned,
  sum(stated_costs)::bigint as stated_costs,
  sum(reserved_costs)::bigint as reserved_costs,
  sum(catalogue_costs)::bigint as catalogue_costs,
  sum(unknown_costs)::bigint as unknown_costs,
  coalesce(sum(known_usd), 0)::float8 as known_usd,
  sum(differing)::bigint as differing,
  coalesce(sum(differing_expected_usd), 0)::float8 as differing_expected_usd,
  coalesce(sum(differing_found_usd), 0)::float8 as differing_found_usd
`

function toCosts(row: Row & Owner): Costs {
  const { knownUsd, knownEarnedUsd, knownUnvalued, seconds, unpriced, ...shown } = row
  const isKnown = row.unknownCosts === 0 || row.statedCosts + row.reservedCosts + row.catalogueCosts > 0
  const units = Map.groupBy(unpriced, ([unit]) => unit)
  return {
    ...shown,
    costUsd: isKnown ? toCent(knownUsd) : null,
    earnedUsd: row.unvaluedCredits > 0 && row.unvaluedCredits === row.creditsEarned ? null : toCent(row.earnedUsd),
    marginUsd: isKnown && knownUnvalued === 0 ? toCent(knownEarnedUsd - knownUsd) : null,
    differingExpectedUsd: toCent(row.differingExpectedUsd),
    differingFoundUsd: toCent(row.differingFoundUsd),
    unpriced: [...units].map(([unit, amounts]) => ({ unit, amount: amounts.reduce((all, [, each]) => all + each, 0) })),
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
 * As CSV (RFC 4180); what is unknown is empty. A row names a user by the id alone: an address may be a formula. The
 * last line says that rows are missing.
 */
export const costsCsv = ({ rows, isComplete }: { rows: readonly Costs[]; isComplete: boolean }): string =>
  [
    COLUMNS.join(','),
    ...rows.map((row) => COLUMNS.map((column) => csvCell(row[column])).join(',')),
    ...(isComplete ? [] : [csvCell(MORE_ROWS)]),
  ]
    .map((line) => `${line}\r\n`)
    .join('')

export const MORE_ROWS = `There are more rows than these ${ROWS_MAX.toLocaleString('en')}: take a shorter period.`

function csvCell(value: Costs[(typeof COLUMNS)[number]]): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : value.map(({ unit, amount }) => `${amount} ${unit}`).join('; ')
  // A spreadsheet takes an apostrophe as "this is text".
  const safe = /^[\s]*[=+\-@|]/.test(text) ? `'${text}` : text
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
