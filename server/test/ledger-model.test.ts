/**
 * The ledger against its model (ledger-model.ts): random interleavings of everything it can do, several users at a time.
 * A run is repeated with SOAK_SEED=<the number it printed>.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { verify } from '../src/credit/verify.ts'
import { openDb } from '../src/db.ts'
import { createDatabase } from './database.ts'
import { runLane } from './ledger-commands.ts'

const LANES = 4
const CALLS = 20_000
const VERIFY_EVERY = 5_000

const database = await createDatabase()
const lanes = Array.from({ length: LANES }, (_, lane) =>
  openDb(database.url, { connections: 1, name: `kinora ledger model ${lane}` }),
)
// Nothing here is about a crash, and waiting for the disk would be most of the time.
for (const sql of lanes) await sql`set synchronous_commit = off`
const books = openDb(database.url, { connections: 1, name: 'kinora ledger verify' })
after(async () => {
  for (const sql of [...lanes, books]) await sql.end()
  await database.drop()
})

test(`${CALLS} random calls: ledger and model agree after each, and the books are right`, async (t) => {
  const seed = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 1e9))
  t.diagnostic(`SOAK_SEED=${seed}`)
  let calls = 0
  let verified = Promise.resolve()
  const counted = () => {
    calls += 1
    if (calls % VERIFY_EVERY === 0) {
      verified = verified.then(async () => assert.deepEqual(await verify({ sql: books }), [], `after ${calls} calls`))
    }
  }
  await Promise.all(
    lanes.map((sql, lane) =>
      runLane({ sql, seed: seed + lane * 1_000_003, counted, wanted: () => calls < CALLS }).catch((error: unknown) => {
        throw new Error(`SOAK_SEED=${seed}, lane ${lane}`, { cause: error })
      }),
    ),
  )
  await verified
  assert.deepEqual(await verify({ sql: books }), [])
})
