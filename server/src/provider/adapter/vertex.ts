/**
 * Vertex AI: Veo by long-running predictions, Omni by Interactions. Our key is the JSON of a service account, or an
 * access token. There are no callbacks, and a film comes as base64, or in a bucket of ours where the route names one.
 */
import { gaxios, JWT } from 'google-auth-library'
import type { CallResult, HttpMethod } from '../../net/http-client.ts'
import { at, parseJson, textAt } from '../../text/json-reader.ts'
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
  isPrediction,
  openInline,
  predictionBody,
} from '../google-protocol.ts'
import type { Account, Adapter, CallOptions, Handle, Provider, Task } from '../provider.ts'
import { keyCheck } from '../submit-outcome.ts'
import { completedReport, shortened, taskIdAt } from '../task-reader.ts'

const MAIN = 'https://us-central1-aiplatform.googleapis.com'
const TOKEN_HOST = 'https://oauth2.googleapis.com'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'

export const adapter: Adapter = {
  url: MAIN,
  capabilities: {
    submit: 'task',
    callback: null,
    progress: null,
    // Omni alone tells it.
    cost: null,
    result: 'bytes',
    client: '@google/genai, @ai-sdk/google-vertex',
  },
  open: openProvider,
}

function openProvider(account: Account): Provider {
  const key = parseJson(account.apiKey)
  const { project, models, veo, omni, storage, tokenHost } = addressesOf(account.url, textAt(key, 'project_id'))
  const api = openApi({ ...account, url: '' }, {})
  const tokenOf = project === null ? async () => refusedKey(NO_PROJECT) : openTokens(account, key, tokenHost)

  async function call(method: HttpMethod, url: string, options?: CallOptions, body?: object): Promise<CallResult> {
    let result: CallResult = { kind: 'not_sent', reason: 'no access token' }
    // A token may end early, so that one that is refused is renewed once.
    for (const isRenewed of [false, true]) {
      const token = await tokenOf(isRenewed)
      if (typeof token !== 'string') return token ?? result
      const headers = { authorization: `Bearer ${token}` }
      result = await api.call(method, url, options, { headers, bytesMax: INLINE_BYTES_MAX, ...(body ? { body } : {}) })
      if (result.kind !== 'response' || result.status !== 401) break
    }
    return result
  }

  const interaction = (id: string) => `${omni}/interactions/${segment(id)}`
  const read = ({ taskId, model }: Handle, options?: CallOptions): Promise<CallResult> =>
    model === undefined
      ? call('GET', interaction(taskId), options)
      : call('POST', `${veo}/${segment(model)}:fetchPredictOperation`, options, { operationName: taskId })

  /** The film in the folder of a task, in which Veo writes nothing else; null: none yet, or no answer. */
  async function filmIn(folder: string, options?: CallOptions): Promise<string | null> {
    const { bucket, name } = objectOf(folder)
    const result = await call('GET', `${storage}/b/${bucket}/o?${new URLSearchParams({ prefix: name })}`, options)
    const film = result.kind === 'response' ? textAt(result.body, 'items', 0, 'name') : null
    return film === null ? null : `gs://${bucket}/${film}`
  }

  return {
    submit: async (task, options) => {
      if (isPrediction(task)) {
        const url = `${veo}/${segment(task.model)}:predictLongRunning`
        const result = await call('POST', url, options, predictionBody(inFolder(task)))
        return googleOutcome(result, (body) => {
          const taskId = taskIdAt(body, ['name'])
          return taskId === null ? null : { taskId, model: task.model }
        })
      }
      const hasBucket = textAt(task.input, 'response_format', 'gcs_uri') !== null
      const body = interactionBody(task, hasBucket ? 'uri' : 'inline')
      const result = await call('POST', `${omni}/interactions`, options, body)
      return googleOutcome(result, (response) => interactionAt(response, 'id'))
    },
    poll: async (handle, options) => {
      if (!handle.taskId.startsWith('gs://')) return googleReport(await read(handle, options))
      const film = await filmIn(handle.taskId, options)
      return film === null ? { kind: 'running', progress: null } : completedReport(film, null)
    },
    cancel: async ({ taskId, model }, options) => {
      if (model !== undefined) return 'too_late'
      return cancelOutcome(await call('POST', `${interaction(taskId)}/cancel`, options, {}))
    },
    find: async (task, _sentAt, options) => {
      const folder = folderOf(task)
      const film = folder && (await filmIn(folder, options))
      // Without a film the task may still run, or be none.
      const report = film ? completedReport(film, null) : null
      return folder && report ? { kind: 'found', handle: { taskId: folder }, report } : null
    },
    openResult: async (handle, result, options) => {
      if (result === INLINE) return openInline(await read(handle, options))
      if (!result.startsWith('gs://')) return { kind: 'link', url: result }
      const token = await tokenOf(false)
      const { bucket, name } = objectOf(result)
      const url = `${storage}/b/${bucket}/o/${segment(name)}?alt=media`
      return typeof token === 'string' ? { kind: 'link', url, headers: { authorization: `Bearer ${token}` } } : null
    },
    upload: inlineUpload,
    checkKey: async (options) => keyCheck(await call('GET', `${models}?pageSize=1`, options)),
    close: api.close,
  }
}

/** The project and the location are in the account's URL, or else in the key and in the name of the host. */
function addressesOf(url: string, keyProject: string | null) {
  const [, root = url, urlProject, urlLocation] =
    /^(.+?)(?:\/v1\w*\/projects\/([^/]+)\/locations\/([^/]+))?$/.exec(url) ?? []
  const host = URL.parse(url)?.hostname ?? ''
  const isGoogle = /(^|-)aiplatform\.googleapis\.com$/.test(host)
  const region = /^(.+)-aiplatform\./.exec(host)?.[1] ?? 'global'
  const location = urlLocation ?? (isGoogle ? region : 'us-central1')
  // A stand-in for all hosts asks for no certain project.
  const project = urlProject ?? keyProject ?? (isGoogle ? null : 'project')
  const place = `${root}/v1/projects/${project}/locations/${location}`
  return {
    project,
    models: `${place}/models`,
    veo: `${place}/publishers/google/models`,
    omni: `${isGoogle ? 'https://aiplatform.googleapis.com' : root}/v1beta1/projects/${project}/locations/global`,
    storage: `${isGoogle ? 'https://storage.googleapis.com' : root}/storage/v1`,
    tokenHost: isGoogle ? TOKEN_HOST : root,
  }
}

/** @returns a function that returns a token, or the call that failed for it; null: there is no other one */
function openTokens({ apiKey, timeoutS }: Account, key: unknown, host: string) {
  const email = textAt(key, 'client_email')
  const privateKey = textAt(key, 'private_key')
  if (email === null || privateKey === null) return async (isRenewed: boolean) => (isRenewed ? null : apiKey)
  const open = () =>
    new JWT({
      email,
      key: privateKey,
      scopes: [SCOPE],
      transporterOptions: {
        timeout: timeoutS * 1000,
        // The library knows no other address.
        fetchImplementation: (url, init) =>
          fetch(String(url).replace(TOKEN_HOST, host), { ...init, redirect: 'error' }),
      },
    })
  let client = open()
  return async (isRenewed: boolean): Promise<string | CallResult | null> => {
    if (isRenewed) client = open()
    try {
      return (await client.getAccessToken()).token ?? null
    } catch (error) {
      const status = error instanceof gaxios.GaxiosError ? (error.response?.status ?? null) : null
      const reason = `sign-in: ${textAt(error, 'message')}`
      const isTransient = status === null ? error instanceof gaxios.GaxiosError : status === 429 || status >= 500
      return isTransient ? { kind: 'not_sent', reason: shortened(reason) } : refusedKey(reason)
    }
  }
}

const NO_PROJECT =
  'The URL of the account names no project: https://us-central1-aiplatform.googleapis.com/v1/projects/…/locations/us-central1'

/** What Google would answer to a key that cannot be used. */
const refusedKey = (message: string): CallResult => ({
  kind: 'response',
  status: 401,
  body: { error: { message } },
  headers: {},
  retryAfterS: null,
})

/** The folder of a task in the bucket that the route names, by which a task is found again; null: it names none. */
function folderOf({ videoId, input }: Task): string | null {
  const uri = textAt(input, 'parameters', 'storageUri')
  return uri === null ? null : `${uri.replace(/\/+$/, '')}/${videoId}/`
}

function inFolder(task: Task): Task {
  const storageUri = folderOf(task)
  if (storageUri === null) return task
  return { ...task, input: { ...task.input, parameters: { ...Object(at(task.input, 'parameters')), storageUri } } }
}

/** @param uri `gs://<bucket>/<name>` */
function objectOf(uri: string): { bucket: string; name: string } {
  const [, bucket = '', name = ''] = /^gs:\/\/([^/]*)\/(.*)$/.exec(uri) ?? []
  return { bucket: segment(bucket), name }
}
