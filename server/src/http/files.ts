/**
 * `GET /files/<key>`: the file behind a signed link. The signature is the only credential, so a link works in any
 * player without a session. Invariant: no file served here can execute as a page of this origin.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { attachment, contentTypeOf, downloadNameOf, isKey } from '../storage/key.ts'
import { type LinkSettings, verifyLink } from '../storage/link.ts'
import { closeFile, type OpenFile, openFile, readFully } from '../storage/open-files.ts'
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
/** A read of a file, which a slow client keeps in memory: four times Node's takes a tenth less time a GB. */
const READ_BYTES = 256 * 1024
/** For ranges that are one read: a new buffer for each took a tenth of the time. */
const buffers: Buffer[] = []
const BUFFERS_MAX = 8

const linkRefusals = {
  expired: 'This link has expired; read the video or asset again to get a new one.',
  forged:
    'This is not a whole link of this service; use the one of the video or asset unchanged, with its exp and sig, or read it again.',
}

/** What sends files: `filesByProxy`: the proxy in front does, by the name in X-Accel-Redirect. */
type FileSender = { storage: Storage; config: { filesByProxy: boolean } }
/** The proxy's location of the folder, which no request from outside reaches. */
const PROXY_LOCATION = '/kinora-files/'

type FileRequest = { Params: { '*': string }; Querystring: Record<string, unknown> }

/**
 * Responds 403 to a forged or expired link, 404 when its file is gone or its video deleted. `?download` makes the
 * response an attachment, with `filename=<name>` one of this name.
 * @param deps `shownFile`: the file of a key that may be served now, else null; asked for every request with a valid
 * link. `linkTo`: a signed link. `onForged`: called for an invalid link, before the response; limits them
 */
export function registerFiles(
  app: FastifyInstance,
  deps: Pick<LinkSettings, 'authSecret'> &
    FileSender & {
      now: () => Date
      shownFile: (key: string) => Promise<{ key: string; manifestKey: string | null } | null>
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
      if (typeof expiresS === 'string' || !isKey(key)) {
        await deps.onForged(request, reply)
        throw new AppError('FORBIDDEN', linkRefusals[expiresS === 'expired' ? 'expired' : 'forged'])
      }
      const shown = await deps.shownFile(key)
      if (!shown) throw noLongerKept()

      const remainingS = Math.max(1, Math.floor(expiresS - nowMs / 1000))
      return sendStoredFile(request, reply, deps, {
        key: shown.key,
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

async function sendFile(request: FastifyRequest, reply: FastifyReply, path: string, contentType: string) {
  const file = await openFile(path)
  if (!file) throw noLongerKept()
  let isSent = false
  try {
    const { sizeBytes, modifiedMs } = file
    const etag = `"${sizeBytes.toString(16)}-${Math.floor(modifiedMs).toString(16)}"`
    reply.headers({ etag, 'last-modified': new Date(modifiedMs).toUTCString(), 'accept-ranges': 'bytes' })
    const { status, from, to } = partOf(request.raw, { etag, modifiedMs, sizeBytes })
    if (status === 304) return reply.code(status).send()
    if (status === 412 || status === 416) {
      reply.code(status).removeHeader('content-disposition').header('cache-control', 'no-store')
      reply.removeHeader('etag').removeHeader('last-modified').removeHeader('accept-ranges')
      return (status === 416 ? reply.header('content-range', `bytes */${sizeBytes}`) : reply).send()
    }
    reply
      .code(status)
      .type(contentType)
      .header('content-length', to - from)
    if (status === 206) reply.header('content-range', `bytes ${from}-${to - 1}/${sizeBytes}`)
    if (request.method === 'HEAD') return reply.send()
    if (to - from > READ_BYTES) {
      isSent = true
      return reply.send(streamOf(file, from, to))
    }
    const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(READ_BYTES)
    const bytes = buffer.subarray(0, to - from)
    await readFully(file, bytes, from)
    // The kernel has the bytes then, or the connection is gone. Of one that went before, the buffer is not used again.
    reply.raw.once('close', () => buffers.length < BUFFERS_MAX && buffers.push(buffer))
    return reply.send(bytes)
  } finally {
    if (!isSent) closeFile(file)
  }
}

/** Closes the file when it ends, or its reader has gone. */
function streamOf(file: OpenFile, from: number, to: number): Readable {
  let position = from
  let reading: Promise<void> = Promise.resolve()
  return new Readable({
    highWaterMark: READ_BYTES,
    read() {
      const bytes = Buffer.allocUnsafe(Math.min(READ_BYTES, to - position))
      if (bytes.length === 0) return void this.push(null)
      reading = readFully(file, bytes, position).then(
        () => {
          position += bytes.length
          this.push(bytes)
        },
        (error) => void this.destroy(error),
      )
    },
    destroy(error, done) {
      void reading.then(() => {
        closeFile(file)
        done(error)
      })
    },
  })
}

type Stored = { etag: string; modifiedMs: number; sizeBytes: number }

/** What a conditional or range request gets (RFC 9110, 13.2.2 and 14.2): the bytes from `from` to before `to`. */
function partOf({ headers }: FastifyRequest['raw'], file: Stored): { status: number; from: number; to: number } {
  const { etag, modifiedMs, sizeBytes } = file
  const whole = { from: 0, to: sizeBytes }
  const modifiedS = Math.floor(modifiedMs / 1000)
  const isAfter = (date: string | undefined) => date !== undefined && modifiedS > Date.parse(date) / 1000
  const names = (tags: string, own: string) => tags.split(',').some((tag) => ['*', own].includes(tag.trim()))
  const { 'if-match': match, 'if-none-match': noneMatch, 'if-range': ifRange, range } = headers
  if (match === undefined ? isAfter(headers['if-unmodified-since']) : !names(match, etag))
    return { status: 412, ...whole }
  const since = headers['if-modified-since']
  const isKnown =
    noneMatch === undefined
      ? since !== undefined && Number.isFinite(Date.parse(since)) && !isAfter(since)
      : names(noneMatch.replaceAll('W/', ''), etag)
  if (isKnown && !/\bno-cache\b/.test(headers['cache-control'] ?? '')) return { status: 304, ...whole }
  const tag = ifRange === undefined ? etag : String(ifRange)
  const isSame = tag.includes('"') ? tag === etag : !isAfter(tag)
  const [, ranges] = /^\s*bytes\s*=(.*)$/.exec(range ?? '') ?? []
  if (ranges === undefined || ranges.includes(',') || !isSame) return { status: 200, ...whole }
  const [, first = '', last = ''] = /^\s*(\d*)\s*-\s*(\d*)\s*$/.exec(ranges) ?? []
  const from = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const to = first === '' || last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1)
  return from < to && first + last !== '' ? { status: 206, from, to } : { status: 416, ...whole }
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
