/**
 * Luma: the Agents API (ray-3 and later), which sends no callbacks, and the Dream Machine API (ray-2), whose callbacks
 * are unsigned. Each has keys of its own, so that an account is of one of them.
 */

import type { FailureCode } from '../../film/failure.ts'
import { at, entryOf, jsonOf, numberAt, parseJson, textAt } from '../../text/json-reader.ts'
import { type Api, hostOf, openApi, segment } from '../api.ts'
import type { Account, Adapter, Callback, CallOptions, Handle, Provider, Report, Task } from '../provider.ts'
import {
  accountAtFault,
  BALANCE_LIMITS,
  balanceFrom,
  keyCheck,
  type Response,
  submitOutcome,
} from '../submit-outcome.ts'
import {
  completedReport,
  failedReport,
  handleOf,
  phaseOf,
  polledReport,
  reasonOf,
  renewedLink,
  runningReport,
  taskIdAt,
  urlAt,
} from '../task-reader.ts'

const AGENTS = 'https://agents.lumalabs.ai'
/** The largest that the list of generations takes, and how many pages of it are read. */
const PAGE = 100
const PAGES_MAX = 10
const LIST_BYTES_MAX = 8 * 1024 * 1024
/** The list may show a generation later than it was accepted. */
const VISIBLE_AFTER_MS = 60_000
/** By how much Luma's clock may be behind ours. */
const CLOCK_SKEW_MS = 5 * 60_000

export const adapter: Adapter = {
  url: AGENTS,
  capabilities: {
    submit: 'task',
    callback: 'hint',
    progress: null,
    cost: null,
    result: 'renewed',
    client: 'lumaai',
  },
  open: openProvider,
}

function openProvider(account: Account): Provider {
  const auth = { authorization: `Bearer ${account.apiKey}` }
  const agents = openApi(account, auth)
  const dreamMachine = openApi({ ...account, url: hostOf(account, AGENTS, 'https://api.lumalabs.ai') }, auth)

  async function poll(handle: Handle, options?: CallOptions): Promise<Report | null> {
    const path = `generations/${segment(handle.taskId)}`
    const result =
      handle.api === 'agents'
        ? await agents.call('GET', `/v1/${path}`, options)
        : await dreamMachine.call('GET', `/dream-machine/v1/${path}`, options)
    return polledReport(result, readReport)
  }

  return {
    submit: async (task, options) => {
      const isOld = isDreamMachine(task)
      const result = isOld
        ? await dreamMachine.call('POST', `/dream-machine/v1/generations/${kindOf(task)}`, options, {
            body: { model: task.model, generation_type: 'video', ...task.input, callback_url: task.callbackUrl },
          })
        : await agents.call('POST', '/v1/generations', options, {
            body: { model: task.model, type: 'video', ...task.input },
            headers: { 'x-request-id': task.videoId },
          })
      return submitOutcome(result, {
        handle: ({ body }) => handleFrom(body, isOld),
        decide: (response) =>
          isWithoutBudget(response) ? accountAtFault(reasonOf(response.body) ?? 'no credits') : null,
      })
    },
    poll,
    readCallback: async ({ body }): Promise<Callback> => {
      const handle = handleOf(taskIdAt(parseJson(body.toString('utf8')), ['id']))
      return handle === null ? { kind: 'unreadable' } : { kind: 'poll', handle }
    },
    find: async (task, sentAt, options) => (isDreamMachine(task) ? find(dreamMachine, task, sentAt, options) : null),
    // Links last an hour; each reading brings new ones.
    openResult: async (handle, result, options) => renewedLink(await poll(handle, options), result),
    checkKey: async (options) => {
      // No call of the Agents API is free but the reading of a generation, here of one that cannot exist.
      if (account.apiKey.startsWith('luma-api-'))
        return keyCheck(await agents.call('GET', '/v1/generations/00000000-0000-0000-0000-000000000000', options))
      return keyCheck(await dreamMachine.call('GET', '/dream-machine/v1/credits', options))
    },
    // Dream Machine's balance, in cents.
    readBalance: async (options) => {
      const result = await dreamMachine.call('GET', '/dream-machine/v1/credits', options, BALANCE_LIMITS)
      return balanceFrom(result, 'USD', (body) => {
        const cents = numberAt(body, 'credit_balance')
        return cents === null ? null : cents / 100
      })
    },
    close: async () => {
      await Promise.all([agents.close(), dreamMachine.close()])
    },
  }
}

const isDreamMachine = ({ model }: Task): boolean => /^ray-(flash-)?[12]\b/.test(model)

const kindOf = ({ input }: Task): string =>
  ({ modify_video: 'video/modify', reframe_video: 'video/reframe' })[String(input.generation_type)] ?? 'video'

function handleFrom(body: unknown, isOld: boolean): Handle | null {
  const taskId = taskIdAt(body, ['id'])
  return taskId === null ? null : { taskId, ...(isOld ? {} : { api: 'agents' }) }
}

/** Which status a missing balance has is not documented. */
const isWithoutBudget = ({ status, body }: Response): boolean =>
  status >= 400 && status < 500 && /budget.?exhausted|insufficient.{0,9}(credit|balance|fund)/i.test(jsonOf(body))

/**
 * Looks for our callback URL among the generations of the account. There is none only when the list shows callback
 * URLs, and was read to its end or, if it is sorted, back to the time before the submit.
 */
async function find(api: Api, { callbackUrl }: Task, sentAt: Date, options?: CallOptions) {
  if (callbackUrl === undefined) return null
  const { origin } = new URL(callbackUrl)
  let isShown = false
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const path = `/dream-machine/v1/generations?limit=${PAGE}&offset=${page * PAGE}`
    const result = await api.call('GET', path, options, { bytesMax: LIST_BYTES_MAX })
    const list = result.kind === 'response' && result.status < 300 ? at(result.body, 'generations') : null
    if (result.kind !== 'response' || !Array.isArray(list)) return null
    const urls = list.map((each) => textAt(each, 'request', 'callback_url'))
    const handle = handleOf(taskIdAt(list[urls.indexOf(callbackUrl)], ['id']))
    if (handle) return { kind: 'found' as const, handle }
    isShown ||= urls.some((url) => url?.startsWith(`${origin}/`))
    if (at(result.body, 'has_more') !== false && !isBefore(list, sentAt)) continue
    return isShown && Date.now() - sentAt.getTime() > VISIBLE_AFTER_MS ? { kind: 'none' as const } : null
  }
  return null
}

/** Whether the list is sorted, newest first, and ends before the submit. */
function isBefore(list: unknown[], sentAt: Date): boolean {
  const times = list.map((each) => Date.parse(textAt(each, 'created_at') ?? ''))
  const isSorted = times.every((time, index) => index === 0 || time <= Number(times[index - 1]))
  return isSorted && (times.at(-1) ?? Number.NaN) < sentAt.getTime() - CLOCK_SKEW_MS
}

function readReport(body: unknown): Report | null {
  const state = textAt(body, 'state')
  if (state === null) return null
  const phase = state === 'dreaming' ? 'running' : phaseOf(state)
  const reason = textAt(body, 'failure_reason')
  if (phase === 'failed') return failedReport(reason, entryOf(codes, textAt(body, 'failure_code')))
  if (phase !== 'completed') return runningReport(phase, state, null)
  return completedReport(urlAt(body, 'assets', 'video') ?? urlAt(body, 'output', 0, 'url'), reason)
}

/** Of the Agents API; Dream Machine has a text alone. */
const codes: Record<string, FailureCode> = {
  content_moderated: 'CONTENT_REFUSED',
  invalid_request: 'PARAMETERS_REFUSED',
  image_too_large: 'INPUT_REFUSED',
  unsupported_format: 'INPUT_REFUSED',
  corrupt_input: 'INPUT_REFUSED',
  budget_exhausted: 'ACCOUNT',
  generation_failed: 'PROVIDER_ERROR',
  output_not_found: 'PROVIDER_ERROR',
  rate_limited: 'PROVIDER_BUSY',
}
