/**
 * The scheduler of a run: one virtual clock, one queue of events, and the processes of the service. Everything that
 * happens is an event: a timer, the arrival of a statement or a request, its response. Events run one at a time, and
 * the code that one wakes runs until it waits again. Invariant: a run draws its choices in one sequence, so that a seed
 * repeats it exactly.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { openRandom, type Random } from './random.ts'

/** A process of the service. A crash ends it: its events are dropped, so none of its code continues. */
export type Process = {
  name: string
  kind: 'api' | 'worker'
  isAlive: boolean
  /** SIGSTOP: its events wait until then. */
  pausedUntilMs: number
  /** Its clock minus the true one. */
  skewMs: number
  /** Its temporary files, by path. */
  files: Map<string, unknown>
}

type Event = {
  atMs: number
  n: number
  process: Process | null
  run: () => unknown
  isPoll: boolean
  isCancelled: boolean
}
export type Timer = { cancel: () => void }

export type Scheduler = {
  random: Random
  /** Milliseconds since 1970, with fractions. */
  nowMs: () => number
  /** Runs `run` after a delay, as an event of a process: dropped when it dies, delayed while it is paused. */
  after: (delayMs: number, process: Process | null, run: () => unknown) => Timer
  /** A timer that only looks for due rows: it is skipped while none is due, because it would have no effect. */
  afterPoll: (delayMs: number, process: Process, run: () => unknown) => Timer
  sleep: (ms: number) => Promise<void>
  /** Called before a process's event runs; returns false when the event is lost, because the process has crashed. */
  beforeEvent: (process: Process) => boolean
  /** When the next video of one of these statuses is due, of any without them; null: there is none. */
  nextDueMs: (statuses?: string[]) => Promise<number | null>
  /** Rows have changed: skipped polls are considered again. */
  wakePolls: () => void
  trace: (who: string, text: string) => void
  lines: string[]
  /** Runs events until `isDone` or `limitMs`. Returns false at the limit. */
  runUntil: (isDone: () => boolean | Promise<boolean>, limitMs: number) => Promise<boolean>
  events: () => number
}

/** The process whose code runs. */
export const currentProcess = new AsyncLocalStorage<Process>()

/** The start of every run, by its own clock. */
export const START_MS = Date.UTC(2026, 0, 5, 12)
const realSetImmediate = setImmediate
const POLL_SPREAD_MS = 500
/** A run with more goes round in circles: most have some hundred, the longest of a thousand has 7,000. */
const EVENTS_MAX = 30_000

export function openScheduler(seed: number): Scheduler {
  const random = openRandom(seed)
  const lines: string[] = []
  const queue: Event[] = []
  let parked: Event[] = []
  let nowMs = START_MS
  let count = 0

  const add = (delayMs: number, process: Process | null, run: () => unknown, isPoll: boolean): Timer => {
    const event = { atMs: nowMs + Math.max(0, delayMs), n: count++, process, run, isPoll, isCancelled: false }
    push(queue, event)
    return {
      cancel: () => {
        event.isCancelled = true
      },
    }
  }

  const scheduler: Scheduler = {
    random,
    nowMs: () => nowMs,
    after: (delayMs, process, run) => add(delayMs, process, run, false),
    afterPoll: (delayMs, process, run) => add(delayMs, process, run, true),
    sleep: (ms) => new Promise((resolve) => add(ms, null, resolve, false)),
    beforeEvent: () => true,
    nextDueMs: async () => nowMs,
    wakePolls: () => {
      for (const event of parked) push(queue, Object.assign(event, { atMs: nowMs + random.next() * POLL_SPREAD_MS }))
      parked = []
    },
    trace: (who, text) => {
      lines.push(`${((nowMs - START_MS) / 1000).toFixed(3).padStart(9)} ${who.padEnd(10)} ${text}`)
    },
    lines,
    runUntil: async (isDone, limitMs) => {
      for (;;) {
        if (await isDone()) return true
        const event = queue[0]
        if (!event || event.atMs > limitMs || count > EVENTS_MAX) return false
        pop(queue)
        nowMs = Math.max(nowMs, event.atMs)
        await runEvent(event)
      }
    },
    events: () => count,
  }

  const runEvent = async (event: Event): Promise<void> => {
    const { process } = event
    if (event.isCancelled || (process && !process.isAlive)) return
    if (process && process.pausedUntilMs > nowMs) {
      push(queue, Object.assign(event, { atMs: process.pausedUntilMs }))
      return
    }
    if (event.isPoll && process) {
      const dueMs = await scheduler.nextDueMs()
      const isDue = dueMs !== null && dueMs <= nowMs + process.skewMs
      if (!isDue) {
        parked.push(event)
        if (dueMs !== null) add(dueMs - process.skewMs - nowMs, null, scheduler.wakePolls, false)
        return
      }
    }
    if (process && !scheduler.beforeEvent(process)) return
    await event.run()
    // All promise reactions and ticks run before the event loop gets here.
    await new Promise<void>((resolve) => realSetImmediate(resolve))
  }
  return scheduler
}

const isBefore = (a: Event, b: Event): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.n < b.n)

/** A binary heap. */
function push(queue: Event[], event: Event): void {
  let i = queue.push(event) - 1
  while (i > 0) {
    const parent = (i - 1) >> 1
    if (!isBefore(event, queue[parent] as Event)) break
    queue[i] = queue[parent] as Event
    i = parent
  }
  queue[i] = event
}

function pop(queue: Event[]): Event | undefined {
  const first = queue[0]
  const last = queue.pop()
  if (!last || last === first) return first
  let i = 0
  for (;;) {
    let child = 2 * i + 1
    if (child >= queue.length) break
    if (child + 1 < queue.length && isBefore(queue[child + 1] as Event, queue[child] as Event)) child++
    if (!isBefore(queue[child] as Event, last)) break
    queue[i] = queue[child] as Event
    i = child
  }
  queue[i] = last
  return first
}

/** Waits in a process. Rejects with the signal's reason when it aborts. */
export function sleepIn(scheduler: Scheduler, process: Process, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      timer.cancel()
      reject(signal?.reason)
    }
    const timer = scheduler.after(Math.max(1, ms), process, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort)
  })
}
