/**
 * `/fal`: the wire format of fal's queue, for its package `@fal-ai/client`, which reaches another host by its proxy
 * contract: every request comes to one address, and the header `x-fal-target-url` names where it was meant for. The
 * same paths count below `/fal/`. The models are `kinora/<model>`. Submit, status, result and cancel.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { App } from '../app.ts'
import { everyModel } from '../catalogue/catalogue.ts'
import { AppError } from '../errors.ts'
import { isFinal } from '../film/fields.ts'
import { userOf } from '../http/request/request.ts'
import { contentTypeOf } from '../storage/key.ts'
import { cancel } from '../video/cancel.ts'
import type { FilmInput } from '../video/generate-request.ts'
import { fileLink } from '../video/library.ts'
import { logOf } from './film-log.ts'
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
import { MODEL_OWNER } from './wire-formats.ts'

const PREFIX = '/fal'

/** Its other fields depend on the model. */
const Input = Type.Unsafe<Record<string, unknown>>({ type: 'object' })

export function registerFal(server: FastifyInstance, app: App, { limitLarge }: Shared): void {
  registerFormat(server, { prefix: PREFIX, format: 'fal', errorShape: falError }, (scope) => {
    const http = scope.withTypeProvider<TypeBoxTypeProvider>()
    const respond = (reply: FastifyReply, id: string, body: object) => reply.header('x-fal-request-id', id).send(body)

    for (const url of ['/', '/*']) {
      http.route({
        method: 'POST',
        url,
        ...generates(limitLarge, { body: Input }),
        // Uploads and streams have other bodies: they are refused as what they are, not for their fields.
        preValidation: async (request) => {
          targetOf(app, request, 'submit')
        },
        handler: async (request, reply) => {
          const { model, mode } = targetOf(app, request, 'submit')
          const call = { app, request, reply }
          const wanted = await requestOf(call, { model, mode }, request.body)
          // The package sends a request up to four times when its connection breaks, without a mark.
          const repetition = silently(call, ['fal', model, mode, request.body], 0)
          const { uuid } = await generateOnce(call, wanted, repetition).catch(withModelNotFound(app))
          return respond(reply, uuid, { status: 'IN_QUEUE', queue_position: 0, ...linksOf(app, model, uuid) })
        },
      })

      http.get(url, reads({}), async (request, reply) => {
        const { id, operation, wantsLogs } = targetOf(app, request, 'status', 'result')
        const video = await viewVideo(app, userOf(request), id)
        if (operation === 'status') return respond(reply, id, toStatus(app, video, wantsLogs))
        if (!video.failure) return respond(reply, id, toResult(app, video))
        // The status for which the package has its ValidationError, and fal for an input that makes no film.
        return respond(reply.code(422), id, toFailure(video.failure))
      })

      http.put(url, changes({}), async (request, reply) => {
        const { id } = targetOf(app, request, 'cancel')
        await cancel(app, userOf(request), id)
        return respond(reply.code(202), id, { status: 'CANCELLATION_REQUESTED' })
      })
    }
  })
}

type Operation = 'submit' | 'status' | 'result' | 'cancel'

/**
 * What the request is meant for: a model, and a video unless it is submitted.
 * @throws AppError NOT_FOUND; INVALID_REQUEST for what the format has and Kinora does not
 */
function targetOf(app: App, request: FastifyRequest, ...operations: Operation[]) {
  const named = request.headers['x-fal-target-url']
  const target = URL.parse(
    typeof named === 'string' ? named : request.url.slice(PREFIX.length),
    'https://queue.fal.run',
  )
  if (target?.searchParams.has('fal_webhook')) {
    throw unsupported('webhookUrl', 'subscribe, or an endpoint of POST /api/v1/webhook/endpoints')
  }
  if (/\/stream$/.test(target?.pathname ?? '')) throw unsupported('streams', 'subscribe with the mode polling')
  if (request.headers['x-fal-request-timeout'] !== undefined) {
    throw unsupported('startTimeout', 'queue.cancel')
  }
  if (target?.hostname === 'fal.run') throw unsupported('run', 'subscribe or queue.submit')
  if (target?.pathname.startsWith('/storage/')) throw unsupported('uploads', 'a data URL or a link as image_url')
  const [, owner, name, id = '', suffix, mode] =
    /^\/([^/]+)\/([^/]+)(?:\/requests\/([^/]+)(\/status|\/cancel)?|\/([^/]+))?$/.exec(target?.pathname ?? '') ?? []
  const model = ownModel(app, owner, name)
  const operation = id === '' ? 'submit' : suffix === '/status' ? 'status' : suffix === '/cancel' ? 'cancel' : 'result'
  if (!operations.includes(operation)) throw new AppError('NOT_FOUND', `This method does not ${operation} a request.`)
  return { model, mode, id, operation, wantsLogs: target?.searchParams.get('logs') === '1' }
}

const unsupported = (what: string, instead: string) =>
  new AppError('INVALID_REQUEST', `This service does not support ${what} here; use ${instead}.`)

async function requestOf(
  call: Call,
  { model, mode }: { model: string; mode: string | undefined },
  input: Static<typeof Input>,
): Promise<FilmInput> {
  const asked = { model: everyModel().get(model), format: 'fal' as const, input }
  return wholeRequest(call.app, { ...(await readParameters(call, asked, mode)), model })
}

function linksOf({ config }: App, model: string, id: string) {
  const url = `${config.publicUrl}${PREFIX}/${MODEL_OWNER}/${model}/requests/${id}`
  return { request_id: id, response_url: url, status_url: `${url}/status`, cancel_url: `${url}/cancel` }
}

/** A film that failed is COMPLETED too: its result is the error. */
function toStatus(app: App, video: VideoView, wantsLogs: boolean) {
  const { uuid, model, status, queuePosition, acceptedAt, completedAt } = video
  const links = linksOf(app, model, uuid)
  if (status === 'PENDING' || queuePosition) return { status: 'IN_QUEUE', queue_position: queuePosition ?? 0, ...links }
  const logs = wantsLogs ? logOf(video).map(toLog) : []
  if (!isFinal(status)) return { status: 'IN_PROGRESS', logs, ...links }
  const seconds = acceptedAt && completedAt ? (completedAt.getTime() - acceptedAt.getTime()) / 1000 : null
  return { status: 'COMPLETED', logs, metrics: { inference_time: seconds }, ...links }
}

const toLog = ({ at, level, message }: ReturnType<typeof logOf>[number]) => ({
  message,
  level,
  source: 'USER',
  timestamp: at,
})

/** @throws AppError INVALID_REQUEST for a film that is not ready, NOT_FOUND for one that is no longer kept */
function toResult(app: App, video: VideoView) {
  const { status, videoKey, durationS, seed } = video
  if (!isFinal(status)) throw new AppError('INVALID_REQUEST', 'The film is not ready yet; ask for its status.')
  const url = fileLink(app, videoKey)
  if (url === null || videoKey === null) throw new AppError('NOT_FOUND', 'The film is no longer kept.')
  return {
    video: {
      url,
      content_type: contentTypeOf(videoKey),
      file_name: new URL(url).pathname.split('/').at(-1),
      duration: durationS,
    },
    ...(seed === null ? {} : { seed }),
  }
}

const toFailure = ({ code, message }: NonNullable<VideoView['failure']>) => ({
  message,
  detail: [{ loc: ['body'], msg: message, type: code }],
  code,
})

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
