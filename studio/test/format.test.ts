/** Times in words: those that the chart of Available names, over a minute as over years, and how long ago something was. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scaleTime } from 'd3-scale'
import { namedTimes } from '../src/credits/time-ticks.ts'
import { ago, utcDay, utcSecond } from '../src/ui/format.ts'

const DAY_MS = 86_400_000
const TO_MS = Date.parse('2026-11-20T08:43:07.000Z')

const named = (spanMs: number, width: number) =>
  namedTimes(scaleTime([TO_MS - spanMs, TO_MS], [48, width - 8]), width).map(({ name }) => name)

test('no two moments read alike, and there are some', () => {
  for (const width of [320, 600, 1200, 2400])
    for (const days of [1 / 1440, 2 / 1440, 1 / 24, 0.5, 0.99, 1, 1.5, 1.99, 2, 3, 7, 30, 90, 299, 300, 900, 4000]) {
      const names = named(days * DAY_MS, width)
      assert.ok(names.length > 0, `${days} days on ${width} px`)
      assert.equal(new Set(names).size, names.length, `${days} days on ${width} px: ${names}`)
    }
})

test('a minute is told in seconds, an hour in minutes, a month in days', () => {
  assert.match(String(named(60_000, 600)[0]), /^\d+:\d\d:\d\d\s[AP]M$/)
  assert.match(String(named(3600_000, 600)[0]), /^\d+:\d\d\s[AP]M$/)
  assert.match(String(named(30 * DAY_MS, 600)[0]), /^\w{3} \d+$/)
})

test('of thirty days a minute ago thirty are left, and what is past is never made older than it is', () => {
  const at = (ms: number) => ago(new Date(TO_MS + ms).toISOString(), TO_MS)
  assert.equal(at(30 * DAY_MS - 60_000), 'in 30 days')
  assert.equal(at(-2 * DAY_MS + 60_000), 'yesterday')
  assert.equal(at(-119_000), '1 minute ago')
})

test('what an administrator reads is in UTC and written as the service writes it, the day only when it is another', () => {
  assert.equal(utcSecond('2026-11-20T00:00:00.000Z', TO_MS), '00:00:00 UTC')
  assert.equal(utcSecond('2026-11-20T01:30:00.000+02:00', TO_MS), '2026-11-19 23:30:00 UTC')
  assert.equal(utcDay('2026-11-20T23:59:59.999-01:00'), '2026-11-21')
})
