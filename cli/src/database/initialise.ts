/**
 * Makes a new cluster with its database. All of it happens in a folder beside the cluster's place, which is renamed at the
 * end: a cluster that stands in its place is a whole one, whenever the making of it was cut short.
 */
import { spawn } from 'node:child_process'
import { closeSync, constants, fchownSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { explainFileError, Refusal } from '../cli-error.ts'
import { databaseEnvironment, runAs } from './identity.ts'
import type { Place } from './paths.ts'

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
    await runStatement(place, cluster, `create database ${DATABASE_NAME}`, signal)
    renameSync(cluster, place.clusterDir)
  } catch (error) {
    throw explainFileError(error, parent)
  } finally {
    rmSync(draft, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * Gives the role another password without knowing the old one; the server must not be running.
 * @param password letters and digits only
 */
export async function resetPassword(place: Place, password: string, signal: AbortSignal): Promise<void> {
  await runStatement(place, place.clusterDir, `alter role ${DATABASE_NAME} password '${password}'`, signal)
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
  if (written.status !== 0) throw failure(written.stderr)
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
  await runProgram(place, 'initdb', args, '', signal)
}

/** One statement in PostgreSQL's single-user mode, which needs neither a port nor a password. */
async function runStatement(place: Place, cluster: string, statement: string, signal: AbortSignal): Promise<void> {
  const args = ['--single', '-D', cluster, '-c', 'exit_on_error=on', '-c', 'log_min_messages=error', 'postgres']
  await runProgram(place, 'postgres', args, `${statement};\n`, signal)
}

/** Out of the terminal's reach: Ctrl-C is answered here, not by a program in the middle of its work. */
async function runProgram(place: Place, program: string, args: string[], input: string, signal: AbortSignal) {
  const child = spawn(path.join(place.programs, 'bin', program), args, {
    ...place.identity,
    cwd: '/',
    env: databaseEnvironment(),
    stdio: 'pipe',
    detached: true,
  })
  // With the programs that it has started in turn.
  const stop = () => child.pid && process.kill(-child.pid, 'SIGKILL')
  signal.addEventListener('abort', stop)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
  // A program that ends before it has read its input says why in another place.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', resolve)
    })
    signal.throwIfAborted()
    if (status !== 0) throw failure(said)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function failure(said: string): Refusal {
  if (/No space left on device/i.test(said)) {
    return new Refusal(
      'The disk is full, so the database could not be made. Free some space (1 GB is a good start) and start again.',
    )
  }
  const lines = said.trim().split('\n').slice(-6).join('\n  ')
  return new Refusal(`The database could not be made. PostgreSQL says:\n  ${lines}`)
}
