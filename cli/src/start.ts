/**
 * `kinora start` (`npm start`): starts database, simulator, API and worker, supervises them, and stops them in reverse.
 * Settings that the operator has not made are generated once and stored in the data folder: the command alone is
 * enough.
 */
import path from 'node:path'
import { startupBanner } from './banner.ts'
import { CliError, UsageError } from './cli-error.ts'
import { dataDirOf, openDataDir } from './data-dir.ts'
import { type Database, openDatabase } from './database/database.ts'
import {
  databaseUrls,
  hasOwnDatabase,
  isProduction,
  needsSimulator,
  serverEnvironment,
  warnOfEmbeddedDatabase,
} from './environment.ts'
import { acquireLock } from './lock.ts'
import { openLogFile } from './log-file.ts'
import { freePort, listenErrorCode } from './ports.ts'
import { startServer } from './server.ts'
import type { Shutdown } from './shutdown.ts'
import { simulatorPort, startSimulator } from './simulator.ts'
import { type Supervised, supervise } from './supervise.ts'

const DEFAULT_PORT = 8080

type Services = { database: Database | null; simulator: Supervised | null; server: Supervised | null }

/** @returns the exit status: 0 after a shutdown request, 1 when a service failed for good */
export async function start(args: string[], shutdown: Shutdown): Promise<number> {
  if (args.length > 0) {
    throw new UsageError(
      `kinora start takes no arguments, and got "${args.join(' ')}". Settings are environment variables: PORT=8081 npm start`,
    )
  }
  const dataDir = openDataDir(dataDirOf(process.env))
  const release = lockDataDir(dataDir)
  const services: Services = { database: null, simulator: null, server: null }
  shutdown.onForcedExit(() => {
    services.server?.kill()
    services.simulator?.kill()
    services.database?.kill()
  })
  try {
    const started = await startServices(services, dataDir, shutdown)
    if (shutdown.signal.aborted) return 0
    process.stdout.write(bannerFor(started, dataDir, services))
    process.send?.({ kind: 'ready', url: started.url })
    return await waitForEnd(services, shutdown)
  } finally {
    await services.server?.stop()
    await services.simulator?.stop()
    await services.database?.stop()
    release()
  }
}

type Started = { url: string; operatorEnv: NodeJS.ProcessEnv; serverEnv: NodeJS.ProcessEnv }

/** Starts the simulator in parallel with the database, and the server after the database. */
async function startServices(services: Services, dataDir: string, shutdown: Shutdown): Promise<Started> {
  const operatorEnv: NodeJS.ProcessEnv = { ...process.env, PORT: String(await choosePort(process.env)) }
  const port = needsSimulator(operatorEnv) ? await simulatorPort(dataDir, false) : null
  const serverEnv = serverEnvironment(operatorEnv, {
    dataDir,
    database: null,
    simulatorPort: port,
  })
  if (port !== null) {
    const log = openLogFile(path.join(dataDir, 'logs', 'simulator.log'))
    const startOnce = (track: Parameters<typeof startServer>[1]) => startSimulator(dataDir, port, serverEnv, log, track)
    services.simulator = supervise('The simulator', startOnce, () => log.tail(8))
  }
  if (!hasOwnDatabase(operatorEnv)) {
    warnOfEmbeddedDatabase(operatorEnv)
    services.database = await openDatabase({ dataDir, command: 'kinora start', fast: false, signal: shutdown.signal })
    Object.assign(serverEnv, databaseUrls(services.database))
  }
  let url = ''
  services.server = supervise('The server', async (track) => {
    url = await startServer(serverEnv, track)
  })
  await Promise.race([Promise.all([services.server.ready, services.simulator?.ready]), shutdown.requested])
  return { url, operatorEnv, serverEnv }
}

/** Waits for a shutdown request, or for a service that failed for good. */
async function waitForEnd({ database, simulator, server }: Services, shutdown: Shutdown): Promise<number> {
  const problem = await Promise.race([
    shutdown.requested,
    server?.failed ?? shutdown.requested,
    simulator?.failed ?? shutdown.requested,
    database?.ended.then(() => databaseEnded(database)) ?? shutdown.requested,
  ])
  if (shutdown.signal.aborted || !problem) return 0
  process.stderr.write(`${problem}\n`)
  return 1
}

function databaseEnded(database: Database): string {
  return (
    `The database ended by itself, so Kinora stops; npm start begins again. Its last lines (all of them: ${database.logFile}):\n` +
    database
      .lastLines()
      .map((line) => `  ${line}`)
      .join('\n')
  )
}

function lockDataDir(dataDir: string): () => void {
  const lock = acquireLock(path.join(dataDir, 'kinora.lock'), 'npm start')
  if (!('pid' in lock)) return lock.release
  throw new CliError(
    `Kinora is already running on ${dataDir} (process ${lock.pid}). ` +
      'Stop that one first, or give this one its own folder and port: DATA_DIR=/some/folder PORT=8081 npm start',
  )
}

/**
 * Checks the port before any service starts, so that a taken port is reported at once. An invalid value is returned
 * unchanged: the server reports it together with every other wrong setting.
 * @returns the port to listen on; for `PORT=0` a free one, because the callback URL contains the port
 */
async function choosePort(env: NodeJS.ProcessEnv): Promise<number | string> {
  const wanted = env.PORT?.trim() || String(DEFAULT_PORT)
  if (!/^\d{1,5}$/.test(wanted) || Number(wanted) > 65_535) return wanted
  if (Number(wanted) === 0) return await freePort(null)
  const problem = await listenErrorCode(Number(wanted), env.HOST?.trim() || '0.0.0.0')
  if (problem === 'EADDRINUSE') {
    const other = wanted === String(DEFAULT_PORT) ? 8081 : DEFAULT_PORT
    throw new CliError(`Port ${wanted} is taken by another program. Choose another one: PORT=${other} npm start`)
  }
  if (problem === 'EACCES') {
    throw new CliError(`Port ${wanted} is not open to this user. Choose one from 1024 on: PORT=8080 npm start`)
  }
  return wanted
}

function bannerFor({ url, operatorEnv, serverEnv }: Started, dataDir: string, services: Services): string {
  return startupBanner({
    url,
    adminEmail: serverEnv.ADMIN_EMAIL ?? null,
    adminPassword: operatorEnv.ADMIN_PASSWORD?.trim() ? null : (serverEnv.ADMIN_PASSWORD ?? null),
    dataDir,
    clusterDir: services.database?.clusterDir ?? null,
    simulated: services.simulator !== null,
    production: isProduction(operatorEnv),
  })
}
