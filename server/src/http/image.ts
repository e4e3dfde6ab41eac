/**
 * `POST /api/v1/video/image`: uploads a start image. The body is the image itself and streams to a temporary file, so
 * that many large uploads at once cost little memory. A refused body is drained to its end: closing the connection
 * while the client is still sending would reset it before the client reads the response.
 */
import type { Readable } from 'node:stream'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { IMAGE_BYTES_MAX, tooLarge, UNUSED_DAYS, UNUSED_MAX, upload } from '../asset/asset.ts'
import { AppError } from '../errors.ts'
import { removeStaleTemporaryFiles } from '../storage/temporary-files.ts'
import { Envelope, ok, Timestamp } from './request/envelope.ts'
import { authenticated, disconnection, userOf } from './request/request.ts'
import { extendToUploadTimeout } from './request/request-timeouts.ts'

const UPLOADS_PER_USER = 8
const CLEAN_UP_EVERY_MS = 3600_000
/** The uploads in progress, by user. */
type Uploads = Map<string, Set<Promise<unknown>>>

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp']

const UploadedImage = Type.Object(
  {
    url: Type.String({ description: 'Signed link to the image, for startImageUrl of generate and quote' }),
    width: Type.Integer({ description: 'Pixels, of the stored image' }),
    height: Type.Integer({ description: 'Pixels' }),
    sizeBytes: Type.Integer(),
    contentType: Type.Enum(['image/png', 'image/jpeg'], { description: 'Of the stored image' }),
    expiresAt: Timestamp('When the url expires'),
  },
  {
    title: 'UploadedImage',
    examples: [
      {
        url:
          'https://kinora.example/files/image/01939b1e-1111-7aaa-8bbb-000000000001/' +
          '01939b1e-2222-7aaa-8bbb-000000000001.jpg?exp=1768566600&sig=…',
        width: 4096,
        height: 3072,
        sizeBytes: 2481022,
        contentType: 'image/jpeg',
        expiresAt: '2026-01-16T12:30:00.000Z',
      },
    ],
  },
)

const binary = Object.fromEntries(IMAGE_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))

export async function registerImage(server: FastifyInstance, app: App): Promise<void> {
  scheduleCleanUp(server, app)
  const uploads: Uploads = new Map()
  // An aborted upload still removes its temporary file; a process that exits without waiting would leave the file
  // behind.
  server.addHook('onClose', async () => {
    await Promise.allSettled([...uploads.values()].flatMap((ofUser) => [...ofUser]))
  })
  await server.register(async (scope) => {
    // The handler gets every body as a stream: only the handler can refuse it without closing the connection.
    scope.removeAllContentTypeParsers()
    // What some programs call image/jpeg. The type is not read: the image's own bytes decide.
    scope.addContentTypeParser([...IMAGE_TYPES, 'image/jpg'], (_request, body, done) => done(null, body))
    scope.addContentTypeParser('*', (_request, _body, done) => done(null, null))

    scope.withTypeProvider<TypeBoxTypeProvider>().route({
      method: 'POST',
      url: '/api/v1/video/image',
      config: { access: 'user', scope: 'generate', token: true, limit: 'image', impersonation: 'change' },
      // The body's schema is only documentation: a stream cannot be validated.
      validatorCompiler: () => () => true,
      schema: {
        ...authenticated('video'),
        operationId: 'uploadImage',
        summary: 'Upload a start image',
        description:
          'The body is the file itself: PNG, JPEG or WebP of at most 15 MB, each side 64 to 8192 pixels. It is re-encoded ' +
          'without metadata, upright, opaque, at most 4096 pixels wide and high. The same file again is the same image. ' +
          `An image that no video uses, failed ones aside, is kept for ${UNUSED_DAYS} days, the latest ${UNUSED_MAX} of them.`,
        body: { content: binary },
        response: { 200: Envelope(UploadedImage) },
      },
      handler: async (request, reply) => {
        const body = bodyOf(request)
        const caller = userOf(request)
        return ok(
          await limitConcurrency(uploads, caller.actorId, () => {
            extendToUploadTimeout(request.raw)
            return upload(app, caller, body, disconnection(reply))
          }),
        )
      },
    })
  })
}

/**
 * Limits the concurrent uploads of a user: each may take minutes, and without the limit one user could hold hundreds of
 * connections and gigabytes of temporary files.
 * @throws AppError RATE_LIMITED
 */
async function limitConcurrency<T>(uploads: Uploads, actorId: string, start: () => Promise<T>): Promise<T> {
  const ofUser = uploads.get(actorId) ?? new Set()
  if (ofUser.size >= UPLOADS_PER_USER) {
    const message = `You are sending ${UPLOADS_PER_USER} images already; wait for one of them to arrive.`
    throw new AppError('RATE_LIMITED', message, { retryAfterS: 5 })
  }
  const current = start()
  uploads.set(actorId, ofUser.add(current))
  try {
    return await current
  } finally {
    ofUser.delete(current)
    if (ofUser.size === 0) uploads.delete(actorId)
  }
}

/** Removes stale temporary files of killed processes here too: a machine with only the API has no worker for it. */
function scheduleCleanUp(server: FastifyInstance, { config, log }: App): void {
  const remove = () =>
    removeStaleTemporaryFiles(config.dataDir).catch((err: unknown) =>
      log.warn({ err }, 'stale temporary files could not be removed'),
    )
  const timer = setInterval(remove, CLEAN_UP_EVERY_MS).unref()
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
  return chunksOf(request.raw)
}

/** Yields the body's chunks; a consumer that stops early does not destroy the socket, and the rest is drained. */
async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false })
  } catch (error) {
    if (!body.destroyed || body.readableEnded) throw error
    throw new AppError('INVALID_REQUEST', 'The image did not arrive whole; send it again.')
  } finally {
    body.resume()
  }
}
