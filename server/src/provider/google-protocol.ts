/**
 * What the Gemini API and Vertex AI share: Google's errors, and the two protocols of its video models. Omni speaks
 * Interactions (a list of parts in, a list of steps out), Veo long-running predictions (`instances` in, an operation
 * out).
 */

import { type FailureCode, failureFrom } from '../film/failure.ts'
import type { CallResult } from '../net/http-client.ts'
import { at, entryOf, jsonOf, numberAt, textAt } from '../text/json-reader.ts'
import { readDataUri } from './data-uri.ts'
import type { Handle, OpenedResult, Report, SubmitOutcome, Task } from './provider.ts'
import { accountAtFault, busy, filmLost, type Response, submitOutcome } from './submit-outcome.ts'
import {
  completedReport,
  costFrom,
  failedReport,
  handleOf,
  isForgotten,
  reasonOf,
  shortened,
  taskIdAt,
  withCost,
} from './task-reader.ts'

/** The result of a task whose film is base64 in the response to a poll. */
export const INLINE = 'inline'
/** A film of 190 MB in base64. */
export const INLINE_BYTES_MAX = 256 * 1024 * 1024

export const isPrediction = ({ input }: Task): boolean => 'instances' in input

/** @param delivery of the film, where the route names none */
export function interactionBody({ model, input }: Task, delivery: 'uri' | 'inline'): object {
  const { input: parts, response_format: format } = input
  return {
    ...input,
    model,
    input: Array.isArray(parts) ? parts.map(partOf) : parts,
    response_format: Array.isArray(format) ? format : { type: 'video', delivery, ...Object(format) },
    // Otherwise the response waits for the film, and nothing can be polled.
    background: true,
    store: true,
  }
}

/** One film, where the route asks for no number: the default is the model's, and each costs. */
export function predictionBody({ input }: Task): object {
  const { instances, parameters } = input
  return {
    ...input,
    instances: Array.isArray(instances) ? instances.map(instanceOf) : instances,
    parameters: { sampleCount: 1, ...Object(parameters) },
  }
}

function partOf(part: unknown): unknown {
  const data = readDataUri(at(part, 'uri'))
  return data ? { type: at(part, 'type'), mime_type: data.contentType, data: data.base64 } : part
}

function instanceOf(instance: unknown): object {
  const media = (value: unknown) => {
    const data = readDataUri(value)
    return data ? { bytesBase64Encoded: data.base64, mimeType: data.contentType } : value
  }
  const { referenceImages, ...fields }: Record<string, unknown> = Object(instance)
  const references = Array.isArray(referenceImages)
    ? { referenceImages: referenceImages.map((each) => ({ ...Object(each), image: media(at(each, 'image')) })) }
    : {}
  return { ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, media(value)])), ...references }
}

/** An interaction is named by its id, or by a path that ends with it. */
export const interactionAt = (body: unknown, ...path: string[]): Handle | null =>
  handleOf(taskIdAt(body, path)?.replace(/^interactions\//, '') ?? null)

export const googleOutcome = (result: CallResult, handle: (body: unknown) => Handle | null): SubmitOutcome =>
  submitOutcome(result, { handle: ({ body }) => handle(body), decide })

function decide({ status, body, retryAfterS }: Response): SubmitOutcome | null {
  const error = errorOf(body)
  const words = jsonOf(error)
  const message = reasonOf(error) ?? `HTTP ${status}`
  if (status === 400 && BAD_ACCOUNT.test(words)) return accountAtFault(message)
  if ((status === 400 || status === 404) && BAD_INTERACTION.test(message)) return filmLost(message)
  if (status === 400 && BAD_CONTENT.test(words)) {
    return { kind: 'refused', failure: { code: 'CONTENT_REFUSED', message: shortened(message) } }
  }
  if (status !== 429) return null
  // A quota of none: the key's plan does not have the model.
  if (/limit: 0\b/.test(message)) return accountAtFault(message)
  const delays = listAt(error, 'details').map((detail) => numberAt(textAt(detail, 'retryDelay')?.replace(/s$/, '')))
  const delayS = delays.find((each) => each !== null) ?? null
  return busy({ retryAfterS: retryAfterS ?? (delayS === null ? null : Math.ceil(delayS)) }, message)
}

/** A key that is not one, a region or a project without billing: all have status 400. */
const BAD_ACCOUNT = /API_KEY_INVALID|API key not valid|FAILED_PRECONDITION/
/** An interaction of which a film is an edit is stored for 55 days. */
const BAD_INTERACTION = /previous_?interaction|invalid interaction|interaction \S* ?(was )?not found/i
const BAD_CONTENT = /SAFETY|PROHIBITED_CONTENT|BLOCKLIST/

/** Google's error of a body, which a proxy of theirs wraps in a list. */
const errorOf = (body: unknown): unknown => at(body, 'error') ?? at(body, 0, 'error')

/** Whether a response says that our key is none. */
export const isKeyInvalid = (result: CallResult): result is Response =>
  result.kind === 'response' && result.status === 400 && BAD_ACCOUNT.test(jsonOf(errorOf(result.body)))

/** @returns null: no answer */
export function googleReport(result: CallResult): Report | null {
  if (result.kind !== 'response') return null
  const { status, body } = result
  if (isForgotten(result) || (status === 400 && /invalid interaction/i.test(reasonOf(body) ?? '')))
    return { kind: 'lost' }
  if (status >= 300 || body === null || typeof body !== 'object') return null
  return 'status' in body ? interactionReport(body) : predictionReport(body)
}

/** The outcome of a cancel of an interaction: 400 once it has ended. */
export function cancelOutcome(result: CallResult): 'cancelled' | 'requested' | 'too_late' | null {
  if (result.kind === 'response' && result.status === 400) return 'too_late'
  const report = googleReport(result)
  if (report === null) return null
  if (report.kind === 'running') return 'requested'
  return report.kind === 'failed' && report.failure.code === 'CANCELLED' ? 'cancelled' : 'too_late'
}

function interactionReport(body: object): Report {
  const status = textAt(body, 'status') ?? ''
  const result = resultOf(body)
  const tokens = at(body, 'usage', 'output_tokens_by_modality')
  const video = Array.isArray(tokens) ? tokens.find((each) => textAt(each, 'modality') === 'video') : null
  const cost = costFrom(at(video, 'tokens') ?? at(tokens, 'video'), 'video tokens', 'final')
  const code = entryOf(failedWords, status)
  if (status !== 'completed' && !code) {
    const isKnown = status === 'queued' || status === 'in_progress'
    return { kind: 'running', progress: null, ...(isKnown ? {} : { note: shortened(status) }) }
  }
  if (result !== null) return withCost(completedReport(result, null), cost)
  const reason = reasonOf(at(body, 'errors')) ?? reasonOf(listAt(body, 'steps').map((step) => at(step, 'error')))
  if (!code) return withCost(failedReport(reason ?? answerOf(body) ?? NO_ANSWER, 'CONTENT_REFUSED'), cost)
  const failed = failedReport(reason ?? `The provider ended the task with the status ${status}.`)
  // The words of a failure's text tell more than the word `failed`.
  return withCost(code === 'PROVIDER_ERROR' ? failed : { ...failed, failure: { ...failed.failure, code } }, cost)
}

/** A refusal is a completed interaction without a film: the model answers with a text. */
const NO_ANSWER = 'The provider made no film of this prompt, without saying why.'
const answerOf = (body: object): string | null => {
  const texts = contentsOf(body).filter((each) => textAt(each, 'type') === 'text')
  return textAt(texts.map((each) => textAt(each, 'text')).join(' '))
}

const failedWords: Record<string, FailureCode> = {
  failed: 'PROVIDER_ERROR',
  cancelled: 'CANCELLED',
  incomplete: 'PROVIDER_ERROR',
  budget_exceeded: 'ACCOUNT',
  requires_continuation: 'PROVIDER_ERROR',
}

function predictionReport(body: object): Report {
  const error = at(body, 'error')
  const reason = reasonOf(error)
  if (reason !== null) return failedReport(reason, codeOf(reason, textAt(error, 'code')))
  if (at(body, 'done') !== true) return { kind: 'running', progress: null }
  const response = at(body, 'response', 'generateVideoResponse') ?? at(body, 'response')
  const result = resultOf(body)
  const withheld = reasonOf(at(response, 'raiMediaFilteredReasons'))
  const isWithheld = withheld !== null || (numberAt(response, 'raiMediaFilteredCount') ?? 0) > 0
  return result === null && isWithheld
    ? failedReport(withheld ?? NO_ANSWER, 'CONTENT_REFUSED')
    : completedReport(result, null)
}

/** The code of gRPC, unless it is only that of an invalid argument, which the text explains. */
const codeOf = (reason: string, code: string | null): FailureCode =>
  code === '3' ? failureFrom(reason, 'PARAMETERS_REFUSED').code : (entryOf(grpcCodes, code) ?? 'PROVIDER_ERROR')

const grpcCodes: Record<string, FailureCode> = {
  1: 'CANCELLED',
  4: 'TIMED_OUT',
  7: 'ACCOUNT',
  8: 'PROVIDER_BUSY',
  14: 'PROVIDER_BUSY',
  16: 'ACCOUNT',
}

/** The link to the film, `INLINE`, or null. */
function resultOf(body: unknown): string | null {
  const videos = videosOf(body)
  const links = videos.map((video) => textAt(video, 'uri') ?? textAt(video, 'gcsUri'))
  return links.find((link) => link !== null) ?? (videos.some(base64Of) ? INLINE : null)
}

/** The film in the response to a poll; null: no answer. */
export function openInline(result: CallResult): OpenedResult | null {
  const report = googleReport(result)
  if (result.kind !== 'response' || report === null) return null
  const base64 = videosOf(result.body).map(base64Of).find(Boolean)
  if (base64) return { kind: 'bytes', bytes: Buffer.from(base64, 'base64') }
  if (report.kind === 'running') return null
  return { kind: 'gone', failure: { code: 'FILM_UNREACHABLE', message: 'The provider has removed the film.' } }
}

const videosOf = (body: unknown): unknown[] => [
  ...contentsOf(body).filter((each) => textAt(each, 'type') === 'video'),
  ...listAt(body, 'response', 'videos'),
  ...listAt(body, 'response', 'generateVideoResponse', 'generatedSamples').map((sample) => at(sample, 'video')),
]

/** Read without `textAt`, which copies it several times. */
function base64Of(video: unknown): string | null {
  const base64 = at(video, 'data') ?? at(video, 'bytesBase64Encoded')
  return typeof base64 === 'string' && base64 !== '' ? base64 : null
}

/** What the model made: other steps are its thoughts, and what we sent. */
const contentsOf = (body: unknown): unknown[] =>
  listAt(body, 'steps')
    .filter((step) => textAt(step, 'type') === 'model_output')
    .flatMap((step) => listAt(step, 'content'))

function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const list = at(value, ...path)
  return Array.isArray(list) ? list : []
}
