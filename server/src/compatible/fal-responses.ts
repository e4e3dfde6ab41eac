/** The responses of `/fal` in fal's shapes, and what its webhooks have: status, result, failure, error. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { App } from '../app.ts'
import type { Config } from '../config/config.ts'
import { derivedKey } from '../config/seal.ts'
import { AppError } from '../errors.ts'
import { isFinal } from '../film/fields.ts'
import { contentTypeOf } from '../storage/key.ts'
import { fileLink } from '../video/library.ts'
import type { WebhookFormat } from '../webhook/attempt.ts'
import { logOf } from './film-log.ts'
import type { VideoView } from './video-view.ts'

export const FAL_PREFIX = '/fal'

export function linksOf({ config }: Pick<App, 'config'>, path: string, id: string) {
  const url = `${config.publicUrl}${FAL_PREFIX}/${path}/requests/${id}`
  return { request_id: id, response_url: url, status_url: `${url}/status`, cancel_url: `${url}/cancel` }
}

/** A film that failed is COMPLETED too: its result is the error. */
export function toStatus(app: App, path: string, video: VideoView, wantsLogs: boolean) {
  const { uuid, status, queuePosition, acceptedAt, completedAt, failure } = video
  const links = linksOf(app, path, uuid)
  if (status === 'PENDING' || queuePosition) return { status: 'IN_QUEUE', queue_position: queuePosition ?? 0, ...links }
  const logs = wantsLogs ? logOf(video).map(toLog) : []
  if (!isFinal(status)) return { status: 'IN_PROGRESS', logs, ...links }
  const seconds = acceptedAt && completedAt ? (completedAt.getTime() - acceptedAt.getTime()) / 1000 : null
  const error = failure && { error: failure.message, error_type: failure.code }
  return { status: 'COMPLETED', logs, metrics: { inference_time: seconds }, ...error, ...links }
}

const toLog = ({ at, level, message }: ReturnType<typeof logOf>[number]) => ({
  message,
  level,
  source: 'USER',
  timestamp: at,
})

/** @throws AppError INVALID_REQUEST for a film that is not ready, NOT_FOUND for one that is no longer kept */
export function toResult(app: App, video: VideoView) {
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

export const toFailure = ({ code, message }: NonNullable<VideoView['failure']>) => ({
  message,
  detail: [{ loc: ['body'], msg: message, type: code }],
  code,
})

/** The body of a webhook. */
export function toWebhook(app: App, video: VideoView) {
  const of = { request_id: video.uuid, gateway_request_id: video.uuid }
  const { failure, videoKey } = video
  if (!failure && videoKey === null)
    return { ...of, status: 'ERROR', error: 'The film is no longer kept.', payload: null }
  if (!failure) return { ...of, status: 'OK', payload: toResult(app, video) }
  return { ...of, status: 'ERROR', error: failure.message, payload: { detail: toFailure(failure).detail } }
}

/** fal signs with one key of its own, and receivers read its public half from a JWKS. */
export const signWebhook: WebhookFormat['sign'] = (_secrets, { timestampS, body }, { config }, owner) => {
  const requestId = owner.subjectId ?? ''
  const content = [requestId, owner.userId, timestampS, createHash('sha256').update(body).digest('hex')].join('\n')
  return {
    'x-fal-webhook-request-id': requestId,
    'x-fal-webhook-user-id': owner.userId,
    'x-fal-webhook-timestamp': String(timestampS),
    'x-fal-webhook-signature': sign(null, Buffer.from(content), signingKey(config)).toString('hex'),
  }
}

export function webhookKeys(config: Settings) {
  const jwk = createPublicKey(signingKey(config)).export({ format: 'jwk' })
  const kid = createHash('sha256').update(String(jwk.x)).digest('base64url').slice(0, 16)
  return { keys: [{ ...jwk, kid, use: 'sig', alg: 'EdDSA' }] }
}

type Settings = Pick<Config, 'authSecret'>

/** Of AUTH_SECRET, so that all processes have it and no table does. Ed25519 in PKCS #8 is this prefix and 32 bytes. */
const signingKey = (config: Settings): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([
      Buffer.from('302e020100300506032b657004220420', 'hex'),
      derivedKey(config, 'webhooks in the format of fal'),
    ]),
    format: 'der',
    type: 'pkcs8',
  })
