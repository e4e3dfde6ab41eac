/**
 * `POST /api/v1/video/image`: the upload of a start image. The body is the image itself and goes to a file as it arrives,
 * so that many large uploads at once cost hardly any memory. A body that is refused is read to its end and thrown away:
 * whoever is still sending would otherwise meet a broken connection instead of the answer.
 */
import type { Readable } from 'node:stream'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { IMAGE_BYTES_MAX, tooLarge, UNUSED_DAYS, UNUSED_MAX, upload } from '../image/start-image.ts'
import { removeStaleTemporaryFiles } from '../storage/temporary-files.ts'
import { Envelope, errors, ok, Timestamp } from './envelope.ts'
import { userOf } from './request.ts'
import { allowLonger } from './request-timeouts.ts'

const AT_ONCE_MAX = 8
const LEFT_OVERS_EVERY_MS = 3600_000
/** The uploads under way, by user. */
type InHand = Map<string, Set<Promise<unknown>>>

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp']

const UploadedImage = Type.Object({
  url: Type.String({ description: 'Signed link to the image; what startImageUrl of generate and quote takes' }),
  width: Type.Integer({ description: 'Pixels, of the image as it is kept' }),
  height: Type.Integer({ description: 'Pixels' }),
  sizeBytes: Type.Integer(),
  contentType: Type.Enum(['image/png', 'image/jpeg'], { description: 'Of the image as it is kept' }),
  expiresAt: Timestamp('Until when the url is good'),
})

const binary = Object.fromEntries(IMAGE_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))

export async function registerImage(server: FastifyInstance, app: App): Promise<void> {
  removeLeftOvers(server, app)
  const inHand: InHand = new Map()
  // A connection that is closed leaves its upload to tidy up; a process that did not wait would leave the file behind.
  server.addHook('onClose', async () => {
    await Promise.allSettled([...inHand.values()].flatMap((uploads) => [...uploads]))
  })
  await server.register(async (scope) => {
    // Every body is left to the handler as the stream that it is; only there it can be refused without a cut.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(IMAGE_TYPES, (_request, body, done) => done(null, body))
    scope.addContentTypeParser('*', (_request, _body, done) => done(null, null))

    scope.withTypeProvider<TypeBoxTypeProvider>().route({
      method: 'POST',
      url: '/api/v1/video/image',
      config: { access: 'user', limit: 'image' },
      // The description of the body is for readers; a stream is nothing that a schema could judge.
      validatorCompiler: () => () => true,
      schema: {
        tags: ['video'],
        security: [{ session: [] }, { bearer: [] }, { apiKey: [] }],
        operationId: 'uploadImage',
        summary: 'Upload a start image',
        description:
          'The body is the file itself: PNG, JPEG or WebP of at most 15 MB, each side 64 to 8192 pixels. It is made anew ' +
          'without metadata, upright, opaque, at most 4096 pixels wide and high. The same file again is the same image. ' +
          `An image that no video uses, failed ones aside, is kept for ${UNUSED_DAYS} days, the latest ${UNUSED_MAX} of them.`,
        body: { content: binary },
        response: { 200: Envelope(UploadedImage), ...errors(400, 401, 413, 415) },
      },
      handler: async (request, reply) => {
        const body = bodyOf(request)
        const { userId } = userOf(request)
        return ok(
          await inTurn(inHand, userId, () => {
            allowLonger(request.raw)
            return upload(app, userId, body, leaving(reply))
          }),
        )
      },
    })
  })
}

/**
 * Holds a user to a few uploads at once: each may take minutes, and without this one user could hold hundreds of
 * connections and gigabytes of half-sent files.
 * @throws AppError RATE_LIMITED
 */
async function inTurn<T>(inHand: InHand, userId: string, begin: () => Promise<T>): Promise<T> {
  const uploads = inHand.get(userId) ?? new Set()
  if (uploads.size >= AT_ONCE_MAX) {
    const message = `You are sending ${AT_ONCE_MAX} images already; wait for one of them to arrive.`
    throw new AppError('RATE_LIMITED', message, { retryAfterS: 5 })
  }
  const one = begin()
  inHand.set(userId, uploads.add(one))
  try {
    return await one
  } finally {
    uploads.delete(one)
    if (uploads.size === 0) inHand.delete(userId)
  }
}

/** On a machine without a worker nobody else removes what killed processes left. */
function removeLeftOvers(server: FastifyInstance, { config, log }: App): void {
  const remove = () =>
    removeStaleTemporaryFiles(config.dataDir).catch((err: unknown) =>
      log.warn({ err }, 'stale temporary files could not be removed'),
    )
  const timer = setInterval(remove, LEFT_OVERS_EVERY_MS).unref()
  server.addHook('onClose', async () => clearInterval(timer))
  remove()
}

/** @throws AppError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE */
function bodyOf(request: FastifyRequest): AsyncIterable<Buffer> {
  if (!request.body) {
    const message = 'Send the image itself as the body, with "Content-Type: image/png", "image/jpeg" or "image/webp".'
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', message)
  }
  if (Number(request.headers['content-length'] ?? 0) > IMAGE_BYTES_MAX) throw tooLarge()
  return arriving(request.raw)
}

async function* arriving(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false })
  } catch (error) {
    if (!body.destroyed || body.readableEnded) throw error
    throw new AppError('INVALID_REQUEST', 'The image did not arrive whole; send it again.')
  } finally {
    body.resume()
  }
}

/** Aborts when the client has gone, so that nobody's image is waited for or looked at. */
function leaving(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort(new AppError('INVALID_REQUEST', 'The client has gone.')))
  return gone.signal
}
