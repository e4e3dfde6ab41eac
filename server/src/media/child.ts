/**
 * Starts the child process that looks into one film or image, holds it to its limits and reads its answer.
 *
 * The rule: the file is a stranger's and the child may do anything at all with it; whatever it does costs the server
 * one refused file. Only a child that never got as far as the file is the server's own trouble.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** What holds a child to its place, whatever the file does. */
export type ChildLimits = {
  /** Memory that one inspection may take, all of the child process counted. */
  memoryMaxBytes: number
  /** Processor time that one inspection may take. */
  cpuMaxS: number
  /** Time on the clock that one inspection may take. */
  timeoutMs: number
}

export type Inspection<Limits extends ChildLimits> = {
  /** The program of the child, a file of this folder; it is given the limits as JSON. */
  program: string
  limits: Limits
  answerMaxBytes: number
  /** The error that says that the file is at fault. `cause` is for the log only. */
  refused: (code: 'TOO_SLOW' | 'UNDECODABLE', cause: string) => Error
}

const COMPLAINT_BYTES_MAX = 4096
const WATCH_INTERVAL_MS = 200
const PRIORITY = 5

/**
 * What V8 sets aside for machine code when it starts; it counts as data though hardly any of it is ever touched.
 * Without it the limit on data would stop Node itself.
 */
const V8_CODE_RANGE_BYTES = 512 * 1024 * 1024

/**
 * Limits that the kernel keeps, set by the shell because Node cannot set them: no core dump, no byte written to any
 * file, 2 MB a thread's stack (else 8 MB for each of up to 16 decoder threads count as data), data, processor time
 * (one second more before the end is a bare SIGKILL, which would not tell what it was for).
 * A limit that is tighter already stays. Then the child is made the one, not the server, that the kernel ends when the
 * machine runs out of memory.
 */
const LIMITS_SCRIPT = `
for limit in "-c 0" "-f 0" "-s 2048" "-d $1" "-S -t $2" "-H -t $(($2 + 1))"; do ulimit $limit 2>/dev/null || :; done
echo 1000 2>/dev/null >/proc/self/oom_score_adj || :
shift 2
exec "$@"`

/** The child gets none of the server's environment, which is full of secrets. */
const childEnvironment = { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2' }

/**
 * What a child wrote: one line of JSON, then bytes. `told` is anything at all, null for a line that is none: who asked
 * believes only what could be true.
 */
export function readChild(bytes: Buffer): { told: unknown; content: Buffer } {
  const lineEnd = bytes.indexOf('\n')
  return { told: parsed(bytes.toString('utf8', 0, lineEnd)), content: bytes.subarray(lineEnd + 1) }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/**
 * Runs one inspection of the open file.
 * @returns what the child wrote after it was ready: one line of JSON, then bytes
 * @throws `refused` for whatever the file did; the signal's reason; an ordinary Error when the child never got ready
 */
export async function runChild<Limits extends ChildLimits>(
  fileFd: number,
  inspection: Inspection<Limits>,
  signal?: AbortSignal,
): Promise<Buffer> {
  signal?.throwIfAborted()
  const { limits, answerMaxBytes } = inspection
  const child = spawn('/bin/sh', shellArguments(inspection.program, limits), {
    cwd: '/',
    env: childEnvironment,
    stdio: [fileFd, 'ignore', 'pipe', 'pipe'],
  })
  yieldToOthers(child)
  // Read at once: the streams must have their listeners before the first bytes come.
  const answer = collect(child, 3, answerMaxBytes)
  const complaint = collect(child, 2, COMPLAINT_BYTES_MAX)
  let stopped: 'aborted' | 'late' | 'large' | null = null
  const stop = (why: typeof stopped) => {
    stopped ??= why
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => stop('late'), limits.timeoutMs)
  const onAbort = () => stop('aborted')
  signal?.addEventListener('abort', onAbort, { once: true })
  const watch = watchMemory(child, limits.memoryMaxBytes, () => stop('large'))
  let exitSignal: string | null
  try {
    exitSignal = await ended(child)
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
    signal?.removeEventListener('abort', onAbort)
  }
  if (stopped === 'aborted') signal?.throwIfAborted()
  return judge(answer(), { stopped, exitSignal, complaint: complaint().toString() }, inspection.refused)
}

/** Tells the file's fault from the server's own trouble. */
function judge(
  answer: Buffer,
  end: { stopped: 'aborted' | 'late' | 'large' | null; exitSignal: string | null; complaint: string },
  refused: Inspection<ChildLimits>['refused'],
): Buffer {
  const readyEnd = answer.indexOf('\n') + 1
  const rest = answer.subarray(readyEnd)
  const cause = `${end.stopped ?? end.exitSignal ?? 'ended'}: ${end.complaint}`
  // When the server is asked to end, its child is too: that says nothing about the file.
  const asked = end.exitSignal === 'SIGINT' || end.exitSignal === 'SIGTERM' || end.exitSignal === 'SIGHUP'
  if (readyEnd === 0 || asked) throw new Error(`The inspection of a file could not be run (${cause})`)
  if (end.stopped === 'late' || end.exitSignal === 'SIGXCPU') throw refused('TOO_SLOW', cause)
  if (end.stopped !== null || !rest.includes('\n')) throw refused('UNDECODABLE', cause)
  return rest
}

function shellArguments(program: string, limits: ChildLimits): string[] {
  const dataKilobytes = Math.ceil((V8_CODE_RANGE_BYTES + limits.memoryMaxBytes) / 1024)
  return ['-c', LIMITS_SCRIPT, 'sh', String(dataKilobytes), String(limits.cpuMaxS), process.execPath].concat([
    '--permission',
    '--allow-addons',
    ...readableByChild().map((name) => `--allow-fs-read=${name}`),
    '--disable-warning=SecurityWarning',
    '--max-old-space-size=128',
    '--v8-pool-size=1',
    path.join(import.meta.dirname, program),
    JSON.stringify(limits),
  ])
}

/** The child's own code and libraries, and three files by which they tell one C library from another. */
function readableByChild(): string[] {
  const found = ['/etc/alpine-release', '/usr/bin/ldd', '/proc/self/exe', path.join(import.meta.dirname, '*')]
  for (let folder = import.meta.dirname; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const modules = path.join(folder, 'node_modules')
    // Through a link, too: the permission counts for the true path.
    if (existsSync(modules)) found.push(path.join(modules, '*'), path.join(realpathSync(modules), '*'))
  }
  return found
}

/** Gathers what the child writes to one of its pipes; a child that writes more than allowed is ended. */
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

/** @returns the signal that ended the child, once it is gone and its pipes are empty */
function ended(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (_code, signal) => resolve(signal))
  })
}

/** Ends the child when it holds more memory than allowed: the second net, where the system does not keep limits on data. */
function watchMemory(child: ChildProcess, bytesMax: number, tooLarge: () => void): NodeJS.Timeout {
  return setInterval(async () => {
    if ((await residentBytes(child.pid)) > bytesMax) tooLarge()
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
    // It has just ended.
    return 0
  }
}

/** No inspection is so urgent that it should compete with everybody's requests. */
function yieldToOthers(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    setPriority(child.pid, PRIORITY)
  } catch {
    // It has just ended.
  }
}
