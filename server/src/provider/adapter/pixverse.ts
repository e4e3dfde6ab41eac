/**
 * PixVerse: a path per mode, HTTP 200 with an error code in the body, images and films uploaded before the submit. The
 * trace id of a submit is an idempotency key: a repetition returns the task of the first. Webhooks are registered in
 * the vendor's console, one address for the tasks of all users, so that tasks are polled instead.
 */
import { randomUUID } from 'node:crypto'
import type { FailureCode } from '../../film/failure.ts'
import { at, entryOf, numberAt, textAt } from '../../text/json-reader.ts'
import { imageForm, openApi, segment } from '../api.ts'
import type { Account, Adapter, CallOptions, Provider, Report, SubmitOutcome, Task } from '../provider.ts'
import {
  BALANCE_LIMITS,
  balanceFrom,
  keyCheck,
  outcomeFor,
  type Response,
  submitOutcome,
  uploadOutcome,
} from '../submit-outcome.ts'
import {
  completedReport,
  costFrom,
  failedReport,
  handleOf,
  reasonOf,
  taskIdAt,
  urlAt,
  withCost,
} from '../task-reader.ts'

export const adapter: Adapter = {
  url: 'https://app-api.pixverse.ai',
  capabilities: {
    submit: 'task',
    callback: null,
    progress: null,
    cost: 'submit',
    result: 'public link',
    client: null,
  },
  open,
}

/** For how long after a submit its trace id is trusted to be known; the vendor promises no time. */
const TRACE_MS = 10 * 60_000

function open(account: Account): Provider {
  const api = openApi({ ...account, url: `${account.url}/openapi/v2` }, { 'api-key': account.apiKey })
  const traced = (id: string = randomUUID()) => ({ headers: { 'ai-trace-id': id } })
  const submit = async ({ videoId, model, input }: Task, options?: CallOptions) => {
    const body = { model, ...withNumbers(input) }
    const result = await api.call('POST', `/video/${modeOf(input)}/generate`, options, { body, ...traced(videoId) })
    return submitOutcome(result, {
      handle: ({ body }) => handleOf(taskIdAt(body, ['Resp', 'video_id'])),
      cost: ({ body }) => costFrom(at(body, 'Resp', 'credits'), 'credits', 'reserved'),
      message,
      decide,
    })
  }
  return {
    submit,
    poll: async ({ taskId }, options) => {
      const result = await api.call('GET', `/video/result/${segment(taskId)}`, options, traced())
      if (result.kind !== 'response') return null
      return codeOf(result.body) === NO_SUCH_DATA ? { kind: 'lost' } : readReport(at(result.body, 'Resp'))
    },
    find: async (task, sentAt, options) => {
      if (Date.now() - sentAt.getTime() > TRACE_MS) return null
      const outcome = await submit(task, options)
      if (outcome.kind === 'accepted') return { kind: 'found', handle: outcome.handle }
      return outcome.kind === 'refused' ? { kind: 'none' } : null
    },
    upload: async (file, options) => {
      const isFilm = file.contentType.startsWith('video/')
      const [path, field, id] = isFilm ? ['media', 'file', 'media_id'] : ['image', 'image', 'img_id']
      const result = await api.call('POST', `/${path}/upload`, options, { body: imageForm(file, field), ...traced() })
      return uploadOutcome(result, ({ body }) => taskIdAt(body, ['Resp', id]), { message, decide })
    },
    checkKey: async (options) => {
      const result = await api.call('GET', '/account/balance', options, traced())
      if (result.kind !== 'response') return null
      const isRefused = codes[codeOf(result.body) ?? 0] === 'ACCOUNT'
      return keyCheck({ ...result, status: isRefused ? 401 : result.status })
    },
    readBalance: async (options) => {
      const result = await api.call('GET', '/account/balance', options, { ...traced(), ...BALANCE_LIMITS })
      return balanceFrom(result, 'credits', (body) => {
        const left = [numberAt(body, 'Resp', 'credit_monthly'), numberAt(body, 'Resp', 'credit_package')]
        return left.every((each) => each === null) ? null : left.reduce<number>((sum, each) => sum + (each ?? 0), 0)
      })
    },
    close: api.close,
  }
}

function modeOf(input: Task['input']): string {
  if (input.first_frame_img) return 'transition'
  if (input.image_references || input.video_references) return 'fusion'
  if (input.video_media_id || input.source_video_id) return 'extend'
  return input.img_id || input.img_ids ? 'img' : 'text'
}

/** Ids of uploads are numbers there, and text in a mapping, which has them from `upload`. */
const withNumbers = (input: Task['input']) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      UPLOADS.test(name) && /^\d+$/.test(`${value}`) ? Number(value) : value,
    ]),
  )
const UPLOADS = /^(img_id|first_frame_img|last_frame_img|video_media_id)$/

const codeOf = (body: unknown) => numberAt(body, 'ErrCode')
const NO_SUCH_DATA = 500008

const message = ({ body }: Response): string | null => textAt(body, 'ErrMsg') ?? reasonOf(body)

/** Codes that the list leaves out: 4xxxxx are our request, 5xxxxx may have been accepted. */
function decide(response: Response): SubmitOutcome | null {
  const code = codeOf(response.body)
  if (!code) return null
  const other = code >= 400_000 && code < 500_000 ? 'PARAMETERS_REFUSED' : 'PROVIDER_ERROR'
  return outcomeFor(entryOf(codes, String(code)) ?? other, response, message(response))
}

const codes: Record<number, FailureCode> = {
  400012: 'ACCOUNT',
  400032: 'INPUT_REFUSED',
  500008: 'PARAMETERS_REFUSED',
  500020: 'ACCOUNT',
  500030: 'INPUT_REFUSED',
  500032: 'PARAMETERS_REFUSED',
  500033: 'PARAMETERS_REFUSED',
  500042: 'PARAMETERS_REFUSED',
  500044: 'PROVIDER_BUSY',
  500054: 'CONTENT_REFUSED',
  500060: 'ACCOUNT',
  500063: 'CONTENT_REFUSED',
  500064: 'PARAMETERS_REFUSED',
  500069: 'PROVIDER_BUSY',
  500070: 'PARAMETERS_REFUSED',
  500071: 'PARAMETERS_REFUSED',
  500090: 'ACCOUNT',
}

/** 5: generating. Other numbers are not documented and count as that. */
function readReport(task: unknown): Report | null {
  const status = numberAt(task, 'status')
  if (status === null) return null
  if (status === 1) {
    return withCost(completedReport(urlAt(task, 'url'), null), costFrom(at(task, 'credits'), 'credits', 'final'))
  }
  if (status === 6) return { kind: 'lost' }
  if (status === 7) return failedReport("The provider's moderation refused this film.", 'CONTENT_REFUSED')
  if (status === 8) return failedReport(null, 'PROVIDER_ERROR')
  return { kind: 'running', progress: null, ...(status === 5 ? {} : { note: String(status) }) }
}
