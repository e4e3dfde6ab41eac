/** The Gemini API: Omni by Interactions, and the protocol of Veo. Callbacks carry a JWT; films need our key. */
import { listAt, parseJson, textAt } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import { inlineUpload } from '../data-uri.ts'
import {
  cancelOutcome,
  googleOutcome,
  googleReport,
  INLINE,
  INLINE_BYTES_MAX,
  interactionAt,
  interactionBody,
  isKeyInvalid,
  isPrediction,
  openInline,
  predictionBody,
} from '../google-protocol.ts'
import type { Account, Adapter, Callback, CallOptions, Handle, Provider, ReceivedCallback } from '../provider.ts'
import { itemsOf, type Listing, type Wanted } from '../published.ts'
import { keyCheck } from '../submit-outcome.ts'
import { handleOf, taskIdAt } from '../task-reader.ts'
import { openGoogleSignature } from '../webhook-signature.ts'

const GEMINI = 'https://generativelanguage.googleapis.com'

export const adapter: Adapter = {
  url: GEMINI,
  capabilities: {
    submit: 'task',
    callback: 'signed',
    callbackOver: 'https',
    progress: null,
    cost: 'poll',
    result: 'our key',
    client: '@google/genai, @ai-sdk/google',
  },
  open: openProvider,
  readList,
}

function openProvider(account: Account): Provider {
  const auth = { 'x-goog-api-key': account.apiKey }
  const api = openApi(account, auth)
  const keys = openApi(account, {})
  const isSigned = openGoogleSignature(() => keys.call('GET', '/.well-known/jwks.json'))
  const read = ({ taskId }: Handle, options?: CallOptions) =>
    api.call('GET', `/v1beta/${pathOf(taskId)}`, options, { bytesMax: INLINE_BYTES_MAX })

  return {
    submit: async (task, options) => {
      if (isPrediction(task)) {
        const path = `/v1beta/models/${segment(task.model)}:predictLongRunning`
        const result = await api.call('POST', path, options, { body: predictionBody(task) })
        return googleOutcome(result, (body) => handleOf(taskIdAt(body, ['name'])))
      }
      const body = {
        ...interactionBody(task, 'uri'),
        ...(task.callbackUrl && { webhook_config: { uris: [task.callbackUrl] } }),
      }
      const result = await api.call('POST', '/v1beta/interactions', options, { body })
      return googleOutcome(result, (answer) => interactionAt(answer, 'id'))
    },
    poll: async (handle, options) => googleReport(await read(handle, options)),
    readCallback: async (callback) => readCallback(callback, await isSigned(callback)),
    cancel: async (handle, options) => {
      if (isOperation(handle.taskId)) return 'too_late'
      return cancelOutcome(await api.call('POST', `/v1beta/${pathOf(handle.taskId)}/cancel`, options, { body: {} }))
    },
    openResult: async (handle, result, options) => {
      if (result === INLINE) return openInline(await read(handle, options))
      const base = [GEMINI, account.url].find((each) => result.startsWith(`${each}/`))
      if (base === undefined) return { kind: 'link', url: result }
      const url = new URL(`${account.url}${result.slice(base.length)}`)
      url.searchParams.set('alt', 'media')
      return { kind: 'link', url: url.href, headers: auth }
    },
    upload: inlineUpload,
    checkKey: async (options) => {
      const result = await api.call('GET', '/v1beta/models?pageSize=1', options)
      return keyCheck(isKeyInvalid(result) ? { ...result, status: 401 } : result)
    },
    close: async () => {
      await Promise.all([api.close(), keys.close()])
    },
  }
}

/** An operation of Veo is named by its path. */
const isOperation = (taskId: string): boolean => taskId.includes('operations/')
const pathOf = (taskId: string): string =>
  isOperation(taskId) ? taskId.split('/').map(segment).join('/') : `interactions/${segment(taskId)}`

/** The body is thin, and no part of what is signed. */
function readCallback({ body }: ReceivedCallback, signed: boolean | null): Callback {
  if (signed !== true) return { kind: signed === null ? 'try_later' : 'forged' }
  const handle = interactionAt(parseJson(body.toString('utf8')), 'data', 'id')
  return handle === null ? { kind: 'unreadable' } : { kind: 'poll', handle }
}

/** Names alone. Those of films are made by a long operation, or are in use. */
async function readList({ url, apiKey }: Account, { read, names }: Wanted): Promise<Listing> {
  const document = await read(`${url}/v1beta/models?pageSize=1000`, { 'x-goog-api-key': apiKey })
  const models = itemsOf(document, 'models').flatMap((each) => {
    const model = (textAt(each, 'name') ?? '').replace(/^models\//, '')
    const isOfFilms = listAt(each, 'supportedGenerationMethods').includes('predictLongRunning')
    return isOfFilms || names.includes(model) ? [{ model, fields: [] }] : []
  })
  return { models, gone: [], isWhole: true }
}
