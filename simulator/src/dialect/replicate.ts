/** Replicate: predictions of an official model, a version or a deployment; webhooks signed by the account's secret. */
import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { type Dialect, progressOf, stateOf, type Task, type Tasks } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import type { Published } from '../published.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'
import { standardSignature } from '../standard-webhook.ts'

const secret = `whsec_${randomBytes(24).toString('base64')}`

const fields: Fields = {
  ...{ image: 'start', start_image: 'start', first_frame_image: 'start', first_frame: 'start', input_image: 'start' },
  ...{ end_image: 'end', last_frame: 'end', last_frame_image: 'end', reference_images: 'reference' },
  ...{ reference_video: 'reference film', reference_videos: 'reference film', reference_audios: 'reference sound' },
  ...{ video: 'film', input_video: 'film', video_url: 'film', audio: 'sound', audio_file: 'sound', audio_url: 'sound' },
}
/** What the fields of some models mean: the person who moves or speaks, and the film that is edited. */
const fieldsOf = (model: unknown, { video_reference_type: type }: { video_reference_type?: string }): Fields => ({
  ...fields,
  ...(/motion|animate/.test(String(model)) && { character_image: 'start', video: 'motion', reference_video: 'motion' }),
  ...(/avatar|omni-human|fabric|s2v|talk/.test(String(model)) && { image: 'portrait' }),
  ...(type === 'base' && { reference_video: 'film' }),
})

const titles: Record<number, string> = {
  401: 'Unauthenticated',
  402: 'Insufficient credit',
  404: 'Not found',
  422: 'Input validation failed',
  429: 'Too many requests',
  500: 'Internal server error',
  503: 'Service unavailable',
}

export const dialect: Dialect = {
  refuse: (c, refusal, detail) => {
    const status = refusal === 400 ? 422 : refusal
    if (status === 429) c.header('retry-after', '1')
    return c.json({ title: titles[status], detail, status }, status)
  },
  routes: (app, tasks) => {
    app.get('/v1/account', (c) => c.json({ type: 'organization', username: 'simulator', name: 'Simulator' }))
    app.get('/v1/webhooks/default/secret', (c) => c.json({ key: secret }))
    app.get('/v1/models/:owner/:name', (c) => {
      const { owner, name } = c.req.param()
      const found = tasks.models().find((each) => each.name === `${owner}/${name}`)
      if (!found) return dialect.refuse(c, 404, 'The requested resource could not be found.')
      return c.json({ owner, name, latest_version: { id: 'simulator', openapi_schema: schemaOf(found) } })
    })
    app.post('/v1/models/:owner/:name/predictions', (c) =>
      create(c, tasks, `${c.req.param('owner')}/${c.req.param('name')}`),
    )
    app.post('/v1/deployments/:owner/:name/predictions', (c) => create(c, tasks, c.req.param('name')))
    app.post('/v1/predictions', async (c) => create(c, tasks, (await c.req.json()).version))
    app.get('/v1/predictions/:id', (c) => tasks.poll(c, c.req.param('id'), (task) => served(task, tasks)))
    app.post('/v1/predictions/:id/cancel', (c) =>
      tasks.poll(c, c.req.param('id'), (task) => {
        tasks.cancel(task)
        return served(task, tasks)
      }),
    )
  },
  callback: prediction,
  sign: (body, { id }) => standardSignature(body, `msg_${id}`, secret),
}

function schemaOf({ seconds, qualities, ratios }: Published): object {
  const one = (values: unknown[]) => (values.length > 0 ? { enum: values } : {})
  const properties = {
    prompt: { type: 'string' },
    duration: { type: 'integer', ...one(seconds) },
    resolution: { type: 'string', ...one(qualities) },
    aspect_ratio: { type: 'string', ...one(ratios) },
    image: { type: 'string', format: 'uri' },
  }
  return { components: { schemas: { Input: { type: 'object', required: ['prompt'], properties } } } }
}

async function create(c: Context, tasks: Tasks, model: unknown): Promise<Response> {
  const { input = {}, webhook: callbackUrl } = await c.req.json()
  const { prompt, duration, aspect_ratio: aspectRatio, resolution: quality } = input
  const inputs = inputsIn(input, fieldsOf(model, input))
  const isSynchronous = c.req.header('prefer')?.startsWith('wait') ?? false
  const wanted = { prompt, model, duration, aspectRatio, quality, inputs, callbackUrl, isSynchronous }
  return tasks.submit(c, wanted, (task) => c.json(served(task, tasks), 201))
}

function served(task: Task, tasks: Tasks): object {
  const get = `${tasks.address()}/v1/predictions/${task.id}`
  return { ...prediction(task, task.error, tasks.filmUrl(task)), urls: { get, cancel: `${get}/cancel` } }
}

function prediction(task: Task, error: string | null, url: string): object {
  const { id, request, createdAt, startsAt, endedAt } = task
  const missing = missingFilm(request.prompt)
  const hasEnded = endedAt !== null
  const hasFilm = hasEnded && error === null && missing === null
  const running = stateOf(task) === 'waiting' ? 'starting' : 'processing'
  const word = readSentinels(request.prompt).has('unknown-status') ? 'simmering' : running
  const failed = task.isCancelled ? 'canceled' : 'failed'
  return {
    id,
    model: request.model,
    version: 'hidden',
    input: { prompt: request.prompt },
    output: hasFilm ? url : null,
    logs: hasEnded ? '' : ` ${progressOf(task)}%|####      | 1/2 [00:01<00:01,  1.00s/it]\n`,
    error: error ?? (hasEnded && missing ? missing : null),
    status: hasEnded ? (error === null ? 'succeeded' : failed) : word,
    metrics: hasEnded ? { predict_time: (endedAt - startsAt) / 1000, total_time: (endedAt - createdAt) / 1000 } : {},
    created_at: new Date(createdAt).toISOString(),
    started_at: new Date(startsAt).toISOString(),
    completed_at: hasEnded ? new Date(endedAt).toISOString() : null,
    data_removed: false,
    source: 'api',
  }
}
