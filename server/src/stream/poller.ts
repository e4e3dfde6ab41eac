/**
 * The change feed behind the event streams: one poller a process for any number of streams, and no query without
 * subscribers. It sends states, not differences: at least once, in an order in which status and progress of a video
 * never fall.
 *
 * No change is missed, even when its transaction becomes visible late. Creating a video writes the next numbered row of
 * its user's credit history under the account's lock, so these numbers become visible in order; a cut may be free and
 * have no such row, and is found while it is in progress. Later changes are found on the video's own row, which is read
 * by key until it is final. Only deletions, and changes while a client was disconnected, are found by time, with an
 * overlap of two minutes.
 */
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { isFinal, pick, type Shown } from '../film/fields.ts'
import { fileLink, type TaskStatus } from '../video/library.ts'
import {
  type InitialRow,
  overlapStart,
  type Position,
  type Row,
  readChanges,
  readInitial,
  type SentState,
} from './rows.ts'

/** A video that has ended is sent with what a notice of it shows. */
export type VideoState = Omit<TaskStatus, 'isReplayable'> &
  Pick<Shown<'change'>, 'subject'> &
  Partial<Pick<Shown<'change'>, 'prompt' | 'thumbnailUrl' | 'endedAt' | 'madeBy' | 'metadata'>>
export type VideoEvent =
  | { kind: 'video'; data: VideoState; isReplayable: boolean | null }
  | { kind: 'deleted'; data: { uuid: string; subject: string | null } }

/**
 * Receives new events, oldest video first. A client that resumes from `at` misses nothing. The next ones wait for its
 * promise, which never rejects.
 */
export type Listener = (events: VideoEvent[], at: Date) => Promise<void>

export type Poller = {
  /**
   * Subscribes to a user's videos. The listener first receives those in progress and, with `since`, everything that
   * changed after it; then changes as they happen. Resolves after that first call. @returns the function that
   * unsubscribes
   */
  subscribe: (userId: string, since: Date | null, listener: Listener) => Promise<() => void>
  /** A client that resumes from this time misses nothing; it advances without events too. */
  seenUntil: () => Date
  close: () => void
}

const POLL_EVERY_MS = 250
/** A slow poll delays the next one, so that polling takes a tenth of the time, up to this interval. */
const POLL_EVERY_MAX_MS = 600
const POLL_SHARE = 0.1
const AFTER_ERROR_MS = 1000
/** Throttle: while only the progress of a video changes, it is sent once in this time. */
const PROGRESS_EVERY_MS = 1000

type Subscriber = Position & {
  listeners: Set<Listener>
  /** Deletions within the overlap that were already sent. */
  deleted: Set<string>
}
type PendingSubscription = {
  userId: string
  since: Date | null
  listener: Listener
  started: PromiseWithResolvers<void>
}

type State = { subscribers: Map<string, Subscriber>; pending: PendingSubscription[]; seenUntil: Date }

export function openPoller(app: App): Poller {
  const state: State = { subscribers: new Map<string, Subscriber>(), pending: [], seenUntil: new Date(0) }
  const { subscribers } = state
  const alarm = openAlarm()
  let isRunning = false
  let isClosed = false
  let isFailing = false

  /** Runs while there are subscribers. */
  async function run(): Promise<void> {
    isRunning = true
    let nextPollMs = 0
    while (!isClosed && (subscribers.size > 0 || state.pending.length > 0)) {
      const startMs = performance.now()
      try {
        await startPending(app, state)
        if (startMs >= nextPollMs && subscribers.size > 0) {
          await poll(app, state)
          nextPollMs = startMs + pollIntervalMs(performance.now() - startMs)
          if (isFailing) app.log.info('the event streams are polled again')
          isFailing = false
        }
      } catch (err) {
        if (!isFailing) app.log.warn({ err }, 'the event streams cannot be polled; retrying until they can')
        isFailing = true
        nextPollMs = startMs + AFTER_ERROR_MS
      }
      if (state.pending.length === 0) await alarm.sleep(Math.max(0, nextPollMs - performance.now()))
    }
    isRunning = false
  }

  return {
    subscribe: async (userId, since, listener) => {
      if (isClosed) throw stopping()
      const started = Promise.withResolvers<void>()
      state.pending.push({ userId, since, listener, started })
      alarm.wake()
      if (!isRunning) void run()
      await started.promise
      return () => {
        const subscriber = subscribers.get(userId)
        subscriber?.listeners.delete(listener)
        if (subscriber?.listeners.size === 0) subscribers.delete(userId)
        if (subscribers.size === 0) alarm.wake()
      }
    },
    seenUntil: () => state.seenUntil,
    close: () => {
      isClosed = true
      alarm.wake()
      for (const each of state.pending) each.started.reject(stopping())
    },
  }
}

/** `sleep` resolves after its time, or at `wake`. */
function openAlarm(): { sleep: (ms: number) => Promise<void>; wake: () => void } {
  let wake = () => {}
  return {
    sleep: (ms) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
      return promise
    },
    wake: () => wake(),
  }
}

/** Reads the initial state of all pending subscriptions in one query. In the poller's loop, so no poll interleaves. */
async function startPending(app: App, state: State): Promise<void> {
  const starting = state.pending
  state.pending = []
  if (starting.length === 0) return
  const at = app.now()
  let rows: InitialRow[]
  try {
    rows = await readInitial(app, starting, at)
  } catch (err) {
    for (const each of starting) each.started.reject(err)
    throw err
  }
  if (state.subscribers.size === 0) state.seenUntil = at
  const rowsOf = Map.groupBy(rows, (row) => row.subscription)
  for (const [i, subscription] of starting.entries()) {
    await addListener(app, state.subscribers, subscription, rowsOf.get(i) ?? [], at)
    subscription.started.resolve()
  }
}

async function poll(app: App, state: State): Promise<void> {
  const at = app.now()
  const rows = await readChanges(app, state.subscribers, at)
  const heard: Promise<void>[] = []
  for (const [userId, changed] of Map.groupBy(rows, (row) => row.userId)) {
    const subscriber = state.subscribers.get(userId)
    const events = subscriber ? newEvents(app, subscriber, changed, at) : []
    if (events.length > 0) for (const listener of subscriber?.listeners ?? []) heard.push(listener(events, at))
  }
  await Promise.all(heard)
  state.seenUntil = at
}

const pollIntervalMs = (pollMs: number): number =>
  Math.max(POLL_EVERY_MS, Math.min(POLL_EVERY_MAX_MS, pollMs / POLL_SHARE))

const stopping = () => new AppError('UNAVAILABLE', 'This server is stopping; connect again.', { retryAfterS: 1 })

/** Adds the listener to its user's subscriber and sends it the initial events. */
function addListener(
  app: App,
  subscribers: Map<string, Subscriber>,
  subscription: PendingSubscription,
  rows: InitialRow[],
  at: Date,
): Promise<void> {
  const { userId, listener } = subscription
  const since = subscription.since && overlapStart(subscription.since)
  const subscriber = subscribers.get(userId) ?? {
    n: rows[0]?.n ?? 0,
    listeners: new Set(),
    inProgress: new Map(),
    deleted: new Set(),
  }
  const events = new Map<string, VideoEvent>()
  for (const row of rows) {
    if (row.uuid === null) continue
    if (row.deletedAt) {
      if (!subscriber.listeners.size) subscriber.deleted.add(row.uuid)
      if (since && row.deletedAt >= since) events.set(row.uuid, deletionOf(row))
      continue
    }
    events.set(row.uuid, changeOf(app, row))
    // An existing entry stays: the user's other listeners have not received this state yet.
    if (!isFinal(row.status) && !subscriber.inProgress.has(row.uuid)) {
      subscriber.inProgress.set(row.uuid, sentState(row, at))
    }
  }
  subscriber.listeners.add(listener)
  subscribers.set(userId, subscriber)
  return listener([...events.values()], at)
}

/** The events that these rows mean for a subscriber, oldest video first. Records them as sent. */
function newEvents(app: App, subscriber: Subscriber, rows: Row[], at: Date): VideoEvent[] {
  const events = new Map<string, VideoEvent>()
  const deleted = new Set<string>()
  for (const row of rows) {
    if (row.n !== null) subscriber.n = Math.max(subscriber.n, row.n)
    if (row.uuid === null) continue
    const { uuid } = row
    if (row.deletedAt) {
      subscriber.inProgress.delete(uuid)
      deleted.add(uuid)
      if (!subscriber.deleted.has(uuid)) events.set(uuid, deletionOf(row))
    } else if (row.n !== null || isNewCut(subscriber, row) || hasChanged(subscriber.inProgress.get(uuid), row, at)) {
      events.set(uuid, changeOf(app, row))
      if (isFinal(row.status)) subscriber.inProgress.delete(uuid)
      else subscriber.inProgress.set(uuid, sentState(row, at))
    }
  }
  subscriber.deleted = deleted
  return [...events].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, event]) => event)
}

const deletionOf = ({ uuid, subject }: Row): VideoEvent => ({ kind: 'deleted', data: { uuid, subject } })

const changeOf = (app: App, row: Row): VideoEvent => ({
  kind: 'video',
  data: stateOf(app, row),
  isReplayable: row.isReplayable,
})

function stateOf(app: App, row: Row): VideoState {
  const { prompt, endedAt, madeBy, subject, metadata } = row
  const state = { ...pick('task', row), subject }
  if (!isFinal(row.status)) return state
  return { ...state, prompt, thumbnailUrl: fileLink(app, row.thumbnailKey), endedAt, madeBy, metadata }
}

const isNewCut = ({ inProgress }: Subscriber, { uuid, isCut }: Row): boolean => isCut === true && !inProgress.has(uuid)

function hasChanged(sent: SentState | undefined, { status, progress }: Row, at: Date): boolean {
  if (!sent) return false
  if (status !== sent.status) return true
  return progress > sent.progress && at.getTime() >= sent.atMs + PROGRESS_EVERY_MS
}

const sentState = ({ status, progress }: TaskStatus, at: Date): SentState => ({ status, progress, atMs: at.getTime() })
