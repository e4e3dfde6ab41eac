/**
 * The balance as an SVG step chart. For keyboards and screen readers a range input (role slider) selects a transaction with
 * the arrow keys and announces it by aria-valuetext; the pointer selects the last transaction before its time.
 */
import { t } from '@lingui/core/macro'
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { formatCredits, formatDateTime, formatNumber, formatSigned } from '../ui/format.ts'
import { type BalancePoint, type BalanceSeries, pointIndexAt } from './balance-series.ts'
import styles from './step-chart.module.css'
import { amountTicks, timeTicks } from './time-ticks.ts'
import { transactionLabel } from './transaction-types.ts'

const HEIGHT_PX = 240
const MARGIN_TOP_PX = 16
const MARGIN_BOTTOM_PX = 32
const MARGIN_RIGHT_PX = 8
const CHARACTER_PX = 8

export function StepChart(series: BalanceSeries) {
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
