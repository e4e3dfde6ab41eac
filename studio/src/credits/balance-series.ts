/**
 * What the chart of Available draws: from when to when, and the rows in between. The rule: it never shows a stretch of time
 * that was not read, and a balance holds until the next row.
 */
import type { Row } from './ledger-check.ts'

export const periods = { '30d': '30 days', '90d': '90 days', all: 'All' } as const
export type Period = keyof typeof periods
export const periodOf = (text: string | undefined): Period => (text === '90d' || text === 'all' ? text : '30d')

/** The chart reads no more than this; older rows are in the history and in the export. */
export const MAX_ROWS = 5000
const DAY_MS = 86_400_000
const SHORTEST_MS = 60_000

/** When a period begins, in ms of the epoch. */
export const beginOf = (period: Period, nowMs: number): number =>
  period === 'all' ? 0 : nowMs - (period === '30d' ? 30 : 90) * DAY_MS

export type Step = { atMs: number; available: number; row: Row }
export type Steps = {
  fromMs: number
  toMs: number
  /** Available at `fromMs`. */
  before: number
  /** Oldest first. */
  steps: Step[]
  most: number
}

export type Wanted = {
  /** Newest first, without gaps, from now back to the period's beginning or as far as was read. */
  rows: Row[]
  /** There are older rows in the period, which were not read. */
  cut: boolean
  period: Period
  /** Available now, for somebody without rows. */
  available: number
  nowMs: number
}

export function stepsOf({ rows, cut, period, available, nowMs }: Wanted): Steps {
  let laterMs = Number.POSITIVE_INFINITY
  const steps = rows
    .map((row) => {
      // Rows stand in the order in which they happened, even where two clocks did not agree on the time.
      laterMs = Math.min(laterMs, Date.parse(row.createdAt))
      return { atMs: laterMs, available: row.balanceAfter, row }
    })
    .filter(({ atMs }) => atMs >= beginOf(period, nowMs))
    .reverse()
  const first = steps[0]
  const before = first ? first.available - first.row.credits : available
  // Somebody who was not here 30 days ago sees the time since the first row instead of a long nothing.
  const earlier = rows.length > steps.length && !cut
  const toMs = Math.max(nowMs, steps.at(-1)?.atMs ?? 0)
  // A little before it, so that the very first step is seen to rise; a cut begins where the reading ended.
  const firstMs = first ? first.atMs - (cut ? 0 : (toMs - first.atMs) * 0.05) : toMs
  const earliestMs = earlier || (period !== 'all' && !first) ? beginOf(period, nowMs) : firstMs
  const fromMs = Math.min(earliestMs, toMs - SHORTEST_MS)
  const most = steps.reduce((highest, step) => Math.max(highest, step.available), Math.max(before, 0))
  return { fromMs, toMs, before, steps, most }
}

/** The step in force at a moment: the last one not after it, or the first. -1 where there are none. */
export function stepAt(steps: Step[], atMs: number): number {
  let low = 0
  let high = steps.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((steps[middle]?.atMs ?? 0) <= atMs) low = middle + 1
    else high = middle
  }
  return steps.length === 0 ? -1 : Math.max(0, low - 1)
}
