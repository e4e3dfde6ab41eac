/**
 * The baseline: SQL statements sent directly to PostgreSQL, by pgbench where it is on the PATH, else by the server's
 * driver. Prepared statements, random users, as many connections as the HTTP load has.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'

/** Statements in sequence, with variables `:name` that each round draws at random from [min, max]. */
export type Script = { variables: Record<string, [number, number]>; statements: string[] }

export const tool: 'pgbench' | 'the postgres driver' =
  spawnSync('pgbench', ['--version']).status === 0 ? 'pgbench' : 'the postgres driver'

/** @returns rounds of the script per second */
export function runSqlLoad(url: string, script: Script, connections: number, seconds: number): Promise<number> {
  return tool === 'pgbench'
    ? withPgbench(url, script, connections, seconds)
    : withDriver(url, script, connections, seconds)
}

async function withPgbench(url: string, script: Script, connections: number, seconds: number): Promise<number> {
  const dir = mkdtempSync(path.join(tmpdir(), 'kinora-pgbench-'))
  const file = path.join(dir, 'script.sql')
  const draws = Object.entries(script.variables).map(([name, [min, max]]) => `\\set ${name} random(${min}, ${max})`)
  const statements = script.statements.map((statement) => `${statement.trim()};`)
  writeFileSync(file, [...draws, ...statements, ''].join('\n'))
  const { username, password, hostname, port, pathname } = new URL(url)
  try {
    const { stdout } = await promisify(execFile)(
      'pgbench',
      ['-n', '-M', 'prepared', '-f', file, '-T', seconds, '-c', connections, '-j', Math.min(2, connections)].map(
        String,
      ),
      {
        env: {
          PATH: process.env.PATH,
          PGHOST: hostname,
          PGPORT: port,
          PGUSER: username,
          PGPASSWORD: password,
          PGDATABASE: pathname.slice(1),
        },
      },
    )
    const rate = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
    const failed = Number(/^number of failed transactions: (\d+)/m.exec(stdout)?.[1] ?? 0)
    if (!(rate > 0) || failed > 0) throw new Error(`pgbench reports no rate or failed transactions:\n${stdout}`)
    return rate
  } finally {
    rmSync(dir, { recursive: true })
  }
}

async function withDriver(url: string, script: Script, connections: number, seconds: number): Promise<number> {
  const sql = postgres(url, { max: connections })
  const names = Object.keys(script.variables)
  const statements = script.statements.map((statement) => {
    const used = names.filter((name) => new RegExp(`:${name}\\b`).test(statement))
    const text = used.reduce((sum, name, i) => sum.replace(new RegExp(`:${name}\\b`, 'g'), `$${i + 1}`), statement)
    return { text, used }
  })
  const roundOnce = async () => {
    const drawn = Object.fromEntries(
      Object.entries(script.variables).map(([name, [min, max]]) => [
        name,
        min + Math.floor(Math.random() * (max - min + 1)),
      ]),
    )
    for (const { text, used } of statements) {
      await sql.unsafe(
        text,
        used.map((name) => drawn[name] ?? 0),
        { prepare: true },
      )
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, roundOnce))
    const startMs = performance.now()
    let rounds = 0
    const loop = async () => {
      for (; performance.now() - startMs < seconds * 1000; rounds += 1) await roundOnce()
    }
    await Promise.all(Array.from({ length: connections }, loop))
    return rounds / ((performance.now() - startMs) / 1000)
  } finally {
    await sql.end()
  }
}
