/** Luma: the Agents API at /v1, and Dream Machine at /dream-machine/v1, which calls back without a signature. */
import type { Context } from 'hono'
import { type Dialect, stateOf, type Task, type Tasks } from '../dialect.ts'
import { type Fields, type GivenInput, inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'
import { problemIn } from '../vendor-body.ts'

const DREAM_MACHINE = '/dream-machine/v1'

const fields: Fields = {
  'video.start_frame': 'start',
  'video.end_frame': 'end',
  'video.keyframes': 'keyframe',
  source: 'film',
  'video.edit.keyframes': 'keyframe',
}
const dreamFields: Fields = { 'keyframes.frame0.url': 'start', 'keyframes.frame1.url': 'end' }
const modifyFields: Fields = { media: 'film', first_frame: 'start' }
/** Where an earlier generation goes on. */
const goesOn = [
  'keyframes.frame0.id',
  'keyframes.frame1.id',
  'video.start_frame.generation_id',
  'video.end_frame.generation_id',
]

export const dialect: Dialect = {
  refuse: (c, status, message, path = []) => {
    if (status === 401) return c.json({ detail: 'Invalid API key is provided' }, 401)
    if (status === 402) return c.json({ detail: 'Insufficient credits' }, 402)
    if (status === 429) c.header('retry-after', '1')
    return c.json({ detail: [...path, message].join(': ') }, status)
  },
  routes: (app, tasks) => {
    app.post('/v1/generations', async (c) => {
      const body = await c.req.json()
      const { model, type, prompt, aspect_ratio: aspectRatio, video = {} } = body
      if (!/^video(_edit|_reframe)?$/.test(type)) return dialect.refuse(c, 400, 'type must be video or video_edit.')
      if ((type === 'video') !== (body.source === undefined))
        return dialect.refuse(c, 400, 'An edit alone has a source.')
      if (video.keyframes?.length !== video.keyframe_indexes?.length)
        return dialect.refuse(c, 400, 'Each of the keyframes needs one of the keyframe_indexes.')
      const { duration, resolution: quality, start_frame: frame } = video
      const isUnknown = frame?.generation_id && !tasks.list().some(({ id }) => id === frame.generation_id)
      if (isUnknown) return dialect.refuse(c, 400, 'start_frame.generation_id is no generation of this key.')
      const inputs = [...earlierIn(body, tasks), ...inputsIn(body, fields)]
      const wanted = { model, prompt, aspectRatio, duration, quality, inputs, extra: { type } }
      return tasks.submit(c, wanted, (task) => c.json(agentsObject(task, tasks), 201))
    })
    app.get('/v1/generations/:id', (c) => tasks.poll(c, c.req.param('id'), (task) => agentsObject(task, tasks)))

    app.get(`${DREAM_MACHINE}/ping`, (c) => c.json({ message: 'pong' }))
    app.get(`${DREAM_MACHINE}/credits`, (c) => c.json({ credit_balance: 100_000 }))
    app.post(`${DREAM_MACHINE}/generations/video`, (c) => create(c, tasks))
    app.post(`${DREAM_MACHINE}/generations/video/modify`, (c) => modify(c, tasks))
    app.get(`${DREAM_MACHINE}/generations`, (c) => {
      const [limit, offset] = [Number(c.req.query('limit') ?? 100), Number(c.req.query('offset') ?? 0)]
      const all = tasks.list().sort((a, b) => b.createdAt - a.createdAt)
      const generations = all
        .slice(offset, offset + limit)
        .map((task) => generation(task, task.error, tasks.filmUrl(task)))
      return c.json({ generations, count: generations.length, limit, offset, has_more: offset + limit < all.length })
    })
    app.get(`${DREAM_MACHINE}/generations/:id`, (c) =>
      tasks.poll(c, c.req.param('id'), (task) => generation(task, task.error, tasks.filmUrl(task))),
    )
  },
  callback: generation,
}

async function create(c: Context, tasks: Tasks): Promise<Response> {
  const body = await c.req.json()
  const { callback_url: callbackUrl, keyframes, aspect_ratio: aspectRatio, resolution: quality, ...rest } = body
  const problem = problemIn('luma', 'dream-machine', body)
  const inputs = [...earlierIn(body, tasks), ...inputsIn(body, dreamFields)]
  if (String(keyframes?.frame0?.url).startsWith('data:'))
    return dialect.refuse(c, 400, 'keyframes: url must be a public URL.')
  const wanted = { ...rest, aspectRatio, quality, inputs, callbackUrl, problem }
  return tasks.submit(c, wanted, (task) => c.json(generation(task, task.error, tasks.filmUrl(task)), 201))
}

async function modify(c: Context, tasks: Tasks): Promise<Response> {
  const body = await c.req.json()
  const { model, prompt, callback_url: callbackUrl } = body
  const wanted = { model, prompt, callbackUrl, inputs: inputsIn(body, modifyFields) }
  return tasks.submit(c, wanted, (task) => c.json(generation(task, task.error, tasks.filmUrl(task)), 201))
}

/** The films of earlier generations. */
function earlierIn(body: object, tasks: Tasks): GivenInput[] {
  return inputsIn(body, Object.fromEntries(goesOn.map((path) => [path, 'film']))).flatMap((input) => {
    const task = tasks.find(String(input.url))
    return task ? [{ ...input, url: tasks.filmUrl(task) }] : []
  })
}

const createdAt = (task: Task): string => new Date(task.createdAt).toISOString()

/** @param running the word of a task that is being generated */
function stateWord(task: Task, running: string): string {
  if (task.endedAt !== null) return stateOf(task)
  if (readSentinels(task.request.prompt).has('unknown-status')) return 'simmering'
  return stateOf(task) === 'waiting' ? 'queued' : running
}

function agentsObject(task: Task, tasks: Tasks): object {
  const { id, request, error, endedAt, extra } = task
  const missing = endedAt === null || error !== null ? null : missingFilm(request.prompt)
  const own = { id, created_at: createdAt(task), model: request.model, type: extra.type }
  const state = stateWord(task, 'processing')
  if (error !== null || missing) {
    return { ...own, state, failure_code: 'generation_failed', failure_reason: error ?? missing, output: [] }
  }
  const hasFilm = endedAt !== null && missing === null
  return { ...own, state, output: hasFilm ? [{ type: 'video', url: tasks.filmUrl(task) }] : [] }
}

/** The object of the Dream Machine API, polled or called back. */
function generation(task: Task, error: string | null, url: string): object {
  const { id, request, endedAt, callbackUrl } = task
  const missing = endedAt === null || error !== null ? null : missingFilm(request.prompt)
  const hasFilm = endedAt !== null && error === null && missing === null
  const { prompt, model, aspectRatio, durationS, quality } = request
  return {
    id,
    generation_type: 'video',
    state: error === null ? stateWord(task, 'dreaming') : 'failed',
    failure_reason: error ?? (missing || null),
    created_at: createdAt(task),
    assets: hasFilm ? { video: url, image: null, progress_video: null } : null,
    model,
    request: {
      prompt,
      model,
      aspect_ratio: aspectRatio,
      duration: `${durationS}s`,
      resolution: quality,
      callback_url: callbackUrl,
    },
  }
}
