/** Available over time: the period selection (kept in the URL), the chart, and a note on the range that was read. */
import { plural, t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { balanceQuery, kinora, queryClient } from '../api.ts'
import { formatDate, formatNumber } from '../ui/format.ts'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import '../ui/segmented-control.css'
import { balanceSeries, MAX_TRANSACTIONS, type Period, parsePeriod, periodStartMs, periods } from './balance-series.ts'
import { StepChart } from './step-chart.tsx'
import { readTransactionsSince } from './transaction-reader.ts'

type PeriodTransactions = Awaited<ReturnType<typeof readTransactionsSince>>

const periodTransactionsQuery = (period: Period) =>
  queryOptions({
    queryKey: ['credit', 'rows', period],
    // Amounts and balances of existing transactions never change, so a refetch requests only newer transactions.
    queryFn: ({ signal, queryKey }) =>
      readTransactionsSince(kinora, signal, {
        sinceMs: periodStartMs(period, Date.now()),
        max: MAX_TRANSACTIONS,
        known: queryClient.getQueryData<PeriodTransactions>(queryKey)?.transactions ?? [],
      }),
  })

export function BalanceChart() {
  const period = parsePeriod(useSearch({ from: '/signed-in/credits' }).period)
  const { data, error, refetch, dataUpdatedAt } = useQuery(periodTransactionsQuery(period))
  const { data: current } = useQuery(balanceQuery)
  const series = useMemo(
    () =>
      data &&
      current &&
      balanceSeries({ ...data, period, available: current.available, nowMs: Math.max(dataUpdatedAt, 1) }),
    [data, current, period, dataUpdatedAt],
  )
  return (
    <section className="panel" aria-labelledby="over-time">
      <div className="page-head">
        <h2 id="over-time">{t`Available over time`}</h2>
        <PeriodNav />
      </div>
      {error && !data ? <ErrorState error={error} retry={refetch} /> : null}
      {series ? (
        <StepChart {...series} />
      ) : error ? null : (
        <LoadingState label={t`Loading the history`}>
          <SkeletonBlock height="328px" />
        </LoadingState>
      )}
      {data && series ? (
        <p className="quiet small">
          {t`${formatRange(series)}: ${plural(series.points.length, { one: '# movement', other: '# movements' })}.`}{' '}
          {data.truncated
            ? `${t`These are the newest; the chart reads no more than ${formatNumber(MAX_TRANSACTIONS)}.`} `
            : ''}
          {t`The history below has the same as a table.`}
        </p>
      ) : null}
    </section>
  )
}

function formatRange({ fromMs, toMs }: { fromMs: number; toMs: number }): string {
  const [from, to] = [formatDate(new Date(fromMs).toISOString()), formatDate(new Date(toMs).toISOString())]
  return from === to ? from : t`${from} to ${to}`
}

function PeriodNav() {
  return (
    <nav className="segmented-control" aria-label={t`Period`}>
      {(Object.keys(periods) as Period[]).map((period) => (
        <Link
          key={period}
          to="/credits"
          search={(before) => withPeriod(before, period)}
          activeOptions={{ exact: true }}
          replace
          resetScroll={false}
        >
          {periods[period]}
        </Link>
      ))}
    </nav>
  )
}

/** The default period is left out of the URL. */
const withPeriod = <S extends { period?: string }>({ period: _, ...rest }: S, period: Period) => ({
  ...rest,
  ...(period === '30d' ? {} : { period }),
})
