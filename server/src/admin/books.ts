/**
 * The operator's books of a period: every movement of money at the processors, what of the credits that were sold is
 * not used yet (deferred revenue) or never was (breakage), and what each plan earns. Invariant: amounts of different
 * currencies are never added.
 */
import type { App } from '../app.ts'
import { type Processor, processorNames } from '../config/processors.ts'
import { figures, sum } from '../db/parts.ts'
import { AppError } from '../errors.ts'
import { openAccount } from '../payment/account-client.ts'
import { AccountError, withBackoff } from '../payment/account-reader.ts'
import { digitsOf } from '../payment/prices.ts'
import type { Movement } from '../payment/processor.ts'
import { processors } from '../payment/processors.ts'
import { csvOf } from '../text/csv.ts'
import { daysOf, type Period, type PeriodQuery, partsOf, periodOf } from './period.ts'

/** Of credits that expire in a month. `cents`: what they were sold for, without tax and refunds. */
export type MonthOfExpiry = {
  /** `2026-10`, in TIME_ZONE. */
  month: string
  /** Null: credits that were a gift, or whose payment is apart. */
  currency: string | null
  owedCredits: number
  owedCents: number
  /** Those of the period that have expired. */
  expiredCredits: number
  expiredCents: number
}
export type PlanMargin = {
  /** Null: gifts, and credits whose payment is apart. */
  plan: string | null
  /** That used its credits; a film that used those of several plans counts for each. */
  films: number
  credits: number
  unvaluedCredits: number
  unknownCredits: number
  earnedUsd: number
  costUsd: number
  /** Of the films whose cost is known; null when credits of it have no value in USD. */
  marginUsd: number | null
}

/** @throws AppError INVALID_REQUEST for an invalid period */
export async function books(app: App, query: PeriodQuery) {
  const zone = app.config.site.timeZone
  const period = periodOf(query, app.now(), zone)
  const [months, plans] = await Promise.all([readMonths(app, period, zone), readPlans(app, period)])
  return { ...daysOf(period, zone), zone, months, plans }
}

/** Credits of videos in progress are owed. A package that has expired may wait to be written off. */
async function readMonths(app: App, [since, until]: Period, zone: string): Promise<MonthOfExpiry[]> {
  const now = app.now()
  const rows = await figures<MonthOfExpiry>(
    app,
    (sql) => sql`
      select to_char(p.expires_at at time zone ${zone}, 'YYYY-MM') as month, w.currency,
             sum(c.owed)::bigint as owed_credits, coalesce(round(sum(c.owed * w.cents)), 0)::float8 as owed_cents,
             sum(c.expired)::bigint as expired_credits, coalesce(round(sum(c.expired * w.cents)), 0)::float8 as expired_cents
      from kinora.credit_package p
      cross join lateral (
        select p.frozen + case when p.expires_at > ${now} then p.remaining else 0 end as owed,
               case
                 when p.expires_at >= ${since} and p.expires_at < ${until}
                   then p.expired + case when p.expires_at <= ${now} then p.remaining else 0 end
                 else 0
               end as expired
      ) c
      cross join lateral kinora.credit_worth(p_user_id => p.user_id, p_package_id => p.id) w
      where (p.remaining + p.frozen > 0 or p.expired > 0 and p.expires_at >= ${since} and p.expires_at < ${until})
        and c.owed + c.expired > 0 and not kinora.is_test(p.user_id)
      group by 1, 2
    `,
    { owedCredits: sum, owedCents: sum, expiredCredits: sum, expiredCents: sum },
  )
  return rows.toSorted((a, b) => `${a.month}${a.currency ?? ''}`.localeCompare(`${b.month}${b.currency ?? ''}`))
}

async function readPlans(app: App, [since, until]: Period): Promise<PlanMargin[]> {
  type Row = Omit<PlanMargin, 'marginUsd'> & { knownEarnedUsd: number }
  const rows = await figures<Row>(
    app,
    (sql) => sql`
      select plan, films, credits, unvalued_credits, unknown_credits, earned_usd::float8 as earned_usd,
             known_earned_usd::float8 as known_earned_usd, cost_usd::float8 as cost_usd
      from kinora.plan_margins(p_since => ${since}, p_until => ${until})
    `,
    {
      ...{ films: sum, credits: sum, unvaluedCredits: sum, unknownCredits: sum },
      ...{ earnedUsd: sum, knownEarnedUsd: sum, costUsd: sum },
    },
  )
  return rows
    .toSorted((a, b) => b.credits - a.credits)
    .map(({ knownEarnedUsd, ...row }) => ({
      ...row,
      earnedUsd: toCent(row.earnedUsd),
      costUsd: toCent(row.costUsd),
      marginUsd: row.unvaluedCredits > 0 ? null : toCent(knownEarnedUsd - row.costUsd),
    }))
}
const toCent = (usd: number): number => Math.round(usd * 1e4) / 1e4

const COLUMNS = [
  ...['day', 'time', 'kind', 'processor', 'id', 'order', 'payment', 'user', 'product', 'country', 'currency'],
  ...['gross', 'fee', 'net', 'tax', 'charged', 'chargedCurrency', 'payout'],
]
const TIMEOUT_S = 15
const PAUSE_MS = 1_000

/**
 * The movements of a period as lines of CSV, of one processor after the other, a page at a time: they are read from the
 * processors, whose report this is, and never held as a whole.
 * @throws AppError INVALID_REQUEST; UNAVAILABLE when a processor does not answer, after lines or before
 */
export async function* movementsCsv(app: App, query: PeriodQuery): AsyncGenerator<string> {
  const zone = app.config.site.timeZone
  const period = periodOf(query, app.now(), zone)
  yield csvOf([COLUMNS])
  for (const processor of processorNames) {
    const account = openAccount(app, processor, TIMEOUT_S)
    if (!account) continue
    const get = (path: string) => withBackoff(() => account.read(path), PAUSE_MS)
    try {
      for (const [since, until] of partsOf(period, zone, 'month'))
        for await (const page of processors[processor].readMovements({ app, get, since, until }))
          yield await linesOf(app, processor, page, zone)
    } catch (error) {
      if (!(error instanceof AccountError)) throw error
      app.log.warn({ processor, reason: error.message }, 'the movements of money could not be read')
      throw new AppError('UNAVAILABLE', `${error.message} Try again shortly.`, { retryAfterS: 30 })
    } finally {
      await account.close()
    }
  }
}

type Payment = {
  ids: string[]
  userId: string
  orderNo: string
  product: string
  paid: number
  tax: number
  country: string | null
}

async function linesOf(app: App, processor: Processor, page: Movement[], zone: string): Promise<string> {
  const payments = await app.sql<Payment[]>`
    select array_agg(distinct o.external_id) as ids, p.user_id, p.order_no, string_agg(distinct p.remark, ', ') as product,
           min(p.paid)::float8 as paid, min(p.tax)::float8 as tax, min(p.country) as country
    from kinora.payment_object o
    join kinora.payment p on p.user_id = o.user_id and p.source = o.source
    where o.processor = ${processor} and o.external_id = any(${page.flatMap(({ ids }) => ids)})
    group by p.user_id, p.order_no, p.source
  `
  const byId = new Map(payments.flatMap((payment) => payment.ids.map((id) => [id, payment] as const)))
  const rows = page.map((each) => {
    const payment = each.ids.map((id) => byId.get(id)).find((found) => found !== undefined)
    const written = (cents: number | null) => (cents === null ? null : amountText(cents, each.currency))
    const tax = payment && payment.paid > 0 ? Math.round((payment.tax * each.gross) / payment.paid) : null
    return [
      ...[daysOf([each.at, each.at], zone).from, each.at.toISOString(), each.kind, processor, each.id],
      ...[payment?.orderNo ?? null, each.ids[0] ?? null, payment?.userId ?? null, payment?.product ?? null],
      ...[each.country ?? payment?.country ?? null, each.currency],
      ...[
        written(each.gross),
        written(each.fee),
        written(each.fee === null ? null : each.gross - each.fee),
        written(tax),
      ],
      ...[amountText(each.charged, each.chargedCurrency), each.chargedCurrency, each.payout],
    ]
  })
  return csvOf(rows)
}

/** 2990 → "29.90" */
const amountText = (cents: number, currency: string): string => {
  const digits = digitsOf(currency)
  return (cents / 10 ** digits).toFixed(digits)
}
