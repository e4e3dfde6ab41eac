/**
 * The balance as an SVG step chart. For keyboards and screen readers a range input (role slider) selects a transaction with
 * the arrow keys and announces it by aria-valuetext; the pointer selects the last transaction before its time.
 */
import { t } from '@lingui/core/macro'
import { scaleLinear, scaleTime } from 'd3-scale'
import { area, curveStepAfter, line } from 'd3-shape'
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { formatCredits, formatDateTime, formatNumber, formatSigned } from '../ui/format.ts'
import { type BalancePoint, type BalanceSeries, pointIndexAt } from './balance-series.ts'
import styles from './step-chart.module.css'
import { timeTicks } from './time-ticks.ts'
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
  const { left, x, y, linePath, areaPath } = usePlot(series, width)
  const index = Math.min(selected ?? points.length - 1, points.length - 1)
  const point = points[index]
  const onMove = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setSelected(pointIndexAt(points, x.invert(event.clientX - box.left).getTime()))
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
          {y
            .ticks(4)
            .filter(Number.isInteger)
            .map((tick) => (
              <g key={tick}>
                <line className={styles.gridLine} x1={left} x2={width - MARGIN_RIGHT_PX} y1={y(tick)} y2={y(tick)} />
                <text x={left - CHARACTER_PX} y={y(tick)} dy="0.32em" textAnchor="end">
                  {formatNumber(tick)}
                </text>
              </g>
            ))}
          {timeTicks(x, width).map(({ atMs, label }) => (
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
    const y = scaleLinear([0, max || 1], [HEIGHT_PX - MARGIN_BOTTOM_PX, MARGIN_TOP_PX]).nice(4)
    const left = CHARACTER_PX * (formatNumber(y.domain()[1] ?? 0).length + 2)
    const x = scaleTime([fromMs, toMs], [left, Math.max(width - MARGIN_RIGHT_PX, left + 1)])
    const data: Datum[] = [
      [fromMs, initial],
      ...points.map(({ atMs, available }): Datum => [atMs, available]),
      [toMs, points.at(-1)?.available ?? initial],
    ]
    const xOf = ([ms]: Datum) => Math.round(x(ms) * 10) / 10
    const yOf = ([, available]: Datum) => Math.round(y(available) * 10) / 10
    const linePath = line<Datum>(xOf, yOf).curve(curveStepAfter)(data) ?? ''
    const areaPath = area<Datum>(xOf, HEIGHT_PX - MARGIN_BOTTOM_PX, yOf).curve(curveStepAfter)(data) ?? ''
    return { left, x, y, linePath, areaPath }
  }, [fromMs, toMs, initial, points, max, width])
}

/** Ms since the epoch, and Available from then on. */
type Datum = [number, number]

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
