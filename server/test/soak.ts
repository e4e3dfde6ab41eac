/**
 * Soak test of the ledger against its model: `SOAK_CALLS` calls (default 1,000,000), `verify()` every 50,000 calls and at
 * the end. Needs TEST_DATABASE_URL; SOAK_SEED repeats a run. When ledger and model differ, it prints the shrunk sequence of
 * calls and exits with 1.
 */
import { cpus } from 'node:os'
import { verify } from '../src/credit/verify.ts'
import { openDb } from '../src/db.ts'
import { createDatabase } from './database.ts'
import { runLane } from './ledger-commands.ts'
import { addVideosToHolds } from './ledger-fixture.ts'

const CALLS = Number(process.env.SOAK_CALLS || 1_000_000)
const SEED = Number(process.env.SOAK_SEED || Math.floor(Math.random() * 1e9))
const LANES = Math.max(2, cpus().length)
const REPORT_EVERY = 10_000
const VERIFY_EVERY = 50_000

const database = await createDatabase()
const lanes = Array.from({ length: LANES }, (_, lane) =>
  openDb(database.url, { connections: 1, name: `kinora soak ${lane}` }),
)
const verifier = openDb(database.url, { connections: 1, name: 'kinora soak verify' })
// verify() over some hundred thousand rows may exceed the statement timeout of requests.
await verifier`set statement_timeout = '10min'`
await addVideosToHolds(verifier)
for (const sql of lanes) await sql`set synchronous_commit = off`

const startedMs = Date.now()
let calls = 0
let verified: Promise<void> = Promise.resolve()
console.log(`SOAK_SEED=${SEED}: ${CALLS} calls on ${LANES} connections`)
try {
  const shouldContinue = () => calls < CALLS
  await Promise.all(
    lanes.map((sql, lane) =>
      runLane({ sql, seed: SEED + lane * 1_000_003, onCall, shouldContinue }).catch(rethrow(lane)),
    ),
  )
  await verified
  await assertConsistent()
  console.log(`${calls} calls, ${rate()} a second: ledger and model agreed after each, and the ledger is consistent.`)
} catch (error) {
  console.error(`SOAK_SEED=${SEED}, after ${calls} calls: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
} finally {
  for (const sql of [...lanes, verifier]) await sql.end({ timeout: 5 })
  await database.drop()
}

function onCall(): void {
  calls += 1
  if (calls % REPORT_EVERY === 0) console.log(`${calls} calls, ${rate()} a second`)
  if (calls % VERIFY_EVERY === 0) {
    verified = verified.then(assertConsistent)
    // Awaited at the end: without this handler an early rejection would end the process before it is reported.
    verified.catch(() => {})
  }
}

async function assertConsistent(): Promise<void> {
  const differences = await verify({ sql: verifier })
  if (differences.length > 0) throw new Error(`the ledger is inconsistent: ${JSON.stringify(differences, null, 2)}`)
}

function rethrow(lane: number) {
  return (error: Error): never => {
    throw new Error(`lane ${lane}: ${error.message}`)
  }
}

function rate(): number {
  return Math.round(calls / ((Date.now() - startedMs) / 1000))
}
