/** Start images as other services' formats have them: a link, a data URL, or the bytes themselves. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { AppError } from '../../errors.ts'
import { IMAGE_BYTES_MAX, tooLarge, upload } from '../../video/start-image/start-image.ts'
import { limitAlso } from '../request/rate-limits.ts'
import { disconnection, userOf } from '../request/request.ts'

/**
 * Returns the `startImageUrl` of a generate request. A link is left to `generate`, which checks it; bytes are inspected and stored
 * as an upload is, and count as one for the rate limit.
 * @throws AppError INVALID_REQUEST, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, RATE_LIMITED
 */
export async function startImageOf(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  image: string | Buffer,
): Promise<string> {
  const bytes = typeof image === 'string' ? readDataUrl(image) : image
  if (bytes === null) return String(image)
  if (bytes.length > IMAGE_BYTES_MAX) throw tooLarge()
  const counted = limitAlso(app, request, reply, 'image')
  if (counted) await counted
  return (await upload(app, userOf(request).userId, chunks(bytes), disconnection(reply))).url
}

/** The bytes of a data URL (RFC 2397); null for another URL. The media type is not read: the image's own bytes decide. */
function readDataUrl(url: string): Buffer | null {
  if (!/^data:/i.test(url)) return null
  const comma = url.indexOf(',')
  if (comma < 0 || !/;base64$/i.test(url.slice(0, comma))) {
    throw new AppError('INVALID_REQUEST', 'The data URL of the image must have the form data:image/png;base64,…', {
      details: [{ path: 'startImageUrl', message: 'must be a base64 data URL' }],
    })
  }
  return Buffer.from(url.slice(comma + 1), 'base64')
}

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
