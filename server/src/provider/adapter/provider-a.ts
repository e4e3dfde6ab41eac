/**
 * provider-a: one task object for submit, poll and callback, with standard HTTP statuses. A submit carries the video's id as
 * Idempotency-Key, so even a duplicate would create one task.
 */
import { at, parseJson, textAt } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import type { Account, Adapter, Callback, Provider, Report } from '../provider.ts'
import { submitOutcome } from '../submit-outcome.ts'
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
    callback: 'trusted',
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
    submit: async ({ videoId, model, input, callbackUrl }, options) => {
      const body = { model, ...input, callback_url: callbackUrl }
      const request = { body, headers: { 'idempotency-key': videoId } }
      return submitOutcome(await api.call('POST', '/v1/videos/generations', options, request), {
        handle: (response) => handleOf(taskIdAt(response.body, ['id'], ['taskId'])),
        busy: [503],
      })
    },
    poll: async ({ taskId }, options) => {
      const result = await api.call('GET', `/v1/tasks/${segment(taskId)}`, options)
      return result.kind === 'response' && result.status === 200 ? readReport(result.body) : null
    },
    readCallback: async ({ body }) => readCallback(parseJson(body.toString('utf8'))),
    close: api.close,
  }
}

/** Reads both the documented callback and the task object, which have the same content in different fields. Null: unreadable. */
function readReport(body: unknown): Report | null {
  const status = textAt(body, 'status')
  if (!status) return null
  const phase = phaseOf(status)
  if (phase === 'completed') {
    const result =
      urlAt(body, 'videoUrl') ??
      urlAt(body, 'results', 0) ??
      urlAt(body, 'results', 0, 'url') ??
      urlAt(body, 'result_data', 0, 'video_url')
    return completedReport(result, reasonOf(at(body, 'error')))
  }
  if (phase === 'failed') return failedReport(reasonOf(body) ?? `The provider reported "${status}" without a reason.`)
  return runningReport(phase, status, progressAt(body, 'progress'))
}

function readCallback(body: unknown): Callback {
  const report = readReport(body)
  if (!report || report.kind === 'no_film') return { kind: 'unreadable' }
  return { kind: 'report', handle: handleOf(taskIdAt(body, ['taskId'], ['id'])), report }
}
