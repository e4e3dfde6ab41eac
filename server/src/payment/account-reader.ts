/** What is read from a processor's account, and how: in bounded pages, with timeouts and backoff. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import type { PaymentSettings } from '../config/config.ts'
import { type HttpClient, openHttpClient } from '../net/http-client.ts'
import { at } from '../text/json-reader.ts'
import type { Effect } from './effect.ts'
import { idAt } from './event-reader.ts'
import type { Processor } from './plans.ts'

/** `period`: a paid period of a subscription; `subscription`: its record; `customer`: who the customer of a checkout is. */
export type DifferenceKind = 'purchase' | 'period' | 'subscription' | 'customer' | 'refund' | 'dispute'

/** An object of the account as the event that a webhook would have brought. */
export type Found = {
  kind: DifferenceKind
  /** The processor's object, by whose id an event of it is found that waits for a user or an operator. */
  objectId: string
  /** The event in the processor's format. Its id is derived from the object, so that it is applied once. */
  event: Record<string, unknown>
}

export type ReadContext = {
  app: App
  /** Payments of before are not read. */
  since: Date
  /** Calls the processor, again after a pause while it is overloaded or cannot be reached. */
  call: <T>(request: () => Promise<T>) => Promise<T>
  /** Whether the effects of each list are not all applied. */
  areMissing: (effects: Effect[][]) => Promise<boolean[]>
  /** The subscriptions whose record lags behind the time, because an event of them may be lost. */
  laggingRecords: () => Promise<string[]>
}

/** Yields pages of what was found; an object whose effects are all applied may be left out. */
export type ReadAccount = (context: ReadContext) => AsyncGenerator<Found[]>

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
  readonly retryAfterMs: number | null
  /** Whether the same call may succeed later. */
  readonly isTransient: boolean
  /** HTTP */
  readonly status: number | null
  constructor(
    message: string,
    isTransient: boolean,
    { status = null, retryAfterMs = null }: { status?: number | null; retryAfterMs?: number | null } = {},
  ) {
    super(message)
    this.name = 'AccountError'
    this.isTransient = isTransient
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** The statuses after which a call is repeated. */
export const isTransientStatus = (status: number | undefined): boolean =>
  status === undefined || status === 408 || status === 429 || status >= 500

/** @throws AccountError unless it answers with a body */
export async function readFrom(
  client: HttpClient,
  processor: Processor,
  { url, apiKey }: PaymentSettings,
  path: string,
): Promise<unknown> {
  const headers = processor === 'payment-a' ? { 'x-api-key': apiKey } : { authorization: `Bearer ${apiKey}` }
  const result = await client.call('GET', `${url}${path}`, { headers })
  if (result.kind !== 'response') throw new AccountError(`${processor} did not answer: ${result.reason}.`, true)
  const { status, retryAfterS } = result
  if (status < 300) return result.body
  const retry = { status, retryAfterMs: retryAfterS && retryAfterS * 1000 }
  throw new AccountError(`${processor} answered HTTP ${status}.`, isTransientStatus(status), retry)
}

const READ_TIMEOUT_S = 5

/** What an event lacks, a list with all of its pages; null when it cannot be read now. Never throws. */
export async function readLacking(app: App, processor: Processor, path: string): Promise<unknown> {
  const settings = app.config.payments[processor]
  if (!settings) return null
  const client = openHttpClient(READ_TIMEOUT_S)
  try {
    const first = await readFrom(client, processor, settings, path)
    const items = at(first, 'data')
    if (!Array.isArray(items)) return first
    for (let page = first; at(page, 'has_more') === true; ) {
      if (items.length >= ITEMS_MAX) throw new Error('there are too many of them')
      page = await readFrom(client, processor, settings, `${path}&starting_after=${idAt(items.at(-1))}`)
      items.push(...((at(page, 'data') as unknown[] | undefined) ?? []))
    }
    return { data: items, has_more: false }
  } catch (err) {
    app.log.warn({ err, processor, path }, 'what a payment event lacks could not be read')
    return null
  } finally {
    await client.close()
  }
}

/** A payment with as many lines is left to an operator; none of ours comes near. */
const ITEMS_MAX = 1_000

/** Exponential backoff with jitter, or the pause that the processor asks for. `pauseMs`: the first pause. */
export async function withBackoff<T>(request: () => Promise<T>, pauseMs: number, signal?: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof AccountError) || !error.isTransient || tries === TRIES || signal?.aborted) throw error
      const backoffMs = pauseMs * 2 ** (tries - 1) * (0.5 + Math.random())
      await sleep(Math.min(PAUSE_MAX_MS, error.retryAfterMs ?? backoffMs), undefined, { signal }).catch(() => undefined)
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
  throw new AccountError(`A list has more than ${PAGES_MAX} pages; choose fewer days.`, false)
}

/** The subscriptions whose record lags, each as `read` returns it; one that the processor does not know is left out. */
export async function* laggingSubscriptions<Subscription>(
  context: ReadContext,
  read: (id: string) => Promise<Subscription>,
): AsyncGenerator<Subscription> {
  for (const id of await context.laggingRecords()) {
    try {
      yield await read(id)
    } catch (error) {
      if (!(error instanceof AccountError) || error.status !== 404) throw error
      context.app.log.warn({ subscription: id }, 'the processor does not know this subscription')
    }
  }
}

/** The id of an event that reconciliation derives from an object. */
export const derivedId = (...parts: (string | number)[]): string => ['reconcile', ...parts].join(':').slice(0, 250)
