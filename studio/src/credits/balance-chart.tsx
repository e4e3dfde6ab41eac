/** Available over time: the period selection (kept in the URL), the chart, and a note on the range that was read. */

import { plural, t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { balanceQuery, kinora, queryClient } from '../api.ts'
import { formatCredits, formatDate, formatDateTime, formatNumber, formatSigned } from '../ui/format.ts'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import {
  type BalancePoint,
  type BalanceSeries,
  balanceSeries,
  MAX_TRANSACTIONS,
  type Period,
  parsePeriod,
  periodStartMs,
  periods,
  pointIndexAt,
} from './balance-series.ts'
import styles from './step-chart.module.css'
import { amountTicks, timeTicks } from './time-ticks.ts'
import { readTransactionsSince } from './transaction-reader.ts'
import { transactionLabel } from './transaction-types.ts'
import '../ui/segmented-control.css'

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

const HEIGHT_PX = 240
const MARGIN_TOP_PX = 16
const MARGIN_BOTTOM_PX = 32
const MARGIN_RIGHT_PX = 8
const CHARACTER_PX = 8

/**
 * The balance as an SVG step chart. For keyboards and screen readers a range input (role slider) selects a
 * transaction with the arrow keys and announces it by aria-valuetext; the pointer selects the last transaction before
 * its time.
 */
function StepChart(series: BalanceSeries) {
  const { initial, points } = series
  const [container, width] = useWidth()
  const [selected, setSelected] = useState<number | null>(null)
  const { left, x, y, timeAt, amounts, times, linePath, areaPath } = usePlot(series, width)
  const index = Math.min(selected ?? points.length - 1, points.length - 1)
  const point = points[index]
  const onMove = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setSelected(pointIndexAt(points, timeAt(event.clientX - box.left)))
  }
  return (
    <div>
      <div className={styles.chart} ref={container}>
        <svg
          className={styles.svg}
          aria-hidden="true"
          onPointerMove={points.length > 0 ? onMove : undefined}
          onPointerLeave={() => setSelected(null)}
        >
          {amounts.map((tick) => (
            <g key={tick}>
              <line className={styles.gridLine} x1={left} x2={width - MARGIN_RIGHT_PX} y1={y(tick)} y2={y(tick)} />
              <text x={left - CHARACTER_PX} y={y(tick)} dy="0.32em" textAnchor="end">
                {formatNumber(tick)}
              </text>
            </g>
          ))}
          {times.map(({ atMs, label }) => (
            <text key={atMs} x={x(atMs)} y={HEIGHT_PX - CHARACTER_PX} textAnchor="middle">
              {label}
            </text>
          ))}
          <path className={styles.area} d={areaPath} />
          <path className={styles.line} d={linePath} />
          {point && selected !== null ? (
            <>
              <line
                className={styles.crosshair}
                x1={x(point.atMs)}
                x2={x(point.atMs)}
                y1={MARGIN_TOP_PX}
                y2={HEIGHT_PX - MARGIN_BOTTOM_PX}
              />
              <circle className={styles.dot} cx={x(point.atMs)} cy={y(point.available)} r={5} />
            </>
          ) : null}
        </svg>
        {point ? (
          <input
            className="hidden-text"
            type="range"
            aria-label={t`Available over time, movement by movement`}
            aria-valuetext={describe(point)}
            min={0}
            max={points.length - 1}
            value={index}
            onChange={(event) => setSelected(event.currentTarget.valueAsNumber)}
            onFocus={() => setSelected(index)}
            onBlur={() => setSelected(null)}
          />
        ) : null}
      </div>
      <Readout point={point} initial={initial} />
    </div>
  )
}

function Readout({ point, initial }: { point: BalancePoint | undefined; initial: number }) {
  if (!point)
    return (
      <p className={styles.readout}>{t`No movement in this time: ${formatNumber(initial)} available throughout.`}</p>
    )
  return (
    <p className={styles.readout} aria-hidden="true">
      <span className={styles.readoutHead}>
        <strong>{t`${formatNumber(point.available)} available`}</strong>
        <span className="quiet">{formatDateTime(point.transaction.createdAt)}</span>
      </span>
      <span>
        {formatSigned(point.transaction.credits)} · {transactionLabel(point.transaction)}
      </span>
    </p>
  )
}

const describe = ({ transaction, available }: BalancePoint): string =>
  t`${formatDateTime(transaction.createdAt)}: ${formatSigned(transaction.credits)}, ${transactionLabel(transaction)}; ${formatCredits(available)} available after it`

/** Scales and paths, memoized: they depend on the series and the width, not on the pointer. */
function usePlot({ fromMs, toMs, initial, points, max }: BalanceSeries, width: number) {
  return useMemo(() => {
    const amounts = amountTicks(max, 4)
    const top = amounts.at(-1) ?? 1
    const bottomPx = HEIGHT_PX - MARGIN_BOTTOM_PX
    const left = CHARACTER_PX * (formatNumber(top).length + 2)
    const axisPx = Math.max(width - MARGIN_RIGHT_PX - left, 1)
    const x = (ms: number) => round(left + ((ms - fromMs) / (toMs - fromMs)) * axisPx)
    const y = (amount: number) => round(bottomPx - (amount / top) * (bottomPx - MARGIN_TOP_PX))
    const timeAt = (px: number) => fromMs + ((px - left) / axisPx) * (toMs - fromMs)
    const times = timeTicks(fromMs, toMs, axisPx)
    const steps = points.map(({ atMs, available }) => `H${x(atMs)}V${y(available)}`).join('')
    const linePath = `M${x(fromMs)},${y(initial)}${steps}H${x(toMs)}`
    const areaPath = `${linePath}V${bottomPx}H${x(fromMs)}Z`
    return { left, x, y, timeAt, amounts, times, linePath, areaPath }
  }, [fromMs, toMs, initial, points, max, width])
}

/** To tenths of a pixel, for a shorter path. */
const round = (px: number): number => Math.round(px * 10) / 10

/** The width of an element in CSS pixels, updated by a ResizeObserver. */
function useWidth() {
  const container = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(600)
  useEffect(() => {
    if (!container.current) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(container.current)
    return () => observer.disconnect()
  }, [])
  return [container, width] as const
}
