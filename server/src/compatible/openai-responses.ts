/** The responses of `/v1` in OpenAI's shapes: video, model and error. */
import type { FastifyReply } from 'fastify'
import type { App } from '../app.ts'
import type { AppError, ErrorCode } from '../errors.ts'
import type { Status } from '../film/fields.ts'
import { sizeOf } from './film-sizes.ts'
import { type ErrorShape, fieldOf, isSent, unixSeconds } from './format.ts'
import type { VideoView } from './video-view.ts'

/** The pause between the polls of the package's own helper. */
export const POLL_AFTER_MS = 2000

/** The response to a create. */
export function created(app: App, reply: FastifyReply, video: VideoView, remixedFrom: string | null) {
  reply.header('openai-poll-after-ms', String(POLL_AFTER_MS))
  return { ...toVideo(app, video), remixed_from_video_id: remixedFrom }
}

const statuses = {
  PENDING: 'queued',
  GENERATING: 'in_progress',
  UPLOADING: 'in_progress',
  COMPLETED: 'completed',
  FAILED: 'failed',
} as const satisfies Record<Status, string>

export function toVideo({ config }: App, video: VideoView) {
  const { filmsS } = config.retention
  const completedAt = unixSeconds(video.completedAt)
  return {
    id: video.uuid,
    object: 'video',
    model: video.model,
    status: statuses[video.status],
    progress: video.progress,
    created_at: unixSeconds(video.createdAt),
    completed_at: completedAt,
    expires_at: completedAt === null || filmsS === null ? null : completedAt + filmsS,
    prompt: video.prompt || null,
    ...(video.metadata && { metadata: video.metadata }),
    seconds: String(video.durationS),
    size: sizeOf(video),
    remixed_from_video_id: video.remixedFrom,
    error: video.failure && { code: video.failure.code.toLowerCase(), message: video.failure.message },
  }
}

/** `created`: required by the format; the catalogue has no such time. */
export const toModel = (id: string, company: string) => ({ id, object: 'model', created: 0, owned_by: company })

/** OpenAI's own codes where programs compare them; the others are Kinora's in lower case. */
const codes: Partial<Record<ErrorCode, string>> = {
  UNAUTHENTICATED: 'invalid_api_key',
  INSUFFICIENT_CREDITS: 'insufficient_quota',
  KEY_BUDGET_EXCEEDED: 'insufficient_quota',
  RATE_LIMITED: 'rate_limit_exceeded',
  TOO_MANY_IN_PROGRESS: 'rate_limit_exceeded',
  UNSUPPORTED_MODEL: 'model_not_found',
  CONTENT_REFUSED: 'moderation_blocked',
}
const types: Record<number, string> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
}
/** A required field that is absent is named all the same, as OpenAI does. */
const isMissing = ({ details }: AppError): boolean => Array.isArray(details) && details[0]?.message === 'is missing'

export const openAiError: ErrorShape = (error, status, request, reply) => {
  // The package retries 408, 409, 429 and 5xx. A conflict that names no time stays one.
  if (status < 500 && !error.retryAfterS) reply.header('x-should-retry', 'false')
  const field = fieldOf(error)
  const isNamed =
    field !== null &&
    (isMissing(error) || [request.body, request.query, request.params].some((part) => isSent(part, field)))
  return {
    error: {
      message: error.message,
      type: status >= 500 ? 'server_error' : (types[status] ?? 'invalid_request_error'),
      // A default is not the caller's field.
      param: isNamed ? field : null,
      code: codes[error.code] ?? error.code.toLowerCase(),
    },
  }
}
