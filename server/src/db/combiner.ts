/**
 * Combines requests into set-based calls: while a call is under way the next requests gather, then they go together. A
 * lone request is sent in the same tick of the event loop and waits for no timer.
 *
 * Fair: a call serves the users round robin, so one user's thousand requests do not delay another's one. A user whose
 * requests are in a call that is under way waits for it, because the next call would only wait for the same lock in the
 * database. Each part of the database has a queue and calls of its own, so that one that hangs delays no other.
 */
import postgres from 'postgres'
import { AppError } from '../errors.ts'
import { wellFormedJson } from '../text/json-reader.ts'
import type { Database } from './parts.ts'

export type CombinerOptions<Outcome> = {
  /** What a full queue is called in the error message: "generate requests". */
  name: string
  /**
   * One call for a JSON array of requests; outcome i belongs to request i. It must be idempotent: it is repeated with
   * the same arguments when the connection is lost and it is unknown whether it was committed.
   */
  call: (requests: string, now: Date) => Promise<readonly Outcome[]>
  /** Calls under way at a time, to each part of the database; default 2. */
  calls?: number
  /** The same while a full set waits. For writes, most of whose time is the wait for the disk. */
  callsOfFullSets?: number
  /** true: reads, which need not wait for another call of the same user. */
  isRead?: boolean
  /** Requests of a call; default BATCH_MAX. */
  batchMax?: number
  /** The part of the database that has a user, as `Database.partOf`. All requests of a call are of one part. */
  partOf?: Database['partOf']
}

/** A call has at most this many requests, and bytes of UTF-8 unless one request alone has more. */
export const BATCH_MAX = 128
const BATCH_BYTES_MAX = 1_000_000
/** The queue has at most this many requests and bytes, over all parts of the database; a request beyond gets 503. */
const WAITING_MAX = 10_000
const WAITING_BYTES_MAX = 64_000_000
/** A database part's greatest share of the queue, so that one that hangs leaves room for others. */
const SHARE_OF_PART = 1 / 4
/** A request that has waited this long for its call gets 503: the database is too slow or away. */
const WAIT_MAX_MS = 10_000

type Waiting<Outcome> = {
  userId: string
  request: string
  bytes: number
  now: Date
  sinceMs: number
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

export type Combiner<Outcome> = {
  /**
   * @throws AppError UNAVAILABLE when the queue is full or the request has waited too long; the database's error for
   * this request
   */
  add: (userId: string, request: object, now: Date) => Promise<Outcome>
}

type Load = { count: number; bytes: number }

export function openCombiner<Outcome>(options: CombinerOptions<Outcome>): Combiner<Outcome> {
  const { partOf } = options
  const load: Load = { count: 0, bytes: 0 }
  if (!partOf) return openQueue(options, load, 1)
  const queues = new Map<string, Combiner<Outcome>>()
  return {
    add: (userId, request, now) => {
      const part = partOf(userId)
      let queue = queues.get(part)
      if (!queue) {
        queue = openQueue(options, load, SHARE_OF_PART)
        queues.set(part, queue)
      }
      return queue.add(userId, request, now)
    },
  }
}

/**
 * The requests that wait for a call, and in which sequence they are taken.
 * @param load what waits in all queues of the combiner
 * @param share of the combiner's bounds, which this queue may fill
 */
function openWaiting<Outcome>({ name, batchMax = BATCH_MAX }: CombinerOptions<Outcome>, load: Load, share: number) {
  /** Requests by user. A user who was served goes to the end. */
  const waiting = new Map<string, Waiting<Outcome>[]>()
  const own: Load = { count: 0, bytes: 0 }

  const note = (count: number, bytes: number) => {
    for (const each of [own, load]) {
      each.count += count
      each.bytes += bytes
    }
  }

  const rejectAsLate = (entry: Waiting<Outcome> | undefined) => {
    if (!entry) return
    note(-1, -entry.bytes)
    entry.reject(tooBusy(name))
  }

  return {
    own,
    isFull: (bytes: number) =>
      load.count >= WAITING_MAX ||
      load.bytes + bytes > WAITING_BYTES_MAX ||
      own.count >= WAITING_MAX * share ||
      own.bytes + bytes > WAITING_BYTES_MAX * share,
    add: (entry: Waiting<Outcome>) => {
      const entries = waiting.get(entry.userId)
      if (entries) entries.push(entry)
      else waiting.set(entry.userId, [entry])
      note(1, entry.bytes)
    },
    /** Rejects the requests that have waited too long. Returns since when the oldest other waits; null: none. */
    rejectLate: (): number | null => {
      const lateMs = performance.now() - WAIT_MAX_MS
      let oldestMs: number | null = null
      for (const [userId, entries] of waiting) {
        while (entries[0] && entries[0].sinceMs <= lateMs) rejectAsLate(entries.shift())
        if (!entries[0]) waiting.delete(userId)
        else oldestMs = Math.min(oldestMs ?? Number.POSITIVE_INFINITY, entries[0].sinceMs)
      }
      return oldestMs
    },
    /** Takes the next batch out of the queue: round robin, one request a user, until the batch is full. */
    take: (busyUsers: ReadonlySet<string>): Waiting<Outcome>[] => {
      const batch: Waiting<Outcome>[] = []
      let taken = 0
      const lateMs = performance.now() - WAIT_MAX_MS
      // A user with more requests goes to the end of the map, where this iteration arrives again.
      for (const [userId, entries] of waiting) {
        if (batch.length >= batchMax) break
        if (busyUsers.has(userId)) continue
        const [entry] = entries
        if (!entry) continue
        if (batch.length > 0 && taken + entry.bytes > BATCH_BYTES_MAX) break
        entries.shift()
        waiting.delete(userId)
        if (entries.length > 0) waiting.set(userId, entries)
        if (entry.sinceMs <= lateMs) {
          rejectAsLate(entry)
          continue
        }
        note(-1, -entry.bytes)
        batch.push(entry)
        taken += entry.bytes
      }
      return batch
    },
  }
}

/** Sends the requests of one part of the database. */
function openQueue<Outcome>(options: CombinerOptions<Outcome>, load: Load, share: number): Combiner<Outcome> {
  const { batchMax = BATCH_MAX, calls: callsMax = 2 } = options
  const callsOfFullSets = Math.max(callsMax, options.callsOfFullSets ?? 0)
  const waiting = openWaiting(options, load, share)
  const busyUsers = new Set<string>()
  let callsUnderWay = 0
  let isScheduled = false
  let isTimed = false

  const mayBegin = () => callsUnderWay < (waiting.own.count >= batchMax ? callsOfFullSets : callsMax)

  /** Sends after this tick of the event loop, so that the requests of one tick go together. */
  const schedule = () => {
    if (isScheduled) return
    if (!mayBegin()) return startTimer(WAIT_MAX_MS)
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      while (mayBegin()) {
        const batch = waiting.take(busyUsers)
        if (batch.length === 0) break
        void send(batch)
      }
      if (waiting.own.count > 0) startTimer(WAIT_MAX_MS)
    })
  }

  /** A timer for the oldest waiting request: while calls hang, none takes requests out of the queue. */
  const startTimer = (ms: number) => {
    if (isTimed) return
    isTimed = true
    setTimeout(() => {
      isTimed = false
      const oldestMs = waiting.rejectLate()
      if (oldestMs !== null) startTimer(Math.max(1, oldestMs + WAIT_MAX_MS - performance.now()))
    }, ms).unref()
  }

  const send = async (batch: Waiting<Outcome>[]) => {
    callsUnderWay += 1
    const userIds = options.isRead ? [] : batch.map(({ userId }) => userId)
    for (const userId of userIds) busyUsers.add(userId)
    await sendTogether(batch, options.call)
    for (const userId of userIds) busyUsers.delete(userId)
    callsUnderWay -= 1
    if (waiting.own.count > 0) schedule()
  }

  return {
    add: (userId, request, now) => {
      // PostgreSQL accepts no lone surrogate.
      const json = wellFormedJson(request)
      // The size includes the comma or bracket behind it.
      const bytes = Buffer.byteLength(json) + 1
      if (waiting.isFull(bytes)) return Promise.reject(tooBusy(options.name))
      return new Promise((resolve, reject) => {
        waiting.add({ userId, request: json, bytes, now, sinceMs: performance.now(), resolve, reject })
        schedule()
      })
    },
  }
}

type Call<Outcome> = CombinerOptions<Outcome>['call']

async function sendTogether<Outcome>(batch: Waiting<Outcome>[], call: Call<Outcome>): Promise<void> {
  try {
    await sendOnce(batch, call)
  } catch (error) {
    if (isRolledBack(error) && batch.length > 1) await sendOneByOne(batch, call)
    else for (const entry of batch) entry.reject(error)
  }
}

/** Nothing of the batch was done. One request is at fault, so each is sent by itself and the others succeed. */
async function sendOneByOne<Outcome>(batch: Waiting<Outcome>[], call: Call<Outcome>): Promise<void> {
  /** Users whose account another transaction holds: their other requests would each wait for the lock timeout. */
  const locked = new Map<string, unknown>()
  for (const entry of batch) {
    if (locked.has(entry.userId)) {
      entry.reject(locked.get(entry.userId))
      continue
    }
    await sendOnce([entry], call).catch((error: unknown) => {
      if (isTimeout(error)) locked.set(entry.userId, error)
      entry.reject(error)
    })
  }
}

async function sendOnce<Outcome>(batch: Waiting<Outcome>[], call: Call<Outcome>): Promise<void> {
  const requests = `[${batch.map(({ request }) => request).join(',')}]`
  // The latest of their times: one call has one time, which never goes back for an account.
  const now = new Date(Math.max(...batch.map((entry) => entry.now.getTime())))
  const send = () => call(requests, now)
  // The same call is repeated once after a lost connection: it does what was not done, and returns what was.
  const outcomes = await send().catch((error: unknown) => {
    if (isRolledBack(error) || !isConnectionLost(error)) throw error
    return send()
  })
  for (let i = 0; i < batch.length; i += 1) batch[i]?.resolve(outcomes[i] as Outcome)
}

const tooBusy = (name: string) =>
  new AppError('UNAVAILABLE', `Too many ${name} are waiting; try again in a moment.`, { retryAfterS: 1 })

/** SQLSTATE classes in which the server ended the connection: a commit under way may have succeeded. */
const CONNECTION_ENDED = /^(08|57P)/

/** Whether the database refused the call, so that certainly nothing of it was committed. */
const isRolledBack = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && !CONNECTION_ENDED.test(error.code)

/** SQLSTATE lock_not_available and query_canceled, which a statement timeout raises. */
const isTimeout = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && ['55P03', '57014'].includes(error.code)

const isConnectionLost = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (CONNECTION_ENDED.test(String(error.code)) || /^(CONNECTION_|ECONN|EPIPE|ETIMEDOUT)/.test(String(error.code)))
