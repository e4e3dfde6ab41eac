/** The balance chart's time series and the ticks of its time axis. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import './macros.ts'
import { DAY_MS, history, NOW_MS } from './transactions.ts'

const { balanceSeries, pointIndexAt } = await import('../src/credits/balance-series.ts')
const { amountTicks, timeTicks } = await import('../src/credits/time-ticks.ts')

const input = { transactions: history(), truncated: false, period: '30d', available: 1105, nowMs: NOW_MS } as const

test('balanceSeries: account younger than the period → the range starts shortly before the first transaction', () => {
  const series = balanceSeries(input)
  assert.equal(series.points.length, 10)
  assert.equal(series.initial, 0)
  assert.ok(series.fromMs < NOW_MS - 9 * DAY_MS && series.fromMs > NOW_MS - 10 * DAY_MS)
})

test('balanceSeries: transactions before the period → the range starts with the period and its initial balance', () => {
  const series = balanceSeries({ ...input, nowMs: NOW_MS + 25.5 * DAY_MS })
  assert.equal(series.fromMs, NOW_MS - 4.5 * DAY_MS)
  assert.deepEqual([series.points.length, series.initial], [5, 324])
})

test('balanceSeries: truncated transactions → the range starts where reading stopped', () => {
  const series = balanceSeries({
    ...input,
    transactions: history().slice(0, 3),
    truncated: true,
    period: 'all',
  })
  assert.deepEqual([series.fromMs, series.initial, series.max], [NOW_MS - 2 * DAY_MS, 154, 1114])
})

test('balanceSeries: no transactions → an empty series over the whole period', () => {
  const series = balanceSeries({ ...input, transactions: [], available: 0 })
  assert.deepEqual([series.fromMs, series.points, series.initial], [NOW_MS - 30 * DAY_MS, [], 0])
})

test('balanceSeries: clock skew between transactions → times are monotonic', () => {
  const transactions = history().map((t) => (t.transNo === 'T-3' ? { ...t, createdAt: '2026-11-19T00:00:00.000Z' } : t))
  const { points } = balanceSeries({ ...input, transactions, period: 'all' })
  assert.ok(points.every(({ atMs }, index) => atMs >= (points[index - 1]?.atMs ?? 0)))
})

test('pointIndexAt: a time → the last point at or before it', () => {
  const { points } = balanceSeries({ ...input, period: 'all' })
  assert.equal(pointIndexAt(points, NOW_MS - 20 * DAY_MS), 0)
  assert.equal(pointIndexAt(points, NOW_MS - 4.5 * DAY_MS), 4)
  assert.equal(pointIndexAt(points, NOW_MS + 1), 9)
  assert.equal(pointIndexAt([], NOW_MS), -1)
})

const TO_MS = Date.parse('2026-11-20T08:43:07.000Z')

const tickLabels = (rangeMs: number, width: number) =>
  timeTicks(TO_MS - rangeMs, TO_MS, width - 56).map(({ label }) => label)

test('timeTicks: any range and width → at least one tick, and no label twice', () => {
  for (const width of [320, 600, 1200, 2400])
    for (const days of [1 / 1440, 2 / 1440, 1 / 24, 0.5, 0.99, 1, 1.5, 1.99, 2, 3, 7, 30, 90, 299, 300, 900, 4000]) {
      const labels = tickLabels(days * DAY_MS, width)
      assert.ok(labels.length > 0, `${days} days on ${width} px`)
      assert.equal(new Set(labels).size, labels.length, `${days} days on ${width} px: ${labels}`)
    }
})

test('timeTicks: range of a minute, an hour, a month → labels in seconds, minutes, days', () => {
  assert.match(String(tickLabels(60_000, 600)[0]), /^\d+:\d\d:\d\d\s[AP]M$/)
  assert.match(String(tickLabels(3600_000, 600)[0]), /^\d+:\d\d\s[AP]M$/)
  assert.match(String(tickLabels(30 * DAY_MS, 600)[0]), /^\w{3} \d+$/)
})

test('amountTicks: any maximum → whole numbers from 0, and the last one reaches it', () => {
  for (const max of [0, 1, 3, 7, 60, 99, 101, 2507, 20_000_060]) {
    const ticks = amountTicks(max, 4)
    assert.equal(ticks[0], 0)
    assert.ok(
      ticks.every(Number.isInteger) && ticks.length <= 5 && (ticks.at(-1) ?? 0) >= Math.max(max, 1),
      `${max}: ${ticks}`,
    )
  }
})
