/**
 * Uploads as fal's package makes them: it asks where to put a file and what its link will be, puts the bytes there
 * without a key, and sends the link as an input.
 */
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../account/credential/credential.ts'
import type { App } from '../app.ts'
import { assetBytesMax } from '../asset/asset.ts'
import { getAsset } from '../asset/library.ts'
import { openUpload, readUpload, receiveUpload } from '../asset/upload.ts'
import { AppError } from '../errors.ts'
import { disconnection, typed, userOf } from '../http/request/request.ts'
import { chunksOf } from '../http/request/request-body.ts'
import { extendToUploadTimeout } from '../http/request/request-timeouts.ts'
import { newId } from '../id.ts'
import { FAL_PREFIX } from './fal-responses.ts'
import { type Call, invalidField, type Shared } from './format.ts'
import { bySealedAddress, sealAddress } from './sealed-address.ts'

const UPLOAD = { purpose: 'uploads in the format of fal', scope: 'generate', minutes: 15 } as const

const filesUrl = ({ config }: App) => `${config.publicUrl}${FAL_PREFIX}/files/`

/** The response to an initiate: nothing is stored before the bytes come. */
export function initiateUpload(call: Call) {
  const { app } = call
  const id = newId(app.now())
  const upload_url = `${app.config.publicUrl}${FAL_PREFIX}/upload/${sealAddress(call, UPLOAD, id)}`
  return { upload_url, file_url: filesUrl(app) + id }
}

/** Takes the bytes as a stream: few are in memory at a time, of any type. */
export function registerUpload(server: FastifyInstance, app: App, { recheck }: Pick<Shared, 'recheck'>): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
    const options = { bodyLimit: assetBytesMax(null), ...bySealedAddress(app, recheck, UPLOAD) }
    typed(scope).put('/upload/:token', options, async (request, reply) => {
      const sender = userOf(request)
      const { id } = request.params
      const sizeBytes = Number(request.headers['content-length'])
      if (!(sizeBytes > 0)) throw new AppError('INVALID_REQUEST', 'Send the file as the body, with its Content-Length.')
      extendToUploadTimeout(request.raw)
      await openUpload(app, sender, { id, sizeBytes, kind: null, name: null })
      // The package puts a file again when its connection breaks.
      const { receivedBytes: offset } = await readUpload(app, sender, id)
      const body = skip(chunksOf(request.raw), offset)
      await receiveUpload(app, sender, { id, offset, body }, disconnection(reply)).catch(async (error: unknown) => {
        // Another request with the file has come first.
        const upload = await readUpload(app, sender, id).catch(() => null)
        if (!upload?.assetId) throw error
      })
      return reply.send({})
    })
  })
}

async function* skip(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

/** The input with the links of uploads as those of their assets. @throws AppError INVALID_REQUEST */
export async function withUploads(app: App, sender: Caller, input: Record<string, unknown>) {
  const linkOf = async (name: string, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith(filesUrl(app))) return value
    const upload = await readUpload(app, sender, value.slice(filesUrl(app).length)).catch(() => null)
    if (!upload?.assetId)
      throw invalidField(name, `The ${name} is of no upload of yours that is complete; upload it again.`)
    return (await getAsset(app, sender, upload.assetId)).url
  }
  const entries = Object.entries(input).map(async ([name, value]) => [
    name,
    Array.isArray(value) ? await Promise.all(value.map((each) => linkOf(name, each))) : await linkOf(name, value),
  ])
  return Object.fromEntries(await Promise.all(entries)) as Record<string, unknown>
}
