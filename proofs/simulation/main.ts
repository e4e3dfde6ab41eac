/**
 * Runs seeds and prints each result as one line of JSON. `node proofs/simulation/main.ts <first seed> <runs> <step>`,
 * with TEST_DATABASE_URL; proofs/simulation/run-seeds.mjs starts as many of these as there are processors.
 * KINORA_SIMULATED_FAULT plants a fault.
 */
import { readFileSync } from 'node:fs'
import './boundary.ts'
import { installEnvironment } from './environment.ts'

installEnvironment()
// Only now, so that the modules of the server find the simulated environment.
const { openDatabase, prepareDatabase } = await import('./database.ts')
const { simulate } = await import('./run.ts')
const { createDatabase } = await import('../../server/test/support/database.ts')

const [first = 1, runs = 1, step = 1] = process.argv.slice(2).map(Number)
const temporary = await createDatabase()
await prepareDatabase(temporary.url, process.env.KINORA_SIMULATED_FAULT)
const database = openDatabase(temporary.url)
const backendPid = await database.backendPid()
let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isStopped = true
  })
}
for (let n = 0; n < runs && !isStopped; n++) {
  const before = cpuMs()
  const { lines, faults, ...result } = await simulate(first + n * step, database)
  const after = cpuMs()
  const spent = { nodeMs: after.node - before.node, postgresMs: after.postgres - before.postgres }
  const isFailed = result.violations.length > 0
  process.stdout.write(
    `${JSON.stringify({ ...result, ...spent, faults: [...faults], ...(isFailed || runs === 1 ? { lines } : {}) })}\n`,
  )
}
await database.close()

/** CPU time so far: of this process, and of its connection's backend, which is read on Linux only. */
function cpuMs(): { node: number; postgres: number } {
  const { user, system } = process.cpuUsage()
  let postgresNs = 0
  try {
    postgresNs = Number(readFileSync(`/proc/${backendPid}/schedstat`, 'utf8').split(' ')[0])
  } catch {
    // Another system than Linux, or a PostgreSQL on another machine.
  }
  return { node: (user + system) / 1000, postgres: postgresNs / 1e6 }
}
await temporary.drop()
