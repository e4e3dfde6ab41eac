/**
 * `GET /files/<key>`: the file behind a signed link. The signature is the only credential, so a link works in any
 * player without a session. Invariant: no file served here can execute as a page of this origin.
 */
import path from 'node:path'
import send from '@fastify/send'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { attachment, contentTypeOf, downloadNameOf, isKey } from '../storage/key.ts'
import { type LinkSettings, verifyLink } from '../storage/link.ts'
import type { Storage } from '../storage/storage.ts'

/**
 * The life of a presigned storage URL. The storage does not know that a video was deleted, so its URL is short-lived
 * and this route, which does, signs new ones. Long enough to seek in a film that is being watched.
 */
const REDIRECT_TTL_S = 300
/** The life that signed links of a film have which is not about to expire, for routes that have others. */
export const FILE_TTL_S = 300
/** How long a client may show a file without asking again, with its ETag. */
const CACHE_TTL_S = 300
/** A read of a file, which a slow client keeps in memory: four times the library's takes a tenth less time a GB. */
const READ_BYTES = 256 * 1024

/** What sends files: `filesByProxy`: the proxy in front does, by the name in X-Accel-Redirect. */
type FileSender = { storage: Storage; config: { filesByProxy: boolean } }
/** The proxy's location of the folder, which no request from outside reaches. */
const PROXY_LOCATION = '/kinora-files/'

type FileRequest = { Params: { '*': string }; Querystring: Record<string, unknown> }

/**
 * Responds 403 to a forged or expired link, 404 when its file is gone or its video deleted. `?download` makes the
 * response an attachment, with `filename=<name>` one of this name.
 * @param deps `shownFile`: of a key that may be served now, else null; asked for every request with a valid link.
 * `linkTo`: a signed link. `onForged`: called for an invalid link, before the response; limits them
 */
export function registerFiles(
  app: FastifyInstance,
  deps: Pick<LinkSettings, 'authSecret'> &
    FileSender & {
      now: () => Date
      shownFile: (key: string) => Promise<{ manifestKey: string | null } | null>
      linkTo: (key: string | null) => string | null
      onForged: (request: FastifyRequest, reply: FastifyReply) => Promise<void> | void
    },
): void {
  app.route<FileRequest>({
    method: ['GET', 'HEAD'],
    url: '/files/*',
    config: { limit: 'signed' },
    schema: { hide: true },
    handler: async (request, reply) => {
      const key = request.params['*']
      const { exp, sig, download, filename = '' } = request.query
      const link = { key, exp: String(exp ?? ''), sig: String(sig ?? '') }
      const nowMs = deps.now().getTime()
      const expiresS = verifyLink(deps, link, nowMs)
      if (expiresS === null || !isKey(key)) {
        await deps.onForged(request, reply)
        throw new AppError(
          'FORBIDDEN',
          'This link has expired; read the video again, or upload the image again, to get a new one.',
        )
      }
      const shown = await deps.shownFile(key)
      if (!shown) throw noLongerKept()

      const remainingS = Math.max(1, Math.floor(expiresS - nowMs / 1000))
      return sendStoredFile(request, reply, deps, {
        key,
        remainingS,
        manifestUrl: deps.linkTo(shown.manifestKey),
        ...(download !== undefined && { download: String(filename) }),
      })
    },
  })
}

/**
 * Responds with a stored file, with its name for the proxy to send, or with a redirect to the storage that has it.
 * @param file `remainingS`: for how long the caller may read it; `manifestUrl`: of the content credentials beside it,
 * null when there are none; `download`: the response is an attachment with this name, or the usual one when it is empty
 */
export async function sendStoredFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { storage, config }: FileSender,
  {
    key,
    remainingS,
    manifestUrl = null,
    download,
  }: { key: string; remainingS: number; manifestUrl?: string | null; download?: string },
) {
  if (manifestUrl !== null) reply.header('link', `<${manifestUrl}>; rel="c2pa-manifest"`)
  const ttlS = Math.min(remainingS, REDIRECT_TTL_S)
  const contentType = contentTypeOf(key)
  const disposition = download === undefined ? {} : { downloadName: downloadNameOf(key, download) }
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET'
  const location = await storage.locate(key, { method, contentType, ttlS, ...disposition })
  if (location.kind === 'redirect') {
    // A cached redirect would lead past the checks of the route.
    reply.header('cache-control', 'no-store')
    return reply.redirect(location.url, 302)
  }
  if (disposition.downloadName !== undefined) {
    reply.header('content-disposition', attachment(disposition.downloadName))
  }
  reply.header('cache-control', `private, max-age=${Math.min(remainingS, CACHE_TTL_S)}`)
  // `sandbox` gives a file that a browser renders as a page an opaque origin, without scripts.
  reply.headers({
    'content-security-policy': "default-src 'none'; media-src 'self'; img-src 'self'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  })
  if (!config.filesByProxy) return sendFile(request, reply, location.path, contentType)
  // The proxy's answer to a missing file would have no envelope.
  if ((await storage.size(key)) === null) throw noLongerKept()
  return reply
    .type(contentType)
    .header('x-accel-redirect', PROXY_LOCATION + key)
    .send()
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: string, contentType: string) {
  compareStrongly(request.raw.headers)
  let result = await readFile(request, file)
  // The library responds 416 to a suffix range longer than the file; RFC 9110 (14.1.2) requires the whole file.
  if (result.statusCode === 416 && /^\s*bytes=\s*-0*[1-9]\d*\s*$/.test(request.headers.range ?? '')) {
    result.stream.destroy()
    request.raw.headers.range = 'bytes=0-'
    result = await readFile(request, file)
  }
  const { statusCode, headers, stream, type } = result

  if (type === 'file') {
    if (statusCode !== 304) reply.type(contentType)
    return reply
      .code(statusCode)
      .headers({ ...headers, ETag: strong(headers.ETag) })
      .send(stream)
  }
  stream.destroy()
  if (type === 'directory' || statusCode === 404) throw noLongerKept()
  // 412 and 416: a precondition or a range that the file does not satisfy. Any other read error is a bug.
  if (statusCode !== 412 && statusCode !== 416) throw result.metadata.error
  const { 'Content-Range': contentRange } = headers
  if (contentRange !== undefined) reply.header('content-range', contentRange)
  return reply.code(statusCode).removeHeader('content-disposition').header('cache-control', 'no-store').send()
}

/**
 * The library's ETags are weak and it compares all tags weakly. A stored file is replaced as a whole and never changed,
 * so its tag is strong here, and If-Range and If-Match, which compare strongly (RFC 9110, 8.8.3.2), match no weak one.
 */
function compareStrongly(headers: FastifyRequest['raw']['headers']): void {
  const range = String(headers['if-range'] ?? '')
  if (range.startsWith('W/')) delete headers.range
  else if (range.startsWith('"')) headers['if-range'] = `W/${range}`
  if (headers['if-match']) headers['if-match'] = headers['if-match'].replace(/W\/"[^"]*"/g, '""')
}

const strong = (etag: string | undefined) => etag?.replace(/^W\//, '')

function readFile(request: FastifyRequest, file: string) {
  return send(request.raw, `/${path.basename(file)}`, {
    root: path.dirname(file),
    index: false,
    cacheControl: false,
    contentType: false,
    highWaterMark: READ_BYTES,
  })
}

/** The public name of a file, whose storage key contains the user id. */
export const publicNameOf = (key: string): string =>
  key.endsWith('.jpg') ? 'thumbnail.jpg' : `film.${key.split('.').at(-1)}`

type PublicFilm = { videoKey: string; thumbnailKey: string; manifestKey: string | null }

/** The key of a public film's file with this public name. */
export const publicFileOf = ({ videoKey, thumbnailKey, manifestKey }: PublicFilm, name: string): string | undefined =>
  [videoKey, thumbnailKey, manifestKey].find((key) => key !== null && publicNameOf(key) === name) ?? undefined

/** The address in `folder` of the manifest beside a public film; null: there is none, or the file is not the film. */
export const manifestUrlOf = ({ videoKey, manifestKey }: PublicFilm, key: string, folder: string): string | null =>
  manifestKey !== null && key === videoKey ? `${folder}/${publicNameOf(manifestKey)}` : null

const noLongerKept = () => new AppError('NOT_FOUND', 'This file is no longer kept.')
