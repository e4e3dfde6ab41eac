/** EvoLink: REST with HTTP statuses, one task object for submit, poll and unsigned callback, and a host for files. */
import { type Dialect, stateOf, type Task } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import { missingFilm } from '../sentinels.ts'
import { openUploads } from '../uploads.ts'
import { taskObject } from './provider-a.ts'

/** Code and type. */
const errors = {
  400: ['invalid_request', 'invalid_request_error'],
  401: ['unauthorized', 'authentication_error'],
  402: ['insufficient_quota', 'insufficient_quota'],
  404: ['resource_not_found', 'not_found_error'],
  422: ['content_policy_violation', 'content_policy_violation'],
  429: ['rate_limit_exceeded', 'rate_limit_error'],
  500: ['internal_error', 'server_error'],
  503: ['service_unavailable', 'server_error'],
}
const uploads = openUploads((key) => `https://files.evolink.ai/${key}.png`)

const fields: Fields = {
  'image_urls[0]': 'start',
  'image_urls[1]': 'end',
  video_urls: 'film',
  audio_urls: 'sound',
}
const motion: Fields = { image_urls: 'start', video_urls: 'motion' }
const references: Fields = { image_urls: 'reference', video_urls: 'reference film', audio_urls: 'reference sound' }

export const dialect: Dialect = {
  refuse: (c, status, message) => {
    const [code, type] = errors[status]
    return c.json({ error: { code, message, type } }, status === 422 ? 400 : status)
  },
  routes: (app, tasks) => {
    app.post('/v1/videos/generations', async (c) => {
      const body = await c.req.json()
      const { prompt, model, duration, quality, aspect_ratio, callback_url } = body
      // The mode is part of the model's name.
      const own = /reference/.test(model) ? references : /motion/.test(model) ? motion : fields
      const inputs = inputsIn(body, own, uploads.find)
      const film = { prompt, model, duration, quality, aspectRatio: aspect_ratio, inputs }
      return tasks.submit(c, { ...film, callbackUrl: callback_url }, (task) =>
        objectOf(task, task.error, tasks.filmUrl(task)),
      )
    })
    app.get('/v1/tasks/:id', (c) =>
      tasks.poll(c, c.req.param('id'), (task) => objectOf(task, task.error, tasks.filmUrl(task))),
    )
    app.get('/v1/credits', (c) => c.json({ data: { user: { remaining_credits: 5000 }, token: {} } }))
    app.post('/api/v1/files/upload/stream', async (c) => {
      const { file } = await c.req.parseBody()
      const link = await uploads.add(file)
      if (link === null) return c.json({ success: false, code: 400, msg: 'file is missing' }, 400)
      const data = {
        file_id: link.slice(-10),
        file_url: link,
        download_url: link,
        expires_at: new Date().toISOString(),
      }
      return c.json({ success: true, code: 200, msg: 'ok', data })
    })
  },
  callback: objectOf,
}

/** @param error the reason of a failure, null for a film */
function objectOf(task: Task, error: string | null, url: string) {
  const { status, results: _, ...object } = taskObject({ ...task, error }, url)
  const { prompt, durationS } = task.request
  const isFilm = stateOf({ ...task, error }) === 'completed' && missingFilm(prompt) === null
  return {
    ...object,
    status: task.isCancelled ? 'cancelled' : status,
    type: 'video',
    task_info: { can_cancel: true, estimated_time: 30, video_duration: durationS },
    usage: { billing_rule: 'per_second', credits_reserved: 50.5, user_group: 'default' },
    ...(isFilm ? { results: [url], result_data: [{ video_url: url, duration: durationS }] } : {}),
  }
}
