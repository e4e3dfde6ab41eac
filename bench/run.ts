/**
 * `npm run bench`: the throughput of the service on this machine, compared with the baseline of its database alone.
 * Starts everything itself and prints one table, in some minutes; `--only generate` runs one measurement. Each has a database of its
 * own, whose books `kinora verify` checks afterwards.
 *
 * The lifecycle measurement imports modules of the server, because no setting replaces a worker's provider and storage
 * by stubs.
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { printLoadWarning } from './benchmark.ts'
import { cpuUsage, openEnvironment } from './environment.ts'
import { type Bench, generate, ledger, lifecycle, memory, read } from './measurements.ts'
import { isMet, type Line, printTable } from './table.ts'
import { seedUsers } from './users.ts'
import { HOLDS_WITHOUT_VIDEOS, verifyBooks } from './verify-books.ts'

const measurements: Record<string, (bench: Bench) => Promise<Line[]>> = {
  generate,
  read,
  ledger,
  lifecycle,
  memory,
}
/** How many videos in progress each user has before: more than a page for reads, none for a worker, which would begin with those. */
const VIDEOS_EACH: Record<string, number> = { generate: 1, read: 21, ledger: 1, lifecycle: 0, memory: 0 }
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(measurements).join() },
    seconds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '3' },
  },
})
const chosen = options.only.split(',')
const unknown = chosen.filter((name) => !Object.hasOwn(measurements, name))
if (unknown.length > 0) {
  console.error(`There is no measurement "${unknown.join()}": choose from ${Object.keys(measurements).join(', ')}.`)
  process.exit(2)
}

const usage = await cpuUsage()
const lines: Line[] = []
let version = ''
for (const name of chosen) {
  console.error(`measuring ${name} …`)
  const environment = await openEnvironment()
  try {
    const sql = postgres(environment.databaseUrl, { max: 1, onnotice: () => {} })
    await seedUsers(sql, VIDEOS_EACH[name])
    version = (await sql<{ version: string }[]>`select current_setting('server_version') as version`)[0]?.version ?? ''
    const bench = { environment, sql, seconds: Number(options.seconds), runs: Number(options.runs) }
    lines.push(...((await measurements[name]?.(bench)) ?? []))
    await sql.end()
    await verifyBooks(environment, name === 'ledger' ? HOLDS_WITHOUT_VIDEOS : undefined)
  } finally {
    await environment.close()
  }
}
console.log(
  `\n${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, PostgreSQL ${version}, durable commits; ` +
    `median of ${options.runs} runs of ${options.seconds} s; the books have no difference\n`,
)
printLoadWarning(usage)
printTable(lines)
process.exitCode = lines.every(isMet) ? 0 : 1
