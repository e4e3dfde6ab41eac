/**
 * The ledger against its model for as long as one likes: `SOAK_CALLS` calls (1,000,000), the books verified every 50,000
 * and at the end. Needs TEST_DATABASE_URL; SOAK_SEED repeats a run. Ends with 1 and the shortest sequence of calls that
 * shows it when ledger and model differ.
 */
import { cpus } from 'node:os'
import { verify } from '../src/credit/verify.ts'
import { openDb } from '../src/db.ts'
import { createDatabase } from './database.ts'
import { runLane } from './ledger-commands.ts'

const CALLS = Number(process.env.SOAK_CALLS || 1_000_000)
const SEED = Number(process.env.SOAK_SEED || Math.floor(Math.random() * 1e9))
const LANES = Math.max(2, cpus().length)
const REPORT_EVERY = 10_000
const VERIFY_EVERY = 50_000

const database = await createDatabase()
const lanes = Array.from({ length: LANES }, (_, lane) =>
  openDb(database.url, { connections: 1, name: `kinora soak ${lane}` }),
)
const books = openDb(database.url, { connections: 1, name: 'kinora soak verify' })
// A verification of some hundred thousand rows may take longer than a request may.
await books`set statement_timeout = '10min'`
for (const sql of lanes) await sql`set synchronous_commit = off`

const startedMs = Date.now()
let calls = 0
let verified: Promise<void> = Promise.resolve()
console.log(`SOAK_SEED=${SEED}: ${CALLS} calls on ${LANES} connections`)
try {
  const wanted = () => calls < CALLS
  await Promise.all(
    lanes.map((sql, lane) => runLane({ sql, seed: SEED + lane * 1_000_003, counted, wanted }).catch(stop(lane))),
  )
  await verified
  await checkBooks()
  console.log(`${calls} calls, ${rate()} a second: ledger and model agreed after each, and the books are right.`)
} catch (error) {
  console.error(`SOAK_SEED=${SEED}, after ${calls} calls: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
} finally {
  for (const sql of [...lanes, books]) await sql.end({ timeout: 5 })
  await database.drop()
}

function counted(): void {
  calls += 1
  if (calls % REPORT_EVERY === 0) console.log(`${calls} calls, ${rate()} a second`)
  if (calls % VERIFY_EVERY === 0) {
    verified = verified.then(checkBooks)
    // Awaited at the end; a difference found early must not end the process before it is told.
    verified.catch(() => {})
  }
}

async function checkBooks(): Promise<void> {
  const differences = await verify({ sql: books })
  if (differences.length > 0) throw new Error(`the books are wrong: ${JSON.stringify(differences, null, 2)}`)
}

function stop(lane: number) {
  return (error: Error): never => {
    throw new Error(`lane ${lane}: ${error.message}`)
  }
}

function rate(): number {
  return Math.round(calls / ((Date.now() - startedMs) / 1000))
}
