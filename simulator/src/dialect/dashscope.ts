/** Alibaba's DashScope: asynchronous tasks without callbacks; a task that is not there has the status UNKNOWN. */
import type { Context as Call } from 'hono'
import { type Dialect, type Refusal, stateOf, type Task, type Tasks } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'

const errors: Record<Refusal, [number, string]> = {
  400: [400, 'InvalidParameter'],
  401: [401, 'InvalidApiKey'],
  402: [400, 'Arrearage'],
  404: [404, 'ModelNotFound'],
  422: [400, 'DataInspectionFailed'],
  429: [429, 'Throttling.RateQuota'],
  500: [500, 'InternalError'],
  503: [503, 'ServiceUnavailable'],
}

const request_id = 'simulator'

const fields: Fields = {
  'input.media[type=first_frame].url': 'start',
  'input.media[type=last_frame].url': 'end',
  'input.media[type=video].url': 'film',
  'input.media[type=first_clip].url': 'film',
  'input.media[type=reference_image].url': 'reference',
  'input.media[type=reference_video].url': 'reference film',
  'input.media[type=reference_audio].url': 'reference sound',
  'input.media[type=driving_audio].url': 'sound',
  'input.img_url': 'start',
  'input.first_frame_url': 'start',
  'input.last_frame_url': 'end',
  'input.audio_url': 'sound',
  'input.reference_urls': 'reference',
  'input.reference_video_urls': 'reference film',
}
/** Models whose fields mean something else: of motion, of portraits that speak, and that change the lips of a film. */
const fieldsOfModels: [RegExp, Fields][] = [
  [/animate/, { 'input.image_url': 'start', 'input.video_url': 'motion' }],
  [/s2v|liveportrait|emo/, { 'input.image_url': 'portrait', 'input.audio_url': 'sound' }],
  [/videoretalk/, { 'input.video_url': 'film', 'input.audio_url': 'sound' }],
]
/** Models whose result is one of several. */
const LISTED = /animate|s2v/

export const dialect: Dialect = {
  refuse: (_, refusal, message) => {
    const [status, code] = errors[refusal]
    return Response.json({ code, message, request_id }, { status })
  },
  routes: (app, tasks) => {
    app.post('/api/v1/services/aigc/:service{video-generation|image2video}/video-synthesis', (c) => create(c, tasks))
    app.get('/api/v1/tasks/:id', async (c) => {
      const id = c.req.param('id')
      const found = await tasks.poll(c, id, (task) => ({
        request_id,
        output: outputOf(task, tasks.filmUrl(task)),
        ...(stateOf(task) === 'completed' ? { usage: usageOf(task) } : {}),
      }))
      return found.status === 404 ? c.json({ request_id, output: { task_id: id, task_status: 'UNKNOWN' } }) : found
    })
    app.post('/api/v1/tasks/:id/cancel', (c) =>
      tasks.poll(c, c.req.param('id'), (task) =>
        stateOf(task) === 'waiting' && tasks.cancel(task)
          ? { request_id }
          : c.json({ code: 'UnsupportedOperation', message: 'The task is not in status PENDING.', request_id }, 400),
      ),
    )
  },
}

async function create(c: Call, tasks: Tasks): Promise<Response> {
  if (c.req.header('x-dashscope-async') !== 'enable') {
    const message = 'current user api does not support synchronous calls.'
    return c.json({ code: 'AccessDenied', message, request_id }, 403)
  }
  const body = await c.req.json()
  const { model, input = {}, parameters = {} } = body
  if (/animate/.test(model) && !(input.image_url && input.video_url && parameters.mode))
    return dialect.refuse(c, 400, 'image_url, video_url and mode are required.')
  const [, own = fields] = fieldsOfModels.find(([name]) => name.test(model)) ?? []
  const wanted = {
    prompt: input.prompt,
    model,
    duration: parameters.duration,
    size: parameters.size,
    aspectRatio: parameters.ratio,
    quality: parameters.resolution,
    inputs: inputsIn(body, own),
  }
  return tasks.submit(c, wanted, ({ id }) => ({ request_id, output: { task_id: id, task_status: 'PENDING' } }))
}

function outputOf(task: Task, url: string) {
  const { id, request, endedAt, error } = task
  const missing = missingFilm(request.prompt)
  if (endedAt === null) return { task_id: id, task_status: runningStatus(task), submit_time: timeOf(task.createdAt) }
  const ended = {
    task_id: id,
    submit_time: timeOf(task.createdAt),
    end_time: timeOf(endedAt),
    orig_prompt: request.prompt,
  }
  if (error !== null) {
    return {
      ...ended,
      task_status: task.isCancelled ? 'CANCELED' : 'FAILED',
      code: 'InternalError.Algo',
      message: error,
    }
  }
  if (missing !== null) return { ...ended, task_status: 'SUCCEEDED', ...(missing ? { message: missing } : {}) }
  const result = LISTED.test(request.model) ? { results: { video_url: url } } : { video_url: url }
  return { ...ended, task_status: 'SUCCEEDED', ...result }
}

function runningStatus(task: Task): string {
  if (readSentinels(task.request.prompt).has('unknown-status')) return 'SIMMERING'
  return stateOf(task) === 'waiting' ? 'PENDING' : 'RUNNING'
}

const usageOf = ({ request }: Task) => ({
  duration: request.durationS,
  output_video_duration: request.durationS,
  video_count: 1,
  SR: Number.parseInt(request.quality, 10),
  ratio: request.aspectRatio,
})

/** As "2023-12-20 21:36:31.896". */
const timeOf = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '')
