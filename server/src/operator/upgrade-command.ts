/**
 * `kinora upgrade --check`: what `migrate` of this release would do to the database, and what each step locks for how long. It
 * changes nothing. Exit status: 0 nothing to do, or to be done while the old processes serve; 1 the database refuses this release.
 */
import type { Config } from '../config/config.ts'
import { packageUrl } from '../config/package-dir.ts'
import { openDb } from '../db/db.ts'
import { describeLock, pendingSteps } from '../db/pending.ts'
import { assertAccepted, readDatabaseSchema, readSource } from '../db/schema.ts'
import { SchemaTooNewError } from '../errors.ts'

/** @returns the exit status */
export async function upgradeCommand(config: Config, args: string[]): Promise<number> {
  if (args.join(' ') !== '--check') {
    console.error('kinora upgrade --check tells what an upgrade would do; `kinora migrate`, or a start, does it.')
    return 2
  }
  const sql = openDb(config.databaseUrlDirect, { connections: 1, name: 'kinora upgrade' })
  try {
    const [source, database] = [await readSource(packageUrl), await readDatabaseSchema(sql)]
    assertAccepted(source, database)
    const has = database ? `version ${database.version}` : 'no schema of Kinora yet'
    console.log(`This release has schema version ${source.version}; the database has ${has}.`)
    if (database && database.version > source.version) {
      console.log('The database is newer and accepts this release: nothing would be changed.')
      return 0
    }
    const steps = await pendingSteps(sql, source)
    for (const step of steps) console.log(`${step.file}: ${step.title} – ${describeLock(step)}`)
    if (database?.version !== source.version || database.hash !== source.hash || steps.length > 0) {
      console.log('functions: replaced as one set – no table is locked; the old processes call the new functions')
      console.log('Run `kinora migrate`, or start a process of this release: the old ones keep serving.')
    } else console.log('Nothing to do.')
    return 0
  } catch (error) {
    if (!(error instanceof SchemaTooNewError)) throw error
    console.error(error.message)
    return 1
  } finally {
    await sql.end({ timeout: 1 })
  }
}
