/**
 * Shares. `/api/v1/video/{uuid}/share`: the owner makes, reads and revokes the public link of a film.
 * `/api/v1/share/{token}` and `/share/{token}`: the shared film for all who have the link, as data and as a page of the
 * studio. This service renders the page's head, because programs that make link previews run no script. The token is
 * the only credential, so no referrer contains it, and no search engine lists the page.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { everyModel } from '../catalogue/catalogue.ts'
import type { Config } from '../config/config.ts'
import { AppError } from '../errors.ts'
import { exampleOf, pick, schemasOf } from '../film/fields.ts'
import { contentTypeOf } from '../storage/key.ts'
import { escapeHtml } from '../text/escape-html.ts'
import { readSharedFilm, revokeShare, type SharedFilm, shareOf, sharePageUrl, shareVideo } from '../video/share.ts'
import { FILE_TTL_S, manifestUrlOf, publicFileOf, publicNameOf, sendStoredFile } from './files.ts'
import { Envelope, ok, TextOrNull, Timestamp } from './request/envelope.ts'
import { limitUnauthenticated } from './request/rate-limits.ts'
import { userOf } from './request/request.ts'
import { routesOf } from './request/routes.ts'
import type { SendStudioPage } from './studio.ts'
import { Uuid } from './video.ts'

const shareExample = {
  url: `https://kinora.example/share/${'q7Zk'.repeat(20)}`,
  showsPrompt: false,
  allowsDownload: false,
  administratorId: null,
  createdAt: '2026-01-15T09:30:00.000Z',
}
const Share = Type.Object(
  {
    url: Type.String({ description: 'The page of the film, for all who have this link' }),
    showsPrompt: Type.Boolean({ description: 'Whether the page shows the prompt' }),
    allowsDownload: Type.Boolean({ description: 'Whether the page offers the film as a file' }),
    administratorId: TextOrNull(
      'Id of the administrator who made it for you, with whose rights it ends; null: you, or a member of the team',
    ),
    createdAt: Timestamp('When the film was shared'),
  },
  { title: 'Share', examples: [shareExample] },
)
const SharedVideo = Type.Object(
  {
    ...schemasOf('share'),
    prompt: TextOrNull('null unless the owner shows it, and it has one'),
    allowsDownload: Type.Boolean({ description: 'Whether the owner offers it as a file: videoUrl with ?download' }),
    videoUrl: Type.String({ description: 'Link to the film, as long as it is shared' }),
    thumbnailUrl: Type.String({ description: 'Link to a JPEG, as long as the film is shared' }),
  },
  {
    title: 'SharedVideo',
    examples: [
      {
        ...exampleOf('share'),
        prompt: null,
        allowsDownload: false,
        videoUrl: `${shareExample.url}/film.mp4`,
        thumbnailUrl: `${shareExample.url}/thumbnail.jpg`,
      },
    ],
  },
)
const Token = Type.Object({ token: Type.String({ description: 'The last part of the url of the share' }) })

const route = routesOf({ tag: 'video', access: 'user' })

const getShareRoute = route('GET', '/api/v1/video/:uuid/share', {
  operationId: 'getShare',
  summary: 'The public link of a film',
  config: { scope: 'read' },
  params: Uuid,
  data: Type.Object({ share: Type.Union([Share, Type.Null()], { description: 'null: the film is not shared' }) }),
  handler: async (app, request) => ok({ share: await shareOf(app, userOf(request).userId, request.params.uuid) }),
})

const shareVideoRoute = route('PUT', '/api/v1/video/:uuid/share', {
  operationId: 'shareVideo',
  summary: 'Share a film by a public link',
  config: { scope: 'generate', impersonation: 'change' },
  description:
    'All who have the link can watch the film until it is revoked. The link of a film that is shared already stays; ' +
    'the other fields change. 409: the film is not completed, or no longer kept.',
  body: Type.Object(
    {
      showsPrompt: Type.Optional(
        Type.Boolean({ description: 'Whether the page shows the prompt; false when left out' }),
      ),
      allowsDownload: Type.Optional(
        Type.Boolean({ description: 'Whether the page offers the film as a file; false when left out' }),
      ),
    },
    { additionalProperties: false, examples: [{ showsPrompt: false }] },
  ),
  errors: ['CONFLICT'],
  params: Uuid,
  data: Type.Object({ share: Share }),
  handler: async (app, request) => {
    const { showsPrompt = false, allowsDownload = false } = request.body
    const choice = { showsPrompt, allowsDownload }
    return ok({ share: await shareVideo(app, userOf(request), request.params.uuid, choice) })
  },
})

const revokeShareRoute = route('DELETE', '/api/v1/video/:uuid/share', {
  operationId: 'revokeShare',
  summary: 'Revoke the public link of a film',
  config: { scope: 'generate', impersonation: 'change' },
  description: 'The link stops working at once and for ever; sharing the film again makes another one.',
  params: Uuid,
  data: Type.Object({ share: Type.Null() }),
  example: { share: null },
  handler: async (app, request) => {
    await revokeShare(app, userOf(request), request.params.uuid)
    return ok({ share: null })
  },
})

export function registerShare(server: FastifyInstance, app: App, sendStudioPage: SendStudioPage): void {
  for (const register of [getShareRoute, shareVideoRoute, revokeShareRoute]) register(server, app)
  registerPublicRoutes(server, app, sendStudioPage)
}

function registerPublicRoutes(server: FastifyInstance, app: App, sendStudioPage: SendStudioPage): void {
  const http = server.withTypeProvider<TypeBoxTypeProvider>()
  const { publicUrl } = app.config

  http.route({
    method: 'GET',
    url: '/api/v1/share/:token',
    schema: {
      tags: ['video'],
      operationId: 'getSharedVideo',
      summary: 'A shared film',
      description: 'Needs no credential: the token is one. 404: revoked, deleted, or no token of this service.',
      params: Token,
      response: { 200: Envelope(SharedVideo) },
    },
    handler: async (request, reply) => {
      const { token } = request.params
      reply.headers(privateHeaders)
      const film = await readSharedFilm(app, token)
      if (!film) throw notShared()
      return ok({
        ...pick('share', film),
        allowsDownload: film.allowsDownload,
        ...fileUrls(publicUrl, token, film),
      })
    },
  })

  http.route({
    method: ['GET', 'HEAD'],
    url: '/share/:token',
    schema: { hide: true, params: Token },
    handler: async (request, reply) => {
      const { token } = request.params
      const film = await readSharedFilm(app, token)
      reply.headers(privateHeaders)
      return sendStudioPage(request, reply, film ? 200 : 404, headOf(app.config, token, film))
    },
  })

  http.route({
    method: ['GET', 'HEAD'],
    url: '/share/:token/:file',
    config: { limit: 'signed' },
    schema: {
      hide: true,
      params: Type.Object({ ...Token.properties, file: Type.String() }),
      querystring: Type.Object({ download: Type.Optional(Type.String()) }),
    },
    handler: async (request, reply) => {
      const film = await readSharedFilm(app, request.params.token)
      const key = film && publicFileOf(film, request.params.file)
      if (!film || !key) {
        await limitUnauthenticated(app, request, reply)
        throw notShared()
      }
      reply.headers(privateHeaders)
      const download = request.query.download === undefined ? {} : { download: film.prompt ?? '' }
      const manifestUrl = manifestUrlOf(film, key, sharePageUrl(publicUrl, request.params.token))
      return sendStoredFile(request, reply, app, { key, remainingS: FILE_TTL_S, manifestUrl, ...download })
    },
  })
}

const privateHeaders = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' }

const notShared = () => new AppError('NOT_FOUND', 'This film is not shared any more.')

function fileUrls(publicUrl: string, token: string, film: SharedFilm) {
  const page = sharePageUrl(publicUrl, token)
  return {
    videoUrl: `${page}/${publicNameOf(film.videoKey)}`,
    thumbnailUrl: `${page}/${publicNameOf(film.thumbnailKey)}`,
  }
}

const TITLE_CHARACTERS = 80

/** The head of the page: its title, and Open Graph for previews of the link. */
function headOf({ publicUrl, site: { name: site } }: Config, token: string, film: SharedFilm | null): string {
  const robots = '<meta name="robots" content="noindex, nofollow">'
  if (!film) return `<title>No such film · ${escapeHtml(site)}</title>${robots}`
  const { prompt, model, duration, aspectRatio, filmWidth, filmHeight } = film
  const { videoUrl, thumbnailUrl } = fileUrls(publicUrl, token, film)
  const title = prompt === null ? `A film made with ${site}` : shortened(prompt, TITLE_CHARACTERS)
  const size = (name: string) => [
    [`${name}:width`, filmWidth],
    [`${name}:height`, filmHeight],
  ]
  const properties = [
    ['og:site_name', site],
    ['og:type', 'video.other'],
    ['og:title', title],
    ['og:description', `Made by AI (${everyModel().get(model)?.name ?? model}), ${duration} s, ${aspectRatio}`],
    ['og:url', sharePageUrl(publicUrl, token)],
    ['og:image', thumbnailUrl],
    ['og:image:type', 'image/jpeg'],
    ['og:image:alt', title],
    ['og:video', videoUrl],
    ['og:video:type', contentTypeOf(film.videoKey)],
    ...size('og:video'),
  ].filter(([, content]) => content !== null)
  return [
    `<title>${escapeHtml(title)} · ${escapeHtml(site)}</title>`,
    robots,
    ...properties.map(([name, content]) => `<meta property="${name}" content="${escapeHtml(String(content))}">`),
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('')
}

const shortened = (text: string, characters: number): string => {
  const all = [...text]
  return all.length > characters ? `${all.slice(0, characters).join('')}…` : text
}
