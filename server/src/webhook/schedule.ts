/** When a delivery is tried again: by Standard Webhooks' example, ten attempts in 75 h 35 min, with jitter. */
import { doublingPauseS, later, nextAttempt, parseRetryAfter } from '../async/backoff.ts'

const HOUR_S = 3600
const RETRIES_S = [5, 300, 1800, 2 * HOUR_S, 5 * HOUR_S, 10 * HOUR_S, 14 * HOUR_S, 20 * HOUR_S, 24 * HOUR_S]
/** A pause that an endpoint asks for may be this long. */
const RETRY_AFTER_MAX_S = 24 * HOUR_S
/** An endpoint that is away or overloaded is tried again after one second, then two, and so on up to this. */
const PAUSE_MAX_S = 60
/** An endpoint that fails for this long is disabled. */
export const DISABLE_AFTER_DAYS = 5

/** @param attempts how many there have been, this one included. @returns null after the last */
export const nextAttemptAt = (now: Date, attempts: number, retryAfterS: number | null): Date | null =>
  nextAttempt(now, RETRIES_S, attempts, retryAfterS ?? 0)

/** Until when an endpoint gets nothing. @param failures attempts in a row that have failed, this one included */
export const pauseUntil = (now: Date, failures: number, retryAfterS: number | null): Date =>
  later(now, retryAfterS ?? doublingPauseS(failures, PAUSE_MAX_S))

/** The pause in seconds that a header Retry-After asks for, at most a day; null without a valid one. */
export function retryAfterOf(header: string | null, now: Date): number | null {
  const seconds = parseRetryAfter(header, now)
  return seconds && Math.min(seconds, RETRY_AFTER_MAX_S)
}
