/** One attempt of a delivery: signs, sends, and says what the response means for the delivery and for its endpoint. */
import type { App } from '../app.ts'
import { FetchError } from '../net/fetch-error.ts'
import { inSpan, type Span } from '../tracing/tracing.ts'
import type { WebhookFormat } from './events.ts'
import { nextAttemptAt, retryAfterOf } from './schedule.ts'
import { openRouterSignature, signatures } from './secret.ts'

/** The columns of a delivery that an attempt reads. `attempt`: how many there have been. */
export type Delivery = {
  id: string
  type: string
  subjectId: string | null
  url: string
  body: string
  /** null: Kinora's own format, in which the body is as it was written. */
  format: WebhookFormat | null
  attempt: number
}

/** Returns the body of a delivery in a format; `stored` is the event as it was written, with the video. */
export type ComposeBody = (app: App, format: WebhookFormat, stored: string) => string

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
 * `isGone`: the endpoint wants no more (410). `isOverloaded`: it is away or asks for less, so the rest waits; `retryAfterS`: for how
 * long, if it said.
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

/** The headers of an attempt but its signature. */
export const headersOf = (id: string, at: Date): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Kinora-Webhooks/1',
  'webhook-id': messageId(id),
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
})

function signedHeaders(
  id: string,
  at: Date,
  format: WebhookFormat | null,
  secrets: readonly Buffer[],
  body: string,
): Record<string, string> {
  const timestampS = Math.floor(at.getTime() / 1000)
  if (format !== 'openrouter') {
    return { ...headersOf(id, at), 'webhook-signature': signatures(secrets, { id: messageId(id), timestampS, body }) }
  }
  const { 'webhook-id': idempotencyKey = '', 'webhook-timestamp': _, ...headers } = headersOf(id, at)
  return {
    ...headers,
    'x-openrouter-idempotency-key': idempotencyKey,
    'x-openrouter-signature': openRouterSignature(secrets, timestampS, body),
  }
}

export type Sending = { delivery: Delivery; secrets: readonly Buffer[]; compose: ComposeBody; signal: AbortSignal }

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
  { delivery, secrets, compose, signal }: Sending,
): Promise<Attempt> {
  const at = app.now()
  const startMs = performance.now()
  const { id, format } = delivery
  const body = format === null ? delivery.body : compose(app, format, delivery.body)
  const headers = {
    ...signedHeaders(id, at, format, secrets, body),
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
