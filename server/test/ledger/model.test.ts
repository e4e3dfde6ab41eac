// slow
/**
 * Model-based test of the ledger against ledger-model.ts: random sequences of its functions, several users and teams at
 * a time. Members of a team come and go, change roles, get budgets between its films, and move own credits into it;
 * users and teams are deleted. SOAK_SEED=<the number that a run printed> repeats that run.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { verify } from '../../src/credit/verify.ts'
import { openTestDatabase } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { runSequences } from '../support/ledger/ledger-commands.ts'
import { addVideosToHolds } from '../support/ledger/ledger-fixture.ts'

const CONNECTIONS = 4
/** Several tests, because a test that reports nothing for minutes counts as hung. */
const TESTS = 4
const CALLS = 5_000
const SEED = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 1e9))

const database = await createDatabase()
const connections = await Promise.all(
  Array.from({ length: CONNECTIONS }, (_, n) =>
    openTestDatabase(database.url, { connections: 1, name: `kinora ledger model ${n}` }),
  ),
)
// No test here crashes the database, and waiting for the disk would take most of the time.
for (const { sql } of connections) await sql`set synchronous_commit = off`
const verifier = await openTestDatabase(database.url, { connections: 1, name: 'kinora ledger verify' })
await addVideosToHolds(verifier.sql)
after(async () => {
  for (const { close } of [...connections, verifier]) await close()
  await database.drop()
})

for (let part = 1; part <= TESTS; part += 1) {
  test(`model: ${CALLS} random calls, part ${part} → SQL and model agree after each, the ledger is consistent`, async (t) => {
    t.diagnostic(`SOAK_SEED=${SEED}`)
    const seed = SEED + part
    let calls = 0
    let verified = Promise.resolve()
    const onCall = () => {
      calls += 1
      // While the calls go on.
      if (calls === CALLS / 2) verified = verify(verifier).then((differences) => assert.deepEqual(differences, []))
    }
    await Promise.all(
      connections.map(({ sql }, n) =>
        runSequences({ sql, seed: seed + n * 1_000_003, onCall, shouldContinue: () => calls < CALLS }).catch(
          (error: unknown) => {
            throw new Error(`SOAK_SEED=${SEED}, connection ${n}`, { cause: error })
          },
        ),
      ),
    )
    await verified
    assert.deepEqual(await verify(verifier), [])
  })
}
