/** EvoLink: one task object everywhere, HTTP statuses, a closed list of errors. The name has the mode. */
import { randomUUID } from 'node:crypto'
import type { FailureCode } from '../../film/failure.ts'
import { at, entryOf, listAt, numberAt, parseJson, textAt } from '../../text/json-reader.ts'
import { type Api, hostOf, imageForm, openApi, segment } from '../api.ts'
import type {
  Account,
  Adapter,
  CallOptions,
  Provider,
  Report,
  SubmitOutcome,
  UploadedFile,
  UploadOutcome,
} from '../provider.ts'
import {
  BALANCE_LIMITS,
  balanceFrom,
  keyCheck,
  modelUnknown,
  outcomeFor,
  type Response,
  submitOutcome,
  uploadOutcome,
} from '../submit-outcome.ts'
import {
  completedReport,
  costFrom,
  countAt,
  failedReport,
  handleOf,
  phaseOf,
  polledReport,
  progressAt,
  reasonOf,
  runningReport,
  taskIdAt,
  urlAt,
  withCost,
} from '../task-reader.ts'

const API = 'https://api.evolink.ai'

export const adapter: Adapter = {
  url: API,
  capabilities: {
    submit: 'task',
    callback: 'hint',
    callbackOver: 'https',
    progress: 'percent',
    cost: 'submit',
    result: 'public link',
    client: null,
  },
  open,
}

function open(account: Account): Provider {
  const auth = { authorization: `Bearer ${account.apiKey}` }
  const api = openApi(account, auth)
  const files = openApi({ ...account, url: hostOf(account, API, 'https://files-api.evolink.ai') }, auth)
  return {
    submit: async ({ model, input, callbackUrl }, options) => {
      const body = { model, ...input, callback_url: callbackUrl }
      return submitOutcome(await api.call('POST', '/v1/videos/generations', options, { body }), {
        handle: ({ body }) => handleOf(taskIdOf(body)),
        report: ({ body }) => readReport(body),
        cost: ({ body }) => costOf(body),
        busy: [503],
        decide,
      })
    },
    poll: async ({ taskId }, options) => {
      const result = await api.call('GET', `/v1/tasks/${segment(taskId)}`, options)
      return polledReport(result, readReport)
    },
    readCallback: async ({ body }) => {
      const taskId = taskIdOf(parseJson(body.toString('utf8')))
      return taskId === null ? { kind: 'unreadable' } : { kind: 'poll', handle: { taskId } }
    },
    upload: (image, options) => upload(files, image, options),
    checkKey: async (options) => keyCheck(await api.call('GET', '/v1/credits', options)),
    readBalance: async (options) =>
      balanceFrom(await api.call('GET', '/v1/credits', options, BALANCE_LIMITS), 'credits', (body) =>
        numberAt(body, 'data', 'user', 'remaining_credits'),
      ),
    close: async () => {
      await Promise.all([api.close(), files.close()])
    },
  }
}

export const taskIdOf = (body: unknown) => taskIdAt(body, ['id'], ['taskId'])

/** The type of an error decides before its status. */
function decide(response: Response): SubmitOutcome | null {
  const message = reasonOf(response.body)
  const types = [textAt(response.body, 'error', 'type'), textAt(response.body, 'error', 'code')]
  if (types.includes('model_unavailable')) return modelUnknown(message ?? 'model_unavailable')
  const code = types.map((type) => entryOf(refusals, type)).find((found) => found !== undefined)
  return code ? outcomeFor(code, response, message) : null
}

const refusals: Record<string, FailureCode> = {
  content_policy_violation: 'CONTENT_REFUSED',
  insufficient_quota: 'ACCOUNT',
  model_access_denied: 'ACCOUNT',
}

/** Reads the task object and provider-a's callback, which has the same content in other fields. Null: unreadable. */
export function readReport(body: unknown): Report | null {
  const status = textAt(body, 'status')
  if (!status) return null
  const phase = phaseOf(status)
  const cost = costOf(body)
  if (phase === 'completed') {
    const result =
      urlAt(body, 'videoUrl') ??
      urlAt(body, 'results', 0) ??
      urlAt(body, 'results', 0, 'url') ??
      urlAt(body, 'result_data', 0, 'video_url')
    return withCost(completedReport(result, reasonOf(at(body, 'error'))), cost)
  }
  if (phase === 'failed') {
    const message = reasonOf(body) ?? `The provider reported "${status}" without a reason.`
    const code = entryOf(failures, textAt(body, 'error', 'code'))
    return withCost(failedReport(message, /^cancell?ed$/.test(status) ? 'CANCELLED' : code), cost)
  }
  const remainingS = countAt(body, 'task_info', 'estimated_time')
  const report = runningReport(phase, status, progressAt(body, 'progress'))
  return withCost({ ...report, ...(remainingS === null ? {} : { remainingS }) }, cost)
}

const failures: Record<string, FailureCode> = {
  content_policy_violation: 'CONTENT_REFUSED',
  invalid_parameters: 'PARAMETERS_REFUSED',
  image_processing_error: 'INPUT_REFUSED',
  image_dimension_mismatch: 'INPUT_REFUSED',
  generation_failed_no_content: 'PROVIDER_ERROR',
  service_error: 'PROVIDER_ERROR',
  upstream_error: 'PROVIDER_ERROR',
  generation_timeout: 'TIMED_OUT',
  resource_exhausted: 'PROVIDER_BUSY',
  service_unavailable: 'PROVIDER_BUSY',
  quota_exceeded: 'ACCOUNT',
  request_cancelled: 'CANCELLED',
}

/** What is charged in the end has no field. */
const costOf = (body: unknown) => costFrom(at(body, 'usage', 'credits_reserved'), 'credits', 'reserved')

async function upload(files: Api, image: UploadedFile, options?: CallOptions): Promise<UploadOutcome> {
  const body = imageForm(image, 'file', { fileName: `${OUR_FILES}${randomUUID()}-${image.name}` })
  const send = () => files.call('POST', '/api/v1/files/upload/stream', options, { body })
  const linkOf = ({ body }: Response) => urlAt(body, 'data', 'file_url') ?? urlAt(body, 'data', 'download_url')
  const first = await send()
  const isFull = first.kind === 'response' && linkOf(first) === null && ![401, 403].includes(first.status)
  const result = isFull && (await makeRoom(files, options)) ? await send() : first
  return uploadOutcome(result, linkOf, {
    code: ({ status, body }) => (status < 300 ? (numberAt(body, 'code') ?? status) : status),
  })
}

/** 100 files are kept for 72 hours, though a task needs its own for minutes. @returns whether any was removed */
async function makeRoom(files: Api, options?: CallOptions): Promise<boolean> {
  const list = await files.call('GET', '/api/v1/files/list?page=1&pageSize=100', options)
  const all = list.kind === 'response' ? listAt(list.body, 'data', 'files') : []
  const old = all.filter((file) => {
    const ageMs = Date.now() - Date.parse(textAt(file, 'upload_time') ?? '')
    return textAt(file, 'file_name')?.startsWith(OUR_FILES) && ageMs > FILE_AGE_MS
  })
  const ids = old.map((file) => segment(textAt(file, 'file_id') ?? '')).slice(0, FILES_REMOVED)
  await Promise.all(ids.map((id) => files.call('DELETE', `/api/v1/files/${id}`, options)))
  return ids.length > 0
}

const OUR_FILES = 'kinora-'
/** More than a task can take, by any time zone that `upload_time` can be in. */
const FILE_AGE_MS = 18 * 3600_000
const FILES_REMOVED = 20
