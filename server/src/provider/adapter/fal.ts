/** fal's queue: one address per model, three per task, callbacks signed with Ed25519 by a published key set. */

import { firstFit, type Patterns } from '../../film/failure.ts'
import type { CallResult } from '../../net/http-client.ts'
import { at, listAt, numberAt, parseJson, textAt } from '../../text/json-reader.ts'
import { type Api, hostOf, openApi } from '../api.ts'
import type {
  Account,
  Adapter,
  Callback,
  CallOptions,
  Cost,
  Handle,
  Provider,
  ReceivedCallback,
  Report,
  SubmitOutcome,
} from '../provider.ts'
import { fieldsIn, itemsOf, type Listing, type Published, type Wanted } from '../published.ts'
import {
  accountAtFault,
  BALANCE_LIMITS,
  balanceFrom,
  keyCheck,
  modelUnknown,
  outcomeFor,
  type Response,
  submitOutcome,
} from '../submit-outcome.ts'
import {
  completedReport,
  costFrom,
  countAt,
  failedReport,
  isForgotten,
  reasonOf,
  shortened,
  taskIdAt,
  urlAt,
  withCost,
} from '../task-reader.ts'
import { openFalSignature } from '../webhook-signature.ts'

const QUEUE = 'https://queue.fal.run'

export const adapter: Adapter = {
  url: QUEUE,
  capabilities: {
    submit: 'task',
    callback: 'signed',
    progress: 'queue',
    cost: 'poll',
    result: 'public link',
    client: '@fal-ai/client, @ai-sdk/fal',
  },
  open: openProvider,
  readList,
  readModel,
}

function openProvider(account: Account): Provider {
  const auth = { authorization: `Key ${account.apiKey}` }
  const queue = openApi(account, auth)
  const rest = openApi({ ...account, url: hostOf(account, QUEUE, 'https://rest.fal.ai') }, {})
  const meta = openApi({ ...account, url: hostOf(account, QUEUE, 'https://api.fal.ai') }, auth)
  const costOf = openPrices(meta)
  const isSigned = openFalSignature(() => rest.call('GET', '/.well-known/jwks.json'))

  async function poll(handle: Handle, options?: CallOptions): Promise<Report | null> {
    const path = pathOf(handle)
    if (path === null) return null
    const status = await queue.call('GET', `${path}/status`, options)
    if (status.kind !== 'response') return null
    if (isForgotten(status)) return { kind: 'lost' }
    const word = textAt(status.body, 'status')
    if (word === null || status.status >= 300) return null
    if (word !== 'COMPLETED') {
      const queuePosition = countAt(status.body, 'queue_position')
      const isKnown = word === 'IN_QUEUE' || word === 'IN_PROGRESS'
      return {
        kind: 'running',
        progress: null,
        ...(queuePosition === null ? {} : { queuePosition }),
        ...(isKnown ? {} : { note: shortened(word) }),
      }
    }
    const result = await queue.call('GET', path, options)
    if (result.kind !== 'response') return null
    if (result.status >= 300) return readFailure(status.body, result.body)
    return withCost(readResult(result.body), await costOf(result.headers['x-fal-billable-units'], handle, options))
  }

  return {
    submit: async (task, options) => {
      const query = new URLSearchParams(task.callbackUrl && { fal_webhook: task.callbackUrl })
      const result = await queue.call('POST', `/${task.model}?${query}`, options, { body: task.input })
      return submitOutcome(result, {
        handle: ({ body }) => handleFrom(body, account.url, task.model),
        decide,
      })
    },
    poll,
    // No callback has it.
    readCost: async (handle, options) => {
      const result = handle.path === undefined ? null : await queue.call('GET', handle.path, options)
      return result?.kind === 'response' ? costOf(result.headers['x-fal-billable-units'], handle, options) : undefined
    },
    readCallback: async (callback) => readCallback(callback, await isSigned(callback)),
    cancel: async (handle, options) => {
      const path = pathOf(handle)
      if (path === null) return null
      const result = await queue.call('PUT', `${path}/cancel`, options)
      if (result.kind !== 'response') return null
      if (result.status === 202) return 'requested'
      return result.status === 400 ? 'too_late' : null
    },
    checkKey: async (options) =>
      keyCheck(await meta.call('GET', '/v1/models/pricing?endpoint_id=fal-ai/veo3.1/fast', options)),
    // Keys that may only make films get a 403.
    readBalance: async (options) =>
      balanceFrom(
        await meta.call('GET', '/v1/account/billing?expand=credits', options, BALANCE_LIMITS),
        'USD',
        (body) => (at(body, 'credits', 'currency') === 'USD' ? numberAt(body, 'credits', 'current_balance') : null),
      ),
    close: async () => {
      await Promise.all([queue.close(), rest.close(), meta.close()])
    },
  }
}

const PRICE_LIMITS = { timeoutS: 5, bytesMax: 64 * 1024 }
const PRICE_KEPT_MS = 3600_000
const PRICE_RETRY_MS = 60_000

/** Units at the price of now, which is the endpoint's own; the units alone where it cannot be read. */
function openPrices(meta: Api) {
  const prices = new Map<string, { usd: number | null; untilMs: number }>()
  return async (units: unknown, { model }: Handle, options?: CallOptions): Promise<Cost | undefined> => {
    const cost = costFrom(units, 'units', 'final')
    if (!cost || model === undefined) return cost
    let price = prices.get(model)
    if (!price || price.untilMs < Date.now()) {
      const query = new URLSearchParams({ endpoint_id: model })
      const usd = priceAt(await meta.call('GET', `/v1/models/pricing?${query}`, options, PRICE_LIMITS), model)
      price = { usd, untilMs: Date.now() + (usd === null ? PRICE_RETRY_MS : PRICE_KEPT_MS) }
      prices.set(model, price)
    }
    return price.usd === null ? cost : costFrom((Number(cost.amount) * price.usd).toFixed(9), 'USD', 'final')
  }
}

/** What a unit of an endpoint costs in USD. */
function priceAt(result: CallResult, endpoint: string): number | null {
  const prices = result.kind === 'response' && result.status < 300 ? at(result.body, 'prices') : null
  const price = Array.isArray(prices) ? prices.find((each) => at(each, 'endpoint_id') === endpoint) : null
  const usd = at(price, 'currency') === 'USD' ? numberAt(price, 'unit_price') : null
  return usd !== null && usd >= 0 ? usd : null
}

/**
 * 403 is also the answer to an account without credit. A 404 is of the model, which the address has, unless it says
 * nothing more.
 */
function decide(response: Response): SubmitOutcome | null {
  const { status, body } = response
  const reason = reasonOf(body)
  if (status === 403 && /locked|balance/i.test(reason ?? '')) return accountAtFault(reason ?? '')
  if (status === 404 && /^(application|app|model|path)\b/i.test(reason ?? '')) return modelUnknown(reason ?? '')
  const code = status === 422 ? firstFit(types, typeAt(body)) : undefined
  return code === 'CONTENT_REFUSED' || code === 'INPUT_REFUSED' ? outcomeFor(code, response, reason) : null
}

/**
 * The path of a task, which leaves out parts of the model's name. Its address is taken from the response, and only
 * below our own: it comes from outside.
 */
function handleFrom(body: unknown, base: string, model: string): Handle | null {
  const taskId = taskIdAt(body, ['request_id'])
  if (taskId === null) return null
  const url = urlAt(body, 'response_url')
  const path = url?.startsWith(`${base}/`) ? url.slice(base.length) : null
  const general = `/${model.split('/').slice(0, 2).join('/')}/requests/${encodeURIComponent(taskId)}`
  return { taskId, path: path ?? general, model }
}

/** Null: the callback that named the task came before the response to its submit. */
const pathOf = ({ path }: Handle): string | null => path ?? null

function readResult(body: unknown): Report {
  // Some models wrap their output.
  const video = [body, at(body, 'data'), at(body, 'result')]
    .map((output) => urlAt(output, 'video', 'url') ?? urlAt(output, 'video'))
    .find((url) => url !== null)
  return video === undefined ? failure(body) : completedReport(video, null)
}

/** A result that is an error. It is the task's where a response says so, else a proxy's or key's, which passes. */
function readFailure(status: unknown, result: unknown): Report | null {
  if (typeAt(result) !== null) return failure(result)
  return typeAt(status) !== null || reasonOf(at(status, 'error')) !== null
    ? failure({ ...Object(result), ...Object(status) })
    : null
}

const typeAt = (body: unknown): string | null => textAt(body, 'detail', 0, 'type') ?? textAt(body, 'error_type')

/** The type decides; the message is written for people. */
function failure(body: unknown): Report {
  const type = typeAt(body)
  const reason = reasonOf(at(body, 'detail')) ?? reasonOf(at(body, 'error'))
  if (type === null) return completedReport(null, reason)
  return failedReport(reason, firstFit(types, type) ?? 'PARAMETERS_REFUSED')
}

const types: Patterns = [
  ['CONTENT_REFUSED', /content_policy|no_media_generated/],
  ['INPUT_REFUSED', /^image_|file_download|face_detection|file_too_large|unsupported_image/],
  ['CANCELLED', /client_cancelled/],
  ['PROVIDER_BUSY', /scheduling|unavailable/],
  ['PROVIDER_ERROR', /internal|timeout|downstream|runner/],
]

function readCallback({ body }: ReceivedCallback, signed: boolean | null): Callback {
  if (signed !== true) return { kind: signed === null ? 'try_later' : 'forged' }
  const value = parseJson(body.toString('utf8'))
  const taskId = taskIdAt(value, ['request_id'])
  const status = textAt(value, 'status')
  if (taskId === null || status === null) return { kind: 'unreadable' }
  // A payload that is missing was too large, or not JSON: the result is read by a poll.
  const payload = at(value, 'payload')
  const report = status === 'OK' ? readResult(payload) : failure({ error: at(value, 'error'), ...Object(payload) })
  const isClear = report.kind === 'completed' || (report.kind === 'failed' && status !== 'OK')
  return isClear ? { kind: 'report', handle: { taskId }, report } : { kind: 'poll', handle: { taskId } }
}

const CATEGORIES = ['text-to-video', 'image-to-video']
/** Of one request. */
const NAMES_MAX = 50
const PAGES_MAX = 30

/** The models of its categories, the OpenAPI of those in use and of new ones, and prices of one unit each. */
async function readList(account: Account, { read, names, since }: Wanted): Promise<Listing> {
  const meta = hostOf(account, QUEUE, 'https://api.fal.ai')
  const auth = { authorization: `Key ${account.apiKey}` }
  const fresh: Published[] = []
  for (const category of CATEGORIES) {
    let cursor = ''
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const query = new URLSearchParams({ category, status: 'active', limit: '100', ...(cursor && { cursor }) })
      const document = await read(`${meta}/v1/models?${query}`, auth)
      fresh.push(...itemsOf(document, 'models').flatMap((each) => entryAt(each) ?? []))
      cursor = textAt(document, 'next_cursor') ?? ''
      if (cursor === '') break
    }
  }
  const wanted = fresh.filter(({ model, createdAt }) => !names.includes(model) && createdAt && createdAt >= since)
  const listed = new Map(
    [...names.map((model) => ({ model, fields: [] })), ...wanted].map((each) => [each.model, each]),
  )
  const [gone, prices] = [new Set<string>(), new Map<string, Published['unitUsd']>()]
  for (const part of chunks([...listed.keys()])) {
    const query = new URLSearchParams(part.map((name): [string, string] => ['endpoint_id', name]))
    const models = await read(`${meta}/v1/models?${query}`, auth)
    const known = new Map(listAt(models, 'models').map((each) => [textAt(each, 'endpoint_id'), each]))
    for (const name of models === null ? [] : part)
      if (!known.has(name) || textAt(known.get(name), 'metadata', 'status') === 'deprecated') gone.add(name)
    for (const each of listAt(await read(`${meta}/v1/models/pricing?${query}`, auth), 'prices'))
      prices.set(textAt(each, 'endpoint_id') ?? '', unitPriceOf(each))
  }
  const models: Published[] = []
  for (const [name, entry] of listed) {
    if (gone.has(name)) continue
    const query = new URLSearchParams({ endpoint_id: name })
    const document = await read(`${hostOf(account, QUEUE, 'https://fal.ai')}/api/openapi/queue/openapi.json?${query}`)
    models.push({ ...entry, ...readModel(document), model: name, unitUsd: prices.get(name) })
  }
  return { models, gone: [...gone], isWhole: false }
}
/** The OpenAPI of an endpoint: the one path that takes a request. */

function readModel(document: unknown): Published | null {
  const paths = Object.entries((at(document, 'paths') ?? {}) as object)
  const found = paths.find(([, path]) => at(path, 'post', 'requestBody') !== undefined)
  if (!found) return null
  const [path, methods] = found
  const schema = at(methods, 'post', 'requestBody', 'content', 'application/json', 'schema')
  const model = textAt(document, 'info', 'x-fal-metadata', 'endpointId') ?? path.slice(1)
  return { model, fields: fieldsIn(document, schema) }
}

const chunks = (names: string[]): string[][] =>
  names.length === 0 ? [] : [names.slice(0, NAMES_MAX), ...chunks(names.slice(NAMES_MAX))]

function entryAt(each: unknown): Published | null {
  const model = textAt(each, 'endpoint_id')
  const date = Date.parse(textAt(each, 'metadata', 'date') ?? '')
  return model === null ? null : { model, fields: [], createdAt: Number.isNaN(date) ? undefined : new Date(date) }
}

/** What other units, such as tokens, are worth depends on the film. */
function unitPriceOf(each: unknown): Published['unitUsd'] {
  const [usd, unit] = [numberAt(each, 'unit_price'), textAt(each, 'unit') ?? '']
  const per = /^(video_|output )?seconds?$/.test(unit) ? 'second' : /^(videos?|clips?)$/.test(unit) ? 'clip' : null
  if (usd === null || per === null || textAt(each, 'currency') !== 'USD') return undefined
  return { per, usd, source: 'api.fal.ai/v1/models/pricing' }
}
