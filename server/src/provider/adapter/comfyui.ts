/**
 * ComfyUI, self-hosted: neither account nor cost, so that a task that may run twice costs time alone. The input is a
 * workflow:
 * - `prompt`: the workflow as the editor exports it for the API
 * - `set`: values by node and name of its input, `{"6": {"text": "A boat"}}`
 * - `output`: the node that saves the film, where a workflow saves several
 * The key of the account is for a proxy before it: a token, or a header as `X-Api-Key: …`.
 */
import { at, entryOf, listAt, numberAt, textAt } from '../../text/json-reader.ts'
import { openApi, segment } from '../api.ts'
import type { Account, Adapter, CallOptions, Handle, Provider, Report, SubmitOutcome } from '../provider.ts'
import type { Listing, Wanted } from '../published.ts'
import { accountAtFault, keyCheck, type Response, refused, submitOutcome, uploadOutcome } from '../submit-outcome.ts'
import { completedReport, failedReport, reasonOf, runningReport, taskIdAt } from '../task-reader.ts'

export const adapter: Adapter = {
  url: null,
  capabilities: {
    submit: 'task',
    callback: null,
    progress: 'queue',
    cost: null,
    result: 'our key',
    client: null,
  },
  open: openProvider,
  readList,
}

/** The queue and the history hold whole workflows. */
const limits = { bytesMax: 16 * 1024 * 1024 }

function openProvider(account: Account): Provider {
  const auth = headersOf(account.apiKey)
  const api = openApi(account, auth)

  async function poll({ taskId, output }: Handle, options?: CallOptions): Promise<Report | null> {
    // Twice, since a task may end between both answers.
    for (const _ of [1, 2]) {
      const history = await api.call('GET', `/history/${segment(taskId)}`, options, limits)
      if (history.kind !== 'response' || history.status !== 200) return null
      const entry = at(history.body, taskId)
      if (entry) return endOf(entry, output)
      const queue = await api.call('GET', '/queue', options, limits)
      if (queue.kind !== 'response' || queue.status !== 200) return null
      const queuePosition = positionIn(queue.body, taskId)
      if (queuePosition !== null) return { kind: 'running', progress: null, queuePosition }
    }
    return { kind: 'lost' }
  }

  async function cancel(handle: Handle, options?: CallOptions) {
    const result = await api.call('POST', `/api/jobs/${segment(handle.taskId)}/cancel`, options)
    if (result.kind !== 'response') return null
    // Before version 0.26 a waiting task alone can be stopped: an interrupt might stop another one.
    const isOld = [404, 405].includes(result.status)
    if (isOld) await api.call('POST', '/queue', options, { body: { delete: [handle.taskId] } })
    else if (result.status !== 200) return null
    const report = await poll(handle, options)
    if (report === null) return null
    if (report.kind === 'running') return isOld ? 'too_late' : 'requested'
    const isStopped = report.kind === 'lost' || (report.kind === 'failed' && report.failure.code === 'CANCELLED')
    return isStopped ? 'cancelled' : 'too_late'
  }

  return {
    submit: async ({ videoId, input: { prompt, set, output, ...more } }, options) => {
      const workflow = filledWorkflow(prompt, set, videoId)
      if (typeof workflow === 'string') return accountAtFault(workflow)
      const body = { ...more, prompt: workflow, prompt_id: videoId }
      const result = await api.call('POST', '/prompt', options, { body })
      const outcome = submitOutcome(result, {
        handle: ({ body }) => handleFrom(taskIdAt(body, ['prompt_id']), output),
        account: [413],
        decide: (response) => decide(response, set),
      })
      // Outputs that are not valid are left out without a word: the film may be among them.
      const errors = result.kind === 'response' ? errorsOf(result.body) : []
      if (outcome.kind !== 'accepted' || errors.length === 0) return outcome
      await cancel(outcome.handle, options)
      return accountAtFault(`the workflow is not valid: ${reasonOf(errors)}`)
    },
    poll,
    cancel,
    find: async ({ videoId, input }, _sentAt, options) => {
      const handle = { taskId: videoId, ...outputOf(input.output) }
      const report = await poll(handle, options)
      if (report === null) return null
      return report.kind === 'lost' ? { kind: 'none' } : { kind: 'found', handle, report }
    },
    openResult: async (_handle, result) => ({ kind: 'link', url: `${account.url}/view?${result}`, headers: auth }),
    upload: async ({ file, contentType, name }, options) => {
      const body = new FormData()
      // Not overwritten: of two images of one name the second gets another.
      body.set('image', new File([file], name, { type: contentType }))
      body.set('subfolder', 'kinora')
      const value = ({ body }: Response) => {
        const stored = textAt(body, 'name')
        return stored && [textAt(body, 'subfolder'), stored].filter((part) => part !== null).join('/')
      }
      return uploadOutcome(await api.call('POST', '/upload/image', options, { body }), value, { account: [413] })
    },
    checkKey: async (options) => keyCheck(await api.call('GET', '/system_stats', options)),
    close: api.close,
  }
}

function headersOf(apiKey: string): Record<string, string> {
  const [, name, value] = /^([\w-]+):\s*(.+)$/.exec(apiKey) ?? []
  if (name && value) return { [name.toLowerCase()]: value }
  return apiKey ? { authorization: `Bearer ${apiKey}` } : {}
}

const outputOf = (output: unknown): Record<string, string> => {
  const node = textAt(output)
  return node === null ? {} : { output: node }
}

const handleFrom = (taskId: string | null, output: unknown): Handle | null =>
  taskId === null ? null : { taskId, ...outputOf(output) }

type Workflow = Record<string, { inputs?: Record<string, unknown> }>

/** The workflow with its values; a text: what is wrong with it. Files are named after the video, for cleaning up. */
function filledWorkflow(prompt: unknown, set: unknown, videoId: string): Workflow | string {
  const workflow: Workflow = { ...Object(prompt) }
  for (const [id, node] of Object.entries(workflow)) {
    const named = textAt(node, 'inputs', 'filename_prefix') === null ? {} : { filename_prefix: `kinora/${videoId}` }
    workflow[id] = { ...node, inputs: { ...node.inputs, ...named } }
  }
  for (const [id, inputs] of Object.entries(Object(set))) {
    const node = entryOf(workflow, id)
    if (!node) return `the workflow has no node ${id}`
    workflow[id] = { ...node, inputs: { ...node.inputs, ...Object(inputs) } }
  }
  return workflow
}

const VALUE_ERRORS =
  /^(value_not_in_list|value_(smaller|bigger)_than_(min|max)|invalid_input_type|required_input_missing|custom_validation_failed)$/

const errorsOf = (body: unknown): { node: string; error: unknown }[] =>
  Object.entries(Object(at(body, 'node_errors'))).flatMap(([node, each]) =>
    listAt(each, 'errors').map((error) => ({ node, error })),
  )

/** The user's fault are values of what a request sets; all else is the workflow's or installation's. */
function decide({ status, body }: Response, set: unknown): SubmitOutcome | null {
  if (status !== 400) return null
  const errors = errorsOf(body)
  const isUsers = errors.every(({ node, error }) => {
    const isSet = at(set, node, textAt(error, 'extra_info', 'input_name') ?? '') !== undefined
    return isSet && VALUE_ERRORS.test(textAt(error, 'type') ?? '')
  })
  if (errors.length === 0 || !isUsers) return accountAtFault(`the workflow is refused: ${reasonOf(body) ?? 'HTTP 400'}`)
  return refused(errors.map(({ error }) => messageOf(error)).join('; '))
}

/** The details of other errors list the files of the installation. */
function messageOf(error: unknown): string {
  const isCustom = textAt(error, 'type') === 'custom_validation_failed'
  const message = textAt(error, 'message') ?? 'not valid'
  return isCustom ? (textAt(error, 'details') ?? message) : `${textAt(error, 'extra_info', 'input_name')}: ${message}`
}

/** Tasks before this one; null: it is not in the queue. An item is [number, id, workflow, …]. */
function positionIn(queue: unknown, taskId: string): number | null {
  const pending = listAt(queue, 'queue_pending').toSorted((a, b) => (numberAt(a, 0) ?? 0) - (numberAt(b, 0) ?? 0))
  const items = [...listAt(queue, 'queue_running'), ...pending]
  const index = items.findIndex((item) => textAt(item, 1) === taskId)
  return index < 0 ? null : index
}

function endOf(entry: unknown, output: string | undefined): Report {
  const status = textAt(entry, 'status', 'status_str')
  if (status === 'error') return failureOf(listAt(entry, 'status', 'messages'))
  if (status !== null && status !== 'success') return runningReport('unknown', status, null)
  const outputs = at(entry, 'outputs')
  // The name under which a node lists its files differs: images, gifs, video.
  const nodes = output === undefined ? Object.values(Object(outputs)) : [at(outputs, output)]
  const files = nodes.flatMap((node) => Object.values(Object(node)).flat())
  const film = files.find(
    (file) => textAt(file, 'type') === 'output' && /\.(mp4|webm|mkv|mov)$/i.test(textAt(file, 'filename') ?? ''),
  )
  if (film === undefined) return completedReport(null, null)
  const [filename, subfolder] = [textAt(film, 'filename') ?? '', textAt(film, 'subfolder') ?? '']
  return completedReport(new URLSearchParams({ filename, subfolder, type: 'output' }).toString(), null)
}

/** A message is a pair: its name, its content. The text of an error may have paths, on two lines. */
function failureOf(messages: unknown[]): Report {
  const said = (name: string) =>
    at(
      messages.find((message) => at(message, 0) === name),
      1,
    )
  if (said('execution_interrupted')) return failedReport('The task was cancelled.', 'CANCELLED')
  const error = said('execution_error')
  const [line = ''] = (textAt(error, 'exception_message') ?? '').split('\n')
  const isMemory = /OutOfMemory/.test(textAt(error, 'exception_type') ?? '') || /out of memory/i.test(line)
  if (isMemory) return failedReport('The provider has too little memory for this film.', 'PROVIDER_BUSY')
  return failedReport(line.replace(/([A-Za-z]:)?([\\/][\w.-]+){2,}/g, '…') || null, 'PROVIDER_ERROR')
}

/** What is installed: kinds of nodes, and the files that each can load. A workflow is what a model is here. */
async function readList({ url, apiKey }: Account, { read, names }: Wanted): Promise<Listing> {
  const installed = await read(`${url}/object_info`, headersOf(apiKey))
  if (typeof installed !== 'object' || installed === null) throw new Error('its /object_info is no list of nodes')
  const models = names.map((model) => ({ model, fields: [] }))
  return { models, gone: [], isWhole: false, lacks: (input) => lackedOf(Object(at(input, 'prompt')), installed) }
}

/** The quoted words of an expression. */
const wordsIn = (expression: unknown): string[] =>
  typeof expression === 'string' ? [...expression.matchAll(/'([^']+)'|"([^"]+)"/g)].map(([, a, b]) => a ?? b ?? '') : []

function lackedOf(workflow: object, installed: object): { what: string; instead: string | null }[] {
  return Object.values(workflow).flatMap((node) => {
    const [kind = ''] = wordsIn(at(node, 'class_type'))
    if (kind !== '' && !Object.hasOwn(installed, kind)) return [{ what: kind, instead: null }]
    return Object.entries(Object(at(node, 'inputs'))).flatMap(([name, expression]) => {
      const files = listAt(installed, kind, 'input', 'required', name, 0).map(String)
      const [file, ...others] = wordsIn(expression)
      if (file === undefined || others.length > 0 || files.length === 0 || files.includes(file)) return []
      return [{ what: file, instead: likest(file, files) }]
    })
  })
}

/** A file of the same name up to its precision, such as `wan2.2_ti2v_5B_fp8_scaled.safetensors`. */
function likest(file: string, files: string[]): string | null {
  const stem = (name: string) => name.replace(/[_.-](fp\d+|bf16|int\d|q\d|scaled|e\dm\d(fn)?|gguf|safetensors).*$/i, '')
  return files.find((each) => stem(each.split(/[\\/]/).at(-1) ?? '') === stem(file)) ?? null
}
