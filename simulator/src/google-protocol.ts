/** Shared by the dialects of Gemini API and Vertex AI: Google's errors, Interactions and long-running predictions. */
import type { Context as Call, Hono } from 'hono'
import { type Refusal, stateOf, type Task, type Tasks } from './dialect.ts'
import type { Wanted } from './film-request.ts'
import { type Fields, inputsIn } from './inputs.ts'
import { missingFilm, readSentinels } from './sentinels.ts'
import { problemIn } from './vendor-body.ts'

const errors: Record<Refusal, [number, string, object?]> = {
  400: [400, 'INVALID_ARGUMENT'],
  401: [403, 'PERMISSION_DENIED'],
  402: [403, 'PERMISSION_DENIED', { reason: 'BILLING_DISABLED' }],
  404: [404, 'NOT_FOUND'],
  422: [400, 'INVALID_ARGUMENT', { reason: 'PROHIBITED_CONTENT' }],
  429: [429, 'RESOURCE_EXHAUSTED', { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }],
  500: [500, 'INTERNAL'],
  503: [503, 'UNAVAILABLE'],
}

export function refuseAsGoogle(c: Call, refusal: Refusal, text: string, path: string[] = []): Response {
  // An id that is unknown counts as malformed there.
  const isUnknownInteraction = refusal === 404 && c.req.path.includes('/interactions/')
  const [code, status, detail] = errors[isUnknownInteraction ? 400 : refusal]
  const message = isUnknownInteraction ? 'Invalid interaction name.' : [...path, text].join(': ')
  const body = { error: { code, message, status, ...(detail ? { details: [detail] } : {}) } }
  return new Response(JSON.stringify(body), { status: code, headers: { 'content-type': 'application/json' } })
}

/** Of an edit and of references, images are no frames. */
const partFields = (task: unknown): Fields => ({
  'parts[type=image]': /^(edit|reference_to_video)$/.test(String(task)) ? 'reference' : 'start',
  'parts[type=video]': 'film',
  'parts[type=audio]': 'reference sound',
})
const instanceFields: Fields = {
  'instances[0].image': 'start',
  'instances[0].lastFrame': 'end',
  'instances[0].video': 'film',
  'instances[0].referenceImages.image': 'reference',
}

type Part = { type?: string; text?: string; mime_type?: string; data?: string; uri?: string }
type Format = { type?: string; aspect_ratio?: string; duration?: unknown; resolution?: string; delivery?: string }

/** @param fileOf the address of the film, for `delivery: 'uri'` */
export function interactionRoutes(app: Hono, tasks: Tasks, base: string, fileOf: (task: Task) => string): void {
  // The models of Vertex AI have other names.
  const isGemini = !base.includes('projects')
  const respond = (task: Task) => interactionOf(task, tasks, fileOf)
  app.post(`${base}/interactions`, async (c) => {
    const body = await c.req.json()
    const { model, input, response_format, webhook_config, background, generation_config } = body
    const parts: Part[] = typeof input === 'string' ? [{ type: 'text', text: input }] : [input].flat()
    const formats: Format[] = [response_format ?? {}].flat()
    const format = formats.find(({ type }) => type === 'video') ?? {}
    if (format.duration !== undefined && !/^\d+s$/.test(String(format.duration))) {
      return refuseAsGoogle(c, 400, 'Invalid value at response_format.duration: a text such as "6s" is expected.')
    }
    const { previous_interaction_id: previousId } = body
    const previous = tasks.find(previousId)
    // The key's project has stored it.
    if (
      previousId !== undefined &&
      (previous?.endedAt == null || previous.extra.key !== c.req.header('x-goog-api-key'))
    )
      return refuseAsGoogle(c, 400, 'Invalid value at previous_interaction_id: there is no such interaction.')
    const isEdit = generation_config?.video_config?.task === 'edit'
    if (isEdit && !previous && !parts.some(({ type }) => type === 'video'))
      return refuseAsGoogle(c, 400, 'The task edit needs a video in its input.')
    if (background !== true) return refuseAsGoogle(c, 400, 'An interaction in the foreground is not simulated.')
    const wanted = {
      prompt: parts.map(({ text }) => text ?? '').join(' '),
      model,
      duration: format.duration,
      aspectRatio: format.aspect_ratio,
      quality: format.resolution,
      inputs: [
        ...(previous ? [{ role: 'film' as const, kind: 'film' as const, url: tasks.filmUrl(previous) }] : []),
        ...inputsIn({ parts }, partFields(generation_config?.video_config?.task)),
      ],
      callbackUrl: webhook_config?.uris?.[0],
      extra: { delivery: format.delivery ?? 'inline', key: c.req.header('x-goog-api-key') ?? '' },
      problem: isGemini ? problemIn('google', 'interactions', body) : null,
    }
    return tasks.submit(c, wanted, ({ id }) => ({ id, object: 'interaction', status: 'queued', steps: [] }))
  })
  app.get(`${base}/interactions/:id`, (c) => tasks.poll(c, c.req.param('id'), respond))
  app.post(`${base}/interactions/:id/cancel`, (c) =>
    tasks.poll(c, c.req.param('id'), (task) =>
      tasks.cancel(task) || task.endedAt === null
        ? respond(task)
        : refuseAsGoogle(c, 400, 'The interaction is not in progress.'),
    ),
  )
}

async function interactionOf(task: Task, tasks: Tasks, fileOf: (task: Task) => string): Promise<object> {
  const { id, error, request, isCancelled, extra } = task
  const state = stateOf(task)
  if (state === 'failed') {
    return {
      id,
      status: isCancelled ? 'cancelled' : 'failed',
      steps: [],
      errors: [{ code: 'internal', message: error }],
    }
  }
  if (state !== 'completed') {
    const isUnknown = readSentinels(request.prompt).has('unknown-status')
    return { id, status: isUnknown ? 'simmering' : state === 'waiting' ? 'queued' : 'in_progress', steps: [] }
  }
  const missing = missingFilm(request.prompt)
  const film =
    extra.delivery === 'uri' ? { uri: fileOf(task) } : { data: (await tasks.filmBytes(task)).toString('base64') }
  const content =
    missing === null
      ? [{ type: 'video', mime_type: 'video/mp4', ...film }]
      : missing && [{ type: 'text', text: missing }]
  const usage = { output_tokens_by_modality: [{ modality: 'video', tokens: 5792 * request.durationS }] }
  return { id, status: 'completed', steps: content ? [{ type: 'model_output', content }] : [], usage }
}

type Prediction = {
  instances?: { prompt?: string }[]
  parameters?: { durationSeconds?: number; aspectRatio?: string; resolution?: string; storageUri?: string }
}

/** What a body with instances asks for. */
export function predictionWanted(model: string, { instances, parameters = {} }: Prediction): Wanted {
  const { prompt } = instances?.[0] ?? {}
  return {
    prompt,
    model,
    duration: parameters.durationSeconds,
    aspectRatio: parameters.aspectRatio,
    quality: parameters.resolution,
    // An https link is no file there.
    inputs: inputsIn({ instances }, instanceFields).map((input) => ({
      ...input,
      url: String(input.url).replace(/^http.*/, ''),
    })),
    extra: parameters.storageUri ? { storageUri: parameters.storageUri } : {},
  }
}

/** An operation. @param responseOf its `response`, of a film or of the reasons why it is withheld */
export async function operationOf(
  task: Task,
  name: string,
  responseOf: (hasFilm: boolean, withheld: object) => object | Promise<object>,
): Promise<object> {
  if (task.endedAt === null) return { name }
  if (task.error !== null) return { name, done: true, error: { code: 13, message: task.error, status: 'INTERNAL' } }
  const missing = missingFilm(task.request.prompt)
  const withheld = missing ? { raiMediaFilteredCount: 1, raiMediaFilteredReasons: [missing] } : {}
  return { name, done: true, response: await responseOf(missing === null, withheld) }
}
