/**
 * `kinora api`, `worker`, `migrate`, `verify` and so on: the server's own commands, with the settings and the database
 * of `npm start`. They use the embedded PostgreSQL that is running on the data folder; when none is, they start it, and
 * stop it at their end.
 */

import { existsSync } from 'node:fs'
import { CliError } from './cli-error.ts'
import { dataDirOf, openDataDir } from './data-dir.ts'
import { hasDatabase, openDatabase, runningDatabase } from './database/database.ts'
import {
  hasOwnDatabase,
  isProduction,
  needsSimulator,
  serverEnvironment,
  warnOfEmbeddedDatabase,
} from './environment.ts'
import { spawnServer } from './server.ts'
import type { Shutdown } from './shutdown.ts'
import { simulatorPort } from './simulator.ts'

export const serverCommands = [
  'api',
  'worker',
  'migrate',
  'verify',
  'reconcile',
  'doctor',
  'reset-password',
  'promote',
  'backup',
  'restore',
  'upgrade',
  'providers',
  'catalogue',
  'costs',
  'switch',
  'files',
  'invite',
  'codes',
  'samples',
  'provenance',
] as const
export type ServerCommand = (typeof serverCommands)[number]

/** Commands that read what is there: a new, empty database would only hide that DATA_DIR is the wrong one. */
const onExistingData: ServerCommand[] = [
  'verify',
  'reset-password',
  'promote',
  'backup',
  'upgrade',
  'providers',
  'costs',
  'switch',
  'files',
  'invite',
  'codes',
  'samples',
]

/** @returns the server's exit status */
export async function runServerCommand(command: ServerCommand, shutdown: Shutdown, args: string[]): Promise<number> {
  const isOwn = hasOwnDatabase(process.env)
  const unit =
    isOwn || process.env.DATA_DIR?.trim() || hasDatabase(dataDirOf(process.env)) ? null : underSystemd(command)
  if (unit) throw new CliError(unit)
  if (!isOwn && onExistingData.includes(command) && !hasDatabase(dataDirOf(process.env))) {
    throw new CliError(`There is no database in ${dataDirOf(process.env)} yet: npm start makes it.`)
  }
  warnOfEmbeddedDatabase(process.env)
  // A check, of what an operator has set up or of a file, makes no folder and no database.
  const isCheckAlone =
    (command === 'doctor' && isProduction(process.env)) || (command === 'provenance' && args[0] === 'check')
  const dataDir = isCheckAlone ? dataDirOf(process.env) : openDataDir(dataDirOf(process.env))
  const running = isOwn ? null : runningDatabase(dataDir)
  await using stack = new AsyncDisposableStack()
  let urls = running
  if (!isOwn && !running && (!isCheckAlone || hasDatabase(dataDir))) {
    const database = await openDatabase({ dataDir, command: `kinora ${command}`, fast: false, signal: shutdown.signal })
    shutdown.onForcedExit(database.kill)
    stack.defer(database.stop)
    urls = database
  }
  const port = needsSimulator(process.env) ? await simulatorPort(dataDir, isOwn || running !== null) : null
  const env = serverEnvironment(process.env, { dataDir, database: urls, simulatorPort: port })
  if (isCheckAlone && !process.env.NODE_COMPILE_CACHE) delete env.NODE_COMPILE_CACHE
  const child = spawnServer(command, env, args)
  shutdown.onForcedExit(child.kill)
  await Promise.race([child.ended, shutdown.requested])
  await child.stop()
  return child.exitCode() ?? 1
}

/**
 * How to run a command with the settings of the systemd units, which only root can read: they are in no shell's
 * environment.
 * @returns null where no units are set up
 */
export function underSystemd(command: ServerCommand, settings = '/etc/kinora/kinora.env'): string | null {
  if (!existsSync(settings)) return null
  return (
    `DATABASE_URL is not set here: the settings of the systemd units are in ${settings}. Run as root:\n` +
    `systemd-run --pipe --wait --collect -p User=kinora -p EnvironmentFile=${settings} ` +
    `-p WorkingDirectory=/opt/kinora/current /opt/kinora/current/node_modules/.bin/node server/main.mjs ${command}`
  )
}
