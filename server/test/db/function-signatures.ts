/**
 * What callers of the SQL functions rely on: names, parameters and results. released-functions.json has those of the
 * last release, whose processes call the functions of this text during a rolling deploy.
 */
import type { Query } from '../../src/db/db.ts'

/** Parameters and columns as `name type`, an optional parameter with a `?` at its end. */
export type Signature = { parameters: string[]; returns: string; columns: string[] }

export async function readSignatures(sql: Query): Promise<Record<string, Signature>> {
  const rows = await sql<(Signature & { name: string })[]>`
    with parameter as (
      select p.oid, a.n, coalesce(a.mode, 'i') = any('{i,b}') as is_input, coalesce(a.mode, 'i') <> 'i' as is_output,
             a.name || ' ' || a.type::regtype
               || case when coalesce(a.mode, 'i') = 'i' and a.n > p.pronargs - p.pronargdefaults then '?' else '' end as text
      from pg_proc p
      cross join unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes::text[])
        with ordinality as a (type, name, mode, n)
    )
    select p.proname as name,
           case when p.proretset then 'setof ' else '' end || p.prorettype::regtype as returns,
           array(select text from parameter a where a.oid = p.oid and a.is_input order by n) as parameters,
           array(select text from parameter a where a.oid = p.oid and a.is_output order by n) as columns
    from pg_proc p
    where p.pronamespace = 'kinora'::regnamespace
    order by p.proname
  `
  return Object.fromEntries(
    rows.map(({ name, parameters, returns, columns }) => [name, { parameters, returns, columns }]),
  )
}

/** Whether every call of the old function is a call of the new one with the columns that the caller reads. */
export function takesCallsOf(successor: Signature, old: Signature): boolean {
  return (
    old.parameters.every((each, i) => [each, `${each.replace(/\?$/, '')}?`].includes(successor.parameters[i] ?? '')) &&
    successor.parameters.slice(old.parameters.length).every((each) => each.endsWith('?')) &&
    successor.returns === old.returns &&
    old.columns.every((each) => successor.columns.includes(each))
  )
}
