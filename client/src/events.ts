/**
 * The event stream of the caller's videos, read by fetch because EventSource cannot send an API key. A lost connection
 * is reopened with `Last-Event-ID`, so that no event is missed.
 */
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { Send } from './calls.ts'
import { errorFromResponse, isRecord, type KinoraError, KinoraStreamError, unreachableError } from './errors.ts'
import type { components } from './openapi.ts'
import { backoffMs, sleep } from './retry.ts'

/**
 * An SSE message. Pass its `id` as `lastEventId` to resume after it. `prompt`, its first 120 characters,
 * `thumbnailUrl`, `endedAt`, `madeBy` and `metadata` are there once the video has ended. `reset`: events were skipped:
 * refetch the displayed data.
 */
export type VideoEvent = { id: string } & components['schemas']['VideoChanged' | 'VideoDeleted' | 'StreamReset']

export type EventsOptions = {
  /** Ends the iteration without an error. */
  signal?: AbortSignal
  /** Resumes after this event. Default: the stream starts with the next event. */
  lastEventId?: string
  /** Only videos that browser tokens of this subject made. */
  subject?: string
  /** Called when the stream connects, and when the connection is lost and will be retried; only on changes. */
  onConnection?: (state: 'open' | 'lost') => void
}

const PATH = '/api/v1/video/events'
const RETRY_MS = 1_000
const RETRY_MIN_MS = 100
/** The service sends a heartbeat at least twice in this time; a connection that is idle for longer is dead. */
const IDLE_TIMEOUT_MS = 60_000

export async function* followEvents(
  send: Send,
  { signal, lastEventId = '', subject, onConnection }: EventsOptions = {},
): AsyncGenerator<VideoEvent, void, undefined> {
  const path = subject === undefined ? PATH : `${PATH}?subject=${encodeURIComponent(subject)}`
  const position = { lastEventId, retryMs: RETRY_MS }
  let failures = 0
  let reported: 'open' | 'lost' | null = null
  const report = (state: 'open' | 'lost') => {
    if (state === reported) return
    reported = state
    onConnection?.(state)
  }
  while (!signal?.aborted) {
    const connection = await connect(send, path, position.lastEventId, signal)
    if (signal?.aborted) return connection.close()
    let error: KinoraError | null = null
    if ('error' in connection) {
      error = connection.error
      failures += 1
      if (isPermanent(error)) throw new KinoraStreamError(error)
    } else {
      failures = 0
      try {
        report('open')
        yield* messages(connection, position, signal)
      } finally {
        connection.close()
      }
      if (signal?.aborted) return
    }
    // 429: the user has too many streams open, but the service is reachable.
    if (error?.status !== 429) report('lost')
    const waitMs = Math.max(backoffMs(failures, position.retryMs), (error?.retryAfterSeconds ?? 0) * 1000)
    await sleep(waitMs, signal).catch(() => undefined)
  }
}

type Position = { lastEventId: string; retryMs: number }
type Connection = { body: ReadableStream<Uint8Array>; close: () => void; resetIdleTimer: () => void }

async function connect(
  send: Send,
  path: string,
  lastEventId: string,
  signal: AbortSignal | undefined,
): Promise<Connection | { error: KinoraError; close: () => void }> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  signal?.addEventListener('abort', abort)
  let idleTimer = setTimeout(abort, IDLE_TIMEOUT_MS)
  const close = () => {
    clearTimeout(idleTimer)
    signal?.removeEventListener('abort', abort)
    abort()
  }
  const resetIdleTimer = () => {
    clearTimeout(idleTimer)
    idleTimer = setTimeout(abort, IDLE_TIMEOUT_MS)
  }
  const headers = { accept: 'text/event-stream', ...(lastEventId ? { 'last-event-id': lastEventId } : {}) }
  try {
    const response = await send(path, { headers, signal: controller.signal })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (response.ok && response.body && isStream) return { body: response.body, close, resetIdleTimer }
    const error = errorFromResponse(response, await readJson(response))
    close()
    return { error, close }
  } catch {
    close()
    return { error: unreachableError(), close }
  }
}

/** The events of one connection, until it ends or breaks. */
async function* messages(
  connection: Connection,
  position: Position,
  signal: AbortSignal | undefined,
): AsyncGenerator<VideoEvent, void, undefined> {
  const received: EventSourceMessage[] = []
  const parser = createParser({
    onEvent: (message) => received.push(message),
    onRetry: (retryMs) => {
      position.retryMs = Math.max(RETRY_MIN_MS, retryMs)
    },
  })
  const reader = connection.body.getReader()
  const decoder = new TextDecoder()
  while (true) {
    const { value } = await reader.read().catch(() => ({ value: undefined }))
    if (value === undefined) return
    connection.resetIdleTimer()
    parser.feed(decoder.decode(value, { stream: true }))
    for (const message of received.splice(0)) {
      if (signal?.aborted) return
      // The service's event `mark` advances the position while no video of the caller changes.
      position.lastEventId = message.id ?? position.lastEventId
      const event = toEvent(message, position.lastEventId)
      if (event) yield event
    }
  }
}

/** @returns null for an event type that this client does not know, as a newer service may send */
function toEvent({ event: type, data }: EventSourceMessage, id: string): VideoEvent | null {
  if (type !== 'video' && type !== 'deleted' && type !== 'reset') return null
  try {
    const fields: unknown = JSON.parse(data)
    return isRecord(fields) ? ({ ...fields, id, type } as VideoEvent) : null
  } catch {
    return null
  }
}

/** Whether the same request would fail again. */
const isPermanent = ({ status }: KinoraError): boolean =>
  status >= 200 && status < 500 && status !== 408 && status !== 429

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
