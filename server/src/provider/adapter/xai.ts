/** xAI's Grok Imagine: polled by HTTP status and word, errors in three shapes, and a cost in fractions of a dollar. */

import { type FailureCode, failureFrom } from '../../film/failure.ts'
import { at, entryOf, textAt } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import type { Account, Adapter, Cost, Provider, Report, SubmitOutcome, Task } from '../provider.ts'
import { keyCheck, outcomeFor, type Response, submitOutcome } from '../submit-outcome.ts'
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
  shortened,
  taskIdAt,
  urlAt,
  withCost,
} from '../task-reader.ts'

export const adapter: Adapter = {
  url: 'https://api.x.ai',
  capabilities: {
    submit: 'task',
    callback: null,
    progress: 'percent',
    cost: 'poll',
    result: 'public link',
    client: '@ai-sdk/xai',
  },
  open: openProvider,
}

function openProvider(account: Account): Provider {
  const api = openApi(account, { authorization: `Bearer ${account.apiKey}` })
  return {
    submit: async (task, options) => {
      const { model, input } = task
      const result = await api.call('POST', `/v1/videos/${kindOf(task)}`, options, { body: { model, ...input } })
      return submitOutcome(result, { handle: ({ body }) => handleOf(taskIdAt(body, ['request_id'])), decide })
    },
    poll: async ({ taskId }, options) => {
      const result = await api.call('GET', `/v1/videos/${segment(taskId)}`, options)
      return result.kind === 'response' ? readPoll(result) : null
    },
    checkKey: async (options) => {
      const result = await api.call('GET', '/v1/api-key', options)
      const off = result.kind === 'response' ? BLOCKED.find((name) => at(result.body, name) === true) : undefined
      return off ? { kind: 'refused', reason: `${off} is true` } : keyCheck(result)
    },
    close: api.close,
  }
}

const BLOCKED = ['api_key_blocked', 'api_key_disabled', 'team_blocked']

/** An edit keeps the length of its source, so that a duration beside a video is that of an extension. */
function kindOf({ input }: Task): string {
  if (!('video' in input)) return 'generations'
  return 'duration' in input ? 'extensions' : 'edits'
}

function decide(response: Response): SubmitOutcome | null {
  const { status, body } = response
  // A prompt that is refused at once is a 403, whose text names our team and key.
  const message = reasonOf(body)?.replace(/\b(Team|API key ID): [^,]*, /g, '') ?? null
  if (status === 403 && /usage guidelines/i.test(message ?? '')) return outcomeFor('CONTENT_REFUSED', response, message)
  if (status === 413) return outcomeFor('INPUT_REFUSED', response, message)
  if (status !== 400) return null
  // A setting of our team, which demands an address to write films to.
  if (/zero.data.retention/i.test(message ?? '')) return outcomeFor('ACCOUNT', response, message)
  return isModerated(body) ? outcomeFor('CONTENT_REFUSED', response, message) : null
}

const isModerated = (body: unknown): boolean =>
  /moderated/.test(textAt(body, 'code') ?? textAt(body, 'error', 'code') ?? '')
const MODERATED = 'The film was refused by the moderation of the provider.'

/** 202, also with an empty body: running. 400 with a code: the end of the task, as its moderation. */
function readPoll(response: Response): Report | null {
  const { status, body } = response
  if (isForgotten(response) || status === 410) return { kind: 'lost' }
  if (status === 400 && textAt(body, 'code') !== null) {
    return withCost(failedReport(reasonOf(body), isModerated(body) ? 'CONTENT_REFUSED' : undefined), costOf(body))
  }
  if (status >= 300) return null
  const word = textAt(body, 'status')
  if (word === null) return status === 202 ? { kind: 'running', progress: null } : readFilm(body)
  if (word === 'expired') return { kind: 'lost' }
  const phase = word === 'done' ? 'completed' : phaseOf(word)
  if (phase === 'completed') return readFilm(body)
  if (phase === 'failed') return withCost(failure(at(body, 'error')), costOf(body))
  return runningReport(phase, word, progressAt(body, 'progress'))
}

function readFilm(body: unknown): Report | null {
  const video = at(body, 'video')
  if (video === undefined && textAt(body, 'status') === null) return null
  const film = urlAt(video, 'url') ?? urlAt(video, 'file_output', 'public_url')
  const isRefused = film === null && at(video, 'respect_moderation') === false
  const report = isRefused
    ? failedReport(MODERATED, 'CONTENT_REFUSED')
    : completedReport(film, reasonOf(at(body, 'error')))
  return withCost(report, costOf(body))
}

/** `invalid_argument` is said of parameters and of moderation: the words of the message decide. */
function failure(error: unknown): Report {
  const message = reasonOf(error)
  const code = textAt(error, 'code')
  if (code === 'invalid_argument' && message !== null) {
    return { kind: 'failed', failure: failureFrom(shortened(message), 'PARAMETERS_REFUSED') }
  }
  return failedReport(message, entryOf(codes, code))
}

const codes: Record<string, FailureCode> = {
  failed_precondition: 'PARAMETERS_REFUSED',
  permission_denied: 'ACCOUNT',
  service_unavailable: 'PROVIDER_BUSY',
  internal_error: 'PROVIDER_ERROR',
}

/** A tick is 1e-10 USD; its decimals are counted in text, since a binary fraction would round them. */
function costOf(body: unknown): Cost | undefined {
  const ticks = textAt(body, 'usage', 'cost_in_usd_ticks')
  if (ticks === null || !/^\d+$/.test(ticks)) return undefined
  const digits = ticks.padStart(TICK_DECIMALS + 1, '0')
  const amount = `${digits.slice(0, -TICK_DECIMALS)}.${digits.slice(-TICK_DECIMALS)}`
  return costFrom(amount.replace(/\.?0+$/, ''), 'USD', 'final')
}
const TICK_DECIMALS = 10
