/**
 * `npm run bench:processes`: `kinora api --processes 2` beside one process. Where the CPUs are shared with PostgreSQL and
 * the load generator, two processes cannot be faster; the CPU time of a request shows then what the second one costs.
 * The limits are on, with each store of their counters.
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { cpuUsOfTree, openEnvironment, runInProcess, startServer } from './environment.ts'
import type { Job, LoadResult } from './http-load.ts'
import { median } from './table.ts'
import { seedUsers } from './users.ts'
import { verifyBooks } from './verify-books.ts'

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, runs: { type: 'string', default: '3' } },
})
const [seconds, runs] = [Number(options.seconds), Number(options.runs)]
const CONNECTIONS = 64
const WARM_UP_SECONDS = 2

type Variant = { name: string; args: string[]; env: NodeJS.ProcessEnv }
const variants: Variant[] = [
  { name: 'one process, no limits', args: [], env: { RATE_LIMITS: 'off' } },
  { name: 'one process', args: [], env: {} },
  { name: 'one process, postgresql', args: [], env: { RATE_LIMIT_STORE: 'postgresql' } },
  { name: '--processes 2, no limits', args: ['--processes', '2'], env: { RATE_LIMITS: 'off' } },
  { name: '--processes 2', args: ['--processes', '2'], env: {} },
  { name: '--processes 2, postgresql', args: ['--processes', '2'], env: { RATE_LIMIT_STORE: 'postgresql' } },
]

type Row = { perSecond: number[]; apiUs: number[]; databaseUs: number[]; p99: number[] }

const environment = await openEnvironment()
try {
  const sql = postgres(environment.databaseUrl, { max: 1, onnotice: () => {} })
  await seedUsers(sql)
  await sql.end()
  console.log(
    `\n${cpus().length} × ${cpus()[0]?.model.trim()}, ${CONNECTIONS} connections, median of ${runs} runs of ${seconds} s\n`,
  )
  for (const kind of ['task', 'generate'] as const) {
    const rows = new Map<string, Row>()
    for (let run = 0; run < runs; run += 1) {
      for (const variant of variants) {
        const row = rows.get(variant.name) ?? { perSecond: [], apiUs: [], databaseUs: [], p99: [] }
        rows.set(variant.name, row)
        await measure(kind, variant, row)
      }
    }
    for (const [name, { perSecond, apiUs, databaseUs, p99 }] of rows) {
      const figures = [
        `${Math.round(median(perSecond))}/s`,
        `API ${Math.round(median(apiUs))} µs`,
        `PostgreSQL ${Math.round(median(databaseUs))} µs`,
        `99 % within ${median(p99).toFixed(1)} ms`,
      ]
      console.log(`${kind.padEnd(9)} ${name.padEnd(26)} ${figures.join(', ')}`)
    }
  }
  await verifyBooks(environment)
} finally {
  await environment.close()
}

async function measure(kind: 'task' | 'generate', { args, env }: Variant, row: Row): Promise<void> {
  const server = await startServer(environment, 'api', env, args)
  const load = (duration: number) =>
    runInProcess<Job, LoadResult>('http-load.ts', {
      kind,
      port: server.port,
      connections: CONNECTIONS,
      seconds: duration,
    })
  await load(WARM_UP_SECONDS)
  const [apiUs, databaseUs] = [cpuUsOfTree(server.pid), environment.databaseCpuUs()]
  const result = await load(seconds)
  if (result.refused > 0) throw new Error(`${result.refused} of ${result.requests} were refused:\n${result.example}`)
  row.apiUs.push((cpuUsOfTree(server.pid) - apiUs) / result.requests)
  row.databaseUs.push((environment.databaseCpuUs() - databaseUs) / result.requests)
  row.perSecond.push(result.perSecond)
  row.p99.push(result.p99)
  await server.stop()
}
