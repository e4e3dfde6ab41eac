/**
 * Initialises a new cluster with its database. The cluster is built in a temporary folder beside its final path and
 * renamed at the end: a cluster at its final path is complete, also after an interrupted initialisation.
 */
import { spawn } from 'node:child_process'
import { closeSync, constants, fchownSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { CliError, explainFileError } from '../cli-error.ts'
import { databaseEnvironment, runAs } from './identity.ts'
import type { ClusterPaths } from './paths.ts'

/** The name of both the role and the database. */
export const DATABASE_NAME = 'kinora'

/**
 * @param fast without fsync: for tests only
 * @throws CliError with PostgreSQL's own message when it fails
 */
export async function initialiseCluster(
  paths: ClusterPaths,
  password: string,
  fast: boolean,
  signal: AbortSignal,
): Promise<void> {
  const parent = path.dirname(paths.clusterDir)
  const temporary = path.join(parent, `${path.basename(paths.clusterDir)}.new-${process.pid}`)
  try {
    mkdirSync(parent, { recursive: true, mode: 0o755 })
    removeLeftovers(paths.clusterDir)
    mkdirSync(temporary, { mode: 0o700 })
    changeOwner(paths, temporary)
    const cluster = path.join(temporary, 'cluster')
    await runInitdb(paths, cluster, writePasswordFile(paths, temporary, password), fast, signal)
    await runStatement(paths, cluster, `create database ${DATABASE_NAME}`, signal)
    renameSync(cluster, paths.clusterDir)
  } catch (error) {
    throw explainFileError(error, parent)
  } finally {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * Sets the role's password without the old one. The server must not be running.
 * @param password letters and digits only, because it is inserted into the statement
 */
export async function resetPassword(paths: ClusterPaths, password: string, signal: AbortSignal): Promise<void> {
  await runStatement(paths, paths.clusterDir, `alter role ${DATABASE_NAME} password '${password}'`, signal)
}

function removeLeftovers(clusterDir: string): void {
  const parent = path.dirname(clusterDir)
  for (const name of readdirSync(parent)) {
    if (name.startsWith(`${path.basename(clusterDir)}.new-`)) {
      rmSync(path.join(parent, name), { recursive: true, force: true })
    }
  }
}

/** chown by file descriptor, opened with O_NOFOLLOW: a symbolic link swapped in meanwhile (TOCTOU) is not followed. */
function changeOwner({ identity }: ClusterPaths, folder: string): void {
  if (!identity) return
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    fchownSync(handle, identity.uid, identity.gid)
  } finally {
    closeSync(handle)
  }
}

/** The password is passed by a file, written as the database's user: a command line is visible to every user. */
function writePasswordFile({ identity }: ClusterPaths, folder: string, password: string): string {
  const file = path.join(folder, 'password')
  const result = runAs(identity, '/bin/sh', ['-c', 'umask 077 && cat >"$0"', file], { input: password })
  if (result.status !== 0) throw initialisationError(result.stderr)
  return file
}

/**
 * The collation is PostgreSQL's built-in C.UTF-8, which sorts alike on every system. A system's own locales change with
 * its version, and a changed sort order corrupts indexes.
 */
async function runInitdb(paths: ClusterPaths, cluster: string, pwfile: string, fast: boolean, signal: AbortSignal) {
  const args = ['--pgdata', cluster, '--username', DATABASE_NAME, '--pwfile', pwfile, '--auth=scram-sha-256']
  args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  args.push('--no-instructions', ...(fast ? ['--no-sync'] : []))
  await runProgram(paths, 'initdb', args, '', signal)
}

/** One statement in PostgreSQL's single-user mode, which needs neither a port nor a password. */
async function runStatement(
  paths: ClusterPaths,
  cluster: string,
  statement: string,
  signal: AbortSignal,
): Promise<void> {
  const args = ['--single', '-D', cluster, '-c', 'exit_on_error=on', '-c', 'log_min_messages=error', 'postgres']
  await runProgram(paths, 'postgres', args, `${statement};\n`, signal)
}

/** Runs the program in its own process group, so that Ctrl-C reaches this process alone, which then kills the group. */
async function runProgram(paths: ClusterPaths, program: string, args: string[], input: string, signal: AbortSignal) {
  const child = spawn(path.join(paths.programsDir, 'bin', program), args, {
    ...paths.identity,
    cwd: '/',
    env: databaseEnvironment(),
    stdio: 'pipe',
    detached: true,
  })
  // The negative pid kills the process group, with the processes that the program has started.
  const kill = () => child.pid && process.kill(-child.pid, 'SIGKILL')
  signal.addEventListener('abort', kill)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  // EPIPE: a program that ends before it has read its input reports the reason in its output.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', resolve)
    })
    signal.throwIfAborted()
    if (status !== 0) throw initialisationError(output)
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

function initialisationError(output: string): CliError {
  if (/No space left on device/i.test(output)) {
    return new CliError(
      'The disk is full, so the database could not be created. Free some space (1 GB is a good start) and start again.',
    )
  }
  const lines = output.trim().split('\n').slice(-6).join('\n  ')
  return new CliError(`The database could not be created. PostgreSQL says:\n  ${lines}`)
}
