/**
 * kinora-server: `api`, `worker`, `all` (both in one process), `migrate`, `verify`. Settings come from the environment.
 * The table of contents: settings, then what is held open, then HTTP, then the worker; closed in reverse.
 */
import { ensureAdministrator } from './account/administrator.ts'
import { openApp } from './app.ts'
import { ConfigError, readConfig } from './config.ts'
import { verify } from './credit/history.ts'
import { migrate, openDb } from './db.ts'
import { openLog } from './log.ts'
import { plans } from './payment/plans.ts'
import { explain, report, whenStopped } from './process.ts'
import { catalogue, providersOf } from './video/catalogue.ts'
import { startWorker } from './worker.ts'

const command = process.argv[2] ?? 'all'
/** Whoever stops a process waits ten seconds for it. */
const STOP_MS = 9_800

try {
  const config = readConfig(process.env, providersOf(catalogue()))
  const log = openLog(config)
  // Read here, so that a mistake in the catalogue is told now and not to the first who pays.
  plans()

  if (!['api', 'worker', 'all', 'migrate', 'verify'].includes(command)) {
    throw new ConfigError([`There is no command "${command}": use api, worker, all, migrate or verify`])
  }
  if (command !== 'verify') {
    const { applied } = await migrate(config.databaseUrl)
    if (applied.length > 0) log.info({ applied }, 'the database was brought up to date')
  }
  if (command === 'migrate') process.exit(0)

  if (command === 'verify') {
    // Large books take as long as they take; whoever asks here can wait, and stop it.
    const sql = openDb(config.databaseUrl, { connections: 1, name: 'kinora verify', statementTimeoutMs: 0 })
    const differences = await verify({ sql })
    for (const each of differences) {
      console.log(`user ${each.userId}, ${each.subject}: ${each.rule}: expected ${each.expected}, found ${each.found}`)
    }
    console.log(differences.length === 0 ? 'The books are right.' : `${differences.length} differences.`)
    await sql.end()
    process.exit(differences.length === 0 ? 0 : 1)
  }
  const app = await openApp(config, log)

  // What takes on work is closed first and together, each within its own few seconds; then what it worked with.
  const takers: (() => Promise<unknown>)[] = []
  const closers: (() => Promise<unknown>)[] = [app.close]
  if (command !== 'worker') {
    // Loaded by processes that serve HTTP alone: it is most of the code, and a worker starts in half the time without it.
    const { openSignIn } = await import('./http/auth.ts')
    const { closeHttp, openHttp } = await import('./http/server.ts')
    const auth = openSignIn(app)
    closers.unshift(auth.close)
    await ensureAdministrator(app, auth)
    const http = await openHttp(app, auth)
    await http.listen({ port: config.port, host: config.host })
    takers.push(() => closeHttp(http))
  }
  if (command !== 'api') {
    const worker = startWorker(app)
    takers.push(worker.stop)
  }
  // Listened for before anybody is told that it may be stopped.
  const stopped = whenStopped()
  report({ kind: 'ready', url: config.publicUrl, port: config.port })
  log.info({ command, url: config.publicUrl }, 'ready')

  await stopped
  log.info('stopping')
  setTimeout(() => process.exit(1), STOP_MS)
  await Promise.all(takers.map((close) => close()))
  for (const close of closers) await close()
  process.exit(0)
} catch (error) {
  const message = explain(error)
  console.error(message)
  report({ kind: 'failed', message })
  process.exit(1)
}
