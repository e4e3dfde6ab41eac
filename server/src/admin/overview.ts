/**
 * What administrators see first: films, sign-ups, credits and revenue of a period, and what an operator must know now.
 * Each figure is read by an index or by a query that exists for a page or a metric of its own.
 */
import type { App } from '../app.ts'
import { openLastKnown } from '../async/last-known.ts'
import { catalogueState } from '../catalogue/reload.ts'
import { isDatabaseUnavailable } from '../db/outage.ts'
import { figures, sum } from '../db/parts.ts'
import { countProblems } from '../payment/events.ts'
import { backlog } from './backlog.ts'
import { type Costs, costs } from './costs.ts'
import { freeBytes, readOperations } from './operations.ts'
import { type Period, type PeriodQuery, periodOf } from './period.ts'
import { providerHealth } from './provider-health.ts'
import { countSignUps } from './users.ts'

/** When the newest backup at BACKUP_TO was made, null: none; or why they cannot be listed. Null: no BACKUP_TO. */
export type NewestBackup = { target: string; madeAt: Date | null; error: string | null } | null

/** What payments brought, without tax, in the currency's smallest unit, and its refunds and disputes since. */
type Revenue = { day: string; currency: string; received: number; returned: number; credits: number }

/**
 * Opens the overview. While the database is away it is the one that this administrator read last of the period: of
 * another one's, who was revoked meanwhile might see more. The free space is always of now. `readAt`: when its figures
 * were read; null: now. The function throws AppError INVALID_REQUEST for an invalid period.
 */
export function openOverview(app: App, newestBackup: () => Promise<NewestBackup>) {
  const lastKnown = openLastKnown<Awaited<ReturnType<typeof readOverview>>>(app.now, isOutage)
  return async (actorId: string, query: PeriodQuery) => {
    const read = () => readOverview(app, query, newestBackup)
    const { value, readAt, error } = await lastKnown(`${actorId} ${query.from} ${query.to}`, read)
    return { ...value, readAt: error === null ? null : readAt, now: { ...value.now, freeBytes: await freeBytes(app) } }
  }
}
const isOutage = (error: unknown) => isDatabaseUnavailable(Object(error))

async function readOverview(app: App, query: PeriodQuery, newestBackup: () => Promise<NewestBackup>) {
  const period = periodOf(query, app.now(), app.config.site.timeZone)
  const [{ from, to, total, rows }, signUps, revenue, owed, now] = await Promise.all([
    costs(app, { ...query, groupBy: ['day'] }),
    countSignUps(app, period),
    readRevenue(app, period),
    readOwed(app),
    readNow(app, newestBackup),
  ])
  return {
    from,
    to,
    films: total,
    signUps,
    credits: {
      sold: revenue.reduce((all, { credits }) => all + credits, 0),
      used: total.creditsEarned,
      returned: total.creditsReturned,
      owed,
    },
    revenue: totalsOf(revenue),
    days: daysOf(rows, revenue),
    now,
  }
}

function totalsOf(revenue: Revenue[]) {
  const currencies = Map.groupBy(revenue, ({ currency }) => currency)
  return [...currencies].map(([currency, days]) => ({
    currency,
    received: days.reduce((all, { received }) => all + received, 0),
    returned: days.reduce((all, { returned }) => all + returned, 0),
  }))
}

/** The days on which a film ended or a payment was made, the oldest first. */
function daysOf(films: Costs[], revenue: Revenue[]) {
  const byDay = Map.groupBy(revenue, ({ day }) => day)
  const days = new Set([...films.map(({ day }) => day), ...byDay.keys()])
  return [...days]
    .filter((day) => day !== null)
    .toSorted()
    .map((day) => {
      const row = films.find((each) => each.day === day)
      return {
        day,
        films: row?.films ?? 0,
        failed: row?.failed ?? 0,
        revenue: (byDay.get(day) ?? []).map(({ day: _d, credits: _c, ...row }) => row),
      }
    })
}

const readRevenue = ({ sql, config }: App, [since, until]: Period): Promise<Revenue[]> => sql<Revenue[]>`
  select (at at time zone ${config.site.timeZone})::date::text as day, upper(currency) as currency, round(sum(money))::float8 as received,
         round(sum(money * (1 - kept)))::float8 as returned, sum(granted)::bigint as credits
  from kinora.payment
  where at >= ${since} and at < ${until}
  group by 1, 2
  order by 1, 2
`

/** Few packages have claims, and a partial index has their users. */
async function readOwed(app: App): Promise<number> {
  const [owed] = await figures<{ credits: number }>(
    app,
    (sql) => sql`
      select coalesce(sum(kinora.credit_owed(user_id)), 0)::bigint as credits
      from (select distinct user_id from kinora.credit_package where refund_claimed > 0) claimed
    `,
    { credits: sum },
  )
  return owed?.credits ?? 0
}

async function readNow(app: App, newestBackup: () => Promise<NewestBackup>) {
  const [operations, statuses, { providers }, problems, backup] = await Promise.all([
    readOperations(app),
    backlog(app),
    providerHealth(app),
    countProblems(app),
    newestBackup(),
  ])
  const { mails, webhooks, ledger } = operations
  return {
    inProgress: statuses.reduce((all, { inProgress }) => all + inProgress, 0),
    overdue: statuses.reduce((all, { overdue }) => all + overdue, 0),
    providers: providers.map(({ id, configured, failed, failureShare }) => ({ id, configured, failed, failureShare })),
    catalogueProblems: catalogueState().problems.length,
    paymentEvents: problems.reduce((all, { events }) => all + events, 0),
    mails: { isSetUp: app.config.mail.smtp !== null, ...mails },
    webhooksFailing: webhooks.failing,
    ledger,
    backup,
  }
}
