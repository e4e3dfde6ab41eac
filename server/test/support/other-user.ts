/**
 * Starts programs of the checkout as another user than root, for tests that root runs. Where that user may not enter a
 * folder above the checkout, such as root's home of mode 0700, the program starts in a mount namespace of its own:
 * there an empty folder of mode 0755 covers the closed one, and holds the checkout alone, at its usual path.
 */
import { spawnSync } from 'node:child_process'
import { realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from '../../src/media/sandbox/launch.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')

/** Code, libraries and Node; and the temporary files that the payload tries to reach, uncovered. */
const needed = [
  repository,
  realpathSync(path.join(repository, 'node_modules')),
  path.dirname(process.execPath),
  realpathSync(tmpdir()),
]

/** The topmost folder above each needed one that another user may not enter. */
const closed = [...new Set(needed.flatMap((folder) => ancestors(folder).find((each) => !allows(each, 0o001)) ?? []))]
const kept = needed.filter((folder) => closed.some((each) => folder.startsWith(`${each}/`)))

/** Arguments: the kept folders, `--`, the closed folders, `--`, the command. Every Linux has /sys to mount on. */
const COVER_SCRIPT = `
set -e
umask 022
mount -t tmpfs none /sys
while [ "$1" != -- ]; do
  mkdir -p "/sys$1"
  mount --rbind "$1" "/sys$1"
  shift
done
shift
while [ "$1" != -- ]; do
  mount --rbind "/sys$1" "$1"
  shift
done
shift
umount -R /sys
exec "$@"`

/** @returns the command for spawn; setpriv takes on the identity, because only root may mount the cover */
export function reachable({ file, args, identity }: Command): Command {
  if (closed.length === 0) return { file, args, identity }
  const command = [...asUser(identity), file, ...args]
  return {
    file: 'unshare',
    args: ['--mount', '/bin/sh', '-c', COVER_SCRIPT, 'sh', ...kept, '--', ...closed, '--', ...command],
    identity: {},
  }
}

/** Runs Node to its end as another user. */
export function runAsOtherUser(nodeArgs: string[]): { status: number | null; stdout: string; stderr: string } {
  return run(reachable({ file: process.execPath, args: nodeArgs, identity: otherUser }))
}

/** Why this machine cannot start a program of the checkout as another user, by the smallest command that has to. */
export function whyNoOtherUser(): string | null {
  if (!allows(repository, 0o005)) return `only their owner may read the files of ${repository}`
  const script = `mount -t tmpfs none /sys && exec ${asUser(otherUser).join(' ')} true`
  const { status, error, stderr } = run(
    closed.length === 0
      ? { file: 'true', args: [], identity: otherUser }
      : { file: 'unshare', args: ['--mount', '/bin/sh', '-c', script], identity: {} },
  )
  return status === 0 ? null : (error?.message ?? stderr.trim())
}

const otherUser = { uid: 60_001, gid: 60_001 }

const asUser = ({ uid, gid }: Command['identity']) => ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']

const run = ({ file, args, identity }: Command) =>
  spawnSync(file, args, { ...identity, cwd: '/', env: {}, encoding: 'utf8' })

/** The folders from the root down, without the folder itself. */
function ancestors(folder: string): string[] {
  const above = path.dirname(folder)
  return above === folder ? [] : [...ancestors(above), above]
}

function allows(folder: string, mode: number): boolean {
  return (statSync(folder).mode & mode) === mode
}
