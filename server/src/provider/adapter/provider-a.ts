/**
 * provider-a: the shape of EvoLink, whose callbacks are trusted. A submit carries the video's id as Idempotency-Key, so
 * even a duplicate would create one task.
 */
import { parseJson } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import type { Account, Adapter, Callback, Provider } from '../provider.ts'
import { submitOutcome } from '../submit-outcome.ts'
import { handleOf } from '../task-reader.ts'
import { readReport, taskIdOf } from './evolink.ts'

export const adapter: Adapter = {
  capabilities: {
    callback: 'trusted',
    failsByCallback: true,
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
    image_urls: 'start ? [start]',
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
        handle: (response) => handleOf(taskIdOf(response.body)),
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

function readCallback(body: unknown): Callback {
  const report = readReport(body)
  if (!report || report.kind === 'no_film') return { kind: 'unreadable' }
  return { kind: 'report', handle: handleOf(taskIdOf(body)), report }
}
