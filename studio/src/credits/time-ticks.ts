/** The moments named under the chart. The rule: no two of them read alike. */
import type { ScaleTime } from 'd3-scale'

const DAY_MS = 86_400_000
/** The width in pixels of a name and the space after it. */
const WORD = 96
/** What stays free at the right, so that a name is not cut. */
const END = 32

export type NamedTime = { atMs: number; name: string }

/** @param width of the drawing, in pixels */
export function namedTimes(x: ScaleTime<number, number>, width: number): NamedTime[] {
  const [from, to] = x.domain()
  const days = from && to ? (to.getTime() - from.getTime()) / DAY_MS : 0
  let freeFrom = 0
  const ticks = x
    .ticks(Math.max(2, Math.floor(width / WORD)))
    .filter((tick) => isBeginning(tick, days))
    .filter((tick) => {
      // The scale takes the number of ticks for a hint only.
      const fits = x(tick) >= freeFrom && x(tick) < width - END
      if (fits) freeFrom = x(tick) + WORD
      return fits
    })
  const isFine = ticks.some((tick) => tick.getSeconds() !== 0)
  const format = new Intl.DateTimeFormat('en', formatOf(days, isFine))
  return ticks.map((tick) => ({ atMs: tick.getTime(), name: format.format(tick) }))
}

/** Where hours, days or months are named, a moment in the midst of one would have the name of its beginning. */
function isBeginning(tick: Date, days: number): boolean {
  if (days < 1) return true
  if (tick.getMinutes() !== 0) return false
  return days < 2 || (tick.getHours() === 0 && (days < 300 || tick.getDate() === 1))
}

function formatOf(days: number, isFine: boolean): Intl.DateTimeFormatOptions {
  if (days < 1) return { timeStyle: isFine ? 'medium' : 'short' }
  if (days < 2) return { weekday: 'short', hour: 'numeric' }
  return days < 300 ? { month: 'short', day: 'numeric' } : { month: 'short', year: 'numeric' }
}
