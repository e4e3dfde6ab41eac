/**
 * The contract of what divides a database over several servers: what connections, migrations, backups and commands do
 * for one beside what they do for one PostgreSQL, which each function recognises. `database.ts` alone knows what fills
 * it.
 */
import type { Config } from '../config/config.ts'
import type { Query, Sql } from './db.ts'
import type { Database, DatabaseOptions } from './parts.ts'
import type { SchemaSource } from './schema.ts'

export type Division = {
  /** @returns null when the database is in one part */
  open: (sql: Sql, databaseUrl: string, options: DatabaseOptions, migrate: Migrate) => Promise<Database | null>
  /** @param parts divides the tables into this number of parts, unless they are divided */
  openMigration: (sql: Sql, databaseUrl: string, parts: number | undefined) => Promise<MigrationOfParts>
  /** @returns why no backup can be restored into the database, or null */
  refusalOfRestore: (sql: Sql) => Promise<string | null>
  /** @param read receives the parts, of one moment; the first is the server of the address */
  inCommonSnapshot: <T>(databaseUrl: string, read: (parts: SnapshotPart[]) => Promise<T>) => Promise<T>
  /**
   * `parts`: into how many the tables are to be divided; null: not. `node`: of the database node whose videos the
   * worker claims; null: of all.
   * @throws UsageError
   */
  readArguments: (command: string, args: string[]) => { parts: number | null; node: string | null }
  /** @throws ConfigError for a node of a database that has none */
  scopeOf: (isDivided: boolean, node: string | null) => Config['division']
}

type Migrate = (databaseUrl: string, options: { isDone: () => Promise<boolean> }) => Promise<unknown>

/** What `migrate` does for the parts, in the order in which it does it. */
type MigrationOfParts = {
  isDivided: boolean
  beforeMigrations: () => Promise<void>
  /** @returns what was done */
  divideTables: () => Promise<string[]>
  beforeFunctions: (tx: Query) => Promise<void>
  /** `own`: the functions of the server of the address; `isComplete`: whether every server had its functions. */
  readFunctions: (source: SchemaSource) => Promise<{
    own: SchemaSource
    isComplete: boolean
    /** @param warn null: a node that is down ends it with an error. @returns what was done */
    createOfParts: (warn: ((message: string) => void) | null) => Promise<string[]>
  }>
}

export type SnapshotPart = {
  /** Reads in the snapshot. */
  tx: Query
  /** What the part calls its rows of a table; null: it has none. */
  nameOf: (table: string) => string | null
}
