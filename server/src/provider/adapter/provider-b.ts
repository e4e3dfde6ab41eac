/** provider-b: the shape of Kie, whose callbacks are trusted, and signed (HMAC-SHA256) where a key is set. */
import { parseJson } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import type { Account, Adapter, Callback, Provider } from '../provider.ts'
import { submitOutcome } from '../submit-outcome.ts'
import { handleOf } from '../task-reader.ts'
import { isRecent } from '../webhook-signature.ts'
import { isSigned, readReport, rules, taskIdOf } from './kie.ts'

export const adapter: Adapter = {
  capabilities: {
    callback: 'signed',
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
    submit: async ({ model, input, callbackUrl }, options) =>
      submitOutcome(
        await api.call('POST', '/api/v1/jobs/createTask', options, {
          body: { model, callBackUrl: callbackUrl, input },
        }),
        rules,
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
      // A signature over an empty time has no age; the HMAC covers it, so that a caller cannot remove the time.
      const { 'x-webhook-timestamp': timestamp = '' } = headers
      const isGood = (key: string) => isSigned(body, headers, key) && (timestamp === '' || isRecent(timestamp, now))
      if (account.webhookKey && !isGood(account.webhookKey)) return { kind: 'forged' }
      return readCallback(body)
    },
    close: api.close,
  }
}

function readCallback(body: unknown): Callback {
  const report = readReport(body)
  if (!report || report.kind === 'no_film') return { kind: 'unreadable' }
  return { kind: 'report', handle: handleOf(taskIdOf(body)), report }
}
