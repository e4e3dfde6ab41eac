/**
 * kinora-server: `api`, `worker`, `all` (both in one process), `migrate`, `verify`.
 * The table of contents: config, database, then app, HTTP and worker, which a graceful shutdown closes in reverse.
 */
import type { Logger } from 'pino'
import { ensureAdministrator } from './account/administrator.ts'
import { type App, openApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { verify } from './credit/verify.ts'
import { migrate } from './db/migrate.ts'
import { watchSchema } from './db/schema.ts'
import { openDb } from './db.ts'
import { openLog } from './log.ts'
import { plans } from './payment/plans.ts'
import { explainStartError, notifyParent, shutdownRequested } from './process.ts'
import { catalogue, providersOf } from './video/catalogue.ts'
import { startWorker } from './worker.ts'

const commands = ['api', 'worker', 'all', 'migrate', 'verify']
const command = process.argv[2] ?? 'all'
/** `docker stop` sends SIGKILL ten seconds after SIGTERM; the process exits by itself before that. */
const SHUTDOWN_LIMIT_MS = 9_800

try {
  const config = readConfig(process.env, providersOf(catalogue()))
  const log = openLog(config)
  // Validates plans.json at start-up instead of at the first purchase.
  plans()
  if (!commands.includes(command)) {
    throw new ConfigError([`There is no command "${command}": use api, worker, all, migrate or verify`])
  }
  if (command === 'verify') process.exit((await verifyLedger(config)) ? 0 : 1)
  await migrateDatabase(config, log)
  if (command === 'migrate') process.exit(0)
  process.exit(await serve(config, log))
} catch (error) {
  const message = explainStartError(error)
  console.error(message)
  notifyParent({ kind: 'failed', message })
  process.exit(1)
}

/** `verify`: recomputes every balance from the ledger's rows and prints the differences. Returns whether there are none. */
async function verifyLedger({ databaseUrl }: Config): Promise<boolean> {
  // Without a statement timeout: a large ledger takes long, and the operator can interrupt the command.
  const sql = openDb(databaseUrl, { connections: 1, name: 'kinora verify', statementTimeoutMs: 0 })
  const differences = await verify({ sql })
  for (const each of differences) {
    console.log(`user ${each.userId}, ${each.subject}: ${each.rule}: expected ${each.expected}, found ${each.found}`)
  }
  const { length } = differences
  console.log(length === 0 ? 'The books are right.' : `${length} ${length === 1 ? 'difference' : 'differences'}.`)
  await sql.end()
  return length === 0
}

async function migrateDatabase({ databaseUrl }: Config, log: Logger): Promise<void> {
  const { applied } = await migrate(databaseUrl, { warn: (message) => log.warn(message) })
  if (applied.length > 0) log.info({ applied }, 'the database was brought up to date')
}

/**
 * Runs until a shutdown request, then drains HTTP and worker and closes what they use. It also ends, with status 1, when another
 * process migrates the database to a schema that this version is too old for.
 */
async function serve(config: Config, log: Logger): Promise<number> {
  const app = await openApp(config, log)
  const api = command === 'worker' ? null : await serveApi(app)
  const worker = command === 'api' ? null : startWorker(app)

  // Signal handlers are installed before readiness is reported: from then on a stop is graceful.
  const shutdown = shutdownRequested()
  const schema = watchSchema(app.sql)
  notifyParent({ kind: 'ready', url: config.publicUrl, port: config.port })
  log.info({ command, url: config.publicUrl }, 'ready')
  const tooNew = await Promise.race([shutdown, schema.tooNew])
  schema.close()
  if (tooNew) log.fatal(tooNew.message)

  log.info('stopping')
  setTimeout(() => process.exit(1), SHUTDOWN_LIMIT_MS)
  // In parallel, because each has its own drain limit of several seconds within the shutdown limit.
  await Promise.all([api?.drain(), worker?.stop()])
  await api?.close()
  await app.close()
  return tooNew ? 1 : 0
}

/** Starts sign-in and HTTP. Loaded on demand: it is most of the code, and a worker process starts in half the time without. */
async function serveApi(app: App) {
  const { openSignIn } = await import('./http/auth.ts')
  const { closeHttp, openHttp } = await import('./http/server.ts')
  const auth = openSignIn(app)
  await ensureAdministrator(app, auth)
  const http = await openHttp(app, auth)
  await http.listen({ port: app.config.port, host: app.config.host })
  return { drain: () => closeHttp(http), close: auth.close }
}
