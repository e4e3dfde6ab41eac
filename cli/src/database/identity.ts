/**
 * Whom PostgreSQL runs as. It refuses to run as root, so root hands it to a user without rights; everybody else runs it
 * as themselves.
 */
import { type SpawnSyncOptions, type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { Refusal } from '../cli-error.ts'

/** null: the user of this process. */
export type Identity = { uid: number; gid: number } | null

const OWN_USER = 'kinora-postgres'

/**
 * @param clusterDir where the cluster is or will be; an existing one goes on running as its owner
 * @throws Refusal when this process may not become anybody else (a container without that right, say)
 */
export function databaseIdentity(clusterDir: string): Identity {
  if (process.getuid?.() !== 0) return null
  const owner = statSync(clusterDir, { throwIfNoEntry: false })
  const identity =
    owner && owner.uid !== 0
      ? { uid: owner.uid, gid: owner.gid }
      : (userNamed('postgres') ?? userNamed('_postgres') ?? userNamed(OWN_USER) ?? makeOwnUser() ?? userNamed('nobody'))
  if (!identity || runAs(identity, '/bin/sh', ['-c', ':']).status !== 0) {
    throw new Refusal(
      'PostgreSQL does not run as root, and this process may not start it as another user. ' +
        'Run Kinora as an ordinary user, or set DATABASE_URL to a PostgreSQL server that is already there.',
    )
  }
  return identity
}

/** Runs a short command to its end as that user, in a folder that everybody may be in, with nothing of our environment. */
export function runAs(
  identity: Identity,
  file: string,
  args: string[],
  options: Pick<SpawnSyncOptions, 'input'> = {},
): SpawnSyncReturns<string> {
  return spawnSync(file, args, { ...options, ...identity, cwd: '/', env: databaseEnvironment(), encoding: 'utf8' })
}

/** The same on every machine: without it LANG and TZ would decide about encodings, messages and time zones. */
export function databaseEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

function userNamed(name: string): Identity {
  const id = (flag: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout?.trim() || Number.NaN)
  const [uid, gid] = [id('-u'), id('-g')]
  return Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0 ? { uid, gid } : null
}

function makeOwnUser(): Identity {
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
