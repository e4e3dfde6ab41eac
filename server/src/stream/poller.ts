/**
 * What happens to the videos of the users who are looking on: one tail a process, whatever the number of streams, and no
 * query while nobody looks. States are told, not differences: at least once, and in an order in which status and progress
 * of a video never fall.
 *
 * Nothing is missed however late a transaction becomes visible. Making a video always writes the next numbered row of its
 * user's history, under the lock of the account, so that these numbers become visible in their order. What becomes of it
 * then is seen on its own row, which is read by its key until it is final. Only deletions, and what happened while a
 * client was away, are found by time, which is looked back over by some minutes.
 */
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import type { TaskStatus } from '../video/library.ts'
import type { Status } from '../video/status.ts'
import { before, changes, type FirstRow, firstRead, type Known, type Row, type Told } from './rows.ts'

export type VideoEvent = { kind: 'video'; video: TaskStatus } | { kind: 'deleted'; uuid: string }

/** Gets what is new, oldest video first; `at`: whoever resumes from this moment has missed nothing. */
export type Listener = (events: VideoEvent[], at: Date) => void

export type Tail = {
  /**
   * Tells the listener the videos of a user: at once those in progress and, with `since`, all that has happened after it;
   * then what comes. Answers when the listener has had the first, and how to leave.
   */
  follow: (userId: string, since: Date | null, listener: Listener) => Promise<() => void>
  /** Whoever resumes from this moment has missed nothing; it moves on while nothing happens. */
  seenUntil: () => Date
  close: () => void
}

const LOOK_EVERY_MS = 250
/** A look that takes long makes the next one later, so that looking takes a tenth of the time, but no later than this. */
const LOOK_EVERY_MAX_MS = 600
const LOOK_SHARE = 0.1
const AFTER_ERROR_MS = 1000
/** While only the progress of a video changes, it is told once in this time. */
const PROGRESS_EVERY_MS = 1000

type Watched = Known & {
  listeners: Set<Listener>
  /** Deletions within the overlap, which have been told. */
  deleted: Set<string>
}
type Newcomer = { userId: string; since: Date | null; listener: Listener; admitted: PromiseWithResolvers<void> }

export function openTail(app: App): Tail {
  const watched = new Map<string, Watched>()
  let newcomers: Newcomer[] = []
  let seenUntil = new Date(0)
  let isRunning = false
  let isClosed = false
  let isBlind = false
  let wake = () => {}

  /** Goes on for as long as somebody looks on. */
  async function run(): Promise<void> {
    isRunning = true
    let nextLookMs = 0
    while (!isClosed && (watched.size > 0 || newcomers.length > 0)) {
      const startMs = performance.now()
      try {
        await admit()
        if (startMs >= nextLookMs && watched.size > 0) {
          await look()
          nextLookMs = startMs + pauseAfter(performance.now() - startMs)
          if (isBlind) app.log.info('the event streams go on')
          isBlind = false
        }
      } catch (err) {
        if (!isBlind) app.log.warn({ err }, 'the event streams cannot be fed; trying again until they can')
        isBlind = true
        nextLookMs = startMs + AFTER_ERROR_MS
      }
      if (newcomers.length === 0) await rest(Math.max(0, nextLookMs - performance.now()))
    }
    isRunning = false
  }

  function rest(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
    return promise
  }

  /** The first read of those who have just come, all at once. It is the tail that reads, so that no look gets in between. */
  async function admit(): Promise<void> {
    const admitted = newcomers
    newcomers = []
    if (admitted.length === 0) return
    const at = app.now()
    let rows: FirstRow[]
    try {
      rows = await firstRead(app, admitted, at)
    } catch (err) {
      for (const each of admitted) each.admitted.reject(err)
      throw err
    }
    if (watched.size === 0) seenUntil = at
    const rowsOf = Map.groupBy(rows, (row) => row.newcomer)
    for (const [i, newcomer] of admitted.entries()) {
      welcome(watched, newcomer, rowsOf.get(i) ?? [], at)
      newcomer.admitted.resolve()
    }
  }

  async function look(): Promise<void> {
    const at = app.now()
    const rows = await changes(app, watched, at)
    for (const [userId, news] of Map.groupBy(rows, (row) => row.userId)) {
      const user = watched.get(userId)
      const events = user ? whatToTell(user, news, at) : []
      if (events.length > 0) for (const listener of user?.listeners ?? []) listener(events, at)
    }
    seenUntil = at
  }

  return {
    follow: async (userId, since, listener) => {
      if (isClosed) throw stopping()
      const admitted = Promise.withResolvers<void>()
      newcomers.push({ userId, since, listener, admitted })
      wake()
      if (!isRunning) void run()
      await admitted.promise
      return () => {
        const user = watched.get(userId)
        user?.listeners.delete(listener)
        if (user?.listeners.size === 0) watched.delete(userId)
        if (watched.size === 0) wake()
      }
    },
    seenUntil: () => seenUntil,
    close: () => {
      isClosed = true
      wake()
      for (const each of newcomers) each.admitted.reject(stopping())
    },
  }
}

const pauseAfter = (lookMs: number): number => Math.max(LOOK_EVERY_MS, Math.min(LOOK_EVERY_MAX_MS, lookMs / LOOK_SHARE))

const stopping = () => new AppError('UNAVAILABLE', 'This server is stopping; connect again.', { retryAfterS: 1 })

function welcome(watched: Map<string, Watched>, newcomer: Newcomer, rows: FirstRow[], at: Date): void {
  const { userId, listener } = newcomer
  const since = newcomer.since && before(newcomer.since)
  const user = watched.get(userId) ?? {
    n: rows[0]?.n ?? 0,
    listeners: new Set(),
    inProgress: new Map(),
    deleted: new Set(),
  }
  const events = new Map<string, VideoEvent>()
  for (const row of rows) {
    if (row.uuid === null) continue
    if (row.deletedAt) {
      if (!user.listeners.size) user.deleted.add(row.uuid)
      if (since && row.deletedAt >= since) events.set(row.uuid, { kind: 'deleted', uuid: row.uuid })
      continue
    }
    events.set(row.uuid, { kind: 'video', video: taskOf(row) })
    // What others have been told of it stays as it is: they have yet to hear this.
    if (!isFinal(row.status) && !user.inProgress.has(row.uuid)) user.inProgress.set(row.uuid, told(row, at))
  }
  user.listeners.add(listener)
  watched.set(userId, user)
  listener([...events.values()], at)
}

/** What is new to a user in these rows, oldest video first; remembers that it has been told. */
function whatToTell(user: Watched, rows: Row[], at: Date): VideoEvent[] {
  const events = new Map<string, VideoEvent>()
  const deleted = new Set<string>()
  for (const row of rows) {
    if (row.n !== null) user.n = Math.max(user.n, row.n)
    if (row.uuid === null) continue
    const { uuid } = row
    if (row.deletedAt) {
      user.inProgress.delete(uuid)
      deleted.add(uuid)
      if (!user.deleted.has(uuid)) events.set(uuid, { kind: 'deleted', uuid })
    } else if (row.n !== null || isNews(user.inProgress.get(uuid), row, at)) {
      events.set(uuid, { kind: 'video', video: taskOf(row) })
      if (isFinal(row.status)) user.inProgress.delete(uuid)
      else user.inProgress.set(uuid, told(row, at))
    }
  }
  user.deleted = deleted
  return [...events].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, event]) => event)
}

function isNews(before: Told | undefined, { status, progress }: Row, at: Date): boolean {
  if (!before) return false
  if (status !== before.status) return true
  return progress > before.progress && at.getTime() >= before.atMs + PROGRESS_EVERY_MS
}

const told = ({ status, progress }: TaskStatus, at: Date): Told => ({ status, progress, atMs: at.getTime() })
const taskOf = ({ uuid, status, progress, error }: TaskStatus): TaskStatus => ({ uuid, status, progress, error })
const isFinal = (status: Status): boolean => status === 'COMPLETED' || status === 'FAILED'
