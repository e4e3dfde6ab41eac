/**
 * `npm run bench`: measurements of what Kinora promises, on this machine: requests and the worker beside the baseline
 * of the database alone, payment webhooks, event streams, models, files, inspections, cuts, whole films, a service
 * that nobody uses, a long library in a browser, and what grows (`million`, with `--films 50000` in a minute). Starts
 * everything itself and prints one table, in some minutes; `--only generate` runs one measurement. Each has a database
 * of its own, whose books are verified afterwards: a speed of books that are wrong is none. `--write` keeps the figures
 * of docs/planning.md in bench/figures.json.
 *
 * The lifecycle measurement imports modules of the server, because no setting replaces a worker's provider and storage
 * by stubs.
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { verify } from '../server/src/credit/verify.ts'
import { openDb } from '../server/src/db/db.ts'
import { onePart } from '../server/src/db/parts.ts'
import { books } from './books.ts'
import { cut } from './cut.ts'
import { type Bench, cpuUsage, openEnvironment } from './environment.ts'
import { figuresFile, readFigures } from './figures.ts'
import { files } from './files.ts'
import { idle } from './idle.ts'
import { inspection } from './inspection.ts'
import { library } from './library.ts'
import { million } from './million.ts'
import { models } from './models.ts'
import { payments } from './payments.ts'
import { generate, read } from './requests.ts'
import { streams } from './streams.ts'
import { isMet, type Line, printTable } from './table.ts'
import { seedUsers } from './users.ts'
import { wholeFilms } from './whole-films.ts'
import { LEDGER_USER, ledger, lifecycle } from './worker.ts'

/** `videosEach`: the videos in progress of each user before: over a page for reads, none for a worker. */
type Measurement = { run: (bench: Bench) => Promise<Line[]>; videosEach: number }
const measurements: Record<string, Measurement> = {
  generate: { run: generate, videosEach: 1 },
  read: { run: read, videosEach: 21 },
  lifecycle: { run: async (bench) => [...(await lifecycle(bench)), ...(await ledger(bench))], videosEach: 0 },
  payments: { run: payments, videosEach: 1 },
  streams: { run: streams, videosEach: 1 },
  models: { run: models, videosEach: 1 },
  books: { run: books, videosEach: 0 },
  files: { run: files, videosEach: 1 },
  inspection: { run: inspection, videosEach: 0 },
  cut: { run: cut, videosEach: 0 },
  films: { run: wholeFilms, videosEach: 0 },
  million: { run: million, videosEach: 0 },
  idle: { run: idle, videosEach: 0 },
  library: { run: library, videosEach: 0 },
}
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(measurements).join() },
    seconds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '3' },
    films: { type: 'string', default: '1000000' },
    write: { type: 'boolean', default: false },
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
  const { run, videosEach } = measurements[name] as Measurement
  console.error(`measuring ${name} …`)
  const environment = await openEnvironment()
  try {
    const sql = postgres(environment.databaseUrl, { max: 1, onnotice: () => {} })
    await seedUsers(sql, videosEach)
    version = (await sql<{ version: string }[]>`select current_setting('server_version') as version`)[0]?.version ?? ''
    const bench = {
      environment,
      sql,
      seconds: Number(options.seconds),
      runs: Number(options.runs),
      films: Number(options.films),
    }
    lines.push(...(await run(bench)))
    await sql.end()
    await verifyBooks(environment.databaseUrl)
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
if (options.write) writeFigures(lines)
process.exitCode = lines.every(isMet) ? 0 : 1

/** Keeps what docs/planning.md computes with; the figures of other measurements stay. */
function writeFigures(lines: Line[]): void {
  const measured = Object.entries(Object.assign({}, ...lines.map(({ figures }) => figures)) as Record<string, number>)
  const rounded = Object.fromEntries(measured.map(([name, value]) => [name, Number(value.toPrecision(3))]))
  writeFileSync(figuresFile, `${JSON.stringify({ ...readFigures(), ...rounded }, null, 2)}\n`)
}

/** @throws Error with the number of differences, and the first ones */
async function verifyBooks(databaseUrl: string): Promise<void> {
  const sql = openDb(databaseUrl, { connections: 1, name: 'bench verify', statementTimeoutMs: 0 })
  const differences = (await verify(onePart(sql))).filter(
    ({ rule, userId }) => !(userId === LEDGER_USER && rule === 'credits follow the status'),
  )
  await sql.end()
  if (differences.length === 0) return
  const first = differences.slice(0, 3).map((each) => JSON.stringify(each))
  throw new Error(`The books have ${differences.length} differences after the benchmark:\n${first.join('\n')}`)
}

/** @param usage the share of the CPUs in use before the benchmark, 0 to 1; up to 0.1 there is no warning */
function printLoadWarning(usage: number): void {
  if (usage <= 0.1) return
  console.log(
    `Other programs used ${Math.round(usage * 100)} % of the CPUs before the benchmark: rates are lower than on an idle ` +
      'machine, and so are ratios, because the API is a single process.\n',
  )
}
