/**
 * `npm run bench`: how fast the service is on this machine, as a user runs it, against what its database alone can do.
 * Starts everything itself and prints one table; under five minutes, or one part of it with `--only generate`.
 *
 * The bench imports modules of the server: it has to replace the provider and the storage of a worker, which no setting
 * does, and a worker that it built itself would be another one.
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { isMet, type Line, printTable } from './table.ts'
import { type Bench, generate, hotUser, lifecycle, memory, task } from './measurements.ts'
import { makePeople } from './users.ts'
import { openPlace, processorsInUse } from './environment.ts'

const parts: Record<string, (bench: Bench) => Promise<Line[]>> = {
  generate,
  task,
  'hot-user': hotUser,
  lifecycle,
  memory,
}
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(parts).join() },
    seconds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '3' },
  },
})
const chosen = options.only.split(',')
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`There is no part "${unknown.join()}": choose from ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}

const inUse = await processorsInUse()
const place = await openPlace()
try {
  const sql = postgres(place.databaseUrl, { max: 1, onnotice: () => {} })
  await makePeople(sql)
  const [{ version } = { version: '' }] = await sql<
    { version: string }[]
  >`select current_setting('server_version') as version`
  const bench = { place, sql, seconds: Number(options.seconds), runs: Number(options.runs) }
  const lines: Line[] = []
  for (const name of chosen) {
    console.error(`measuring ${name} …`)
    lines.push(...((await parts[name]?.(bench)) ?? []))
  }
  await sql.end()
  console.log(
    `\n${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, PostgreSQL ${version}, durable commits; ` +
      `median of ${options.runs} runs of ${options.seconds} s\n`,
  )
  if (inUse > 0.1) {
    console.log(
      `Other programs took ${Math.round(inUse * 100)} % of the processors before this began: what follows is lower than it ` +
        'would be, and ratios suffer too, because one API process stands in line with all of them.\n',
    )
  }
  printTable(lines)
  process.exitCode = lines.every(isMet) ? 0 : 1
} finally {
  await place.close()
}
