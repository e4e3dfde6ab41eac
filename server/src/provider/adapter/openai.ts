/**
 * Servers that speak OpenAI's videos API: LiteLLM, new-api, vLLM-Omni, SGLang and others. They differ in the fields of
 * a request, in their types and in how a start image travels, which is the route's `input`; its field `$encoding`,
 * which is not sent, says how the body is: "multipart", which nearly all take, or "json". None calls back.
 */

import { failureFrom } from '../../film/failure.ts'
import { at, numberAt, textAt } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import { inlineUpload } from '../data-uri.ts'
import type { Account, Adapter, CallOptions, Handle, Provider, Report, SubmitOutcome } from '../provider.ts'
import { type Listing, readOwnModels, type Wanted } from '../published.ts'
import { keyCheck, outcomeFor, type Response, submitOutcome } from '../submit-outcome.ts'
import {
  completedReport,
  failedReport,
  handleOf,
  phaseOf,
  polledReport,
  progressAt,
  reasonOf,
  runningReport,
  taskIdAt,
  urlAt,
} from '../task-reader.ts'

export const adapter: Adapter = {
  url: null,
  capabilities: {
    submit: 'task',
    callback: null,
    progress: 'percent',
    cost: null,
    result: 'our key',
    client: 'openai',
  },
  open,
  readList,
}

function open(account: Account): Provider {
  const auth: Record<string, string> = account.apiKey ? { authorization: `Bearer ${account.apiKey}` } : {}
  // Their documents name the address with and without the version.
  const url = account.url.replace(/\/v1$/, '')
  const api = openApi({ ...account, url }, auth)
  const pathOf = (taskId: string) => `/v1/videos/${segment(taskId)}`
  // vLLM-Omni and SGLang keep tasks in memory: a restart forgets them.
  const poll = async ({ taskId }: Handle, options?: CallOptions): Promise<Report | null> =>
    polledReport(await api.call('GET', pathOf(taskId), options), readReport)
  return {
    submit: async ({ model, input, callbackUrl: _, videoId: __ }, options) => {
      const { $encoding: encoding, ...fields } = input
      const body = { ...(model ? { model } : {}), ...fields }
      const result = await api.call('POST', '/v1/videos', options, {
        body: encoding === 'json' ? body : formOf(body),
      })
      return submitOutcome(result, {
        handle: ({ body }) => handleOf(taskIdAt(body, ['id'], ['task_id'])),
        report: ({ body }) => readReport(body),
        decide,
      })
    },
    poll,
    cancel: async ({ taskId }, options) => {
      // DELETE aborts at vLLM-Omni alone, which these ids are of; at SGLang the task is forgotten and goes on.
      if (!taskId.startsWith('video_gen_')) return 'too_late'
      const report = await poll({ taskId }, options)
      // DELETE also removes a finished film.
      if (report?.kind !== 'running') return report && 'too_late'
      const result = await api.call('DELETE', pathOf(taskId), options)
      if (result.kind !== 'response') return null
      if (result.status < 300) return 'cancelled'
      return result.status === 409 ? 'requested' : null
    },
    openResult: async ({ taskId }, result) => {
      const link = result === CONTENT ? `${url}${pathOf(taskId)}/content` : result
      return { kind: 'link', url: link, ...(link.startsWith(`${url}/`) ? { headers: auth } : {}) }
    },
    upload: inlineUpload,
    checkKey: async (options) => keyCheck(await api.call('GET', '/v1/models', options)),
    close: api.close,
  }
}

/** What `upload` returned is sent as a file in these fields. */
const FILES = /^(input|control)_references?$/
const IMAGE = /^data:([^;,]+);base64,(.*)$/s

function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      const [, type = '', bytes] = (FILES.test(name) && IMAGE.exec(String(each))) || []
      if (bytes === undefined) form.append(name, typeof each === 'object' ? JSON.stringify(each) : String(each))
      else form.append(name, new Blob([Buffer.from(bytes, 'base64')], { type }), type.replace('/', '.'))
    }
  }
  return form
}

/** The code of an error decides before its status. new-api has it beside the message. */
function decide(response: Response): SubmitOutcome | null {
  const { status, body, retryAfterS } = response
  const message = reasonOf(body)
  const word = [textAt(body, 'error', 'code'), textAt(body, 'error', 'type'), textAt(body, 'code')].join(' ')
  if (status < 400) return null
  if (/insufficient/.test(word)) return outcomeFor('ACCOUNT', response, message)
  if (status < 500) return REFUSED_CONTENT.test(word) ? outcomeFor('CONTENT_REFUSED', response, message) : null
  const isCertain = status === 503 && (retryAfterS !== null || NOT_TAKEN.test(message ?? ''))
  return isCertain ? outcomeFor('PROVIDER_BUSY', response, message) : null
}

const REFUSED_CONTENT = /moderation|content_policy|content_filter|sensitive/
/** vLLM-Omni that is starting, and a gateway without a server for the model. */
const NOT_TAKEN = /not initialized|no available channel/i

/** Stands for the film behind the task's own address. */
const CONTENT = 'content'

function readReport(body: unknown): Report | null {
  const status = textAt(body, 'status')
  if (status === null) return null
  const phase = phaseOf(status)
  if (phase === 'failed') return failureOf(body, status)
  if (phase !== 'completed') return runningReport(phase, status, progressAt(body, 'progress'))
  // SGLang with a bucket has the film at `url` alone, new-api at either.
  const url = urlAt(body, 'url') ?? urlAt(body, 'metadata', 'url')
  const reason = reasonOf(at(body, 'error'))
  return completedReport(url ?? (reason === null ? CONTENT : null), reason)
}

function failureOf(body: unknown, status: string): Report {
  const message = reasonOf(at(body, 'error'))
  const shown = message !== null && INTERNAL.test(message) ? null : message
  if (/^cancell?ed$/.test(status)) return failedReport(shown, 'CANCELLED')
  const code = numberAt(body, 'error', 'code')
  if (code !== null && code >= 500) return failedReport(shown, 'PROVIDER_ERROR')
  const words = `${textAt(body, 'error', 'code') ?? ''} ${message ?? ''}`
  return failedReport(shown, failureFrom(words, code === null ? 'PROVIDER_ERROR' : 'PARAMETERS_REFUSED').code)
}

/** Exceptions of an engine name files and devices of its machine. */
const INTERNAL = /(^|[\s'"(=])\/[\w.-]+\/|Traceback|CUDA|0x[0-9a-f]{6}/

function readList(account: Account, wanted: Wanted): Promise<Listing> {
  return readOwnModels(account, wanted, FIELDS_OF_FILM)
}
/** What vLLM-Omni, SGLang and gateways before them take. */
const FIELDS_OF_FILM = {
  prompt: 'prompt',
  seconds: '$string(duration)',
  size: "$string(width) & 'x' & $string(height)",
  seed: '$exists(seed) ? seed : $floor($random() * 2147483648)',
  input_reference: 'start',
}
