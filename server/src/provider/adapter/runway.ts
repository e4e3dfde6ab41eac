/** Runway: an address for each kind of film, no callbacks, and a cost in credits. */

import type { FailureCode } from '../../film/failure.ts'
import { at, listAt, numberAt, textAt } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import type { Account, Adapter, CallOptions, Cost, Handle, Provider, Report, SubmitOutcome, Task } from '../provider.ts'
import type { Listing, Wanted } from '../published.ts'
import {
  accountAtFault,
  BALANCE_LIMITS,
  balanceFrom,
  keyCheck,
  modelUnknown,
  type Response,
  submitOutcome,
} from '../submit-outcome.ts'
import {
  completedReport,
  costFrom,
  failedReport,
  handleOf,
  polledReport,
  progressAt,
  reasonOf,
  runningReport,
  taskIdAt,
  urlAt,
  withCost,
} from '../task-reader.ts'

export const adapter: Adapter = {
  url: 'https://api.dev.runwayml.com',
  capabilities: {
    submit: 'task',
    callback: null,
    progress: 'percent',
    cost: 'submit',
    result: 'public link',
    client: '@runwayml/sdk',
  },
  open: openProvider,
  readList,
}

function openProvider(account: Account): Provider {
  const api = openApi(account, { authorization: `Bearer ${account.apiKey}`, 'x-runway-version': '2024-11-06' })

  const poll = async (handle: Handle, options?: CallOptions): Promise<Report | null> =>
    polledReport(await api.call('GET', pathOf(handle), options), readReport)

  return {
    submit: async (task, options) => {
      const [path, body] = requestOf(task)
      return submitOutcome(await api.call('POST', path, options, { body }), {
        handle: (response) => handleOf(taskIdAt(response.body, ['id'])),
        message: ({ body }) => messageOf(body),
        // Load shedding. It is documented of 502 too, which any proxy may also send.
        busy: [503],
        account: [405],
        decide,
        cost: ({ body }) => creditsAt(at(body, 'estimatedCost') ?? at(body, 'routing', 'estimatedCost'), 'reserved'),
      })
    },
    poll,
    cancel: async (handle, options) => {
      // DELETE removes a task that has ended, with its film.
      const report = await poll(handle, options)
      if (report === null || (report.kind === 'running' && report.note !== undefined)) return null
      // Removed, perhaps by an earlier DELETE whose response was lost: a poll ends it.
      if (report.kind === 'lost') return 'requested'
      if (report.kind !== 'running') return 'too_late'
      const result = await api.call('DELETE', pathOf(handle), options)
      return result.kind === 'response' && result.status < 300 ? 'cancelled' : null
    },
    checkKey: async (options) => keyCheck(await api.call('GET', '/v1/organization', options)),
    readBalance: async (options) =>
      balanceFrom(await api.call('GET', '/v1/organization', options, BALANCE_LIMITS), 'credits', (body) =>
        numberAt(body, 'creditBalance'),
      ),
    close: api.close,
  }
}

const pathOf = ({ taskId }: Handle): string => `/v1/tasks/${segment(taskId)}`

/** Path and body; what the film is made from decides. With `configId` Runway itself chooses the model. */
function requestOf({ model, input }: Task): [string, object] {
  if ('configId' in input) return ['/v1/generate/video', input]
  return [`/v1/${kindOf(model, input)}`, { model, ...input }]
}

function kindOf(model: string, input: Task['input']): string {
  if (/upscale|frame_rate/.test(model)) return 'video_upscale'
  if ('character' in input) return 'character_performance'
  if ('promptVideo' in input || 'videoUri' in input) return 'video_to_video'
  return 'promptImage' in input ? 'image_to_video' : 'text_to_video'
}

/** A balance that is too low is a 400, as wrong parameters and a model that is not in the list are. */
function decide({ status, body }: Response): SubmitOutcome | null {
  const message = messageOf(body) ?? ''
  if (status !== 400) return null
  if (/credits?\b/i.test(message)) return accountAtFault(message)
  return listAt(body, 'issues').some((issue) => textAt(issue, 'path', 0) === 'model') ? modelUnknown(message) : null
}

/** The error is often a mere title; what is wrong stands in a list beside it. */
const messageOf = (body: unknown): string | null =>
  [reasonOf(body), reasonOf(at(body, 'issues'))].filter((text) => text !== null).join(': ') || null

const creditsAt = (cost: unknown, stage: Cost['stage']): Cost | undefined =>
  costFrom(at(cost, 'credits'), 'credits', stage)

function readReport(body: unknown): Report | null {
  const status = textAt(body, 'status')
  const cost = creditsAt(at(body, 'cost'), 'final')
  switch (status) {
    case null:
      return null
    case 'SUCCEEDED':
      return withCost(completedReport(urlAt(body, 'output', 0), reasonOf(at(body, 'failure'))), cost)
    case 'FAILED':
      return withCost(failure(textAt(body, 'failureCode'), textAt(body, 'failure')), cost)
    case 'CANCELLED':
      return withCost(failedReport('The task was cancelled.', 'CANCELLED'), cost)
    case 'RUNNING':
      // A share: 1 is the end, not one per cent.
      return { kind: 'running', progress: numberAt(body, 'progress') === 1 ? 100 : progressAt(body, 'progress') }
    default:
      // THROTTLED: accepted, and waits for one of our own tasks to end.
      return runningReport(/^(PENDING|THROTTLED)$/.test(status) ? 'running' : 'unknown', status, null)
  }
}

/** Runway asks not to show its own text of a moderation. */
function failure(code: string | null, text: string | null): Report {
  const [, known, own] = failures.find(([pattern]) => pattern.test(code ?? '')) ?? []
  return failedReport(own ?? text, known)
}

const failures: [RegExp, FailureCode, string?][] = [
  [/^SAFETY\.OUTPUT/, 'CONTENT_REFUSED', 'The film was refused by the moderation of the provider.'],
  [/SAFETY/, 'CONTENT_REFUSED', 'The prompt or an image was refused by the moderation of the provider.'],
  [/^ASSET/, 'INPUT_REFUSED'],
  [/^THIRD_PARTY/, 'PROVIDER_BUSY'],
  [/INTERNAL/, 'PROVIDER_ERROR'],
]

/** The organisation's limits name every model that it may use, of pictures and sound too. */
async function readList({ url, apiKey }: Account, { read }: Wanted): Promise<Listing> {
  const headers = { authorization: `Bearer ${apiKey}`, 'x-runway-version': '2024-11-06' }
  const limits = at(await read(`${url}/v1/organization`, headers), 'tier', 'models')
  if (typeof limits !== 'object' || limits === null) throw new Error('its organisation has no tier.models')
  const models = Object.keys(limits).filter((name) => !NO_VIDEO.test(name))
  return { models: models.map((model) => ({ model, fields: [] })), gone: [], isWhole: true }
}
const NO_VIDEO = /image|eleven|speech|voice|sound|avatar|gpt|flash|realtime/
