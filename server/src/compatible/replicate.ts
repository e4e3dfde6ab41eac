/**
 * `/replicate/v1`: the wire format of Replicate's predictions, for its package `replicate`. The models are
 * `kinora/<model>`. Create, with `Prefer: wait`, get, stream, cancel, list, models, and files as inputs.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { nameOfOwner } from '../account/user.ts'
import type { App } from '../app.ts'
import type { Asset } from '../asset/asset.ts'
import { assetIdOf, readAssetLink } from '../asset/asset-link.ts'
import { deleteAsset, getAsset, listAssets } from '../asset/library.ts'
import { everyModel } from '../catalogue/catalogue.ts'
import type { Model } from '../catalogue/model.ts'
import { AppError } from '../errors.ts'
import { isFinal } from '../film/fields.ts'
import { disconnection, type Http, typed, userOf } from '../http/request/request.ts'
import { cancel } from '../video/cancel.ts'
import type { FilmInput } from '../video/generate-request.ts'
import { streamFilm } from './event-stream.ts'
import {
  type Call,
  changes,
  type ErrorShape,
  enabledModels,
  fieldOf,
  generates,
  Ignored,
  large,
  modelNotFound,
  ownModel,
  reads,
  registerFormat,
  type Shared,
  silently,
  wholeRequest,
  withModelNotFound,
} from './format.ts'
import { linkOf } from './input.ts'
import { acceptForms } from './large-bodies.ts'
import { versionOf } from './model-schema.ts'
import { generateOnce } from './repeated-request.ts'
import { bySealedAddress, sealAddress } from './sealed-address.ts'
import { type VideoView, viewOfNew, viewVideo, viewVideos } from './video-view.ts'
import { readParameters } from './vocabulary.ts'
import { noteEndsOfWait, type WaitForFilm } from './wait-for-film.ts'
import { MODEL_OWNER, replicateUrl, toPrediction } from './wire-formats.ts'

const WAIT_S_MAX = 60
const PAGE_SIZE = 100

/** Its other fields depend on the model. */
const Input = Type.Unsafe<Record<string, unknown>>({ type: 'object' })
const Body = Type.Object({
  input: Input,
  model: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  webhook: Type.Optional(Type.String()),
  webhook_events_filter: Type.Optional(Type.Array(Type.Enum(['start', 'output', 'logs', 'completed']))),
  stream: Ignored,
})
const Id = Type.Object({ id: Type.String() })
const Page = Type.Object({ cursor: Type.Optional(Type.String()) })
const ModelVersion = Type.Object({ owner: Type.String(), name: Type.String(), version: Type.String() })
const ModelName = Type.Object({ owner: Type.String(), name: Type.String() })

export function registerReplicate(server: FastifyInstance, app: App, shared: Shared): void {
  registerFormat(server, { prefix: '/replicate/v1', format: 'replicate', errorShape: replicateError }, (scope) => {
    acceptForms(scope)
    const http = typed(scope)
    registerCreation(http, app, shared)
    registerPredictions(http, app)
    registerStream(http, app, shared)
    registerModels(http, app)
    registerFiles(http, app, shared)
    registerAccount(http, app)
  })
}

/** Creates a prediction, by the model's path or by its name in the body. */
function registerCreation(http: Http, app: App, { limitLarge, waitForFilm }: Shared): void {
  const byPath = generates(limitLarge, { body: Body, params: ModelName })
  http.post('/models/:owner/:name/predictions', byPath, (request, reply) => {
    const { owner, name } = request.params
    return predict({ app, request, reply }, waitForFilm, ownModel(app, owner, name), request.body)
  })

  http.post('/predictions', generates(limitLarge, { body: Body }), (request, reply) => {
    const named = request.body.version ?? request.body.model ?? ''
    const ofVersion = enabledModels(app).find((model) => versionOf(model).id === named)
    const [owner, name] = ofVersion ? [MODEL_OWNER, ofVersion.id] : named.split(/[/:]/)
    return predict({ app, request, reply }, waitForFilm, ownModel(app, owner, name), request.body)
  })
}

/** Makes a film, and waits for it as long as the request says. */
async function predict(call: Call, waitForFilm: WaitForFilm, modelName: string, body: Body) {
  const { app, request, reply } = call
  const wanted = await requestOf(call, modelName, body)
  // The package sends a request up to six times when its connection breaks, at once and without a mark.
  const repetition = silently(call, [modelName, body.input, ...webhookOf(body)], 0)
  const made = await generateOnce(call, wanted, repetition).catch(withModelNotFound(app))
  const waitMs = waitMsOf(request)
  const video =
    waitMs === 0
      ? viewOfNew(app, wanted, made)
      : await waitForFilm(request, made.uuid, { waitMs, signal: disconnection(reply) })
  if (waitMs > 0) await noteEndsOfWait(call, [video])
  const prediction = withStream(call, video)
  // Any other status tells the package that the film is final.
  return reply.code(201).send(isFinal(video.status) ? prediction : { ...prediction, status: 'starting' })
}

/** Lists, reads and cancels predictions. */
function registerPredictions(http: Http, app: App): void {
  http.get('/predictions', reads({ querystring: Page }), async (request) => {
    const page = { after: request.query.cursor, limit: PAGE_SIZE, order: 'desc' } as const
    const { videos, hasMore } = await viewVideos(app, userOf(request), page)
    const next = hasMore ? `${replicateUrl(app)}/predictions?cursor=${videos.at(-1)?.uuid}` : null
    return { previous: null, next, results: videos.map((video) => toPrediction(app, video)) }
  })

  http.get('/predictions/:id', reads({ params: Id }), async (request) =>
    withStream({ app, request }, await viewVideo(app, userOf(request), request.params.id)),
  )

  http.post('/predictions/:id/cancel', changes({ params: Id }), async (request) => {
    const caller = userOf(request)
    const video = await viewVideo(app, caller, request.params.id)
    if (isFinal(video.status)) return toPrediction(app, video)
    await cancel(app, caller, video.uuid)
    return toPrediction(app, await viewVideo(app, caller, video.uuid))
  })
}

/** The package reads a stream without its key. */
const STREAM = { purpose: 'streams in the format of Replicate', scope: 'read', minutes: 60 } as const

function withStream(call: Pick<Call, 'app' | 'request'>, video: VideoView) {
  const prediction = toPrediction(call.app, video)
  const stream = `${replicateUrl(call.app)}/stream/${sealAddress(call, STREAM, video.uuid)}`
  return { ...prediction, urls: { ...prediction.urls, stream } }
}

/** Sends each status of a prediction, its output or its error, and why it is done. */
function registerStream(http: Http, app: App, { recheck, waitForFilm }: Shared): void {
  http.get('/stream/:token', bySealedAddress(app, recheck, STREAM), (request, reply) =>
    streamFilm({ app, request, reply }, waitForFilm, request.params.id, {
      status: (video, send) => send(toPrediction(app, video).status, 'status'),
      end: (video, send) => {
        const { status, output, error } = toPrediction(app, video)
        send(status, 'status')
        if (!isFinal(video.status)) return send('The film is not ready yet; open its stream again.', 'error')
        if (output !== null) send(output, 'output')
        if (status === 'failed') send(error ?? '', 'error')
        send(DONE[status] ?? {}, 'done')
      },
      error: ({ message }, send) => send(message, 'error'),
    }),
  )
}

const DONE: Record<string, object> = { failed: { reason: 'error' }, canceled: { reason: 'canceled' } }

/** Lists the models. */
function registerModels(http: Http, app: App): void {
  http.get('/models', reads({}), async () => ({
    previous: null,
    next: null,
    results: enabledModels(app).map((model) => toModel(app, model)),
  }))

  http.get('/models/:owner/:name', reads({ params: ModelName }), async (request) => {
    return toModel(app, modelOf(app, request.params))
  })

  http.get('/models/:owner/:name/versions', reads({ params: ModelName }), async (request) => ({
    previous: null,
    next: null,
    results: [toVersion(modelOf(app, request.params))],
  }))

  http.get('/models/:owner/:name/versions/:version', reads({ params: ModelVersion }), async (request) => {
    const version = toVersion(modelOf(app, request.params))
    if (version.id !== request.params.version) throw modelNotFound(app)
    return version
  })
}

/** @throws AppError NOT_FOUND */
function modelOf(app: App, { owner, name }: Static<typeof ModelName>): Model {
  const id = ownModel(app, owner, name)
  const model = enabledModels(app).find((each) => each.id === id)
  if (!model) throw modelNotFound(app)
  return model
}

/** Reads whose key it is. */
function registerAccount(http: Http, app: App): void {
  http.get('/account', { ...reads({}), config: { access: 'user', scope: 'read' } }, async (request) => {
    const { userId } = userOf(request)
    const { name, isTeam } = await nameOfOwner(app, userId)
    return { type: isTeam ? 'organization' : 'user', username: userId, name, github_url: null }
  })
}

/** Stores, lists, reads and deletes pictures, films and sounds: the assets. */
function registerFiles(http: Http, app: App, { limitLarge }: Shared): void {
  // The package uploads a Buffer or Blob of the input, and puts the link into it.
  http.post('/files', { ...changes({}), ...large(limitLarge) }, async (request, reply) => {
    const { content } = (request.body ?? {}) as { content?: unknown }
    if (!Buffer.isBuffer(content)) throw new AppError('INVALID_REQUEST', 'Send the file as the form field content.')
    const link = await linkOf({ app, request, reply }, content, { path: 'content' })
    const id = assetIdOf(readAssetLink(app, link)?.key ?? '')
    return reply.code(201).send(toFile(await getAsset(app, userOf(request), id)))
  })

  http.get('/files', reads({ querystring: Page }), async (request) => {
    const { cursor } = request.query
    const page = { pageSize: PAGE_SIZE, ...(cursor !== undefined && { cursor }) }
    const { assets, nextCursor } = await listAssets(app, userOf(request), page)
    const next = nextCursor && `${replicateUrl(app)}/files?cursor=${encodeURIComponent(nextCursor)}`
    return { previous: null, next, results: assets.map(toFile) }
  })

  http.get('/files/:id', reads({ params: Id }), async (request) =>
    toFile(await getAsset(app, userOf(request), request.params.id)),
  )

  http.delete('/files/:id', changes({ params: Id }), async (request, reply) => {
    await deleteAsset(app, userOf(request), request.params.id)
    return reply.code(204).send()
  })
}

/** Without checksums: what is kept is what the inspection has made of the bytes. `expires_at`: of the link. */
const toFile = ({ id, name, contentType, sizeBytes, createdAt, urlExpiresAt, url }: Asset) => ({
  ...{ id, name: name ?? id, content_type: contentType, size: sizeBytes, metadata: {} },
  ...{ created_at: createdAt, expires_at: urlExpiresAt, urls: { get: url } },
})

type Body = Static<typeof Body>

/** A request with another webhook is another request. */
const webhookOf = ({ webhook, webhook_events_filter: events }: Body): unknown[] =>
  webhook === undefined ? [] : [webhook, events]

async function requestOf(call: Call, modelName: string, body: Body): Promise<FilmInput> {
  const { input, webhook, webhook_events_filter: events = null } = body
  const model = everyModel().get(modelName)
  const wanted = await readParameters(call, { model, format: 'replicate', input, prefix: 'input.' })
  return {
    ...wholeRequest(call.app, { ...wanted, model: modelName }),
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

/** The catalogue has no such time. */
const toVersion = (model: Model) => {
  const { id, schema } = versionOf(model)
  return { id, created_at: new Date(0), cog_version: null, openapi_schema: schema }
}

const toModel = ({ config }: App, model: Model) => ({
  url: `${config.publicUrl}/docs`,
  owner: MODEL_OWNER,
  name: model.id,
  description: `${model.name} of ${model.company}`,
  visibility: 'public',
  run_count: 0,
  github_url: null,
  paper_url: null,
  license_url: null,
  cover_image_url: null,
  default_example: null,
  latest_version: toVersion(model),
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
