/**
 * Runs seeds and prints each result as one line of JSON. `node server/simulation/main.ts <first seed> <runs> <step>`, with
 * TEST_DATABASE_URL; bin/simulate.mjs starts as many of these as there are processors. KINORA_SIMULATED_FAULT plants a fault.
 */
import './boundary.ts'
import { installEnvironment } from './environment.ts'

installEnvironment()
// Only now, so that the modules of the server find the simulated environment.
const { openDatabase, prepareDatabase } = await import('./database.ts')
const { simulate } = await import('./run.ts')
const { createDatabase } = await import('../test/database.ts')

const [first = 1, runs = 1, step = 1] = process.argv.slice(2).map(Number)
const temporary = await createDatabase()
await prepareDatabase(temporary.url, process.env.KINORA_SIMULATED_FAULT)
const database = openDatabase(temporary.url)
let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isStopped = true
  })
}
for (let n = 0; n < runs && !isStopped; n++) {
  const { lines, faults, ...result } = await simulate(first + n * step, database)
  const isFailed = result.violations.length > 0
  process.stdout.write(
    `${JSON.stringify({ ...result, faults: [...faults], ...(isFailed || runs === 1 ? { lines } : {}) })}\n`,
  )
}
await database.close()
await temporary.drop()
