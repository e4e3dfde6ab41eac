/**
 * The operating system user that PostgreSQL runs as. PostgreSQL refuses to run as root, so root starts it as an
 * unprivileged user; every other user starts it as themselves.
 */
import { type SpawnSyncOptions, type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { CliError } from '../cli-error.ts'

/** The user and group id; null: those of this process. */
export type Identity = { uid: number; gid: number } | null

const OWN_USER = 'kinora-postgres'

/**
 * @param clusterDir where the cluster is or will be; an existing one keeps running as its owner
 * @throws CliError when root may not start processes as another user, as in a container without CAP_SETUID
 */
export function databaseIdentity(clusterDir: string): Identity {
  if (process.getuid?.() !== 0) return null
  const owner = statSync(clusterDir, { throwIfNoEntry: false })
  const identity =
    owner && owner.uid !== 0
      ? { uid: owner.uid, gid: owner.gid }
      : (userNamed('postgres') ??
        userNamed('_postgres') ??
        userNamed(OWN_USER) ??
        createOwnUser() ??
        userNamed('nobody'))
  if (!identity || runAs(identity, '/bin/sh', ['-c', ':']).status !== 0) {
    throw new CliError(
      'PostgreSQL does not run as root, and this process may not start it as another user. ' +
        'Run Kinora as an ordinary user, or set DATABASE_URL to a PostgreSQL server that is already there.',
    )
  }
  return identity
}

/** Runs a short command as that user, in `/`, which every user may enter, and without this process's environment. */
export function runAs(
  identity: Identity,
  file: string,
  args: string[],
  options: Pick<SpawnSyncOptions, 'input'> = {},
): SpawnSyncReturns<string> {
  return spawnSync(file, args, { ...options, ...identity, cwd: '/', env: databaseEnvironment(), encoding: 'utf8' })
}

/** A fixed environment: LANG and TZ of the machine would change encodings, messages and time zones. */
export function databaseEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

function userNamed(name: string): Identity {
  const id = (flag: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout?.trim() || Number.NaN)
  const [uid, gid] = [id('-u'), id('-g')]
  return Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0 ? { uid, gid } : null
}

function createOwnUser(): Identity {
  const attempts: [string, string[]][] = [
    [
      'useradd',
      ['--system', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin', OWN_USER],
    ],
    ['adduser', ['--system', '--group', '--no-create-home', '--home', '/nonexistent', OWN_USER]],
  ]
  for (const [command, args] of attempts) {
    if (spawnSync(command, args, { stdio: 'ignore' }).status === 0) return userNamed(OWN_USER)
  }
  return null
}
