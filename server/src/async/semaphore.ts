/**
 * A counting semaphore that is fair by user: it limits how many inspections run at a time, and with them the memory of
 * all child processes. Users are served round robin, and with two permits or more one user never holds the last one: a
 * single user's queue of expensive files delays that user alone.
 */
export type Semaphore = {
  /**
   * Takes a permit when the round robin reaches this user. A null user is a caller of its own.
   * @returns releases the permit; further calls do nothing
   * @throws QueueFullError, also after `waitMaxMs` in the queue; the signal's reason when aborted while queued
   */
  acquire: (userId: string | null, signal?: AbortSignal) => Promise<() => void>
  isFull: () => boolean
  /** Whether no permit is free. */
  isBusy: () => boolean
  /** Callers in the queue, and for how many seconds the first of them has waited. */
  waiting: () => { callers: number; oldestS: number }
}

/** Back pressure: the queue is full, or too slow for this caller, who has to come again. */
export class QueueFullError extends Error {
  constructor() {
    super('The queue of inspections is full.')
    this.name = 'QueueFullError'
  }
}

/** Grants the permit. */
type Waiting = () => void
/** A user with a permit or a caller in the queue. `seq` orders the users by arrival, or last use of a permit. */
type User = { queue: Waiting[]; held: number; seq: number }

/**
 * `queuedMax`: callers of all users in the queue; one user has at most half of it. `waitMaxMs`: how long one of them
 * stays there, for callers who hold a connection meanwhile; left out: for ever.
 */
export type SemaphoreLimits = { permits: number; queuedMax: number; waitMaxMs?: number }

/** @param limits `waitMaxMs` is read at each call */
export function openSemaphore(limits: SemaphoreLimits): Semaphore {
  const { permits, queuedMax } = limits
  const perUserMax = Math.max(1, permits - 1)
  const users = new Map<string | symbol, User>()
  /** The callers in the queue by their arrival, and its time. */
  const waiting = new Map<Waiting, number>()
  let free = permits
  let lastSeq = 0

  const dispatch = () => {
    const next = () => nextUser(users.values(), perUserMax)
    for (let user = next(); free > 0 && user; user = next()) {
      const grant = user.queue.shift()
      if (grant) waiting.delete(grant)
      free -= 1
      user.held += 1
      user.seq = ++lastSeq
      grant?.()
    }
  }

  return {
    acquire: async (userId, signal) => {
      signal?.throwIfAborted()
      const key = userId ?? Symbol('caller')
      const user = users.get(key) ?? { queue: [], held: 0, seq: ++lastSeq }
      users.set(key, user)
      const forgetIdle = () => user.held === 0 && user.queue.length === 0 && users.delete(key)
      await new Promise<void>((resolve, reject) => {
        const endWait = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', abort)
        }
        const grant = () => {
          endWait()
          resolve()
        }
        const leave = (reason: unknown) => {
          endWait()
          user.queue = user.queue.filter((each) => each !== grant)
          waiting.delete(grant)
          forgetIdle()
          reject(reason)
        }
        const abort = () => leave(signal?.reason)
        signal?.addEventListener('abort', abort, { once: true })
        const timer =
          limits.waitMaxMs === undefined ? undefined : setTimeout(() => leave(new QueueFullError()), limits.waitMaxMs)
        user.queue.push(grant)
        waiting.set(grant, performance.now())
        dispatch()
        const isFull = waiting.size > queuedMax || user.queue.length > queuedMax / 2
        if (isFull && user.queue.includes(grant)) leave(new QueueFullError())
      })
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        free += 1
        user.held -= 1
        user.seq = ++lastSeq
        forgetIdle()
        dispatch()
      }
    },
    isFull: () => waiting.size >= queuedMax,
    isBusy: () => free <= 0,
    waiting: () => {
      const [first] = waiting.values()
      return { callers: waiting.size, oldestS: first === undefined ? 0 : (performance.now() - first) / 1000 }
    },
  }
}

/** The user below the limit with the fewest permits; of several, the one served longest ago. */
function nextUser(users: Iterable<User>, perUserMax: number): User | null {
  let next: User | null = null
  for (const user of users) {
    if (user.queue.length === 0 || user.held >= perUserMax) continue
    if (!next || user.held < next.held || (user.held === next.held && user.seq < next.seq)) next = user
  }
  return next
}
