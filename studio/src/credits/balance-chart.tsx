/** Available over time: which period, what of it was read, and the drawing. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { balanceQuery, kinora, queryClient } from '../api.ts'
import { formatDate, formatNumber } from '../ui/format.ts'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import '../ui/segmented-control.css'
import { beginOf, MAX_ROWS, type Period, periodOf, periods, stepsOf } from './balance-series.ts'
import look from './step-chart.module.css'
import { Drawing } from './step-chart.tsx'
import { readSince } from './transaction-reader.ts'

type Rows = Awaited<ReturnType<typeof readSince>>

const rowsOf = (period: Period) =>
  queryOptions({
    queryKey: ['credit', 'rows', period],
    // Credits and balances of rows never change, so that after a movement only what is new is read.
    queryFn: ({ signal, queryKey }) =>
      readSince(kinora, signal, {
        sinceMs: beginOf(period, Date.now()),
        most: MAX_ROWS,
        known: queryClient.getQueryData<Rows>(queryKey)?.rows ?? [],
      }),
  })

export function Chart() {
  const period = periodOf(useSearch({ from: '/signed-in/credits' }).period)
  const { data, error, refetch, dataUpdatedAt } = useQuery(rowsOf(period))
  const { data: now } = useQuery(balanceQuery)
  const steps = useMemo(
    () => data && now && stepsOf({ ...data, period, available: now.available, nowMs: Math.max(dataUpdatedAt, 1) }),
    [data, now, period, dataUpdatedAt],
  )
  return (
    <section className="panel" aria-labelledby="over-time">
      <div className={look.head}>
        <h2 id="over-time">Available over time</h2>
        <PeriodChoice />
      </div>
      {error && !data ? <ErrorState error={error} retry={refetch} /> : null}
      {steps ? (
        <Drawing {...steps} />
      ) : error ? null : (
        <LoadingState label="Loading the history">
          <SkeletonBlock height="328px" />
        </LoadingState>
      )}
      {data && steps ? (
        <p className="quiet small">
          {daysOf(steps)}: {steps.steps.length === 1 ? '1 movement' : `${formatNumber(steps.steps.length)} movements`}.
          {data.cut ? ` These are the newest; the chart reads no more than ${formatNumber(MAX_ROWS)}.` : ''} The history
          below has the same as a table.
        </p>
      ) : null}
    </section>
  )
}

function daysOf({ fromMs, toMs }: { fromMs: number; toMs: number }): string {
  const [from, to] = [formatDate(new Date(fromMs).toISOString()), formatDate(new Date(toMs).toISOString())]
  return from === to ? from : `${from} to ${to}`
}

function PeriodChoice() {
  return (
    <nav className="segmented-control" aria-label="Period">
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

/** The first period is the usual one and is not in the address. */
const withPeriod = ({ type }: { type?: string }, period: Period) => ({
  ...(type ? { type } : {}),
  ...(period === '30d' ? {} : { period }),
})
