/** What is read from a processor's account, and how: in bounded pages, with timeouts and backoff. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { openHttpClient } from '../net/http-client.ts'
import { at } from '../text/json-reader.ts'
import { stripeVersion } from './billing.ts'
import { idAt } from './effect.ts'
import type { Processor } from './plans.ts'

/** `period`: a paid period of a subscription; `subscription`: its record; `customer`: who the customer of a checkout is. */
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
  /** Reads a path of the processor's API, again after a pause while it is overloaded or cannot be reached. @throws AccountError */
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

const isTransient = ({ status }: AccountError): boolean =>
  status !== null && (status === 0 || status === 408 || status === 429 || status >= 500)

/** A client of a processor's API; null when that is not configured. `read` throws an AccountError unless it answers with a body. */
export function openAccount(app: Pick<App, 'config'>, processor: Processor, timeoutS: number) {
  const settings = app.config.payments[processor]
  if (!settings) return null
  const client = openHttpClient(timeoutS)
  const { url, apiKey } = settings
  const headers: Record<string, string> =
    processor === 'payment-a'
      ? { 'x-api-key': apiKey }
      : // The package's version: an account's own may lack what is read here.
        { authorization: `Bearer ${apiKey}`, 'stripe-version': stripeVersion() }
  const read = async (path: string): Promise<unknown> => {
    const result = await client.call('GET', `${url}${path}`, { headers, bytesMax: BODY_BYTES_MAX })
    if (result.kind !== 'response') throw new AccountError(`${processor} did not answer: ${result.reason}.`, 0)
    if (result.status < 300) return result.body
    throw new AccountError(`${processor} answered HTTP ${result.status}.`, result.status, result.retryAfterS)
  }
  return { read, close: client.close }
}

/** A page of 100 invoices. */
const BODY_BYTES_MAX = 16 * 1024 * 1024
const READ_TIMEOUT_S = 5
/** A payment with as many lines is left to an operator; none of ours comes near. */
const ITEMS_MAX = 1_000

/** What an event lacks, a list with all of its pages; null when it cannot be read now. Never throws. */
export async function readLacking(app: App, processor: Processor, path: string): Promise<unknown> {
  const account = openAccount(app, processor, READ_TIMEOUT_S)
  if (!account) return null
  try {
    const first = await account.read(path)
    const items = at(first, 'data')
    if (!Array.isArray(items)) return first
    for (let page = first; at(page, 'has_more') === true; ) {
      if (items.length >= ITEMS_MAX) throw new Error('there are too many of them')
      page = await account.read(`${path}&starting_after=${idAt(items.at(-1))}`)
      items.push(...((at(page, 'data') as unknown[] | undefined) ?? []))
    }
    return { data: items, has_more: false }
  } catch (err) {
    app.log.warn({ err, processor, path }, 'what a payment event lacks could not be read')
    return null
  } finally {
    await account.close()
  }
}

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
 * @throws AccountError when the list has more than 200 pages
 */
export async function* pagesOf<Item, Cursor>(
  read: (cursor: Cursor | null) => Promise<{ items: Item[]; next: Cursor | null }>,
): AsyncGenerator<Item[]> {
  let cursor: Cursor | null = null
  for (let page = 0; page < PAGES_MAX; page++) {
    const { items, next }: { items: Item[]; next: Cursor | null } = await read(cursor)
    yield items
    if (next === null) return
    cursor = next
  }
  throw new AccountError(`A list has more than ${PAGES_MAX} pages; choose fewer days.`)
}

/** The subscriptions whose record lags, each as it is at `path` + its id; one that the processor does not know is left out. */
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
