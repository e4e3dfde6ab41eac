/**
 * `npm run simulate`: deterministic simulation of the service, see proofs/simulation/README.md.
 *   --seed N --runs M   runs M seeds from N on (default: 1000 from a random one); one seed prints its trace
 *   --report            writes what was run to docs/reliability.md
 *   payments            searches money pumps instead, in random sequences of payments (default: 20000): payment-search.ts
 *   --faults [part]     plants each fault of proofs/simulation/faults.ts, and searches it in 2,000 runs at most
 * Exits with 1 when a run has failed, or a fault was not found.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startDatabase } from '../../bin/database.mjs'
import { faults } from './faults.ts'
import { writeSection } from './reliability.ts'

const FAULT_RUNS_MAX = 2000
const PROCESSES_MAX = Math.max(1, Math.min(availableParallelism(), 8))

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string' },
    runs: { type: 'string' },
    faults: { type: 'boolean' },
    report: { type: 'boolean' },
  },
  allowPositionals: true,
})
const database = await startDatabase(root)
if (!database) process.exit(1)
const children = new Set()
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isInterrupted = true
    for (const child of children) child.kill(signal)
  })
}
const isGood = values.faults
  ? await searchFaults(positionals[0] ?? '')
  : await (positionals[0] === 'payments' ? searchPayments() : runSeeds())
await database.stop()
process.exit(isGood ? 0 : 1)

async function runSeeds() {
  const runs = Number(values.runs ?? (values.seed ? 1 : 1000))
  const first = Number(values.seed ?? Math.floor(Math.random() * 1e9))
  const startedMs = Date.now()
  const counts = new Map()
  const sums = { runs: 0, events: 0, statements: 0, virtualS: 0, videos: 0, payments: 0, nodeMs: 0, postgresMs: 0 }
  const failed = []
  await runInProcesses(first, runs, undefined, (result) => {
    sums.runs++
    for (const name of Object.keys(sums)) sums[name] += result[name] ?? 0
    for (const [name, count] of result.faults) counts.set(name, (counts.get(name) ?? 0) + count)
    if (result.violations.length > 0) failed.push(result)
    if (result.lines && (runs === 1 || failed.length === 1)) console.log(result.lines.join('\n'))
    if (runs === 1) console.log(`\nseed ${result.seed}, trace ${result.hash}`)
    return failed.length < 5
  })
  const seconds = (Date.now() - startedMs) / 1000
  const summary =
    `${sums.runs} runs from seed ${first} in ${seconds.toFixed(0)} s (${cpuOf(sums)}): ${sums.videos} videos, ${sums.payments} payments, ` +
    `${(sums.virtualS / 3600).toFixed(0)} simulated hours, ${sums.events} events, ${sums.statements} statements, ${failed.length} failed runs.`
  const list = [...counts].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`)
  const injected = `Faults: ${list.join(', ') || 'none'}.`
  console.log(`\n${summary}\n${injected}`)
  if (values.report) writeSection('simulate', `${summary}\n\n${injected}`)
  for (const { seed, hash, violations } of failed) {
    console.log(`seed ${seed} failed, trace ${hash}:\n  ${violations.join('\n  ')}`)
    console.log(`  again: npm run simulate -- --seed ${seed}`)
  }
  return failed.length === 0 && sums.runs > 0
}

/** Random sequences of payments at both processors. */
async function searchPayments() {
  const runs = Number(values.runs ?? (values.seed ? 1 : 20_000))
  const first = Number(values.seed ?? Math.floor(Math.random() * 1e9))
  const startedMs = Date.now()
  let ran = 0
  const found = []
  await runInProcesses(
    first,
    runs,
    undefined,
    (findings) => {
      ran++
      found.push(...findings)
      for (const { processor, seed, problem } of findings) console.log(`${processor}, seed ${seed}: ${problem}`)
      return found.length < 20
    },
    'payments-main.ts',
  )
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(0)
  console.log(`${ran} sequences at each processor from seed ${first} in ${seconds} s, ${found.length} findings.`)
  return found.length === 0 && ran > 0
}

/** Wall time depends on what else the machine does. */
function cpuOf({ runs, nodeMs, postgresMs }) {
  const each = (ms) => `${(ms / 1000 / runs).toFixed(3)} s`
  return `CPU time of a run: ${each(nodeMs + postgresMs)}, of it ${each(postgresMs)} in PostgreSQL`
}

async function searchFaults(part) {
  const runsOfFound = []
  const notFound = []
  for (const { name } of faults.filter((each) => each.name.includes(part))) {
    let runs = 0
    let found = null
    await runInProcesses(1, FAULT_RUNS_MAX, name, (result) => {
      runs++
      if (result.violations.length > 0) found ??= result
      return found === null
    })
    if (isInterrupted) {
      console.log(`interrupted in run ${runs + 1}: ${name}`)
      return false
    }
    if (found) runsOfFound.push(runs)
    else notFound.push(`- not found: ${name}`)
    // The table is written after each fault, because the search for all of them may take an hour.
    if (values.report) {
      const searched = runsOfFound.length + notFound.length
      const text = `${runsOfFound.length} of ${searched} planted faults were found, each searched in ${FAULT_RUNS_MAX} runs at most, in run ${runsOfFound.join(', ')}; proofs/simulation/faults.ts has ${faults.length}.`
      writeSection('simulate-faults', [text, ...notFound].join('\n\n'))
    }
    console.log(
      found ? `found in run ${runs}: ${name}\n    seed ${found.seed}: ${found.violations[0]}` : `NOT FOUND: ${name}`,
    )
  }
  console.log(`${notFound.length} faults were not found.`)
  return notFound.length === 0
}

/** Splits the seeds among processes. `onResult` returns false to end them all. */
async function runInProcesses(first, runs, fault, onResult, script = 'main.ts') {
  const processes = Math.min(PROCESSES_MAX, runs)
  const ended = []
  for (let n = 0; n < processes; n++) {
    const count = Math.ceil((runs - n) / processes)
    const args = [path.join(root, 'proofs/simulation', script), first + n, count, processes].map(String)
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        // Loading the modules is a second less.
        NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/kinora-test'),
        ...process.env,
        TEST_DATABASE_URL: database.url,
        KINORA_SIMULATED_FAULT: fault ?? '',
      },
    })
    children.add(child)
    let isOver = false
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (isOver || onResult(JSON.parse(line))) return
      isOver = true
      for (const each of children) each.kill('SIGTERM')
    })
    ended.push(
      new Promise((resolve, reject) => {
        child.once('close', (status) => {
          children.delete(child)
          // A fault that does not fit its file, for instance: runs that did not happen find nothing.
          if (status && !isOver && !isInterrupted) reject(new Error(`the simulation ended with ${status}`))
          else resolve()
        })
      }),
    )
  }
  await Promise.all(ended)
}
