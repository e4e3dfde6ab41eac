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
import type { BenchEnvironment } from './environment.ts'
import { type Line, median } from './table.ts'

/** Statements in sequence, with variables `:name` that each round draws at random from [min, max]. */
export type Script = { variables: Record<string, [number, number]>; statements: string[] }

const tool: 'pgbench' | 'the postgres driver' =
  spawnSync('pgbench', ['--version']).status === 0 ? 'pgbench' : 'the postgres driver'

export const BASELINE_CONNECTIONS = 32

/** Rounds of a script per second, and PostgreSQL's CPU time of one in µs. */
export type Baseline = { perSecond: number; databaseUs: number }

export const ratesOf = (runs: Baseline[]): number[] => runs.map(({ perSecond }) => perSecond)

export const baselineLine = (what: string, runs: Baseline[]): Line => ({
  what: `${what} (${tool})`,
  unit: '/s',
  runs: ratesOf(runs),
  note: `of every round PostgreSQL took ${Math.round(median(runs.map(({ databaseUs }) => databaseUs)))} µs.`,
})

export async function runBaseline(
  { databaseUrl, databaseCpuUs }: BenchEnvironment,
  script: Script,
  seconds: number,
): Promise<Baseline> {
  const startUs = databaseCpuUs()
  const perSecond = await runSqlLoad(databaseUrl, script, BASELINE_CONNECTIONS, seconds)
  return { perSecond, databaseUs: (databaseCpuUs() - startUs) / (perSecond * seconds) }
}

/** @returns rounds of the script per second */
function runSqlLoad(url: string, script: Script, connections: number, seconds: number): Promise<number> {
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

const SCALE = 20
const ACCOUNTS_EACH = 100_000
const TELLERS_EACH = 10

/** Creates the tables of TPC-B as pgbench has them, at scale 20. */
export async function createTpcb(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`
    create schema if not exists tpcb;
    create table if not exists tpcb.branches (bid integer primary key, bbalance integer, filler character(88)) with (fillfactor = 100);
    create table if not exists tpcb.tellers (tid integer primary key, bid integer, tbalance integer, filler character(84));
    create table if not exists tpcb.accounts (aid integer primary key, bid integer, abalance integer, filler character(84));
    create table if not exists tpcb.history (tid integer, bid integer, aid integer, delta integer, mtime timestamp, filler character(22));
    insert into tpcb.branches select n, 0, '' from generate_series(1, ${SCALE}) n on conflict do nothing;
    insert into tpcb.tellers
    select n, (n - 1) / ${TELLERS_EACH} + 1, 0, '' from generate_series(1, ${SCALE * TELLERS_EACH}) n on conflict do nothing;
    insert into tpcb.accounts
    select n, (n - 1) / ${ACCOUNTS_EACH} + 1, 0, '' from generate_series(1, ${SCALE * ACCOUNTS_EACH}) n
    where not exists (select from tpcb.accounts)
  `)
  await sql.unsafe('vacuum analyze tpcb.accounts')
}

/** The transaction of TPC-B, five statements. */
export const tpcb: Script = {
  variables: {
    aid: [1, SCALE * ACCOUNTS_EACH],
    bid: [1, SCALE],
    tid: [1, SCALE * TELLERS_EACH],
    delta: [-5000, 5000],
  },
  statements: [
    'begin',
    'update tpcb.accounts set abalance = abalance + :delta where aid = :aid',
    'select abalance from tpcb.accounts where aid = :aid',
    'update tpcb.tellers set tbalance = tbalance + :delta where tid = :tid',
    'update tpcb.branches set bbalance = bbalance + :delta where bid = :bid',
    'insert into tpcb.history (tid, bid, aid, delta, mtime) values (:tid, :bid, :aid, :delta, current_timestamp)',
    'end',
  ],
}
