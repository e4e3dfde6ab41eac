/** The ledger's set-based calls against the reference model. SOAK_SEED=<the number that a run printed> repeats that run. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { verify } from '../src/credit/verify.ts'
import { openRouted } from './citus.ts'
import { createDatabase } from './database.ts'
import { addVideosToHolds } from './ledger-fixture.ts'
import { runSets } from './ledger-sets.ts'

const LANES = 2
const OPERATIONS = 15_000

const database = await createDatabase()
const lanes = await Promise.all(
  Array.from({ length: LANES }, (_, lane) =>
    openRouted(database.url, { connections: 1, name: `kinora ledger sets ${lane}` }),
  ),
)
for (const { sql } of lanes) await sql`set synchronous_commit = off`
const [first] = lanes
assert.ok(first)
await addVideosToHolds(first.sql)
after(async () => {
  for (const { close } of lanes) await close()
  await database.drop()
})

test(`sets: ${OPERATIONS} random operations in sets of 1 to 128 → as one by one, the ledger is consistent`, async (t) => {
  const seed = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 1e9))
  t.diagnostic(`SOAK_SEED=${seed}`)
  let operations = 0
  await Promise.all(
    lanes.map(({ sql, distributed }, lane) =>
      runSets({
        sql,
        placeOf: distributed?.placeOf,
        seed: seed + lane * 1_000_003,
        onCalls: (count) => {
          operations += count
        },
        shouldContinue: () => operations < OPERATIONS,
      }),
    ),
  )
  assert.deepEqual(await verify(first), [])
})
