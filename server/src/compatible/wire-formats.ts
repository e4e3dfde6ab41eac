/**
 * Videos in the shapes of Replicate (a prediction) and OpenRouter (a generation): in responses of the compatible APIs
 * and in the webhooks that these APIs accept. The link to the film is signed when a body is made, so that it is valid
 * when it arrives.
 */
import { createHmac } from 'node:crypto'
import type { App } from '../app.ts'
import type { JsonRow, Status } from '../film/fields.ts'
import { revive } from '../film/rows.ts'
import { linkForOwner } from '../video/inputs.ts'
import { fileLink } from '../video/library.ts'
import { standardFormat, type WebhookFormats } from '../webhook/attempt.ts'
import { secretText } from '../webhook/secret.ts'
import { signWebhook, toWebhook } from './fal-responses.ts'
import { logOf } from './film-log.ts'
import { type Field, fieldsOfFormats } from './input-fields.ts'
import type { VideoView } from './video-view.ts'

/** Models of Replicate's format are `kinora/<model>`. */
export const MODEL_OWNER = 'kinora'

export const replicateUrl = ({ config }: App): string => `${config.publicUrl}/replicate/v1`

const predictionStatuses = {
  PENDING: 'starting',
  GENERATING: 'processing',
  UPLOADING: 'processing',
  COMPLETED: 'succeeded',
  FAILED: 'failed',
} as const satisfies Record<Status, string>

export function toPrediction(app: App, video: VideoView) {
  const { uuid, createdAt, acceptedAt, completedAt, failedAt } = video
  const endedAt = completedAt ?? failedAt
  const url = `${replicateUrl(app)}/predictions/${uuid}`
  const seconds = (from: Date | null) => (from && endedAt ? (endedAt.getTime() - from.getTime()) / 1000 : undefined)
  const stated = {
    ...linksOf(app, video),
    seed: video.seed,
    negative_prompt: video.negativePrompt,
    generate_audio: video.audio,
  }
  return {
    id: uuid,
    model: `${MODEL_OWNER}/${video.model}`,
    version: 'hidden',
    status: video.failure?.code === 'CANCELLED' ? 'canceled' : predictionStatuses[video.status],
    input: {
      ...(video.prompt && { prompt: video.prompt }),
      duration: video.durationS,
      aspect_ratio: video.aspectRatio,
      resolution: video.quality,
      ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== null)),
      ...video.options,
    },
    output: fileLink(app, video.videoKey),
    error: video.error,
    logs: logOf(video)
      .map(({ message }) => message)
      .join('\n'),
    metrics: { predict_time: seconds(acceptedAt), total_time: seconds(createdAt) },
    created_at: createdAt,
    started_at: acceptedAt,
    completed_at: endedAt,
    source: 'api',
    data_removed: false,
    urls: { get: url, cancel: `${url}/cancel` },
  }
}

/** The inputs as a request names them; films of videos have no link here. */
function linksOf(app: App, { madeOf }: VideoView): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {}
  for (const { role, kind, source } of madeOf ?? []) {
    const [name] = Object.entries(fieldsOfFormats.replicate as Record<string, Field>).find(
      ([, field]) => field.kind === kind && field.roles.includes(role),
    ) ?? [null]
    const link = linkForOwner(app, source)
    if (name === null || link === null) continue
    found[name] = role === 'reference' ? [...(found[name] ?? []), link] : link
  }
  return found
}

const generationStatuses = {
  PENDING: 'pending',
  GENERATING: 'in_progress',
  UPLOADING: 'in_progress',
  COMPLETED: 'completed',
  FAILED: 'failed',
} as const satisfies Record<Status, string>

export function toGeneration(app: App, video: VideoView) {
  const url = fileLink(app, video.videoKey)
  return {
    id: video.uuid,
    status: video.failure?.code === 'CANCELLED' ? 'cancelled' : generationStatuses[video.status],
    // A signed link needs no key, which some clients send and others do not.
    ...(url === null ? {} : { unsigned_urls: [url] }),
    usage: { cost: video.creditsUsed, is_byok: false },
    ...(video.error === null ? {} : { error: video.error }),
  }
}

/** `view`: see kinora.webhook_view. */
type StoredEvent = { type: string; timestamp: string; view: JsonRow<'webhook'> }

const DELETED = { code: 'CANCELLED', message: 'Deleted before it was final.', retryable: true } as const

/** The video of an event. One that was deleted before it was final counts as cancelled. */
const viewOf = ({ type, view }: StoredEvent): VideoView => ({
  ...revive('webhook', view),
  progress: view.status === 'COMPLETED' ? 100 : 0,
  estimatedSeconds: null,
  queuePosition: null,
  isReplayable: null,
  ...(type === 'video.deleted' ? { failure: DELETED, videoKey: null } : {}),
})

/** By the names that requests are stored with. */
export const webhookFormats: WebhookFormats = {
  replicate: {
    ...standardFormat,
    compose: (app, stored) => JSON.stringify(toPrediction(app, viewOf(JSON.parse(stored)))),
  },
  fal: {
    compose: (app, stored) => JSON.stringify(toWebhook(app, viewOf(JSON.parse(stored)))),
    sign: signWebhook,
  },
  openrouter: {
    compose: (app, stored) => {
      const event: StoredEvent = JSON.parse(stored)
      const view = viewOf(event)
      const data = { ...toGeneration(app, view), model: view.model }
      return JSON.stringify({ type: `video.generation.${data.status}`, created_at: event.timestamp, data })
    },
    // The key is the text of the secret. The format has one signature, so the secret before a rotation does not sign.
    sign: ([secret], { id, timestampS, body }) => {
      const key = secret ? secretText(secret) : ''
      const signature = createHmac('sha256', key).update(`${timestampS},${body}`).digest('hex')
      return { 'x-openrouter-idempotency-key': id, 'x-openrouter-signature': `t=${timestampS},v1=${signature}` }
    },
  },
}
