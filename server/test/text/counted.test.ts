/** Numbers in sentences: a noun in the singular and plural, and the wait of a rate limit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateLimited } from '../../src/rate-limit/rate-limited.ts'
import { counted } from '../../src/text/counted.ts'

test('counted: one → the singular; none or several → the plural', () => {
  assert.deepEqual(
    [0, 1, 2].map((n) => counted(n, 'credit')),
    ['0 credits', '1 credit', '2 credits'],
  )
  assert.deepEqual([counted(1, 'try', 'tries'), counted(3, 'try', 'tries')], ['1 try', '3 tries'])
})

test('rate limit: refusal → the wait in seconds below a minute, else in minutes, both rounded up', () => {
  const waits = [0, 1_001, 60_000, 60_001, 3_600_000].map((ms) => rateLimited('Too often', ms))
  assert.deepEqual(
    waits.map(({ message }) => message),
    ['1 second', '2 seconds', '1 minute', '2 minutes', '60 minutes'].map((wait) => `Too often; try again in ${wait}.`),
  )
})
