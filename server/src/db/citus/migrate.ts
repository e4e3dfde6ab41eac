/** What `migrate` does for a distributed database beside what it does for one PostgreSQL, in the order in which it does it. */
import type { Query, Sql } from '../db.ts'
import type { SchemaSource } from '../schema.ts'
import { distributeTables, dropDependentFunctions, isDistributedDatabase } from './distribute.ts'
import { createShardFunctions, readFunctions } from './shard-functions.ts'

/** @param shards distributes the tables into this number of shards, unless they are distributed */
export async function openDivision(sql: Sql, databaseUrl: string, shards: number | undefined) {
  const wasDistributed = await isDistributedDatabase(sql)
  const isDivided = wasDistributed || shards !== undefined
  return {
    isDivided,
    beforeMigrations: async (): Promise<void> => {
      if (wasDistributed) await dropDependentFunctions(sql)
    },
    /** @returns what was done */
    divideTables: async (): Promise<string[]> =>
      isDivided && (await distributeTables(sql, shards ?? null)) ? ['distributed'] : [],
    /** The nodes get functions of their own. pg_settings hides this setting; without Citus it means nothing. */
    beforeFunctions: async (tx: Query): Promise<void> => {
      await tx`select set_config('citus.enable_ddl_propagation', 'off', true)`
    },
    /** `own`: the functions of the coordinator; `isComplete`: whether every server had its functions. */
    readFunctions: async (source: SchemaSource) => {
      const functions = isDivided ? await readFunctions(sql, source) : null
      return {
        own: functions?.coordinator ?? source,
        isComplete: functions?.isComplete ?? true,
        /** @param warn null: a node that is down ends it with an error. @returns what was done */
        createOfParts: async (warn: ((message: string) => void) | null): Promise<string[]> => {
          if (functions === null) return []
          const skip = (node: string, { message }: Error) =>
            warn?.(`the database node ${node} cannot be reached (${message}): its functions are not checked`)
          const numbers = await createShardFunctions(sql, databaseUrl, functions, warn === null ? undefined : skip)
          return numbers.length > 0 ? [`functions of ${numbers.length} shards`] : []
        },
      }
    },
  }
}

/** @returns why no backup can be restored into the database; null: it is not distributed */
export const refusalOfRestore = async (sql: Sql): Promise<string | null> =>
  (await isDistributedDatabase(sql))
    ? 'The database is distributed: restore into an empty one that is not, then run `kinora migrate --distributed` on it.'
    : null
