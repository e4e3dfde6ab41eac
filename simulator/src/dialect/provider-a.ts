/** The wire format of provider-a: REST with HTTP statuses, one task object for submit and poll, a flat callback. */

import { type Dialect, progressOf, stateOf, type Task } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'

/** Lists of links, and a list of inputs that says of each what it is. */
export const fields: Fields = {
  ...{ 'image_urls[0]': 'start', 'image_urls[1]': 'end', video_url: 'film' },
  ...{ 'inputs[role=start]': 'start', 'inputs[role=end]': 'end', 'inputs[role=portrait]': 'portrait' },
  ...{ 'inputs[role=keyframe]': 'keyframe', 'inputs[role=film]': 'film', 'inputs[role=motion]': 'motion' },
  ...{ 'inputs[role=sound]': 'sound', 'inputs[role=reference,kind=image]': 'reference' },
  ...{ 'inputs[role=reference,kind=film]': 'reference film', 'inputs[role=reference,kind=sound]': 'reference sound' },
}
/** Code and type. */
const errors = {
  400: ['invalid_request', 'invalid_request_error'],
  401: ['invalid_api_key', 'authentication_error'],
  402: ['insufficient_quota', 'billing_error'],
  404: ['task_not_found', 'not_found_error'],
  422: ['content_policy_violation', 'invalid_request_error'],
  429: ['rate_limit_exceeded', 'rate_limit_error'],
  500: ['internal_error', 'server_error'],
  503: ['service_unavailable', 'invalid_request_error'],
}

export const dialect: Dialect = {
  routes: (app, tasks) => {
    app.post('/v1/videos/generations', async (c) => {
      const { aspect_ratio, callback_url, ...body } = await c.req.json()
      const idempotencyKey = c.req.header('idempotency-key')
      const wanted = {
        ...body,
        aspectRatio: aspect_ratio,
        inputs: inputsIn(body, fields),
        callbackUrl: callback_url,
        idempotencyKey,
      }
      return tasks.submit(c, wanted, (task) => taskObject(task, tasks.filmUrl(task)))
    })
    app.get('/v1/tasks/:id', (c) => tasks.poll(c, c.req.param('id'), (task) => taskObject(task, tasks.filmUrl(task))))
  },
  refuse: (c, status, message) => {
    const [code, type] = errors[status]
    return c.json({ error: { code, message, type } }, status === 422 ? 400 : status)
  },
  callback: ({ id: taskId, request }, error, videoUrl) => {
    if (error !== null) return { taskId, status: 'failed', error }
    const missing = missingFilm(request.prompt)
    if (missing !== null) return { taskId, status: 'completed', error: missing }
    const resolution = `${request.width}x${request.height}`
    return { taskId, status: 'completed', videoUrl, duration: request.durationS, resolution }
  },
}

export function taskObject(task: Task, url: string) {
  const isUnknown = readSentinels(task.request.prompt).has('unknown-status')
  const running = isUnknown ? ['simmering', 'simmering'] : ['pending', 'processing']
  const state = stateOf(task)
  const missing = missingFilm(task.request.prompt)
  return {
    id: task.id,
    object: 'video.generation.task',
    created: Math.floor(task.createdAt / 1000),
    model: task.request.model,
    status: { waiting: running[0], generating: running[1], completed: state, failed: state }[state],
    progress: progressOf(task),
    task_info: { estimated_time: Math.ceil((task.finishesAt - task.createdAt) / 1000) },
    ...(state === 'completed' ? { results: missing === null ? [url] : [] } : {}),
    ...(state === 'completed' && missing ? { error: { message: missing } } : {}),
    ...(state === 'failed' ? { error: { code: 'generation_failed', message: task.error } } : {}),
  }
}
