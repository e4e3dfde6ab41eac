/**
 * Alibaba Wan and HappyHorse through Model Studio (DashScope). Key, model and host must be of one region: another one
 * than Singapore is the account's URL. Callbacks come through EventBridge alone, for a whole account.
 */

import { firstFit, type Patterns } from '../../film/failure.ts'
import { at, textAt } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import type { Account, Adapter, Handle, Provider, Report } from '../provider.ts'
import { keyCheck, modelUnknown, outcomeFor, type Response, submitOutcome } from '../submit-outcome.ts'
import {
  completedReport,
  costFrom,
  failedReport,
  phaseOf,
  reasonOf,
  runningReport,
  taskIdAt,
  urlAt,
  withCost,
} from '../task-reader.ts'

export const adapter: Adapter = {
  url: 'https://dashscope-intl.aliyuncs.com',
  capabilities: {
    submit: 'task',
    callback: null,
    progress: null,
    cost: 'poll',
    result: 'public link',
    client: '@ai-sdk/alibaba',
  },
  open: openProvider,
}

const SERVICES = '/api/v1/services/aigc'
/** How long a new task may be unknown where it is asked for. */
const VISIBLE_AFTER_MS = 60_000

function openProvider(account: Account): Provider {
  const api = openApi(account, { authorization: `Bearer ${account.apiKey}` })
  return {
    submit: async ({ model, input }, options) => {
      const [service, name] = addressOf(model)
      const headers = {
        'x-dashscope-async': 'enable',
        ...(JSON.stringify(input).includes('"oss://') ? { 'x-dashscope-ossresourceresolve': 'enable' } : {}),
      }
      const request = { body: { ...input, model: name }, headers }
      return submitOutcome(await api.call('POST', `${SERVICES}/${service}/video-synthesis`, options, request), {
        handle: handleFrom,
        busy: [503],
        decide,
      })
    },
    poll: async (handle, options) => {
      const result = await api.call('GET', `/api/v1/tasks/${segment(handle.taskId)}`, options)
      return result.kind === 'response' ? reportOf(result, handle) : null
    },
    cancel: async ({ taskId }, options) => {
      const result = await api.call('POST', `/api/v1/tasks/${segment(taskId)}/cancel`, options)
      if (result.kind !== 'response') return null
      if (result.status < 300) return 'cancelled'
      // The task does not wait any more.
      return [400, 404, 409].includes(result.status) ? 'too_late' : null
    },
    // A task that cannot exist: one client saw the list refuse a good key at the host of a workspace.
    checkKey: async (options) =>
      keyCheck(await api.call('GET', '/api/v1/tasks/00000000-0000-0000-0000-000000000000', options)),
    close: api.close,
  }
}

/**
 * Service and name of a model. `image2video/wan2.2-animate-move` names its service; the older models of a first and a
 * last frame have that one too.
 */
function addressOf(model: string): [string, string] {
  const [service, name] = model.split('/')
  if (service && name) return [service, name]
  return [model.includes('kf2v') ? 'image2video' : 'video-generation', model]
}

/** `acceptedAt`: by the vendor's clock. */
function handleFrom({ body, headers }: Response): Handle | null {
  const taskId = taskIdAt(body, ['output', 'task_id'])
  return taskId === null ? null : { taskId, ...(headers.date ? { acceptedAt: headers.date } : {}) }
}

/** A code has more words after a dot. */
const codes: Patterns = [
  ['CONTENT_REFUSED', /^(DataInspectionFailed|IPInfringementSuspect|FaqRuleBlocked)/],
  ['INPUT_REFUSED', /^(InvalidURL|InvalidParameter\.DataInspection)/],
  ['ACCOUNT', /^(Arrearage|InvalidApiKey|Throttling\.AllocationQuota)|AccessDenied/],
  ['PROVIDER_BUSY', /^Throttling/],
  ['PARAMETERS_REFUSED', /^(InvalidParameter|BadRequest)/],
  ['PROVIDER_ERROR', /^InternalError/],
]

function decide(response: Response) {
  const [word, message] = [textAt(response.body, 'code'), textAt(response.body, 'message')]
  if (word?.startsWith('ModelNotFound')) return modelUnknown(message ?? word)
  const code = firstFit(codes, word)
  return code ? outcomeFor(code, response, message) : null
}

function reportOf({ status, body, headers }: Response, handle: Handle): Report | null {
  const output = at(body, 'output')
  const word = textAt(output, 'task_status')
  if (status >= 300 || word === null) return null
  if (word === 'UNKNOWN') {
    const ageMs = Date.parse(headers.date ?? '') - Date.parse(handle.acceptedAt ?? '')
    return ageMs < VISIBLE_AFTER_MS ? runningReport('unknown', word, null) : { kind: 'lost' }
  }
  const message = textAt(output, 'message') ?? reasonOf(at(output, 'error'))
  const phase = phaseOf(word)
  if (phase === 'failed') {
    return failedReport(message, word === 'CANCELED' ? 'CANCELLED' : firstFit(codes, textAt(output, 'code')))
  }
  if (phase !== 'completed') return runningReport(phase, word, null)
  const usage = at(body, 'usage')
  const seconds = at(usage, 'output_video_duration') ?? at(usage, 'duration') ?? at(usage, 'video_duration')
  const film = urlAt(output, 'video_url') ?? urlAt(output, 'results', 'video_url')
  return withCost(completedReport(film, message), costFrom(seconds, 'seconds', 'final'))
}
