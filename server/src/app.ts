/**
 * Everything held open for the life of the process, built once from the settings and handed to every function that needs
 * it. There is no other global state.
 */
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { openDb, type Sql } from './db.ts'
import { openProviders } from './provider/open.ts'
import type { Provider } from './provider/provider.ts'
import { type GuardedFetch, openFetch } from './safe-fetch.ts'
import { openStorage, type Storage } from './storage/storage.ts'

export type App = {
  config: Config
  log: Logger
  sql: Sql
  fetch: GuardedFetch
  storage: Storage
  providers: Map<string, Provider>
  /** The clock. Only tests turn it. */
  now: () => Date
  /** Tells the worker in this process, if there is one, that a video has become due. */
  wake: () => void
  /** Kills the process here when the settings say so; see KINORA_CRASH_AT. */
  crashPoint: (name: string) => void
  close: () => Promise<void>
}

export async function openApp(config: Config, log: Logger): Promise<App> {
  const sql = openDb(config.databaseUrl, { connections: config.databaseConnections, name: `kinora ${config.node}` })
  const fetch = openFetch({ allow: config.fetchAllow })
  const storage = await openStorage(config)
  const providers = await openProviders(config.providers)
  return {
    config,
    log,
    sql,
    fetch,
    storage,
    providers,
    now: () => new Date(),
    wake: () => {},
    crashPoint: (name) => {
      if (name === config.crashAt) process.kill(process.pid, 'SIGKILL')
    },
    close: async () => {
      await Promise.all([...providers.values()].map((provider) => provider.close()))
      await fetch.close()
      await storage.close()
      await sql.end({ timeout: 1 })
    },
  }
}
