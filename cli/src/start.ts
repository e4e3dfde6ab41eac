/**
 * `kinora start` (`npm start`): database, simulator, API and worker in one go, ended in reverse. What is not set is made up
 * once and kept in the data folder, so that a stranger needs nothing but the command.
 */
import path from 'node:path'
import { dataDirOf, openDataDir } from './data-dir.ts'
import { type Database, openDatabase } from './database/database.ts'
import { isProduction, needsSimulator, serverEnvironment } from './environment.ts'
import { firstSteps } from './banner.ts'
import { takeLock } from './lock.ts'
import { openLogFile } from './log-file.ts'
import { freePort, portProblem } from './ports.ts'
import { Refusal } from './cli-error.ts'
import { startServer } from './server.ts'
import type { Ending } from './shutdown.ts'
import { simulatorPort, startSimulator } from './simulator.ts'
import { type Supervised, supervise } from './supervise.ts'

const DEFAULT_PORT = 8080

const EMBEDDED_IN_PRODUCTION =
  'DATABASE_URL is not set: the books are kept in the embedded PostgreSQL, on this machine alone. Back up DATA_DIR, ' +
  'or set DATABASE_URL to a server that is backed up.\n'

type Parts = { database: Database | null; simulator: Supervised | null; server: Supervised | null }

/** @returns the exit status: 0 when it was asked to end */
export async function start(_args: string[], ending: Ending): Promise<number> {
  const dataDir = openDataDir(dataDirOf(process.env))
  const release = lockDataDir(dataDir)
  const parts: Parts = { database: null, simulator: null, server: null }
  ending.onImpatience(() => {
    parts.server?.kill()
    parts.simulator?.kill()
    parts.database?.kill()
  })
  try {
    const env = await startParts(parts, dataDir, ending)
    if (ending.signal.aborted) return 0
    process.stdout.write(welcome(env.url, env.given, env.made, dataDir, parts))
    process.send?.({ kind: 'ready', url: env.url })
    return await untilEnd(parts, ending)
  } finally {
    await parts.server?.stop()
    await parts.simulator?.stop()
    await parts.database?.stop()
    release()
  }
}

type Environments = { url: string; given: NodeJS.ProcessEnv; made: NodeJS.ProcessEnv }

/** The simulator comes up while the database does; the server needs the database. */
async function startParts(parts: Parts, dataDir: string, ending: Ending): Promise<Environments> {
  const given: NodeJS.ProcessEnv = { ...process.env, PORT: String(await choosePort(process.env)) }
  const port = needsSimulator(given) ? await simulatorPort(dataDir, false) : null
  const made = serverEnvironment(given, { dataDir, databaseUrl: given.DATABASE_URL ?? '', simulatorPort: port })
  if (port !== null) {
    const log = openLogFile(path.join(dataDir, 'logs', 'simulator.log'))
    const begin = (track: Parameters<typeof startServer>[1]) => startSimulator(dataDir, port, made, log, track)
    parts.simulator = supervise('The simulator', begin, () => log.tail(8))
  }
  if (!given.DATABASE_URL?.trim()) {
    if (isProduction(given)) process.stdout.write(EMBEDDED_IN_PRODUCTION)
    parts.database = await openDatabase({ dataDir, command: 'kinora start', fast: false, signal: ending.signal })
    made.DATABASE_URL = parts.database.url
  }
  let url = ''
  parts.server = supervise('The server', async (track) => {
    url = await startServer(made, track)
  })
  await Promise.race([Promise.all([parts.server.ready, parts.simulator?.ready]), ending.wished])
  return { url, given, made }
}

/** Waits for the wish to end, or for a part without which nothing goes on. */
async function untilEnd({ database, simulator, server }: Parts, ending: Ending): Promise<number> {
  const problem = await Promise.race([
    ending.wished,
    server?.givenUp ?? ending.wished,
    simulator?.givenUp ?? ending.wished,
    database?.ended.then(() => databaseEnded(database)) ?? ending.wished,
  ])
  if (ending.signal.aborted || !problem) return 0
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
  const lock = takeLock(path.join(dataDir, 'kinora.lock'), 'npm start')
  if (!('pid' in lock)) return lock.release
  throw new Refusal(
    `Kinora is already running on ${dataDir} (process ${lock.pid}). ` +
      'Stop that one first, or give this one its own folder and port: DATA_DIR=/some/folder PORT=8081 npm start',
  )
}

/**
 * Asked before anything is started, so that a taken port costs no waiting; the server has the last word.
 * @returns the port to listen on; for `PORT=0` a free one, because the callback address has to name it
 */
async function choosePort(env: NodeJS.ProcessEnv): Promise<number | string> {
  const wanted = env.PORT?.trim() || String(DEFAULT_PORT)
  // The server names this and every other wrong setting.
  if (!/^\d{1,5}$/.test(wanted) || Number(wanted) > 65_535) return wanted
  if (Number(wanted) === 0) return await freePort(null)
  const problem = await portProblem(Number(wanted), env.HOST?.trim() || '0.0.0.0')
  if (problem === 'EADDRINUSE') {
    const other = wanted === String(DEFAULT_PORT) ? 8081 : DEFAULT_PORT
    throw new Refusal(`Port ${wanted} is taken by another program. Choose another one: PORT=${other} npm start`)
  }
  if (problem === 'EACCES') {
    throw new Refusal(`Port ${wanted} is not open to this user. Choose one from 1024 on: PORT=8080 npm start`)
  }
  return wanted
}

function welcome(
  url: string,
  given: NodeJS.ProcessEnv,
  made: NodeJS.ProcessEnv,
  dataDir: string,
  parts: Parts,
): string {
  return firstSteps({
    url,
    adminEmail: made.ADMIN_EMAIL ?? null,
    adminPassword: given.ADMIN_PASSWORD?.trim() ? null : (made.ADMIN_PASSWORD ?? null),
    dataDir,
    clusterDir: parts.database?.clusterDir ?? null,
    simulated: parts.simulator !== null,
    production: isProduction(given),
  })
}
