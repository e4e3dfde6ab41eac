/** Costs page: what films cost and earned in a period, a chart by day and a table by group, with a CSV of both. */
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { DayChart } from '../ui/day-chart.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatClock, formatNumber } from '../ui/format.ts'
import { TableSkeleton } from '../ui/infinite-list.tsx'
import { type Days, DEFAULT_DAYS, daysParam, PeriodSelect } from '../ui/period-select.tsx'
import { Select } from '../ui/select.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { AccountTable } from './account-costs.tsx'
import adminStyles from './admin.module.css'
import {
  accountCostsQuery,
  type CostGroup,
  type Costs,
  costsCsvUrl,
  costsQuery,
  formatUsd,
  groupLabels,
} from './cost-queries.ts'
import { CostTable } from './cost-table.tsx'
import styles from './costs-page.module.css'
import { AdminPage } from './kit.tsx'

export function CostsPage() {
  const { days, group } = useFilter()
  const byDay = useQuery(costsQuery(days, 'day'))
  const byGroup = useQuery(costsQuery(days, group))
  const accounts = useQuery(accountCostsQuery(days))
  const error = byDay.error ?? byGroup.error ?? accounts.error
  // Together: a chart that came later would move the table.
  const data = byDay.data && accounts.data && byGroup.data
  const total = data?.total
  return (
    <AdminPage
      title={t`Costs`}
      aside={
        <a className="button" href={costsCsvUrl(days, group)} download>
          {t`Download as CSV`}
        </a>
      }
    >
      <CostFilters days={days} group={group} />
      {error ? (
        <ErrorState error={error} retry={() => Promise.all([byDay.refetch(), byGroup.refetch(), accounts.refetch()])} />
      ) : null}
      {!data && !error ? <TableSkeleton label={t`Loading the costs`} /> : null}
      {byDay.data && data && total ? (
        total.films + total.failed + total.cancelled === 0 ? (
          <EmptyState>{t`No film ended in this time.`}</EmptyState>
        ) : (
          <div className="stack results" aria-busy={byGroup.isPlaceholderData}>
            <CostTotal total={total} />
            <CostChart rows={byDay.data.rows} from={byDay.data.from} to={byDay.data.to} />
            <CostTable rows={data.rows} group={group} days={days} />
            {data.isComplete ? null : <p className="quiet">{t`There are more rows than these 10,000.`}</p>}
          </div>
        )
      ) : null}
      {data && accounts.data?.accounts.length ? <AccountTable accounts={accounts.data.accounts} /> : null}
    </AdminPage>
  )
}

function useFilter(): { days: Days; group: CostGroup } {
  const { days, group } = useSearch({ from: '/signed-in/admin/costs' })
  return {
    days: daysParam(days) ?? DEFAULT_DAYS,
    group: group && group in groupLabels ? (group as CostGroup) : 'route',
  }
}

function CostFilters({ days, group }: { days: Days; group: CostGroup }) {
  const navigate = useNavigate({ from: '/admin/costs' })
  const select = (search: { days: Days; group: string }) => navigate({ search, replace: true, resetScroll: false })
  return (
    <div className={adminStyles.filters}>
      <PeriodSelect
        className={styles.filter}
        days={days}
        onChange={(next) => select({ days: next ?? DEFAULT_DAYS, group })}
      />
      <Select
        className={styles.filter}
        aria-label={t`Rows`}
        value={group}
        options={groupLabels}
        onSelect={(next = 'route') => select({ days, group: next })}
      />
    </div>
  )
}

/** What the films of each day have earned, and what they cost. */
function CostChart({ rows, from, to }: { rows: Costs[]; from: string; to: string }) {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return (
    <DayChart
      from={from}
      to={to}
      first={t`Earned`}
      second={t`Cost, as far as known`}
      format={formatUsd}
      dayOf={(day) => {
        const row = byDay.get(day)
        if (!row) return undefined
        const { earnedUsd, costUsd, marginUsd } = row
        return {
          first: earnedUsd,
          second: costUsd,
          title: t`${day}: earned ${formatUsd(earnedUsd)}, cost ${formatUsd(costUsd)}, margin ${formatUsd(marginUsd)}`,
        }
      }}
    />
  )
}

/** The sums of a period, and what they contain. */
export function CostTotal({ total }: { total: Costs }) {
  return (
    <section className="panel stack" aria-label={t`In all`}>
      <div className={adminStyles.factColumns}>
        <dl className="facts">
          <Fact name={t`Films`}>{formatNumber(total.films)}</Fact>
          <Fact name={t`Failed`}>{formatNumber(total.failed)}</Fact>
          <Fact name={t`Credits earned`}>{formatNumber(total.creditsEarned)}</Fact>
          <Fact name={t`Credits returned`}>{formatNumber(total.creditsReturned)}</Fact>
        </dl>
        <dl className="facts">
          <Fact name={t`Earned`}>{formatUsd(total.earnedUsd)}</Fact>
          <Fact name={t`Cost`}>{formatUsd(total.costUsd)}</Fact>
          <Fact name={t`Margin`}>{formatUsd(total.marginUsd)}</Fact>
          <Fact name={t`Generation time, p50 and p95`}>
            {total.p50Seconds === null || total.p95Seconds === null
              ? null
              : t`${formatClock(total.p50Seconds)} and ${formatClock(total.p95Seconds)}`}
          </Fact>
        </dl>
      </div>
      <ul className={`quiet ${styles.notes}`}>
        {notesOf(total).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </section>
  )
}

/** What the sums contain, and what not. */
function notesOf(total: Costs): string[] {
  const { unvaluedCredits, unknownCosts, catalogueCosts, reservedCosts, unpriced, differing } = total
  const notes = [
    t`Films have earned what their credits were sold for, without tax and refunds. Credits that were a gift earn nothing.`,
  ]
  if (unvaluedCredits > 0)
    notes.push(
      plural(unvaluedCredits, {
        one: '# credit was not sold in USD, or its payment is apart: it is in no sum, and the margin is unknown.',
        other:
          '# credits were not sold in USD, or their payments are apart: they are in no sum, and the margin is unknown.',
      }),
    )
  if (unknownCosts > 0)
    notes.push(
      plural(unknownCosts, {
        one: 'The cost of # film is unknown: it is in no sum, and the margin leaves that film out.',
        other: 'The costs of # films are unknown: they are in no sum, and the margin leaves these films out.',
      }),
    )
  if (catalogueCosts > 0)
    notes.push(
      plural(catalogueCosts, {
        one: 'The cost of # film is the catalogue’s, because the provider did not state it in USD.',
        other: 'The costs of # films are the catalogue’s, because the provider did not state them in USD.',
      }),
    )
  if (reservedCosts > 0)
    notes.push(
      plural(reservedCosts, {
        one: 'The cost of # film is what the provider reserved.',
        other: 'The costs of # films are what the provider reserved.',
      }),
    )
  for (const { unit, amount } of unpriced)
    notes.push(t`Providers stated ${formatNumber(amount)} ${unit}, whose value in USD is unknown.`)
  if (differing > 0)
    notes.push(
      plural(differing, {
        one: '# film cost something else than the catalogue says, by more than a tenth: the route is marked below.',
        other:
          '# films cost something else than the catalogue says, by more than a tenth: their routes are marked below.',
      }),
    )
  return notes
}
