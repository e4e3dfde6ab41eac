/**
 * Runs the sandboxed child process that inspects one file, enforces its limits and reads its reply.
 *
 * Invariant: the file is untrusted and may take control of the child; the worst it can cause is its own refusal. Only a
 * child that fails before it reads the file, or that something else kills, counts as a failure of the server.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type FileHandle, readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { childScript } from '../config/package-dir.ts'
import { parseJson } from '../text/json-reader.ts'
import { receivePieces } from './pieces.ts'
import { assetRefusalCodes, imageRefusalCodes, MediaRefused, type RefusalCode } from './refusal.ts'
import { type Launch, readableFolders } from './sandbox/launch.ts'

/** Limits of one inspection, enforced by the kernel and by this process. */
export type ChildLimits = {
  /** Memory of the whole child process. */
  memoryMaxBytes: number
  /** CPU time. */
  cpuMaxS: number
  /** Wall-clock time. */
  timeoutMs: number
}

/** The sandbox layers that the start of the child sets up; sandbox.ts chooses them. */
export type Layers = {
  launch: Launch
  /** Whether the child installs the seccomp filter. */
  seccomp: boolean
}

/** What the child gets on its command line. */
export type ChildOptions = ChildLimits & { seccomp: boolean }

export type Inspection<Limits extends ChildLimits> = {
  /** The script of the child, relative to this folder, without extension; its argument is `limits` as JSON. */
  script: string
  limits: Limits
  replyMaxBytes: number
  /** What is said of a file that the child did not survive, without the full stop. */
  failure: string
  /** Where the file is written that the child makes, and how large it may be. */
  output?: { handle: FileHandle; bytesMax: number }
}

const STDERR_BYTES_MAX = 4096
const WATCH_INTERVAL_MS = 200
const NICENESS = 5

/** Replaces the server's environment, which contains its secrets. */
const childEnvironment = { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2' }

/**
 * Splits a reply into its line of JSON and the bytes after it. `line` is null when it is not JSON. It comes from a
 * process that may be compromised, so the caller validates it against the limits.
 * @param codes those of the child's refusals
 * @throws MediaRefused the child's refusal
 */
export function parseReply(bytes: Buffer, codes: readonly RefusalCode[]): { line: unknown; content: Buffer } {
  const lineEnd = bytes.indexOf('\n')
  const line = parseJson(bytes.toString('utf8', 0, lineEnd))
  if (Check(refusedReply, line) && codes.includes(line.refused.code))
    throw new MediaRefused(line.refused.code, line.refused.message)
  return { line, content: bytes.subarray(lineEnd + 1) }
}
const refusedReply = Type.Object({
  refused: Type.Object({
    code: Type.Enum([...imageRefusalCodes, ...assetRefusalCodes]),
    message: Type.String({ pattern: '^[^/\\\\]{1,200}$' }),
  }),
})

/**
 * Runs one inspection of the open file.
 * @returns the child's reply after its ready line: one line of JSON, then bytes
 * @throws MediaRefused when the file is at fault; the signal's reason; an ordinary Error when the child never became
 * ready
 */
export async function runChild<Limits extends ChildLimits>(
  fileFd: number,
  inspection: Inspection<Limits>,
  { layers, signal }: { layers: Layers; signal?: AbortSignal | undefined },
): Promise<Buffer> {
  signal?.throwIfAborted()
  const { limits, replyMaxBytes, output } = inspection
  const command = nodeCommand(inspection.script, { ...limits, seccomp: layers.seccomp })
  const { file, args, identity } = layers.launch.commandOf(command, limits)
  const child = spawn(file, args, {
    ...identity,
    cwd: '/',
    env: childEnvironment,
    stdio: [fileFd, 'ignore', 'pipe', 'pipe', ...(output ? (['pipe'] as const) : [])],
  })
  lowerPriority(child)
  // The listeners must be attached before the first bytes arrive.
  const reply = collect(child, 3, replyMaxBytes, () => killAll(child, layers.launch))
  const stderr = collect(child, 2, STDERR_BYTES_MAX, () => {})
  let killedFor: KillReason | null = null
  const kill = (reason: KillReason) => {
    killedFor ??= reason
    killAll(child, layers.launch)
  }
  const written = output && writeOutput(child, output, () => kill('output'))
  const timer = setTimeout(() => kill('timeout'), limits.timeoutMs)
  const onAbort = () => kill('aborted')
  signal?.addEventListener('abort', onAbort, { once: true })
  const watch = watchMemory(child, limits.memoryMaxBytes, () => kill('memory'))
  let exitSignal: string | null
  try {
    exitSignal = await waitForExit(child)
    const problem = await written
    if (problem) throw problem
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
    signal?.removeEventListener('abort', onAbort)
  }
  if (killedFor === 'aborted') signal?.throwIfAborted()
  return checkExit(reply(), { killedFor, exitSignal, stderr: stderr().toString() }, inspection.failure)
}

type KillReason = 'aborted' | 'timeout' | 'memory' | 'output'

/** @returns the error of the server's disk, after which the child is killed too */
async function writeOutput(
  child: ChildProcess,
  { handle, bytesMax }: NonNullable<Inspection<ChildLimits>['output']>,
  onStopped: () => void,
): Promise<Error | null> {
  try {
    if (!(await receivePieces(child.stdio[4] as Readable, handle, bytesMax))) onStopped()
    return null
  } catch (error) {
    onStopped()
    return error as Error
  }
}

/** Distinguishes a file at fault from a failure of the server. @returns the reply without its ready line */
function checkExit(
  reply: Buffer,
  exit: { killedFor: KillReason | null; exitSignal: string | null; stderr: string },
  failure: string,
): Buffer {
  const readyEnd = reply.indexOf('\n') + 1
  const rest = reply.subarray(readyEnd)
  const cause = `${exit.killedFor ?? exit.exitSignal ?? 'ended'}: ${exit.stderr}`
  // A signal to the server's process group reaches the child too, and the OOM killer or an operator sends SIGKILL:
  // neither is the file's fault. A film on which memory runs out each time fails at the end of the hour in which it is
  // tried.
  const isFromOutside =
    exit.killedFor === null && ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'].includes(exit.exitSignal ?? '')
  if (readyEnd === 0 || isFromOutside) throw new Error(`The inspection of a file could not be run (${cause})`)
  if (exit.killedFor === 'timeout' || exit.exitSignal === 'SIGXCPU')
    throw new MediaRefused('TOO_SLOW', `${failure}: it takes too long.`, { cause })
  if (exit.killedFor !== null || !rest.includes('\n')) throw new MediaRefused('UNDECODABLE', `${failure}.`, { cause })
  return rest
}

function nodeCommand(script: string, options: ChildOptions): string[] {
  return [
    process.execPath,
    '--permission',
    '--allow-addons',
    ...readableByChild().map((name) => `--allow-fs-read=${name}`),
    '--disable-warning=SecurityWarning',
    '--max-old-space-size=128',
    '--v8-pool-size=1',
    childScript(script),
    JSON.stringify(options),
  ]
}

/** The child's own code and libraries, and three files by which its libraries detect musl or glibc. */
const readableByChild = (): string[] => [
  '/etc/alpine-release',
  '/usr/bin/ldd',
  '/proc/self/exe',
  ...readableFolders().map((folder) => path.join(folder, '*')),
]

/** Buffers the child's output on one pipe. A reply over the limit kills the child; stderr is cut instead. */
function collect(child: ChildProcess, pipe: 2 | 3, bytesMax: number, onExceeded: () => void): () => Buffer {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  child.stdio[pipe]?.on('data', (chunk: Buffer) => {
    if (sizeBytes < bytesMax) chunks.push(chunk.subarray(0, bytesMax - sizeBytes))
    sizeBytes += chunk.length
    if (sizeBytes > bytesMax) onExceeded()
  })
  return () => Buffer.concat(chunks)
}

/**
 * @returns the signal that ended the child, once it has exited and its pipes are drained. A shell that has waited for
 * the
 *   child ends with the status 128 and the signal's number.
 */
function waitForExit(child: ChildProcess): Promise<string | null> {
  const signalOf = (code: number | null) =>
    Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0] ?? null
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal ?? signalOf(code)))
  })
}

/**
 * Kills the child with all it has started. In a namespace that is its process 1, with which the kernel kills the
 * others; the program that waits for it then reaps it and ends too. Killed itself, that program would leave a zombie,
 * which a server that is process 1 of a container never reaps.
 */
function killAll(child: ChildProcess, launch: Launch): void {
  const [first] = launch.kind === 'namespaces' ? childrenOf(child.pid) : []
  try {
    if (first !== undefined) process.kill(first, 'SIGKILL')
    else child.kill('SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Polls the child's resident memory: the fallback on systems that do not enforce the data limit. */
function watchMemory(child: ChildProcess, bytesMax: number, onExceeded: () => void): NodeJS.Timeout {
  return setInterval(async () => {
    if ((await residentBytes(child.pid)) > bytesMax) onExceeded()
  }, WATCH_INTERVAL_MS)
}

async function residentBytes(pid: number | undefined): Promise<number> {
  try {
    const kilobytes =
      process.platform === 'linux'
        ? /^VmRSS:\s*(\d+)/m.exec(await readFile(`/proc/${lastDescendant(pid)}/status`, 'utf8'))?.[1]
        : (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout
    return Number(kilobytes ?? 0) * 1024
  } catch {
    // The child has just exited.
    return 0
  }
}

/** The programs that set up the sandbox have one child each; the last of them decodes. */
function lastDescendant(pid: number | undefined): number | undefined {
  const [child] = childrenOf(pid)
  return child === undefined ? pid : lastDescendant(child)
}

/** Requests take precedence over inspections. */
function lowerPriority(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    setPriority(child.pid, NICENESS)
  } catch {
    // The child has just exited.
  }
}
