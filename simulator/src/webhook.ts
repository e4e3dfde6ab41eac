/** What the callbacks of providers and the events of processors share: one HTTP attempt, and the wait for the next. */
import { setTimeout as sleep } from 'node:timers/promises'

/** The maximum delay of a Node.js timer. */
const SLEEP_MS_MAX = 2 ** 31 - 1
const RETRY_DELAY_MS_MIN = 100

/** @returns the HTTP status of the response, null on a timeout or a network error */
export async function postJson(
  url: string,
  body: string,
  { headers, timeoutMs, closing }: { headers: Record<string, string>; timeoutMs: number; closing: AbortSignal },
): Promise<number | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    return response.status
  } catch {
    return null
  }
}

/** @returns when to try again after so many attempts, in milliseconds since 1970; null: the sender gives up */
export function nextAttemptAt(retryAfterS: readonly number[], attempts: number, pace: number): number | null {
  const delayS = retryAfterS[attempts - 1]
  return delayS === undefined ? null : Date.now() + Math.max(RETRY_DELAY_MS_MIN, delayS * 1000 * pace)
}

export async function sleepUntil(timeMs: number, closing: AbortSignal): Promise<void> {
  for (let leftMs = timeMs - Date.now(); leftMs > 0; leftMs = timeMs - Date.now()) {
    await sleep(Math.min(leftMs, SLEEP_MS_MAX), undefined, { signal: closing })
  }
}
