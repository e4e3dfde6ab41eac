/**
 * Starts a sandboxed child process that inspects files, gives it one job after the other, enforces the limits of each
 * and reads its replies. children.ts decides whose files a child gets.
 *
 * Invariant: a file is untrusted and may take control of the child; the worst it can cause is its own refusal. Only a
 * child that fails before it is ready, or that something else kills, counts as a failure of the server.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type FileHandle, readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { promisify } from 'node:util'
import { childScript } from '../config/package-dir.ts'
import {
  type Message,
  type MessageKind,
  openParser,
  PIECE_BYTES_MAX,
  POSITION_BYTES,
  PROGRESS_BYTES,
} from './channel.ts'
import { MediaRefused } from './refusal.ts'
import { type Launch, readableFolders } from './sandbox/launch.ts'
import { CHANNEL_FD } from './sandbox/seccomp.ts'
import { openNative } from './sandbox/syscalls.ts'

/** Limits of one inspection, enforced by the kernel and by this process. */
export type ChildLimits = {
  /** Memory of the whole child process. */
  memoryMaxBytes: number
  /** CPU time. */
  cpuMaxS: number
  /** Wall-clock time in which the machine runs. */
  timeoutMs: number
}

/** The sandbox layers that the start of the child sets up; sandbox.ts chooses them. */
export type Layers = {
  launch: Launch
  /** Whether the child installs the seccomp filter. */
  seccomp: boolean
}

/** What a child does with its files; it loads the code of one kind only. */
export type JobKind = 'film' | 'binding' | 'frames' | 'image' | 'asset' | 'cut' | 'encoders' | 'probe'

/** What a child gets on its command line. */
export type ChildOptions = { kind: JobKind; seccomp: boolean }

/** What a child gets for each job. `number`: random, so that no reply can be written ahead of its job. */
export type ChildJob = { number: number; sizesBytes: number[]; limits: ChildLimits }

/** What is inspected together: one file, or those of a cut. `limits`: what the job is told. */
export type Job = {
  files: FileHandle[]
  limits: ChildLimits
  replyMaxBytes: number
  /** What is said of a file that the child did not survive, without the full stop. */
  failure: string
  /** Where the file is written that the child makes, and how large it may be. */
  output?: { handle: FileHandle; bytesMax: number }
  /** Left out: the job has no progress to tell. */
  onProgress?: (percent: number, part: number) => void
  signal?: AbortSignal | undefined
}

/** `isReused`: for more than one job. `more`: further options. `files`: the one job's, where none can be sent. */
export type Start = {
  kind: JobKind
  limits: ChildLimits
  layers: Layers
  isReused: boolean
  files: FileHandle[]
  more?: object
}

export type Child = {
  /**
   * Runs a job; one at a time.
   * @returns the reply: one line of JSON, then bytes
   * @throws MediaRefused when the file is at fault; the signal's reason; an ordinary Error when the child failed, and
   * not the file
   */
  run: (job: Job) => Promise<Buffer>
  /** Whether it may wait for a job: it lives, is small, has said no more than was asked, and has CPU time for one. */
  isFit: () => Promise<boolean>
  /** Closes its channel, at which it ends, and kills it if it does not. Resolves when it is gone. */
  end: () => Promise<void>
  /** Resolves when it is gone, however. */
  ended: Promise<unknown>
}

/** `stale`: it wrote what no job has asked for. */
type KillReason = 'aborted' | 'timeout' | 'cpu' | 'memory' | 'output' | 'stale' | 'disk' | 'ended'
type Running = { job: Job; number: number; writtenBytes: number; answered: (reply: Buffer) => void }
/** A pipe to a child, as Node has it: a socket. */
type Pipe = Duplex & { ref: () => void; unref: () => void }
/** What the process that decodes has used. */
type Usage = { residentBytes: number; cpuS: number }

const STDERR_BYTES_MAX = 4096
const WATCH_INTERVAL_MS = 200
const NICENESS = 5
/** A child that a file has made larger does not wait for the next one. */
const IDLE_BYTES_MAX = 160 * 1024 * 1024
const END_GRACE_MS = 1000
/** Of /proc, on every Linux. */
const TICKS_A_SECOND = 100

/** Replaces the server's environment, which contains its secrets. */
const childEnvironment = { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2' }

/** Whether a running child can be given a file. Otherwise it inherits that of its only job. */
export const canSendFiles = (): boolean => openNative() !== null

/** A child as this process knows it. */
type State = ReturnType<typeof spawnChild> & {
  layers: Layers
  parser: ReturnType<typeof openParser>
  isReady: boolean
  /** Found when it is ready, before it has read a file: a process that it starts later cannot pass for it. */
  decoderPid: number | undefined
  running: Running | null
  killedFor: KillReason | null
  diskError: unknown
}

export function startChild(start: Start): Child {
  const { limits, layers } = start
  const spawned = spawnChild(start)
  const state: State = {
    ...spawned,
    ...{ layers, parser: openParser(), isReady: false, decoderPid: spawned.child.pid },
    ...{ running: null, killedFor: null, diskError: null },
  }
  let isGone = false
  const ended = state.exit
    .catch(() => {})
    .then(() => {
      isGone = true
    })
  state.channel.on('data', (chunk: Buffer) => {
    state.parser.push(chunk)
    receive(state)
  })
  return {
    run: (job) => runJob(state, job),
    isFit: async () => {
      const { cpuS, residentBytes } = await usageOf(state.decoderPid)
      const hasRoom = cpuS < limits.cpuMaxS && residentBytes < IDLE_BYTES_MAX
      return hasRoom && !isGone && state.killedFor === null && state.parser.isEmpty()
    },
    end: async () => {
      state.killedFor ??= 'ended'
      state.channel.destroy()
      holdLoop(state.child, true)
      const timer = setTimeout(() => kill(state, 'ended'), END_GRACE_MS)
      await ended
      clearTimeout(timer)
    },
    ended,
  }
}

function kill(state: State, reason: KillReason): void {
  state.killedFor ??= reason
  // What escapes the signal, such as a process that is just being started, ends with its channel.
  state.channel.destroy()
  killAll(state.child, state.layers.launch)
}

async function runJob(state: State, job: Job): Promise<Buffer> {
  const { child, channel, exit, stderr } = state
  const { limits, signal, files } = job
  signal?.throwIfAborted()
  holdLoop(child, true)
  const answer = Promise.withResolvers<Buffer>()
  const number = randomInt(1, 2 ** 32)
  state.running = { job, number, writtenBytes: 0, answered: answer.resolve }
  const onAbort = () => kill(state, 'aborted')
  signal?.addEventListener('abort', onAbort, { once: true })
  const startS = state.isReady ? (await usageOf(state.decoderPid)).cpuS : 0
  const intervalMs = Math.min(WATCH_INTERVAL_MS, limits.timeoutMs)
  let waitedMs = 0
  const watch = setInterval(async () => {
    // Counted in intervals: a machine that is suspended decodes nothing meanwhile.
    waitedMs += intervalMs
    if (waitedMs >= limits.timeoutMs) kill(state, 'timeout')
    const { residentBytes, cpuS } = await usageOf(state.decoderPid)
    if (residentBytes > limits.memoryMaxBytes) kill(state, 'memory')
    if (cpuS - startS > limits.cpuMaxS) kill(state, 'cpu')
  }, intervalMs)
  try {
    const sizesBytes = (await Promise.all(files.map((file) => file.stat()))).map(({ size }) => size)
    if (!sendJob(channel, { number, sizesBytes, limits }, files)) kill(state, 'ended')
    const reply = await Promise.race([answer.promise, exit])
    if (Buffer.isBuffer(reply)) return reply
    if (state.killedFor === 'aborted') signal?.throwIfAborted()
    if (state.killedFor === 'disk') throw state.diskError
    throw failureOf(job, { isReady: state.isReady, killedFor: state.killedFor, exitSignal: reply, stderr: stderr() })
  } finally {
    state.running = null
    clearInterval(watch)
    signal?.removeEventListener('abort', onAbort)
    holdLoop(child, false)
  }
}

function receive(state: State): void {
  for (let message = nextMessage(state); message !== null; message = nextMessage(state)) {
    if (message.kind === 'ready') {
      state.isReady = true
      state.decoderPid = lastDescendant(state.child.pid)
    } else if (message.kind === 'reply') {
      const { running } = state
      // What follows in the same chunk was not asked for.
      state.running = null
      running?.answered(message.bytes)
    } else if (message.kind === 'progress') {
      const [percent = 0, part = 0] = message.bytes
      state.running?.job.onProgress?.(percent, part)
    } else void keepPiece(state, message)
  }
}

/** @returns null: no message is whole, the last piece is not written yet, or what came was not asked for */
function nextMessage(state: State): Message | null {
  if (state.killedFor !== null || state.channel.isPaused()) return null
  const message = state.parser.next((kind) => bytesMaxOf(kind, state.running?.job))
  if (message === 'invalid') kill(state, 'output')
  if (message === 'invalid' || message === null) return null
  const isAsked = message.kind === 'ready' ? !state.isReady : message.job === state.running?.number
  if (!isAsked) kill(state, 'stale')
  return isAsked ? message : null
}

async function keepPiece(state: State, piece: Message): Promise<void> {
  state.channel.pause()
  try {
    if (!(await writePiece(piece.bytes, state.running))) kill(state, 'output')
  } catch (error) {
    state.diskError = error
    kill(state, 'disk')
  }
  state.channel.resume()
  receive(state)
}

function spawnChild({ kind, limits, layers, isReused, files, more }: Start) {
  const { memoryMaxBytes, cpuMaxS } = limits
  // The kernel counts the whole life. Of a child with several jobs the server counts each, and `isFit` keeps the time
  // of one for the next.
  const kernelLimits = { memoryMaxBytes, cpuMaxS: isReused ? 2 * cpuMaxS : cpuMaxS }
  const command = nodeCommand({ ...more, kind, seccomp: layers.seccomp })
  const { file: program, args, identity } = layers.launch.commandOf(command, kernelLimits)
  const [first, ...others] = canSendFiles() ? [] : files.map(({ fd }) => fd)
  const child = spawn(program, args, {
    ...identity,
    cwd: '/',
    env: childEnvironment,
    // As inheritedFd has them.
    stdio: [first ?? 'ignore', 'ignore', 'pipe', 'pipe', ...others],
  })
  lowerPriority(child)
  const channel = child.stdio[CHANNEL_FD] as Pipe
  // It has gone: its exit says why.
  channel.on('error', () => {})
  // The listeners must be attached before the first bytes arrive.
  const started = { child, channel, stderr: collectStderr(child), exit: waitForExit(child) }
  holdLoop(child, false)
  return started
}

/** Whether this process waits for the child before it ends by itself. A child ends with its server. */
function holdLoop(child: ChildProcess, isHeld: boolean): void {
  for (const each of [child, child.stdio[2] as Pipe, child.stdio[CHANNEL_FD] as Pipe]) {
    if (isHeld) each.ref()
    else each.unref()
  }
}

/** @returns false: the kernel did not take it whole, and the child would wait for ever */
function sendJob(channel: Pipe, job: ChildJob, files: FileHandle[]): boolean {
  const bytes = Buffer.from(JSON.stringify(job))
  const native = openNative()
  if (native === null) {
    channel.write(bytes)
    return true
  }
  // Node has no name for the socket's number, and no way to send open files.
  const { fd = -1 } = (channel as unknown as { _handle: { fd?: number } | null })._handle ?? {}
  // The child reads it at once: the socket is empty.
  const sent = native.sendFiles(
    fd,
    bytes,
    files.map((file) => file.fd),
  )
  return sent === bytes.length
}

function bytesMaxOf(kind: MessageKind, job: Job | undefined): number {
  if (kind === 'ready' || !job) return 0
  if (kind === 'progress') return job.onProgress ? PROGRESS_BYTES : 0
  return kind === 'reply' ? job.replyMaxBytes : POSITION_BYTES + PIECE_BYTES_MAX
}

/** @returns false: the pieces are more than the file may have; what a muxer writes twice counts twice */
async function writePiece(piece: Buffer, running: Running | null): Promise<boolean> {
  const output = running?.job.output
  if (!running || !output || piece.length < POSITION_BYTES) return false
  const position = piece.readUIntBE(0, POSITION_BYTES)
  const bytes = piece.subarray(POSITION_BYTES)
  running.writtenBytes += bytes.length
  if (running.writtenBytes > output.bytesMax || position + bytes.length > output.bytesMax) return false
  await output.handle.write(bytes, 0, bytes.length, position)
  return true
}

/** Distinguishes a file at fault from a failure of the server. */
function failureOf(
  { failure }: Job,
  exit: { isReady: boolean; killedFor: KillReason | null; exitSignal: string | null; stderr: string },
): Error {
  const cause = `${exit.killedFor ?? exit.exitSignal ?? 'ended'}: ${exit.stderr}`
  // A signal to the server's process group reaches the child too, and the OOM killer or an operator sends SIGKILL:
  // neither is the file's fault. A film on which memory runs out each time fails at the end of the hour in which it is
  // tried. What an earlier file made the child write is not this one's fault either.
  const isFromOutside =
    exit.killedFor === null && ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'].includes(exit.exitSignal ?? '')
  if (!exit.isReady || isFromOutside || exit.killedFor === 'stale' || exit.killedFor === 'ended')
    return new Error(`The inspection of a file could not be run (${cause})`)
  if (exit.killedFor === 'timeout' || exit.killedFor === 'cpu' || exit.exitSignal === 'SIGXCPU')
    return new MediaRefused('TOO_SLOW', `${failure}: it takes too long.`, { cause })
  return new MediaRefused('UNDECODABLE', `${failure}.`, { cause })
}

function nodeCommand(options: ChildOptions & object): string[] {
  return [
    process.execPath,
    '--permission',
    '--allow-addons',
    ...readableByChild().map((name) => `--allow-fs-read=${name}`),
    '--disable-warning=SecurityWarning',
    '--max-old-space-size=128',
    '--v8-pool-size=1',
    childScript(),
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

/** The beginning of what it says about its failure. */
function collectStderr(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(0, STDERR_BYTES_MAX)
  })
  return () => text
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

/** The watch is all there is of memory where the kernel does not enforce the data limit. */
async function usageOf(pid: number | undefined): Promise<Usage> {
  try {
    if (process.platform !== 'linux') {
      const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
      return { residentBytes: Number(stdout) * 1024, cpuS: 0 }
    }
    const [status, stat] = await Promise.all(
      ['status', 'stat'].map((name) => readFile(`/proc/${pid}/${name}`, 'latin1')),
    )
    const [user, system] = stat?.split(') ').at(-1)?.split(' ').slice(11, 13) ?? []
    return {
      residentBytes: Number(/^VmRSS:\s*(\d+)/m.exec(status ?? '')?.[1] ?? 0) * 1024,
      cpuS: (Number(user) + Number(system)) / TICKS_A_SECOND,
    }
  } catch {
    // The child has just exited.
    return { residentBytes: 0, cpuS: 0 }
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
