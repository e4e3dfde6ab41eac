/** The axes of the balance chart: round steps of amount and time. Invariant: no two ticks have the same label. */
import { locale } from '../i18n/locale.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Width of a label with the gap after it. */
const LABEL_PX = 96
/** Kept free at the right edge, so that the last label is not clipped. */
const RIGHT_MARGIN_PX = 32
/** Steps within a day, which divide the next larger unit. */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE_MS),
  ...[1, 2, 4, 6, 12].map((n) => n * HOUR_MS),
]
const STEPS_DAYS = [1, 2, 5, 10, 15]
const STEPS_MONTHS = [1, 2, 4, 6, 12, 24, 60, 120]

/** From here on the same day of two years could be in one axis. */
const DAYS_WITHOUT_YEAR = 300

type TimeTick = { atMs: number; label: string }

/** The multiples of a round step from 0 to the first that reaches `max`: at most `count` steps of whole numbers. */
export function amountTicks(max: number, count: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(max / count, 1)))
  const step = power * ([1, 2, 5].find((factor) => factor * power * count >= max) ?? 10)
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, at) => at * step)
}

/** The starts of seconds, hours, days or months in the reader's time zone. @param width of the axis, in pixels */
export function timeTicks(fromMs: number, toMs: number, width: number): TimeTick[] {
  const days = (toMs - fromMs) / DAY_MS
  const lastMs = toMs - ((toMs - fromMs) * RIGHT_MARGIN_PX) / width
  const least = ((toMs - fromMs) * LABEL_PX) / width
  const ticks: Date[] = []
  const next = (ms: number) => roundUp(ms, least, days)
  for (let tick = next(fromMs); tick.getTime() < lastMs; tick = next(tick.getTime() + least)) ticks.push(tick)
  const hasSeconds = ticks.some((tick) => tick.getSeconds() !== 0)
  const format = new Intl.DateTimeFormat(locale, formatOptions(days, least, hasSeconds))
  return ticks.map((tick) => ({ atMs: tick.getTime(), label: format.format(tick) }))
}

/** The first round time at or after this one. @param least the distance of labels, in ms */
function roundUp(ms: number, least: number, days: number): Date {
  const date = new Date(ms)
  const step = STEPS_MS.find((each) => each >= least)
  const midnight = new Date(date.getFullYear(), date.getMonth(), date.getDate())
  if (step !== undefined) return new Date(midnight.getTime() + Math.ceil((ms - midnight.getTime()) / step) * step)
  const stepDays = days < DAYS_WITHOUT_YEAR ? STEPS_DAYS.find((each) => each * DAY_MS >= least) : undefined
  const isMidnight = midnight.getTime() === ms
  if (stepDays !== undefined) {
    const day = Math.ceil((date.getDate() - (isMidnight ? 1 : 0)) / stepDays) * stepDays + 1
    const last = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate()
    return new Date(date.getFullYear(), date.getMonth(), Math.min(day, last + 1))
  }
  const stepMonths = STEPS_MONTHS.find((each) => each * 28 * DAY_MS >= least) ?? 240
  const isFirst = isMidnight && date.getDate() === 1
  const month = date.getFullYear() * 12 + date.getMonth() + (isFirst ? 0 : 1)
  return new Date(0, Math.ceil(month / stepMonths) * stepMonths - 1900 * 12)
}

function formatOptions(days: number, least: number, hasSeconds: boolean): Intl.DateTimeFormatOptions {
  if (days < 1) return { timeStyle: hasSeconds ? 'medium' : 'short' }
  if (least <= 12 * HOUR_MS) return { weekday: 'short', hour: 'numeric' }
  return days < DAYS_WITHOUT_YEAR && least <= 15 * DAY_MS
    ? { month: 'short', day: 'numeric' }
    : { month: 'short', year: 'numeric' }
}
