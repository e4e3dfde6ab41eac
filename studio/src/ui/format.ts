/** Formats numbers, times and statuses for display, so that a quantity reads the same on every page. */
import type { Task } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { locale } from '../i18n/locale.ts'

const integer = new Intl.NumberFormat(locale)
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const list = new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' })
/** Always a number: "yesterday" and "tomorrow" are days of the calendar, not 24 hours. */
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })

/** 1234 → "1,234" */
export const formatNumber = (value: number): string => integer.format(value)

/** 0.125 → "12.5%", -0.5 → "−50%" */
export const formatPercent = (share: number): string => percent.format(share).replace('-', '−')

/** 60 → "60 credits" */
export const formatCredits = (value: number): string => plural(value, { one: '# credit', other: '# credits' })

/** ['480p', '720p'] → "480p, 720p" */
export const formatList = (texts: string[]): string => list.format(texts)

/** -4 → "−4", 4 → "+4": with a minus sign (U+2212), which is as wide as the plus, so that columns align */
export const formatSigned = (value: number): string =>
  value < 0 ? `−${integer.format(-value)}` : `+${integer.format(value)}`

/** An ISO time → "Nov 20, 2026" */
export const formatDate = (iso: string): string => date.format(new Date(iso))

/** An ISO time → "Nov 20, 2026, 9:41 AM" */
export const formatDateTime = (iso: string): string => dateTime.format(new Date(iso))

/**
 * An ISO time → "12:03:20 UTC"; with the date when it is not today's: "2026-11-20 12:03:20 UTC". For administrators,
 * who compare times with the API's messages and the server log, which are in UTC.
 */
export function formatUtcTime(iso: string, nowMs = Date.now()): string {
  const time = new Date(iso).toISOString().slice(11, 19)
  const isToday = formatUtcDate(new Date(nowMs).toISOString()) === formatUtcDate(iso)
  return `${isToday ? '' : `${formatUtcDate(iso)} `}${time} UTC`
}

/** An ISO time → "2026-11-20" in UTC, for administrators. */
export const formatUtcDate = (iso: string): string => new Date(iso).toISOString().slice(0, 10)

/** An ISO time → "3 minutes ago", "in 1 day" */
export function formatRelativeTime(iso: string, nowMs = Date.now()): string {
  const seconds = Math.round((new Date(iso).getTime() - nowMs) / 1000)
  const round = seconds > 0 ? Math.round : Math.trunc
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  for (const [unit, length] of units) {
    // Round a future time, truncate a past one: 30 days that began a minute ago read as 30 left, not 29.
    if (Math.abs(seconds) >= length) return relative.format(round(seconds / length), unit)
  }
  return Math.abs(seconds) < 10 ? t`just now` : relative.format(seconds, 'second')
}

/** 75 → "1:15" */
export function formatClock(seconds: number): string {
  const total = Math.max(0, Math.floor(seconds))
  const parts = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60]
  const [hours = 0, minutes = 0, rest = 0] = parts
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`
}
const pad = (value: number): string => String(value).padStart(2, '0')

/** 1536000 → "1.5 MB" */
export function formatBytes(size: number): string {
  if (size < 1000) return `${size} B`
  if (size < 1_000_000) return `${(size / 1000).toFixed(0)} kB`
  if (size < 1_000_000_000) return `${(size / 1_000_000).toFixed(1)} MB`
  return `${(size / 1_000_000_000).toFixed(1)} GB`
}

export type Status = Task['status']

/** The visible names of the API's statuses. */
export const statusLabels = (): Record<Status, string> => ({
  PENDING: t`Waiting`,
  GENERATING: t`Generating`,
  UPLOADING: t`Developing`,
  COMPLETED: t({ message: 'Done', context: 'status of a film' }),
  FAILED: t`Failed`,
})

export const isFinal = (status: Status): boolean => status === 'COMPLETED' || status === 'FAILED'

/** The first characters of a long text and "…"; counts code points, so that no emoji is cut in two. */
export function truncate(text: string, characters: number): string {
  const all = [...text]
  return all.length > characters ? `${all.slice(0, characters).join('')}…` : text
}
