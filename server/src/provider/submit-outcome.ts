/** Classifies the response to a submit or check of a key; vendors differ in the places of code, message and id. */

import { type FailureCode, failureFrom } from '../film/failure.ts'
import type { CallResult } from '../net/http-client.ts'
import { at } from '../text/json-reader.ts'
import type { Balance, Cost, Handle, KeyCheck, Report, SubmitOutcome, UploadOutcome } from './provider.ts'
import { reasonOf, shortened } from './task-reader.ts'

export type Response = Extract<CallResult, { kind: 'response' }>

export type SubmitRules = {
  /** The task of a response; null when it names none, or one that cannot be a key in our database. */
  handle: (response: Response) => Handle | null
  /** The state of an accepted task, where the response can have its end already. */
  report?: (response: Response) => Report | null
  cost?: (response: Response) => Cost | undefined
  /** The code that decides, where it is not the HTTP status. Null: the body has none. */
  code?: (response: Response) => number | null
  /** The text for the user; by default wherever the body has one. */
  message?: (response: Response) => string | null
  /** The text of an error beside a code of success; by default that of `error`. */
  error?: (response: Response) => string | null
  /** Codes with which the vendor promises that it has not accepted the task, besides 429: worth a retry. */
  busy?: readonly number[]
  /** Codes of our account or URL, besides 401, 402, 403, 404 and redirects. */
  account?: readonly number[]
  /** The vendor's own closed list, by code or words of the body; null: the common rules decide. */
  decide?: (response: Response) => SubmitOutcome | null
}

export const refused = (message: string | null): SubmitOutcome => ({
  kind: 'refused',
  failure:
    message === null
      ? { code: 'PARAMETERS_REFUSED', message: REFUSED }
      : failureFrom(shortened(message), 'PARAMETERS_REFUSED'),
})

export const busy = ({ retryAfterS }: Pick<Response, 'retryAfterS'>, reason: string): SubmitOutcome => ({
  kind: 'not_accepted',
  reason: shortened(reason),
  retryable: true,
  ...(retryAfterS ? { retryAfterS } : {}),
})

/** Our key, balance, right or URL is at fault. */
export const accountAtFault = (reason: string): SubmitOutcome => ({
  kind: 'not_accepted',
  reason: shortened(reason),
  retryable: false,
})

/** The vendor has no such model, or none any more. */
export const modelUnknown = (reason: string): SubmitOutcome => ({
  kind: 'not_accepted',
  reason: shortened(reason),
  retryable: false,
  isModelUnknown: true,
})

/** The vendor does not keep its own film any more, which the task names. */
export const filmLost = (reason: string): SubmitOutcome => ({
  kind: 'not_accepted',
  reason: shortened(reason),
  retryable: true,
  isFilmLost: true,
})

/** The outcome by a vendor's closed list. @param code of it; PROVIDER_ERROR: the vendor may have accepted */
export function outcomeFor(code: FailureCode, response: Response, message: string | null): SubmitOutcome {
  const reason = message ?? `HTTP ${response.status}`
  if (code === 'PROVIDER_BUSY') return busy(response, reason)
  if (code === 'ACCOUNT') return accountAtFault(reason)
  if (code === 'PARAMETERS_REFUSED') return refused(message)
  if (code === 'PROVIDER_ERROR') return { kind: 'unknown', reason: shortened(reason) }
  return { kind: 'refused', failure: { code, message: message === null ? REFUSED : shortened(message) } }
}

export function submitOutcome(result: CallResult, rules: SubmitRules): SubmitOutcome {
  if (result.kind === 'not_sent') return { kind: 'not_accepted', reason: result.reason, retryable: true }
  if (result.kind === 'no_response') return { kind: 'unknown', reason: result.reason }
  const decided = rules.decide?.(result)
  if (decided) return decided

  const code = rules.code ? rules.code(result) : result.status
  const label = rules.code ? `code ${code}` : `HTTP ${code}`
  const message = rules.message ? rules.message(result) : reasonOf(result.body)
  const handle = rules.handle(result)
  const isSuccess = code !== null && code >= 200 && code < 300
  if (isSuccess && handle) {
    const report = rules.report?.(result)
    const cost = rules.cost?.(result)
    return {
      kind: 'accepted',
      handle,
      ...(report && report.kind !== 'running' ? { report } : {}),
      ...(cost ? { cost } : {}),
    }
  }
  if (isSuccess || code === null) {
    // A complete response that reports an error and names no task is not ambiguous.
    const error = rules.error ? rules.error(result) : reasonOf(at(result.body, 'error'))
    return error !== null && !handle ? refused(message) : { kind: 'unknown', reason: `${label} without a task id` }
  }
  if (code === 429 || rules.busy?.includes(code)) return busy(result, message ?? label)
  if (code === 404 && MODEL.test(message ?? '') && !PATH.test(message ?? '')) return modelUnknown(message ?? label)
  if (MISCONFIGURED.includes(code) || rules.account?.includes(code)) {
    return accountAtFault(`${label}: ${message ?? label}`)
  }
  return code >= 400 && code < 500 && !AMBIGUOUS.includes(code) ? refused(message) : { kind: 'unknown', reason: label }
}

/**
 * The outcome of an upload, or of another call that makes no task, so that it may be repeated.
 * @param value what stands for the input in a request; null: the response names nothing
 */
export function uploadOutcome(
  result: CallResult,
  value: (response: Response) => string | null,
  rules: Partial<SubmitRules> = {},
): UploadOutcome {
  const found = result.kind === 'response' && result.status < 300 ? value(result) : null
  if (found !== null) return { kind: 'uploaded', value: found }
  const outcome = submitOutcome(result, { ...rules, handle: () => null })
  if (outcome.kind === 'refused' && outcome.failure.code === 'PARAMETERS_REFUSED') {
    return { ...outcome, failure: { ...outcome.failure, code: 'INPUT_REFUSED' } }
  }
  if (outcome.kind === 'refused' || outcome.kind === 'not_accepted') return outcome
  const reason = outcome.kind === 'unknown' ? outcome.reason : 'no link'
  return { kind: 'not_accepted', reason: `an input could not be taken there: ${reason}`, retryable: true }
}

/** @param result of a call that needs our key and costs nothing */
export function keyCheck(result: CallResult): KeyCheck | null {
  if (result.kind !== 'response' || result.status >= 500) return null
  if (![401, 403].includes(result.status)) return { kind: 'accepted' }
  return { kind: 'refused', reason: shortened(reasonOf(result.body) ?? `HTTP ${result.status}`) }
}

/** Limits of a call that reads a balance. */
export const BALANCE_LIMITS = { timeoutS: 10, bytesMax: 64 * 1024 }
const AMOUNT_MAX = 1e12

/** @param amount of the body, null without one */
export function balanceFrom(result: CallResult, unit: string, amount: (body: unknown) => number | null): Balance {
  if (result.kind !== 'response') return { kind: 'untold', reason: result.reason }
  const found = result.status < 300 ? amount(result.body) : null
  if (found !== null && Math.abs(found) < AMOUNT_MAX) return { kind: 'told', amount: found, unit }
  const text = reasonOf(result.body) ?? 'its answer names no balance'
  return { kind: 'untold', reason: shortened(`HTTP ${result.status}: ${text}`) }
}

/** Stored for the user when a provider refuses a task without a message. */
const REFUSED = 'The provider refused this film without saying why.'

/**
 * 408: the time ran out before the whole request was read, at the provider or at a proxy that may have passed it on.
 * 409: an earlier submit with this Idempotency-Key, to which a proxy responded 503, say, is still running there.
 */
const AMBIGUOUS = [408, 409]

/** A 404 that names none, or a path, as gateways and frameworks do, is that of a wrong URL. */
const MODEL = /\bmodels?\b|\bendpoints found for\b/i
const PATH = /(^|[\s:"'`])\/\w/

/** A redirect means that the configured URL is wrong (http instead of https, say), so no task was accepted there. */
const MISCONFIGURED = [301, 302, 307, 308, 401, 402, 403, 404]
