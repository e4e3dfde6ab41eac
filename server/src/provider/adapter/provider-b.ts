/**
 * provider-b: every response is HTTP 200 with a `code` in an envelope. The result is JSON inside a string, and one of its
 * model families has another response format. Callbacks may be signed (HMAC-SHA256) with the provider's own key.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { at, numberAt, parseJson, textAt } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import {
  type Account,
  type Adapter,
  type Callback,
  type Provider,
  type ReceivedCallback,
  type Report,
  SIGNATURE_AGE_MAX_MS,
} from '../provider.ts'
import { type Response, submitOutcome } from '../submit-outcome.ts'
import {
  completedReport,
  failedReport,
  handleOf,
  phaseOf,
  progressAt,
  reasonOf,
  runningReport,
  taskIdAt,
  urlAt,
} from '../task-reader.ts'

export const adapter: Adapter = {
  capabilities: {
    callback: 'signed',
    progress: 'percent',
    cost: null,
    result: 'public link',
    submit: 'task',
    client: null,
  },
  url: null,
  input: {
    prompt: 'prompt',
    aspect_ratio: 'aspectRatio',
    duration: 'duration',
    quality: 'quality',
    image_urls: 'startImageUrl ? [startImageUrl]',
    seed: 'seed',
  },
  open,
}

function open(account: Account): Provider {
  const api = openApi(account, { authorization: `Bearer ${account.apiKey}` })
  return {
    submit: async ({ model, input, callbackUrl }, options) =>
      submitOutcome(
        await api.call('POST', '/api/v1/jobs/createTask', options, {
          body: { model, callBackUrl: callbackUrl, input },
        }),
        {
          handle: ({ body }) => handleOf(taskIdOf(body)),
          code: codeOf,
          message: (response) => messageOf(response.body, codeOf(response)),
          error: ({ body }) => messageOf(body, 200),
          busy: [455],
          account: [505],
        },
      ),
    poll: async ({ taskId }, options) => {
      const result = await api.call('GET', `/api/v1/jobs/recordInfo?taskId=${segment(taskId)}`, options)
      if (result.kind !== 'response' || result.status !== 200) return null
      // An error code concerns the poll and not the task when the body has no task.
      return taskIdOf(result.body) ? readReport(result.body) : null
    },
    readCallback: async ({ body: raw, headers, now }) => {
      const body = parseJson(raw.toString('utf8'))
      if (body === null) return { kind: 'unreadable' }
      const { webhookKey } = account
      if (webhookKey && !(isSigned(body, headers, webhookKey) && isRecent(headers, now))) return { kind: 'forged' }
      return readCallback(body)
    },
    close: api.close,
  }
}

/** The code of the envelope, or the status of a response that has none. */
const codeOf = ({ status, body }: Response): number | null =>
  status >= 200 && status < 300 ? numberAt(body, 'code') : status

function readReport(body: unknown): Report | null {
  const state = textAt(body, 'data', 'state')
  const info = at(body, 'data', 'info')
  if (!state) {
    // The other format: a result in data.info, or an error code without info.
    const result = firstUrl(at(info, 'resultUrls'))
    if (result) return { kind: 'completed', result }
    const code = numberAt(body, 'code')
    if (code !== null && code !== 200 && !info) return failureOf(body)
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
  if (phase === 'failed') return failureOf(body)
  return runningReport(phase, state, progressAt(body, 'data', 'progress'))
}

function readCallback(body: unknown): Callback {
  const report = readReport(body)
  if (!report || report.kind === 'no_film') return { kind: 'unreadable' }
  return { kind: 'report', handle: handleOf(taskIdOf(body)), report }
}

/** Some model families, and the samples of the signature's documentation, have `task_id`. */
const taskIdOf = (body: unknown) => taskIdAt(body, ['data', 'taskId'], ['data', 'task_id'])

/** The text of a failure. The message of an envelope with the code 200 is "success". */
const messageOf = (body: unknown, code: number | null): string | null =>
  textAt(body, 'data', 'failMsg') ??
  reasonOf(at(body, 'data', 'error')) ??
  reasonOf(code === 200 ? at(body, 'error') : body)

const failureOf = (body: unknown) => failedReport(messageOf(body, numberAt(body, 'code')))

/** The first URL of an array, of a JSON array in a string, or the string itself. */
function firstUrl(value: unknown): string | null {
  if (typeof value === 'string') return value.startsWith('[') ? firstUrl(parseJson(value)) : urlAt(value)
  return urlAt(value, 0)
}

function isSigned(body: unknown, headers: ReceivedCallback['headers'], key: string): boolean {
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
function isRecent(headers: ReceivedCallback['headers'], now: Date): boolean {
  const timestamp = headers['x-webhook-timestamp'] ?? ''
  if (timestamp === '') return true
  if (!/^\d{1,15}$/.test(timestamp)) return false
  const signedMs = Number(timestamp) * (timestamp.length < 12 ? 1000 : 1)
  return Math.abs(now.getTime() - signedMs) <= SIGNATURE_AGE_MAX_MS
}
