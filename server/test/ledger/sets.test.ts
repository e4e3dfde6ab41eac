// slow
/** The ledger's set-based calls against the reference model. SOAK_SEED=<the printed number> repeats a run. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { verify } from '../../src/credit/verify.ts'
import { openTestDatabase } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { addVideosToHolds } from '../support/ledger/ledger-fixture.ts'
import { runSets } from '../support/ledger/ledger-sets.ts'

const CONNECTIONS = 2
const OPERATIONS = 15_000

const database = await createDatabase()
const connections = await Promise.all(
  Array.from({ length: CONNECTIONS }, (_, n) =>
    openTestDatabase(database.url, { connections: 1, name: `kinora ledger sets ${n}` }),
  ),
)
for (const { sql } of connections) await sql`set synchronous_commit = off`
const [first] = connections
assert.ok(first)
await addVideosToHolds(first.sql)
after(async () => {
  for (const { close } of connections) await close()
  await database.drop()
})

test(`sets: ${OPERATIONS} random operations in sets of 1 to 128 → as one by one, the ledger is consistent`, async (t) => {
  const seed = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 1e9))
  t.diagnostic(`SOAK_SEED=${seed}`)
  let operations = 0
  await Promise.all(
    connections.map(({ sql, partOf }, n) =>
      runSets({
        sql,
        partOf,
        seed: seed + n * 1_000_003,
        onCalls: (count) => {
          operations += count
        },
        shouldContinue: () => operations < OPERATIONS,
      }),
    ),
  )
  assert.deepEqual(await verify(first), [])
})
