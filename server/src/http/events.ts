/**
 * `GET /api/v1/video/events`: changes of the caller's videos, as Server-Sent Events. A stream may end at any time
 * (maximum lifetime, shutdown, a slow client) without losing an event, because every event's id is a resume point for
 * `Last-Event-ID`. Streams per user, lifetime and buffer size are limited.
 */
import { Readable } from 'node:stream'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type TProperties, Type } from 'typebox'
import { type Caller, type Credentials, requireUnchanged } from '../account/credential/credential.ts'
import { subjectOf } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { primaryChannel } from '../cluster/channel.ts'
import { AppError } from '../errors.ts'
import { exampleOf, schemasOf } from '../film/fields.ts'
import { openPoller, type Poller, type VideoEvent } from '../stream/poller.ts'
import { openSlots, STREAMS_PER_USER } from '../stream/slots.ts'
import { noteEndsRead } from '../video/end-read.ts'
import { TextOrNull } from './request/envelope.ts'
import { authenticated, userOf } from './request/request.ts'

/** Back pressure: a client whose unread events exceed this is disconnected; it reconnects and resumes. */
const BUFFER_BYTES_MAX = 64 * 1024
const LIFETIME_MAX_MS = 30 * 60_000
const HEARTBEAT_EVERY_MS = 15_000
/** The interval at which an expired session or key is found. A revoked one is checked at once. */
const RECHECK_EVERY_MS = 8_000
const MAINTENANCE_EVERY_MS = 1_000
/** Reconnect delay with jitter, so that the clients of a stopped process do not reconnect all at once. */
const RETRY_MS = { min: 1_000, jitter: 2_000 }
/** An older id gets `reset`: by then reading the list is cheaper than replaying. */
const RESUME_MAX_MS = 60 * 60_000
const CLOCK_SKEW_MS = 60_000
/** How long an ended stream may take to flush to its client. */
const FLUSH_TIMEOUT_MS = 5_000

const headers = {
  'content-type': 'text/event-stream',
  // Disables response buffering in nginx.
  'x-accel-buffering': 'no',
  // The connection would outlive the stream with keep-alive, and delay the graceful shutdown.
  connection: 'close',
}

type Stream = {
  caller: Caller
  /** Of the videos whose changes it sends; null: all. */
  subject: string | null
  readable: Readable
  request: Pick<FastifyRequest, 'headers' | 'ip'>
  isEnded: boolean
  endsMs: number
  nextRecheckMs: number
  nextHeartbeatMs: number
}

const description = [
  'Server-Sent Events. The data of each is JSON, as described, whose `type` is the name of the event. The videos in',
  'progress are sent first, then every change:',
  '',
  '- `video`: what GET /api/v1/video/task returns, with `subject`. States, not differences, delivered at least',
  '  once; status and progress of a video never fall. A new video is sent in its current status, usually PENDING.',
  '  One that is COMPLETED or FAILED comes with what a notice of it needs: `prompt`, `thumbnailUrl`, `madeBy` and `metadata`, as in lists,',
  '  and `endedAt`.',
  '- `deleted`: with `uuid` and `subject`, when you deleted a video, here or elsewhere.',
  '- `reset`: when the Last-Event-ID is invalid or too old to resume: read the list again. The videos in progress follow.',
  '- `mark`: at the beginning and every 15 seconds: only a newer id to resume from.',
  '',
  'A stream ends after 30 minutes at the latest; reconnect with the last id (an EventSource does so by itself) and no event',
  `is lost. At most ${STREAMS_PER_USER} streams per user, or per subject of browser tokens, at each API process, or at all that \`kinora api --processes\` has started.`,
].join('\n')

const uuid = '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'
const { prompt, thumbnailUrl, endedAt, madeBy, subject, metadata } = exampleOf('change')
const stateExample = { ...exampleOf('task'), subject }
const taskExample = { ...stateExample, status: 'GENERATING', progress: 40, estimatedSeconds: 18 }
const endedExample = { ...stateExample, prompt, thumbnailUrl, endedAt, madeBy, metadata }
const linesExample = [
  'retry: 1500\nevent: mark\nid: 1768469400000\ndata: {"type":"mark"}\n',
  `event: video\nid: 1768469400250\ndata: ${JSON.stringify({ type: 'video', ...taskExample })}\n`,
  `event: video\nid: 1768469400300\ndata: ${JSON.stringify({ type: 'video', ...endedExample })}\n`,
  `event: deleted\nid: 1768469400500\ndata: {"type":"deleted","uuid":"${uuid}","subject":null}\n\n`,
].join('\n')

const change = schemasOf('change')
const event = (type: VideoEvent['kind'] | 'reset' | 'mark', title: string, fields: TProperties = {}) =>
  Type.Object({ type: Type.Literal(type), ...fields }, { title })
const Subject = TextOrNull('The subject of the browser token that made it')
/** The JSON of the data of an event. */
const StreamEvent = Type.Unsafe<Readable>({
  ...Type.Union(
    [
      event('video', 'VideoChanged', {
        ...schemasOf('task'),
        subject: Subject,
        prompt: Type.Optional(change.prompt),
        thumbnailUrl: Type.Optional(change.thumbnailUrl),
        endedAt: Type.Optional(change.endedAt),
        madeBy: Type.Optional(change.madeBy),
        metadata: Type.Optional(change.metadata),
      }),
      event('deleted', 'VideoDeleted', { uuid: change.uuid, subject: Subject }),
      event('reset', 'StreamReset'),
      event('mark', 'StreamMark'),
    ],
    { title: 'StreamEvent' },
  ),
  'x-discriminator': 'type',
})

const ResumeHeaders = Type.Object({
  'last-event-id': Type.Optional(Type.String({ description: 'The last id received, to resume after it' })),
})
const StreamQuery = Type.Object({
  subject: Type.Optional(
    Type.String({
      title: 'VideosOfSubject',
      maxLength: 64,
      description: 'Only videos that browser tokens of this subject made',
    }),
  ),
  lastEventId: Type.Optional(
    Type.String({ description: 'The same, for clients that cannot send headers; the header takes precedence' }),
  ),
})

export function registerEvents(server: FastifyInstance, app: App, credentials: Credentials): void {
  const http = server.withTypeProvider<TypeBoxTypeProvider>()
  const poller = openPoller(app)
  const streams = new Set<Stream>()
  const slots = openSlots(primaryChannel())
  let maintenance: NodeJS.Timeout | undefined

  // preClose, because the server then waits for open connections, which the streams would hold open.
  server.addHook('preClose', async () => {
    poller.close()
    clearInterval(maintenance)
    for (const stream of streams) end(stream)
  })

  http.route({
    method: 'GET',
    url: '/api/v1/video/events',
    config: { access: 'user', scope: 'read', token: true },
    schema: {
      ...authenticated('video'),
      operationId: 'streamVideoEvents',
      summary: 'Stream the changes of your videos',
      description,
      headers: ResumeHeaders,
      querystring: StreamQuery,
      response: {
        200: {
          description: 'A stream of events',
          content: { 'text/event-stream': { schema: StreamEvent, example: linesExample } },
        },
      },
    },
    handler: async (request, reply) => {
      const caller = userOf(request)
      // One visitor's streams leave the others theirs.
      const who = caller.actorId + (subjectOf(caller) ?? '')
      // A HEAD takes no slot, not even for a moment: a stream that starts meanwhile would be refused.
      if (request.method === 'HEAD') {
        if (!(await slots.hasFree(who))) throw tooManyStreams()
        return reply.headers(headers).send(Readable.from([]))
      }
      const releaseSlot = await slots.acquire(who)
      if (!releaseSlot) throw tooManyStreams()
      reply.headers(headers)

      const lastEventId = request.headers['last-event-id'] || request.query.lastEventId
      const stream = newStream(caller, request.query.subject, request)
      streams.add(stream)
      maintenance ??= setInterval(() => maintain(streams, poller, credentials), MAINTENANCE_EVERY_MS).unref()
      stream.readable.once('close', () => {
        streams.delete(stream)
        releaseSlot()
      })
      await follow(app, stream, { poller, credentials }, lastEventId)
      return reply.send(stream.readable)
    },
  })
}

function newStream(caller: Caller, subject: string | undefined, { headers, ip }: FastifyRequest): Stream {
  const nowMs = performance.now()
  return {
    caller,
    subject: subjectOf(caller) ?? subject ?? null,
    readable: new Readable({ read: () => {} }),
    request: { headers, ip },
    isEnded: false,
    endsMs: nowMs + LIFETIME_MAX_MS,
    nextRecheckMs: nowMs + RECHECK_EVERY_MS,
    nextHeartbeatMs: nowMs + HEARTBEAT_EVERY_MS,
  }
}

type Feeds = { poller: Poller; credentials: Credentials }

/** Subscribes the stream to revocations of its credential, and to the change feed. */
async function follow(
  app: App,
  stream: Stream,
  { poller, credentials }: Feeds,
  lastEventId: string | undefined,
): Promise<void> {
  const unsubscribe = credentials.onRevoked(stream.caller.actorId, () => recheck(stream, credentials))
  stream.readable.once('close', unsubscribe)
  // A revocation since this request was authenticated came before the subscription.
  recheck(stream, credentials)
  try {
    await subscribe(app, stream, poller, lastEventId)
  } catch (error) {
    stream.readable.destroy()
    throw error
  }
}

/** Subscribes the stream to the change feed from the client's resume point, after writing the stream's head. */
async function subscribe(app: App, stream: Stream, poller: Poller, lastEventId: string | undefined): Promise<void> {
  const since = resumePoint(lastEventId, app.now())
  let head = `retry: ${Math.round(RETRY_MS.min + Math.random() * RETRY_MS.jitter)}\n`
  const { caller, subject } = stream
  const unsubscribe = await poller.subscribe(caller.userId, since, async (all, at) => {
    const events = subject === null ? all : all.filter(({ data }) => data.subject === subject)
    await noteEnds(app, stream, events)
    const id = idOf(at)
    if (head && lastEventId && !since) head += sse('reset', id)
    else if (head) head += sse('mark', id)
    write(stream, head + events.map(({ kind, data }) => sse(kind, id, data)).join(''))
    head = ''
  })
  if (stream.readable.destroyed) unsubscribe()
  else stream.readable.once('close', unsubscribe)
}

async function noteEnds(app: App, { caller }: Stream, events: VideoEvent[]): Promise<void> {
  const videos = events.flatMap((event) =>
    event.kind === 'video' ? [{ ...event.data, isReplayable: event.isReplayable }] : [],
  )
  await noteEndsRead(app, caller, videos).catch((err: unknown) =>
    app.log.warn({ err, userId: caller.userId }, 'an end that a stream sends is not noted as read'),
  )
}

/**
 * Formats an event for the wire (`text/event-stream`). The data has the type too: many clients hand on the data alone.
 * A mark, a new resume point without a change, has a name and data, because many clients ignore an id on its own.
 */
const sse = (type: VideoEvent['kind'] | 'reset' | 'mark', id: string, data: object = {}): string =>
  `event: ${type}\nid: ${id}\ndata: ${JSON.stringify({ type, ...data })}\n\n`

const idOf = (moment: Date): string => String(moment.getTime())

/** Parses an event id to its time; null when it is missing, malformed, too old or in the future. */
function resumePoint(id: string | undefined, now: Date): Date | null {
  if (!id || !/^\d{13}$/.test(id)) return null
  const ageMs = now.getTime() - Number(id)
  return ageMs <= RESUME_MAX_MS && ageMs >= -CLOCK_SKEW_MS ? new Date(Number(id)) : null
}

function write({ readable, isEnded }: Stream, text: string): void {
  if (isEnded || readable.destroyed) return
  if (readable.readableLength > BUFFER_BYTES_MAX) readable.destroy()
  else readable.push(text)
}

/** Ends the stream after what was written; buffered events are still sent. */
function end(stream: Stream): void {
  if (stream.isEnded || stream.readable.destroyed) return
  stream.isEnded = true
  stream.endsMs = performance.now()
  stream.readable.push(null)
}

/** Re-authenticates the stream's credential, and ends the stream when it is no longer valid, or has lost a scope. */
function recheck(stream: Stream, credentials: Credentials): void {
  stream.nextRecheckMs = performance.now() + RECHECK_EVERY_MS
  credentials.recheck(stream.request).then(
    (found) => {
      try {
        requireUnchanged(stream.caller, found)
      } catch {
        end(stream)
      }
    },
    // A failed query (database unavailable) does not end the stream.
    () => undefined,
  )
}

/** Maintains every open stream: sends heartbeats, re-authenticates its credential, ends it at its maximum lifetime. */
function maintain(streams: Set<Stream>, poller: Poller, credentials: Credentials): void {
  const nowMs = performance.now()
  for (const stream of streams) {
    if (stream.isEnded && nowMs >= stream.endsMs + FLUSH_TIMEOUT_MS) stream.readable.destroy()
    else if (nowMs >= stream.endsMs) end(stream)
    if (nowMs >= stream.nextHeartbeatMs) {
      stream.nextHeartbeatMs = nowMs + HEARTBEAT_EVERY_MS
      write(stream, `: still here\n${sse('mark', idOf(poller.seenUntil()))}`)
    }
    if (nowMs >= stream.nextRecheckMs) recheck(stream, credentials)
  }
}

const tooManyStreams = () =>
  new AppError(
    'RATE_LIMITED',
    `You have ${STREAMS_PER_USER} event streams open, which is the most at a time; close one of them, such as a tab, and try again.`,
    { retryAfterS: 10 },
  )
