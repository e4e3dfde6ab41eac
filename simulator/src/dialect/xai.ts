/** xAI: three endpoints, `request_id`, polls with 202 while a film is generated, and errors of a code and a text. */
import type { Context } from 'hono'
import { type Dialect, progressOf, type Refusal, stateOf, type Task, type Tasks } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'

const USD_PER_S = 0.05
const fields: Fields = {
  ...{ image: 'start', last_frame: 'end', 'keyframes.image': 'keyframe' },
  ...{ reference_images: 'reference', reference_audios: 'reference sound', video: 'film' },
}
const TICKS_PER_USD = 1e10

const codes: Record<Refusal, string> = {
  400: 'invalid-argument',
  401: 'unauthenticated:bad-credentials',
  402: 'permission-denied',
  404: 'not-found',
  422: 'imagine:content-moderated',
  429: 'resource-exhausted',
  500: 'internal',
  503: 'unavailable',
}
const statuses: Partial<Record<Refusal, Refusal | 403>> = { 402: 403, 422: 400 }

export const dialect: Dialect = {
  refuse: (c, refusal, error) => c.json({ code: codes[refusal], error }, statuses[refusal] ?? refusal),
  routes: (app, tasks) => {
    app.get('/v1/api-key', (c) =>
      c.json({ redacted_api_key: 'xai-…', api_key_blocked: false, api_key_disabled: false, team_blocked: false }),
    )
    app.post('/v1/videos/:kind{generations|edits|extensions}', (c) => create(c, tasks))
    app.get('/v1/videos/:id', (c) =>
      tasks.poll(c, c.req.param('id'), (task) => {
        if (stateOf(task) === 'waiting') return c.body(null, 202)
        if (task.endedAt !== null) return ended(task, tasks.filmUrl(task))
        const isUnknown = readSentinels(task.request.prompt).has('unknown-status')
        return c.json({ status: isUnknown ? 'simmering' : 'pending', progress: progressOf(task) }, 202)
      }),
    )
  },
}

async function create(c: Context, tasks: Tasks): Promise<Response> {
  const body = await c.req.json()
  const { model, prompt, duration, aspect_ratio: aspectRatio, resolution: quality, image, video } = body
  if (c.req.param('kind') !== 'generations' && !video?.url) return dialect.refuse(c, 400, 'video.url is missing.')
  // A start image decides the ratio.
  const shape = image?.url ? {} : { aspectRatio }
  const wanted = { model, prompt, duration, quality, inputs: inputsIn(body, fields), ...shape }
  return tasks.submit(c, wanted, ({ id }) => ({ request_id: id }))
}

function ended({ request, error }: Task, url: string): object {
  const { model, durationS: duration } = request
  if (error !== null) return { status: 'failed', error: { code: 'internal_error', message: error } }
  const missing = missingFilm(request.prompt)
  const video = { url, duration, respect_moderation: true }
  return {
    status: 'done',
    progress: 100,
    model,
    usage: { cost_in_usd_ticks: Math.round(duration * USD_PER_S * TICKS_PER_USD) },
    // A film that was refused has no text there.
    video: missing === null ? video : { ...video, url: '', respect_moderation: missing === '' },
  }
}
