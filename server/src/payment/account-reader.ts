/** What is read from a processor's account, and how: in bounded pages, with backoff. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'

/** `period`: a paid period of a subscription; `subscription`: its record; `customer`: of a checkout. */
export type DifferenceKind = 'purchase' | 'period' | 'subscription' | 'customer' | 'refund' | 'dispute' | 'credit note'

/** An object of the account as the event that a webhook would have brought. */
export type Found = {
  kind: DifferenceKind
  /** The processor's object, by whose id an event of it is found that waits for a user or an operator. */
  objectId: string
  /** The event in the processor's format. Its id is derived from the object, so that it is applied once. */
  event: Record<string, unknown>
}

export type Taken = { key: string; charge: string; kind: string; cents: number }

export type ReadContext = {
  app: App
  /** Payments of before are not read. */
  since: Date
  /** Reads a path of the processor's API, again after a pause while it is overloaded or away. @throws AccountError */
  get: (path: string) => Promise<unknown>
  /** Whether each payment is missing. @param ids orders, transactions or invoices */
  areMissing: (ids: string[]) => Promise<boolean[]>
  /** What was taken back of payments. @param ids orders or transactions */
  takenOf: (ids: string[]) => Promise<Taken[]>
  /** The subscriptions whose record lags behind the time, because an event of them may be lost. */
  laggingRecords: () => Promise<string[]>
}

export const DAY_MS = 86_400_000
/** A refund or dispute of the last days may be of a payment made long before. */
export const RETURNS_MS = 120 * DAY_MS
/** A payment may follow its invoice or session by weeks. */
export const LATE_PAYMENT_MS = 30 * DAY_MS
/** The most pages of one list, 100 objects each. */
const PAGES_MAX = 200

const TRIES = 5
const PAUSE_MAX_MS = 30_000

/** A processor that cannot be asked. Its message is for the operator and contains no secrets. */
export class AccountError extends Error {
  override name = 'AccountError'
  /** Of the response; 0 without one; null: another call would not help. */
  readonly status: number | null
  readonly retryAfterS: number | null
  constructor(message: string, status: number | null = null, retryAfterS: number | null = null) {
    super(message)
    this.status = status
    this.retryAfterS = retryAfterS
  }
}

/** Whether another call may bring another answer. */
export const isTransient = ({ status }: AccountError): boolean =>
  status !== null && (status === 0 || status === 408 || status === 429 || status >= 500)

/** Exponential backoff with jitter, or the pause that the processor asks for. `pauseMs`: the first pause. */
export async function withBackoff<T>(request: () => Promise<T>, pauseMs: number, signal?: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof AccountError) || !isTransient(error) || tries === TRIES || signal?.aborted) throw error
      const pause = error.retryAfterS ? error.retryAfterS * 1000 : pauseMs * 2 ** (tries - 1) * (0.5 + Math.random())
      await sleep(Math.min(PAUSE_MAX_MS, pause), undefined, { signal }).catch(() => undefined)
    }
  }
}

/**
 * Follows a list page by page. `read` receives what `next` of the page before is, null at first.
 * @throws AccountError when the list has more pages than `pagesMax`
 */
export async function* pagesOf<Item, Cursor>(
  read: (cursor: Cursor | null) => Promise<{ items: Item[]; next: Cursor | null }>,
  pagesMax = PAGES_MAX,
): AsyncGenerator<Item[]> {
  let cursor: Cursor | null = null
  for (let page = 0; page < pagesMax; page++) {
    const { items, next }: { items: Item[]; next: Cursor | null } = await read(cursor)
    yield items
    if (next === null) return
    cursor = next
  }
  throw new AccountError(`A list has more than ${pagesMax} pages; choose fewer days.`)
}

/** The subscriptions whose record lags, each as it is at `path` + its id, without those it does not know. */
export async function* laggingSubscriptions(context: ReadContext, path: string): AsyncGenerator<object> {
  for (const id of await context.laggingRecords()) {
    try {
      yield (await context.get(path + encodeURIComponent(id))) as object
    } catch (error) {
      if (!(error instanceof AccountError) || error.status !== 404) throw error
      context.app.log.warn({ subscription: id }, 'the processor does not know this subscription')
    }
  }
}

/** The id of an event that reconciliation derives from an object. */
export const derivedId = (...parts: (string | number)[]): string => ['reconcile', ...parts].join(':').slice(0, 250)
