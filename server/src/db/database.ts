/** Opens the database that an address leads to: in one part, or divided over several servers. */
import { openDivided } from './citus/open.ts'
import { openDb } from './db.ts'
import { type Database, type DatabaseOptions, onePart } from './parts.ts'

/** Connects on first use when `division` is null. */
export async function openDatabase(databaseUrl: string, options: DatabaseOptions): Promise<Database> {
  const sql = openDb(databaseUrl, options)
  if (options.division === null) return onePart(sql)
  try {
    return (await openDivided(sql, databaseUrl, options)) ?? onePart(sql)
  } catch (error) {
    await sql.end({ timeout: 1 })
    throw error
  }
}
