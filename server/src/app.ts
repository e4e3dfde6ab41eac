/**
 * The application context: every resource that stays open for the life of the process, built once from the settings and
 * passed to the functions that use it.
 */
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import { openDatabase } from './db/database.ts'
import type { Sql } from './db/db.ts'
import type { Database } from './db/parts.ts'
import { openSetCalls, type SetCalls } from './db/set-calls.ts'
import { type Moderation, openModeration } from './moderation/moderation.ts'
import { openSafeFetch, type SafeFetch } from './net/safe-fetch.ts'
import { openSafePost, type SafePost } from './net/safe-post.ts'
import { openProviders, type Providers } from './provider/open.ts'
import { openRateLimiter, type RateLimiter } from './rate-limit/rate-limiter.ts'
import { openStorage } from './storage/open.ts'
import type { Storage } from './storage/storage.ts'
import type { Tracing } from './tracing/tracing.ts'
import { openWriter, type Writer } from './writer/writer.ts'

export type App = {
  config: Config
  log: Logger
  /** That of `database`. */
  sql: Sql
  /** The database in its parts, for what concerns all users. */
  database: Database
  /** Calls of the core that are combined with those of other requests. */
  calls: SetCalls
  /** Fetches results of providers, with FETCH_ALLOW. */
  fetch: SafeFetch
  /** Fetches links of users: public addresses only. */
  userFetch: SafeFetch
  /** Posts the webhooks of users, with WEBHOOK_ALLOW. */
  webhookPost: SafePost
  storage: Storage
  providers: Providers
  rateLimiter: RateLimiter
  /** Null unless MODERATION_URL is set. */
  moderation: Moderation | null
  /** Null: no language model proposes texts. */
  writer: Writer | null
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

export async function openApp(config: Config, log: Logger): Promise<App> {
  const database = await openDatabase(config.databaseUrl, {
    connections: config.databaseConnections,
    name: `kinora ${config.processName}`,
    pooler: config.databasePooler,
    division: config.division,
    directUrl: config.databaseUrlDirect,
  })
  const { sql } = database
  const fetch = openSafeFetch({ allow: config.fetchAllow })
  const userFetch = openSafeFetch({ allow: [] })
  const webhookPost = openSafePost({ allow: config.webhookAllow })
  const storage = await openStorage(config)
  const providers = openProviders(config.providers, () => app.now())
  // Loaded on demand, as S3 is.
  const tracing =
    config.tracing &&
    (await (await import('./tracing/tracing.ts')).openTracing(config.tracing, config.processName, log))
  const rateLimiter = openRateLimiter({ config, sql, log, nowMs: () => app.now().getTime() })
  const app: App = {
    config,
    log,
    sql,
    database,
    calls: openSetCalls(database),
    fetch,
    userFetch,
    webhookPost,
    storage,
    providers,
    rateLimiter,
    moderation: openModeration(config, { sql, log, now: () => app.now() }),
    writer: openWriter(config, log),
    tracing,
    now: () => new Date(),
    wake: () => {},
    crashPoint: (name) => {
      if (name === config.crashAt) process.kill(process.pid, 'SIGKILL')
    },
    close: async () => {
      rateLimiter.close()
      await Promise.all([
        providers.close(),
        fetch.close(),
        userFetch.close(),
        webhookPost.close(),
        app.moderation?.close(),
        app.writer?.close(),
      ])
      await storage.close()
      await database.close()
      await tracing?.close()
    },
  }
  return app
}
