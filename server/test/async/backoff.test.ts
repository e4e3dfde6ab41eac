/** The header Retry-After, as endpoints and providers send it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfterOf } from '../../src/webhook/schedule.ts'

const now = new Date('2026-11-20T10:00:00.000Z')
const DAY_S = 86_400
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000).toUTCString()

test('Retry-After: number or date → whole seconds, at most a day; none of what is past or no time', () => {
  const expected: [string | null, number | null][] = [
    ['1', 1],
    [String(DAY_S - 1), DAY_S - 1],
    [String(DAY_S), DAY_S],
    [String(DAY_S + 1), DAY_S],
    ['999999999', DAY_S],
    [inSeconds(1), 1],
    [inSeconds(DAY_S), DAY_S],
    [inSeconds(DAY_S + 1), DAY_S],
    ...[null, '', '0', '-1', '1e9', 'soon', inSeconds(0), inSeconds(-1)].map((text): [typeof text, null] => [
      text,
      null,
    ]),
  ]
  for (const [text, seconds] of expected) assert.equal(retryAfterOf(text, now), seconds, String(text))
})
