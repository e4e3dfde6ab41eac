/** The resources of `/mcp`, and the models and films as JSON, which the tools return too. */
import { type McpServer, ProtocolError, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { FastifyError, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Caller } from '../account/credential/credential.ts'
import type { App } from '../app.ts'
import { pricesOf, pricingOf } from '../catalogue/price.ts'
import { requestSchema } from '../catalogue/request-schema.ts'
import { isFinal, pick } from '../film/fields.ts'
import { toAppError } from '../http/request/error-responses.ts'
import { fileLink } from '../video/library.ts'
import { usualSecondsOf } from '../video/usual-seconds.ts'
import { enabledModels, modelNotFound } from './format.ts'
import type { Video } from './mcp-schemas.ts'
import { type VideoView, viewVideo } from './video-view.ts'

const JSON_TYPE = 'application/json'
/** Error code of JSON-RPC. */
const INTERNAL_ERROR = -32603
export const POLL_AFTER_S = 5

export function registerResources(
  server: McpServer,
  app: App,
  { caller, request }: { caller: Caller; request: FastifyRequest },
): void {
  /** The package sends the message of any error to the client, so no error but the protocol's may leave this. */
  const read = async (uri: URL, content: () => object | Promise<object>) => {
    try {
      return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: JSON.stringify(await content()) }] }
    } catch (cause) {
      const error = toAppError(cause as FastifyError, request)
      if (error.code === 'NOT_FOUND') throw new ResourceNotFoundError(uri.href)
      app.log.error({ err: cause }, error.message)
      throw new ProtocolError(INTERNAL_ERROR, error.message)
    }
  }
  const config = { mimeType: JSON_TYPE }
  server.registerResource('models', 'kinora://models', { title: 'Models and prices', ...config }, (uri) =>
    read(uri, () => ({ models: models(app) })),
  )
  server.registerResource(
    'model',
    new ResourceTemplate('kinora://model/{id}', { list: undefined }),
    { title: 'A model, with the JSON Schema of its requests', ...config },
    (uri, { id }) => read(uri, () => modelInFull(app, String(id))),
  )
  server.registerResource(
    'video',
    new ResourceTemplate('kinora://video/{uuid}', { list: undefined }),
    { title: 'A film', ...config },
    (uri, { uuid: id }) => read(uri, async () => describe(app, await viewVideo(app, caller, String(id)))),
  )
}

/** The models that can be used, with their prices. */
export const models = (app: App) =>
  enabledModels(app).map((model) => {
    const pricing = pricingOf(model, app.config)
    const { id, name, summary } = model
    return { id, name, ...summary, creditsPer: pricing?.per ?? 'clip', credits: pricing?.credits ?? {} }
  })

/** A model with what a request to it may be. @throws AppError NOT_FOUND */
export function modelInFull(app: App, id: string) {
  const model = enabledModels(app).find((each) => each.id === id)
  const summary = models(app).find((each) => each.id === id)
  if (!model || !summary) throw modelNotFound(app)
  const account = model.routes[0]?.account ?? ''
  return {
    ...summary,
    schema: requestSchema(model) as object,
    rules: model.rules ?? [],
    prices: pricesOf(model, app.config),
    usualSeconds: usualSecondsOf(app, model, account),
  }
}

/** A film as tools and the resource have it. */
export function describe(app: App, video: VideoView): Static<typeof Video> {
  const videoUrl = fileLink(app, video.videoKey)
  return {
    // Times as text: a result is validated by its schema before it is JSON.
    ...pick('mcp', { ...video, duration: video.durationS, createdAt: video.createdAt.toISOString() }),
    ...(videoUrl === null ? {} : { videoUrl }),
    ...(video.error === null ? {} : { error: video.error }),
    ...(isFinal(video.status) ? {} : { pollAfterSeconds: POLL_AFTER_S }),
  }
}
