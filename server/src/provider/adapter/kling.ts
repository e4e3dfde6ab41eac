/**
 * Kling. A model is named by its path: `text-to-video/kling-3.0` in the current design, `v1/videos/text2video/kling-v3`
 * in the legacy one, in which the task is polled below the same path. An operation of no model ends with a slash:
 * `v1/videos/avatar/image2video/`. A key with a colon is a pair of access and secret key, which legacy models alone
 * take.
 *
 * Lip-sync takes two calls. `identify_face` of an input is the body of the first, which finds the faces of a film for
 * 0.05 units and makes no task; the input gets its session and, in `face_choose`, the face that is seen longest while
 * the sound plays.
 */
import { SignJWT } from 'jose'
import type { FailureCode } from '../../film/failure.ts'
import type { CallResult, HttpMethod } from '../../net/http-client.ts'
import { at, entryOf, listAt, numberAt, parseJson, textAt } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import type {
  Account,
  Adapter,
  Callback,
  CallOptions,
  Cost,
  Handle,
  Provider,
  Report,
  SubmitOutcome,
  Task,
} from '../provider.ts'
import { keyCheck, modelUnknown, outcomeFor, type Response, submitOutcome, uploadOutcome } from '../submit-outcome.ts'
import {
  completedReport,
  costFrom,
  failedReport,
  phaseOf,
  runningReport,
  shortened,
  taskIdAt,
  urlAt,
  withCost,
} from '../task-reader.ts'
import { isStandardSigned } from '../webhook-signature.ts'

const LEGACY = 'v1/videos/'
/** The page promises no time from which on a task is found by our name of it. */
const VISIBLE_AFTER_MS = 60_000
/** Of a face, while the sound plays. */
const FACE_MS_MIN = 2_000

export const adapter: Adapter = {
  url: 'https://api-singapore.klingai.com',
  capabilities: {
    submit: 'task',
    callback: 'signed',
    progress: null,
    cost: 'poll',
    result: 'public link',
    client: null,
  },
  open: openProvider,
}

function openProvider(account: Account): Provider {
  const { apiKey, webhookKey } = account
  const api = openApi(account, {})
  const call: Call = async (method, path, options, body) =>
    api.call(method, path, options, {
      headers: { authorization: `Bearer ${await tokenOf(apiKey)}` },
      ...(body ? { body } : {}),
    })

  /** @param id the vendor's or our own, by the field of the query. @returns null: no answer */
  async function read(field: 'task_ids' | 'external_task_ids', id: string, path: string | null, options?: CallOptions) {
    const query = new URLSearchParams({ [field]: id })
    const result = await call('GET', path === null ? `/tasks?${query}` : `/${path}/${segment(id)}`, options)
    if (result.kind !== 'response') return null
    if (isMissing(result)) return 'none'
    if (textAt(result.body, 'code') !== '0') return null
    const data = at(result.body, 'data')
    if (path !== null) return data ? { task: data } : 'none'
    if (!Array.isArray(data)) return null
    // A query that was not understood would return the tasks of others.
    const task = data.find((each) =>
      ['id', 'external_id', 'external_task_id'].some((name) => textAt(each, name) === id),
    )
    return task ? { task: task as unknown } : data.length === 0 ? 'none' : null
  }

  return {
    submit: async ({ model, input: given, videoId, callbackUrl }, options) => {
      const path = legacyPath(model)
      const faced = await withFace(call, given, options)
      if ('kind' in faced) return faced
      const { input } = faced
      const own = { callback_url: callbackUrl, external_task_id: videoId }
      const name = path === null ? '' : model.slice(path.length + 1)
      const body =
        path === null
          ? { ...input, options: { ...Object(input.options), ...own } }
          : { ...input, ...own, ...(name && { model_name: name }) }
      return submitOutcome(await call('POST', `/${path ?? model}`, options, body), {
        handle: ({ body }) => handleFrom(at(body, 'data'), path),
        decide,
      })
    },
    poll: async ({ taskId, path = null }, options) => {
      const found = await read('task_ids', taskId, path, options)
      return found === 'none' ? { kind: 'lost' } : found && reportOf(found.task)
    },
    readCallback: async (callback) => {
      if (webhookKey !== null && !isStandardSigned(callback, webhookKey)) return { kind: 'forged' }
      return readCallback(parseJson(callback.body.toString('utf8')), webhookKey !== null)
    },
    find: async ({ model, videoId }, sentAt, options) => {
      const path = legacyPath(model)
      const found = await read('external_task_ids', videoId, path, options)
      if (found === null) return null
      if (found === 'none') return Date.now() - sentAt.getTime() < VISIBLE_AFTER_MS ? null : { kind: 'none' }
      const handle = handleFrom(found.task, path)
      const report = reportOf(found.task)
      return handle && { kind: 'found', handle, ...(report ? { report } : {}) }
    },
    checkKey: async (options) => {
      const path = apiKey.includes(':') ? `/${LEGACY}text2video?pageNum=1&pageSize=1` : '/tasks?task_ids=0'
      return keyCheck(await call('GET', path, options))
    },
    close: api.close,
  }
}

/** A token is good for half an hour; making one costs less than keeping it. */
async function tokenOf(apiKey: string): Promise<string> {
  const [accessKey = '', secretKey] = apiKey.split(':')
  if (!secretKey) return apiKey
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(accessKey)
    .setNotBefore('5 seconds ago')
    .setExpirationTime('30 minutes')
    .sign(new TextEncoder().encode(secretKey))
}

type Call = (method: HttpMethod, path: string, options?: CallOptions, body?: object) => Promise<CallResult>

/** The input with the session and the face of its film. */
async function withFace(call: Call, { identify_face: film, ...input }: Task['input'], options?: CallOptions) {
  if (film === undefined) return { input }
  const result = await call('POST', `/${LEGACY}identify-face`, options, Object(film))
  const session = uploadOutcome(result, ({ body }) => textAt(body, 'data', 'session_id'), { decide })
  if (session.kind !== 'uploaded') return session
  const [choice] = listAt(input, 'face_choose')
  const faces = result.kind === 'response' ? listAt(result.body, 'data', 'face_data') : []
  const [face, ...others] = faces.map((each) => ({ id: textAt(each, 'face_id'), ms: overlapOf(each, choice) }))
  const seen = others.reduce((longest, each) => (longest && each.ms > longest.ms ? each : longest), face)
  if (!seen || seen.ms < FACE_MS_MIN) return noFace(faces.length)
  return { input: { ...input, session_id: session.value, face_choose: [{ face_id: seen.id, ...Object(choice) }] } }
}

/** How long a face is seen while a sound plays. */
function overlapOf(face: unknown, sound: unknown): number {
  const [insert, from, to] = ['insert', 'start', 'end'].map((name) => numberAt(sound, `sound_${name}_time`) ?? 0)
  const [start = 0, end = 0] = [insert, (insert ?? 0) + (to ?? 0) - (from ?? 0)]
  return Math.min(end, numberAt(face, 'end_time') ?? 0) - Math.max(start, numberAt(face, 'start_time') ?? 0)
}

function noFace(faces: number): SubmitOutcome {
  const message =
    faces === 0 ? 'The film shows no face.' : 'The film shows no face for two seconds while the sound plays.'
  return { kind: 'refused', failure: { code: 'INPUT_REFUSED', message } }
}

/** The path of a legacy model without its name; null for a current model. */
const legacyPath = (model: string): string | null =>
  model.startsWith(LEGACY) ? model.slice(0, model.lastIndexOf('/')) : null

function handleFrom(task: unknown, path: string | null): Handle | null {
  const taskId = taskIdAt(task, ['id'], ['task_id'])
  return taskId === null ? null : { taskId, ...(path === null ? {} : { path }) }
}

/** The code decides, not the status: 429 is also an account in arrears. */
const codes: Record<string, FailureCode> = {
  ...Object.fromEntries(
    [1000, 1001, 1002, 1003, 1004, 1100, 1101, 1102, 1103, 1202, 1304].map((code) => [code, 'ACCOUNT']),
  ),
  1200: 'PARAMETERS_REFUSED',
  1201: 'PARAMETERS_REFUSED',
  1300: 'CONTENT_REFUSED',
  1301: 'CONTENT_REFUSED',
  1302: 'PROVIDER_BUSY',
  1303: 'PROVIDER_BUSY',
  5000: 'PROVIDER_ERROR',
  5001: 'PROVIDER_BUSY',
  5002: 'PROVIDER_ERROR',
}

const codeOf = (body: unknown): FailureCode | undefined => entryOf(codes, textAt(body, 'code'))
const isCodeOf = (body: unknown, code: number): boolean => textAt(body, 'code') === String(code)

const isMissing = ({ body }: Response): boolean =>
  isCodeOf(body, 1203) ||
  (codeOf(body) === 'PARAMETERS_REFUSED' && /not (found|exist)/i.test(textAt(body, 'message') ?? ''))

function decide(response: Response) {
  const code = codeOf(response.body)
  const message = textAt(response.body, 'message')
  // Our name of the task is taken: an earlier submit arrived after all, and can be found.
  if (code === 'PARAMETERS_REFUSED' && message?.includes('external_task_id')) {
    return { kind: 'unknown' as const, reason: shortened(message) }
  }
  if (isCodeOf(response.body, 1203)) return modelUnknown(message ?? 'code 1203')
  return code ? outcomeFor(code, response, message) : null
}

/** The state of a task of either design; null for what is none. */
function reportOf(task: unknown): Report | null {
  const status = textAt(task, 'status') ?? textAt(task, 'task_status')
  if (status === null) return null
  const message = textAt(task, 'message') ?? textAt(task, 'task_status_msg')
  const phase = phaseOf(status)
  if (phase === 'failed') return failedReport(message)
  if (phase !== 'completed') return runningReport(phase, status, null)
  const outputs = [...listAt(task, 'outputs'), ...listAt(task, 'task_result', 'videos')]
  // Kling makes the one with a watermark beside the other, where it was asked for.
  const url = outputs.map((output) =>
    /^(video)?$/.test(textAt(output, 'type') ?? '') ? (urlAt(output, 'watermark_url') ?? urlAt(output, 'url')) : null,
  )
  return withCost(completedReport(url.find((each) => each !== null) ?? null, message), costOf(task))
}

function costOf(task: unknown): Cost | undefined {
  const [billing, ...more] = listAt(task, 'billing')
  // One of several charges is not the cost.
  if (more.length > 0) return undefined
  if (billing === undefined) return costFrom(at(task, 'final_unit_deduction'), 'units', 'final')
  const unit = textAt(billing, 'charge_type') === 'cash' ? textAt(billing, 'currency') : 'units'
  return unit === null ? undefined : costFrom(at(billing, 'amount'), unit, 'final')
}

/** Kling signs its callbacks only where its console has a secret. */
function readCallback(body: unknown, isSigned: boolean): Callback {
  const task = at(body, 'data') ?? body
  const found = handleFrom(task, null)
  const report = reportOf(task)
  if (!found || !report) return { kind: 'unreadable' }
  // A legacy callback does not tell its path.
  const handle = textAt(task, 'task_id') === null ? found : null
  return isSigned && report.kind !== 'no_film' ? { kind: 'report', handle, report } : { kind: 'poll', handle }
}
