/** Removes the functions of the coordinator before its tables change. No process runs meanwhile, and `migrate` creates them again. */
import type { Query, Sql } from '../db.ts'

/**
 * Drops functions before migrations: Citus refuses to change a table while functions of the coordinator take rows of it ("circular dependencies").
 * A migration that fails leaves no functions, so the next `migrate` of any release has to create them.
 */
export async function dropDependentFunctions(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await dropFunctions(tx)
    await tx`update kinora.schema_version set hash = ''`
  })
}

export async function dropFunctions(tx: Query): Promise<void> {
  const functions = await tx<{ signature: string }[]>`
    select p.oid::regprocedure::text as signature from pg_proc p where p.pronamespace = 'kinora'::regnamespace
  `
  for (const { signature } of functions) await tx.unsafe(`drop routine if exists ${signature} cascade`)
}
