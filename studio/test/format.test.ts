/** Text formats of the studio: relative times, UTC times and money. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import './macros.ts'
import { DAY_MS } from './transactions.ts'

const { formatRelativeTime, formatUtcDate, formatUtcTime } = await import('../src/ui/format.ts')
const { money } = await import('../src/plans/pricing.ts')

const NOW_MS = Date.parse('2026-11-20T08:43:07.000Z')

test('formatRelativeTime: future time → rounded; past time → truncated', () => {
  const relative = (offsetMs: number) => formatRelativeTime(new Date(NOW_MS + offsetMs).toISOString(), NOW_MS)
  assert.equal(relative(30 * DAY_MS - 60_000), 'in 30 days')
  assert.equal(relative(-2 * DAY_MS + 60_000), '1 day ago')
  assert.equal(relative(-119_000), '1 minute ago')
})

test('formatUtcTime: time of another day → the date is included', () => {
  assert.equal(formatUtcTime('2026-11-20T00:00:00.000Z', NOW_MS), '00:00:00 UTC')
  assert.equal(formatUtcTime('2026-11-20T01:30:00.000+02:00', NOW_MS), '2026-11-19 23:30:00 UTC')
})

test('formatUtcDate: time in another time zone → the UTC date', () => {
  assert.equal(formatUtcDate('2026-11-20T23:59:59.999-01:00'), '2026-11-21')
})

test('money: currency with two, no or three decimals → the amount is in its smallest unit', () => {
  assert.deepEqual([money(1490, 'USD'), money(2900, 'USD')], ['$14.90', '$29'])
  assert.equal(money(1490, 'JPY'), '¥1,490')
  assert.equal(money(4600, 'KWD').replace(/\s/, ' '), 'KWD 4.600')
})
