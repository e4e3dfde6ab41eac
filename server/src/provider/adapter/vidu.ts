/**
 * Vidu: a path per mode, which the images of the input choose; `reference2video/viduq3` names it, since references are
 * images too. A task carries our reference in `payload`. Callbacks are signed over address, date and nonce and not over
 * the body, which proves no more than our own signed address does, so that they are hints.
 */

import type { FailureCode } from '../../film/failure.ts'
import { at, entryOf, listAt, numberAt, parseJson, textAt } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import type { Account, Adapter, Provider, Report, SubmitOutcome, Task } from '../provider.ts'
import {
  BALANCE_LIMITS,
  balanceFrom,
  keyCheck,
  modelUnknown,
  outcomeFor,
  type Response,
  submitOutcome,
} from '../submit-outcome.ts'
import {
  completedReport,
  costFrom,
  failedReport,
  handleOf,
  isForgotten,
  phaseOf,
  progressAt,
  reasonOf,
  runningReport,
  taskIdAt,
  urlAt,
  withCost,
} from '../task-reader.ts'

export const adapter: Adapter = {
  url: 'https://api.vidu.com',
  capabilities: {
    submit: 'task',
    callback: 'hint',
    progress: null,
    cost: 'submit',
    result: 'public link',
    client: null,
  },
  open,
}

function open(account: Account): Provider {
  const api = openApi({ ...account, url: `${account.url}/ent/v2` }, { authorization: `Token ${account.apiKey}` })
  return {
    submit: async (task, options) => {
      const { path, model } = addressOf(task)
      const body = { model, ...task.input, payload: payloadOf(task), callback_url: task.callbackUrl }
      return submitOutcome(await api.call('POST', `/${path}`, options, { body }), {
        handle: ({ body }) => handleOf(taskIdOf(body)),
        report: ({ body }) => readReport(body),
        cost: ({ body }) => costFrom(at(body, 'credits'), 'credits', 'reserved'),
        decide,
      })
    },
    poll: async ({ taskId }, options) => {
      const result = await api.call('GET', `/tasks/${segment(taskId)}/creations`, options)
      if (result.kind !== 'response') return null
      if (isForgotten(result) || wordsOf(result.body).includes('TaskNotFound')) return { kind: 'lost' }
      return result.status < 300 ? readReport(result.body) : null
    },
    readCallback: async ({ body }) => {
      const taskId = taskIdOf(parseJson(body.toString('utf8')))
      return taskId === null ? { kind: 'unreadable' } : { kind: 'poll', handle: { taskId } }
    },
    cancel: async ({ taskId }, options) => {
      const result = await api.call('POST', `/tasks/${segment(taskId)}/cancel`, options, { body: {} })
      if (result.kind !== 'response') return null
      if (result.status < 300) return 'requested'
      return result.status < 500 && ![401, 403, 429].includes(result.status) ? 'too_late' : null
    },
    find: async (task, _sentAt, options) => {
      // How the list is paged and sorted is not documented, so that an absence from it is not certain.
      const result = await api.call('GET', '/tasks', options)
      const tasks = result.kind === 'response' ? listAt(result.body, 'tasks') : []
      const handle = handleOf(taskIdOf(tasks.find((each) => textAt(each, 'payload') === payloadOf(task))))
      return handle && { kind: 'found', handle }
    },
    checkKey: async (options) => keyCheck(await api.call('GET', '/credits', options)),
    readBalance: async (options) =>
      balanceFrom(await api.call('GET', '/credits', options, BALANCE_LIMITS), 'credits', (body) => {
        const left = listAt(body, 'remains').map((each) => numberAt(each, 'credit_remain'))
        return left.length === 0 ? null : left.reduce<number>((sum, each) => sum + (each ?? 0), 0)
      }),
    close: api.close,
  }
}

const MARKED = ' watermark'
/** Each task repeats it: our reference, and whether the film with a watermark, at its own address, was asked for. */
const payloadOf = ({ videoId, input }: Task) => `${videoId}${input.watermark === true ? MARKED : ''}`

const taskIdOf = (body: unknown) => taskIdAt(body, ['task_id'], ['id'])

function addressOf({ model, input }: Task): { path: string; model: string } {
  const [named, name] = model.split('/')
  if (named && name) return { path: named, model: name }
  if (input.image_settings) return { path: 'multiframe', model }
  const paths = ['text2video', 'img2video', 'start-end2video']
  const path = input.subjects || input.videos ? undefined : paths[listAt(input, 'images').length]
  return { path: path ?? 'reference2video', model }
}

/** The fields of an error, one of which is its code: its envelope is not documented. */
const wordsOf = (body: unknown) =>
  [body, at(body, 'error')].flatMap((each) => Object.values(Object(each))).map((word) => textAt(word))

function decide(response: Response): SubmitOutcome | null {
  const { body, status } = response
  if (status < 400) return null
  if (wordsOf(body).includes('ModelUnavailable')) return modelUnknown(reasonOf(body) ?? 'ModelUnavailable')
  const code = wordsOf(body)
    .map((word) => entryOf(codes, word))
    .find((found) => found !== undefined)
  return code ? outcomeFor(code, response, reasonOf(body)) : null
}

/** Of refusals and of failed tasks. */
const codes: Record<string, FailureCode> = {
  TaskPromptPolicyViolation: 'CONTENT_REFUSED',
  CreationPolicyViolation: 'CONTENT_REFUSED',
  AuditSubmitIllegal: 'CONTENT_REFUSED',
  FieldInvalid: 'PARAMETERS_REFUSED',
  FieldLacking: 'PARAMETERS_REFUSED',
  FieldUnwanted: 'PARAMETERS_REFUSED',
  FieldItemCountOutOfRange: 'PARAMETERS_REFUSED',
  BadRequest: 'PARAMETERS_REFUSED',
  ImageFormatInvalid: 'INPUT_REFUSED',
  ImageDownloadFailure: 'INPUT_REFUSED',
  ImageCheckFaceFailed: 'INPUT_REFUSED',
  ImageCheckBodyJointsFailed: 'INPUT_REFUSED',
  ImageObjectsUndetected: 'INPUT_REFUSED',
  Unauthorized: 'ACCOUNT',
  Forbidden: 'ACCOUNT',
  CreditInsufficient: 'ACCOUNT',
  QuotaExceeded: 'PROVIDER_BUSY',
  TooManyRequests: 'PROVIDER_BUSY',
  SystemThrottling: 'PROVIDER_BUSY',
  OperationInProcess: 'PROVIDER_BUSY',
  InternalServiceFailure: 'PROVIDER_ERROR',
  UserCancelled: 'CANCELLED',
  Canceled: 'CANCELLED',
}

function readReport(body: unknown): Report | null {
  const state = textAt(body, 'state')
  if (state === null) return null
  const error = textAt(body, 'err_code')
  const phase = phaseOf(state)
  if (phase === 'completed') {
    const cost = costFrom(at(body, 'credits'), 'credits', 'final')
    const marked = textAt(body, 'payload')?.endsWith(MARKED) ? urlAt(body, 'creations', 0, 'watermarked_url') : null
    return withCost(completedReport(marked ?? urlAt(body, 'creations', 0, 'url'), error), cost)
  }
  if (phase !== 'failed' && error === null) return runningReport(phase, state, progressAt(body, 'progress'))
  const isCancelled = /^cancell?ed$/.test(state)
  return failedReport(
    textAt(body, 'err_msg') ?? error ?? (isCancelled ? state : null),
    isCancelled ? 'CANCELLED' : entryOf(codes, error),
  )
}
