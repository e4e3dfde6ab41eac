/** ComfyUI: workflows, a queue, a history, and files. Other answers come from a proxy before it, as text. */
import type { Context as Call } from 'hono'
import { type Dialect, stateOf, type Task, type Tasks } from '../dialect.ts'
import type { GivenInput, Kind, Role } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'

type Node = { class_type: string; inputs: Record<string, unknown> }

/** Nodes that load a file, the field that names it, and what it is; the inputs of a sampler say which frame. */
const loaders: { [node: string]: [field: string, kind: Kind] } = {
  LoadImage: ['image', 'image'],
  LoadVideo: ['file', 'film'],
  LoadAudio: ['audio', 'sound'],
}
const roles: { [input: string]: Role } = {
  ...{ start_image: 'start', end_image: 'end', reference_image: 'reference', ref_image: 'reference' },
  ...{ reference_video: 'reference', control_video: 'motion', face_video: 'motion', pose_video: 'motion' },
  ...{ 'WanAnimateToVideo reference_image': 'start', 'WanSoundImageToVideo ref_image': 'portrait' },
  ...{ 'LTXVAddGuide image': 'keyframe', 'VAEEncode pixels': 'film' },
}
const usual: Record<Kind, Role> = { image: 'start', film: 'film', sound: 'sound' }

/** The nodes that are installed, and the field of each that loads a file. */
const installed = new Map(
  [
    ...['CLIPLoader clip_name', 'DualCLIPLoader', 'UNETLoader unet_name', 'VAELoader vae_name'],
    ...['LoadImage', 'LoadVideo', 'LoadAudio', 'GetVideoComponents', 'AudioEncoderEncode', 'WanAnimateToVideo'],
    ...['AudioEncoderLoader audio_encoder_name', 'WanSoundImageToVideo', 'LTXVAddGuide', 'EmptyLTXVLatentVideo'],
    ...['VAEEncode'],
    ...['CLIPTextEncode', 'FluxGuidance', 'BasicGuider', 'RandomNoise', 'ModelSamplingSD3', 'EmptyHunyuanLatentVideo'],
    ...[
      'Wan22ImageToVideoLatent',
      'BasicScheduler',
      'KSampler',
      'KSamplerSelect',
      'SamplerCustomAdvanced',
      'VAEDecode',
    ],
    ...['VAEDecodeTiled', 'CreateVideo', 'SaveVideo'],
  ].map((each): [string, string | undefined] => [each.split(' ')[0] ?? '', each.split(' ')[1]]),
)

/** As the server describes its nodes; a field of files has them as its values. */
const nodesOf = (files: string[]): object =>
  Object.fromEntries(
    [...installed].map(([name, field]) => [
      name,
      {
        name,
        display_name: name,
        input: { required: field ? { [field]: [files] } : {} },
        output_node: name === 'SaveVideo',
      },
    ]),
  )

export const dialect: Dialect = {
  refuse: (c, refusal, message) => {
    if (refusal === 404) return c.json({ error: 'Job not found' }, 404)
    if (refusal === 500) return c.text('500 Internal Server Error\n\nServer got itself in trouble', 500)
    if (refusal !== 400 && refusal !== 422) return c.text(message, refusal)
    // A node that checks what it is given says so.
    const error = {
      type: 'custom_validation_failed',
      message: 'Custom validation failed for node',
      details: message,
      extra_info: { input_name: 'text', received_value: '' },
    }
    const node = { errors: [error], dependent_outputs: [], class_type: 'CLIPTextEncode' }
    return c.json({ ...invalid('prompt_outputs_failed_validation'), node_errors: { [c.get('node')]: node } }, 400)
  },
  routes: (app, tasks) => {
    const files = new Map<string, string>()
    const outputs = new Map<string, string>()
    app.get('/system_stats', (c) => c.json({ system: { comfyui_version: '0.36.0' }, devices: [] }))
    app.get('/object_info', (c) =>
      c.json(nodesOf(tasks.models().flatMap(({ name }) => (/\.safetensors$/.test(name) ? name : [])))),
    )
    app.post('/prompt', async (c) => {
      const { prompt = {}, prompt_id: reference } = await c.req.json()
      return submit(c, tasks, { graph: prompt, reference, files, outputs })
    })
    app.post('/upload/image', async (c) => {
      const form = await c.req.formData()
      const [image, subfolder] = [form.get('image'), String(form.get('subfolder') ?? '')]
      if (!(image instanceof File)) return c.body(null, 400)
      const name = `${files.size} ${image.name}`
      const bytes = Buffer.from(await image.arrayBuffer())
      files.set(`${subfolder}/${name}`, `data:${image.type};base64,${bytes.toString('base64')}`)
      return c.json({ name, subfolder, type: 'input' })
    })
    app.get('/history/:id', async (c) => {
      const id = c.req.param('id')
      const found = await tasks.poll(c, idOf(tasks, id), (task) =>
        isInHistory(task) ? { [id]: entryOf(task, outputs.get(id)) } : {},
      )
      return found.status === 404 ? c.json({}) : found
    })
    app.get('/queue', (c) => {
      const queued = tasks.list().filter((task) => task.endedAt === null && !has(task, 'forgotten'))
      const items = (state: string) =>
        queued.flatMap((task, number) => (stateOf(task) === state ? [[number, task.reference, {}, {}, []]] : []))
      return c.json({ queue_running: items('generating'), queue_pending: items('waiting') })
    })
    app.post('/api/jobs/:id/cancel', (c) => {
      const task = tasks.find(idOf(tasks, c.req.param('id')))
      return c.json({ cancelled: task !== null && tasks.cancel(task) })
    })
    app.get('/view', async (c) => {
      const task = tasks.find(c.req.query('filename')?.replace(/_00001_\.mp4$/, ''))
      return task ? fetch(tasks.filmUrl(task), { redirect: 'manual' }) : c.body(null, 404)
    })
  },
}

/** `outputs`: by the name of a task, the node that saves its film. */
type Submitted = {
  graph: Record<string, Node>
  reference: string
  files: Map<string, string>
  outputs: Map<string, string>
}

async function submit(c: Call, tasks: Tasks, { graph, reference, files, outputs }: Submitted): Promise<Response> {
  const nodes = Object.values(graph)
  const inputsOf = (name: RegExp) => nodes.find(({ class_type }) => name.test(class_type))?.inputs ?? {}
  if (!/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(reference)) return c.json(invalid('invalid_prompt_id'), 400)
  if (!nodes.every(({ class_type }) => installed.has(class_type))) return c.json(invalid('missing_node_type'), 400)
  const saved = Object.keys(graph).find((id) => graph[id]?.class_type === 'SaveVideo')
  if (saved === undefined) return c.json(invalid('prompt_no_outputs'), 400)
  outputs.set(reference, saved)
  // A graph without a KSampler (Hunyuan's) guides its sampler by its one text.
  const text = Object.entries(graph).find(([, { class_type }]) => class_type === 'CLIPTextEncode')
  const node = textNode(graph, (inputsOf(/^KSampler$/).positive ?? text) as [string])
  c.set('node', node)
  // What is made of a film has its size and length.
  const { width, height, length } = inputsOf(/Latent|ToVideo$/)
  const wanted = {
    prompt: graph[node]?.inputs.text,
    model: 'workflow',
    ...(length !== undefined && { duration: Math.round((Number(length) - 1) / Number(inputsOf(/^CreateVideo$/).fps)) }),
    ...(width !== undefined && { size: `${width}x${height}` }),
    inputs: filesOf(graph, files),
    reference,
  }
  return tasks.submit(c, wanted, () => ({ prompt_id: reference, number: tasks.list().length, node_errors: {} }))
}

/** The node of the prompt, which guides of other kinds pass on. */
function textNode(graph: Record<string, Node>, [id]: [string]): string {
  const { text, positive } = graph[id]?.inputs ?? {}
  return text === undefined && Array.isArray(positive) ? textNode(graph, positive as [string]) : id
}

/** What the graph loads, by the input that it leads to. */
function filesOf(graph: Record<string, Node>, files: Map<string, string>): GivenInput[] {
  return Object.entries(graph).flatMap(([id, { class_type, inputs }]) => {
    const [field, kind] = loaders[class_type] ?? []
    if (field === undefined || kind === undefined) return []
    return [{ role: roleOf(graph, id, kind), kind, url: files.get(String(inputs[field])) ?? 'missing' }]
  })
}

/** A film is taken apart on its way. */
function roleOf(graph: Record<string, Node>, id: string, kind: Kind): Role {
  const uses = Object.entries(graph).flatMap(([user, { inputs }]) =>
    Object.entries(inputs).flatMap(([name, from]) => (Array.isArray(from) && from[0] === id ? [[user, name]] : [])),
  )
  const named = uses.flatMap(([use = '', name = '']) => roles[`${graph[use]?.class_type} ${name}`] ?? roles[name] ?? [])
  const [user] = uses[0] ?? []
  const isPassedOn = user !== undefined && /Components|Encoder/.test(graph[user]?.class_type ?? '')
  return named[0] ?? (isPassedOn ? roleOf(graph, user, kind) : usual[kind])
}

const invalid = (type: string) => ({
  error: { type, message: `The workflow is not valid: ${type}`, details: '', extra_info: {} },
  node_errors: {},
})

const has = ({ request }: Task, name: 'forgotten' | 'unknown-status'): boolean =>
  readSentinels(request.prompt).has(name)

/** A task is known by the name that its client has given it. */
const idOf = (tasks: Tasks, name: string): string | undefined =>
  tasks.list().find(({ reference }) => reference === name)?.id

/** A task that was cancelled before it began leaves no trace. */
const isInHistory = (task: Task): boolean =>
  task.endedAt === null ? has(task, 'unknown-status') : !task.isCancelled || task.endedAt >= task.startsAt

function entryOf(task: Task, node = '58') {
  const { id, error, reference: prompt_id, request, endedAt, isCancelled } = task
  const file = { filename: `${id}_00001_.mp4`, subfolder: 'kinora', type: 'output' }
  const outputs = { [node]: { images: [file], animated: [true] } }
  const status = (status_str: string, name: string, more: object = {}) => ({
    status_str,
    completed: status_str === 'success',
    messages: [
      ['execution_start', { prompt_id }],
      [name, { prompt_id, ...more }],
    ],
  })
  if (endedAt === null) return { outputs: {}, status: status('simmering', 'execution_cached') }
  if (isCancelled) return { outputs: {}, status: status('error', 'execution_interrupted', { node_id: '3' }) }
  if (error !== null) {
    const more = {
      node_id: '3',
      node_type: 'KSampler',
      exception_type: 'RuntimeError',
      exception_message: `${error}\n`,
    }
    return { outputs: {}, status: status('error', 'execution_error', more) }
  }
  return {
    outputs: missingFilm(request.prompt) === null ? outputs : {},
    status: status('success', 'execution_success'),
  }
}
