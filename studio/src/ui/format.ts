/** Numbers, times and stages in words. The rule: the same quantity reads the same on every page. */
import type { Task } from '@kinora/client'

const whole = new Intl.NumberFormat('en')
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const minute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** 1234 → "1,234" */
export const formatNumber = (value: number): string => whole.format(value)

/** 60 → "60 credits" */
export const formatCredits = (value: number): string =>
  `${whole.format(value)} ${Math.abs(value) === 1 ? 'credit' : 'credits'}`

/** −4 → "−4", 4 → "+4": with a real minus, so that columns line up */
export const formatSigned = (value: number): string =>
  value < 0 ? `−${whole.format(-value)}` : `+${whole.format(value)}`

/** An ISO time → "Nov 20, 2026" */
export const formatDate = (iso: string): string => day.format(new Date(iso))

/** An ISO time → "Nov 20, 2026, 9:41 AM" */
export const formatDateTime = (iso: string): string => minute.format(new Date(iso))

/**
 * An ISO time → "12:03:20 UTC", with the day when it is another one: "2026-11-20 12:03:20 UTC". Administrators read times
 * beside the service's sentences and its log, so theirs are of the same zone and written in the same way.
 */
export function formatUtcTime(iso: string, nowMs = Date.now()): string {
  const formatClock = new Date(iso).toISOString().slice(11, 19)
  const isToday = formatUtcDate(new Date(nowMs).toISOString()) === formatUtcDate(iso)
  return `${isToday ? '' : `${formatUtcDate(iso)} `}${formatClock} UTC`
}

/** An ISO time → "2026-11-20", for administrators too. */
export const formatUtcDate = (iso: string): string => new Date(iso).toISOString().slice(0, 10)

/** An ISO time → "3 minutes ago", "in 2 days" */
export function formatRelativeTime(iso: string, nowMs = Date.now()): string {
  const seconds = Math.round((new Date(iso).getTime() - nowMs) / 1000)
  const round = seconds > 0 ? Math.round : Math.trunc
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  for (const [unit, length] of units) {
    // What is to come is rounded: of 30 days a minute ago 30 are left, and not 29.
    if (Math.abs(seconds) >= length) return relative.format(round(seconds / length), unit)
  }
  return Math.abs(seconds) < 10 ? 'just now' : relative.format(seconds, 'second')
}

/** 75 → "1:15" */
export function clock(seconds: number): string {
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
  return `${(size / 1_000_000).toFixed(1)} MB`
}

export type Status = Task['status']

/** What a maker of films calls the stages; the API's names stay in the API. */
export const statusLabels: Record<Status, string> = {
  PENDING: 'Waiting',
  GENERATING: 'Generating',
  UPLOADING: 'Developing',
  COMPLETED: 'Done',
  FAILED: 'Failed',
}

export const isFinal = (status: Status): boolean => status === 'COMPLETED' || status === 'FAILED'
