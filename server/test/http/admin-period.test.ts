/** Periods of administrators’ reports: whole days in the operator’s time zone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOf, partsOf, periodOf } from '../../src/admin/period.ts'

const now = new Date('2026-11-01T02:00:00Z')
const begins = (from: string, to: string, zone: string) =>
  periodOf({ from, to }, now, zone).map((each) => each.toISOString())

for (const [zone, from, to, since, until] of [
  ['UTC', '2026-10-01', '2026-10-31', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
  // Summer time ends on the 25th.
  ['Europe/Berlin', '2026-10-01', '2026-10-31', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
  ['Asia/Kolkata', '2026-10-01', '2026-10-01', '2026-09-30T18:30:00.000Z', '2026-10-01T18:30:00.000Z'],
  // The clock skips midnight.
  ['America/Santiago', '2026-09-06', '2026-09-06', '2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'],
  // It is set back at midnight, to the day before.
  ['America/Santiago', '2026-04-05', '2026-04-05', '2026-04-05T04:00:00.000Z', '2026-04-06T04:00:00.000Z'],
] as const)
  test(`period: ${from} to ${to} in ${zone} → from ${since} to ${until}`, () => {
    assert.deepEqual(begins(from, to, zone), [since, until])
    assert.deepEqual(daysOf(periodOf({ from, to }, now, zone), zone), { from, to })
  })

test('period: none given → the last 30 days, of which today is the zone’s', () => {
  assert.deepEqual(daysOf(periodOf({}, now, 'America/New_York'), 'America/New_York'), {
    from: '2026-10-02',
    to: '2026-10-31',
  })
  assert.deepEqual(daysOf(periodOf({}, now, 'UTC'), 'UTC'), { from: '2026-10-03', to: '2026-11-01' })
})

test('period: its months and days → they follow each other without a gap, the latest first', () => {
  const zone = 'Europe/Berlin'
  const period = periodOf({ from: '2026-01-15', to: '2026-12-31' }, now, zone)
  for (const [unit, count] of [
    ['month', 12],
    ['day', 351],
  ] as const) {
    const parts = partsOf(period, zone, unit)
    assert.equal(parts.length, count)
    assert.deepEqual([parts.at(-1)?.[0], parts[0]?.[1]], [...period])
    for (const [n, [since]] of parts.entries()) if (n + 1 < count) assert.deepEqual(parts[n + 1]?.[1], since)
  }
})
