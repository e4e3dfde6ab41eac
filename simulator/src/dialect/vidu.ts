/** Vidu: a path per mode, the word `Token` before the key, errors as code words, our reference in task and list. */
import type { Context as Call } from 'hono'
import { type Dialect, stateOf, type Task, type Tasks } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'

/** HTTP status and code word. */
const errors = {
  400: [400, 'FieldInvalid'],
  401: [401, 'Unauthorized'],
  402: [400, 'CreditInsufficient'],
  404: [404, 'ResourceNotFound'],
  422: [400, 'TaskPromptPolicyViolation'],
  429: [429, 'TooManyRequests'],
  500: [500, 'InternalServiceFailure'],
  503: [503, 'ServiceUnavailable'],
} as const
const CREDITS_PER_SECOND = 11

/** The fields of all modes, and how many images each takes. Another field is refused. */
const fields =
  'model prompt duration resolution seed audio audio_type voice_id bgm movement_amplitude style off_peak is_rec watermark ' +
  'wm_position wm_url meta_data payload callback_url'
const modes: Record<string, { own: string; images: [number, number]; inputs?: Fields }> = {
  text2video: { own: 'aspect_ratio', images: [0, 0] },
  img2video: { own: 'images', images: [1, 1], inputs: { images: 'start' } },
  'start-end2video': { own: 'images', images: [2, 2], inputs: { 'images[0]': 'start', 'images[1]': 'end' } },
  reference2video: {
    own: 'images subjects videos aspect_ratio',
    images: [0, 7],
    inputs: { images: 'reference', 'subjects.images': 'reference', videos: 'reference film' },
  },
}

export const dialect: Dialect = {
  keyOf: (c) => /^Token (.+)$/.exec(c.req.header('authorization') ?? '')?.[1],
  refuse: (c, refusal, message) => {
    const [status, reason] = errors[refusal]
    return c.json({ code: status, reason, message, metadata: { trace_id: 'simulator' } }, status)
  },
  routes: (app, tasks) => {
    for (const mode of Object.keys(modes)) app.post(`/ent/v2/${mode}`, (c) => create(c, tasks, mode))
    app.get('/ent/v2/tasks', (c) => {
      const list = tasks.list().toReversed()
      return c.json({ tasks: list.map((task) => creationsOf(task, task.error, tasks.filmUrl(task))) })
    })
    app.get('/ent/v2/tasks/:id/creations', (c) =>
      tasks.poll(c, c.req.param('id'), (task) => creationsOf(task, task.error, tasks.filmUrl(task))),
    )
    app.post('/ent/v2/tasks/:id/cancel', (c) =>
      tasks.poll(c, c.req.param('id'), (task) =>
        tasks.cancel(task) ? {} : dialect.refuse(c, 400, 'The task cannot be cancelled any more.'),
      ),
    )
    app.get('/ent/v2/credits', (c) => c.json({ remains: [{ type: 'test', credit_remain: 1000 }] }))
  },
  callback: creationsOf,
}

async function create(c: Call, tasks: Tasks, mode: string): Promise<Response> {
  const body = await c.req.json()
  const { own, images, inputs = {} } = modes[mode] ?? { own: '', images: [0, 0] }
  const unwanted = Object.keys(body).find((name) => !`${fields} ${own}`.split(' ').includes(name))
  if (unwanted !== undefined)
    return c.json({ code: 400, reason: 'FieldUnwanted', message: `${unwanted} is not wanted` }, 400)
  const count = body.images?.length ?? 0
  if (count < images[0] || count > images[1]) {
    return c.json({ code: 400, reason: 'FieldItemCountOutOfRange', message: `${mode} takes other images` }, 400)
  }
  const wanted = {
    prompt: body.prompt,
    model: body.model,
    duration: body.duration,
    quality: body.resolution,
    aspectRatio: body.aspect_ratio,
    inputs: inputsIn(body, inputs),
    callbackUrl: body.callback_url,
    reference: body.payload,
  }
  return tasks.submit(c, wanted, ({ id, request, reference, createdAt }) => ({
    task_id: id,
    state: 'created',
    model: request.model,
    prompt: request.prompt,
    images: body.images ?? [],
    duration: request.durationS,
    payload: reference ?? '',
    credits: CREDITS_PER_SECOND * request.durationS,
    created_at: new Date(createdAt).toISOString(),
  }))
}

/** @param error the reason of a failure, which is a code word here; null for a film */
function creationsOf(task: Task, error: string | null, url: string) {
  const { id, request, reference, isCancelled } = task
  const state = stateOf({ ...task, error })
  const missing = missingFilm(request.prompt)
  const isUnknown = readSentinels(request.prompt).has('unknown-status')
  return {
    id,
    state: isUnknown && task.endedAt === null ? 'simmering' : states[state],
    err_code: isCancelled ? 'UserCancelled' : (error ?? (state === 'completed' ? (missing ?? '') : '')),
    credits: CREDITS_PER_SECOND * request.durationS,
    payload: reference ?? '',
    bgm: false,
    off_peak: false,
    creations: state === 'completed' && missing === null ? [{ id: `${id}-1`, url, cover_url: `${url}.jpg` }] : [],
  }
}

const states = { waiting: 'queueing', generating: 'processing', completed: 'success', failed: 'failed' }
