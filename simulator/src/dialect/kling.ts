/** Kling: the current design, with the model in the path and one list of tasks, and the legacy one below /v1/videos. */
import type { Context as Call } from 'hono'
import { type Dialect, type Refusal, stateOf, type Task, type Tasks } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'
import { standardSignature } from '../standard-webhook.ts'

const errors: Record<Refusal, [number, number]> = {
  400: [400, 1201],
  401: [401, 1002],
  402: [429, 1102],
  404: [404, 1203],
  422: [400, 1301],
  429: [429, 1302],
  500: [500, 5000],
  503: [503, 5001],
}

const fields: Fields = {
  'contents[type=first_frame]': 'start',
  'contents[type=last_frame]': 'end',
  'contents[type=refer_image]': 'reference',
  'contents[type=base_video]': 'film',
  'contents[type=feature_video]': 'reference film',
  'contents[type=image]': 'start',
  'contents[type=video]': 'motion',
}
/** By the operation, which is the path below `/v1/videos`; others are of frames. */
const legacyFields: { [operation: string]: Fields } = {
  'motion-control': { image_url: 'start', video_url: 'motion' },
  'avatar/image2video': { image: 'portrait', sound_file: 'sound' },
  'advanced-lip-sync': { video_url: 'film', 'face_choose.sound_file': 'sound' },
  'lip-sync': { 'input.video_url': 'film', 'input.audio_url': 'sound', 'input.audio_file': 'sound' },
  'omni-video': {
    'image_list[type=first_frame].image_url': 'start',
    'image_list[type=end_frame].image_url': 'end',
    'image_list[type=].image_url': 'reference',
    'video_list[refer_type=base].video_url': 'film',
    'video_list[refer_type=feature].video_url': 'reference film',
  },
  'multi-image2video': { 'image_list.image': 'reference' },
}
const framesOnly: Fields = { image: 'start', image_tail: 'end' }

export const dialect: Dialect = {
  keyOf: (c) => {
    const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1]
    const [, claims] = token?.split('.') ?? []
    return claims === undefined ? token : accessKeyOf(claims)
  },
  refuse: (_, refusal, message) => {
    const [status, code] = errors[refusal]
    return Response.json({ code, message, request_id: 'simulator' }, { status })
  },
  routes: (app, tasks) => {
    app.get('/tasks', async (c) => {
      const { task_ids: ids, external_task_ids: names } = c.req.query()
      const found = await tasks.poll(c, ids ?? idOf(tasks, names), (task) =>
        ok([currentView(task, task.error, tasks.filmUrl(task))]),
      )
      return found.status === 404 ? c.json(ok([])) : found
    })
    const operations = ['text-to-video', 'image-to-video', 'omni-video', 'motion-control'].map(
      (each) => `/${each}/:model`,
    )
    app.on('POST', operations, async (c) => {
      const body = await c.req.json()
      const { prompt, contents = [], settings = {}, options = {} } = body
      const content = (type: string) => contents.find((each: { type: string }) => each.type === type)
      const isMotion = c.req.path.includes('/motion-control/')
      if (isMotion && !(content('image') && content('video') && settings.character_orientation))
        return dialect.refuse(c, 400, 'contents need an image and a video, settings a character_orientation')
      const wanted = {
        prompt: prompt ?? content('prompt')?.text,
        model: new URL(c.req.url).pathname.slice(1),
        duration: settings.duration,
        aspectRatio: settings.aspect_ratio,
        quality: settings.resolution,
        inputs: inputsIn(body, fields, imageOf),
        callbackUrl: options.callback_url,
        reference: options.external_task_id,
      }
      return (
        refuseSecond(c, tasks, wanted.reference) ?? tasks.submit(c, wanted, (task) => ok(currentView(task, null, '')))
      )
    })
    const sessions = new Map<string, unknown>()
    app.post('/v1/videos/identify-face', async (c) => identifyFace(c, await c.req.json(), sessions))
    app.post('/v1/videos/:operation{.+}', async (c) => {
      const operation = c.req.param('operation').replace(/\/$/, '')
      const body = await c.req.json()
      const problem = operation === 'advanced-lip-sync' ? lipSyncProblem(body, sessions) : null
      if (problem !== null) return dialect.refuse(c, 400, problem)
      if (operation === 'avatar/image2video' && !(body.image && body.sound_file))
        return dialect.refuse(c, 400, 'image and sound_file must not be empty')
      if (body.duration !== undefined && typeof body.duration !== 'string') {
        return dialect.refuse(c, 400, 'duration must be a string')
      }
      const wanted = {
        prompt: body.prompt,
        // Some operations have no models.
        model: body.model_name ?? operation.replaceAll('/', '-'),
        duration: body.duration,
        aspectRatio: body.aspect_ratio,
        quality: body.mode === 'pro' ? '1080p' : '720p',
        inputs: inputsIn(
          { ...body, video_url: sessions.get(body.session_id) ?? body.video_url },
          legacyFields[operation] ?? framesOnly,
          imageOf,
        ),
        callbackUrl: body.callback_url,
        reference: body.external_task_id,
      }
      return (
        refuseSecond(c, tasks, wanted.reference) ?? tasks.submit(c, wanted, (task) => ok(legacyView(task, null, '')))
      )
    })
    app.get('/v1/videos/:operation', (c) => c.json(ok(tasks.list().map((task) => legacyView(task, task.error, '')))))
    const polled = (c: Call, name: string) =>
      tasks.poll(c, idOf(tasks, name), (task) => ok(legacyView(task, task.error, tasks.filmUrl(task))))
    app.get('/v1/videos/:operation/:id', (c) => polled(c, c.req.param('id')))
    // An operation may have two words.
    app.get('/v1/videos/:group/:operation/:id', (c) => polled(c, c.req.param('id')))
  },
  callback: (task, error, url) =>
    task.request.model.includes('/') ? currentView(task, error, url) : legacyView(task, error, url),
  sign: (body, { id }, key) => standardSignature(body, id, key),
}

/** Two faces, whose session keeps the film. */
function identifyFace(c: Call, body: Record<string, unknown>, sessions: Map<string, unknown>): Response {
  const { video_url: film, video_id: id, ...others } = body
  if (!film === !id || Object.keys(others).length > 0)
    return dialect.refuse(c, 400, 'one of video_url and video_id is needed, and nothing else')
  const session_id = `session-${sessions.size}`
  sessions.set(session_id, film)
  const face_data = [0, 1].map((face) => ({ face_id: `${face}`, start_time: face * 1000, end_time: 60_000 }))
  return c.json(ok({ session_id, final_unit_deduction: '0.05', face_data }))
}

/** What is wrong with a body of lip-sync; null: nothing. */
function lipSyncProblem(body: Record<string, unknown>, sessions: ReadonlyMap<string, unknown>): string | null {
  const { session_id, face_choose, external_task_id: _, callback_url: __, watermark_info: ___, ...others } = body
  if (Object.keys(others).length > 0) return `${Object.keys(others)[0]} is not known`
  if (!sessions.has(String(session_id))) return 'session_id is invalid'
  if (!Array.isArray(face_choose) || face_choose.length !== 1) return 'face_choose must have one face'
  const { face_id, sound_file, sound_start_time: from, sound_end_time: to, sound_insert_time: at } = face_choose[0]
  if (!['0', '1'].includes(face_id) || !sound_file) return 'face_id is invalid, or sound_file empty'
  if (![from, to, at].every(Number.isInteger)) return 'the times of the sound must be whole milliseconds'
  return to - from < 2000 ? 'the cropped sound must not be shorter than 2 seconds' : null
}

/** The token of an older credential: an issuer, not yet at its end. */
function accessKeyOf(claims: string): string {
  const { iss, exp, nbf } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
  const nowS = Date.now() / 1000
  return iss && exp > nowS && exp <= nowS + 1801 && nbf <= nowS ? iss : 'wrong'
}

const ok = (data: object) => ({ code: 0, message: 'SUCCEED', request_id: 'simulator', data })

const idOf = (tasks: Tasks, name: string | undefined): string | undefined =>
  tasks.list().find(({ id, reference }) => id === name || reference === name)?.id

/** An external_task_id is unique within the account. */
const refuseSecond = (c: Call, tasks: Tasks, name: string | undefined): Response | null =>
  name && idOf(tasks, name) ? dialect.refuse(c, 400, `external_task_id ${name} already exists`) : null

/** A link, or Base64 without the prefix of a data URI. */
const imageOf = (image: unknown) =>
  typeof image === 'string' && !image.startsWith('http') && !image.startsWith('data:')
    ? `data:image/png;base64,${image}`
    : image

function statusOf(task: Task, error: string | null, succeeded: string): string {
  if (task.endedAt !== null) return error === null ? succeeded : 'failed'
  if (readSentinels(task.request.prompt).has('unknown-status')) return 'simmering'
  return stateOf(task) === 'waiting' ? 'submitted' : 'processing'
}

const hasFilm = (task: Task, error: string | null): boolean =>
  task.endedAt !== null && error === null && missingFilm(task.request.prompt) === null

function currentView(task: Task, error: string | null, url: string) {
  const amount = (task.request.durationS * 0.084).toFixed(3)
  const isThere = hasFilm(task, error)
  return {
    id: task.id,
    status: statusOf(task, error, 'succeeded'),
    message: error ?? missingFilm(task.request.prompt) ?? '',
    create_time: task.createdAt,
    update_time: task.endedAt ?? task.createdAt,
    external_id: task.reference,
    outputs: isThere ? [{ type: 'video', id: `${task.id}-1`, url, duration: String(task.request.durationS) }] : [],
    billing: isThere
      ? [{ charge_type: 'cash', amount, currency: 'USD', package_type: 'video', list_price: amount }]
      : [],
  }
}

function legacyView(task: Task, error: string | null, url: string) {
  const videos = [{ id: `${task.id}-1`, url, watermark_url: '', duration: String(task.request.durationS) }]
  return {
    task_id: task.id,
    task_status: statusOf(task, error, 'succeed'),
    task_status_msg: error ?? missingFilm(task.request.prompt) ?? '',
    task_info: { external_task_id: task.reference },
    created_at: task.createdAt,
    updated_at: task.endedAt ?? task.createdAt,
    ...(hasFilm(task, error) ? { task_result: { videos }, final_unit_deduction: '0.6' } : {}),
  }
}
