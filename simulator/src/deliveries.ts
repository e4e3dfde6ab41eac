/** Callbacks of providers and events of processors on their way: attempts, and retries on a schedule, also after a restart. */
import { setTimeout as sleep } from 'node:timers/promises'

/** The longest delay of a Node.js timer. */
export const SLEEP_MS_MAX = 2 ** 31 - 1
const RETRY_DELAY_MS_MIN = 100

export type Message = {
  /** `kept`: there is no URL to send it to, so that it is sent on request only. */
  state: 'waiting' | 'delivered' | 'given up' | 'kept'
  /** `status`: of the HTTP response, null without one. */
  deliveries: { at: string; status: number | null }[]
}

type Route<Item> = {
  /** Delays before further attempts, in seconds; then the message is given up. */
  retryAfterS: readonly number[]
  pace: number
  /** Makes one attempt. @returns the HTTP status, null without a response */
  post: (item: Item) => Promise<number | null>
  isReceived: (status: number | null, item: Item) => boolean
  save: () => void
}

/**
 * Resolves after the first attempt of each, one after another; retries those that failed in the background. A restart begins the
 * delay before the next attempt anew.
 */
export async function deliver<Item extends Message>(items: Item[], route: Route<Item>): Promise<void> {
  const waiting = items.filter(({ state }) => state === 'waiting')
  for (const item of waiting) if (item.deliveries.length === 0) await attempt(item, route)
  for (const item of waiting) retry(item, route)
}

/** Makes one attempt and records it. */
export async function attempt<Item extends Message>(item: Item, route: Route<Item>): Promise<number | null> {
  const at = new Date().toISOString()
  const status = await route.post(item)
  item.deliveries.push({ at, status })
  if (route.isReceived(status, item)) item.state = 'delivered'
  else if (item.state === 'waiting' && item.deliveries.length > route.retryAfterS.length) item.state = 'given up'
  route.save()
  return status
}

async function retry<Item extends Message>(item: Item, route: Route<Item>): Promise<void> {
  while (item.state === 'waiting') {
    const delayS = route.retryAfterS[item.deliveries.length - 1] ?? 0
    await sleep(Math.max(RETRY_DELAY_MS_MIN, Math.min(SLEEP_MS_MAX, delayS * 1000 * route.pace)))
    if (item.state === 'waiting') await attempt(item, route)
  }
}

/** @returns the HTTP status of the response, null on a timeout or a network error */
export async function postJson(
  url: string,
  body: string,
  signature: Record<string, string>,
  timeoutMs: number,
): Promise<number | null> {
  const headers = { 'content-type': 'application/json', ...signature }
  const request = { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const
  try {
    const response = await fetch(url, request)
    await response.body?.cancel()
    return response.status
  } catch {
    return null
  }
}
