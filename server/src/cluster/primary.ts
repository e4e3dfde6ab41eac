/**
 * The primary of `kinora api --processes`: starts the children, which share its port, replaces one that ends, and
 * passes a shutdown on. It serves no request itself. The port is the primary's, so connections wait for the next child
 * while one is being replaced.
 */
import cluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { readArguments, UsageError } from '../process/command-arguments.ts'
import { notifyParent, type ParentMessage } from '../process/process.ts'
import { type Channel, openChannel } from './channel.ts'

const PROCESSES_MAX = 256
const FIRST_BACKOFF_MS = 200
const BACKOFF_MAX_MS = 10_000
/** A child that was ready for this long starts with the first backoff again. */
const STABLE_MS = 60_000
/** When no child is ready and each has failed this often in a row, the primary ends: its supervisor decides then. */
const FAILURES_MAX = 5
/** Later than the shutdown limit of a child (9.8 s), earlier than the SIGKILL of `docker stop` (10 s). */
const STOP_LIMIT_MS = 9_900

export type PrimaryOptions = {
  /** Absolute path of main.ts. */
  script: string
  processes: number
  /** Environment variables of the children, over those of the primary. */
  env: Record<string, string>
  log: Logger
  /** Resolves when the primary is to stop. */
  shutdown: Promise<void>
  /** Called for every new child, before it is ready; returns the function to call when that child has ended. */
  onChild: (channel: Channel) => () => void
}

type Child = {
  worker: Worker
  /** When it became ready; null before. */
  readyMs: number | null
  /** Why it cannot start or go on, as it reported itself. */
  failure: Failure | null
  /** Resolves with `status 1` or the name of the signal. */
  ended: Promise<string>
}
type Failure = Extract<ParentMessage, { kind: 'failed' }>
type Slot = { number: number; child: Child | null; failures: number; timer: NodeJS.Timeout | undefined }

/**
 * Reads `--processes N` or `--processes auto`; null without the option.
 * @throws UsageError
 */
export function readProcesses(args: string[]): number | null {
  const { processes: value } = readArguments('api', { args, options: { processes: { type: 'string' } } }).values
  if (value === undefined) return null
  if (value === 'auto') return Math.min(availableParallelism(), PROCESSES_MAX)
  if (/^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= PROCESSES_MAX) return Number(value)
  throw new UsageError(
    `kinora api: --processes must be auto or a whole number from 1 to ${PROCESSES_MAX}, not "${value}".`,
  )
}

/** Runs until the shutdown, or until no child can be kept alive. @returns the exit status */
export async function runPrimary(options: PrimaryOptions): Promise<number> {
  const { log, processes, shutdown } = options
  cluster.setupPrimary({ exec: options.script, args: ['api'] })
  const slots = Array.from({ length: processes }, (_, i) => newSlot(i + 1))
  // A second signal and an error of the primary end it at once: no child outlives it.
  process.once('exit', () => {
    for (const { child } of slots) child?.worker.process.kill('SIGKILL')
  })
  const ready = Promise.withResolvers<ParentMessage>()
  const failed = Promise.withResolvers<Failure>()
  let phase: 'starting' | 'running' | 'stopping' = 'starting'

  const start = (slot: Slot): void => {
    const child = startChild(options, (message) => {
      if (slots.every((each) => each.child && each.child.readyMs !== null)) ready.resolve(message)
    })
    slot.child = child
    void child.ended.then((how) => {
      slot.child = null
      if (phase === 'stopping') return
      if (phase === 'starting' || child.failure?.isFinal) {
        failed.resolve(child.failure ?? failureOf(`An API process ended while it was starting (${how}).`))
      } else startAgain(slot, child, how)
    })
  }

  const startAgain = (slot: Slot, { readyMs, failure }: Child, how: string): void => {
    if (readyMs !== null && performance.now() - readyMs >= STABLE_MS) slot.failures = 0
    slot.failures += 1
    if (slots.every(({ child, failures }) => (child?.readyMs ?? null) === null && failures >= FAILURES_MAX)) {
      failed.resolve(failure ?? failureOf(`Every API process ends again and again (${how}).`))
      return
    }
    const pauseMs = Math.min(FIRST_BACKOFF_MS * 2 ** (slot.failures - 1), BACKOFF_MAX_MS)
    log.error(
      { process: slot.number, how, reason: failure?.message, pauseMs },
      'an API process ended; it is started again',
    )
    slot.timer = setTimeout(() => start(slot), pauseMs)
  }

  for (const slot of slots) start(slot)
  const readyMessage = await Promise.race([ready.promise, failed.promise, shutdown])
  if (readyMessage?.kind === 'ready') {
    phase = 'running'
    notifyParent(readyMessage)
    log.info({ command: 'api', processes, url: readyMessage.url }, 'ready')
  }
  const problem = await Promise.race([failed.promise, shutdown])
  const wasStarting = phase === 'starting'
  phase = 'stopping'
  if (problem) {
    console.error(problem.message)
    notifyParent(problem)
  } else log.info('stopping')
  const areDrained = await stopAll(slots)
  return problem?.status ?? (areDrained || wasStarting ? 0 : 1)
}

const failureOf = (message: string): Failure => ({ kind: 'failed', message, status: 1, isFinal: false })

const newSlot = (number: number): Slot => ({ number, child: null, failures: 0, timer: undefined })

function startChild({ env, onChild }: PrimaryOptions, onReady: (message: ParentMessage) => void): Child {
  const worker = cluster.fork(env)
  const onEnded = onChild(openChannel(worker))
  const child: Child = {
    worker,
    readyMs: null,
    failure: null,
    ended: new Promise((resolve) => {
      const end = (how: string) => {
        onEnded()
        resolve(how)
      }
      worker.once('exit', (code, signal) => end(signal ?? `status ${code}`))
      // There is no exit of a process that could not be created. Other errors, of messages, are no end.
      worker.on('error', (error) => worker.process.pid === undefined && end(error.message))
    }),
  }
  worker.on('message', (message: ParentMessage) => {
    if (message.kind === 'failed') child.failure = message
    if (message.kind !== 'ready') return
    child.readyMs = performance.now()
    onReady(message)
  })
  return child
}

/**
 * Asks every child to drain. One that is still starting serves no request: SIGTERM ends it at once, and its status does
 * not count.
 * @returns whether each that was ready ended with status 0 within the limit
 */
async function stopAll(slots: readonly Slot[]): Promise<boolean> {
  const timers = slots.flatMap(({ child, timer }) => {
    clearTimeout(timer)
    if (!child) return []
    if (child.readyMs === null) child.worker.process.kill('SIGTERM')
    // A child whose channel is closed is ending already.
    else if (child.worker.isConnected()) child.worker.send({ kind: 'stop' }, () => undefined)
    return setTimeout(() => child.worker.process.kill('SIGKILL'), STOP_LIMIT_MS)
  })
  const ends = await Promise.all(
    slots.map(async ({ child }) => {
      const how = await child?.ended
      return child?.readyMs === null ? undefined : how
    }),
  )
  for (const timer of timers) clearTimeout(timer)
  return ends.every((how) => how === undefined || how === 'status 0')
}
