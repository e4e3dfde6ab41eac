/** Retries with exponential backoff and jitter, which end when the caller's signal is aborted. */
import type { KinoraError, Result } from './errors.ts'

const BACKOFF_MAX_MS = 30_000
const FIRST_BACKOFF_MS = 500
/** Nine attempts take about two minutes. */
const ATTEMPTS = 9
/** A longer `Retry-After` is for the caller to wait for: the error says it. */
const RETRY_AFTER_MAX_S = 120

/**
 * Resolves after the time. Rejects with the signal's reason when it is aborted, as fetch does. Not Node's
 * `timers/promises`, because the client runs in browsers too.
 */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/**
 * Doubles with each failure up to `BACKOFF_MAX_MS`, with a jitter of ±25 %, so that many clients do not retry in step.
 */
export const backoffMs = (failures: number, firstMs: number): number =>
  Math.min(BACKOFF_MAX_MS, firstMs * 2 ** Math.max(0, failures - 1)) * (0.75 + Math.random() / 2)

/**
 * Repeats a request that failed with a retryable error; honours a `Retry-After` of up to two minutes. Returns any other
 * error at once.
 */
export async function withRetry<Data>(
  signal: AbortSignal | undefined,
  send: () => Promise<Result<Data>>,
  { attempts = ATTEMPTS, mayRepeat = isRetryable } = {},
): Promise<Result<Data>> {
  for (let failures = 1; ; failures += 1) {
    const result = await send()
    if (!result.error || !mayRepeat(result.error) || failures === attempts) return result
    const { retryAfterSeconds } = result.error
    await sleep(Math.max(backoffMs(failures, FIRST_BACKOFF_MS), (retryAfterSeconds ?? 0) * 1000), signal)
  }
}

/** 409 is retryable with `Retry-After`: a request with the same Idempotency-Key is still in progress. */
export const isRetryable = ({ code, status, retryAfterSeconds }: KinoraError): boolean =>
  (retryAfterSeconds ?? 0) <= RETRY_AFTER_MAX_S &&
  (code === 'UNREACHABLE' ||
    code === 'UNAVAILABLE' ||
    status === 429 ||
    (code === 'CONFLICT' && retryAfterSeconds !== null))
