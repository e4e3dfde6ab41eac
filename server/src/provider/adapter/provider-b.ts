/**
 * provider-b: every response is HTTP 200 with a `code` in an envelope. The result is JSON inside a string, and one of its
 * model families has another response format. Callbacks may be signed (HMAC-SHA256) with the provider's own key.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ProviderSettings } from '../../config/config.ts'
import { type CallResult, openHttpClient } from '../../net/http-client.ts'
import { at, numberAt, parseJson, textAt } from '../../text/json-reader.ts'
import {
  type Callback,
  type NoParameter,
  type Provider,
  type Report,
  SIGNATURE_AGE_MAX_MS,
  type SubmitOutcome,
  type Task,
} from '../provider.ts'
import { submitOutcome } from '../submit-outcome.ts'
import {
  completedReport,
  phaseOf,
  progressAt,
  reasonOf,
  runningReport,
  shortened,
  taskIdAt,
  urlAt,
} from '../task-reader.ts'

export function openProvider({ url, apiKey, webhookKey, timeoutS }: ProviderSettings): Provider {
  const client = openHttpClient(timeoutS)
  const headers = { authorization: `Bearer ${apiKey}` }
  return {
    name: 'provider-b',
    submit: async (task, signal, more) =>
      readSubmitOutcome(
        await client.call('POST', `${url}/api/v1/jobs/createTask`, {
          headers: { ...headers, ...more },
          body: JSON.stringify(toBody(task)),
          signal,
        }),
      ),
    poll: async (taskId, signal, more) => {
      const path = `/api/v1/jobs/recordInfo?taskId=${encodeURIComponent(taskId)}`
      const result = await client.call('GET', `${url}${path}`, { headers: { ...headers, ...more }, signal })
      if (result.kind !== 'response' || result.status !== 200) return null
      // An error code concerns the poll and not the task when the body has no task.
      return taskIdOf(result.body) ? readReport(result.body) : null
    },
    readCallback: (body, headers, now) => {
      if (webhookKey && !(isSigned(body, headers, webhookKey) && isRecent(headers, now))) return 'bad_signature'
      return readCallback(body)
    },
    close: client.close,
  }
}

function toBody(task: Task): Record<string, unknown> {
  const {
    videoId: _,
    model,
    prompt,
    aspectRatio,
    durationS,
    quality,
    startImageUrl,
    seed,
    callbackUrl,
    ...others
  } = task
  others satisfies NoParameter
  return {
    model,
    callBackUrl: callbackUrl,
    input: {
      prompt,
      aspect_ratio: aspectRatio,
      duration: durationS,
      quality,
      ...(startImageUrl ? { image_urls: [startImageUrl] } : {}),
      ...(seed === null ? {} : { seed }),
    },
  }
}

const readSubmitOutcome = (result: CallResult): SubmitOutcome =>
  submitOutcome(result, { busy: [455], misconfigured: [505] }, ({ status, body }) => {
    const isEnvelope = status >= 200 && status < 300
    const code = isEnvelope ? numberAt(body, 'code') : status
    return {
      code,
      label: `code ${code}`,
      isSuccess: code === 200,
      isError: messageOf(body, 200) !== null,
      message: messageOf(body, code),
      taskId: taskIdOf(body),
    }
  })

function readReport(body: unknown): Report | null {
  const state = textAt(body, 'data', 'state')
  const info = at(body, 'data', 'info')
  if (!state) {
    // The other format: a result in data.info, or an error code without info.
    const videoUrl = firstUrl(at(info, 'resultUrls'))
    if (videoUrl) return { kind: 'completed', videoUrl }
    const code = numberAt(body, 'code')
    if (code !== null && code !== 200 && !info) return { kind: 'failed', message: failureOf(body) }
    return info && code === 200 ? { kind: 'running', progress: progressAt(info, 'progress') } : null
  }
  const phase = phaseOf(state)
  if (phase === 'completed') {
    const result = at(body, 'data', 'resultJson')
    const videoUrl =
      firstUrl(at(typeof result === 'string' ? parseJson(result) : result, 'resultUrls')) ??
      firstUrl(at(info, 'resultUrls'))
    return completedReport(videoUrl, messageOf(body, 200))
  }
  if (phase === 'failed') return { kind: 'failed', message: failureOf(body) }
  return runningReport(phase, state, progressAt(body, 'data', 'progress'))
}

function readCallback(body: unknown): Callback | null {
  const report = readReport(body)
  const taskId = taskIdOf(body)
  return report && report.kind !== 'no_film' && taskId !== 'too_long' ? { taskId, report } : null
}

/** Some model families, and the samples of the signature's documentation, have `task_id`. */
const taskIdOf = (body: unknown) => taskIdAt(body, 'data', 'taskId') ?? taskIdAt(body, 'data', 'task_id')

/** The text of a failure. The message of an envelope with the code 200 is "success". */
const messageOf = (body: unknown, code: number | null): string | null =>
  textAt(body, 'data', 'failMsg') ??
  reasonOf(at(body, 'data', 'error')) ??
  reasonOf(code === 200 ? at(body, 'error') : body)

const failureOf = (body: unknown): string =>
  shortened(messageOf(body, numberAt(body, 'code')) ?? 'The provider reported a failure without a reason.')

/** The first URL of an array, of a JSON array in a string, or the string itself. */
function firstUrl(value: unknown): string | null {
  if (typeof value === 'string') return value.startsWith('[') ? firstUrl(parseJson(value)) : urlAt(value)
  return urlAt(value, 0)
}

function isSigned(body: unknown, headers: Record<string, string | undefined>, key: string): boolean {
  const timestamp = headers['x-webhook-timestamp'] ?? ''
  const given = Buffer.from(headers['x-webhook-signature'] ?? '', 'base64')
  const expected = createHmac('sha256', key)
    .update(`${taskIdOf(body)}.${timestamp}`)
    .digest()
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * The signed time limits how long a recorded callback can be replayed. It is in Unix seconds, or milliseconds from 12 digits
 * on. A signature over an empty time has no age; the HMAC covers it, so a caller cannot remove the time.
 */
function isRecent(headers: Record<string, string | undefined>, now: Date): boolean {
  const timestamp = headers['x-webhook-timestamp'] ?? ''
  if (timestamp === '') return true
  if (!/^\d{1,15}$/.test(timestamp)) return false
  const signedMs = Number(timestamp) * (timestamp.length < 12 ? 1000 : 1)
  return Math.abs(now.getTime() - signedMs) <= SIGNATURE_AGE_MAX_MS
}
