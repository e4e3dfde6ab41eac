/** One attempt of a delivery: signs, sends, and says what the response means for the delivery and for its endpoint. */
import type { App } from '../app.ts'
import { FetchError } from '../net/fetch-error.ts'
import { inSpan, type Span } from '../tracing/tracing.ts'
import { nextAttemptAt, retryAfterOf } from './schedule.ts'
import { signatures } from './secret.ts'

/** The columns of a delivery that an attempt reads. `attempt`: how many there have been. */
export type Delivery = {
  id: string
  type: string
  subjectId: string | null
  url: string
  body: string
  /** null: Kinora's own format, in which the body is as it was written. */
  format: string | null
  attempt: number
  /** Whether it delivers the end of a film that the same request returns until its end was read (video/end-read.ts). */
  hasNewEnd: boolean
}

/** `id`: see messageId. */
type Message = { id: string; timestampS: number; body: string }
/** Whose event it is: the owner, and the video. */
export type Subject = { userId: string; subjectId: string | null }

/**
 * How webhooks of a format look: the body, made of the event as it was written with the video, and the headers that
 * name and sign it.
 */
export type WebhookFormat = {
  compose: (app: App, stored: string) => string
  sign: (secrets: readonly Buffer[], message: Message, app: App, subject: Subject) => Record<string, string>
}

/** The formats of other services that a service has, by the names that requests were stored with. */
export type WebhookFormats = Readonly<Record<string, WebhookFormat>>

/** The row that kinora.webhook_record takes. */
type AttemptRow = {
  id: string
  at: Date
  state: 'pending' | 'delivered' | 'failed'
  due_at: Date | null
  duration_ms: number
  response_status: number | null
  response_body: string | null
  error: string | null
}

/**
 * `isGone`: the endpoint wants no more (410). `isOverloaded`: it is away or asks for less, so the rest waits;
 * `retryAfterS`: for how long, if it said.
 */
export type Attempt = { row: AttemptRow; isGone: boolean; isOverloaded: boolean; retryAfterS: number | null }

/** The bytes of a response that are read and shown to the user. */
const RESPONSE_BYTES_MAX = 4096
/** 408 and 503 beside those that Standard Webhooks names. */
const OVERLOADED = new Set([408, 429, 502, 503, 504])

/** The header webhook-id of a delivery; its id in the API too. */
export const messageId = (id: string): string => `msg_${id.replaceAll('-', '')}`

/** The id of a delivery from its message id; null for any other text. */
export function deliveryIdOf(text: string): string | null {
  const digits = /^msg_([0-9a-f]{32})$/.exec(text)?.[1]
  return digits?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') ?? null
}

const commonHeaders = { 'content-type': 'application/json', 'user-agent': 'Kinora-Webhooks/1' }
const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000)
const namesOf = ({ id, timestampS }: Omit<Message, 'body'>) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestampS),
})

/** The headers of an attempt in Kinora's own format but its signature. */
export const headersOf = (id: string, at: Date): Record<string, string> => ({
  ...commonHeaders,
  ...namesOf({ id: messageId(id), timestampS: secondsOf(at) }),
})

/** Kinora's own format, by Standard Webhooks. */
export const standardFormat: WebhookFormat = {
  compose: (_app, stored) => stored,
  sign: (secrets, message) => ({ ...namesOf(message), 'webhook-signature': signatures(secrets, message) }),
}

export type Sending = {
  userId: string
  delivery: Delivery
  secrets: readonly Buffer[]
  formats: WebhookFormats
  signal: AbortSignal
}

/** Sends a delivery once. @throws the reason of `signal` when it aborts */
export function attempt(app: App, sending: Sending): Promise<Attempt> {
  const { id, type, subjectId } = sending.delivery
  const root = app.tracing?.rootOf(type.startsWith('video.') && subjectId ? subjectId : id)
  const attributes = { 'kinora.webhook.id': messageId(id), 'kinora.webhook.type': type }
  return inSpan(root, 'webhook.send', { kind: 'client', attributes }, async (span) => {
    const sent = await attemptIn(span, app, sending)
    span?.set({ 'http.response.status_code': sent.row.response_status ?? undefined })
    if (sent.row.state !== 'delivered') span?.fail(String(sent.row.response_status ?? 'UNREACHABLE'))
    return sent
  })
}

async function attemptIn(
  span: Span | null,
  app: App,
  { userId, delivery, secrets, formats, signal }: Sending,
): Promise<Attempt> {
  const at = app.now()
  const startMs = performance.now()
  const { id } = delivery
  const format = delivery.format === null ? standardFormat : formats[delivery.format]
  if (!format) throw new Error(`this service has no webhooks in the format ${delivery.format}`)
  const body = format.compose(app, delivery.body)
  const headers = {
    ...commonHeaders,
    ...format.sign(secrets, { id: messageId(id), timestampS: secondsOf(at), body }, app, {
      userId,
      subjectId: delivery.subjectId,
    }),
    ...(span && { traceparent: span.traceparent }),
  }
  const outcome = await app.webhookPost
    .post(delivery.url, headers, body, {
      timeoutMs: app.config.webhookTimeoutS * 1000,
      maxBytes: RESPONSE_BYTES_MAX,
      signal,
    })
    .catch((error: unknown) => {
      if (error instanceof FetchError) return error
      throw error
    })
  app.crashPoint('webhook.sent')
  const durationMs = Math.round(performance.now() - startMs)
  if (outcome instanceof FetchError) {
    return failed(app, delivery, { at, durationMs, error: outcome.message, isOverloaded: true })
  }
  const { status, retryAfter } = outcome
  const response = { status, text: storable(outcome.text) }
  if (status >= 200 && status < 300) {
    const row = { ...rowOf(id, at, durationMs, response), state: 'delivered' as const, due_at: null, error: null }
    return { row, isGone: false, isOverloaded: false, retryAfterS: null }
  }
  return failed(app, delivery, {
    at,
    durationMs,
    response,
    error: status >= 300 && status < 400 ? `Status ${status}; redirects are not followed.` : `Status ${status}.`,
    isGone: status === 410,
    isOverloaded: OVERLOADED.has(status),
    retryAfterS: retryAfterOf(retryAfter, at),
  })
}

/** The attempt of a delivery that cannot be signed, because AUTH_SECRET has changed since its secret was sealed. */
export const unsigned = (app: App, delivery: Delivery): Attempt =>
  failed(app, delivery, {
    at: app.now(),
    durationMs: 0,
    error: 'The secret of this endpoint cannot be read any more; rotate it.',
    isOverloaded: true,
  })

function failed(
  app: App,
  delivery: Delivery,
  failure: {
    at: Date
    durationMs: number
    error: string
    response?: { status: number; text: string }
    isGone?: boolean
    isOverloaded: boolean
    retryAfterS?: number | null
  },
): Attempt {
  const { at, durationMs, error, response, isGone = false, isOverloaded, retryAfterS = null } = failure
  const dueAt = isGone ? null : nextAttemptAt(app.now(), delivery.attempt + 1, retryAfterS)
  const row = {
    ...rowOf(delivery.id, at, durationMs, response),
    state: dueAt ? ('pending' as const) : ('failed' as const),
    due_at: dueAt,
    error,
  }
  return { row, isGone, isOverloaded, retryAfterS }
}

const rowOf = (id: string, at: Date, durationMs: number, response?: { status: number; text: string }) => ({
  id,
  at,
  duration_ms: durationMs,
  response_status: response?.status ?? null,
  response_body: response?.text ?? null,
})

/** PostgreSQL stores no NUL and no lone surrogate. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')
