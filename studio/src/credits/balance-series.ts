/**
 * The time series of the balance chart: the time range, and the transactions in it with the balance after each. A
 * balance holds until the next transaction (step function). The range never covers a time whose transactions were not
 * read.
 */
import { t } from '@lingui/core/macro'
import type { CreditTransaction } from './transaction-types.ts'

export const periods = { '30d': t`30 days`, '90d': t`90 days`, all: t`All` } as const
export type Period = keyof typeof periods
export const parsePeriod = (text: string | undefined): Period => (text === '90d' || text === 'all' ? text : '30d')

/** Limit of the chart; older transactions are in the history table and in the CSV export. */
export const MAX_TRANSACTIONS = 5000
const DAY_MS = 86_400_000
const MIN_RANGE_MS = 60_000

/** Start of a period, in ms since the epoch. */
export const periodStartMs = (period: Period, nowMs: number): number =>
  period === 'all' ? 0 : nowMs - (period === '30d' ? 30 : 90) * DAY_MS

export type BalancePoint = { atMs: number; available: number; transaction: CreditTransaction }
export type BalanceSeries = {
  fromMs: number
  toMs: number
  /** Available at `fromMs`. */
  initial: number
  /** Oldest first. */
  points: BalancePoint[]
  /** Highest balance in the range. */
  max: number
}

type SeriesInput = {
  /** Newest first, without gaps, from now back to the period's start or to where reading stopped. */
  transactions: CreditTransaction[]
  /** The period has older transactions that were not read. */
  truncated: boolean
  period: Period
  /** Available now; the initial balance of a user without transactions in the period. */
  available: number
  nowMs: number
}

export function balanceSeries({ transactions, truncated, period, available, nowMs }: SeriesInput): BalanceSeries {
  let laterMs = Number.POSITIVE_INFINITY
  const points = transactions
    .map((transaction) => {
      // Transactions are in ledger sequence; times that clock skew put out of sequence are clamped.
      laterMs = Math.min(laterMs, Date.parse(transaction.createdAt))
      return { atMs: laterMs, available: transaction.balanceAfter, transaction }
    })
    .filter(({ atMs }) => atMs >= periodStartMs(period, nowMs))
    .reverse()
  const first = points[0]
  const initial = first ? first.available - first.transaction.credits : available
  const hasOlder = transactions.length > points.length && !truncated
  const toMs = Math.max(nowMs, points.at(-1)?.atMs ?? 0)
  // A margin of 5 % before the first transaction makes its step visible; a truncated range starts where reading
  // stopped.
  const firstMs = first ? first.atMs - (truncated ? 0 : (toMs - first.atMs) * 0.05) : toMs
  // The range of an account younger than the period starts at its first transaction.
  const startMs = hasOlder || (period !== 'all' && !first) ? periodStartMs(period, nowMs) : firstMs
  const fromMs = Math.min(startMs, toMs - MIN_RANGE_MS)
  const max = points.reduce((highest, point) => Math.max(highest, point.available), Math.max(initial, 0))
  return { fromMs, toMs, initial, points, max }
}

/** Binary search for the last point at or before a time, or the first point. @returns -1 without points */
export function pointIndexAt(points: BalancePoint[], atMs: number): number {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.atMs ?? 0) <= atMs) low = middle + 1
    else high = middle
  }
  return points.length === 0 ? -1 : Math.max(0, low - 1)
}
