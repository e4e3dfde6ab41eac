/**
 * PostgreSQL access: the connection pool and the `sql` tag; db/ has the schema's version and its migrations. Invariant:
 * only `migrate`, `backup`, `restore` and the limits of a role open a transaction. Every other change is one statement,
 * which for credits and status calls one function of server/sql, so no network call can keep a transaction open.
 *
 * A pooler in transaction mode gives each transaction another session of the database, and refuses start-up parameters.
 * Behind it no statement is prepared, and the limits of a session are those of the role (db/role-limits.ts).
 */
import postgres from 'postgres'
import { withTimeout } from '../async/timer.ts'
import type { Config } from '../config/config.ts'

export type Sql = postgres.Sql<{ bigint: number }>
/** The pool, or a transaction of it. */
export type Query = postgres.ISql<{ bigint: number }>
/** An expression of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** Seconds between two attempts to connect. */
export const RECONNECT_PAUSE_S = 0.25

/**
 * Settings of every session, by PostgreSQL's names; times in ms. better-auth's queries name no schema, and the default
 * search_path would try a schema named after the database user.
 */
export const SESSION_SETTINGS = {
  search_path: 'public',
  lock_timeout: 3000,
  statement_timeout: 30_000,
  // A transaction that a dead process or a network left open keeps its locks, and vacuum removes nothing newer than its
  // snapshot.
  idle_in_transaction_session_timeout: 60_000,
  // The functions switch kinds of plans off, which makes their estimated costs so high that PostgreSQL would compile
  // each call.
  jit: 'off',
} as const

export type DbOptions = {
  connections: number
  /** The name in `pg_stat_activity`. Behind a pooler all have one name: a change would set the name anew. */
  name: string
  /** Default 'off'. `statementTimeoutMs`, `parallel` and `lasting` need a session, so 'off'. */
  pooler?: Config['databasePooler']
  /** Limit of one statement; default 30 s. */
  statementTimeoutMs?: number
  /** false: no parallel workers, so a statement uses one CPU of the database. */
  parallel?: boolean
  /** true: connections are never renewed, because the session holds a lock; default: after half an hour to an hour. */
  lasting?: boolean
}

/**
 * A connection that a burst has opened ends after a minute without a statement: each is a process of PostgreSQL with
 * some megabytes, of which an idle service had eight.
 */
export const IDLE_S = 60

/** Opens the pool, which connects on first use. bigint is parsed as a number: credits are far below 2^53. */
export function openDb(databaseUrl: string, options: DbOptions): Sql {
  return postgres(databaseUrl, {
    max: options.connections,
    connect_timeout: 5,
    ...(options.lasting ? { max_lifetime: null } : { idle_timeout: IDLE_S }),
    // The driver's default backoff grows to 20 s, and every request waits for it (measured: 10 s until a 503, and as
    // long until the first success after the database is back).
    backoff: () => RECONNECT_PAUSE_S,
    // The notices of "if not exists" would be printed.
    onnotice: () => {},
    ...sessionOptions(databaseUrl, options),
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    types: { bigint: { to: 20, from: [20], parse: (text: string) => Number(text), serialize: String } },
  })
}

/**
 * A statement ends by its own limit. A connection that brings nothing for so long beyond it leads to a peer that is
 * gone without a word, such as a dead host; TCP would notice after a quarter of an hour.
 */
const SILENCE_MS = 10_000
/** For an answer about the sessions of silent connections, which the pool asks for after four seconds. */
const SESSIONS_MS = 3_000
/** How long pgbouncer lets a query wait for a session (its default `query_wait_timeout`). */
const POOLER_WAIT_MS = 120_000

/** Options of the patched driver (decisions/0048). `query_timeout`: in seconds; null: no limit. `sessions`: below. */
type SessionOptions = Required<Pick<postgres.Options<Record<string, never>>, 'prepare' | 'connection'>> & {
  query_timeout: number | null
  sessions?: (pids: number[]) => Promise<Map<number, string> | null>
}

/** The driver's options that depend on what stands in between; sign-in, which has its own pool, uses them too. */
export function sessionOptions(
  databaseUrl: string,
  {
    pooler = 'off',
    name,
    statementTimeoutMs = SESSION_SETTINGS.statement_timeout,
    parallel,
    lasting,
  }: Omit<DbOptions, 'connections'>,
): SessionOptions {
  const limitMs = statementTimeoutMs + SILENCE_MS
  if (pooler === 'transaction') {
    const query_timeout = (limitMs + POOLER_WAIT_MS) / 1000
    return { prepare: false, connection: { application_name: 'kinora' }, query_timeout }
  }
  return {
    prepare: true,
    // A lasting session lifts its own limits.
    query_timeout: statementTimeoutMs === 0 || lasting ? null : limitMs / 1000,
    sessions: (pids) => sessionsOf(databaseUrl, pids),
    connection: {
      application_name: name,
      ...SESSION_SETTINGS,
      statement_timeout: statementTimeoutMs,
      ...(lasting ? { idle_in_transaction_session_timeout: 0 } : {}),
      ...(parallel === false ? { max_parallel_workers_per_gather: 0 } : {}),
    },
  }
}

/**
 * Which of these sessions the database has, and their states. A host that is gone closes no connection, and after a
 * failover its address leads to one that has none of them: each query waited for 40 s, one connection after the other
 * (the first write 31.5 s after the database was back; now 1.2 s).
 * @returns null when the database does not answer either
 */
async function sessionsOf(databaseUrl: string, pids: number[]): Promise<Map<number, string> | null> {
  const sql = openDb(databaseUrl, { connections: 1, name: 'kinora sessions', lasting: true })
  try {
    const found = sql.unsafe<{ pid: number; state: string }[]>(
      `select pid, state from pg_catalog.pg_stat_activity
       where datname = current_database() and usename = current_user and pid in (${[0, ...pids].join()})`,
    )
    const rows = await withTimeout(found, SESSIONS_MS, () => null)
    return rows && new Map(rows.map(({ pid, state }) => [pid, state]))
  } catch (error) {
    // A server without room for another connection has those.
    if (String((error as { code?: string }).code).startsWith('53')) return new Map(pids.map((pid) => [pid, 'active']))
    return null
  } finally {
    void sql.end({ timeout: 0 }).catch(() => {})
  }
}
