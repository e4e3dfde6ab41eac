/** ByteDance Seedance: BytePlus ModelArk, Volcengine Ark by URL (`https://ark.cn-beijing.volces.com/api/v3`). */

import { type FailureCode, firstFit, type Patterns } from '../../film/failure.ts'
import { at, parseJson, textAt } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import type { Account, Adapter, CallOptions, Handle, Provider, Report } from '../provider.ts'
import { keyCheck, modelUnknown, outcomeFor, type Response, submitOutcome } from '../submit-outcome.ts'
import {
  completedReport,
  costFrom,
  failedReport,
  handleOf,
  phaseOf,
  polledReport,
  reasonOf,
  runningReport,
  taskIdAt,
  urlAt,
  withCost,
} from '../task-reader.ts'

export const adapter: Adapter = {
  url: 'https://ark.ap-southeast.bytepluses.com/api/v3',
  capabilities: {
    submit: 'task',
    callback: 'hint',
    progress: null,
    cost: 'poll',
    result: 'public link',
    client: '@ai-sdk/bytedance',
  },
  open: openProvider,
}

const TASKS = '/contents/generations/tasks'
/** The least that the vendor takes. By default it goes on for two days, and charges a film no user waits for. */
const EXPIRES_AFTER_S = 3600

function openProvider(account: Account): Provider {
  const api = openApi(account, { authorization: `Bearer ${account.apiKey}` })
  const read = ({ taskId }: Handle, options?: CallOptions) => api.call('GET', `${TASKS}/${segment(taskId)}`, options)

  async function poll(handle: Handle, options?: CallOptions): Promise<Report | null> {
    return polledReport(await read(handle, options), reportOf)
  }

  return {
    submit: async ({ model, input, callbackUrl }, options) => {
      const content = Array.isArray(input.content) ? input.content.map(withoutFlags) : input.content
      const body = { execution_expires_after: EXPIRES_AFTER_S, ...input, content, model, callback_url: callbackUrl }
      return submitOutcome(await api.call('POST', TASKS, options, { body }), {
        handle: ({ body }) => handleOf(taskIdAt(body, ['id'])),
        decide,
      })
    },
    poll,
    readCallback: async ({ body }) => {
      const handle = handleOf(taskIdAt(parseJson(body.toString('utf8')), ['id']))
      return handle ? { kind: 'poll', handle } : { kind: 'unreadable' }
    },
    cancel: async (handle, options) => {
      // DELETE of a task that has ended removes it.
      const result = await read(handle, options)
      if (result.kind !== 'response' || result.status >= 300) return null
      const status = textAt(result.body, 'status')
      if (status !== 'queued') return status === null ? null : 'too_late'
      const deleted = await api.call('DELETE', `${TASKS}/${segment(handle.taskId)}`, options)
      if (deleted.kind !== 'response') return null
      if (deleted.status >= 300) return [404, 409].includes(deleted.status) ? 'too_late' : null
      const after = await poll(handle, options)
      return after?.kind === 'failed' && after.failure.code === 'CANCELLED' ? 'cancelled' : 'requested'
    },
    checkKey: async (options) => keyCheck(await api.call('GET', `${TASKS}?page_num=1&page_size=1`, options)),
    close: api.close,
  }
}

/**
 * A prompt that has `--dur 12` or `--rs 1080p` would change what is billed, by the older form of parameters. A dash
 * instead of the hyphens keeps the words.
 */
const withoutFlags = (part: unknown): unknown => {
  const text = at(part, 'text')
  return typeof text === 'string' ? { ...Object(part), text: text.replace(/--+(?=[\p{L}_])/gu, '—') } : part
}

/** A code has more words after a dot. */
const codes: Patterns = [
  ['CONTENT_REFUSED', /Sensitive|PolicyViolation|ContentRisk/],
  ['ACCOUNT', /^(QuotaExceeded|SetLimitExceeded|Account|Authentication|AccessDenied|Service(Overdue|NotOpen))/],
  ['ACCOUNT', /^(InvalidEndpoint|ModelNotOpen)/],
  ['PROVIDER_BUSY', /^(RateLimitExceeded|ServerOverloaded)/],
  ['INPUT_REFUSED', /^InvalidImage/],
  ['PARAMETERS_REFUSED', /^(MissingParameter|InvalidParameter|PromptEmpty)/],
  ['PROVIDER_ERROR', /^InternalServiceError/],
]

/** The text without the id of the request, which changes with each. */
const messageOf = (error: unknown): string | null => reasonOf(error)?.replace(/\s*Request id:.*$/i, '') || null

function decide(response: Response) {
  const error = at(response.body, 'error')
  const word = textAt(error, 'code')
  // A model that is not open is one that the account has still to activate.
  if (word?.startsWith('InvalidEndpointOrModel')) return modelUnknown(messageOf(error) ?? word)
  const code = firstFit(codes, word)
  return code ? outcomeFor(code, response, messageOf(error)) : null
}

function reportOf(task: unknown): Report | null {
  const status = textAt(task, 'status')
  if (status === null) return null
  const error = at(task, 'error')
  const phase = phaseOf(status)
  if (phase === 'failed') return failedReport(messageOf(error), ends[status] ?? firstFit(codes, textAt(error, 'code')))
  if (phase !== 'completed') return runningReport(phase, status, null)
  const cost = costFrom(at(task, 'usage', 'completion_tokens'), 'tokens', 'final')
  return withCost(completedReport(urlAt(task, 'content', 'video_url'), messageOf(error)), cost)
}

const ends: Record<string, FailureCode> = { cancelled: 'CANCELLED', expired: 'TIMED_OUT' }
