/**
 * `kinora postgres`: the embedded PostgreSQL alone, for tests, benchmarks and developers. When it accepts connections
 * it prints one line of JSON with the URLs of the superuser (`url`), the service and the owner; then it runs until
 * shutdown.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { errorCode, UsageError } from './cli-error.ts'
import { dataDirOf, openDataDir } from './data-dir.ts'
import { type Database, openDatabase } from './database/database.ts'
import type { Shutdown } from './shutdown.ts'

/** @returns the exit status */
export async function postgresCommand(args: string[], shutdown: Shutdown): Promise<number> {
  const options = parseOptions(args)
  const folder = options['data-dir']
  if (folder || !options.fast) {
    const dataDir = openDataDir(folder ? path.resolve(folder) : dataDirOf(process.env))
    return await runUntilShutdown(dataDir, options.fast ?? false, shutdown)
  }
  const dataDir = openDataDir(makeTemporaryFolder())
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  shutdown.onForcedExit(remove)
  try {
    return await runUntilShutdown(dataDir, true, shutdown)
  } finally {
    remove()
  }
}

async function runUntilShutdown(dataDir: string, fast: boolean, shutdown: Shutdown): Promise<number> {
  const database = await openDatabase({ dataDir, command: 'kinora postgres', fast, signal: shutdown.signal })
  shutdown.onForcedExit(database.kill)
  const { url, serviceUrl, ownerUrl, clusterDir, logFile } = database
  process.stdout.write(`${JSON.stringify({ url, serviceUrl, ownerUrl, clusterDir, logFile })}\n`)
  await Promise.race([shutdown.requested, database.ended])
  const status = shutdown.signal.aborted ? 0 : reportUnexpectedEnd(database)
  await database.stop()
  return status
}

function reportUnexpectedEnd(database: Database): number {
  process.stderr.write(`PostgreSQL ended by itself. Its last lines:\n  ${database.lastLines().join('\n  ')}\n`)
  return 1
}

function makeTemporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kinora-'))
  // When root runs Kinora, PostgreSQL runs as another user, who needs to traverse the folder.
  if (process.getuid?.() === 0) chmodSync(folder, 0o711)
  return folder
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({ args, options: { fast: { type: 'boolean' }, 'data-dir': { type: 'string' } } }).values
  } catch (error) {
    if (errorCode(error)?.startsWith('ERR_PARSE_ARGS')) {
      throw new UsageError(
        `"kinora postgres ${args.join(' ')}" is not understood: it takes --fast and --data-dir <folder>.`,
      )
    }
    throw error
  }
}
