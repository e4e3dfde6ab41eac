/**
 * The settings of a session (limits of time, search_path, JIT) as defaults of the role of DATABASE_URL in this
 * database. A pooler in transaction mode refuses them at the start of a connection, and what a session sets for itself
 * the next client of that session would have.
 */
import { openDb, SESSION_SETTINGS } from './db.ts'

/** Key of a transaction's advisory lock: two that change a role at once fail with "tuple concurrently updated". */
const ROLE_LOCK = 7_415_061_897

/**
 * Writes the settings that the role does not have yet. A role may always write its own. Sessions that the pooler opened
 * before keep theirs until it closes them; that of this call gets them at once, so that a pooler's first session has
 * them.
 * @param pooledUrl DATABASE_URL, because only a connection through the pooler tells which role it uses
 * @returns the settings that were written, as `name=value`
 */
export async function ensureRoleLimits(pooledUrl: string): Promise<string[]> {
  const sql = openDb(pooledUrl, { connections: 1, name: 'kinora limits', pooler: 'transaction' })
  const [names, values] = [Object.keys(SESSION_SETTINGS), Object.values(SESSION_SETTINGS).map(String)]
  try {
    return await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${ROLE_LOCK})`
      const missing = await tx<{ name: string; value: string; statement: string }[]>`
        select w.name, w.value,
               format('alter role %I in database %I set %I = %L', current_user, current_database(), w.name, w.value) as statement
        from unnest(${names}::text[], ${values}::text[]) w (name, value)
        where not exists (
          select
          from pg_db_role_setting s
          where s.setrole = (select oid from pg_roles where rolname = current_user)
            and s.setdatabase = (select oid from pg_database where datname = current_database())
            and w.name || '=' || w.value = any (s.setconfig)
        )
      `
      for (const { name, value, statement } of missing) {
        await tx.unsafe(statement)
        await tx`select set_config(${name}, ${value}, false)`
      }
      return missing.map(({ name, value }) => `${name}=${value}`)
    })
  } finally {
    await sql.end({ timeout: 5 })
  }
}
