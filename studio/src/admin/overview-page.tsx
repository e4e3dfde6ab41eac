/** Overview page: what needs an operator now, and a period's films, sign-ups, credits and money, with links. */

import type { Schemas } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dataOf, kinora } from '../api.ts'
import { money } from '../plans/pricing.ts'
import { DayChart, FilmChart } from '../ui/day-chart.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatBytes, formatClock, formatList, formatNumber, formatRelativeTime, formatUtcTime } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { type Days, DEFAULT_DAYS, daysParam, PeriodSelect, rangeOf } from '../ui/period-select.tsx'
import { QueryState, SkeletonBlock } from '../ui/states.tsx'
import adminStyles from './admin.module.css'
import { formatUsd } from './cost-queries.ts'
import costStyles from './costs-page.module.css'
import { AdminPage } from './kit.tsx'
import userStyles from './owner-page.module.css'
import { healthLabels, providerHealth } from './provider-health.ts'

type Overview = Schemas['Overview']

const overviewQuery = (days: Days) =>
  queryOptions({
    queryKey: ['admin', 'overview', days],
    queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/overview', { params: { query: rangeOf(days) }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })

export function OverviewPage() {
  const days = daysParam(useSearch({ from: '/signed-in/admin/overview' }).days) ?? DEFAULT_DAYS
  const navigate = useNavigate({ from: '/admin/overview' })
  const query = useQuery(overviewQuery(days))
  return (
    <AdminPage
      title={t`Overview`}
      aside={
        <PeriodSelect
          className={costStyles.filter}
          days={days}
          onChange={(next) =>
            navigate({ search: next === undefined ? {} : { days: next }, replace: true, resetScroll: false })
          }
        />
      }
    >
      <p className="quiet">{t`What needs an operator now, and what was made, sold and spent in the period.`}</p>
      <QueryState
        query={query}
        loading={t`Loading the overview`}
        skeleton={
          <div className="stack">
            <SkeletonBlock height="248px" />
            <SkeletonBlock height="360px" />
          </div>
        }
      >
        {(data) => (
          <div className="stack results" aria-busy={query.isPlaceholderData}>
            {data.readAt && (
              <p role="alert">
                {t`The database does not answer. These figures were read at ${formatUtcTime(data.readAt)}.`}
              </p>
            )}
            <Now now={data.now} nowMs={query.dataUpdatedAt || Date.now()} />
            <div className={userStyles.twoColumns}>
              <Films overview={data} days={days} />
              <Money overview={data} days={days} />
            </div>
            {data.days.length > 0 ? <FilmChart from={data.from} to={data.to} days={data.days} /> : null}
            {data.revenue.map(({ currency }) => (
              <RevenueChart key={currency} overview={data} currency={currency} />
            ))}
          </div>
        )}
      </QueryState>
    </AdminPage>
  )
}

/** A backup or a check of the books that is older needs an operator, as kinora doctor says. */
const OLD_MS = 50 * 3600_000

function Now({ now, nowMs }: { now: Overview['now']; nowMs: number }) {
  const { ledger, backup, mails } = now
  const isOld = (at: string | null) => at === null || nowMs - Date.parse(at) > OLD_MS
  const waiting = formatNumber(mails.pending)
  return (
    <section className="panel" aria-labelledby="overview-now">
      <h2 id="overview-now">{t`Now`}</h2>
      <div className={adminStyles.factColumns}>
        <dl className="facts">
          <Fact name={t`Films in progress`}>
            <Link to="/admin/videos">{formatNumber(now.inProgress)}</Link>
          </Fact>
          <Fact name={t`Overdue`}>
            <Health isBad={now.overdue > 0}>
              <Link to="/admin/videos" search={{ state: 'overdue' }}>
                {formatNumber(now.overdue)}
              </Link>
            </Health>
          </Fact>
          <Fact name={t`Providers`}>
            <Providers providers={now.providers} />
          </Fact>
          <Fact name={t`Mistakes in the catalogue`}>
            <Health isBad={now.catalogueProblems > 0}>
              <Link to="/admin/models">{formatNumber(now.catalogueProblems)}</Link>
            </Health>
          </Fact>
          <Fact name={t`Payment events that need attention`}>
            <Health isBad={now.paymentEvents > 0}>
              <Link to="/admin/payments">{formatNumber(now.paymentEvents)}</Link>
            </Health>
          </Fact>
        </dl>
        <dl className="facts">
          <Fact name={t`Mails that wait`}>
            <Link to="/admin/mails" search={{ status: 'pending' }}>
              {mails.isSetUp
                ? mails.pending > 0
                  ? t`${waiting}, the oldest for ${formatClock(mails.oldestS)}`
                  : waiting
                : t`No mail server`}
            </Link>
          </Fact>
          <Fact name={t`Last check of the books`}>
            <Health isBad={isOld(ledger.checkedAt) || ledger.differences > 0}>
              <Link to="/admin/ledger" title={ledger.checkedAt ? formatUtcTime(ledger.checkedAt) : undefined}>
                {ledger.checkedAt ? checkText(ledger.checkedAt, ledger.differences, nowMs) : t`Never`}
              </Link>
            </Health>
          </Fact>
          <Fact name={t`Last backup`}>
            {backup ? (
              <Health isBad={isOld(backup.madeAt)}>
                <span title={backup.error ?? backup.target}>
                  {backup.error === null
                    ? backup.madeAt
                      ? formatRelativeTime(backup.madeAt, nowMs)
                      : t`None`
                    : t`Cannot be listed`}
                </span>
              </Health>
            ) : (
              t`Unknown: set BACKUP_TO`
            )}
          </Fact>
          <Fact name={t`Webhook endpoints that fail`}>{formatNumber(now.webhooksFailing)}</Fact>
          <Fact name={t`Free disk space`}>{formatBytes(now.freeBytes)}</Fact>
        </dl>
      </div>
    </section>
  )
}

const checkText = (at: string, differences: number, nowMs: number): string =>
  differences > 0
    ? t`${formatRelativeTime(at, nowMs)}, ${plural(differences, { one: '# difference', other: '# differences' })}`
    : t`${formatRelativeTime(at, nowMs)}, all right`

const Health = ({ isBad, children }: { isBad: boolean; children: ReactNode }) => (
  <Mark kind={isBad ? 'failed' : 'done'} label={children} />
)

function Providers({ providers }: { providers: Overview['now']['providers'] }) {
  const troubled = providers.flatMap((provider) => {
    const health = providerHealth(provider)
    return health === 'degraded' || health === 'failing' ? t`${provider.id}: ${healthLabels[health]}` : []
  })
  return (
    <Health isBad={troubled.length > 0}>
      <Link to="/admin/providers">{troubled.length > 0 ? formatList(troubled) : t`None is degraded`}</Link>
    </Health>
  )
}

function Films({ overview: { films, signUps }, days }: { overview: Overview; days: string }) {
  const ended = (outcome: string, count: number) => (
    <Link to="/admin/videos" search={{ state: 'ended', outcome, days }}>
      {formatNumber(count)}
    </Link>
  )
  return (
    <section className="panel" aria-labelledby="overview-films">
      <h2 id="overview-films">{t`Films and users`}</h2>
      <dl className="facts">
        <Fact name={t`Films`}>{ended('completed', films.films)}</Fact>
        <Fact name={t`Failed`}>{ended('failed', films.failed)}</Fact>
        <Fact name={t`Cancelled`}>{ended('cancelled', films.cancelled)}</Fact>
        <Fact name={t`Seconds of films`}>
          <Link to="/admin/costs" search={{ group: 'model', days }}>
            {formatNumber(Math.round(films.filmSeconds))}
          </Link>
        </Fact>
        <Fact name={t`Generation time, p50 and p95`}>
          {films.p50Seconds === null || films.p95Seconds === null ? null : (
            <Link to="/admin/costs" search={{ group: 'route', days }}>
              {t`${formatClock(films.p50Seconds)} and ${formatClock(films.p95Seconds)}`}
            </Link>
          )}
        </Fact>
        <Fact name={t`Sign-ups`}>
          <Link to="/admin/users" search={{ days }}>
            {formatNumber(signUps)}
          </Link>
        </Fact>
      </dl>
    </section>
  )
}

function Money({ overview: { films, credits, revenue }, days }: { overview: Overview; days: string }) {
  return (
    <section className="panel" aria-labelledby="overview-money">
      <h2 id="overview-money">{t`Credits and money`}</h2>
      <dl className="facts">
        <Fact name={t`Credits sold`}>
          <Link to="/admin/payments/made" search={{ days }}>
            {formatNumber(credits.sold)}
          </Link>
        </Fact>
        <Fact name={t`Credits used`}>
          <Link to="/admin/costs" search={{ group: 'user', days }}>
            {formatNumber(credits.used)}
          </Link>
        </Fact>
        <Fact name={t`Credits returned`}>
          <Link to="/admin/costs" search={{ group: 'account', days }}>
            {formatNumber(credits.returned)}
          </Link>
        </Fact>
        <Fact name={t`Credits owed now`}>
          <Link to="/admin/users" search={{ owes: true }}>
            {formatNumber(credits.owed)}
          </Link>
        </Fact>
        {revenue.map(({ currency, received, returned }) => (
          <Fact key={currency} name={t`Revenue without tax`}>
            <Link to="/admin/payments/made" search={{ days }}>
              {returned > 0
                ? t`${money(received, currency)}, of which ${money(returned, currency)} were returned`
                : money(received, currency)}
            </Link>
          </Fact>
        ))}
        <Fact name={t`Cost`}>
          <Link to="/admin/costs" search={{ days }}>
            {formatUsd(films.costUsd)}
          </Link>
        </Fact>
        <Fact name={t`Margin`}>
          <Link to="/admin/costs" search={{ days }}>
            {formatUsd(films.marginUsd)}
          </Link>
        </Fact>
        {films.unknownCosts > 0 ? (
          <Fact name={t`Films whose cost is unknown`}>
            <Link to="/admin/costs" search={{ group: 'route', days }}>
              {formatNumber(films.unknownCosts)}
            </Link>
          </Fact>
        ) : null}
      </dl>
    </section>
  )
}

/** Of payments of the day, and of these what was returned until now. */
function RevenueChart({ overview: { from, to, days }, currency }: { overview: Overview; currency: string }) {
  const byDay = new Map(days.map(({ day, revenue }) => [day, revenue.find((each) => each.currency === currency)]))
  return (
    <DayChart
      from={from}
      to={to}
      first={t`Revenue, ${currency}`}
      second={t`Returned since`}
      format={(value) => money(value ?? 0, currency)}
      dayOf={(day) => {
        const row = byDay.get(day)
        if (!row) return undefined
        const { received, returned } = row
        const title = t`${day}: received ${money(received, currency)}, returned ${money(returned, currency)}`
        return { first: received, second: returned, title }
      }}
    />
  )
}
