/**
 * Makes a new cluster with its database. All of it happens in a folder beside the cluster's place, which is renamed at the
 * end: a cluster that stands in its place is a whole one, whenever the making of it was cut short.
 */
import { spawn } from 'node:child_process'
import { closeSync, constants, fchownSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { explainFileError, Refusal } from '../refusal.ts'
import { databaseEnvironment, runAs } from './identity.ts'
import type { Place } from './place.ts'

/** The name of both the role and the database. */
export const DATABASE_NAME = 'kinora'

/**
 * @param fast leaves out the waiting for the disk: for tests only
 * @throws Refusal with PostgreSQL's own words when it fails
 */
export async function initialise(place: Place, password: string, fast: boolean, signal: AbortSignal): Promise<void> {
  const parent = path.dirname(place.clusterDir)
  const draft = path.join(parent, `${path.basename(place.clusterDir)}.new-${process.pid}`)
  try {
    mkdirSync(parent, { recursive: true, mode: 0o755 })
    removeLeftovers(place.clusterDir)
    mkdirSync(draft, { mode: 0o700 })
    giveTo(place, draft)
    const cluster = path.join(draft, 'cluster')
    await runInitdb(place, cluster, passwordFile(place, draft, password), fast, signal)
    signal.throwIfAborted()
    runStatement(place, cluster, `create database ${DATABASE_NAME}`)
    renameSync(cluster, place.clusterDir)
  } catch (error) {
    throw explainFileError(error, parent)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * Gives the role another password without knowing the old one; the server must not be running.
 * @param password letters and digits only
 */
export function resetPassword(place: Place, password: string): void {
  runStatement(place, place.clusterDir, `alter role ${DATABASE_NAME} password '${password}'`)
}

function removeLeftovers(clusterDir: string): void {
  const parent = path.dirname(clusterDir)
  for (const name of readdirSync(parent)) {
    if (name.startsWith(`${path.basename(clusterDir)}.new-`)) {
      rmSync(path.join(parent, name), { recursive: true, force: true })
    }
  }
}

/** Through an open handle that follows no link, so that nobody can slip another folder in between. */
function giveTo({ identity }: Place, folder: string): void {
  if (!identity) return
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    fchownSync(handle, identity.uid, identity.gid)
  } finally {
    closeSync(handle)
  }
}

/** A file that the database's user writes itself, because a command line would show the password to everybody. */
function passwordFile({ identity }: Place, folder: string, password: string): string {
  const file = path.join(folder, 'password')
  const written = runAs(identity, '/bin/sh', ['-c', 'umask 077 && cat >"$0"', file], { input: password })
  if (written.status !== 0) throw failure('The password of the new database could not be written', written.stderr)
  return file
}

/**
 * The collation is PostgreSQL's own C.UTF-8: the same order on every system, where the system's locales change
 * with its version and corrupt indexes by it.
 */
async function runInitdb(place: Place, cluster: string, pwfile: string, fast: boolean, signal: AbortSignal) {
  const args = ['--pgdata', cluster, '--username', DATABASE_NAME, '--pwfile', pwfile, '--auth=scram-sha-256']
  args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  args.push('--no-instructions', ...(fast ? ['--no-sync'] : []))
  const child = spawn(path.join(place.programs, 'bin/initdb'), args, {
    ...place.identity,
    cwd: '/',
    env: databaseEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const stop = () => child.kill('SIGKILL')
  signal.addEventListener('abort', stop)
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk))
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', resolve)
    })
    signal.throwIfAborted()
    if (status !== 0) throw failure('The new database could not be made', said)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** One statement in PostgreSQL's single-user mode, which needs neither a port nor a password. */
function runStatement(place: Place, cluster: string, statement: string): void {
  const args = ['--single', '-D', cluster, '-c', 'exit_on_error=on', '-c', 'log_min_messages=error', 'postgres']
  const run = runAs(place.identity, path.join(place.programs, 'bin/postgres'), args, { input: `${statement};\n` })
  if (run.status !== 0) throw failure('The database could not be prepared', run.stderr || String(run.error))
}

function failure(what: string, said: string): Refusal {
  if (/No space left on device/i.test(said)) {
    return new Refusal(`${what}: the disk is full. Free some space (1 GB is a good start) and start again.`)
  }
  const lines = said.trim().split('\n').slice(-6).join('\n  ')
  return new Refusal(`${what}. PostgreSQL says:\n  ${lines}`)
}
