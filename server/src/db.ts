/**
 * PostgreSQL access: the connection pool and the `sql` tag; db/ has the schema's version and its migrations. Invariant: only
 * `migrate`, `backup` and `restore` open a transaction. Every other change is one statement, which for credits and status calls one function of
 * server/sql, so no network call can keep a transaction open.
 */
import postgres from 'postgres'

export type Sql = postgres.Sql<{ bigint: number }>
/** The pool, or a transaction of it. */
export type Query = postgres.ISql<{ bigint: number }>

/** Seconds between two attempts to connect. */
export const RECONNECT_PAUSE_S = 0.25

export type DbOptions = {
  connections: number
  name: string
  /** Limit of one statement; default 30 s. */
  statementTimeoutMs?: number
  /** false: no parallel workers, so a statement uses one CPU of the database. */
  parallel?: boolean
  /** true: connections are never renewed, because the session holds a lock; default: after half an hour to an hour. */
  lasting?: boolean
}

/** Opens the pool, which connects on first use. bigint is parsed as a number: credits are far below 2^53. */
export function openDb(databaseUrl: string, options: DbOptions): Sql {
  return postgres(databaseUrl, {
    max: options.connections,
    connect_timeout: 5,
    ...(options.lasting ? { max_lifetime: null } : {}),
    // The driver's default backoff grows to 20 s, and every request waits for it (measured: 10 s until a 503, and as long
    // until the first success after the database is back).
    backoff: () => RECONNECT_PAUSE_S,
    // The notices of "if not exists" would be printed.
    onnotice: () => {},
    connection: {
      application_name: options.name,
      search_path: 'public',
      lock_timeout: 3000,
      statement_timeout: options.statementTimeoutMs ?? 30_000,
      ...(options.parallel === false ? { max_parallel_workers_per_gather: 0 } : {}),
    },
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    types: { bigint: { to: 20, from: [20], parse: (text: string) => Number(text), serialize: String } },
  })
}
