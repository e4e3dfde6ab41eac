/**
 * `/replicate/v1`: the wire format of Replicate's predictions, for its package `replicate`. The models are `kinora/<model>`.
 * Create, with `Prefer: wait`, get, cancel, list, models, and the upload of an input file.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { App } from '../../app.ts'
import { catalogue } from '../../catalogue/catalogue.ts'
import type { Model } from '../../catalogue/model.ts'
import { withModelValues } from '../../catalogue/request.ts'
import { generateOnce } from '../../compatible/repeated-request.ts'
import { viewOfNew, viewVideo, viewVideos } from '../../compatible/video-view.ts'
import { MODEL_OWNER, predictionsUrl, toPrediction } from '../../compatible/wire-formats.ts'
import { AppError } from '../../errors.ts'
import { isFinal } from '../../film/fields.ts'
import { cancel } from '../../video/cancel.ts'
import type { GenerateInput } from '../../video/generate-request.ts'
import { disconnection, type Http, idempotencyKeyOf, typed, userOf } from '../request/request.ts'
import {
  DEFAULT_ASPECT_RATIO,
  type ErrorShape,
  enabledModels,
  fieldOf,
  Ignored,
  modelNotFound,
  ownModel,
  registerFormat,
  type Shared,
  silently,
  withModelNotFound,
} from './format.ts'
import { acceptForms, LARGE_BODY_BYTES_MAX } from './large-bodies.ts'
import { startImageOf } from './start-image.ts'
import { readParameters } from './vocabulary.ts'

const WAIT_S_MAX = 60
const PAGE_SIZE = 100

/** Its other fields depend on the model. */
const Input = Type.Unsafe<Record<string, unknown> & { prompt: string }>({ type: 'object', required: ['prompt'] })
const Body = Type.Object({
  input: Input,
  model: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  webhook: Type.Optional(Type.String()),
  webhook_events_filter: Type.Optional(Type.Array(Type.Enum(['start', 'output', 'logs', 'completed']))),
  stream: Ignored,
})
const Id = Type.Object({ id: Type.String() })
const ModelName = Type.Object({ owner: Type.String(), name: Type.String() })

export function registerReplicate(server: FastifyInstance, app: App, shared: Shared): void {
  registerFormat(server, { prefix: '/replicate/v1', format: 'replicate', errorShape: replicateError }, (scope) => {
    acceptForms(scope)
    const http = typed(scope)
    registerCreation(http, app, shared)
    registerPredictions(http, app)
    registerModels(http, app)
    registerFiles(http, app, shared)
  })
}

type Predicting = { app: App } & Pick<Shared, 'waitForFilm'>

const createOptions = (limitLarge: Shared['limitLarge']) =>
  ({
    config: { access: 'user', scope: 'generate', token: true, limit: 'generate' },
    onRequest: limitLarge,
    bodyLimit: LARGE_BODY_BYTES_MAX,
  }) as const

/** Creates a prediction, by the model's path or by its name in the body. */
function registerCreation(http: Http, app: App, { limitLarge, waitForFilm }: Shared): void {
  http.route({
    method: 'POST',
    url: '/models/:owner/:name/predictions',
    ...createOptions(limitLarge),
    schema: { hide: true, body: Body, params: ModelName },
    handler: (request, reply) => {
      const { owner, name } = request.params
      return predict({ app, waitForFilm }, request, reply, ownModel(app, owner, name), request.body)
    },
  })

  http.route({
    method: 'POST',
    url: '/predictions',
    ...createOptions(limitLarge),
    schema: { hide: true, body: Body },
    handler: (request, reply) => {
      const [owner, name] = (request.body.version ?? request.body.model ?? '').split(/[/:]/)
      return predict({ app, waitForFilm }, request, reply, ownModel(app, owner, name), request.body)
    },
  })
}

/** Makes a film, and waits for it as long as the request says. */
async function predict(
  { app, waitForFilm }: Predicting,
  request: FastifyRequest,
  reply: FastifyReply,
  modelName: string,
  body: Body,
) {
  const wanted = await requestOf(app, request, reply, modelName, body)
  const made = await generateOnce(app, userOf(request), wanted, {
    idempotencyKey: idempotencyKeyOf(request.headers),
    // The package sends a request up to six times when its connection breaks, at once and without a mark.
    repetition: silently(app, reply, [modelName, body.input, ...webhookOf(body)], 0),
  }).catch(withModelNotFound(app))
  const waitMs = waitMsOf(request)
  const video =
    waitMs === 0
      ? viewOfNew(wanted, made)
      : await waitForFilm(request, made.uuid, { waitMs, signal: disconnection(reply) })
  const prediction = toPrediction(app, video)
  // Any other status tells the package that the film is final.
  return reply.code(201).send(isFinal(video.status) ? prediction : { ...prediction, status: 'starting' })
}

/** Lists, reads and cancels predictions. */
function registerPredictions(http: Http, app: App): void {
  http.route({
    method: 'GET',
    url: '/predictions',
    config: { access: 'user', scope: 'read', token: true },
    schema: { hide: true, querystring: Type.Object({ cursor: Type.Optional(Type.String()) }) },
    handler: async (request) => {
      const { videos, hasMore } = await viewVideos(app, userOf(request), {
        after: request.query.cursor,
        limit: PAGE_SIZE,
        order: 'desc',
      })
      const next = hasMore ? `${predictionsUrl(app)}?cursor=${videos.at(-1)?.uuid}` : null
      return { previous: null, next, results: videos.map((video) => toPrediction(app, video)) }
    },
  })

  http.route({
    method: 'GET',
    url: '/predictions/:id',
    config: { access: 'user', scope: 'read', token: true },
    schema: { hide: true, params: Id },
    handler: async (request) => toPrediction(app, await viewVideo(app, userOf(request), request.params.id)),
  })

  http.route({
    method: 'POST',
    url: '/predictions/:id/cancel',
    config: { access: 'user', scope: 'generate', token: true },
    schema: { hide: true, params: Id },
    handler: async (request) => {
      const caller = userOf(request)
      const video = await viewVideo(app, caller, request.params.id)
      if (isFinal(video.status)) return toPrediction(app, video)
      await cancel(app, caller, video.uuid)
      return toPrediction(app, await viewVideo(app, caller, video.uuid))
    },
  })
}

/** Lists the models. */
function registerModels(http: Http, app: App): void {
  http.route({
    method: 'GET',
    url: '/models',
    config: { access: 'user', scope: 'read', token: true },
    schema: { hide: true },
    handler: async () => ({
      previous: null,
      next: null,
      results: enabledModels(app).map((model) => toModel(app, model)),
    }),
  })

  http.route({
    method: 'GET',
    url: '/models/:owner/:name',
    config: { access: 'user', scope: 'read', token: true },
    schema: { hide: true, params: ModelName },
    handler: async (request) => {
      const name = ownModel(app, request.params.owner, request.params.name)
      const model = enabledModels(app).find(({ id }) => id === name)
      if (!model) throw modelNotFound(app)
      return toModel(app, model)
    },
  })
}

/** Stores images. */
function registerFiles(http: Http, app: App, { limitLarge }: Shared): void {
  // The package uploads a Buffer or Blob of the input, and puts the link into it.
  http.route({
    method: 'POST',
    url: '/files',
    config: { access: 'user', scope: 'generate', token: true },
    onRequest: limitLarge,
    bodyLimit: LARGE_BODY_BYTES_MAX,
    schema: { hide: true },
    handler: async (request, reply) => {
      const { content } = (request.body ?? {}) as { content?: unknown }
      if (!Buffer.isBuffer(content))
        throw new AppError('INVALID_REQUEST', 'Send the picture as the form field content.')
      const get = await startImageOf(app, request, reply, content)
      return reply.code(201).send({ id: new URL(get).pathname.split('/').at(-1), size: content.length, urls: { get } })
    },
  })
}

type Body = Static<typeof Body>

/** A request with another webhook is another request. */
const webhookOf = ({ webhook, webhook_events_filter: events }: Body): unknown[] =>
  webhook === undefined ? [] : [webhook, events]

async function requestOf(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  modelName: string,
  body: Body,
): Promise<GenerateInput> {
  const { input, webhook, webhook_events_filter: events = null } = body
  const model = catalogue().get(modelName)
  const wanted = await readParameters({ app, request, reply, model, format: 'replicate', input, prefix: 'input.' })
  const preferred = { aspectRatio: DEFAULT_ASPECT_RATIO }
  return {
    ...withModelValues(catalogue(), { prompt: '', ...wanted, model: modelName }, preferred, app.config),
    ...(webhook !== undefined && {
      webhookUrl: webhook,
      webhookFormat: { name: 'replicate', field: 'webhook', events },
    }),
  }
}

/** `Prefer: wait` or `wait=<seconds>`. */
function waitMsOf({ headers }: FastifyRequest): number {
  const [preference, seconds] = /\bwait(?:=(\d{1,3}))?\b/.exec(String(headers.prefer ?? '')) ?? []
  return preference === undefined ? 0 : 1000 * Math.min(WAIT_S_MAX, Number(seconds ?? WAIT_S_MAX))
}

const toModel = ({ config }: App, { id, name, company }: Model) => ({
  url: `${config.publicUrl}/docs`,
  owner: MODEL_OWNER,
  name: id,
  description: `${name} of ${company}`,
  visibility: 'public',
  run_count: 0,
  github_url: null,
  paper_url: null,
  license_url: null,
  cover_image_url: null,
  default_example: null,
  latest_version: null,
})

const replicateError: ErrorShape = (error, status) => {
  const field = fieldOf(error)
  return {
    title: error.code,
    detail: error.message,
    status,
    ...(field === null ? {} : { invalid_fields: [{ field, description: error.message }] }),
  }
}
