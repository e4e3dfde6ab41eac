/**
 * `/fal`: the wire format of fal's queue, for its package `@fal-ai/client`, which reaches another host by its proxy
 * contract: every request comes to one address, and the header `x-fal-target-url` names where it was meant for. The
 * same paths count below `/fal/`. The models are `kinora/<model>`. Submit, run, stream, status, result, cancel,
 * uploads, and the key of webhooks.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { App } from '../app.ts'
import { everyModel } from '../catalogue/catalogue.ts'
import { AppError } from '../errors.ts'
import { isFinal } from '../film/fields.ts'
import { limitAlso } from '../http/request/rate-limits.ts'
import { disconnection, typed, userOf } from '../http/request/request.ts'
import { cancel } from '../video/cancel.ts'
import type { FilmInput } from '../video/generate-request.ts'
import { streamFilm } from './event-stream.ts'
import { FAL_PREFIX, linksOf, toFailure, toResult, toStatus, webhookKeys } from './fal-responses.ts'
import { initiateUpload, registerUpload, withUploads } from './fal-upload.ts'
import {
  type Call,
  changes,
  type ErrorShape,
  fieldOf,
  generates,
  ownModel,
  reads,
  registerFormat,
  type Shared,
  silently,
  wholeRequest,
  withModelNotFound,
} from './format.ts'
import { generateOnce } from './repeated-request.ts'
import { type VideoView, viewVideo } from './video-view.ts'
import { readParameters } from './vocabulary.ts'
import { FILM_WAIT_MS, noteEndsOfWait, type WaitForFilm } from './wait-for-film.ts'
import { MODEL_OWNER } from './wire-formats.ts'

/** Its other fields depend on the model. */
const Input = Type.Unsafe<Record<string, unknown>>({ type: 'object' })

export function registerFal(server: FastifyInstance, app: App, shared: Shared): void {
  registerFormat(server, { prefix: FAL_PREFIX, format: 'fal', errorShape: falError }, (scope) => {
    registerUpload(scope, app, shared)
    const http = typed(scope)
    http.get('/.well-known/jwks.json', { schema: { hide: true } }, async () => webhookKeys(app.config))
    for (const url of ['/', '/*'] as const) {
      http.post(
        url,
        {
          ...generates(shared.limitLarge, { body: Input }),
          // What is refused is refused as what it is, not for its fields.
          preValidation: async (request) => {
            targetOf(app, request, ...POSTED)
          },
        },
        (request, reply) => post({ app, request, reply }, shared.waitForFilm),
      )
      http.get(url, reads({}), (request, reply) => read({ app, request, reply }, shared.waitForFilm))
      http.put(url, changes({}), async (request, reply) => {
        const { id } = targetOf(app, request, 'cancel')
        await cancel(app, userOf(request), id)
        return respond(reply.code(202), id, { status: 'CANCELLATION_REQUESTED' })
      })
    }
  })
}

const respond = (reply: FastifyReply, id: string, body: object) => reply.header('x-fal-request-id', id).send(body)

/** Begins a request, and waits for it if the client does; or says where a file is to be put. */
async function post(call: Call, waitForFilm: WaitForFilm) {
  const { app, request, reply } = call
  const target = targetOf(app, request, ...POSTED)
  const { model, mode, operation, webhook, path } = target
  if (operation === 'upload') {
    const counted = limitAlso(app, request, reply, 'image')
    if (counted) await counted
    return reply.send(initiateUpload(call))
  }
  const input = request.body as Static<typeof Input>
  const wanted = await requestOf(call, { model, mode }, input)
  if (webhook !== null) {
    wanted.webhookUrl = webhook
    wanted.webhookFormat = { name: 'fal', field: 'webhookUrl', events: null }
  }
  // The package sends a request up to four times when its connection breaks, without a mark.
  const repetition = silently(call, ['fal', model, mode, input, ...(webhook === null ? [] : [webhook])], 0)
  const { uuid } = await generateOnce(call, wanted, repetition).catch(withModelNotFound(app))
  if (operation === 'run') return respondWithFilm(call, waitForFilm, uuid)
  if (operation === 'stream') return streamOf(call, waitForFilm, { id: uuid, path, isResult: true })
  return respond(reply, uuid, { status: 'IN_QUEUE', queue_position: 0, ...linksOf(app, path, uuid) })
}

async function read(call: Call, waitForFilm: WaitForFilm) {
  const { app, request, reply } = call
  const { id, operation, path, wantsLogs } = targetOf(app, request, 'status', 'result', 'statusStream')
  const video = await viewVideo(app, userOf(request), id)
  if (operation === 'status') return respond(reply, id, toStatus(app, path, video, wantsLogs))
  if (operation === 'statusStream') return streamOf(call, waitForFilm, { id, path, isResult: false })
  return respondWith(reply, app, video)
}

/** The status for which the package has its ValidationError, and fal for an input that makes no film. */
const respondWith = (reply: FastifyReply, app: App, video: VideoView) =>
  video.failure
    ? respond(reply.code(422), video.uuid, toFailure(video.failure))
    : respond(reply, video.uuid, toResult(app, video))

async function respondWithFilm(call: Call, waitForFilm: WaitForFilm, id: string) {
  const { app, request, reply } = call
  const video = await waitForFilm(request, id, { waitMs: FILM_WAIT_MS, signal: disconnection(reply) })
  // The package sends the request again, which waits for the same film.
  if (!isFinal(video.status)) throw new AppError('UNAVAILABLE', 'The film is not ready yet; send the request again.')
  await noteEndsOfWait(call, [video])
  return respondWith(reply, app, video)
}

type StreamOf = { id: string; path: string; isResult: boolean }

/** Sends each status, and of a stream that began the film its result. */
function streamOf(call: Call, waitForFilm: WaitForFilm, { id, path, isResult }: StreamOf) {
  const { app, reply } = call
  const statusOf = (video: VideoView) => toStatus(app, path, video, false)
  reply.header('x-fal-request-id', id)
  return streamFilm(call, waitForFilm, id, {
    status: (video, send) => send(statusOf(video)),
    end: (video, send) => {
      if (!isResult || !isFinal(video.status)) send(statusOf(video))
      else send(video.failure ? { status: 'ERROR', ...toFailure(video.failure) } : toResult(app, video))
    },
    error: ({ message, code }, send) => send({ status: 'ERROR', message, code }),
  })
}

const POSTED = ['submit', 'run', 'stream', 'upload'] as const
type Operation = (typeof POSTED)[number] | 'status' | 'statusStream' | 'result' | 'cancel'
const OF_SUFFIX: Record<string, Operation> = {
  '/status': 'status',
  '/status/stream': 'statusStream',
  '/cancel': 'cancel',
}

/**
 * What the request is meant for: a model, and a video unless it begins one. Below /fal itself it is the queue's.
 * @throws AppError NOT_FOUND; INVALID_REQUEST for what the format has and Kinora does not
 */
function targetOf(app: App, request: FastifyRequest, ...operations: Operation[]) {
  const named = request.headers['x-fal-target-url']
  const isNamed = typeof named === 'string'
  const target = URL.parse(isNamed ? named : request.url.slice(FAL_PREFIX.length), 'https://queue.fal.run')
  if (request.headers['x-fal-request-timeout'] !== undefined) throw unsupported('startTimeout', 'queue.cancel')
  const pathname = target?.pathname ?? ''
  if (pathname.startsWith('/storage/upload/initiate-multipart'))
    throw unsupported('files above 90 MB', 'POST /api/v1/asset/uploads, and its link')
  const nothing = { model: '', mode: undefined, id: '', path: '', webhook: null, wantsLogs: false }
  if (pathname === '/storage/upload/initiate' && operations.includes('upload'))
    return { ...nothing, operation: 'upload' as const }
  const [, at = '', stream] = /^(.*?)(\/stream)?$/.exec(pathname) ?? []
  const isOfRequest = at.includes('/requests/')
  const [, owner, name, id = '', suffix, mode] =
    /^\/([^/]+)\/([^/]+)(?:\/requests\/([^/]+)(\/status\/stream|\/status|\/cancel)?|\/([^/]+))?$/.exec(
      isOfRequest ? pathname : at,
    ) ?? []
  const model = ownModel(app, owner, name)
  const begins = stream ? 'stream' : isNamed && target?.hostname === 'fal.run' ? 'run' : 'submit'
  const operation = id === '' ? begins : suffix ? (OF_SUFFIX[suffix] ?? 'result') : 'result'
  if (!operations.includes(operation)) throw new AppError('NOT_FOUND', `This method does not ${operation} a request.`)
  const webhook = target?.searchParams.get('fal_webhook') ?? null
  const path = `${MODEL_OWNER}/${model}`
  return { model, mode, id, operation, path, webhook, wantsLogs: target?.searchParams.get('logs') === '1' }
}

const unsupported = (what: string, instead: string) =>
  new AppError('INVALID_REQUEST', `This service does not support ${what} here; use ${instead}.`)

async function requestOf(
  call: Call,
  { model, mode }: { model: string; mode: string | undefined },
  input: Static<typeof Input>,
): Promise<FilmInput> {
  const sender = userOf(call.request)
  const asked = {
    model: everyModel().get(model),
    format: 'fal' as const,
    input: await withUploads(call.app, sender, input),
  }
  return wholeRequest(call.app, { ...(await readParameters(call, asked, mode)), model })
}

/** The package shows `message`; fal's own errors have `detail`. */
const falError: ErrorShape = (error) => {
  const field = error.code === 'CONTENT_REFUSED' ? 'prompt' : fieldOf(error)
  // fal's own word, which programs compare.
  const type = error.code === 'CONTENT_REFUSED' ? 'content_policy_violation' : error.code
  return {
    message: error.message,
    detail: field === null ? error.message : [{ loc: ['body', field], msg: error.message, type }],
    code: error.code,
  }
}
