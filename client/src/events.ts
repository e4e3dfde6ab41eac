/**
 * The event stream of the caller's videos, read by fetch rather than by EventSource, which can send no key. The connection
 * may break at any time: it is made again with the id of the last event, so that none is missed.
 */
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { DataOf, Send } from './client.ts'
import { errorOf, isRecord, type KinoraError, KinoraStreamError, unreachable } from './errors.ts'
import { backoffMs, sleep } from './retry.ts'

type Status = DataOf<'get', '/api/v1/video/task'>['status']

/** What happened. `id` is what `lastEventId` takes to go on from there. */
export type VideoEvent = { id: string } & (
  | { type: 'video'; uuid: string; status: Status; progress: number; error: string | null }
  | { type: 'deleted'; uuid: string }
  /** Too much has happened since: read again whatever is shown. */
  | { type: 'reset' }
)

export type EventsOptions = {
  /** Ends the iteration, quietly. */
  signal?: AbortSignal
  /** Goes on after this event. Without it the stream begins with what happens next. */
  lastEventId?: string
  /** Told when the stream is connected, and when it is not and will be tried again; each once until the other. */
  onConnection?: (state: 'open' | 'lost') => void
}

const PATH = '/api/v1/video/events'
const RETRY_MS = 1_000
const RETRY_MIN_MS = 100
/** The service says something at least every half of this; a connection that is silent for longer is dead. */
const SILENCE_MS = 60_000

export async function* followEvents(
  send: Send,
  { signal, lastEventId = '', onConnection }: EventsOptions = {},
): AsyncGenerator<VideoEvent, void, undefined> {
  const position = { lastEventId, retryMs: RETRY_MS }
  let failures = 0
  let told: 'open' | 'lost' | null = null
  const tell = (state: 'open' | 'lost') => {
    if (state === told) return
    told = state
    onConnection?.(state)
  }
  while (!signal?.aborted) {
    const connection = await connect(send, position.lastEventId, signal)
    if (signal?.aborted) return connection.close()
    let error: KinoraError | null = null
    if ('error' in connection) {
      error = connection.error
      failures += 1
      if (isFinal(error)) throw new KinoraStreamError(error)
    } else {
      failures = 0
      try {
        tell('open')
        yield* messages(connection, position, signal)
      } finally {
        connection.close()
      }
      if (signal?.aborted) return
    }
    // A service that allows no further stream is there all the same.
    if (error?.status !== 429) tell('lost')
    const waitMs = Math.max(backoffMs(failures, position.retryMs), (error?.retryAfterSeconds ?? 0) * 1000)
    await sleep(waitMs, signal).catch(() => undefined)
  }
}

type Position = { lastEventId: string; retryMs: number }
type Connection = { body: ReadableStream<Uint8Array>; close: () => void; heard: () => void }

async function connect(
  send: Send,
  lastEventId: string,
  signal: AbortSignal | undefined,
): Promise<Connection | { error: KinoraError; close: () => void }> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  signal?.addEventListener('abort', abort)
  let silence = setTimeout(abort, SILENCE_MS)
  const close = () => {
    clearTimeout(silence)
    signal?.removeEventListener('abort', abort)
    abort()
  }
  const heard = () => {
    clearTimeout(silence)
    silence = setTimeout(abort, SILENCE_MS)
  }
  const headers = { accept: 'text/event-stream', ...(lastEventId ? { 'last-event-id': lastEventId } : {}) }
  try {
    const response = await send(PATH, { headers, signal: controller.signal })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (response.ok && response.body && isStream) return { body: response.body, close, heard }
    const error = errorOf(response, await readJson(response))
    close()
    return { error, close }
  } catch {
    close()
    return { error: unreachable(), close }
  }
}

/** The events of one connection, until it ends in whatever way. */
async function* messages(
  connection: Connection,
  position: Position,
  signal: AbortSignal | undefined,
): AsyncGenerator<VideoEvent, void, undefined> {
  const arrived: (EventSourceMessage | { id: string })[] = []
  const parser = createParser({
    onEvent: (message) => arrived.push(message),
    // An id may come without an event, to move on while nothing happens to the caller's videos.
    onId: (id) => arrived.push({ id }),
    onRetry: (retryMs) => {
      position.retryMs = Math.max(RETRY_MIN_MS, retryMs)
    },
  })
  const reader = connection.body.getReader()
  const decoder = new TextDecoder()
  while (true) {
    const { value } = await reader.read().catch(() => ({ value: undefined }))
    if (value === undefined) return
    connection.heard()
    parser.feed(decoder.decode(value, { stream: true }))
    for (const message of arrived.splice(0)) {
      if (signal?.aborted) return
      position.lastEventId = message.id ?? position.lastEventId
      const event = 'data' in message ? toEvent(message, position.lastEventId) : null
      if (event) yield event
    }
  }
}

/** @returns null for an event that this client does not know, which a later service may send */
function toEvent({ event: type, data }: EventSourceMessage, id: string): VideoEvent | null {
  if (type !== 'video' && type !== 'deleted' && type !== 'reset') return null
  try {
    const facts: unknown = JSON.parse(data)
    return isRecord(facts) ? ({ ...facts, id, type } as VideoEvent) : null
  } catch {
    return null
  }
}

/** Whether asking again would be answered the same. */
const isFinal = ({ status }: KinoraError): boolean => status >= 200 && status < 500 && status !== 408 && status !== 429

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
