/** The ledger's set-based calls against the reference model. SOAK_SEED=<the number that a run printed> repeats that run. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { verify } from '../src/credit/verify.ts'
import { openDb } from '../src/db.ts'
import { createDatabase } from './database.ts'
import { addVideosToHolds } from './ledger-fixture.ts'
import { runSets } from './ledger-sets.ts'

const LANES = 2
const OPERATIONS = 15_000

const database = await createDatabase()
const lanes = Array.from({ length: LANES }, (_, lane) =>
  openDb(database.url, { connections: 1, name: `kinora ledger sets ${lane}` }),
)
for (const sql of lanes) await sql`set synchronous_commit = off`
await addVideosToHolds(lanes[0] ?? assert.fail())
after(async () => {
  for (const sql of lanes) await sql.end()
  await database.drop()
})

test(`sets: ${OPERATIONS} random operations in sets of 1 to 128 → as one by one, the ledger is consistent`, async (t) => {
  const seed = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 1e9))
  t.diagnostic(`SOAK_SEED=${seed}`)
  let operations = 0
  await Promise.all(
    lanes.map((sql, lane) =>
      runSets({
        sql,
        seed: seed + lane * 1_000_003,
        onCalls: (count) => {
          operations += count
        },
        shouldContinue: () => operations < OPERATIONS,
      }),
    ),
  )
  assert.deepEqual(await verify({ sql: lanes[0] ?? assert.fail() }), [])
})
