/** Waiting: for a while, for longer after each failure, and no longer than the caller wants. */
import type { Answer, KinoraError } from './errors.ts'

const LONGEST_MS = 30_000
/** About two minutes of trying. */
const ATTEMPTS = 9

/** Rejects with the reason of the signal when it is aborted, as fetch does. */
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

/** Twice as long after each failure, at most half a minute, spread so that many clients do not come back as one. */
export const backoffMs = (failures: number, firstMs: number): number =>
  Math.min(LONGEST_MS, firstMs * 2 ** Math.max(0, failures - 1)) * (0.75 + Math.random() / 2)

/** Sends again what got no answer, or was told to come back; what is refused for good is answered at once. */
export async function withPatience<Data>(
  signal: AbortSignal | undefined,
  send: () => Promise<Answer<Data>>,
): Promise<Answer<Data>> {
  for (let failures = 1; ; failures += 1) {
    const answer = await send()
    if (!answer.error || !isPassing(answer.error) || failures === ATTEMPTS) return answer
    await sleep(Math.max(backoffMs(failures, 500), (answer.error.retryAfterSeconds ?? 0) * 1000), signal)
  }
}

/** 409 passes when it says when to come back: a request with the same Idempotency-Key is still running. */
const isPassing = ({ code, status, retryAfterSeconds }: KinoraError): boolean =>
  code === 'UNREACHABLE' ||
  code === 'UNAVAILABLE' ||
  status === 429 ||
  (code === 'CONFLICT' && retryAfterSeconds !== null)
