/** MiniMax: V2 with the status of HTTP, and V1, which answers 200 with a code and has films as files. */
import type { Context as Call } from 'hono'
import { type Dialect, type Refusal, stateOf, type Task } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'

/** Status, type and code of V2; V1 has the code alone. */
const errors: Record<Refusal, [number, string, number]> = {
  400: [400, 'bad_request_error', 2013],
  401: [401, 'authorized_error', 1004],
  402: [402, 'insufficient_balance_error', 1008],
  404: [400, 'bad_request_error', 2013],
  422: [422, 'unprocessable_entity_error', 1026],
  429: [429, 'rate_limit_error', 1002],
  500: [500, 'server_error', 1000],
  503: [529, 'overloaded_error', 1041],
}

const fields: Fields = {
  'content[role=first_frame].image_url': 'start',
  'content[type=image_url,role=].image_url': 'start',
  'content[role=last_frame].image_url': 'end',
  'content[role=reference_image].image_url': 'reference',
  'content[role=reference_video].video_url': 'reference film',
  'content[role=reference_audio].audio_url': 'reference sound',
}
const fieldsV1: Fields = {
  first_frame_image: 'start',
  last_frame_image: 'end',
  'subject_reference.image': 'reference',
}

const ok = { status_code: 0, status_msg: 'success' }

export const dialect: Dialect = {
  refuse: (c, refusal, text) => {
    const [status, type, code] = errors[refusal]
    const message = refusal === 404 ? 'invalid task_id' : text
    if (isV1(c)) return Response.json({ base_resp: { status_code: code, status_msg: message } })
    const error = { type, message: `${message} (${code})`, http_code: String(status) }
    return Response.json({ type: 'error', error, request_id: 'simulator' }, { status })
  },
  routes: (app, tasks) => {
    app.post('/v2/video_generation', async (c) => {
      const body = await c.req.json()
      const { model, content, resolution, duration, ratio, callback_url: callbackUrl } = body
      const part = (type: string) => content?.find((each: { type: string }) => each.type === type)
      if (resolution === undefined || duration === undefined)
        return dialect.refuse(c, 400, 'duration and resolution are required')
      const wanted = {
        prompt: part('text')?.text,
        model,
        duration,
        aspectRatio: ratio,
        quality: resolution,
        inputs: inputsIn(body, fields),
        callbackUrl,
      }
      return tasks.submit(c, wanted, ({ id }) => ({ task_id: id }))
    })
    app.get('/v2/query/video_generation', (c) =>
      c.json({ items: tasks.list().map((task) => view(task, task.error, tasks.filmUrl(task)).task) }),
    )
    app.get('/v2/query/video_generation/:id', (c) =>
      tasks.poll(c, c.req.param('id'), (task) => view(task, task.error, tasks.filmUrl(task))),
    )
    app.delete('/v2/video_generation/:id', (c) =>
      tasks.poll(c, c.req.param('id'), (task) => {
        if (stateOf(task) !== 'waiting' || !tasks.cancel(task))
          return dialect.refuse(c, 400, 'the task cannot be cancelled')
        return { task_id: task.id }
      }),
    )
    app.post('/v1/video_generation', async (c) => {
      const body = await c.req.json()
      const { model, prompt, duration, resolution: quality, callback_url: callbackUrl } = body
      const wanted = { prompt, model, duration, quality, inputs: inputsIn(body, fieldsV1), callbackUrl }
      return tasks.submit(c, wanted, ({ id }) => ({ task_id: id, base_resp: ok }))
    })
    app.get('/v1/query/video_generation', (c) =>
      tasks.poll(c, c.req.query('task_id'), (task) =>
        v1View(task, task.error, ['Queueing', 'Processing', 'Success', 'Fail']),
      ),
    )
    app.get('/v1/files/retrieve', (c) =>
      tasks.poll(c, c.req.query('file_id')?.replace(/^file-/, ''), (task) => ({
        file: { file_id: `file-${task.id}`, filename: 'output.mp4', download_url: tasks.filmUrl(task) },
        base_resp: ok,
      })),
    )
  },
  callback: (task, error, url) =>
    task.request.model.includes('H3')
      ? view(task, error, url)
      : v1View(task, error, ['processing', 'processing', 'success', 'failed']),
  challenge: async (callbackUrl) => {
    const challenge = crypto.randomUUID()
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(3_000)
    try {
      const response = await fetch(callbackUrl, {
        method: 'POST',
        headers,
        body: JSON.stringify({ challenge }),
        signal,
      })
      return response.status === 200 && (await response.text()).includes(challenge)
    } catch {
      return false
    }
  },
}

const isV1 = (c: Call): boolean => new URL(c.req.url).pathname.startsWith('/v1/')

/** Whether a status that no client knows is shown. */
const isUnknown = (task: Task): boolean =>
  task.endedAt === null && readSentinels(task.request.prompt).has('unknown-status')

function statusOf(task: Task, error: string | null, words: [string, string, string, string]): string {
  const [waiting, generating, succeeded, failed] = words
  if (isUnknown(task)) return 'simmering'
  if (task.endedAt !== null) return error === null ? succeeded : failed
  return stateOf(task) === 'waiting' ? waiting : generating
}

function view(task: Task, error: string | null, url: string) {
  const { id, request } = task
  const words: Parameters<typeof statusOf>[2] = [
    'queued',
    'running',
    'succeeded',
    task.isCancelled ? 'cancelled' : 'failed',
  ]
  const missing = missingFilm(request.prompt)
  const message = error ?? missing
  return {
    task: {
      id,
      model: request.model,
      status: statusOf(task, error, words),
      created_at: Math.floor(task.createdAt / 1000),
      resolution: request.quality.toUpperCase(),
      duration: request.durationS,
      ratio: request.aspectRatio,
      ...(task.endedAt !== null && error === null && missing === null
        ? { content: { url }, usage: usageOf(task) }
        : {}),
      ...(task.endedAt !== null && message ? { error: { code: '1000', message } } : {}),
    },
  }
}

const usageOf = ({ request: { durationS: seconds } }: Task) => ({
  total_seconds: seconds,
  input_seconds: 0,
  output_seconds: seconds,
  input_image_count: 0,
})

function v1View(task: Task, error: string | null, words: Parameters<typeof statusOf>[2]) {
  const missing = missingFilm(task.request.prompt)
  const message = error ?? missing
  return {
    task_id: task.id,
    status: statusOf(task, error, words),
    file_id: task.endedAt !== null && error === null && missing === null ? `file-${task.id}` : '',
    ...(task.endedAt !== null && message ? { error_message: message } : {}),
    base_resp: ok,
  }
}
