/**
 * The processors' clock. It is the real time until an operation jumps to a later period; then that subscription lives
 * ahead of it. Invariant: no event carries a time before that of an earlier event. Times are milliseconds since 1970.
 */
export type Clock = {
  /** How far ahead of the real time it is. */
  aheadMs: number
  /** The latest time that an event carried. */
  lastAt: number
}

/** payment-b's times are whole seconds: two operations within one second would be indistinguishable. */
const STEP_MS = 1000

/**
 * Moves the clock to the next operation. @returns its time, in whole seconds: not before `to`, later than the last
 * one
 */
export function advance(clock: Clock, to = 0): number {
  const now = Date.now()
  const aheadMs = Math.max(clock.aheadMs, to - now)
  const at = Math.max(wholeSecond(now + aheadMs), wholeSecond(clock.lastAt) + STEP_MS)
  Object.assign(clock, { aheadMs: Math.max(aheadMs, at - now), lastAt: at })
  return at
}

export const wholeSecond = (at: number): number => Math.floor(at / 1000) * 1000

/** Calendar months after `from`: the 31st becomes the last day of a shorter month, and the 31st again afterwards. */
export function monthsAfter(from: number, months: number): number {
  const date = new Date(from)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}
