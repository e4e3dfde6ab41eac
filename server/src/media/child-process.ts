/**
 * Runs the sandboxed child process that inspects one film or image, enforces its limits and reads its reply.
 *
 * Invariant: the file is untrusted and may take control of the child; the worst it can cause is its own refusal. Only a
 * child that fails before it reads the file counts as a failure of the server.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { parseJson } from '../json-reader.ts'

/** Limits of one inspection, enforced by the kernel and by this process. */
export type ChildLimits = {
  /** Memory of the whole child process. */
  memoryMaxBytes: number
  /** CPU time. */
  cpuMaxS: number
  /** Wall-clock time. */
  timeoutMs: number
}

export type Inspection<Limits extends ChildLimits> = {
  /** The script of the child, relative to this folder; its argument is `limits` as JSON. */
  script: string
  limits: Limits
  replyMaxBytes: number
  /** Builds the error that blames the file. `cause` is for the log only. */
  refused: (code: 'TOO_SLOW' | 'UNDECODABLE', cause: string) => Error
}

const STDERR_BYTES_MAX = 4096
const WATCH_INTERVAL_MS = 200
const NICENESS = 5

/**
 * V8 reserves this much for machine code at start-up. It counts as data although hardly any of it is touched, so a data
 * limit (`ulimit -d`) without this allowance would stop Node itself.
 */
const V8_CODE_RANGE_BYTES = 512 * 1024 * 1024

/**
 * Limits that the kernel enforces, set by the shell because Node has no setrlimit: no core dump, no byte written to any
 * file, 2 MB of stack a thread (the default of 8 MB for each of up to 16 decoder threads would count as data), data, and
 * CPU time (soft limit SIGXCPU, which names the reason; one second later SIGKILL). A limit that is already lower stays.
 * `oom_score_adj` makes the OOM killer choose the child, not the server.
 */
const LIMITS_SCRIPT = `
for limit in "-c 0" "-f 0" "-s 2048" "-d $1" "-S -t $2" "-H -t $(($2 + 1))"; do ulimit $limit 2>/dev/null || :; done
echo 1000 2>/dev/null >/proc/self/oom_score_adj || :
shift 2
exec "$@"`

/** Replaces the server's environment, which contains its secrets. */
const childEnvironment = { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2' }

/**
 * Splits a reply into its line of JSON and the bytes after it. `line` is null when it is not JSON. It comes from a process
 * that may be compromised, so the caller validates it against the limits.
 */
export function parseReply(bytes: Buffer): { line: unknown; content: Buffer } {
  const lineEnd = bytes.indexOf('\n')
  return { line: parseJson(bytes.toString('utf8', 0, lineEnd)), content: bytes.subarray(lineEnd + 1) }
}

/**
 * Runs one inspection of the open file.
 * @returns the child's reply after its ready line: one line of JSON, then bytes
 * @throws `refused` when the file is at fault; the signal's reason; an ordinary Error when the child never became ready
 */
export async function runChild<Limits extends ChildLimits>(
  fileFd: number,
  inspection: Inspection<Limits>,
  signal?: AbortSignal,
): Promise<Buffer> {
  signal?.throwIfAborted()
  const { limits, replyMaxBytes } = inspection
  const child = spawn('/bin/sh', shellArguments(inspection.script, limits), {
    cwd: '/',
    env: childEnvironment,
    stdio: [fileFd, 'ignore', 'pipe', 'pipe'],
  })
  lowerPriority(child)
  // The listeners must be attached before the first bytes arrive.
  const reply = collect(child, 3, replyMaxBytes)
  const stderr = collect(child, 2, STDERR_BYTES_MAX)
  let killedFor: KillReason | null = null
  const kill = (reason: KillReason) => {
    killedFor ??= reason
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => kill('timeout'), limits.timeoutMs)
  const onAbort = () => kill('aborted')
  signal?.addEventListener('abort', onAbort, { once: true })
  const watch = watchMemory(child, limits.memoryMaxBytes, () => kill('memory'))
  let exitSignal: string | null
  try {
    exitSignal = await waitForExit(child)
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
    signal?.removeEventListener('abort', onAbort)
  }
  if (killedFor === 'aborted') signal?.throwIfAborted()
  return checkExit(reply(), { killedFor, exitSignal, stderr: stderr().toString() }, inspection.refused)
}

type KillReason = 'aborted' | 'timeout' | 'memory'

/** Distinguishes a file at fault from a failure of the server. @returns the reply without its ready line */
function checkExit(
  reply: Buffer,
  exit: { killedFor: KillReason | null; exitSignal: string | null; stderr: string },
  refused: Inspection<ChildLimits>['refused'],
): Buffer {
  const readyEnd = reply.indexOf('\n') + 1
  const rest = reply.subarray(readyEnd)
  const cause = `${exit.killedFor ?? exit.exitSignal ?? 'ended'}: ${exit.stderr}`
  // A signal to the server's process group reaches the child too and is unrelated to the file.
  const isShutdown = exit.exitSignal === 'SIGINT' || exit.exitSignal === 'SIGTERM' || exit.exitSignal === 'SIGHUP'
  if (readyEnd === 0 || isShutdown) throw new Error(`The inspection of a file could not be run (${cause})`)
  if (exit.killedFor === 'timeout' || exit.exitSignal === 'SIGXCPU') throw refused('TOO_SLOW', cause)
  if (exit.killedFor !== null || !rest.includes('\n')) throw refused('UNDECODABLE', cause)
  return rest
}

function shellArguments(script: string, limits: ChildLimits): string[] {
  const dataKilobytes = Math.ceil((V8_CODE_RANGE_BYTES + limits.memoryMaxBytes) / 1024)
  return ['-c', LIMITS_SCRIPT, 'sh', String(dataKilobytes), String(limits.cpuMaxS), process.execPath].concat([
    '--permission',
    '--allow-addons',
    ...readableByChild().map((name) => `--allow-fs-read=${name}`),
    '--disable-warning=SecurityWarning',
    '--max-old-space-size=128',
    '--v8-pool-size=1',
    path.join(import.meta.dirname, script),
    JSON.stringify(limits),
  ])
}

/** The child's own code and libraries, and three files by which its libraries detect musl or glibc. */
function readableByChild(): string[] {
  const found = ['/etc/alpine-release', '/usr/bin/ldd', '/proc/self/exe', path.join(import.meta.dirname, '*')]
  for (let folder = import.meta.dirname; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const modules = path.join(folder, 'node_modules')
    // The permission applies to the real path, so a symbolic link needs both.
    if (existsSync(modules)) found.push(path.join(modules, '*'), path.join(realpathSync(modules), '*'))
  }
  return found
}

/** Buffers the child's output on one pipe. A reply over the limit kills the child; stderr is cut instead. */
function collect(child: ChildProcess, pipe: 2 | 3, bytesMax: number): () => Buffer {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  child.stdio[pipe]?.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length
    if (sizeBytes <= bytesMax) chunks.push(chunk)
    else if (pipe === 3) child.kill('SIGKILL')
  })
  return () => Buffer.concat(chunks)
}

/** @returns the signal that ended the child, once it has exited and its pipes are drained */
function waitForExit(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (_code, signal) => resolve(signal))
  })
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
        ? /^VmRSS:\s*(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
        : (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout
    return Number(kilobytes ?? 0) * 1024
  } catch {
    // The child has just exited.
    return 0
  }
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
