/**
 * PixVerse: HTTP 200 with an error code in the body, numbers as ids and as states, a trace id that every call needs and
 * that makes a submit idempotent, images by upload only.
 */
import type { Context as Call } from 'hono'
import { type Dialect, stateOf, type Task, type Tasks } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'
import { openUploads } from '../uploads.ts'

const codes: Record<number, number> = {
  400: 400017,
  401: 400012,
  402: 500090,
  404: 500008,
  422: 500063,
  429: 500044,
  500: 99999,
  503: 500100,
}
/** Whether a mode takes a ratio; elsewhere it follows the image. */
const modes: Record<string, boolean> = { text: true, img: false, transition: false, fusion: true, extend: false }
const CREDITS_PER_SECOND = 9
const fields: Fields = {
  ...{ img_id: 'start', first_frame_img: 'start', last_frame_img: 'end', 'image_references.img_id': 'reference' },
  ...{ 'video_references.video_media_id': 'reference film', video_media_id: 'film', source_video_id: 'film' },
}

const idFrom = (uuid: string): number => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)
const idOf = ({ id }: Task): number => idFrom(id.replace('task-', ''))
const uploads = openUploads((key) => String(idFrom(key)))
const answer = (ErrCode: number, ErrMsg: string, Resp: object) => ({ ErrCode, ErrMsg, Resp })

export const dialect: Dialect = {
  keyOf: (c) => c.req.header('api-key'),
  refuse: (c, status, message) => {
    const body = answer(codes[status] ?? 99999, message, {})
    return c.json(body, status === 500 || status === 503 ? status : 200)
  },
  routes: (app, tasks) => {
    app.use(async (c, next) => {
      if (c.req.header('ai-trace-id')) return next()
      return c.json(answer(400011, 'Ai-trace-id is missing', {}))
    })
    for (const mode of Object.keys(modes)) app.post(`/openapi/v2/video/${mode}/generate`, (c) => create(c, tasks, mode))
    app.get('/openapi/v2/video/result/:id', (c) => {
      const found = tasks.list().find((task) => String(idOf(task)) === c.req.param('id'))
      return tasks.poll(c, found?.id, (task) => answer(0, 'success', resultOf(task, tasks.filmUrl(task))))
    })
    app.post('/openapi/v2/image/upload', async (c) => {
      const { image } = await c.req.parseBody()
      const id = await uploads.add(image)
      if (id === null) return c.json(answer(400017, 'image is missing', {}))
      return c.json(answer(0, 'success', { img_id: Number(id), img_url: `https://media.pixverse.ai/${id}.png` }))
    })
    app.post('/openapi/v2/media/upload', async (c) => {
      const { file } = await c.req.parseBody()
      const id = await uploads.add(file)
      if (id === null) return c.json(answer(400017, 'file is missing', {}))
      return c.json(
        answer(0, 'success', { media_id: Number(id), media_type: 'video', url: `https://media.pixverse.ai/${id}` }),
      )
    })
    app.get('/openapi/v2/account/balance', (c) =>
      c.json(answer(0, 'success', { account_id: 1, credit_monthly: 0, credit_package: 1000 })),
    )
  },
}

async function create(c: Call, tasks: Tasks, mode: string): Promise<Response> {
  const body = await c.req.json()
  const image = body.img_id ?? body.first_frame_img ?? body.image_references?.[0]?.img_id
  const media = mode === 'extend' ? (body.video_media_id ?? body.source_video_id) : image
  const isWrong = (mode !== 'text' && typeof media !== 'number') || (body.aspect_ratio && !modes[mode])
  if (isWrong)
    return c.json(answer(400017, `${mode} takes the id of an upload, and no aspect_ratio unless it is fusion`, {}))
  const earlier = (id: unknown): string | undefined => {
    const task = tasks.list().find((each) => idOf(each) === id)
    return task && tasks.filmUrl(task)
  }
  const wanted = {
    prompt: body.prompt,
    model: body.model,
    duration: body.duration,
    quality: body.quality,
    aspectRatio: body.aspect_ratio,
    inputs: inputsIn(body, fields, (id) => earlier(id) ?? uploads.find(id)),
    idempotencyKey: c.req.header('ai-trace-id'),
  }
  return tasks.submit(c, wanted, (task) =>
    answer(0, 'success', { video_id: idOf(task), credits: CREDITS_PER_SECOND * task.request.durationS }),
  )
}

function resultOf(task: Task, url: string) {
  const { request } = task
  const state = stateOf(task)
  const running = readSentinels(request.prompt).has('unknown-status') ? 10 : 5
  const isFilm = state === 'completed' && missingFilm(request.prompt) === null
  return {
    id: idOf(task),
    status: { waiting: running, generating: running, completed: 1, failed: 8 }[state],
    url: isFilm ? url : '',
    prompt: request.prompt,
    outputWidth: request.width,
    outputHeight: request.height,
    has_audio: false,
    credits: CREDITS_PER_SECOND * request.durationS,
  }
}
