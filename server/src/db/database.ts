/**
 * The database that an address leads to, in one part or divided over several servers: opens, migrates, backs up and
 * restores it.
 */
import { dumpDatabase as dumpWith } from './backup.ts'
import { citus } from './citus/citus.ts'
import { openDb } from './db.ts'
import { migrate as migrateWith } from './migrate.ts'
import { type Database, type DatabaseOptions, onePart } from './parts.ts'
import { restoreDatabase as restoreWith } from './restore.ts'

export const migrate = migrateWith.bind(null, citus)
export const dumpDatabase = dumpWith.bind(null, citus)
export const restoreDatabase = restoreWith.bind(null, citus)
export const { readArguments, scopeOf } = citus

/** Connects on first use when `division` is null. */
export async function openDatabase(databaseUrl: string, options: DatabaseOptions): Promise<Database> {
  const sql = openDb(databaseUrl, options)
  if (options.division === null) return onePart(sql)
  try {
    return (await citus.open(sql, databaseUrl, options, migrate)) ?? onePart(sql)
  } catch (error) {
    await sql.end({ timeout: 1 })
    throw error
  }
}
