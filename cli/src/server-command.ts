/**
 * `kinora api`, `worker`, `migrate` and `verify`: the server's own commands, with the settings and the database that
 * `npm start` would give them. A database that runs already is used; else the embedded one runs for as long as they do.
 */
import { dataDirOf, openDataDir } from './data-dir.ts'
import { hasDatabase, openDatabase, runningDatabase } from './database/database.ts'
import { needsSimulator, serverEnvironment } from './environment.ts'
import { Refusal } from './cli-error.ts'
import { spawnServer } from './server.ts'
import type { Ending } from './shutdown.ts'
import { simulatorPort } from './simulator.ts'

/** @returns the server's exit status */
export async function serverPart(command: 'api' | 'worker' | 'migrate' | 'verify', ending: Ending): Promise<number> {
  const given = process.env.DATABASE_URL?.trim()
  if (!given && command === 'verify' && !hasDatabase(dataDirOf(process.env))) {
    throw new Refusal(`There are no books to verify in ${dataDirOf(process.env)} yet: npm start makes them.`)
  }
  const dataDir = openDataDir(dataDirOf(process.env))
  const running = given || runningDatabase(dataDir)
  await using stack = new AsyncDisposableStack()
  let databaseUrl = running
  if (!databaseUrl) {
    const database = await openDatabase({ dataDir, command: `kinora ${command}`, fast: false, signal: ending.signal })
    ending.onImpatience(database.kill)
    stack.defer(database.stop)
    databaseUrl = database.url
  }
  const port = needsSimulator(process.env) ? await simulatorPort(dataDir, Boolean(running)) : null
  const env = serverEnvironment(process.env, { dataDir, databaseUrl, simulatorPort: port })
  const child = spawnServer(command, env)
  ending.onImpatience(child.kill)
  await Promise.race([child.ended, ending.wished])
  await child.stop()
  return child.exitCode() ?? 1
}
