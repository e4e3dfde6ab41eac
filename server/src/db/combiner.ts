/**
 * Combines requests into set-based calls: while a call is under way the next requests gather, then they go together. A lone
 * request is sent in the same turn of the event loop and waits for no timer.
 *
 * Fair: a call takes the users in turn, so one user's thousand requests do not delay another's one. A user whose requests are
 * in a call that is under way waits for it, because the next call would only wait for the same lock in the database.
 */
import postgres from 'postgres'
import { AppError } from '../errors.ts'

export type CombinerOptions<Outcome> = {
  /** What a full queue is called in the error message: "generate requests". */
  name: string
  /**
   * One call for a JSON array of requests; outcome i belongs to request i. It must be idempotent: it is repeated with the same
   * arguments when the connection is lost and nobody knows whether it was committed.
   */
  call: (requests: string, now: Date) => Promise<readonly Outcome[]>
  /** Calls under way at a time. */
  calls?: number
  /** true: reads, which need not wait for another call of the same user. */
  isRead?: boolean
}

/** A call has at most this many requests and characters. */
const BATCH_MAX = 128
const BATCH_CHARACTERS_MAX = 1_000_000
/** The queue has at most this many requests and characters; a request beyond gets 503. */
const WAITING_MAX = 10_000
const WAITING_CHARACTERS_MAX = 64_000_000
/** A request that has waited this long for its call gets 503: the database is too slow or away. */
const WAIT_MAX_MS = 10_000

type Waiting<Outcome> = {
  userId: string
  request: string
  now: Date
  sinceMs: number
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

export class Combiner<Outcome> {
  readonly #options: CombinerOptions<Outcome>
  readonly #calls: number
  /** Requests by user. A user who was served goes to the end. */
  readonly #waiting = new Map<string, Waiting<Outcome>[]>()
  readonly #busyUsers = new Set<string>()
  #count = 0
  #characters = 0
  #underWay = 0
  #isScheduled = false

  constructor(options: CombinerOptions<Outcome>) {
    this.#options = options
    this.#calls = options.calls ?? 2
  }

  /**
   * @param request serialised by JSON.stringify
   * @throws AppError UNAVAILABLE when the queue is full or the request has waited too long; the database's error for this request
   */
  add(userId: string, request: object, now: Date): Promise<Outcome> {
    if (this.#count >= WAITING_MAX || this.#characters >= WAITING_CHARACTERS_MAX) return Promise.reject(this.#tooBusy())
    return new Promise((resolve, reject) => {
      const entry = { userId, request: toJson(request), now, sinceMs: performance.now(), resolve, reject }
      const own = this.#waiting.get(userId)
      if (own) own.push(entry)
      else this.#waiting.set(userId, [entry])
      this.#count += 1
      this.#characters += entry.request.length
      this.#schedule()
    })
  }

  /** After this turn of the event loop, so that the requests of one turn go together. */
  #schedule(): void {
    if (this.#isScheduled || this.#underWay >= this.#calls) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      while (this.#underWay < this.#calls) {
        const batch = this.#take()
        if (batch.length === 0) return
        void this.#send(batch)
      }
    })
  }

  /** Takes the next batch out of the queue: one request of each user in turn, until the batch is full. */
  #take(): Waiting<Outcome>[] {
    const batch: Waiting<Outcome>[] = []
    let characters = 0
    const isFull = () => batch.length >= BATCH_MAX || characters >= BATCH_CHARACTERS_MAX
    const oldestMs = performance.now() - WAIT_MAX_MS
    let queues = [...this.#waiting].filter(([userId]) => !this.#busyUsers.has(userId))
    while (queues.length > 0 && !isFull()) {
      for (const [userId, own] of queues) {
        if (isFull()) break
        const entry = own.shift()
        if (!entry) continue
        this.#count -= 1
        this.#characters -= entry.request.length
        this.#waiting.delete(userId)
        if (own.length > 0) this.#waiting.set(userId, own)
        if (entry.sinceMs < oldestMs) {
          entry.reject(this.#tooBusy())
          continue
        }
        batch.push(entry)
        characters += entry.request.length
      }
      queues = queues.filter(([, own]) => own.length > 0)
    }
    return batch
  }

  async #send(batch: Waiting<Outcome>[]): Promise<void> {
    this.#underWay += 1
    const userIds = this.#options.isRead ? [] : batch.map(({ userId }) => userId)
    for (const userId of userIds) this.#busyUsers.add(userId)
    await this.#sendTogether(batch)
    for (const userId of userIds) this.#busyUsers.delete(userId)
    this.#underWay -= 1
    if (this.#count > 0) this.#schedule()
  }

  async #sendTogether(batch: Waiting<Outcome>[]): Promise<void> {
    try {
      await this.#call(batch)
    } catch (error) {
      if (isRolledBack(error) && batch.length > 1) await this.#sendOneByOne(batch)
      else for (const entry of batch) entry.reject(error)
    }
  }

  /** Nothing of the batch was done. One request is at fault, so that each is sent by itself and the others succeed. */
  async #sendOneByOne(batch: Waiting<Outcome>[]): Promise<void> {
    for (const entry of batch) await this.#call([entry]).catch(entry.reject)
  }

  async #call(batch: Waiting<Outcome>[]): Promise<void> {
    const requests = `[${batch.map(({ request }) => request).join(',')}]`
    // The latest of their times: one call has one time, which never goes back for an account.
    const now = new Date(Math.max(...batch.map((entry) => entry.now.getTime())))
    const send = () => this.#options.call(requests, now)
    // After a lost connection the same call is repeated once: it does what was not done, and returns what was.
    const outcomes = await send().catch((error: unknown) => {
      if (isRolledBack(error) || !isConnectionLost(error)) throw error
      return send()
    })
    for (const [i, entry] of batch.entries()) entry.resolve(outcomes[i] as Outcome)
  }

  #tooBusy(): AppError {
    return new AppError('UNAVAILABLE', `Too many ${this.#options.name} are waiting; try again in a moment.`, {
      retryAfterS: 1,
    })
  }
}

/** JSON that PostgreSQL accepts: a lone surrogate becomes U+FFFD, as it does in a text parameter. */
function toJson(request: object): string {
  const json = JSON.stringify(request)
  if (!LONE_SURROGATE.test(json)) return json
  return JSON.stringify(request, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}
/** JSON.stringify escapes lone surrogates only. */
const LONE_SURROGATE = /\\ud[89a-f]/

/** SQLSTATE classes in which the server ended the connection: nobody knows whether a commit under way succeeded. */
const CONNECTION_ENDED = /^(08|57P)/

/** Whether the database refused the call, so that certainly nothing of it was committed. */
const isRolledBack = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && !CONNECTION_ENDED.test(error.code)

const isConnectionLost = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (CONNECTION_ENDED.test(String(error.code)) || /^(CONNECTION_|ECONN|EPIPE|ETIMEDOUT)/.test(String(error.code)))
