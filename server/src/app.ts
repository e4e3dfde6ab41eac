/**
 * The application context: every resource that stays open for the life of the process, built once from the settings and
 * passed to the functions that use it.
 */
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import { type Distributed, openDistributed } from './db/citus/distributed.ts'
import { openDb, type Sql } from './db/db.ts'
import { openSetCalls, type SetCalls } from './db/set-calls.ts'
import { openSafeFetch, type SafeFetch } from './net/safe-fetch.ts'
import { openSafePost, type SafePost } from './net/safe-post.ts'
import { openProviders } from './provider/open.ts'
import type { Provider } from './provider/provider.ts'
import { openRateLimiter, type RateLimiter } from './rate-limit/rate-limiter.ts'
import { openStorage } from './storage/open.ts'
import type { Storage } from './storage/storage.ts'
import type { Tracing } from './tracing/tracing.ts'

export type App = {
  config: Config
  log: Logger
  sql: Sql
  /** The parts of the database that have the rows of users: `sql` itself, or the shards of a distributed one. */
  shards: () => Sql[]
  /** Null unless the database is distributed. */
  distributed: Distributed | null
  /** Calls of the core that are combined with those of other requests. */
  calls: SetCalls
  /** For the results of providers, with FETCH_ALLOW. */
  fetch: SafeFetch
  /** For the links of users: public addresses only. */
  userFetch: SafeFetch
  /** For the webhooks of users, with WEBHOOK_ALLOW. */
  webhookPost: SafePost
  storage: Storage
  providers: Map<string, Provider>
  rateLimiter: RateLimiter
  /** Null unless spans are sent. */
  tracing: Tracing | null
  /** The clock. Only tests replace it. */
  now: () => Date
  /** Wakes the worker of this process, if it has one, because a video is due. */
  wake: () => void
  /** Kills the process when KINORA_CRASH_AT names this point: fault injection for the crash tests. */
  crashPoint: (name: string) => void
  close: () => Promise<void>
}

/** The databases of a table that has rows with a user and rows without one: the shards and the coordinator. */
export const everywhere = ({ sql, shards, distributed }: App): Sql[] =>
  distributed ? [distributed.coordinator, ...shards()] : [sql]

/**
 * Does the work in each part of the database. A node that is down keeps its own users' work from being done and no others': its error is
 * logged, unless no part could be reached.
 */
export async function* inEach<T>(
  app: Pick<App, 'log' | 'distributed'>,
  parts: Sql[],
  work: (sql: Sql) => Promise<T>,
): AsyncGenerator<T> {
  let failures = 0
  for (const sql of parts) {
    try {
      yield await work(sql)
    } catch (err) {
      failures += 1
      if (!app.distributed || failures === parts.length) throw err
      app.log.warn({ err }, 'a shard of the database cannot be reached; the others go on')
    }
  }
}

/** The rows that a statement finds in each part, together. Of a node that is down they are missing. */
export async function fromEach<T>(
  app: Pick<App, 'log' | 'distributed'>,
  parts: Sql[],
  read: (sql: Sql) => PromiseLike<readonly T[]>,
): Promise<T[]> {
  const rows: T[] = []
  for await (const found of inEach(app, parts, async (sql) => await read(sql))) rows.push(...found)
  return rows
}

/** A page of the rows of several parts. The ids begin with their time. */
export const newestFirst = <T extends { id: string }>(rows: T[], limit: number): T[] =>
  rows.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit)

export async function openApp(config: Config, log: Logger): Promise<App> {
  const options = {
    connections: config.databaseConnections,
    name: `kinora ${config.processName}`,
    pooler: config.databasePooler,
  }
  const database = openDb(config.databaseUrl, options)
  const distributed =
    config.distributed && (await openDistributed(database, config.databaseUrl, { ...options, ...config.distributed }))
  const sql = distributed?.sql ?? database
  const fetch = openSafeFetch({ allow: config.fetchAllow })
  const userFetch = openSafeFetch({ allow: [] })
  const webhookPost = openSafePost({ allow: config.webhookAllow })
  const storage = await openStorage(config)
  const providers = await openProviders(config.providers)
  // Loaded on demand, as S3 is.
  const tracing =
    config.tracing &&
    (await (await import('./tracing/tracing.ts')).openTracing(config.tracing, config.processName, log))
  const rateLimiter = openRateLimiter({ config, sql, log, nowMs: () => app.now().getTime() })
  const app: App = {
    config,
    log,
    sql,
    shards: distributed?.shards ?? (() => [app.sql]),
    distributed,
    calls: openSetCalls(sql, distributed?.shardKeyOf),
    fetch,
    userFetch,
    webhookPost,
    storage,
    providers,
    rateLimiter,
    tracing,
    now: () => new Date(),
    wake: () => {},
    crashPoint: (name) => {
      if (name === config.crashAt) process.kill(process.pid, 'SIGKILL')
    },
    close: async () => {
      rateLimiter.close()
      await Promise.all([...providers.values()].map((provider) => provider.close()))
      await Promise.all([fetch.close(), userFetch.close(), webhookPost.close()])
      await storage.close()
      await distributed?.close()
      await database.end({ timeout: 1 })
      await tracing?.close()
    },
  }
  return app
}
