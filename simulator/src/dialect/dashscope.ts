/** Alibaba's DashScope: asynchronous tasks without callbacks; a task that is not there has the status UNKNOWN. */
import type { Context as Call } from 'hono'
import { type Dialect, NO_PROMPT, type Refusal, stateOf, type Task, type Tasks } from '../dialect.ts'
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

export const dialect: Dialect = {
  refuse: (_, refusal, message) => {
    const [status, code] = errors[refusal]
    return Response.json({ code, message, request_id }, { status })
  },
  routes: (app, tasks) => {
    app.post('/api/v1/services/aigc/video-generation/video-synthesis', (c) => create(c, tasks))
    app.post('/api/v1/services/aigc/image2video/video-synthesis', (c) => create(c, tasks))
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
  const { model, input = {}, parameters = {} } = await c.req.json()
  const media = input.media?.find(({ type }: { type: string }) => type === 'first_frame')
  const isOfMotion = String(model).includes('animate')
  if (isOfMotion && !(input.image_url && input.video_url && parameters.mode))
    return dialect.refuse(c, 400, 'image_url, video_url and mode are required.')
  const wanted = {
    prompt: input.prompt ?? (isOfMotion ? NO_PROMPT : undefined),
    model,
    duration: parameters.duration,
    size: parameters.size,
    aspectRatio: parameters.ratio,
    quality: parameters.resolution,
    imageUrl: input.img_url ?? input.image_url ?? input.first_frame_url ?? media?.url,
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
  const film = { video_url: url }
  return { ...ended, task_status: 'SUCCEEDED', ...(isAnimation(request) ? { results: film } : film) }
}

function runningStatus(task: Task): string {
  if (readSentinels(task.request.prompt).has('unknown-status')) return 'SIMMERING'
  return stateOf(task) === 'waiting' ? 'PENDING' : 'RUNNING'
}

const isAnimation = ({ model }: Task['request']) => model.includes('animate')

const usageOf = ({ request }: Task) => ({
  duration: request.durationS,
  output_video_duration: request.durationS,
  video_count: 1,
  SR: Number.parseInt(request.quality, 10),
  ratio: request.aspectRatio,
})

/** As "2023-12-20 21:36:31.896". */
const timeOf = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '')
