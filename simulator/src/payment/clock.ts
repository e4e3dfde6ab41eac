/**
 * The processors' time. It is the real one until somebody jumps to a later period; then that subscription lives ahead of
 * it, and nothing of it ever carries a time before what has been said already. Times are milliseconds since 1970.
 */

export type Clock = {
  /** How far ahead of the real time it lives. */
  aheadMs: number
  /** The latest time that any of its events carried. */
  lastAt: number
}

/** payment-b's times have whole seconds: two actions within one could not be told apart. */
const STEP_MS = 1000

/** The time of the next action, in whole seconds, later than everything before. */
export function tick(clock: Clock): number {
  return Math.max(wholeSecond(Date.now() + clock.aheadMs), wholeSecond(clock.lastAt) + STEP_MS)
}

/** Moves the clock ahead to `at`, where it is not there yet, and answers the time of the next action. */
export function jump(clock: Clock, at: number): number {
  clock.aheadMs = Math.max(clock.aheadMs, at - Date.now())
  return tick(clock)
}

export function passed(clock: Clock, at: number): void {
  clock.lastAt = Math.max(clock.lastAt, at)
  clock.aheadMs = Math.max(clock.aheadMs, clock.lastAt - Date.now())
}

export const wholeSecond = (at: number): number => Math.floor(at / 1000) * 1000

/** Calendar months after `from`: the 31st falls on the last day of a shorter month, and stays the 31st afterwards. */
export function monthsAfter(from: number, months: number): number {
  const date = new Date(from)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}
