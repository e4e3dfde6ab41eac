/** Classifies the response to a submit. Providers differ in where code, message and task id are, not in their meaning. */
import type { CallResult } from '../net/http-client.ts'
import type { SubmitOutcome } from './provider.ts'
import { shortened } from './task-reader.ts'

/** Stored for the user when a provider refuses a task without a message. */
const REFUSED = 'The provider refused this film without saying why.'

type SubmitResponse = {
  /** The HTTP status, or the code of the provider's envelope. */
  code: number | null
  /** Names the code in reasons, such as "HTTP 503". */
  label: string
  isSuccess: boolean
  /** Whether the body reports an error, whatever the status is. */
  isError: boolean
  message: string | null
  taskId: string | null | 'too_long'
}

/**
 * @param codes beyond the common ones: `busy` is worth a retry, because the provider says that it has not accepted the task (503 is among
 *   them where its documentation promises that); `misconfigured` means our account or URL is at fault
 */
export function submitOutcome(
  result: CallResult,
  codes: { busy: readonly number[]; misconfigured: readonly number[] },
  read: (response: Extract<CallResult, { kind: 'response' }>) => SubmitResponse,
): SubmitOutcome {
  if (result.kind === 'not_sent') return { kind: 'not_accepted', reason: result.reason, retryable: true }
  if (result.kind === 'no_response') return { kind: 'unknown', reason: result.reason }

  const { code, label, isSuccess, isError, message, taskId } = read(result)
  const reason = shortened(message ?? label)
  if (isSuccess && taskId && taskId !== 'too_long') return { kind: 'accepted', taskId }
  // A complete response that reports an error and names no task is not ambiguous.
  const refused: SubmitOutcome = { kind: 'refused', message: message ? reason : REFUSED }
  if (isSuccess || code === null) {
    return isError && !taskId ? refused : { kind: 'unknown', reason: `${label} without a task id` }
  }
  if (code === 429 || codes.busy.includes(code)) {
    const { retryAfterS } = result
    return { kind: 'not_accepted', reason, retryable: true, ...(retryAfterS ? { retryAfterS } : {}) }
  }
  if (MISCONFIGURED.includes(code) || codes.misconfigured.includes(code)) {
    return { kind: 'not_accepted', reason: `${label}: ${reason}`, retryable: false }
  }
  return code >= 400 && code < 500 && !AMBIGUOUS.includes(code) ? refused : { kind: 'unknown', reason: label }
}

/**
 * 408: the time ran out before the whole request was read, at the provider or at a proxy that may have passed it on. 409: an earlier submit
 * with this Idempotency-Key, to which a proxy responded 503, say, is still running there.
 */
const AMBIGUOUS = [408, 409]

/** A redirect means that the configured URL is wrong (http instead of https, say), so no task was accepted there. */
const MISCONFIGURED = [301, 302, 307, 308, 401, 402, 403, 404]
