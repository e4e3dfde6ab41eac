/** LocalAI: one call that waits for the film. */
import type { Context } from 'hono'
import type { Dialect, Refusal } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import { missingFilm } from '../sentinels.ts'

const RETRY_AFTER_S = '5'
const fields: Fields = { start_image: 'start', end_image: 'end', audio: 'sound' }
/** It has no balance, but hardware that a model may not fit; and it is busy while it loads a model. */
const statuses: Partial<Record<Refusal, 400 | 412 | 503>> = { 402: 412, 422: 400, 429: 503 }

export const dialect: Dialect = {
  refuse,
  routes: (app, tasks) => {
    app.get('/v1/models', (c) =>
      c.json({ object: 'list', data: tasks.models().map(({ name }) => ({ id: name, object: 'model' })) }),
    )
    app.get('/generated-videos/:file', (c) =>
      tasks.poll(c, c.req.param('file').replace(/\.mp4$/, ''), (task) => c.redirect(tasks.filmUrl(task))),
    )
    app.post('/video', async (c) => {
      const body = await c.req.json()
      const { model, prompt, width, height, num_frames: frames, fps } = body
      const wanted = {
        model,
        prompt,
        size: width && height ? `${width}x${height}` : '512x512',
        duration: frames ? frames / (fps || 24) : undefined,
        inputs: inputsIn(body, fields),
        isSynchronous: true,
      }
      return tasks.submit(c, wanted, ({ id, error, createdAt, request }) => {
        const missing = missingFilm(request.prompt)
        const reason = error ?? missing
        if (reason) return refuse(c, 500, reason)
        const data = missing === null ? [{ url: `${tasks.address()}/generated-videos/${id}.mp4` }] : []
        return { id, created: Math.floor(createdAt / 1000), data }
      })
    })
  },
}

function refuse(c: Context, refusal: Refusal, message: string): Response {
  const status = statuses[refusal] ?? refusal
  if (status === 503) c.header('retry-after', RETRY_AFTER_S)
  return c.json({ error: { message, code: status === 503 ? 'model_loading' : status } }, status)
}
