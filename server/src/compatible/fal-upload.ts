/**
 * Uploads as fal's package makes them: it asks where to put a file and what its link will be, puts the bytes there
 * without a key, and sends the link as an input. The address to put it is a capability of one upload for some minutes.
 */
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Caller } from '../account/credential/credential.ts'
import type { App } from '../app.ts'
import { assetBytesMax } from '../asset/asset.ts'
import { getAsset } from '../asset/library.ts'
import { openUpload, readUpload, receiveUpload } from '../asset/upload.ts'
import { seal, unseal } from '../config/seal.ts'
import { AppError } from '../errors.ts'
import { disconnection, typed } from '../http/request/request.ts'
import { chunksOf } from '../http/request/request-body.ts'
import { extendToUploadTimeout } from '../http/request/request-timeouts.ts'
import { newId } from '../id.ts'
import { FAL_PREFIX } from './fal-responses.ts'
import { invalidField } from './format.ts'

type Sender = Pick<Caller, 'userId' | 'actorId' | 'key' | 'team'>
type Ticket = { id: string; sender: Sender; endsMs: number }

const TICKET_MS = 15 * 60_000
const SEAL = { purpose: 'uploads in the format of fal', owner: '' }
const Token = Type.Object({ token: Type.String() })

const filesUrl = ({ config }: App) => `${config.publicUrl}${FAL_PREFIX}/files/`

/** The response to an initiate: nothing is stored before the bytes come. */
export function initiateUpload(app: App, { userId, actorId, key, team }: Sender) {
  const id = newId(app.now())
  const ticket: Ticket = { id, sender: { userId, actorId, key, team }, endsMs: app.now().getTime() + TICKET_MS }
  const token = seal(app.config, SEAL, Buffer.from(JSON.stringify(ticket))).toString('base64url')
  return { upload_url: `${app.config.publicUrl}${FAL_PREFIX}/upload/${token}`, file_url: filesUrl(app) + id }
}

/** Takes the bytes as a stream: few are in memory at a time, whatever their type says. */
export function registerUpload(server: FastifyInstance, app: App): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
    const options = { bodyLimit: assetBytesMax(null), schema: { hide: true, params: Token } }
    typed(scope).put('/upload/:token', options, async (request, reply) => {
      const { id, sender } = readTicket(app, request.params.token)
      const sizeBytes = Number(request.headers['content-length'])
      if (!(sizeBytes > 0)) throw new AppError('INVALID_REQUEST', 'Send the file as the body, with its Content-Length.')
      extendToUploadTimeout(request.raw)
      // The package puts a file again when its connection breaks.
      const known = await readUpload(app, sender, id).catch(() => null)
      const { receivedBytes: offset } =
        known ?? (await openUpload(app, sender, { id, sizeBytes, kind: null, name: null }))
      const body = skip(chunksOf(request.raw), offset)
      await receiveUpload(app, sender, { id, offset, body }, disconnection(reply))
      return reply.send({})
    })
  })
}

/** @throws AppError UNAUTHENTICATED */
function readTicket(app: App, token: string): Ticket {
  const opened = unseal(app.config, SEAL, Buffer.from(token, 'base64url'))
  const ticket: Ticket | null = opened && JSON.parse(opened.toString())
  if (ticket && ticket.endsMs > app.now().getTime()) return ticket
  throw new AppError('UNAUTHENTICATED', 'This address for an upload has ended; ask for another one.')
}

async function* skip(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

/** The input with the links of uploads as those of their assets. @throws AppError INVALID_REQUEST */
export async function withUploads(app: App, sender: Sender, input: Record<string, unknown>) {
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
