/**
 * `/api/v1/asset/upload`: the upload of a large file by several requests, as tus 1.0 has it (creation, expiration,
 * termination). A client whose connection breaks asks how much has arrived, and goes on from there. The document of the
 * API has none of it: its operations send JSON, and these headers; docs/api.md has it.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Caller } from '../account/credential/credential.ts'
import type { App } from '../app.ts'
import { readName } from '../asset/library.ts'
import { deleteUpload, openUpload, readUpload, receiveUpload, type Upload } from '../asset/upload.ts'
import { AppError } from '../errors.ts'
import { KINDS } from '../film/inputs.ts'
import { ASSET_FILM_BYTES_MAX } from '../media/asset/asset.ts'
import { disconnection, userOf } from './request/request.ts'
import { chunksOf } from './request/request-body.ts'
import { extendToUploadTimeout } from './request/request-timeouts.ts'
import { compileValidator } from './request/validator.ts'

/** Runs an upload within the limit of its caller's. */
export type Limited = <T>(caller: Caller, start: () => Promise<T>) => Promise<T>

export const KindAndName = Type.Object({
  name: Type.Optional(Type.String({ description: 'As that of PATCH' })),
  kind: Type.Optional(
    Type.Enum([...KINDS], { description: 'Refuse any other; of a film for `sound` its sound is kept alone' }),
  ),
})

const PATH = '/api/v1/asset/upload'
const VERSION = '1.0.0'
const CONTENT_TYPE = 'application/offset+octet-stream'
const Id = Type.Object({ id: Type.String() })
/** The body is a stream: its schema only documents it. */
export const exceptBody: typeof compileValidator = (route) =>
  route.httpPart === 'body' ? () => true : compileValidator(route)
const config = { access: 'user', scope: 'generate', token: true, impersonation: 'change' } as const

/** @param scope whose bodies are not read */
export function registerResumableUploads(scope: FastifyInstance, app: App, limited: Limited): void {
  const http = scope.withTypeProvider<TypeBoxTypeProvider>()
  registerDiscovery(scope)

  http.post(
    PATH,
    {
      config: {
        ...config,
        limit: 'image',
        unrepeatable: 'an upload goes on by its address, and the same file again is the same asset',
      },
      schema: { hide: true, querystring: KindAndName },
    },
    async (request, reply) => {
      checkVersion(request, reply)
      const sizeBytes = numberIn(request, 'upload-length')
      if (sizeBytes === 0) throw invalidHeader('upload-length', 'The file is empty.')
      const { name, kind = null } = request.query
      const wanted = { sizeBytes, kind, name: name === undefined ? null : readName(name) }
      const upload = await openUpload(app, userOf(request), wanted)
      return reply.code(201).headers(headersOf(upload)).header('location', `${PATH}/${upload.id}`).send()
    },
  )

  http.head(`${PATH}/:id`, { config, schema: { hide: true, params: Id } }, async (request, reply) => {
    checkVersion(request, reply)
    const upload = await readUpload(app, userOf(request), request.params.id)
    return reply.headers(headersOf(upload)).header('cache-control', 'no-store').send()
  })

  http.patch(`${PATH}/:id`, { config, schema: { hide: true, params: Id } }, async (request, reply) => {
    checkVersion(request, reply)
    const caller = userOf(request)
    if (request.headers['content-type'] !== CONTENT_TYPE)
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', `Send the bytes with "Content-Type: ${CONTENT_TYPE}".`)
    const offset = numberIn(request, 'upload-offset')
    const upload = await limited(caller, () => {
      extendToUploadTimeout(request.raw)
      const part = { id: request.params.id, offset, body: chunksOf(request.raw) }
      return receiveUpload(app, caller, part, disconnection(reply))
    })
    return reply.code(204).headers(headersOf(upload)).send()
  })

  http.delete(`${PATH}/:id`, { config, schema: { hide: true, params: Id } }, async (request, reply) => {
    checkVersion(request, reply)
    await deleteUpload(app, userOf(request), request.params.id)
    return reply.code(204).send()
  })
}

function registerDiscovery(scope: FastifyInstance): void {
  const headers = {
    'tus-resumable': VERSION,
    'tus-version': VERSION,
    'tus-extension': 'creation,expiration,termination',
    'tus-max-size': String(ASSET_FILM_BYTES_MAX),
  }
  scope.options(PATH, { schema: { hide: true } }, (_request, reply) => reply.code(204).headers(headers).send())
}

/** Every response says the version, a refusal too. @throws AppError INVALID_REQUEST for a client of another one */
function checkVersion({ headers }: Pick<FastifyRequest, 'headers'>, reply: FastifyReply): void {
  reply.header('tus-resumable', VERSION)
  const version = headers['tus-resumable']
  if (version === VERSION) return
  reply.header('tus-version', VERSION)
  throw new AppError('PRECONDITION_FAILED', `Send "Tus-Resumable: ${VERSION}", the version of this service.`)
}

function headersOf({ sizeBytes, receivedBytes, assetId, dueAt }: Upload): Record<string, string> {
  return {
    'upload-length': String(sizeBytes),
    'upload-offset': String(receivedBytes),
    'upload-expires': dueAt.toUTCString(),
    ...(assetId !== null && { 'asset-id': assetId }),
  }
}

function numberIn({ headers }: Pick<FastifyRequest, 'headers'>, name: string): number {
  const text = String(headers[name] ?? '')
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw invalidHeader(name, `The header ${name} must be a number of bytes.`)
}

const invalidHeader = (path: string, message: string) =>
  new AppError('INVALID_REQUEST', message, { details: [{ path, message }] })
