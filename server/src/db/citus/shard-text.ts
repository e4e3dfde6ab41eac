/**
 * Rewrites an SQL text for one shard: the same text serves a plain and a distributed PostgreSQL. `kinora.video` becomes
 * the table of the shard, `kinora.video_apply` the function of the shard's schema. What the text says then runs on one
 * node as on any PostgreSQL, without Citus's planner, which refuses half of these statements and takes several times as
 * long for the rest.
 */
import type { Placement, Shard } from './placement.ts'
import { distributedFor, isOfShards } from './tables.ts'

export const shardSchema = (number: number | ''): string => `kinora_shard_${number}`

/**
 * @param own the functions and types that the shard has itself, by name
 * @returns the text for the shard
 */
export function forShard(
  text: string,
  shard: Shard,
  { tableOfConstraint }: Pick<Placement, 'tableOfConstraint'>,
  own: ReadonlySet<string>,
): string {
  return text
    .replace(/\b(?:kinora|public)\.(\w+|"\w+")/g, (name, object: string) => {
      const table = distributedFor(name)
      if (table !== undefined) return `kinora.${table}_${shard.ids.get(table)}`
      return name.startsWith('kinora.') && own.has(object) ? `${shardSchema(shard.number)}.${object}` : name
    })
    .replace(/\bon conflict on constraint (\w+)/g, (clause, constraint: string) => {
      const table = tableOfConstraint.get(constraint)
      return table === undefined ? clause : `${clause}_${shard.ids.get(table)}`
    })
}

/**
 * Rewrites an SQL text for the coordinator: a shared table, which Citus keeps under another name and plans like a
 * distributed one, gets the name of its rows. So the coordinator's own functions and statements are those of any
 * PostgreSQL.
 */
export function forCoordinator(text: string, { nameOfShared }: Pick<Placement, 'nameOfShared'>): string {
  return text.replace(/\bkinora\.(\w+)/g, (name, table: string) => {
    const own = nameOfShared.get(table)
    return own === undefined ? name : `kinora.${own}`
  })
}

/** Whether the text names an object that is on shards. */
export function namesShards(text: string, own: ReadonlySet<string>): boolean {
  // The bookkeeping of migrations is the coordinator's; a shard has a copy for its functions.
  for (const [name, object = ''] of text.matchAll(/\b(?:kinora|public)\.(\w+|"\w+")/g)) {
    if (isOfShards(name) || (name.startsWith('kinora.') && object !== 'migration' && own.has(object))) return true
  }
  return false
}

/** The names of the functions that SQL files create. */
export function functionNames(texts: string[]): Set<string> {
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/^create or replace (?:function|aggregate) kinora\.(\w+)/gm)].map(([, name = '']) => name),
    ),
  )
}
