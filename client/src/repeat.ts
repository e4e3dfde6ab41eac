/**
 * Requests that are sent again when their response is lost: those that change nothing, and those that create under an
 * `Idempotency-Key`, with the same key. A 429 says that nothing was done, so any request follows it.
 */
import type { Method } from './calls.ts'
import type { KinoraError, Result } from './errors.ts'
import { newIdempotencyKey } from './idempotency-key.ts'
import { KEYED } from './keyed-operations.ts'
import { isRetryable, withRetry } from './retry.ts'

const ATTEMPTS = 3
const HEADER = 'idempotency-key'

type Options = {
  signal?: AbortSignal
  headers?: Record<string, string>
  params?: { header?: Record<string, string | undefined> }
}

/** @param send one attempt, with the options that it gets */
export function repeat<Init extends Options>(
  method: Method,
  path: string,
  init: Init,
  send: (init: Init) => Promise<Result<unknown>>,
): Promise<Result<unknown>> {
  const isKeyed = method === 'post' && KEYED.has(path)
  const hasKey = init.params?.header?.[HEADER] !== undefined || init.headers?.[HEADER] !== undefined
  const keyed = isKeyed && !hasKey ? { ...init, headers: { ...init.headers, [HEADER]: newIdempotencyKey() } } : init
  const isRepeatable = method === 'get' || method === 'put' || isKeyed
  const mayRepeat = (error: KinoraError) => isRetryable(error) && (isRepeatable || error.status === 429)
  return withRetry(init.signal, () => send(keyed), { attempts: ATTEMPTS, mayRepeat })
}
