/**
 * `/openai/v1` and `/v1`: the wire format of OpenAI's videos, for the packages `openai` of npm and PyPI and the
 * gateways that speak it. Create, retrieve, list, delete, content, remix, edit, extend, and the models. A video's id is
 * the uuid that it has everywhere else.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { App } from '../app.ts'
import { catalogue } from '../catalogue/catalogue.ts'
import { AppError } from '../errors.ts'
import { isFinal } from '../film/fields.ts'
import { metadataSchema } from '../film/limits.ts'
import type { Mode } from '../film/mode.ts'
import { sendStoredFile } from '../http/files.ts'
import { type Http, typed, userOf } from '../http/request/request.ts'
import { cancel } from '../video/cancel.ts'
import { type FilmInput, requestAgain } from '../video/generate-request.ts'
import { remove } from '../video/library.ts'
import { statedShape } from './film-sizes.ts'
import {
  type Call,
  changes,
  commonFields,
  commonOf,
  defaultModel,
  enabledModels,
  generates,
  Ignored,
  invalidField,
  reads,
  registerFormat,
  type Shared,
  wholeRequest,
} from './format.ts'
import { inputsOf, type Medium } from './input.ts'
import { fieldsOfFormats } from './input-fields.ts'
import { acceptForms } from './large-bodies.ts'
import { created, openAiError, POLL_AFTER_MS, toModel, toVideo } from './openai-responses.ts'
import { generateOnce } from './repeated-request.ts'
import { noteRemix, type VideoView, viewOfNew, viewVideo, viewVideos } from './video-view.ts'

/** OpenAI's defaults, 720x1280 and 4 seconds, for models that have them. */
const PREFERRED = { aspectRatio: '9:16', duration: 4 }

const Reference = Type.Union([
  Type.String(),
  Type.Object({ image_url: Type.Optional(Type.String()), file_id: Type.Optional(Type.String()) }),
  // A part of a form. JSON has no such value.
  Type.Unsafe<Buffer>(Type.Object({ buffer: Type.Unknown() })),
])
const Seconds = Type.Optional(Type.Union([Type.String(), Type.Number()]))
const CreateBody = Type.Object({
  prompt: Type.String(),
  model: Type.Optional(Type.String()),
  seconds: Seconds,
  size: Type.Optional(Type.String()),
  input_reference: Type.Optional(Reference),
  // What gateways (new-api, LiteLLM) pass beside or instead of OpenAI's fields.
  duration: Seconds,
  aspect_ratio: Type.Optional(Type.String()),
  resolution: Type.Optional(Type.String()),
  image: Type.Optional(Reference),
  n: Type.Optional(Type.Enum([1])),
  ...commonFields,
  user: Ignored,
  // Texts: a gateway that puts parameters here, as numbers, is refused.
  metadata: Type.Optional(metadataSchema),
})
type CreateBody = Static<typeof CreateBody>
/** A film to edit or to extend: a video by its id, a part of a form, or a link. */
const SourceFilm = Type.Union([
  Type.String(),
  Type.Object({ id: Type.String() }),
  Type.Unsafe<Buffer>(Type.Object({ buffer: Type.Unknown() })),
])
const OfFilmBody = Type.Object({
  prompt: Type.String(),
  video: SourceFilm,
  seconds: Seconds,
  model: Type.Optional(Type.String()),
  ...commonFields,
  user: Ignored,
  metadata: Type.Optional(metadataSchema),
})
const RemixBody = Type.Object({ prompt: Type.String() })
const ListQuery = Type.Object({
  after: Type.Optional(Type.String()),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  order: Type.Union([Type.Literal('asc'), Type.Literal('desc')], { default: 'desc' }),
})
const ContentQuery = Type.Object({
  variant: Type.Union([Type.Literal('video'), Type.Literal('thumbnail'), Type.Literal('spritesheet')], {
    default: 'video',
  }),
})
const Id = Type.Object({ id: Type.String() })

export function registerOpenAi(server: FastifyInstance, app: App, { limitLarge }: Shared): void {
  for (const prefix of ['/v1', '/openai/v1']) {
    registerFormat(server, { prefix, format: 'openAi', errorShape: openAiError }, (scope) => {
      acceptForms(scope)
      const http = typed(scope)
      registerCreation(http, app, limitLarge)
      registerOfFilm(http, app, limitLarge)
      registerVideos(http, app)
      registerModels(http, app)
    })
  }
}

/** Creates a video, or a remix of one. */
function registerCreation(http: Http, app: App, limitLarge: Shared['limitLarge']): void {
  http.post('/videos', generates(limitLarge, { body: CreateBody }), async (request, reply) => {
    const { prompt, model = defaultModel(app), size, aspect_ratio: aspectRatio, resolution, metadata } = request.body
    const shape = statedShape(
      catalogue(app.config).get(model),
      { name: 'size', value: size },
      {
        aspectRatio: { name: 'aspect_ratio', value: aspectRatio },
        quality: { name: 'resolution', value: resolution },
      },
    )
    const duration = durationOf(request.body)
    const known = catalogue(app.config).get(model)
    const inputs = await inputsOf({ app, request, reply }, { model: known, media: imageOf(request.body) })
    const stated = { ...commonOf(request.body), ...shape, ...inputs }
    const wanted = wholeRequest(app, { ...stated, prompt, model, duration }, PREFERRED)
    return created(
      app,
      reply,
      await generateFor({ app, request, reply }, { ...wanted, ...(metadata && { metadata }) }),
      null,
    )
  })

  const remix = generates(limitLarge, { body: RemixBody, params: Id })
  http.post('/videos/:id/remix', remix, async (request, reply) => {
    const source = await viewVideo(app, userOf(request), request.params.id)
    const wanted = requestAgain(app, source, request.body.prompt)
    const video = await generateFor({ app, request, reply }, wanted)
    await noteRemix(app, { userId: userOf(request).userId, uuid: video.uuid, source: source.uuid })
    // A repetition that is recognised by its content alone can be the source itself.
    return created(app, reply, video, video.uuid === source.uuid ? source.remixedFrom : source.uuid)
  })
}

/** Creates a video of the film of another one, or of a film that is sent. */
function registerOfFilm(http: Http, app: App, limitLarge: Shared['limitLarge']): void {
  for (const [path, mode] of [
    ['/videos/edits', 'edit'],
    ['/videos/extensions', 'extend'],
  ] as const) {
    http.post(path, generates(limitLarge, { body: OfFilmBody }), async (request, reply) => {
      const { prompt, video, seconds, metadata } = request.body
      const isVideo = typeof video === 'object' && 'id' in video
      const model = request.body.model ?? (await modelFor(app, request, mode, isVideo ? video.id : null))
      const value = isVideo ? { video: video.id } : video
      const inputs = await inputsOf(
        { app, request, reply },
        {
          model: catalogue(app.config).get(model),
          mode,
          media: [{ ...fieldsOfFormats.openAi.video, name: 'video', value }],
        },
      )
      const stated = { ...commonOf(request.body), ...inputs, mode, prompt, model, duration: durationOf({ seconds }) }
      const wanted = { ...wholeRequest(app, stated, PREFERRED), ...(metadata && { metadata }) }
      return created(app, reply, await generateFor({ app, request, reply }, wanted), null)
    })
  }
}

/**
 * The model of a request that names none, as OpenAI's package cannot: that of the film, else the first with the mode.
 * @throws AppError INVALID_REQUEST for a film whose model has another mode: which one is paid is not for us to choose
 */
async function modelFor(app: App, request: FastifyRequest, mode: Mode, id: string | null): Promise<string> {
  if (id === null) return defaultModel(app, mode)
  const { model } = await viewVideo(app, userOf(request), id)
  const having = enabledModels(app).filter(({ roles }) => roles.has(mode))
  if (having.some((each) => each.id === model)) return model
  const others = having.map((each) => each.id)
  const remedy = others.length > 0 ? `say as model one of ${others.join(', ')}` : 'no other model has it'
  throw invalidField('model', `${catalogue(app.config).get(model)?.name ?? model} has no mode ${mode}; ${remedy}.`)
}

/** Lists, reads and deletes videos. */
function registerVideos(http: Http, app: App): void {
  http.get('/videos', reads({ querystring: ListQuery }), async (request) => {
    const page = { ...request.query, after: request.query.after }
    const { videos, hasMore } = await viewVideos(app, userOf(request), page)
    const data = videos.map((video) => toVideo(app, video))
    const [first, last] = [data.at(0), data.at(-1)]
    return { object: 'list', data, has_more: hasMore, first_id: first?.id ?? null, last_id: last?.id ?? null }
  })

  http.get('/videos/:id', reads({ params: Id }), async (request, reply) => {
    const video = await viewVideo(app, userOf(request), request.params.id)
    if (!isFinal(video.status)) reply.header('openai-poll-after-ms', String(POLL_AFTER_MS))
    return toVideo(app, video)
  })

  http.delete('/videos/:id', changes({ params: Id }), async (request) => {
    const caller = userOf(request)
    // The format has no other way to stop a film. One that is over or cannot be stopped is deleted all the same.
    await cancel(app, caller, request.params.id).catch((error) => {
      if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error
    })
    await remove(app, caller, request.params.id)
    return { id: request.params.id, object: 'video.deleted', deleted: true }
  })

  http.get('/videos/:id/content', reads({ params: Id, querystring: ContentQuery }), async (request, reply) => {
    const video = await viewVideo(app, userOf(request), request.params.id)
    const { variant } = request.query
    if (variant === 'spritesheet') throw invalidField('variant', 'There is no spritesheet; take video or thumbnail.')
    const key = variant === 'video' ? video.videoKey : video.thumbnailKey
    if (key === null) throw notReady(video)
    return sendStoredFile(request, reply, app, { key, remainingS: 60 })
  })
}

/** The models that this format can ask: of a text, of one picture, or of a film to edit or extend. */
const askable = (app: App) =>
  enabledModels(app).filter(({ roles }) =>
    [...roles].some(
      ([mode, uses]) =>
        mode === 'edit' ||
        mode === 'extend' ||
        [...uses].every(
          ([role, { from }]) => from === 0 || fieldsOfFormats.openAi.input_reference.roles.includes(role),
        ),
    ),
  )

/** Lists the models. */
function registerModels(http: Http, app: App): void {
  http.get('/models', reads({}), async () => ({
    object: 'list',
    data: askable(app).map(({ id, company }) => toModel(id, company)),
  }))

  http.get('/models/:id', reads({ params: Id }), async (request) => {
    const model = askable(app).find(({ id }) => id === request.params.id)
    if (!model) throw new AppError('NOT_FOUND', 'There is no such model; GET models has the list.')
    return toModel(model.id, model.company)
  })
}

/** The package numbers its attempts, and sends no Idempotency-Key by itself. */
async function generateFor(call: Call, wanted: FilmInput): Promise<VideoView> {
  const { app, request } = call
  const attempt = Number(request.headers['x-stainless-retry-count'] ?? 0)
  const made = await generateOnce(call, wanted, {
    kind: 'announced',
    attempt: Number.isSafeInteger(attempt) && attempt > 0 ? attempt : 0,
  })
  return viewOfNew(app, wanted, made)
}

/** @throws AppError for two pictures, or a file that was uploaded to OpenAI */
function imageOf({ input_reference: reference, image }: CreateBody): Medium[] {
  if (reference !== undefined && image !== undefined) {
    throw invalidField('image', 'A film begins with one picture; leave image or input_reference out.')
  }
  const value = readReference(reference ?? image)
  const name = image === undefined ? 'input_reference' : 'image'
  return value === null ? [] : [{ ...fieldsOfFormats.openAi.input_reference, name, value }]
}

function readReference(reference: unknown): string | Buffer | null {
  if (reference === undefined) return null
  if (typeof reference === 'string' || Buffer.isBuffer(reference)) return reference
  const { image_url: url } = reference as { image_url?: unknown }
  if (typeof url === 'string') return url
  throw invalidField(
    'input_reference',
    'Send the image as a file, or its address as image_url; there are no file ids here.',
  )
}

/** @throws AppError INVALID_REQUEST for two durations */
function durationOf({
  seconds,
  duration,
}: { [N in 'seconds' | 'duration']?: Static<typeof Seconds> | undefined }): number | undefined {
  if (seconds !== undefined && duration !== undefined && secondsOf(seconds) !== secondsOf(duration)) {
    throw invalidField('seconds', `The seconds are ${seconds} and the duration is ${duration}; leave one of them out.`)
  }
  const stated = seconds ?? duration
  return stated === undefined ? undefined : secondsOf(stated)
}

/** Text counts as decimal digits only: `Number` also reads 0x5, 1e1 and ' 5 '. No film has NaN seconds. */
const secondsOf = (value: string | number): number =>
  typeof value === 'number' || /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN

const notReady = ({ status, error }: VideoView) =>
  isFinal(status)
    ? new AppError('NOT_FOUND', error === null ? 'The film is no longer kept.' : `There is no film: ${error}`)
    : invalidField('id', 'The film is not ready yet; retrieve the video until its status is completed.')
