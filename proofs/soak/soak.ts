/**
 * Soak test of the ledger against its model: `SOAK_CALLS` operations (default 1,000,000), on half of the connections
 * one call each, on the others in sets of 1 to 128; `verify()` every 50,000 operations and at the end. Needs
 * TEST_DATABASE_URL; SOAK_SEED repeats a run. With CITUS_URL it runs on that cluster, with sets of users of one shard.
 * When ledger and model differ, it prints the calls, of single ones the shrunk sequence and of sets the last three, and
 * exits with 1.
 */
import { cpus } from 'node:os'
import { verify } from '../../server/src/credit/verify.ts'
import { openTestDatabase } from '../../server/test/support/citus/database.ts'
import { createDatabase } from '../../server/test/support/database.ts'
import { runSequences } from '../../server/test/support/ledger/ledger-commands.ts'
import { addVideosToHolds } from '../../server/test/support/ledger/ledger-fixture.ts'
import { runSets } from '../../server/test/support/ledger/ledger-sets.ts'

const CALLS = Number(process.env.SOAK_CALLS || 1_000_000)
const SEED = Number(process.env.SOAK_SEED || Math.floor(Math.random() * 1e9))
const CONNECTIONS = Math.max(2, cpus().length)
const REPORT_EVERY = 10_000
const VERIFY_EVERY = 50_000

const database = await createDatabase()
const pools = await Promise.all(
  Array.from({ length: CONNECTIONS }, (_, n) =>
    openTestDatabase(database.url, { connections: 1, name: `kinora soak ${n}` }),
  ),
)
const verifying = await openTestDatabase(database.url, { connections: 1, name: 'kinora soak verify' })
const { sql: verifier } = verifying
// verify() over some hundred thousand rows may exceed the statement timeout of requests.
await verifier`set statement_timeout = '10min'`
await addVideosToHolds(verifier)
for (const { sql } of pools) await sql`set synchronous_commit = off`

const startedMs = Date.now()
let calls = 0
let inSets = 0
let verified: Promise<void> = Promise.resolve()
console.log(`SOAK_SEED=${SEED}: ${CALLS} operations on ${CONNECTIONS} connections`)
try {
  const shouldContinue = () => calls < CALLS
  await Promise.all(
    pools.map(({ sql, partOf }, n) => {
      const options = { sql, seed: SEED + n * 1_000_003, shouldContinue }
      const done =
        n % 2 === 0
          ? runSequences({ ...options, onCall: () => onCalls(1) })
          : runSets({ ...options, partOf, onCalls: onSet })
      return done.catch(rethrow(n))
    }),
  )
  await verified
  await assertConsistent()
  console.log(
    `${calls} operations, ${inSets} of them in sets, ${rate()} a second: ledger and model agreed after each call, and the ` +
      'ledger is consistent.',
  )
} catch (error) {
  console.error(`SOAK_SEED=${SEED}, after ${calls} operations: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
} finally {
  for (const pool of [...pools, verifying]) await pool.close()
  await database.drop()
}

function onSet(count: number): void {
  inSets += count
  onCalls(count)
}

function onCalls(count: number): void {
  const before = calls
  calls += count
  const passes = (every: number) => Math.floor(before / every) < Math.floor(calls / every)
  if (passes(REPORT_EVERY)) console.log(`${calls} operations, ${inSets} of them in sets, ${rate()} a second`)
  if (passes(VERIFY_EVERY)) {
    verified = verified.then(assertConsistent)
    // Awaited at the end: without this handler an early rejection would end the process before it is reported.
    verified.catch(() => {})
  }
}

async function assertConsistent(): Promise<void> {
  const differences = await verify(verifying)
  if (differences.length > 0) throw new Error(`the ledger is inconsistent: ${JSON.stringify(differences, null, 2)}`)
}

function rethrow(n: number) {
  return (error: Error): never => {
    throw new Error(`connection ${n}: ${error.message}`)
  }
}

function rate(): number {
  return Math.round(calls / ((Date.now() - startedMs) / 1000))
}
