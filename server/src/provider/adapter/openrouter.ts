/** OpenRouter: one endpoint for all models, callbacks signed with the workspace's secret, films by our key. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FailureCode } from '../../film/failure.ts'
import { at, entryOf, listAt, numberAt, parseJson, textAt } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import type {
  Account,
  Adapter,
  Callback,
  Handle,
  Provider,
  ReceivedCallback,
  Report,
  SubmitOutcome,
} from '../provider.ts'
import { dayOf, type Field, itemsOf, type Listing, NO_FIELD, type Published, type Wanted } from '../published.ts'
import { BALANCE_LIMITS, balanceFrom, keyCheck, outcomeFor, type Response, submitOutcome } from '../submit-outcome.ts'
import {
  completedReport,
  costFrom,
  failedReport,
  handleOf,
  phaseOf,
  polledReport,
  reasonOf,
  runningReport,
  taskIdAt,
  urlAt,
  withCost,
} from '../task-reader.ts'
import { isRecent } from '../webhook-signature.ts'

export const adapter: Adapter = {
  url: 'https://openrouter.ai',
  capabilities: {
    submit: 'task',
    callback: 'signed',
    callbackOver: 'https',
    progress: null,
    cost: 'poll',
    result: 'our key',
    client: '@openrouter/sdk, @openrouter/ai-sdk-provider',
  },
  open: openProvider,
  readList,
  readModel,
}

function openProvider(account: Account): Provider {
  const authorization = `Bearer ${account.apiKey}`
  const api = openApi(account, { authorization })
  return {
    submit: async ({ model, input, callbackUrl }, options) => {
      const body = { model, ...input, callback_url: callbackUrl }
      return submitOutcome(await api.call('POST', '/api/v1/videos', options, { body }), {
        handle: (response) => handleOf(taskIdAt(response.body, ['id'])),
        message: ({ body }) => messageOf(at(body, 'error')),
        decide,
      })
    },
    poll: async (handle, options) => polledReport(await api.call('GET', pathOf(handle), options), readReport),
    readCallback: async (callback) => readCallback(callback, account.webhookKey),
    // In spite of their name, `unsigned_urls` need the key. Their path is built anew, so that it goes to no other host.
    openResult: async (handle) => ({
      kind: 'link',
      url: `${account.url}${pathOf(handle)}/content?index=0`,
      headers: { authorization },
    }),
    checkKey: async (options) => keyCheck(await api.call('GET', '/api/v1/key', options)),
    // The account tells its credits to a management key alone; any key tells what is left of its own limit.
    readBalance: async (options) => {
      const credits = await api.call('GET', '/api/v1/credits', options, BALANCE_LIMITS)
      const told = balanceFrom(credits, 'USD', (body) => {
        const [total, used] = [numberAt(body, 'data', 'total_credits'), numberAt(body, 'data', 'total_usage')]
        return total === null || used === null ? null : total - used
      })
      if (told.kind === 'told') return told
      const key = await api.call('GET', '/api/v1/key', options, BALANCE_LIMITS)
      const left = balanceFrom(key, 'USD', (body) => numberAt(body, 'data', 'limit_remaining'))
      return left.kind === 'told' ? left : told
    },
    close: api.close,
  }
}

const pathOf = ({ taskId }: Handle): string => `/api/v1/videos/${segment(taskId)}`

/** The message is often a title: the reasons of a moderation, or the text of the provider behind, are beside it. */
function messageOf(error: unknown): string | null {
  const raw = textAt(error, 'metadata', 'raw')
  const more = [at(error, 'metadata', 'reasons'), raw === null ? null : (parseJson(raw) ?? raw)]
  return [error, ...more].flatMap((each) => reasonOf(each) ?? []).join(': ') || null
}

/** 403 is the limit of our key, or a moderation, which gives reasons. */
function decide(response: Response): SubmitOutcome | null {
  const { status, body } = response
  const message = messageOf(at(body, 'error'))
  if (status === 413) return outcomeFor('INPUT_REFUSED', response, message)
  const reasons = reasonOf(at(body, 'error', 'metadata', 'reasons'))
  const isRefused = status === 403 && (reasons !== null || /moderation|content polic/i.test(message ?? ''))
  return isRefused ? outcomeFor('CONTENT_REFUSED', response, message) : null
}

/** A job, polled or as the `data` of a callback. */
function readReport(body: unknown): Report | null {
  const status = textAt(body, 'status')
  if (status === null) return null
  const phase = status === 'dead' ? 'failed' : phaseOf(status)
  if (phase !== 'completed' && phase !== 'failed') return runningReport(phase, status, null)
  // The vendor's sentence in the words of the provider that ran the model: it has no code.
  const reason = reasonOf(at(body, 'error'))
  const film = urlAt(body, 'unsigned_urls', 0) ?? urlAt(body, 'urls', 0)
  const report = phase === 'failed' ? failedReport(reason, entryOf(codes, status)) : completedReport(film, reason)
  return withCost(report, costFrom(at(body, 'usage', 'cost'), 'USD', 'final'))
}

/** `expired`: the job outlived its time. */
const codes: Record<string, FailureCode> = { cancelled: 'CANCELLED', expired: 'TIMED_OUT' }

/** Without a secret in the workspace nothing is signed, and the job is polled. */
function readCallback(callback: ReceivedCallback, secret: string | null): Callback {
  if (secret !== null && !isSigned(callback, secret)) return { kind: 'forged' }
  const data = at(parseJson(callback.body.toString('utf8')), 'data')
  const handle = handleOf(taskIdAt(data, ['id']))
  const report = readReport(data)
  if (handle === null || report === null) return { kind: 'unreadable' }
  return secret === null || report.kind === 'no_film' ? { kind: 'poll', handle } : { kind: 'report', handle, report }
}

/** `t=<Unix seconds>,v1=<hex>`, over the time, a comma and the body. */
function isSigned({ headers, body, now }: ReceivedCallback, secret: string): boolean {
  const [, timestamp, given] = /^t=(\d+),v1=([0-9a-f]{64})$/i.exec(headers['x-openrouter-signature'] ?? '') ?? []
  if (given === undefined || !isRecent(timestamp, now)) return false
  const expected = createHmac('sha256', secret).update(`${timestamp},`).update(body).digest()
  return timingSafeEqual(Buffer.from(given, 'hex'), expected)
}

async function readList({ url, apiKey }: Account, { read }: Wanted): Promise<Listing> {
  const document = await read(`${url}/api/v1/videos/models`, { authorization: `Bearer ${apiKey}` })
  return { models: itemsOf(document, 'data').flatMap((each) => publishedAs(each) ?? []), gone: [], isWhole: true }
}

function readModel(document: unknown, name: string | null): Published | null {
  const models = listAt(document, 'data').filter((each) => at(each, 'supported_durations') !== undefined)
  const found = models.find((each) => textAt(each, 'id') === name) ?? (models.length === 1 ? models[0] : undefined)
  return publishedAs(found)
}

function publishedAs(found: unknown): Published | null {
  const id = textAt(found, 'id')
  if (id === null) return null
  const frames = listAt(found, 'supported_frame_images')
  const field = (name: string, more: Partial<Field>): Field => ({ ...NO_FIELD, name, ...more })
  const listed = (name: string, values: string) =>
    field(name, {
      values: listAt(found, values).filter((each) => typeof each === 'string' || typeof each === 'number'),
    })
  const [company, name] = (textAt(found, 'name') ?? '').split(': ')
  return {
    model: id,
    ...(name && { company, name }),
    createdAt: dayOf(numberAt(found, 'created')),
    fields: [
      field('prompt', { isRequired: true }),
      listed('duration', 'supported_durations'),
      listed('resolution', 'supported_resolutions'),
      listed('aspect_ratio', 'supported_aspect_ratios'),
      ...(at(found, 'generate_audio') === true ? [field('generate_audio', { type: 'boolean' })] : []),
      ...(at(found, 'seed') === true ? [field('seed', { type: 'integer' })] : []),
    ],
    modes: [
      'text-to-video',
      ...(frames.includes('first_frame') ? (['image-to-video'] as const) : []),
      ...(frames.includes('first_frame') && frames.includes('last_frame') ? (['first-last'] as const) : []),
    ],
    input: frames.includes('first_frame') ? { frame_images: FRAMES } : {},
    cost: pricesOf(at(found, 'pricing_skus')),
  }
}
const frame = (url: string, type: string) =>
  `{ 'type': 'image_url', 'image_url': { 'url': ${url} }, 'frame_type': '${type}' }`
const FRAMES = `start ? [${frame('start', 'first_frame')}, end ? ${frame('end', 'last_frame')}]`

const PER_SECOND = /^(?:(text|image)_to_video_)?duration_seconds(?:_(with|without)_audio)?(?:_(\d+p|4k))?$/
const CENTS_PER_SECOND = /^cents_per_video_output_second(?:_(\d+p|4k))?$/

/** Undefined unless every price of the list is one for a second of film: another may be a part of each cost. */
function pricesOf(skus: unknown): Published['cost'] {
  const usd: Record<string, number> = {}
  const names = Object.keys((skus ?? {}) as object)
  for (const name of names) {
    const amount = numberAt(skus, name)
    const [seconds, cents] = [PER_SECOND.exec(name), CENTS_PER_SECOND.exec(name)]
    if (amount === null || (!seconds && !cents)) return undefined
    const [, from, audio, quality] = seconds ?? [undefined, undefined, undefined, cents?.[1]]
    const words = [from && `${from}-to-video`, quality, audio === 'with' && 'audio'].filter(Boolean)
    usd[words.join('+') || '*'] = cents ? amount / 100 : amount
  }
  return names.length > 0 ? { usd, source: 'openrouter.ai/api/v1/videos/models' } : undefined
}
