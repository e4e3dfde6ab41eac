/** A period of whole days in UTC, which administrators choose by its first and last day. */
import { AppError } from '../errors.ts'

export type Period = readonly [since: Date, until: Date]
export type PeriodQuery = { from?: string; to?: string }

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const DAYS_MAX = 366

/**
 * Default: the last 30 days, today included.
 * @throws AppError INVALID_REQUEST for a period that ends before it begins or is longer than 366 days
 */
export function periodOf({ from, to }: PeriodQuery, now: Date): Period {
  const until = dayOf('to', to ?? dayText(now.getTime())) + DAY_MS
  const since = from === undefined ? until - DEFAULT_DAYS * DAY_MS : dayOf('from', from)
  if (since >= until) throw invalid('from', 'The first day of a period must not be after its last.')
  if (until - since > DAYS_MAX * DAY_MS) throw invalid('from', `A period has at most ${DAYS_MAX} days.`)
  return [new Date(since), new Date(until)]
}

/** The first and the last day of a period. */
export const daysOf = ([since, until]: Period): { from: string; to: string } => ({
  from: dayText(since.getTime()),
  to: dayText(until.getTime() - DAY_MS),
})

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
