/** The Vercel AI Gateway: the start of a task and its status, the model in a header, callbacks of its end. */
import { createHash, createHmac } from 'node:crypto'
import type { Context } from 'hono'
import { type Dialect, type Refusal, stateOf, type Task } from '../dialect.ts'
import { type Fields, inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'

const START_BYTES_MAX = 300 * 1024
const types: Record<Refusal, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'insufficient_funds',
  404: 'not_found',
  422: 'invalid_request_error',
  429: 'rate_limit_exceeded',
  500: 'internal_server_error',
  503: 'internal_server_error',
}

const fields: Fields = {
  'frameImages[frameType=first_frame].image': 'start',
  'frameImages[frameType=last_frame].image': 'end',
  image: 'start',
  'inputReferences[kind=image]': 'reference',
  'inputReferences[kind=video]': 'reference film',
  'inputReferences[kind=audio]': 'reference sound',
}
type File = { mediaType?: string }
type Start = {
  prompt?: string
  duration?: number
  aspectRatio?: string
  resolution?: string
  frameImages?: { frameType: string }[]
  inputReferences?: File[]
  callbackUrl?: string
}

export const dialect: Dialect = {
  refuse,
  routes: (app, tasks) => {
    app.get('/v1/credits', (c) => c.json({ balance: '95.50', total_used: '4.50' }))
    app.get('/v1/models', (c) =>
      c.json({
        object: 'list',
        data: tasks.models().map(({ name, createdAt, usdPerSecond }) => ({
          ...{ id: name, object: 'model', created: createdAt, owned_by: name.split('/')[0], name, type: 'video' },
          pricing: usdPerSecond === null ? {} : { video_duration_pricing: [{ cost_per_second: String(usdPerSecond) }] },
        })),
      }),
    )
    app.get('/v1/generation', (c) =>
      tasks.poll(c, c.req.query('id')?.replace(/^gen_/, ''), ({ request }) => ({
        data: { id: c.req.query('id'), total_cost: request.durationS / 10 },
      })),
    )
    app.use('/v4/ai/*', async (c, next) => {
      const isPinned = c.req.header('ai-gateway-protocol-version') === '0.0.1'
      const isFour = c.req.header('ai-video-model-specification-version') === '4'
      return isPinned && isFour && c.req.header('ai-model-id')
        ? next()
        : refuse(c, 400, 'The headers of the protocol are missing.')
    })
    app.post('/v4/ai/video-model/start', async (c) => {
      const text = await c.req.text()
      if (Buffer.byteLength(text) > START_BYTES_MAX)
        return error(c, 413, 'The request is over 300 KiB.', 'invalid_request_error')
      const { resolution, ...start }: Start = JSON.parse(text)
      const wanted = {
        prompt: start.prompt,
        model: c.req.header('ai-model-id'),
        duration: start.duration,
        aspectRatio: start.aspectRatio,
        [resolution?.includes('x') ? 'size' : 'quality']: resolution,
        inputs: inputsIn(filesOf(start), fields),
        callbackUrl: start.callbackUrl,
        idempotencyKey: c.req.header('idempotency-key'),
      }
      return tasks.submit(c, wanted, ({ id, callbackUrl }) => {
        const secret = callbackUrl === null ? {} : { webhookSigningSecret: secretOf(id) }
        const asyncJob = { jobId: id, status: 'pending', ...secret }
        return { operation: { gatewayJobId: id }, warnings: [], providerMetadata: { gateway: { asyncJob } } }
      })
    })
    app.post('/v4/ai/video-model/status', async (c) => {
      const { operation } = await c.req.json()
      return tasks.poll(c, operation?.gatewayJobId, (task) => statusOf(task, tasks.filmUrl(task)))
    })
  },
  callback: (task, reason) => ({
    type: `video.generation.${endOf(task, reason)}`,
    createdAt: new Date().toISOString(),
    data: { jobId: task.id, status: endOf(task, reason) },
  }),
  sign: (body, task) => {
    const timestamp = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', secretOf(task.id)).update(`${timestamp}.${body}`).digest('hex')
    return {
      'x-ai-gateway-signature': `t=${timestamp},v1=${signature}`,
      'x-ai-gateway-idempotency-key': `${task.id}-${endOf(task, task.error)}`,
    }
  },
}

/** A first frame takes the place of the image; frames exclude references, of which each has its kind in its type. */
function filesOf({ frameImages = [], inputReferences = [], ...start }: Start): object {
  const isFirst = frameImages.some(({ frameType }) => frameType === 'first_frame')
  const references = inputReferences.map((file) => ({ ...file, kind: file.mediaType?.split('/')[0] ?? 'image' }))
  const image = isFirst ? { image: undefined } : {}
  return { ...start, ...image, frameImages, inputReferences: frameImages.length > 0 ? [] : references }
}

function refuse(c: Context, refusal: Refusal, message: string): Response {
  return error(c, refusal === 422 ? 400 : refusal, message, types[refusal])
}
const error = (c: Context, status: 413 | Exclude<Refusal, 422>, message: string, type: string): Response =>
  c.json({ error: { message, type, param: null, code: null } }, status)

const secretOf = (id: string): string => createHash('sha256').update(`secret of ${id}`).digest('base64url')
const endOf = ({ isCancelled }: Task, reason: string | null): string =>
  isCancelled ? 'cancelled' : reason === null ? 'completed' : 'failed'

function statusOf(task: Task, url: string): object {
  const { id, error: reason, request, isCancelled } = task
  const state = stateOf(task)
  if (isCancelled) return { status: 'cancelled' }
  if (state === 'failed') return { status: 'error', error: reason }
  if (state !== 'completed') {
    return { status: readSentinels(request.prompt).has('unknown-status') ? 'simmering' : 'pending', warnings: [] }
  }
  const missing = missingFilm(request.prompt)
  if (missing) return { status: 'error', error: missing }
  const videos = missing === null ? [{ type: 'url', url, mediaType: 'video/mp4' }] : []
  const gateway = { generationId: `gen_${id}`, asyncJob: { jobId: id, status: 'completed' } }
  return { status: 'completed', videos, warnings: [], providerMetadata: { gateway } }
}
