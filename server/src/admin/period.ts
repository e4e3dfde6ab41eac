/** A period of whole days of a time zone, which administrators choose by its first and last day. */
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'

export type Period = readonly [since: Date, until: Date]
export type PeriodQuery = { from?: string; to?: string }

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const DAYS_MAX = 366

/**
 * Default: the last 30 days, today included.
 * @param zone the operator's (TIME_ZONE), or UTC
 * @throws AppError INVALID_REQUEST for a period that ends before it begins or is longer than 366 days
 */
export function periodOf({ from, to }: PeriodQuery, now: Date, zone: string): Period {
  const until = dayOf('to', to ?? dayIn(now, zone)) + DAY_MS
  const since = from === undefined ? until - DEFAULT_DAYS * DAY_MS : dayOf('from', from)
  if (since >= until) throw invalid('from', 'The first day of a period must not be after its last.')
  if (until - since > DAYS_MAX * DAY_MS) throw invalid('from', `A period has at most ${DAYS_MAX} days.`)
  return [beginOf(since, zone), beginOf(until, zone)]
}

/** The days of a report's name. @throws AppError as periodOf */
export const periodDays = ({ config, now }: Pick<App, 'config' | 'now'>, query: PeriodQuery) =>
  daysOf(periodOf(query, now(), config.site.timeZone), config.site.timeZone)

/** The first and the last day of a period. */
export const daysOf = ([since, until]: Period, zone: string): { from: string; to: string } => ({
  from: dayIn(since, zone),
  to: dayIn(new Date(until.getTime() - 1), zone),
})

/** Each calendar month or day of a period, or the part of it in the period, the latest first. */
export function partsOf([since, until]: Period, zone: string, unit: 'month' | 'day'): Period[] {
  const parts: Period[] = []
  for (let begin = since; begin < until; ) {
    const [year = 0, month = 0, day = 0] = dayIn(begin, zone).split('-').map(Number)
    const next = beginOf(unit === 'month' ? Date.UTC(year, month, 1) : Date.UTC(year, month - 1, day + 1), zone)
    parts.unshift([begin, next < until ? next : until])
    begin = next
  }
  return parts
}

/** When a day begins in a zone: a clock may skip its midnight, or have it twice. */
function beginOf(dayMs: number, zone: string): Date {
  if (zone === 'UTC') return new Date(dayMs)
  const offsets = [-DAY_MS / 2, DAY_MS / 2].map((ms) => offsetMs(new Date(dayMs + ms), zone))
  const begins = offsets.map((offset) => new Date(dayMs - offset)).sort((a, b) => a.getTime() - b.getTime())
  return begins.find((each) => dayIn(each, zone) === dayText(dayMs)) ?? new Date(dayMs)
}

function offsetMs(at: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, h = 0, m = 0, s = 0] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? []
  return (sign === '-' ? -1000 : 1000) * (Number(h) * 3600 + Number(m) * 60 + Number(s))
}

/** The day of a time in a zone. */
function dayIn(at: Date, timeZone: string): string {
  if (timeZone === 'UTC') return dayText(at.getTime())
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  return new Intl.DateTimeFormat('en-CA', { timeZone, ...parts }).format(at).padStart(10, '0')
}

function dayOf(field: string, text: string): number {
  const ms = Date.parse(`${text}T00:00:00Z`)
  // PostgreSQL reads the years 1 to 9999, and a period ends with the day after its last one.
  const isRead = text >= '0001' && text < '9999-12-31'
  if (Number.isNaN(ms) || dayText(ms) !== text || !isRead)
    throw invalid(field, `The field ${field} must be a day such as 2026-01-31.`)
  return ms
}
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const invalid = (path: string, message: string) =>
  new AppError('INVALID_REQUEST', message, { details: [{ path, message }] })
