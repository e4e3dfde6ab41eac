/** OpenRouter: jobs at /api/v1/videos, a film behind the key, and callbacks signed with the secret of the workspace. */
import { createHmac } from 'node:crypto'
import { type Dialect, stateOf, type Task } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'
import { problemIn } from '../vendor-body.ts'

const API = '/api/v1'
const USD_PER_S = 0.05
const fields: Fields = {
  'frame_images[frame_type=first_frame].image_url': 'start',
  'frame_images[frame_type=last_frame].image_url': 'end',
  'input_references[type=image_url].image_url': 'reference',
  'input_references[type=video_url].video_url': 'reference film',
  'input_references[type=audio_url].audio_url': 'reference sound',
}

export const dialect: Dialect = {
  refuse: (c, refusal, text, path = []) => {
    const message = [...path, text].join(': ')
    const status = refusal === 422 ? 403 : refusal
    const metadata = refusal === 422 ? { metadata: { reasons: ['moderation'], flagged_input: '…' } } : {}
    return c.json({ error: { code: status, message, ...metadata }, user_id: 'simulator' }, status)
  },
  routes: (app, tasks) => {
    app.get(`${API}/key`, (c) =>
      c.json({ data: { label: 'sk-or-v1-…', limit: 100, limit_remaining: 99.5, usage: 0.5 } }),
    )
    app.get(`${API}/credits`, (c) => {
      const message = 'Only management keys can fetch credits for an account'
      return c.json({ error: { code: 403, message } }, 403)
    })
    app.get(`${API}/videos/models`, (c) =>
      c.json({
        data: tasks.models().map(({ name, seconds, qualities, ratios, usdPerSecond, createdAt }) => ({
          id: name,
          name: `${name.split('/')[0]}: ${name.split('/')[1]}`,
          created: createdAt,
          supported_durations: listOrNull(seconds),
          supported_resolutions: listOrNull(qualities),
          supported_aspect_ratios: listOrNull(ratios),
          supported_frame_images: null,
          generate_audio: null,
          seed: null,
          pricing_skus: usdPerSecond === null ? null : { duration_seconds: String(usdPerSecond) },
        })),
      }),
    )
    app.post(`${API}/videos`, async (c) => {
      const all = await c.req.json()
      const { aspect_ratio: aspectRatio, resolution: quality, callback_url, ...body } = all
      const problem = problemIn('openrouter', 'videos', all)
      const wanted = {
        ...body,
        aspectRatio,
        quality,
        inputs: inputsIn(all, fields),
        callbackUrl: callback_url,
        problem,
      }
      return tasks.submit(c, wanted, ({ id }) => {
        const polling_url = `${tasks.address()}${API}/videos/${id}`
        return c.json({ id, polling_url, status: 'pending' }, 202)
      })
    })
    app.get(`${API}/videos/:id`, (c) =>
      tasks.poll(c, c.req.param('id'), (task) => {
        const polling_url = `${tasks.address()}${API}/videos/${task.id}`
        return { ...job(task, task.error, `${polling_url}/content?index=0`), polling_url }
      }),
    )
    app.get(`${API}/videos/:id/content`, async (c) => {
      const task = tasks.find(c.req.param('id'))
      if (!task || task.error !== null) return dialect.refuse(c, 404, 'There is no such job.')
      if (task.endedAt === null) return c.json({ error: { code: 409, message: 'The job has not finished.' } }, 409)
      return c.body(await tasks.filmBytes(task), 200, { 'content-type': 'video/mp4' })
    })
  },
  callback: (task, error, url) => {
    const data = job(task, error, url)
    return { type: `video.generation.${data.status}`, created_at: new Date().toISOString(), data }
  },
  sign: (body, { id }, key) => {
    const idempotency = { 'x-openrouter-idempotency-key': `${id}-ended` }
    if (key === null) return idempotency as Record<string, string>
    const timestamp = Math.floor(Date.now() / 1000)
    const hash = createHmac('sha256', key).update(`${timestamp},${body}`).digest('hex')
    return { ...idempotency, 'x-openrouter-signature': `t=${timestamp},v1=${hash}` }
  },
}

const listOrNull = <T>(values: T[]): T[] | null => (values.length > 0 ? values : null)

function job(task: Task, error: string | null, url: string) {
  const { id, request, endedAt, isCancelled } = task
  if (endedAt === null) {
    const running = stateOf(task) === 'waiting' ? 'pending' : 'in_progress'
    return { id, status: readSentinels(request.prompt).has('unknown-status') ? 'simmering' : running }
  }
  if (error !== null) return { id, status: isCancelled ? 'cancelled' : 'failed', error }
  const missing = missingFilm(request.prompt)
  const usage = { cost: request.durationS * USD_PER_S, is_byok: false }
  if (missing) return { id, status: 'failed', error: missing, usage }
  return { id, generation_id: `gen-${id}`, status: 'completed', unsigned_urls: missing === null ? [url] : [], usage }
}
