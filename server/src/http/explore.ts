/**
 * Explore, where EXPLORE is on; else each of these is 404. `/api/v1/video/{uuid}/publication`: the maker publishes a
 * film and takes it back. `/api/v1/explore`: everyone reads the published films, and users report them.
 * `/explore/{id}/{file}`: their files.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { exampleOf, pick, schemasOf } from '../film/fields.ts'
import {
  listPublished,
  notPublished,
  type PublishedFilm,
  publicationOf,
  publishedFilters,
  publishVideo,
  REPORT_REASONS,
  readPublished,
  reportFilm,
  requireExplore,
  unpublishVideo,
} from '../video/explore.ts'
import { FILE_TTL_S, manifestUrlOf, publicFileOf, publicNameOf, sendStoredFile } from './files.ts'
import { ok, TextOrNull, Timestamp, TimestampOrNull } from './request/envelope.ts'
import { listQuery, uncountedPage } from './request/paging.ts'
import { limitUnauthenticated } from './request/rate-limits.ts'
import { userOf } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'
import { Uuid } from './video.ts'

const id = '01939b1e-8888-7aaa-8bbb-000000000001'
const at = '2026-01-15T09:30:00.000Z'
const Publication = Type.Object(
  {
    id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'Its id at /api/v1/explore; null when an administrator has removed it',
    }),
    showsName: Type.Boolean({ description: 'Whether the name of its maker is shown' }),
    publishedAt: TimestampOrNull('When it was published; null when its maker has taken it back'),
    administratorId: TextOrNull(
      'Id of the administrator who published it for its maker, with whose rights it ends; null: its maker',
    ),
    removedAt: TimestampOrNull('When an administrator removed it: it cannot be published again'),
    removalReason: TextOrNull('Why, in the words of the administrator'),
  },
  {
    title: 'Publication',
    examples: [{ id, showsName: false, publishedAt: at, administratorId: null, removedAt: null, removalReason: null }],
  },
)
const OwnPublication = Type.Object({
  publication: Type.Union([Publication, Type.Null()], { description: 'null: the film is not published' }),
})
const base = `https://kinora.example/explore/${id}`
export const publishedExample = {
  id,
  ...exampleOf('explore'),
  maker: 'Ann',
  publishedAt: at,
  videoUrl: `${base}/film.mp4`,
  thumbnailUrl: `${base}/thumbnail.jpg`,
}
const Published = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...schemasOf('explore'),
    maker: TextOrNull('The name of its maker; null when that is not shown'),
    publishedAt: Timestamp('When it was published'),
    videoUrl: Type.String({ description: 'Link to the film, as long as it is published' }),
    thumbnailUrl: Type.String({ description: 'Link to a JPEG, as long as the film is published' }),
  },
  { title: 'PublishedFilm', examples: [publishedExample] },
)
const Id = Type.Object({ id: Type.String() })

const route = routesOf({ tag: 'video', access: 'user' })
const publicRoute = routesOf({ tag: 'video' })

const PUBLICATION = '/api/v1/video/:uuid/publication'

const getPublicationRoute = route('GET', PUBLICATION, {
  operationId: 'getPublication',
  summary: 'Whether a film is published',
  config: { scope: 'read' },
  params: Uuid,
  data: OwnPublication,
  handler: async (app, request) => {
    requireExplore(app)
    return ok({ publication: await publicationOf(app, userOf(request), request.params.uuid) })
  },
})

const publishRoute = route('PUT', PUBLICATION, {
  operationId: 'publishVideo',
  summary: 'Publish a film on Explore',
  config: { scope: 'generate', impersonation: 'change', test: false },
  description:
    'Everyone can then watch the film and read its prompt, model and settings; images that it was made from are not shown. ' +
    '409: the film is not completed or no longer kept, or an administrator has removed it from Explore.',
  body: Type.Object(
    { showsName: Type.Boolean({ default: false, description: 'Whether your name is shown with it' }) },
    { additionalProperties: false, examples: [{ showsName: false }] },
  ),
  errors: ['CONFLICT'],
  params: Uuid,
  data: Type.Object({ publication: Publication }),
  handler: async (app, request) => {
    requireExplore(app)
    return ok({ publication: await publishVideo(app, userOf(request), request.params.uuid, request.body) })
  },
})

const unpublishRoute = route('DELETE', PUBLICATION, {
  operationId: 'unpublishVideo',
  summary: 'Take a film back from Explore',
  config: { scope: 'generate', impersonation: 'change' },
  description: 'It is gone from there at once. Repeating the call changes nothing.',
  params: Uuid,
  data: OwnPublication,
  example: { publication: null },
  handler: async (app, request) => {
    requireExplore(app)
    return ok({ publication: await unpublishVideo(app, userOf(request), request.params.uuid) })
  },
})

const listRoute = publicRoute('GET', '/api/v1/explore', {
  operationId: 'listPublishedFilms',
  summary: 'Published films, newest first',
  description:
    'Needs no credential. A page may have fewer films than pageSize, also none, before the last: follow nextCursor until it is null. ' +
    '404: the operator has not switched it on.',
  querystring: listQuery(publishedFilters),
  errors: ['NOT_FOUND'],
  data: Type.Object({ films: Type.Array(Published), ...uncountedPage }),
  handler: async (app, { query }) => {
    requireExplore(app)
    const { films, ...page } = await listPublished(app, query)
    return ok({ films: films.map((film) => shown(app, film)), ...page })
  },
})

const getRoute = publicRoute('GET', '/api/v1/explore/:id', {
  operationId: 'getPublishedFilm',
  summary: 'A published film',
  description: 'Needs no credential. 404: it is not published any more.',
  params: Id,
  data: Published,
  handler: async (app, { params }) => {
    requireExplore(app)
    const film = await readPublished(app, params.id)
    if (!film) throw notPublished()
    return ok(shown(app, film))
  },
})

const reportRoute = route('POST', '/api/v1/explore/:id/report', {
  operationId: 'reportPublishedFilm',
  summary: 'Report a published film',
  description: 'Administrators decide on it. A second report of a user changes nothing. 429: 20 films within an hour.',
  params: Id,
  body: Type.Object(
    {
      reason: Type.Enum([...REPORT_REASONS], { description: 'person: it shows a person who has not agreed' }),
      note: Type.Optional(Type.String({ maxLength: 1000, description: 'What administrators should know' })),
    },
    { additionalProperties: false, examples: [{ reason: 'violence' }] },
  ),
  data: Type.Object({ reported: Type.Literal(true) }),
  example: { reported: true },
  handler: async (app, request) => {
    requireExplore(app)
    const { reason, note } = request.body
    await reportFilm(app, userOf(request).userId, request.params.id, { reason, note: note?.trim() || null })
    return ok({ reported: true as const })
  },
})

function fileRoute(server: FastifyInstance, app: App): void {
  server.withTypeProvider<TypeBoxTypeProvider>().route({
    method: ['GET', 'HEAD'],
    url: '/explore/:id/:file',
    config: { limit: 'signed' },
    schema: { hide: true, params: Type.Object({ ...Id.properties, file: Type.String() }) },
    handler: async (request, reply) => {
      const { params } = request
      const film = app.config.site.hasExplore ? await readPublished(app, params.id) : null
      const key = film && publicFileOf(film, params.file)
      if (!film || !key) {
        await limitUnauthenticated(app, request, reply)
        throw notPublished()
      }
      const manifestUrl = manifestUrlOf(film, key, folderOf(app, film))
      return sendStoredFile(request, reply, app, { key, remainingS: FILE_TTL_S, manifestUrl })
    },
  })
}

const folderOf = ({ config }: App, film: PublishedFilm) => `${config.publicUrl}/explore/${film.id}`

const shown = (app: App, film: PublishedFilm) => {
  const folder = folderOf(app, film)
  return {
    ...pick('explore', { ...film, resolution: film.quality }),
    id: film.id,
    maker: film.maker,
    publishedAt: film.publishedAt,
    videoUrl: `${folder}/${publicNameOf(film.videoKey)}`,
    thumbnailUrl: `${folder}/${publicNameOf(film.thumbnailKey)}`,
  }
}

export const registerExplore = together(
  getPublicationRoute,
  publishRoute,
  unpublishRoute,
  listRoute,
  getRoute,
  reportRoute,
  fileRoute,
)
