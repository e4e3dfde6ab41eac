/** fal: a queue per endpoint, three addresses per task, callbacks signed with Ed25519. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { Hono } from 'hono'
import { type Dialect, stateOf, type Task, type Tasks } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import type { Published } from '../published.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'
import { problemIn } from '../vendor-body.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')

/** Of an endpoint without another one. */
const PRICE = { unit_price: 0.1, unit: 'second', currency: 'USD' }
const fields: Fields = {
  ...{ image_url: 'start', start_image_url: 'start', first_frame_url: 'start', first_image_url: 'start' },
  ...{ end_image_url: 'end', last_frame_url: 'end', last_image_url: 'end', tail_image_url: 'end' },
  ...{ image_urls: 'reference', reference_image_url: 'reference', reference_image_urls: 'reference' },
  ...{ video_urls: 'reference film', reference_video_urls: 'reference film' },
  ...{ audio_urls: 'reference sound', reference_audio_urls: 'reference sound' },
  ...{ video_url: 'film', audio_url: 'sound', 'keyframes.image_url': 'keyframe' },
}
/** What the fields of some endpoints mean: the person who moves or speaks, and the film that is edited. */
const fieldsOf = (endpoint: string, task: unknown): Fields => ({
  ...fields,
  ...(/motion|animate|act-/.test(endpoint) && { video_url: 'motion' }),
  ...(/avatar|omnihuman|fabric|talk|speech|s2v/.test(endpoint) && { image_url: 'portrait' }),
  ...(/^(editing|extension)$/.test(String(task)) && { video_urls: 'film' }),
})
const types: Record<string, string> = { 400: 'value_error', 422: 'content_policy_violation' }

export const dialect: Dialect = {
  keyOf: (c) => /^Key (.+)$/.exec(c.req.header('authorization') ?? '')?.[1],
  refuse: (c, status, message, path = []) => {
    if (status === 402) return c.json({ detail: `User is locked. Reason: Exhausted balance. ${message}` }, 403)
    if (status === 404) return c.json({ status: 'NOT_FOUND' }, 404)
    const type = types[status]
    return c.json(
      { detail: type ? [{ loc: ['body', ...path], msg: message, type }] : message },
      status === 400 ? 422 : status,
    )
  },
  routes: (app, tasks, open) => {
    open.get('/.well-known/jwks.json', (c) => c.json({ keys: [publicKey.export({ format: 'jwk' })] }))
    lists(app, tasks, open)
    app.get('/v1/account/billing', (c) => {
      const credits = { current_balance: 24.5, currency: 'USD' }
      return c.json({ username: 'simulator', ...(c.req.query('expand') === 'credits' ? { credits } : {}) })
    })
    app.get('/:owner/:app/requests/:id/status', (c) =>
      tasks.poll(c, c.req.param('id'), (task) => {
        const state = stateOf(task)
        if (state === 'waiting') return { status: 'IN_QUEUE', queue_position: 1, request_id: task.id }
        if (state === 'generating') {
          const isUnknown = readSentinels(task.request.prompt).has('unknown-status')
          return { status: isUnknown ? 'SIMMERING' : 'IN_PROGRESS', request_id: task.id }
        }
        const failed = task.error === null ? {} : { error: task.error, error_type: errorType(task) }
        return { status: 'COMPLETED', request_id: task.id, metrics: { inference_time: 1 }, ...failed }
      }),
    )
    app.get('/:owner/:app/requests/:id', (c) =>
      tasks.poll(c, c.req.param('id'), (task) => {
        if (task.endedAt === null) return c.json({ detail: 'Request is still in progress' }, 400)
        if (task.error !== null) return c.json(errorBody(task, task.error), 422)
        c.header('x-fal-billable-units', String(task.request.durationS))
        return resultOf(task, tasks.filmUrl(task))
      }),
    )
    app.put('/:owner/:app/requests/:id/cancel', (c) =>
      tasks.poll(c, c.req.param('id'), (task) =>
        tasks.cancel(task)
          ? c.json({ status: 'CANCELLATION_REQUESTED' }, 202)
          : c.json({ status: 'ALREADY_COMPLETED' }, 400),
      ),
    )
    app.post('/*', async (c) => {
      const body = await c.req.json()
      const {
        duration,
        aspect_ratio: aspectRatio,
        target_resolution: target,
        resolution: stated = target,
        prompt,
      } = body
      const [, owner, name, ...rest] = new URL(c.req.url).pathname.split('/')
      const model = [owner, name, ...rest].join('/')
      // Some endpoints have their size in their name.
      const quality = stated ?? rest.find((part) => part === '4k')
      const wanted = {
        prompt,
        model,
        duration,
        aspectRatio,
        quality,
        inputs: inputsIn(body, fieldsOf(model, body.task)),
        callbackUrl: c.req.query('fal_webhook'),
        problem: problemIn('fal', model, body),
      }
      return tasks.submit(c, wanted, ({ id }) => {
        const url = `${tasks.address()}/${owner}/${name}/requests/${id}`
        const urls = { response_url: url, status_url: `${url}/status`, cancel_url: `${url}/cancel` }
        return { status: 'IN_QUEUE', request_id: id, gateway_request_id: id, queue_position: 1, ...urls }
      })
    })
  },
  callback: (task, error, url) => ({
    request_id: task.id,
    gateway_request_id: task.id,
    ...(error === null
      ? { status: 'OK', payload: resultOf(task, url) }
      : { status: 'ERROR', error, payload: errorBody(task, error) }),
  }),
  sign: (body, { id }) => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const message = [id, 'simulator', timestamp, createHash('sha256').update(body).digest('hex')].join('\n')
    return {
      'x-fal-webhook-request-id': id,
      'x-fal-webhook-user-id': 'simulator',
      'x-fal-webhook-timestamp': timestamp,
      'x-fal-webhook-signature': sign(null, Buffer.from(message), privateKey).toString('hex'),
    }
  },
}

/** Models, prices of a unit, and the OpenAPI of an endpoint. */
function lists(app: Hono, tasks: Tasks, open: Hono): void {
  app.get('/v1/models/pricing', (c) => {
    const priceOf = (id: string) => tasks.models().find(({ name }) => name === id)?.usdPerSecond ?? PRICE.unit_price
    const asked = c.req.queries('endpoint_id') ?? []
    const prices = asked.map((endpoint_id) => ({ endpoint_id, ...PRICE, unit_price: priceOf(endpoint_id) }))
    return c.json({ next_cursor: null, has_more: false, prices })
  })
  app.get('/v1/models', (c) => {
    const [asked, category] = [c.req.queries('endpoint_id'), c.req.query('category')]
    const models = tasks.models().flatMap(({ name, createdAt }) => {
      const own = /image-to-video/.test(name) ? 'image-to-video' : 'text-to-video'
      const date = new Date(createdAt * 1000).toISOString()
      const isAsked = asked ? asked.includes(name) : (category ?? own) === own
      return isAsked
        ? [{ endpoint_id: name, metadata: { display_name: name, category: own, status: 'active', date } }]
        : []
    })
    return c.json({ models, next_cursor: null, has_more: false })
  })
  open.get('/api/openapi/queue/openapi.json', (c) => {
    const found = tasks.models().find(({ name }) => name === c.req.query('endpoint_id'))
    return found ? c.json(documentOf(found)) : c.json({ detail: 'Not found' }, 404)
  })
}

/** Of the request alone. */
function documentOf({ name, seconds, qualities, ratios }: Published): object {
  const one = (values: unknown[]) => ({ type: 'string', ...(values.length > 0 && { enum: values.map(String) }) })
  const isOfImage = /image-to-video/.test(name)
  const properties = {
    prompt: { type: 'string' },
    duration: one(seconds),
    resolution: one(qualities),
    ...(isOfImage ? { image_url: { type: 'string' } } : { aspect_ratio: one(ratios) }),
  }
  const schema = { type: 'object', properties, required: ['prompt', ...(isOfImage ? ['image_url'] : [])] }
  const post = { requestBody: { required: true, content: { 'application/json': { schema } } } }
  return {
    openapi: '3.0.4',
    info: { title: name, 'x-fal-metadata': { endpointId: name } },
    paths: { [`/${name}`]: { post } },
  }
}

const errorType = ({ isCancelled }: Task): string => (isCancelled ? 'client_cancelled' : 'internal_server_error')
const errorBody = (task: Task, msg: string) =>
  task.isCancelled
    ? { detail: msg, error_type: errorType(task) }
    : { detail: [{ loc: ['body'], msg, type: errorType(task) }] }

/** A refusal of what came out is an error there: a result without a film has no text. */
function resultOf(task: Task, url: string): object {
  const missing = missingFilm(task.request.prompt)
  if (missing !== null) return missing === '' ? {} : { detail: missing }
  return { video: { url, content_type: 'video/mp4', file_name: 'film.mp4' } }
}
