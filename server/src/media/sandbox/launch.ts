/**
 * Ways to start the inspecting child, from the strongest to the weakest. Node has neither setrlimit nor unshare, so a
 * shell and the programs of util-linux set up what the kernel enforces. sandbox.ts finds out by trying which way this
 * machine has.
 */
import { randomInt } from 'node:crypto'
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { release } from 'node:os'
import path from 'node:path'
import { mediaDir } from '../../config/package-dir.ts'

export type LaunchKind = 'namespaces' | 'user' | 'plain'

export type Launch = {
  kind: LaunchKind
  /** @returns what spawn needs to run `command` (absolute path and arguments) */
  commandOf: (command: string[], limits: { memoryMaxBytes: number; cpuMaxS: number }) => Command
}

export type Command = { file: string; args: string[]; identity: { uid?: number; gid?: number } }

/**
 * V8 reserves this much for machine code at start-up. It counts as data although hardly any of it is touched, so a data
 * limit (`ulimit -d`) without this allowance would stop Node itself.
 */
const V8_CODE_RANGE_BYTES = 512 * 1024 * 1024
/** Processes and threads of the child's user: decoders have up to 16 threads, Node has 8. */
export const PROCESSES_MAX = 128
/**
 * The range that systemd reserves for transient users, so no account has such an id; it also exists in containers whose
 * ids end at 65536. Each child takes one at random: one child's processes are not limited by, nor visible to,
 * another's.
 */
const FIRST_USER = 61_184
const LAST_USER = 65_519

/**
 * Limits that the kernel enforces: no core dump, open files, 2 MB of stack a thread (the default of 8 MB for each of up
 * to 16 decoder threads would count as data), data, and CPU time (soft limit SIGXCPU, which names the reason; one
 * second later SIGKILL). A limit that is already lower stays. `oom_score_adj` makes the OOM killer choose the child,
 * not the server.
 */
const LIMITS_SCRIPT = `
for limit in "-c 0" "-n 256" "-s 2048" "-d $1" "-S -t $2" "-H -t $(($2 + 1))"; do ulimit $limit 2>/dev/null || :; done
echo 1000 2>/dev/null >/proc/self/oom_score_adj || :
shift 2
exec "$@"`

/** No byte is written to any file. */
const NO_WRITE_SCRIPT = 'ulimit -f 0 2>/dev/null || :'

/** The limit on processes counts those of the user, so it is for a user without others only. dash names it -p. */
const PROCESSES_SCRIPT = `ulimit -u ${PROCESSES_MAX} 2>/dev/null || ulimit -p ${PROCESSES_MAX} 2>/dev/null || :`

/** Covers this folder, which every Linux has, with the child's root folder; only its own mount namespace sees that. */
const NEW_ROOT = '/sys'

/**
 * Builds the new root from a list of mounts (fstab) and links, and runs the command in it without privileges. The
 * service's own umask would hide the folders of the root from the child's user. The shell stays as process 1 of the
 * namespace: process 1 would ignore SIGXCPU, and the child's status becomes the shell's, 128 and the signal's number
 * after a signal.
 */
const ROOT_SCRIPT = `
set -e
umask 022
mount -t tmpfs -o size=256k,mode=755,nosuid,nodev,noexec none ${NEW_ROOT}
printf '%s\\n' "$1" >${NEW_ROOT}/fstab
mount -a -T ${NEW_ROOT}/fstab
[ -z "$2" ] || ln -s $2 ${NEW_ROOT}
mount -o remount,bind,ro ${NEW_ROOT}
${NO_WRITE_SCRIPT}
[ -z "$4" ] || ${PROCESSES_SCRIPT}
identity=$3
shift 4
chroot ${NEW_ROOT} /usr/bin/setpriv $identity --inh-caps=-all --bounding-set=-all --no-new-privs "$@"
exit $?`

/** @returns the ways to try on this system, the strongest first */
export function launchesToTry(): Launch[] {
  const isRoot = process.getuid?.() === 0
  const plain: Launch = {
    kind: 'plain',
    commandOf: (command, limits) => withLimits(afterScript(NO_WRITE_SCRIPT, command), limits, {}),
  }
  if (process.platform !== 'linux') return [plain]
  return [namespaces(isRoot), ...(isRoot ? [otherUser] : []), plain]
}

/**
 * Folders that the child reads: its code and libraries. Also the folders above a symbolic link to one, because Node's
 * permission model checks the path as written and the real one.
 */
export function readableFolders(): string[] {
  const found = new Set([mediaDir])
  for (let folder = mediaDir; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const modules = path.join(folder, 'node_modules')
    if (existsSync(modules)) found.add(modules).add(realpathSync(modules))
  }
  return [...found]
}

function withLimits(
  command: string[],
  { memoryMaxBytes, cpuMaxS }: Parameters<Launch['commandOf']>[1],
  identity: Command['identity'],
): Command {
  const dataKilobytes = Math.ceil((V8_CODE_RANGE_BYTES + memoryMaxBytes) / 1024)
  return { file: '/bin/sh', args: ['-c', LIMITS_SCRIPT, 'sh', `${dataKilobytes}`, `${cpuMaxS}`, ...command], identity }
}

const afterScript = (script: string, command: string[]): string[] => [
  ...['/bin/sh', '-c', `${script}\nexec "$@"`, 'sh'],
  ...command,
]

/** Another user alone: without the right to make namespaces, as root in most containers. */
const otherUser: Launch = {
  kind: 'user',
  commandOf: (command, limits) => {
    const uid = randomInt(FIRST_USER, LAST_USER + 1)
    return withLimits(afterScript(`${NO_WRITE_SCRIPT}\n${PROCESSES_SCRIPT}`, command), limits, { uid, gid: uid })
  },
}

/**
 * Namespaces of mounts, network, processes, IPC and host name; started by root with another user, otherwise in a user
 * namespace, in which the child has no privileges either. The root folder has /usr and the child's code, read-only, and
 * no /proc.
 */
function namespaces(isRoot: boolean): Launch {
  const own = ['--mount', '--net', '--pid', '--ipc', '--uts', '--fork', '--kill-child']
  const unshare = ['unshare', ...(isRoot ? [] : ['--user', '--map-root-user']), ...own]
  const { fstab, links } = rootFolder()
  // An older kernel counts the processes of the server's user everywhere, and would refuse the child's when they are
  // many.
  const countsApart = isRoot || kernelIsAtLeast(5, 14)
  return {
    kind: 'namespaces',
    commandOf: (command, limits) => {
      const uid = randomInt(FIRST_USER, LAST_USER + 1)
      const identity = isRoot ? `--reuid=${uid} --regid=${uid} --clear-groups` : ''
      const script = ['/bin/sh', '-c', ROOT_SCRIPT, 'sh', fstab, links, identity, countsApart ? 'limit' : '']
      return withLimits([...unshare, ...script, ...command], limits, {})
    },
  }
}

function rootFolder(): { fstab: string; links: string } {
  const system = ['/lib', '/lib32', '/lib64', '/bin', '/sbin'].filter((folder) => existsSync(folder))
  const isLink = (folder: string) => lstatSync(folder).isSymbolicLink()
  const bound = ['/usr', ...system.filter((folder) => !isLink(folder)), path.dirname(realpathSync(process.execPath))]
  const outside = [...new Set([...bound, path.dirname(process.execPath), ...readableFolders()])]
    .sort()
    .filter((folder, at, all) => !all.slice(0, at).some((above) => folder.startsWith(`${above}/`)))
  const lines = outside.map(
    (folder) => `${escaped(folder)} ${escaped(NEW_ROOT + folder)} none rbind,ro,nosuid,nodev,X-mount.mkdir 0 0`,
  )
  return {
    fstab: lines.join('\n'),
    // Each is a link of its own name to a folder of that name: lib to usr/lib.
    links: system
      .filter(isLink)
      .map((folder) => readlinkSync(folder))
      .join(' '),
  }
}

function kernelIsAtLeast(major: number, minor: number): boolean {
  const [ofMajor = 0, ofMinor = 0] = release().split('.').map(Number)
  return ofMajor > major || (ofMajor === major && ofMinor >= minor)
}

/** fstab writes spaces and backslashes as octal numbers. */
const escaped = (folder: string): string =>
  folder.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)
