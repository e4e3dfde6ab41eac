/**
 * Replaces the SQL functions of schema kinora as one set, in one transaction, without an error for calls that run
 * meanwhile. Invariant: no function is dropped while a statement may still refer to it by its OID.
 *
 * The predecessors are moved to a schema `kinora_retired_<time>`. A statement that was parsed before the commit still
 * finds them by OID; `drop` and `create` gave it "cache lookup failed for function". Every later statement finds the
 * new functions by name. A function whose name is gone is moved back, and serves the processes of the release before.
 */
import type { Query } from './db.ts'
import type { SchemaSource } from './schema.ts'

/** Longer than any statement that calls a function: statements have a timeout of 30 s. */
const RETIRED_KEPT = '10 minutes'
const RETIRED_PREFIX = 'kinora_retired_'

type StoredFunction = { name: string; signature: string; comment: string | null }

export async function replaceFunctions(tx: Query, source: SchemaSource): Promise<void> {
  await dropRetired(tx)
  const retired = await retireFunctions(tx)
  for (const file of source.functions) await tx.unsafe(file.text).simple()

  const names = new Set((await readFunctions(tx)).map(({ name }) => name))
  for (const { name, signature, comment } of retired.functions) {
    if (names.has(name)) continue
    const obsoleteSince = Number(/^obsolete since schema version (\d+)$/.exec(comment ?? '')?.[1] ?? source.version)
    // No process older than the minimum runs any more, so none calls it.
    if (obsoleteSince <= source.minimum) continue
    await tx.unsafe(`alter routine ${retired.schema}.${signature} set schema kinora`)
    await tx.unsafe(`comment on routine kinora.${signature} is 'obsolete since schema version ${obsoleteSince}'`)
  }
}

async function retireFunctions(tx: Query): Promise<{ schema: string; functions: StoredFunction[] }> {
  const functions = await readFunctions(tx)
  const schema = await newRetiredName(tx)
  if (functions.length > 0) {
    const moves = functions.map(({ signature }) => `alter routine kinora.${signature} set schema ${schema}`)
    await tx.unsafe([`create schema ${schema}`, ...moves].join(';')).simple()
  }
  return { schema, functions }
}

/** The name of a schema for functions that are replaced now. */
export async function newRetiredName(tx: Query): Promise<string> {
  const [{ schema }] = await tx<[{ schema: string }]>`
    select ${RETIRED_PREFIX} || to_char(clock_timestamp() at time zone 'utc', 'YYYYMMDDHH24MISSUS') as schema
  `
  return schema
}

/** `signature`: name and types of the input parameters, without the schema; none of an extension's. */
async function readFunctions(tx: Query): Promise<StoredFunction[]> {
  return [
    ...(await tx<StoredFunction[]>`
      select proname as name,
             substr(oid::regprocedure::text, length('kinora.') + 1) as signature,
             obj_description(oid, 'pg_proc') as comment
      from pg_proc
      where pronamespace = 'kinora'::regnamespace
        and not exists (
          select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = pg_proc.oid and d.deptype = 'e'
        )
    `),
  ]
}

/** A function that was moved back may have been compiled against retired ones, which are then kept as long as it is. */
export async function dropRetired(tx: Query): Promise<void> {
  const schemas = await tx<{ schema: string }[]>`
    select n.nspname as schema
    from pg_namespace n
    where starts_with(n.nspname, ${RETIRED_PREFIX})
      and n.nspname < ${RETIRED_PREFIX} || to_char((now() - ${RETIRED_KEPT}::interval) at time zone 'utc', 'YYYYMMDDHH24MISSUS')
      and not exists (
        select
        from pg_depend d
        join pg_proc callee on callee.oid = d.refobjid and callee.pronamespace = n.oid
        join pg_proc caller on caller.oid = d.objid and caller.pronamespace <> n.oid
        where d.classid = 'pg_proc'::regclass and d.refclassid = 'pg_proc'::regclass
      )
  `
  for (const { schema } of schemas) await tx.unsafe(`drop schema ${schema} cascade`)
}
