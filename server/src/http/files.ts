/**
 * `GET /files/<key>`: the content behind a signed link. The rule: the signature is all it takes, so a link works in any
 * player without a session, and nothing that is served here can run as a page of this service.
 */
import path from 'node:path'
import send from '@fastify/send'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { attachment, contentTypeOf, downloadNameOf, isKey } from '../storage/key.ts'
import { type LinkSettings, verifyLink } from '../storage/link.ts'
import type { Storage } from '../storage/storage.ts'

/** Presigned links are handed on in browsers' histories and proxies' logs, so they are short; ours makes new ones. */
const REDIRECT_TTL_S = 3600

type FileRequest = { Params: { '*': string }; Querystring: Record<string, unknown> }

/** Answers 403 to a link that is forged or over, 404 to one whose file is gone. `?download` makes it an attachment. */
export function registerFiles(app: FastifyInstance, deps: LinkSettings & { storage: Storage }): void {
  app.route<FileRequest>({
    method: ['GET', 'HEAD'],
    url: '/files/*',
    schema: { hide: true },
    handler: async (request, reply) => {
      const key = request.params['*']
      const { exp, sig, download } = request.query
      const link = { key, exp: String(exp ?? ''), sig: String(sig ?? '') }
      const nowMs = Date.now()
      const expiresS = verifyLink(deps, link, nowMs)
      if (expiresS === null || !isKey(key)) {
        throw new AppError(
          'FORBIDDEN',
          'This link has expired; read the video again, or upload the image again, to get a new one.',
        )
      }

      const leftS = Math.max(1, Math.floor(expiresS - nowMs / 1000))
      const ttlS = Math.min(leftS, REDIRECT_TTL_S)
      const contentType = contentTypeOf(key)
      const named = download === undefined ? {} : { downloadName: downloadNameOf(key) }
      const method = request.method === 'HEAD' ? 'HEAD' : 'GET'
      const location = await deps.storage.locate(key, { method, contentType, ttlS, ...named })
      if (location.kind === 'redirect') {
        // A player asks for many ranges: it may reuse the redirect for as long as half of its life is left.
        reply.header('cache-control', `private, max-age=${Math.floor(ttlS / 2)}`)
        return reply.redirect(location.url, 302)
      }
      if (named.downloadName !== undefined) reply.header('content-disposition', attachment(named.downloadName))
      reply.header('cache-control', `private, max-age=${leftS}`)
      return sendFile(request, reply, location.path, contentType)
    },
  })
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: string, contentType: string) {
  let found = await readFrom(request, file)
  // The library refuses a suffix longer than the file; RFC 9110 (14.1.2) wants it answered with the whole file.
  if (found.statusCode === 416 && /^\s*bytes=\s*-0*[1-9]\d*\s*$/.test(request.headers.range ?? '')) {
    found.stream.destroy()
    request.raw.headers.range = 'bytes=0-'
    found = await readFrom(request, file)
  }
  const { statusCode, headers, stream, type } = found

  // With `sandbox`, not even a file that a browser takes for a page could act as this site.
  reply.headers({
    'content-security-policy': "default-src 'none'; media-src 'self'; img-src 'self'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  })
  if (type === 'file') {
    if (statusCode !== 304) reply.type(contentType)
    return reply.code(statusCode).headers(headers).send(stream)
  }
  stream.destroy()
  if (type === 'directory' || statusCode === 404) throw new AppError('NOT_FOUND', 'This file is no longer kept.')
  // A precondition or a range that the file cannot meet; anything else that goes wrong in reading is a fault of ours.
  if (statusCode !== 412 && statusCode !== 416) throw found.metadata.error
  const { 'Content-Range': contentRange } = headers
  if (contentRange !== undefined) reply.header('content-range', contentRange)
  return reply.code(statusCode).removeHeader('content-disposition').header('cache-control', 'no-store').send()
}

function readFrom(request: FastifyRequest, file: string) {
  return send(request.raw, `/${path.basename(file)}`, {
    root: path.dirname(file),
    index: false,
    cacheControl: false,
    contentType: false,
  })
}
