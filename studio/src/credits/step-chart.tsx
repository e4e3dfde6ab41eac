/**
 * The step chart as SVG. For a keyboard and a screen reader it is a slider over the rows: arrow keys go from one to the
 * next, and each is read out; the pointer shows the row in force at its moment.
 */
import { scaleLinear, scaleTime } from 'd3-scale'
import { area, curveStepAfter, line } from 'd3-shape'
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { formatCredits, formatDateTime, formatNumber, formatSigned } from '../ui/format.ts'
import { type Step, type Steps, stepAt } from './balance-series.ts'
import look from './step-chart.module.css'
import { namedTimes } from './time-ticks.ts'
import { movementOf } from './transaction-types.ts'

const HEIGHT = 240
const TOP = 16
const FOOT = 32
const RIGHT = 8
const LETTER = 8

export function Drawing(shown: Steps) {
  const { before, steps } = shown
  const [frame, width] = useWidth()
  const [chosen, setChosen] = useState<number | null>(null)
  const { left, x, y, outline, ground } = usePlot(shown, width)
  const index = Math.min(chosen ?? steps.length - 1, steps.length - 1)
  const step = steps[index]
  const onMove = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setChosen(stepAt(steps, x.invert(event.clientX - box.left).getTime()))
  }
  return (
    <div>
      <div className={look.drawing} ref={frame}>
        <svg
          className={look.svg}
          aria-hidden="true"
          onPointerMove={steps.length > 0 ? onMove : undefined}
          onPointerLeave={() => setChosen(null)}
        >
          {y
            .ticks(4)
            .filter(Number.isInteger)
            .map((tick) => (
              <g key={tick}>
                <line className={look.grid} x1={left} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
                <text x={left - LETTER} y={y(tick)} dy="0.32em" textAnchor="end">
                  {formatNumber(tick)}
                </text>
              </g>
            ))}
          {namedTimes(x, width).map(({ atMs, name }) => (
            <text key={atMs} x={x(atMs)} y={HEIGHT - LETTER} textAnchor="middle">
              {name}
            </text>
          ))}
          <path className={look.area} d={ground} />
          <path className={look.line} d={outline} />
          {step && chosen !== null ? (
            <>
              <line className={look.moment} x1={x(step.atMs)} x2={x(step.atMs)} y1={TOP} y2={HEIGHT - FOOT} />
              <circle className={look.dot} cx={x(step.atMs)} cy={y(step.available)} r={5} />
            </>
          ) : null}
        </svg>
        {step ? (
          <input
            className="hidden-text"
            type="range"
            aria-label="Available over time, movement by movement"
            aria-valuetext={told(step)}
            min={0}
            max={steps.length - 1}
            value={index}
            onChange={(event) => setChosen(event.currentTarget.valueAsNumber)}
            onFocus={() => setChosen(index)}
            onBlur={() => setChosen(null)}
          />
        ) : null}
      </div>
      <Readout step={step} before={before} />
    </div>
  )
}

function Readout({ step, before }: { step: Step | undefined; before: number }) {
  if (!step)
    return <p className={look.readout}>No movement in this time: {formatNumber(before)} available throughout.</p>
  return (
    <p className={look.readout} aria-hidden="true">
      <span className={look.at}>
        <strong>{formatNumber(step.available)} available</strong>
        <span className="quiet">{formatDateTime(step.row.createdAt)}</span>
      </span>
      <span>
        {formatSigned(step.row.credits)} · {movementOf(step.row)}
      </span>
    </p>
  )
}

const told = ({ row, available }: Step): string =>
  `${formatDateTime(row.createdAt)}: ${formatSigned(row.credits)}, ${movementOf(row)}; ${formatCredits(available)} available after it`

/** The scales, and the long texts of the paths: made again when rows or the width change, not as the pointer moves. */
function usePlot({ fromMs, toMs, before, steps, most }: Steps, width: number) {
  return useMemo(() => {
    const y = scaleLinear([0, most || 1], [HEIGHT - FOOT, TOP]).nice(4)
    const left = LETTER * (formatNumber(y.domain()[1] ?? 0).length + 2)
    const x = scaleTime([fromMs, toMs], [left, Math.max(width - RIGHT, left + 1)])
    const points: Point[] = [
      [fromMs, before],
      ...steps.map(({ atMs, available }): Point => [atMs, available]),
      [toMs, steps.at(-1)?.available ?? before],
    ]
    const at = ([ms]: Point) => Math.round(x(ms) * 10) / 10
    const high = ([, available]: Point) => Math.round(y(available) * 10) / 10
    const outline = line<Point>(at, high).curve(curveStepAfter)(points) ?? ''
    const ground = area<Point>(at, HEIGHT - FOOT, high).curve(curveStepAfter)(points) ?? ''
    return { left, x, y, outline, ground }
  }, [fromMs, toMs, before, steps, most, width])
}

/** Ms of the epoch, and Available from then on. */
type Point = [number, number]

/** The width of an element in CSS pixels, also after it changes. */
function useWidth() {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(600)
  useEffect(() => {
    if (!frame.current) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  return [frame, width] as const
}
