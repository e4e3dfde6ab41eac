/** Replicate's predictions: an address for each kind of model, callbacks signed by Standard Webhooks. */

import type { FailureCode } from '../../film/failure.ts'
import { at, parseJson, textAt } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import type {
  Account,
  Adapter,
  Callback,
  CallOptions,
  Handle,
  Provider,
  ReceivedCallback,
  Report,
  Task,
} from '../provider.ts'
import { fieldsIn, type Listing, type Published, type Wanted } from '../published.ts'
import { keyCheck, modelUnknown, submitOutcome } from '../submit-outcome.ts'
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
import { isStandardSigned, withFetchedKeys } from '../webhook-signature.ts'

export const adapter: Adapter = {
  url: 'https://api.replicate.com',
  capabilities: {
    submit: 'task',
    callback: 'signed',
    callbackOver: 'https',
    progress: 'percent',
    cost: null,
    result: 'public link',
    client: 'replicate, @ai-sdk/replicate',
  },
  open: openProvider,
  readList,
  readModel,
}

function openProvider(account: Account): Provider {
  const api = openApi(account, { authorization: `Bearer ${account.apiKey}` })
  const isSigned = withFetchedKeys(async () => {
    if (account.webhookKey !== null) return [account.webhookKey]
    const result = await api.call('GET', '/v1/webhooks/default/secret')
    const secret = result.kind === 'response' ? textAt(result.body, 'key') : null
    return secret === null ? null : [secret]
  }, isStandardSigned)

  const poll = async (handle: Handle, options?: CallOptions): Promise<Report | null> =>
    polledReport(await api.call('GET', pathOf(handle), options), readReport)

  return {
    submit: async (task, options) => {
      const [path, body] = requestOf(task)
      return submitOutcome(await api.call('POST', path, options, { body }), {
        handle: (response) => handleOf(taskIdAt(response.body, ['id'])),
        report: (response) => readReport(response.body),
        // The address, or the version, is that of the model.
        decide: ({ status, body }) => (status === 404 && reasonOf(body) ? modelUnknown(reasonOf(body) ?? '') : null),
      })
    },
    poll,
    readCallback: async (callback) => readCallback(callback, await isSigned(callback)),
    cancel: async (handle, options) => {
      const result = await api.call('POST', `${pathOf(handle)}/cancel`, options)
      if (result.kind !== 'response') return null
      // What it answers for a prediction that has ended is not documented.
      const isTaken = result.status < 300
      const report = isTaken ? readReport(result.body) : await poll(handle, options)
      if (report === null) return null
      if (report.kind === 'running') return isTaken ? 'requested' : null
      return report.kind === 'failed' && report.failure.code === 'CANCELLED' ? 'cancelled' : 'too_late'
    },
    checkKey: async (options) => keyCheck(await api.call('GET', '/v1/account', options)),
    close: api.close,
  }
}

const pathOf = ({ taskId }: Handle): string => `/v1/predictions/${segment(taskId)}`

/** Path and body. A model is `owner/name`, a version (`owner/name:hash` or the hash), or `deployments/owner/name`. */
function requestOf({ model, input, callbackUrl }: Task): [string, object] {
  const body = { input, webhook: callbackUrl, webhook_events_filter: ['completed'] }
  if (model.startsWith('deployments/')) return [`/v1/${model}/predictions`, body]
  const [name, version] = model.split(':')
  if (name?.includes('/') && version === undefined) return [`/v1/models/${name}/predictions`, body]
  return ['/v1/predictions', { ...body, version: version ?? name }]
}

/** Null: not a prediction. */
function readReport(body: unknown): Report | null {
  const status = textAt(body, 'status')
  if (status === null) return null
  const phase = phaseOf(status)
  if (phase === 'failed') return failedReport(reasonOf(at(body, 'error')), codes[status.toLowerCase()])
  if (phase !== 'completed') return runningReport(phase, status, progressOf(body))
  const film = filmAt(at(body, 'output'))
  // Inputs and outputs are removed after an hour.
  if (film === null && at(body, 'data_removed') === true) return { kind: 'lost' }
  return completedReport(film, reasonOf(at(body, 'error')))
}

/** `aborted`: the prediction's own deadline passed before it began. */
const codes: Record<string, FailureCode> = { canceled: 'CANCELLED', cancelled: 'CANCELLED', aborted: 'TIMED_OUT' }

/** A link, a list of links, or an object of them, by the model's schema. */
const filmAt = (output: unknown): string | null =>
  urlAt(output) ?? urlAt(output, 0) ?? urlAt(output, 'video') ?? urlAt(output, 'url')

/** The last line of the log that a progress bar has written: ` 45%|####      | 9/20`. */
function progressOf(body: unknown): number | null {
  const bars = [...(textAt(body, 'logs') ?? '').matchAll(/(\d{1,3}%)\|[^|\n]*\|/g)]
  return progressAt(bars.at(-1)?.[1])
}

function readCallback({ body }: ReceivedCallback, signed: boolean | null): Callback {
  if (signed !== true) return { kind: signed === null ? 'try_later' : 'forged' }
  const value = parseJson(body.toString('utf8'))
  const handle = handleOf(taskIdAt(value, ['id']))
  const report = readReport(value)
  if (handle === null || report === null) return { kind: 'unreadable' }
  return report.kind === 'no_film' ? { kind: 'poll', handle } : { kind: 'report', handle, report }
}

/** Each model in use with the schema of its latest version. A list of new ones is not to be had without all others. */
async function readList({ url, apiKey }: Account, { read, names }: Wanted): Promise<Listing> {
  const [models, gone]: [Published[], string[]] = [[], []]
  for (const name of names.filter((each) => /^[^/:]+\/[^/:]+$/.test(each))) {
    const document = await read(`${url}/v1/models/${name}`, { authorization: `Bearer ${apiKey}` })
    const found = readModel(document)
    if (found) models.push({ ...found, model: name })
    else if (document === null) gone.push(name)
  }
  return { models, gone, isWhole: false }
}

function readModel(document: unknown): Published | null {
  const openapi = at(document, 'latest_version', 'openapi_schema')
  const schema = at(openapi, 'components', 'schemas', 'Input')
  const [owner, name] = [textAt(document, 'owner'), textAt(document, 'name')]
  if (schema === undefined || owner === null || name === null) return null
  return { model: `${owner}/${name}`, fields: fieldsIn(openapi, schema) }
}
