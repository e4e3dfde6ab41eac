/** Callbacks and processors' events on their way: attempts, and retries on a schedule, also after a restart. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from './settings.ts'

/** The longest delay of a Node.js timer. */
export const SLEEP_MS_MAX = 2 ** 31 - 1
const RETRY_DELAY_MS_MIN = 100
const TIMEOUT_MS = 20_000

export type Message = {
  /** `kept`: there is no URL to send it to, so that it is sent on request only. */
  state: 'waiting' | 'delivered' | 'given up' | 'kept'
  /** `status`: of the HTTP response, null without one. */
  deliveries: { at: string; status: number | null }[]
}
/** `label`: what the log calls it. */
type Outgoing = { label: string; url: string | null; body: string; signature: Record<string, string> }

type Route<Item> = {
  context: Context
  /** Delays before further attempts, in seconds; then the message is given up. */
  retryAfterS: readonly number[]
  write: (item: Item) => Outgoing
  isReceived: (status: number | null, item: Item) => boolean
  save: () => void
}

/**
 * Resolves after the first attempt of each, one after another; retries those that failed in the background. A restart
 * begins the delay before the next attempt anew.
 */
export async function deliver<Item extends Message>(items: Item[], route: Route<Item>): Promise<void> {
  const waiting = items.filter(({ state }) => state === 'waiting')
  for (const item of waiting) if (item.deliveries.length === 0) await attempt(item, route)
  for (const item of waiting) retry(item, route)
}

/** Makes one attempt and records it. @returns the HTTP status, null on a timeout, a network error or without a URL */
export async function attempt<Item extends Message>(item: Item, route: Route<Item>): Promise<number | null> {
  const at = new Date().toISOString()
  const { label, url, body, signature } = route.write(item)
  const headers = { 'content-type': 'application/json', ...signature }
  const request = {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  } as const
  const response = url === null ? null : await fetch(url, request).catch(() => null)
  await response?.body?.cancel().catch(() => {})
  const status = response?.status ?? null
  route.context.log(`${label}: ${status ?? 'no response'}`)
  item.deliveries.push({ at, status })
  if (route.isReceived(status, item)) item.state = 'delivered'
  else if (item.state === 'waiting' && item.deliveries.length > route.retryAfterS.length) item.state = 'given up'
  route.save()
  return status
}

async function retry<Item extends Message>(item: Item, route: Route<Item>): Promise<void> {
  while (item.state === 'waiting') {
    const delayMs = (route.retryAfterS[item.deliveries.length - 1] ?? 0) * 1000 * route.context.settings.pace
    await sleep(Math.max(RETRY_DELAY_MS_MIN, Math.min(SLEEP_MS_MAX, delayMs)))
    if (item.state === 'waiting') await attempt(item, route)
  }
}
