/**
 * MiniMax. A model whose input has `content` (H3) speaks V2, with HTTP's status; the others (Hailuo, *-01) speak V1,
 * which answers 200 with a code in the body, and a finished task with the id of a file.
 */

import type { FailureCode } from '../../film/failure.ts'
import { at, entryOf, parseJson, textAt } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import type { Account, Adapter, Callback, CallOptions, Handle, Provider, Report } from '../provider.ts'
import { keyCheck, outcomeFor, type Response, submitOutcome } from '../submit-outcome.ts'
import {
  completedReport,
  costFrom,
  failedReport,
  isForgotten,
  phaseOf,
  reasonOf,
  renewedLink,
  runningReport,
  taskIdAt,
  urlAt,
  withCost,
} from '../task-reader.ts'

export const adapter: Adapter = {
  url: 'https://api.minimax.io',
  capabilities: {
    submit: 'task',
    callback: 'hint',
    progress: null,
    cost: 'poll',
    result: 'renewed',
    client: null,
  },
  open: openProvider,
}

const V2_TASKS = '/v2/query/video_generation'

function openProvider(account: Account): Provider {
  const api = openApi(account, { authorization: `Bearer ${account.apiKey}` })

  const read = ({ taskId, version }: Handle, options?: CallOptions) =>
    version === 'v2'
      ? api.call('GET', `${V2_TASKS}/${segment(taskId)}`, options)
      : api.call('GET', `/v1/query/video_generation?${new URLSearchParams({ task_id: taskId })}`, options)

  async function poll(handle: Handle, options?: CallOptions): Promise<Report | null> {
    const result = await read(handle, options)
    if (result.kind !== 'response') return null
    if (isMissing(result)) return { kind: 'lost' }
    return result.status < 300 ? reportOf(at(result.body, 'task') ?? result.body) : null
  }

  return {
    submit: async ({ model, input, callbackUrl }, options) => {
      const version = Array.isArray(input.content) ? 'v2' : 'v1'
      const body = { ...input, model, callback_url: callbackUrl }
      return submitOutcome(await api.call('POST', `/${version}/video_generation`, options, { body }), {
        handle: ({ body }) => handleFrom(body, version),
        decide,
      })
    },
    poll,
    readCallback: async ({ body }) => readCallback(parseJson(body.toString('utf8'))),
    cancel: async (handle, options) => {
      if (handle.version !== 'v2') return 'too_late'
      // DELETE of a task that has ended removes it, with its film.
      const result = await read(handle, options)
      if (result.kind !== 'response' || result.status >= 300) return null
      const status = textAt(result.body, 'task', 'status')
      if (status !== 'queued') return status === null ? null : 'too_late'
      const deleted = await api.call('DELETE', `/v2/video_generation/${segment(handle.taskId)}`, options)
      if (deleted.kind !== 'response') return null
      if (deleted.status < 300) return 'cancelled'
      // The page does not tell with which status a task that has begun is refused.
      return deleted.status < 500 && ![401, 403, 429].includes(deleted.status) ? 'too_late' : null
    },
    openResult: async (handle, result, options) => {
      if (handle.version === 'v2') return renewedLink(await poll(handle, options), result)
      const query = new URLSearchParams({ file_id: result })
      const file = await api.call('GET', `/v1/files/retrieve?${query}`, options)
      const url = file.kind === 'response' ? urlAt(file.body, 'file', 'download_url') : null
      return url === null ? null : { kind: 'link', url }
    },
    checkKey: async (options) => keyCheck(await api.call('GET', `${V2_TASKS}?page_num=1&page_size=1`, options)),
    close: api.close,
  }
}

function handleFrom(body: unknown, version: 'v1' | 'v2'): Handle | null {
  const taskId = taskIdAt(body, ['task_id'])
  return taskId === null ? null : { taskId, version }
}

const codes: Record<string, FailureCode> = {
  1002: 'PROVIDER_BUSY',
  1039: 'PROVIDER_BUSY',
  1041: 'PROVIDER_BUSY',
  2045: 'PROVIDER_BUSY',
  1004: 'ACCOUNT',
  1008: 'ACCOUNT',
  2049: 'ACCOUNT',
  2056: 'ACCOUNT',
  1026: 'CONTENT_REFUSED',
  1027: 'CONTENT_REFUSED',
  1042: 'PARAMETERS_REFUSED',
  2013: 'PARAMETERS_REFUSED',
  1000: 'PROVIDER_ERROR',
  1001: 'PROVIDER_ERROR',
  1013: 'PROVIDER_ERROR',
  1024: 'PROVIDER_ERROR',
  1033: 'PROVIDER_ERROR',
}

/** V2 has the code at the end of its message. */
function codeOf(body: unknown): string | null {
  const [, code = null] = /\((\d{4})\)\s*$/.exec(textAt(body, 'error', 'message') ?? '') ?? []
  return textAt(body, 'base_resp', 'status_code') ?? code
}

const messageOf = (body: unknown): string | null => textAt(body, 'base_resp', 'status_msg') ?? reasonOf(body)

function decide(response: Response) {
  const { status, body } = response
  const type = textAt(body, 'error', 'type')
  const code = status === 529 || type === 'overloaded_error' ? ('PROVIDER_BUSY' as const) : entryOf(codes, codeOf(body))
  if (code) return outcomeFor(code, response, messageOf(body))
  // An unknown code of V1, whose status says nothing.
  const v1 = textAt(body, 'base_resp', 'status_code')
  return v1 === null || v1 === '0' ? null : outcomeFor('PROVIDER_ERROR', response, messageOf(body))
}

/** Tasks are kept for seven days. */
const isMissing = (response: Response): boolean =>
  isForgotten(response) || /(invalid|unknown) task.?id|task.*not (found|exist)/i.test(messageOf(response.body) ?? '')

function reportOf(task: unknown): Report | null {
  const status = textAt(task, 'status')
  if (status === null) return null
  const message = textAt(task, 'error', 'message') ?? textAt(task, 'error_message') ?? messageOf(at(task, 'base_resp'))
  const code = textAt(task, 'error', 'code') ?? codeOf(task)
  const phase = phaseOf(status)
  if (phase === 'failed') return failedReport(message, /^cancell?ed$/.test(status) ? 'CANCELLED' : entryOf(codes, code))
  if (phase !== 'completed') return runningReport(phase, status, null)
  const result = urlAt(task, 'content', 'url') ?? taskIdAt(task, ['file_id'])
  // V2 alone says what it bills.
  return withCost(completedReport(result, message), costFrom(at(task, 'usage', 'total_seconds'), 'seconds', 'final'))
}

/** Callbacks are not signed. The first one to a URL is a challenge. */
function readCallback(body: unknown): Callback {
  const challenge = textAt(body, 'challenge')
  if (challenge !== null) return { kind: 'challenge', reply: { challenge } }
  const v2 = taskIdAt(body, ['task', 'id'])
  const handle: Handle | null = v2 === null ? handleFrom(body, 'v1') : { taskId: v2, version: 'v2' }
  return handle ? { kind: 'poll', handle } : { kind: 'unreadable' }
}
