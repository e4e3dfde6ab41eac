/**
 * Kie: an envelope with a code on every response, results as JSON inside a string, links that have to be renewed. A
 * model whose path has another version than v1 is named with it: `wan/3-0-video@v3`. Callbacks are signed over task id
 * and time, not over the body, so that they are hints.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { failureFrom } from '../../film/failure.ts'
import { at, entryOf, numberAt, parseJson, textAt } from '../../text/json-reader.ts'
import { hostOf, imageForm, openApi, segment } from '../api.ts'
import type { Account, Adapter, Callback, Provider, ReceivedCallback, Report } from '../provider.ts'
import {
  BALANCE_LIMITS,
  balanceFrom,
  keyCheck,
  modelUnknown,
  outcomeFor,
  type Response,
  type SubmitRules,
  submitOutcome,
  uploadOutcome,
} from '../submit-outcome.ts'
import {
  completedReport,
  costFrom,
  failedReport,
  handleOf,
  phaseOf,
  progressAt,
  reasonOf,
  runningReport,
  taskIdAt,
  urlAt,
  withCost,
} from '../task-reader.ts'
import { isRecent } from '../webhook-signature.ts'

const API = 'https://api.kie.ai'

export const adapter: Adapter = {
  url: API,
  capabilities: {
    submit: 'task',
    callback: 'signed',
    progress: null,
    cost: 'poll',
    result: 'renewed',
    client: null,
  },
  open,
}

function open(account: Account): Provider {
  const auth = { authorization: `Bearer ${account.apiKey}` }
  const api = openApi(account, auth)
  const files = openApi({ ...account, url: hostOf(account, API, 'https://kieai.redpandaai.co') }, auth)
  return {
    submit: async ({ model, input, callbackUrl }, options) => {
      const [name, version = 'v1'] = model.split('@')
      const body = { model: name, callBackUrl: callbackUrl, input }
      return submitOutcome(await api.call('POST', `/api/${version}/jobs/createTask`, options, { body }), rules)
    },
    poll: async ({ taskId }, options) => {
      const result = await api.call('GET', `/api/v1/jobs/recordInfo?taskId=${segment(taskId)}`, options)
      if (result.kind !== 'response') return null
      // Another code concerns the poll and not the task when the body has no task.
      if (taskIdOf(result.body) !== null) return readReport(result.body)
      const isGone = numberAt(result.body, 'code') === 422 && /recordInfo is null/i.test(reasonOf(result.body) ?? '')
      return isGone ? { kind: 'lost' } : null
    },
    readCallback: async (callback) => readCallback(callback, account.webhookKey),
    openResult: async (_handle, result, options) => {
      // A link is said to live for a day, and was seen to end after 40 minutes.
      const fresh = await api.call('POST', '/api/v1/common/download-url', options, { body: { url: result } })
      return { kind: 'link', url: (fresh.kind === 'response' ? urlAt(fresh.body, 'data') : null) ?? result }
    },
    upload: async (image, options) => {
      // A file of the same name would be replaced.
      const fileName = `${randomUUID()}-${image.name}`
      const body = imageForm(image, 'file', { uploadPath: 'kinora', fileName })
      const result = await files.call('POST', '/api/file-stream-upload', options, { body })
      return uploadOutcome(
        result,
        ({ body }) => urlAt(body, 'data', 'downloadUrl') ?? urlAt(body, 'data', 'fileUrl'),
        rules,
      )
    },
    checkKey: async (options) => {
      const result = await api.call('GET', '/api/v1/chat/credit', options)
      if (result.kind !== 'response') return null
      return keyCheck({ ...result, status: codeOf(result) ?? result.status })
    },
    readBalance: async (options) =>
      balanceFrom(await api.call('GET', '/api/v1/chat/credit', options, BALANCE_LIMITS), 'credits', (body) =>
        numberAt(body, 'data'),
      ),
    close: async () => {
      await Promise.all([api.close(), files.close()])
    },
  }
}

/** The code of the envelope, or the status of a response that has none. */
const codeOf = ({ status, body }: Response): number | null =>
  status >= 200 && status < 300 ? numberAt(body, 'code') : status

/** 433: this key's usage cap. 451: an image that cannot be fetched. 455: maintenance. 505: the feature is disabled. */
export const rules: SubmitRules = {
  handle: ({ body }) => handleOf(taskIdOf(body)),
  code: codeOf,
  message: (response) => messageOf(response.body, codeOf(response)),
  error: ({ body }) => messageOf(body, 200),
  busy: [455],
  account: [433, 505],
  decide: (response) => {
    const [code, message] = [codeOf(response), reasonOf(response.body)]
    if (code === 451) return outcomeFor('INPUT_REFUSED', response, message)
    const isGone = code === 422 && /page does not exist|not published/i.test(message ?? '')
    return isGone ? modelUnknown(message ?? '') : null
  },
}

/** Families that had addresses of their own keep the names that their fields had there. */
export function readReport(body: unknown): Report | null {
  const data = at(body, 'data')
  const state = textAt(data, 'state') ?? entryOf(flags, textAt(data, 'successFlag')) ?? null
  const result = resultOf(data)
  const amount = textAt(data, 'creditsConsumed') ?? textAt(data, 'consumeCredits')
  const cost = costFrom(amount, 'credits', state !== null && phaseOf(state) === 'running' ? 'reserved' : 'final')
  if (state === null) {
    if (result) return withCost(completedReport(result, null), cost)
    const code = numberAt(body, 'code')
    const info = at(data, 'info')
    if (code !== null && code !== 200 && !info) return withCost(failureOf(body), cost)
    return info && code === 200 ? { kind: 'running', progress: progressAt(info, 'progress') } : null
  }
  const phase = phaseOf(state)
  if (phase === 'completed') return withCost(completedReport(result, messageOf(body, 200)), cost)
  if (phase === 'failed') return withCost(failureOf(body), cost)
  return withCost(runningReport(phase, state, progressAt(data, 'progress')), cost)
}

const flags: Record<string, string> = { 0: 'generating', 1: 'success', 2: 'fail', 3: 'fail' }

function resultOf(data: unknown): string | null {
  const json = at(data, 'resultJson')
  return (
    firstUrl(at(data, 'response', 'resultUrls')) ??
    firstUrl(at(typeof json === 'string' ? parseJson(json) : json, 'resultUrls')) ??
    firstUrl(at(data, 'info', 'resultUrls')) ??
    urlAt(data, 'videoInfo', 'videoUrl') ??
    urlAt(data, 'video_url')
  )
}

/** The first URL of an array, of a JSON array in a string, or the string itself. */
function firstUrl(value: unknown): string | null {
  if (typeof value === 'string') return value.startsWith('[') ? firstUrl(parseJson(value)) : urlAt(value)
  return urlAt(value, 0)
}

/** Some model families, and the samples of the signature's documentation, have `task_id`. */
export const taskIdOf = (body: unknown) => taskIdAt(body, ['data', 'taskId'], ['data', 'task_id'])

/** The text of a failure. The message of an envelope with the code 200 is "success". */
const messageOf = (body: unknown, code: number | null): string | null =>
  textAt(body, 'data', 'failMsg') ??
  reasonOf(at(body, 'data', 'error')) ??
  reasonOf(code === 200 ? at(body, 'error') : body)

/** Codes from 400 on are the user's, from 500 on the provider's; what was refused for its content has either. */
function failureOf(body: unknown): Report {
  const message = messageOf(body, numberAt(body, 'code'))
  const code = numberAt(body, 'data', 'failCode') ?? 500
  return message === null || code >= 500
    ? failedReport(message)
    : failedReport(message, failureFrom(message, 'PARAMETERS_REFUSED').code)
}

function readCallback({ body, headers, now }: ReceivedCallback, key: string | null): Callback {
  const value = parseJson(body.toString('utf8'))
  const taskId = taskIdOf(value)
  if (taskId === null) return { kind: 'unreadable' }
  const isGood = key === null || (isSigned(value, headers, key) && isRecent(headers['x-webhook-timestamp'], now))
  return isGood ? { kind: 'poll', handle: { taskId } } : { kind: 'forged' }
}

export function isSigned(body: unknown, headers: ReceivedCallback['headers'], key: string): boolean {
  const timestamp = headers['x-webhook-timestamp'] ?? ''
  const given = Buffer.from(headers['x-webhook-signature'] ?? '', 'base64')
  const expected = createHmac('sha256', key)
    .update(`${taskIdOf(body)}.${timestamp}`)
    .digest()
  return given.length === expected.length && timingSafeEqual(given, expected)
}
