/**
 * Bodies that contain an image, which the formats of other services send inside JSON and forms. They are in memory as a
 * whole, unlike those of POST /api/v1/video/image, so few are received at a time.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { userOf } from '../http/request/request.ts'
import { extendToUploadTimeout } from '../http/request/request-timeouts.ts'
import { parseMultipart } from './multipart.ts'

/** An image of 15 MB as base64, and the fields beside it. */
export const LARGE_BODY_BYTES_MAX = 21 * 1024 * 1024
const SMALL_BYTES = 1024 * 1024
/** Each is in memory up to four times: as bytes, as text, parsed, and decoded. */
const BODIES_MAX = 4
const BODIES_PER_USER = 2

export type LimitLargeBodies = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Returns the `onRequest` hook of the routes that accept large bodies. It counts those of this process. */
export function limitLargeBodies(): LimitLargeBodies {
  const users = new Map<string, number>()
  let total = 0
  return async (request, reply) => {
    const length = request.headers['content-length']
    // A body of unknown length counts as large.
    if (length === undefined ? request.headers['transfer-encoding'] === undefined : Number(length) <= SMALL_BYTES)
      return
    const { raw } = reply
    // Its client has gone while the credential was looked up: no body comes, and no `close` that would end the count.
    if (raw.destroyed) return
    const { actorId } = userOf(request)
    const ofUser = users.get(actorId) ?? 0
    if (total >= BODIES_MAX || ofUser >= BODIES_PER_USER) {
      const message = 'Too many images are being received just now; send it again shortly, or send a link to the image.'
      throw new AppError('UNAVAILABLE', message, { retryAfterS: 2 })
    }
    total += 1
    users.set(actorId, ofUser + 1)
    raw.once('close', () => {
      total -= 1
      const left = (users.get(actorId) ?? 1) - 1
      if (left > 0) users.set(actorId, left)
      else users.delete(actorId)
    })
    extendToUploadTimeout(request.raw)
  }
}

/** Accepts forms in all routes of a scope. */
export function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseMultipart(body as Buffer, request.headers['content-type'] ?? ''))
    } catch (error) {
      done(error as Error)
    }
  })
}
