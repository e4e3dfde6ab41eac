/** When a delivery is tried again: the example schedule of Standard Webhooks, ten attempts in 75 h 35 min, with jitter. */
const HOUR_S = 3600
const RETRIES_S = [5, 300, 1800, 2 * HOUR_S, 5 * HOUR_S, 10 * HOUR_S, 14 * HOUR_S, 20 * HOUR_S, 24 * HOUR_S]
const JITTER = 0.1
/** A pause that an endpoint asks for may be this long. */
const RETRY_AFTER_MAX_S = 24 * HOUR_S
/** An endpoint that is away or overloaded is tried again after one second, then two, and so on up to this. */
const PAUSE_MAX_S = 60
/** An endpoint that fails for this long is disabled. */
export const DISABLE_AFTER_DAYS = 5

/** @param attempts how many there have been, this one included. @returns null after the last */
export function nextAttemptAt(now: Date, attempts: number, retryAfterS: number | null): Date | null {
  const pauseS = RETRIES_S[attempts - 1]
  return pauseS === undefined ? null : later(now, Math.max(withJitter(pauseS), retryAfterS ?? 0))
}

/** Until when an endpoint gets nothing. @param failures attempts in a row that have failed, this one included */
export function pauseUntil(now: Date, failures: number, retryAfterS: number | null): Date {
  return later(now, retryAfterS ?? withJitter(Math.min(2 ** (failures - 1), PAUSE_MAX_S)))
}

/** Seconds from a header Retry-After, which is a number of seconds or a date; null without a valid one. */
export function parseRetryAfter(text: string | null, now: Date): number | null {
  if (text === null) return null
  const seconds = /^\d{1,9}$/.test(text.trim()) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, RETRY_AFTER_MAX_S) : null
}

const withJitter = (seconds: number): number => seconds * (1 + JITTER * (2 * Math.random() - 1))
const later = (date: Date, seconds: number): Date => new Date(date.getTime() + Math.round(seconds * 1000))
