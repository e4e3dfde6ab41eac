/**
 * `POST /api/v1/asset` and, for pictures alone, `/api/v1/video/image`: uploads what films are made from. The body is
 * the file itself and streams to a temporary file, so that many large uploads at once cost little memory. A refused
 * body is drained to its end: closing the connection while the client is still sending would reset it before the client
 * reads the response.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { actingId } from '../account/credential/credential.ts'
import type { App } from '../app.ts'
import {
  type AssetRow,
  assetBytesMax,
  type Origin,
  receiveAsset,
  shownAsset,
  tooLarge,
  UNUSED_DAYS,
} from '../asset/asset.ts'
import { readName } from '../asset/library.ts'
import { AppError } from '../errors.ts'
import { KINDS, type Kind } from '../film/inputs.ts'
import { FetchError } from '../net/fetch-error.ts'
import { removeStaleTemporaryFiles } from '../storage/temporary-files.ts'
import { parseJson, textAt } from '../text/json-reader.ts'
import { AssetView } from './assets.ts'
import { Envelope, ok, Timestamp } from './request/envelope.ts'
import { authenticated, disconnection, userOf } from './request/request.ts'
import { chunksOf } from './request/request-body.ts'
import { extendToUploadTimeout } from './request/request-timeouts.ts'
import { exceptBody, KindAndName, type Limited, registerResumableUploads } from './resumable-uploads.ts'

const UPLOADS_PER_USER = 8
const CLEAN_UP_EVERY_MS = 3600_000
/** The uploads in progress, by user. */
type Uploads = Map<string, Set<Promise<unknown>>>

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
          'https://kinora.example/files/asset/01939b1e-1111-7aaa-8bbb-000000000001/' +
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

/** The types that are documented; the bytes decide what a file is. */
const TYPES: Record<Kind, readonly string[]> = {
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/avif'],
  film: ['video/mp4', 'video/quicktime', 'video/webm'],
  sound: ['audio/mpeg', 'audio/wav', 'audio/mp4', 'audio/ogg'],
}
/** Any picture, film or sound: of one that is not read here the bytes say what it is. And what some programs send. */
const READ_TYPES = /^((image|video|audio)\/|application\/(ogg|octet-stream|json)\b)/i
const JSON_BYTES_MAX = 16_384
const FETCH_TIMEOUT_MS = 60_000
const FETCH_IDLE_TIMEOUT_MS = 15_000

const binary = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))
const Linked = Type.Object(
  { url: Type.String({ format: 'uri' }), name: Type.Optional(Type.String()) },
  {
    title: 'LinkedAsset',
    additionalProperties: false,
    examples: [{ url: 'https://example.com/mara.png', name: 'mara' }],
  },
)

export async function registerUploads(server: FastifyInstance, app: App): Promise<void> {
  scheduleCleanUp(server, app)
  const uploads: Uploads = new Map()
  // An aborted upload still removes its temporary file; a process that exits without waiting would leave the file
  // behind.
  server.addHook('onClose', async () => {
    await Promise.allSettled([...uploads.values()].flatMap((ofUser) => [...ofUser]))
  })
  const limited: Limited = (caller, start) => limitConcurrency(uploads, caller.actorId, start)
  const receive = (request: FastifyRequest, reply: FastifyReply, origin: Pick<Origin, 'name' | 'kind'>) => {
    const caller = userOf(request)
    return limited(caller, () => {
      extendToUploadTimeout(request.raw)
      return receiveBody(app, request, { ...caller, madeBy: actingId(caller), ...origin }, disconnection(reply))
    })
  }
  await server.register(async (scope) => {
    // The handler gets every body as a stream: only the handler can refuse it without closing the connection.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(READ_TYPES, (_request, body, done) => done(null, body))
    scope.addContentTypeParser('*', (_request, _body, done) => done(null, null))
    const http = scope.withTypeProvider<TypeBoxTypeProvider>()
    const config = { access: 'user', scope: 'generate', token: true, limit: 'image', impersonation: 'change' } as const

    http.route({
      method: 'POST',
      url: '/api/v1/asset',
      config,
      validatorCompiler: exceptBody,
      schema: {
        ...authenticated('asset'),
        operationId: 'uploadAsset',
        summary: 'Keep a picture, film or sound to make films from',
        description:
          'The body is the file itself, or JSON with a link to it. Pictures: PNG, JPEG, WebP or AVIF of at most 15 MB; films: MP4, MOV ' +
          'or WebM of at most 200 MB and 10 minutes; sounds: MP3, WAV, M4A or OGG of at most 30 MB. What is kept has no metadata. The same file ' +
          `again is the same asset. Above 16 MB /api/v1/asset/upload takes it by several requests (tus 1.0). One without a name that no video uses is kept for ${UNUSED_DAYS} days. 413: larger, or all of yours are.`,
        querystring: KindAndName,
        body: {
          content: {
            ...binary(['*/*']),
            'application/json': { schema: Linked },
          },
        },
        response: { 200: Envelope(AssetView) },
      },
      handler: async (request, reply) => {
        const { name, kind } = request.query
        const wanted = { ...(name !== undefined && { name: readName(name) }), ...(kind && { kind }) }
        return ok(shownAsset(app, await receive(request, reply, wanted)))
      },
    })

    http.route({
      method: 'POST',
      url: '/api/v1/video/image',
      config,
      validatorCompiler: exceptBody,
      schema: {
        ...authenticated('video'),
        operationId: 'uploadImage',
        summary: 'Upload a start image',
        description:
          'POST /api/v1/asset for a picture: each side 64 to 8192 pixels. It is re-encoded without metadata, upright, opaque, at most ' +
          '4096 pixels wide and high.',
        body: { content: binary(TYPES.image) },
        response: { 200: Envelope(UploadedImage) },
      },
      handler: async (request, reply) => ok(asImage(app, await receive(request, reply, { kind: 'image' }))),
    })
    registerResumableUploads(scope, app, limited)
  })
}

function asImage(app: App, row: AssetRow) {
  const { url, urlExpiresAt: expiresAt } = shownAsset(app, row)
  const { sizeBytes, contentType } = row
  return {
    url,
    width: row.width ?? 0,
    height: row.height ?? 0,
    sizeBytes,
    contentType: contentType as 'image/png',
    expiresAt,
  }
}

/** @throws AppError as receiveAsset; INVALID_REQUEST for a link that cannot be fetched */
async function receiveBody(app: App, request: FastifyRequest, origin: Origin, signal: AbortSignal): Promise<AssetRow> {
  const { kind = null } = origin
  if (kind !== 'image' && /^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    const { url, name } = await linkIn(chunksOf(request.raw))
    const accept = { accept: [...KINDS.flatMap((kind) => TYPES[kind]), '*/*;q=0.1'], refuse: ['text/*'] }
    const limits = { timeoutMs: FETCH_TIMEOUT_MS, idleTimeoutMs: FETCH_IDLE_TIMEOUT_MS, maxBytes: assetBytesMax(kind) }
    try {
      app.userFetch.checkUrl(url)
      const { body } = await app.userFetch.get(url, { ...limits, ...accept, signal })
      return await receiveAsset(app, { ...origin, ...(name !== undefined && { name: readName(name) }) }, body, signal)
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      throw invalidField('url', `The url cannot be used: ${error.message}`)
    }
  }
  return receiveAsset(app, origin, bodyOf(request, kind), signal)
}

const invalidField = (path: string, message: string) =>
  new AppError('INVALID_REQUEST', message, { details: [{ path, message }] })

async function linkIn(body: AsyncIterable<Buffer>): Promise<{ url: string; name?: string }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > JSON_BYTES_MAX) throw invalidField('body', 'The body is larger than a link can be.')
    chunks.push(chunk)
  }
  if (size === 0)
    throw invalidField('body', 'This operation needs a body: send the file, or a JSON object with its url.')
  const value = parseJson(Buffer.concat(chunks).toString('utf8'))
  const stranger = Object.keys(Object(value)).find((field) => field !== 'url' && field !== 'name')
  if (stranger !== undefined) throw invalidField(stranger, `The body is not valid: ${stranger} is not a known field.`)
  const [url, name] = [textAt(value, 'url'), textAt(value, 'name')]
  if (url === null || !URL.canParse(url))
    throw invalidField('url', 'Send { "url": "https://…" } with the link to the file.')
  return { url, ...(name !== null && { name }) }
}

/**
 * Limits the concurrent uploads of a user: each may take minutes, and without the limit one user could hold hundreds of
 * connections and gigabytes of temporary files.
 * @throws AppError RATE_LIMITED
 */
async function limitConcurrency<T>(uploads: Uploads, actorId: string, start: () => Promise<T>): Promise<T> {
  const ofUser = uploads.get(actorId) ?? new Set()
  if (ofUser.size >= UPLOADS_PER_USER) {
    const message = `You are sending ${UPLOADS_PER_USER} files already; wait for one of them to arrive.`
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
function bodyOf(request: FastifyRequest, kind: Kind | null): AsyncIterable<Buffer> {
  const sent = request.headers['content-type']
  if (!request.body || (kind === 'image' && !/^image\//i.test(sent ?? ''))) {
    const which = (kind ? [kind] : KINDS).flatMap((each) => TYPES[each]).join(', ')
    const message = `Send the file itself as the body, with its Content-Type: ${which}${sent ? `; ${sent} is none of them` : ''}.`
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', message)
  }
  const bytesMax = assetBytesMax(kind)
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
  return chunksOf(request.raw)
}
