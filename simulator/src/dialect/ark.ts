/** ByteDance Ark: one list of tasks; DELETE cancels a queued task and removes one that has ended. */
import { type Dialect, type Refusal, stateOf, type Task } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'

const fields: Fields = {
  'content[role=first_frame].image_url': 'start',
  'content[type=image_url,role=].image_url': 'start',
  'content[role=last_frame].image_url': 'end',
  'content[role=reference_image].image_url': 'reference',
  'content[role=reference_video].video_url': 'reference film',
  'content[role=reference_audio].audio_url': 'reference sound',
}
/** An edit changes the first of its films. */
const fieldsOfEdit: Fields = {
  'content[role=reference_video].video_url': 'film',
  'content[role=reference_image].image_url': 'reference',
  'content[role=reference_audio].audio_url': 'reference sound',
}

const errors: Record<Refusal, [number, string, string]> = {
  400: [400, 'InvalidParameter', 'BadRequest'],
  401: [401, 'AuthenticationError', 'Unauthorized'],
  402: [403, 'AccountOverdueError', 'Forbidden'],
  404: [404, 'ResourceNotFound', 'NotFound'],
  422: [400, 'InputTextSensitiveContentDetected', 'BadRequest'],
  429: [429, 'RateLimitExceeded.EndpointRPMExceeded', 'TooManyRequests'],
  500: [500, 'InternalServiceError', 'InternalServerError'],
  503: [503, 'ServiceUnavailable', 'ServiceUnavailable'],
}

export const dialect: Dialect = {
  refuse: (_, refusal, text) => {
    const [status, code, type] = errors[refusal]
    return Response.json({ error: { code, message: `${text} Request ID: simulator`, param: '', type } }, { status })
  },
  routes: (app, tasks) => {
    const removed = new Set<string>()
    const path = '/contents/generations/tasks'
    app.post(path, async (c) => {
      const body = await c.req.json()
      const { model, content, resolution, ratio, duration, callback_url: callbackUrl, ...more } = body
      const part = (type: string) => content?.find((each: { type: string }) => each.type === type)
      const prompt: string | undefined = part('text')?.text
      const expiresAfterS = more.execution_expires_after ?? 172_800
      if (expiresAfterS < 3600 || expiresAfterS > 259_200) {
        return dialect.refuse(c, 400, 'execution_expires_after must be between 3600 and 259200.')
      }
      const wanted = {
        prompt,
        model,
        // The older form of parameters comes last.
        duration: /--dur(?:ation)? (\d+)/.exec(prompt ?? '')?.[1] ?? duration,
        aspectRatio: ratio,
        quality: resolution,
        inputs: inputsIn(body, /^(edit|extend)$/.test(more.omni_reference_task_type) ? fieldsOfEdit : fields),
        callbackUrl,
      }
      return tasks.submit(c, wanted, ({ id }) => ({ id }))
    })
    app.get(path, (c) => {
      const items = tasks.list().map((task) => view(task, task.error, tasks.filmUrl(task)))
      return c.json({ total: items.length, items })
    })
    app.get(`${path}/:id`, (c) => {
      const id = c.req.param('id')
      return tasks.poll(c, removed.has(id) ? undefined : id, (task) => view(task, task.error, tasks.filmUrl(task)))
    })
    app.delete(`${path}/:id`, (c) =>
      tasks.poll(c, c.req.param('id'), (task) => {
        const state = stateOf(task)
        if (state === 'waiting' && tasks.cancel(task)) return {}
        if (task.endedAt !== null) removed.add(task.id)
        const error = { code: 'TaskRunningCannotCancel', message: 'The task is running.', param: '', type: 'Conflict' }
        return task.endedAt === null ? c.json({ error }, 409) : {}
      }),
    )
  },
  callback: view,
}

function view(task: Task, error: string | null, url: string) {
  const { id, request, createdAt, endedAt } = task
  const missing = missingFilm(request.prompt)
  const message = endedAt === null ? null : (error ?? missing)
  const hasFilm = endedAt !== null && error === null && missing === null
  const tokens = Math.round((request.durationS * request.width * request.height * 24) / 1024)
  return {
    id,
    model: request.model,
    status: statusOf(task, error),
    created_at: Math.floor(createdAt / 1000),
    updated_at: Math.floor((endedAt ?? createdAt) / 1000),
    resolution: request.quality,
    ratio: request.aspectRatio,
    duration: request.durationS,
    framespersecond: 24,
    error: message ? { code: 'InternalServiceError', message: `${message} Request ID: simulator` } : null,
    ...(hasFilm ? { content: { video_url: url }, usage: { completion_tokens: tokens, total_tokens: tokens } } : {}),
  }
}

function statusOf(task: Task, error: string | null): string {
  if (task.endedAt !== null) {
    if (error === null) return 'succeeded'
    return task.isCancelled ? 'cancelled' : 'failed'
  }
  if (readSentinels(task.request.prompt).has('unknown-status')) return 'simmering'
  return stateOf(task) === 'waiting' ? 'queued' : 'running'
}
