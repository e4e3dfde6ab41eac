/** Billing periods: three from today on, so that no credits expire meanwhile, and one of the past. */
import { DAY_MS, startOfToday } from './payment-events.ts'

export type Period = { start: number; end: number }

const today = startOfToday()
const periodFrom = (days: number): Period => ({ start: today + days * DAY_MS, end: today + (days + 31) * DAY_MS })

export const first = periodFrom(0)
export const second = periodFrom(31)
export const third = periodFrom(62)
export const past = periodFrom(-40)
export const HOUR_MS = 3_600_000
/** Half and a quarter of the second period are left then. */
export const upgradedAt = second.start + 15.5 * DAY_MS
export const upgradedAgainAt = second.start + 23.25 * DAY_MS
