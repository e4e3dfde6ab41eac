/**
 * A database for a test file: a copy of a template database that is migrated once. A copy takes a tenth of a second, a
 * migration half a second.
 */
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import postgres from 'postgres'
import { faultySql } from '../../../proofs/faults/planted-faults.ts'
import { migrate } from '../../src/db/database.ts'
import { openDb } from '../../src/db/db.ts'
import { withPlannerOptions } from '../../src/db/schema.ts'
import { createCitusDatabase, runForUsers, type TestDatabase } from './citus/database.ts'

/** Tests call with times of their own, years apart; production refuses those that are ahead of the database's clock. */
const ANY_LIMIT = '1000 years'
/** Tests grant credits for sources of their own. */
const ANY_SOURCE = `
  create or replace function kinora.verify_test_source(p_source text) returns boolean language sql stable
  return p_source !~ '^(payment-[ab]:|new-user|adjust:|bonus)'
`
const ANY_TIME = `${clockLimit(ANY_LIMIT)};${ANY_SOURCE}`

const serverUrl = process.env.TEST_DATABASE_URL
if (!serverUrl) {
  throw new Error(
    'TEST_DATABASE_URL is not set: run tests with `npm test -- <file>`, which starts a database for them.',
  )
}

export async function createDatabase(): Promise<TestDatabase> {
  if (process.env.CITUS_URL) return await createCitusDatabase(process.env.CITUS_URL, ANY_TIME)
  const sql = postgres(urlOf('postgres'), { max: 1, onnotice: () => {} })
  const template = await ensureTemplate(sql)
  const name = `test_${randomBytes(6).toString('hex')}`
  // Half the CPU time of the default strategy, which writes every page to the log.
  await sql.unsafe(`create database ${name} template ${template} strategy file_copy`)
  const faulty = faultySql()
  if (faulty !== null) await run(urlOf(name), `${withPlannerOptions(faulty)};${ANY_TIME}`)
  return {
    url: urlOf(name),
    drop: async () => {
      await sql.unsafe(`drop database ${name} with (force)`)
      await sql.end()
    },
  }
}

/** Makes the database judge clocks as in production. */
export async function restoreClockLimit(database: Pick<TestDatabase, 'url'>): Promise<void> {
  const text = readFileSync(new URL('../../sql/clock.sql', import.meta.url), 'utf8')
  await setClockLimit(database, /clock_limit\(\)[^;]+interval '([^']+)';/.exec(text)?.[1] ?? '')
}

/** Makes the database accept any time again. */
export const acceptAnyTime = (database: Pick<TestDatabase, 'url'>): Promise<void> => setClockLimit(database, ANY_LIMIT)

async function setClockLimit({ url }: Pick<TestDatabase, 'url'>, limit: string): Promise<void> {
  const sql = openDb(url, { connections: 1, name: 'kinora test clock' })
  if (process.env.CITUS_URL) await sql.unsafe(clockLimit(limit))
  await runForUsers(sql, clockLimit(limit))
  await sql.end()
}

function clockLimit(limit: string): string {
  return `create or replace function kinora.clock_limit() returns interval language sql stable return interval '${limit}'`
}

async function run(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe(statement)
  await sql.end()
}

/** The first test file creates the template. Its name is a hash of the SQL files: a change makes a new one. */
async function ensureTemplate(sql: postgres.Sql): Promise<string> {
  const hash = createHash('sha256').update(ANY_TIME)
  for (const dir of ['migrations', 'sql']) {
    const url = new URL(`../../${dir}/`, import.meta.url)
    for (const file of readdirSync(url).sort()) hash.update(readFileSync(new URL(file, url)))
  }
  const name = `template_${hash.digest('hex').slice(0, 12)}`
  const reserved = await sql.reserve()
  try {
    await reserved`select pg_advisory_lock(1)`
    const [found] = await reserved`select from pg_database where datname = ${name}`
    if (!found) {
      await reserved.unsafe(`drop database if exists ${name}_unfinished`)
      await reserved.unsafe(`create database ${name}_unfinished`)
      await migrate(urlOf(`${name}_unfinished`))
      await run(urlOf(`${name}_unfinished`), ANY_TIME)
      await reserved.unsafe(`alter database ${name}_unfinished rename to ${name}`)
    }
  } finally {
    // Also after a migration that fails: the next file then fails too, instead of waiting.
    await reserved`select pg_advisory_unlock(1)`
    reserved.release()
  }
  return name
}

function urlOf(database: string): string {
  const url = new URL(serverUrl ?? '')
  url.pathname = `/${database}`
  return url.href
}
