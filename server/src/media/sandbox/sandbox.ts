/**
 * The walls around the inspecting child. Which of them this machine can put up is found out by trying: a probing child is
 * started in each way, the strongest first, tries every way out with native calls, and decodes an image and a film.
 */
import { mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { parseReply, runChild, type Walls } from '../child-process.ts'
import { type LaunchKind, launchesToTry, PROCESSES_MAX } from './launch.ts'
import { type ProbeReply, type Targets, type WayOut, waysOut } from './ways-out.ts'

export type SandboxMode = 'auto' | 'required' | 'off'

/** The state of one wall, for the operator: `remedy` says what to do where it does not stand. */
export type Wall = { name: string; stands: boolean; remedy: string }

export type Sandbox = {
  walls: Walls
  /** What the probing child found; null in mode `off` and where no probe succeeded. */
  probe: ProbeReply | null
  /** Why the stronger ways did not work, one sentence each. */
  problems: string[]
}

const limits = {
  sidePixelsMax: 64,
  pixelsMax: 4096,
  durationMaxS: 10,
  memoryMaxBytes: 768 * 1024 * 1024,
  cpuMaxS: 10,
  // On a machine under load a weaker sandbox must not be the result.
  timeoutMs: 60_000,
}

const FOLDER_PREFIX = 'kinora-probe-'
/** A probe takes seconds. */
const STALE_MS = 3_600_000

const attempts = Type.Object(
  Object.fromEntries(Object.keys(waysOut).map((way) => [way, Type.Integer({ minimum: 0 })])) as Record<
    WayOut,
    ReturnType<typeof Type.Integer>
  >,
)
const limit = Type.Union([Type.Number(), Type.Null()])
const probeReply = Type.Object({
  pid: Type.Integer(),
  uid: Type.Integer(),
  limits: Type.Object({ dataBytes: limit, cpuS: limit, openFiles: limit, processes: limit }),
  noNewPrivileges: Type.Boolean(),
  seccomp: Type.Boolean(),
  before: attempts,
  after: attempts,
  ioUring: Type.Integer({ minimum: 0 }),
  decoded: Type.Object({ image: Type.Literal(64), film: Type.Literal(4096) }),
})

let mode: SandboxMode = 'auto'
let current: Promise<Sandbox> | null = null

/** Sets the mode before the first inspection; `required` is enforced by the caller of `openSandbox`. */
export function setSandboxMode(next: SandboxMode): void {
  mode = next
  current = null
}

/** The walls of this machine, found out once in each process. */
export function openSandbox(): Promise<Sandbox> {
  current ??= mode === 'off' ? Promise.resolve(withoutWalls([])) : findSandbox()
  return current
}

export const sandboxWalls = async (): Promise<Walls> => (await openSandbox()).walls

/** The ways out that stayed open, as words; every one where nothing could be tried. */
export function openWays({ probe }: Sandbox): string[] {
  return (Object.keys(waysOut) as WayOut[]).filter((way) => (probe?.after[way] ?? 0) === 0).map((way) => waysOut[way])
}

async function findSandbox(): Promise<Sandbox> {
  const problems: string[] = []
  for (const seccomp of process.platform === 'linux' ? [true, false] : [false]) {
    for (const launch of launchesToTry()) {
      const walls = { launch, seccomp }
      try {
        return { walls, probe: await tryWalls(walls), problems }
      } catch (error) {
        problems.push(`${launchNames[launch.kind]}${seccomp ? ' with seccomp' : ''}: ${(error as Error).message}`)
      }
    }
  }
  return withoutWalls(problems)
}

/** The last of the ways is the plain one. */
function withoutWalls(problems: string[]): Sandbox {
  const launch = launchesToTry().at(-1)
  if (!launch) throw new Error('There is no way to start an inspection.')
  return { walls: { launch, seccomp: false }, probe: null, problems }
}

const launchNames: Record<LaunchKind, string> = {
  namespaces: 'namespaces',
  user: 'another user',
  plain: 'no namespaces',
}

/**
 * Starts the probing child behind the walls.
 * @throws Error when the child cannot be started so, or cannot decode
 */
export async function tryWalls(walls: Walls): Promise<ProbeReply> {
  await removeStaleFolders()
  const dir = await mkdtemp(path.join(tmpdir(), FOLDER_PREFIX))
  const secretFile = path.join(dir, 'secret')
  const server = createServer((socket) => socket.destroy())
  try {
    await writeFile(secretFile, 'secret', { mode: 0o600 })
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const targets: Targets = { secretFile, newFile: path.join(dir, 'new'), serverPid: process.pid, port }
    await using handle = await open(secretFile, 'r')
    const inspection = {
      script: 'sandbox/probe-child',
      limits: { ...limits, targets },
      replyMaxBytes: 64 * 1024,
      refused: (code: string, cause: string) => new Error(`decoding failed (${code}, ${cause})`),
    }
    const { line } = parseReply(await runChild(handle.fd, inspection, { walls }))
    if (!Check(probeReply, line)) throw new Error('its reply has another shape')
    return line
  } finally {
    server.close()
    await rm(dir, { recursive: true, force: true })
  }
}

/** Removes the folders of processes that were killed during their probe. Those of other users stay. */
async function removeStaleFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(FOLDER_PREFIX)) continue
    const dir = path.join(tmpdir(), name)
    const { mtimeMs } = await stat(dir).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > STALE_MS) await rm(dir, { recursive: true, force: true }).catch(() => {})
  }
}

/** Every wall and its state, for `kinora doctor` and the log. */
export function describeWalls({ walls, probe }: Sandbox): Wall[] {
  const isRoot = process.getuid?.() === 0
  const { launch } = walls
  const inNamespaces = launch.kind === 'namespaces'
  const allow =
    'allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; ' +
    'in a container a seccomp profile that allows unshare and mount), and install util-linux'
  const hasLimits = (names: (keyof ProbeReply['limits'])[]) => names.every((name) => probe?.limits[name] != null)
  return [
    {
      name: 'another user',
      stands: probe !== null && probe.uid !== process.getuid?.() && isRoot,
      remedy: isRoot
        ? 'install Kinora in a folder that every user may enter, as the folders above it, and allow CAP_SETUID'
        : 'start as root, which the child is not; a user namespace is as good',
    },
    {
      name: isRoot
        ? 'namespaces of mounts, network and processes'
        : 'namespaces of users, mounts, network and processes',
      stands: inNamespaces,
      remedy: isRoot ? 'allow CAP_SYS_ADMIN, and install util-linux (unshare, setpriv)' : allow,
    },
    { name: 'no /proc of other processes', stands: (probe?.before.readEnvironment ?? 0) > 0, remedy: 'as above' },
    {
      name: 'no_new_privs',
      stands: probe?.noNewPrivileges ?? false,
      remedy: 'Linux on x64 or arm64, and "npm ci" with optional packages',
    },
    {
      name: 'seccomp filter',
      stands: probe?.seccomp ?? false,
      remedy: 'Linux on x64 or arm64, and "npm ci" with optional packages',
    },
    {
      name: 'limits on memory, CPU time and open files',
      // Elsewhere than on Linux the child cannot read them.
      stands: process.platform !== 'linux' || hasLimits(['dataBytes', 'cpuS', 'openFiles']),
      remedy: 'a /bin/sh with ulimit',
    },
    {
      name: 'limit on processes',
      stands: (probe?.limits.processes ?? Number.POSITIVE_INFINITY) <= PROCESSES_MAX,
      remedy: 'as for another user or namespaces, with Linux 5.14 or newer',
    },
    { name: 'empty environment', stands: true, remedy: '' },
    { name: "Node's permission model", stands: true, remedy: '' },
  ]
}
