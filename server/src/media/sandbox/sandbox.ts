/**
 * The sandbox of the inspecting child. A probe finds out which of its layers this machine has: a probing child is
 * started in each way, the strongest first, tries every escape route with native calls, and decodes an image and a
 * film.
 */
import { mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { type Layers, startChild } from '../child-process.ts'
import { MediaRefused } from '../refusal.ts'
import { parseReply } from '../reply.ts'
import { type EscapeRoute, escapeRoutes, type ProbeReply, type Targets } from './escape-routes.ts'
import { type LaunchKind, launchesToTry, PROCESSES_MAX } from './launch.ts'

export type SandboxMode = 'auto' | 'required' | 'off'

/** The state of one layer, for the operator: `remedy` says what to do where it is not active. */
export type Layer = { name: string; isActive: boolean; remedy: string }

export type Sandbox = {
  layers: Layers
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
  // A weaker sandbox must not be the result on a machine under load.
  timeoutMs: 60_000,
}

const FOLDER_PREFIX = 'kinora-probe-'
/** A probe takes seconds. */
const STALE_MS = 3_600_000

const attempts = Type.Object(
  Object.fromEntries(Object.keys(escapeRoutes).map((route) => [route, Type.Integer({ minimum: 0 })])) as Record<
    EscapeRoute,
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

/** The sandbox of this machine, probed once in each process. */
export function openSandbox(): Promise<Sandbox> {
  current ??= mode === 'off' ? Promise.resolve(withoutLayers([])) : findSandbox()
  return current
}

export const sandboxLayers = async (): Promise<Layers> => (await openSandbox()).layers

/** The escape routes that stayed open, as words; every one where nothing could be probed. */
export function openRoutes({ probe }: Sandbox): string[] {
  return (Object.keys(escapeRoutes) as EscapeRoute[])
    .filter((route) => (probe?.after[route] ?? 0) === 0)
    .map((route) => escapeRoutes[route])
}

async function findSandbox(): Promise<Sandbox> {
  const problems: string[] = []
  for (const seccomp of process.platform === 'linux' ? [true, false] : [false]) {
    for (const launch of launchesToTry()) {
      const layers = { launch, seccomp }
      try {
        return { layers, probe: await tryLayers(layers), problems }
      } catch (error) {
        problems.push(`${launchNames[launch.kind]}${seccomp ? ' with seccomp' : ''}: ${(error as Error).message}`)
      }
    }
  }
  return withoutLayers(problems)
}

/** The last of the ways is the plain one. */
function withoutLayers(problems: string[]): Sandbox {
  const launch = launchesToTry().at(-1)
  if (!launch) throw new Error('There is no way to start an inspection.')
  return { layers: { launch, seccomp: false }, probe: null, problems }
}

const launchNames: Record<LaunchKind, string> = {
  namespaces: 'namespaces',
  user: 'another user',
  plain: 'no namespaces',
}

/**
 * Starts the probing child in the sandbox of these layers.
 * @throws Error when the child cannot be started so, or cannot decode
 */
export async function tryLayers(layers: Layers): Promise<ProbeReply> {
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
    const child = startChild({ kind: 'probe', limits, layers, isReused: false, files: [handle], more: { targets } })
    const job = { files: [handle], limits, replyMaxBytes: 64 * 1024, failure: 'decoding failed' }
    const reply = await child
      .run(job)
      .catch((error: unknown) => {
        throw error instanceof MediaRefused ? new Error(`decoding failed (${error.code}, ${error.cause})`) : error
      })
      .finally(child.end)
    const { line } = parseReply(reply, [])
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

/** Every layer and its state, for `kinora doctor` and the log. */
export function describeLayers({ layers, probe }: Sandbox): Layer[] {
  const isRoot = process.getuid?.() === 0
  const { launch } = layers
  const inNamespaces = launch.kind === 'namespaces'
  const allow =
    'allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; ' +
    'in a container a seccomp profile that allows unshare and mount), and install util-linux'
  const hasLimits = (names: (keyof ProbeReply['limits'])[]) => names.every((name) => probe?.limits[name] != null)
  return [
    isRoot
      ? {
          name: 'another user',
          isActive: probe !== null && probe.uid !== 0,
          remedy: 'install Kinora in a folder that every user may enter, as the folders above it, and allow CAP_SETUID',
        }
      : { name: 'a user other than root, as the whole service', isActive: true, remedy: '' },
    {
      name: isRoot
        ? 'namespaces of mounts, network and processes'
        : 'namespaces of users, mounts, network and processes',
      isActive: inNamespaces,
      remedy: isRoot ? 'allow CAP_SYS_ADMIN, and install util-linux (unshare, setpriv)' : allow,
    },
    { name: 'no /proc of other processes', isActive: (probe?.before.readEnvironment ?? 0) > 0, remedy: 'as above' },
    {
      name: 'no_new_privs',
      isActive: probe?.noNewPrivileges ?? false,
      remedy: 'Linux on x64 or arm64, and "npm ci" with optional packages',
    },
    {
      name: 'seccomp filter',
      isActive: probe?.seccomp ?? false,
      remedy: 'Linux on x64 or arm64, and "npm ci" with optional packages',
    },
    {
      name: 'limits on memory, CPU time and open files',
      // Elsewhere than on Linux the child cannot read them.
      isActive: process.platform !== 'linux' || hasLimits(['dataBytes', 'cpuS', 'openFiles']),
      remedy: 'a /bin/sh with ulimit',
    },
    {
      name: 'limit on processes',
      isActive: (probe?.limits.processes ?? Number.POSITIVE_INFINITY) <= PROCESSES_MAX,
      remedy: 'as for namespaces, with Linux 5.14 or newer',
    },
    { name: 'empty environment', isActive: true, remedy: '' },
    { name: "Node's permission model", isActive: true, remedy: '' },
  ]
}
