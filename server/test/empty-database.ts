/** An empty database, as a restore needs one; dropped after the tests. */
import { after } from 'node:test'
import postgres from 'postgres'
import { createDatabase } from './database.ts'

/** @returns its URL */
export async function emptyDatabase(): Promise<string> {
  const database = await createDatabase()
  after(database.drop)
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  await sql.unsafe('drop schema kinora cascade; drop schema public cascade; create schema public').simple()
  await sql.end()
  return database.url
}
