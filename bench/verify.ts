/**
 * `node bench/verify.ts`: how long `kinora verify` takes over many videos. Seeds an embedded PostgreSQL with `--videos` videos
 * (default 5,000,000) of `--users` users (default 50,000): see seed.ts.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { verifyInRanges } from '../server/src/credit/verify.ts'
import { openDb } from '../server/src/db/db.ts'
import { migrate } from '../server/src/db/migrate.ts'
import { onePart } from '../server/src/db/parts.ts'
import { seedLedger } from './seed.ts'

const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '5000000' },
    users: { type: 'string', default: '50000' },
    connections: { type: 'string', default: '1,2' },
    /** A database that was seeded before, with or without one to seed. */
    'database-url': { type: 'string' },
    seeded: { type: 'boolean', default: false },
  },
})
const users = Number(values.users)
const perUser = Math.round(Number(values.videos) / users)

const embedded = values['database-url'] ? null : await startEmbedded()
const databaseUrl = values['database-url'] ?? embedded?.url ?? ''
try {
  if (!values.seeded) {
    await migrate(databaseUrl)
    await seed(databaseUrl)
  }
  for (const connections of values.connections.split(',').map(Number)) await measure(connections)
} finally {
  embedded?.child.kill('SIGTERM')
}

async function measure(connections: number): Promise<void> {
  const sql = openDb(databaseUrl, {
    connections: connections + 2,
    name: 'bench',
    statementTimeoutMs: 0,
    parallel: false,
  })
  const started = performance.now()
  let ranges = 0
  let differences = 0
  let longestMs = 0
  let lastMs = started
  await verifyInRanges(onePart(sql), {
    connections,
    onRange: (range) => {
      ranges++
      differences += range.differences.length
      longestMs = Math.max(longestMs, performance.now() - lastMs)
      lastMs = performance.now()
    },
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(
    `${users * perUser} videos, ${connections} connections: ${seconds} s, ${ranges} ranges, ${differences} differences, ` +
      `at most ${Math.round(longestMs)} ms between two ranges`,
  )
  await sql.end()
}

async function seed(url: string): Promise<void> {
  const sql = openDb(url, { connections: 1, name: 'bench seed', statementTimeoutMs: 0 })
  await seedLedger(sql, {
    groups: [{ users, films: perUser }],
    onStep: (name, seconds) => console.error(`${name}: ${seconds.toFixed(1)} s`),
  })
  await sql.end()
}

async function startEmbedded(): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(
    process.execPath,
    [new URL('../cli/src/main.ts', import.meta.url).pathname, 'postgres', '--fast'],
    {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    return { url: (JSON.parse(line) as { url: string }).url, child }
  }
  throw new Error('The embedded PostgreSQL did not start.')
}
