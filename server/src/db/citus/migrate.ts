/** What `migrate` does for a distributed database beside what it does for one PostgreSQL, in order. */
import type { Division } from '../division.ts'
import { distributeTables, dropDependentFunctions, isDistributedDatabase } from './distribute.ts'
import { createShardFunctions, readFunctions } from './shard-functions.ts'

export const openMigration: Division['openMigration'] = async (sql, databaseUrl, shards) => {
  const wasDistributed = await isDistributedDatabase(sql)
  const isDivided = wasDistributed || shards !== undefined
  return {
    isDivided,
    beforeMigrations: async () => {
      if (wasDistributed) await dropDependentFunctions(sql)
    },
    divideTables: async () => (isDivided && (await distributeTables(sql, shards ?? null)) ? ['distributed'] : []),
    /** The nodes get functions of their own. pg_settings hides this setting; without Citus it means nothing. */
    beforeFunctions: async (tx) => {
      await tx`select set_config('citus.enable_ddl_propagation', 'off', true)`
    },
    readFunctions: async (source) => {
      const functions = isDivided ? await readFunctions(sql, source) : null
      return {
        own: functions?.coordinator ?? source,
        isComplete: functions?.isComplete ?? true,
        createOfParts: async (warn) => {
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

export const refusalOfRestore: Division['refusalOfRestore'] = async (sql) =>
  (await isDistributedDatabase(sql))
    ? 'The database is distributed: restore into an empty one that is not, then run `kinora migrate --distributed` on it.'
    : null
