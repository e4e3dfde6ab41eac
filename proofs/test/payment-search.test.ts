/** A small part of `npm run simulate -- payments`, which searches money pumps. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { verify } from '../../server/src/credit/verify.ts'
import { openTestDatabase } from '../../server/test/support/citus/database.ts'
import { createDatabase } from '../../server/test/support/database.ts'
import { searchPump } from '../simulation/payment-search.ts'

const RUNS = 40
const database = await createDatabase()
const books = await openTestDatabase(database.url, { connections: 1, name: 'kinora payment search' })
after(async () => {
  await books.close()
  await database.drop()
})

for (const processor of ['payment-a', 'payment-b'] as const) {
  test(`${processor}: ${RUNS} random sequences → credits follow the money, in any order`, async () => {
    for (let seed = 1; seed <= RUNS; seed++) assert.equal(await searchPump(books.sql, processor, seed), null)
    // The search applies effects without storing their events.
    const differences = (await verify(books)).filter(({ rule }) => !rule.endsWith('is as its event brought it'))
    assert.deepEqual(differences, [])
  })
}
