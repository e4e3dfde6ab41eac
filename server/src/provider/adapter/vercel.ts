/**
 * The Vercel AI Gateway: the protocol of the package @ai-sdk/gateway, which is pinned by the versions in its headers. A
 * submit may be repeated with its key, which resolves an unknown one. Callbacks are signed with a secret of the task,
 * and only tell that it has ended.
 */
import { at, jsonOf, listAt, numberAt, parseJson, textAt } from '../../text/json-reader.ts'
import { openApi } from '../api.ts'
import { readDataUri } from '../data-uri.ts'
import type { Account, Adapter, CallOptions, Cost, Handle, Provider, Report, SubmitOutcome, Task } from '../provider.ts'
import { dayOf, itemsOf, type Listing, type Published, type Wanted } from '../published.ts'
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
  polledReport,
  reasonOf,
  shortened,
  taskIdAt,
  urlAt,
  withCost,
} from '../task-reader.ts'

const GATEWAY = 'https://ai-gateway.vercel.sh'
/** The result of a task whose film is base64 in the response to a poll. */
const INLINE = 'inline'
const INLINE_BYTES_MAX = 256 * 1024 * 1024
/** For how long the gateway knows a key again is not documented, so that later a repeat could make a second film. */
const REPEAT_MS_MAX = 30 * 60_000

export const adapter: Adapter = {
  url: GATEWAY,
  capabilities: {
    submit: 'task',
    callback: 'hint',
    callbackOver: 'https',
    progress: null,
    cost: 'poll',
    result: 'public link',
    client: '@ai-sdk/gateway',
  },
  open: openProvider,
  readList,
}

function openProvider(account: Account): Provider {
  const api = openApi(account, {
    authorization: `Bearer ${account.apiKey}`,
    'ai-gateway-auth-method': 'api-key',
    'ai-gateway-protocol-version': '0.0.1',
    'ai-video-model-specification-version': '4',
  })

  async function submit({ videoId, callbackUrl, model, input }: Task, options?: CallOptions): Promise<SubmitOutcome> {
    const headers = { 'ai-model-id': model, 'idempotency-key': videoId }
    const body = { n: 1, ...withFiles(input), callbackUrl }
    const result = await api.call('POST', '/v4/ai/video-model/start', options, { headers, body })
    return submitOutcome(result, { handle: ({ body: found }) => handleFrom(found, model), message, decide })
  }

  const read = ({ operation = '', model = '' }: Handle, options?: CallOptions) =>
    api.call('POST', '/v4/ai/video-model/status', options, {
      headers: { 'ai-model-id': model },
      body: { operation: parseJson(operation) },
      bytesMax: INLINE_BYTES_MAX,
    })

  /** The gateway knows the cost of a task some time after its end. */
  async function costOf(body: unknown, options?: CallOptions): Promise<Cost | undefined> {
    const gateway = at(body, 'providerMetadata', 'gateway')
    const known = costFrom(at(gateway, 'cost'), 'USD', 'final')
    const id = textAt(gateway, 'generationId')
    if (known || id === null) return known
    const result = await api.call('GET', `/v1/generation?${new URLSearchParams({ id })}`, options)
    return result.kind === 'response' ? costFrom(at(result.body, 'data', 'total_cost'), 'USD', 'final') : undefined
  }

  return {
    submit,
    poll: async (handle, options) => {
      const result = await read(handle, options)
      if (result.kind !== 'response') return null
      const report = polledReport(result, readStatus)
      return report?.kind === 'completed' ? withCost(report, await costOf(result.body, options)) : report
    },
    // The secret that would prove the signature is in the handle, without which a task cannot be polled either.
    readCallback: async ({ body }) => {
      const jobId = taskIdAt(parseJson(body.toString('utf8')), ['data', 'jobId'])
      return jobId === null ? { kind: 'unreadable' } : { kind: 'poll', handle: null }
    },
    find: async (task, sentAt, options) => {
      if (Date.now() - sentAt.getTime() > REPEAT_MS_MAX) return null
      const outcome = await submit(task, options)
      if (outcome.kind === 'accepted') return { kind: 'found', handle: outcome.handle }
      return outcome.kind === 'refused' ? { kind: 'none' } : null
    },
    openResult: async (handle, result, options) => {
      if (result !== INLINE) return { kind: 'link', url: result }
      const status = await read(handle, options)
      const film = status.kind === 'response' ? videosOf(status.body).map(base64Of).find(Boolean) : null
      return film ? { kind: 'bytes', bytes: Buffer.from(film, 'base64') } : null
    },
    checkKey: async (options) => keyCheck(await api.call('GET', '/v1/credits', options)),
    readBalance: async (options) =>
      balanceFrom(await api.call('GET', '/v1/credits', options, BALANCE_LIMITS), 'USD', (body) =>
        numberAt(body, 'balance'),
      ),
    close: api.close,
  }
}

/** Images that are data URIs become files; a request takes 300 KiB, so that links are better. */
function withFiles(input: Record<string, unknown>): object {
  const { image, frameImages, inputReferences } = input
  const file = (value: unknown) => {
    const data = readDataUri(at(value, 'url'))
    return data ? { type: 'file', mediaType: data.contentType, data: data.base64 } : value
  }
  return {
    ...input,
    ...(image ? { image: file(image) } : {}),
    ...(Array.isArray(frameImages)
      ? { frameImages: frameImages.map((frame) => ({ ...Object(frame), image: file(at(frame, 'image')) })) }
      : {}),
    ...(Array.isArray(inputReferences) ? { inputReferences: inputReferences.map(file) } : {}),
  }
}

/** What a status needs: the operation as it is, and the model, which is no part of it. */
function handleFrom(body: unknown, model: string): Handle | null {
  const operation = at(body, 'operation')
  if (operation === undefined || operation === null) return null
  const json = jsonOf(operation)
  const jobId =
    taskIdAt(operation, ['gatewayJobId']) ?? taskIdAt(body, ['providerMetadata', 'gateway', 'asyncJob', 'jobId'])
  const taskId = jobId ?? taskIdAt(json, [])
  return taskId === null || json === '' ? null : { taskId, operation: json, model }
}

/** 424: what the request relies on is missing at our account. */
function decide(response: Response): SubmitOutcome | null {
  const { status, body } = response
  if (textAt(body, 'error', 'type') === 'model_not_found') return modelUnknown(message(response) ?? 'model_not_found')
  return status === 424 ? accountAtFault(reasonOf(body) ?? 'HTTP 424') : null
}

/** Their texts may name our team, project or key. */
const message = ({ body }: Response): string | null =>
  reasonOf(body)?.replace(/\b(team|prj|acct|user|vck|key)_\w+/g, '…') ?? null

function readStatus(body: unknown): Report | null {
  const status = textAt(body, 'status')
  if (status === null) return null
  if (status === 'error') return failedReport(reasonOf(at(body, 'error')))
  if (status === 'cancelled') return failedReport('The provider cancelled the task.', 'CANCELLED')
  if (status !== 'completed') {
    const isKnown = ['pending', 'queued', 'running'].includes(status)
    return { kind: 'running', progress: null, ...(isKnown ? {} : { note: shortened(status) }) }
  }
  // A film may be listed some time later.
  const videos = videosOf(body)
  const link = videos.map((video) => urlAt(video, 'url')).find((url) => url !== null)
  return completedReport(link ?? (videos.some(base64Of) ? INLINE : null), null)
}

function videosOf(body: unknown): unknown[] {
  const videos = at(body, 'videos')
  return Array.isArray(videos) ? videos : []
}

function base64Of(video: unknown): string | null {
  const data = at(video, 'data')
  return typeof data === 'string' && data !== '' ? data : null
}

/** Names and prices. It does not say which values a model takes. */
async function readList({ url, apiKey }: Account, { read }: Wanted): Promise<Listing> {
  const document = await read(`${url}/v1/models`, { authorization: `Bearer ${apiKey}` })
  const films = itemsOf(document, 'data').filter((each) => textAt(each, 'type') === 'video')
  const models = films.map(
    (each): Published => ({
      model: textAt(each, 'id') ?? '',
      name: textAt(each, 'name') ?? undefined,
      createdAt: dayOf(numberAt(each, 'released') ?? numberAt(each, 'created')),
      fields: [],
      cost: pricesOf(listAt(each, 'pricing', 'video_duration_pricing')),
    }),
  )
  return { models, gone: [], isWhole: true }
}

/** Undefined where a price depends on more than quality and sound. */
function pricesOf(tiers: unknown[]): Published['cost'] {
  const usd: Record<string, number> = {}
  for (const tier of tiers) {
    const { resolution, audio, cost_per_second: _, ...others } = Object(tier)
    const amount = numberAt(tier, 'cost_per_second')
    if (amount === null || Object.keys(others).length > 0) return undefined
    usd[[resolution, audio === true && 'audio'].filter(Boolean).join('+').toLowerCase() || '*'] = amount
  }
  return tiers.length > 0 ? { usd, source: 'ai-gateway.vercel.sh/v1/models' } : undefined
}
