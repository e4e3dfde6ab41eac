/**
 * `kinora postgres`: the embedded PostgreSQL alone, for tests, benches and developers. Prints one line of JSON,
 * `{"url":"postgres://…","clusterDir":"…","logFile":"…"}`, when it takes connections, and runs until it is told to end.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { dataDirOf, openDataDir } from './data-dir.ts'
import { type Database, openDatabase } from './database/database.ts'
import { codeOf, Refusal } from './cli-error.ts'
import type { Ending } from './shutdown.ts'

/** @returns the exit status */
export async function postgresCommand(args: string[], ending: Ending): Promise<number> {
  const options = parseOptions(args)
  const chosen = options['data-dir']
  if (chosen || !options.fast) {
    const dataDir = openDataDir(chosen ? path.resolve(chosen) : dataDirOf(process.env))
    return await runUntilEnded(dataDir, options.fast ?? false, ending)
  }
  const dataDir = openDataDir(temporaryFolder())
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  ending.onImpatience(remove)
  try {
    return await runUntilEnded(dataDir, true, ending)
  } finally {
    remove()
  }
}

async function runUntilEnded(dataDir: string, fast: boolean, ending: Ending): Promise<number> {
  const database = await openDatabase({ dataDir, command: 'kinora postgres', fast, signal: ending.signal })
  ending.onImpatience(database.kill)
  const { url, clusterDir, logFile } = database
  process.stdout.write(`${JSON.stringify({ url, clusterDir, logFile })}\n`)
  await Promise.race([ending.wished, database.ended])
  const status = ending.signal.aborted ? 0 : reportEnd(database)
  await database.stop()
  return status
}

function reportEnd(database: Database): number {
  process.stderr.write(`PostgreSQL ended by itself. Its last lines:\n  ${database.lastLines().join('\n  ')}\n`)
  return 1
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kinora-'))
  // As root, PostgreSQL runs as another user, who has to pass through.
  if (process.getuid?.() === 0) chmodSync(folder, 0o711)
  return folder
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({ args, options: { fast: { type: 'boolean' }, 'data-dir': { type: 'string' } } }).values
  } catch (error) {
    if (codeOf(error)?.startsWith('ERR_PARSE_ARGS')) {
      throw new Refusal(
        `"kinora postgres ${args.join(' ')}" is not understood: it takes --fast and --data-dir <folder>.`,
      )
    }
    throw error
  }
}
