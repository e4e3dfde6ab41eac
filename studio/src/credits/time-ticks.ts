/** Ticks of the balance chart's time axis. Invariant: no two ticks of an axis have the same label. */
import type { ScaleTime } from 'd3-scale'
import { locale } from '../i18n/locale.ts'

const DAY_MS = 86_400_000
/** Width of a label with the gap after it. */
const LABEL_PX = 96
/** Kept free at the right edge, so that the last label is not clipped. */
const RIGHT_MARGIN_PX = 32

type TimeTick = { atMs: number; label: string }

/** @param width of the chart, in pixels */
export function timeTicks(x: ScaleTime<number, number>, width: number): TimeTick[] {
  const [from, to] = x.domain()
  const days = from && to ? (to.getTime() - from.getTime()) / DAY_MS : 0
  let nextFreePx = 0
  const ticks = x
    .ticks(Math.max(2, Math.floor(width / LABEL_PX)))
    .filter((tick) => isUnitStart(tick, days))
    .filter((tick) => {
      // `x.ticks` takes the count as a hint and may return more than fit.
      const fits = x(tick) >= nextFreePx && x(tick) < width - RIGHT_MARGIN_PX
      if (fits) nextFreePx = x(tick) + LABEL_PX
      return fits
    })
  const hasSeconds = ticks.some((tick) => tick.getSeconds() !== 0)
  const format = new Intl.DateTimeFormat(locale, formatOptions(days, hasSeconds))
  return ticks.map((tick) => ({ atMs: tick.getTime(), label: format.format(tick) }))
}

/** Whether the tick starts the unit that labels show (hour, day or month): a tick inside a unit would repeat its label. */
function isUnitStart(tick: Date, days: number): boolean {
  if (days < 1) return true
  if (tick.getMinutes() !== 0) return false
  return days < 2 || (tick.getHours() === 0 && (days < 300 || tick.getDate() === 1))
}

function formatOptions(days: number, hasSeconds: boolean): Intl.DateTimeFormatOptions {
  if (days < 1) return { timeStyle: hasSeconds ? 'medium' : 'short' }
  if (days < 2) return { weekday: 'short', hour: 'numeric' }
  return days < 300 ? { month: 'short', day: 'numeric' } : { month: 'short', year: 'numeric' }
}
