/** When an attempt is repeated: with jitter, so that failures spread; and the header Retry-After. */
const JITTER = 0.1

/** @param pausesS after each attempt. @param attempts how many there were. @returns null after the last */
export function nextAttempt(now: Date, pausesS: readonly number[], attempts: number, minimumS = 0): Date | null {
  const pauseS = pausesS[attempts - 1]
  return pauseS === undefined ? null : later(now, Math.max(withJitter(pauseS), minimumS))
}

/** One second after the first failure in a row, then two, and so on up to `maxS`, with jitter. */
export const doublingPauseS = (failures: number, maxS: number): number =>
  withJitter(Math.min(2 ** (Math.min(failures, 32) - 1), maxS))

export const later = (date: Date, seconds: number): Date => new Date(date.getTime() + Math.round(seconds * 1000))

/** Whole seconds from a header Retry-After (RFC 9110), number or date; null when invalid or past. */
export function parseRetryAfter(text: string | null, now: Date): number | null {
  const value = text?.trim() ?? ''
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - now.getTime()) / 1000)
  return seconds > 0 ? seconds : null
}

const withJitter = (seconds: number): number => seconds * (1 + JITTER * (2 * Math.random() - 1))
