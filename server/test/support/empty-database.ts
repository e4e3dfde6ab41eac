/** An empty database of one PostgreSQL, as a restore needs one; dropped after the tests. */
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import postgres from 'postgres'

/** @returns its URL */
export async function emptyDatabase(): Promise<string> {
  const url = new URL(process.env.TEST_DATABASE_URL ?? '')
  const sql = postgres(url.href, { max: 1, onnotice: () => {} })
  const name = `test_${randomBytes(6).toString('hex')}`
  await sql.unsafe(`create database ${name} template template0`)
  after(async () => {
    await sql.unsafe(`drop database ${name} with (force)`)
    await sql.end()
  })
  url.pathname = `/${name}`
  return url.href
}
