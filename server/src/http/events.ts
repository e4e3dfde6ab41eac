/**
 * `GET /api/v1/video/events`: what happens to the caller's videos, as Server-Sent Events. A stream may end at any time (its
 * life is over, the process stops, its reader is slow) and nothing is lost by that, because every event says from where to
 * go on. What a stream may take is bounded: how many, how long, how much is kept for it.
 */
import { Readable } from 'node:stream'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Authenticate } from '../account/credential.ts'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { openPoller, type Poller, type VideoEvent } from '../stream/poller.ts'
import { errors } from './envelope.ts'
import { userOf } from './request.ts'

const STREAMS_PER_USER = 10
/** What waits for a reader that does not read; beyond it the stream ends, and the reader comes back for the rest. */
const BUFFER_BYTES_MAX = 64 * 1024
const LIFE_MS = 30 * 60_000
const HEARTBEAT_EVERY_MS = 15_000
/** With the five seconds for which a credential is remembered, a revoked one ends its streams within 15 s. */
const RECHECK_EVERY_MS = 8_000
const CARE_EVERY_MS = 1_000
/** A client comes back after this long, spread, so that those of a stopped process do not come all at once. */
const RETRY_MS = { min: 1_000, spread: 2_000 }
/** An id that is older is answered with `reset`: by then reading the list is the better way. */
const RESUME_MAX_MS = 60 * 60_000
const CLOCK_SKEW_MS = 60_000
/** How long a stream that has ended may take to bring the rest to its reader. */
const LINGER_MS = 5_000

const headers = {
  'content-type': 'text/event-stream',
  // Proxies of the nginx kind would collect the events until they are worth sending on.
  'x-accel-buffering': 'no',
  // Kept open after the last event, the connection of a stream would hold up the end of the process.
  connection: 'close',
}

type Stream = {
  userId: string
  readable: Readable
  headers: FastifyRequest['headers']
  isOver: boolean
  endsMs: number
  nextRecheckMs: number
  nextHeartbeatMs: number
}

const description = [
  'Server-Sent Events. At first the videos in progress are told, then whatever changes:',
  '',
  '- `video`: `{ uuid, status, progress, error }`, as GET /api/v1/video/task answers. States, not differences, and some come',
  '  twice; status and progress of a video never fall. A new video comes as it is when it is first seen, as a rule PENDING.',
  '- `deleted`: `{ uuid }`, when you deleted a video, here or elsewhere.',
  '- `reset`: `{}`, when the Last-Event-ID cannot be gone on from: read the list again. The videos in progress follow.',
  '- `mark`: `{}`, at the beginning and every 15 seconds: nothing but a newer id, so that there is always one to go on from.',
  '',
  'A stream ends after 30 minutes at the latest; connect again with the last id (an EventSource does so by itself) and nothing',
  `is missed. At most ${STREAMS_PER_USER} streams a user at each API process.`,
].join('\n')

const Lines = Type.Unsafe<Readable>(Type.String({ description: 'Server-Sent Events' }))

export function registerEvents(server: FastifyInstance, app: App, whoIs: Authenticate): void {
  const http = server.withTypeProvider<TypeBoxTypeProvider>()
  const tail = openPoller(app)
  const streams = new Set<Stream>()
  const streamsOf = new Map<string, number>()
  let caring: NodeJS.Timeout | undefined

  // Before the server waits for its connections, which these would keep open.
  server.addHook('preClose', async () => {
    tail.close()
    clearInterval(caring)
    for (const stream of streams) end(stream)
  })

  http.route({
    method: 'GET',
    url: '/api/v1/video/events',
    config: { access: 'user' },
    schema: {
      tags: ['video'],
      security: [{ session: [] }, { bearer: [] }, { apiKey: [] }],
      operationId: 'streamVideoEvents',
      summary: 'What happens to your videos, as it happens',
      description,
      headers: Type.Object({
        'last-event-id': Type.Optional(Type.String({ description: 'The last id received: goes on from there' })),
      }),
      querystring: Type.Object({
        lastEventId: Type.Optional(
          Type.String({ description: 'The same, for clients that cannot send headers; the header counts' }),
        ),
      }),
      response: {
        200: {
          description: 'A stream of events',
          content: { 'text/event-stream': { schema: Lines } },
        },
        ...errors(400, 401),
      },
    },
    handler: async (request, reply) => {
      const { userId } = userOf(request)
      const count = streamsOf.get(userId) ?? 0
      if (count >= STREAMS_PER_USER) throw tooMany()
      reply.headers(headers)
      if (request.method === 'HEAD') return reply.send(Readable.from([]))

      const lastEventId = request.headers['last-event-id'] || request.query.lastEventId
      const stream = newStream(userId, request)
      streams.add(stream)
      streamsOf.set(userId, count + 1)
      caring ??= setInterval(() => care(streams, tail, whoIs), CARE_EVERY_MS).unref()
      stream.readable.once('close', () => {
        streams.delete(stream)
        const left = (streamsOf.get(userId) ?? 1) - 1
        if (left > 0) streamsOf.set(userId, left)
        else streamsOf.delete(userId)
      })
      try {
        await begin(stream, tail, lastEventId, app.now())
      } catch (error) {
        stream.readable.destroy()
        throw error
      }
      return reply.send(stream.readable)
    },
  })
}

function newStream(userId: string, { headers }: FastifyRequest): Stream {
  const nowMs = performance.now()
  return {
    userId,
    readable: new Readable({ read: () => {} }),
    headers,
    isOver: false,
    endsMs: nowMs + LIFE_MS,
    nextRecheckMs: nowMs + RECHECK_EVERY_MS,
    nextHeartbeatMs: nowMs + HEARTBEAT_EVERY_MS,
  }
}

/** Writes the head of the stream and follows the tail from where the client was. */
async function begin(stream: Stream, tail: Poller, lastEventId: string | undefined, now: Date): Promise<void> {
  const since = momentOf(lastEventId, now)
  let head = `retry: ${Math.round(RETRY_MS.min + Math.random() * RETRY_MS.spread)}\n`
  const leave = await tail.subscribe(stream.userId, since, (events, at) => {
    const id = idOf(at)
    if (head && lastEventId && !since) head += `event: reset\nid: ${id}\ndata: {}\n\n`
    else if (head) head += mark(id)
    write(stream, head + events.map((event) => textOf(event, id)).join(''))
    head = ''
  })
  if (stream.readable.destroyed) leave()
  else stream.readable.once('close', leave)
}

/** An event as it is on the wire. */
function textOf(event: VideoEvent, id: string): string {
  const data = event.kind === 'video' ? event.video : { uuid: event.uuid }
  return `event: ${event.kind}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Nothing but an id to go on from. With a name and data, because many readers drop an id that comes alone. */
const mark = (id: string): string => `event: mark\nid: ${id}\ndata: {}\n\n`

const idOf = (moment: Date): string => String(moment.getTime())

/** The moment that an id names; null when there is none, or none that can be gone on from. */
function momentOf(id: string | undefined, now: Date): Date | null {
  if (!id || !/^\d{13}$/.test(id)) return null
  const ageMs = now.getTime() - Number(id)
  return ageMs <= RESUME_MAX_MS && ageMs >= -CLOCK_SKEW_MS ? new Date(Number(id)) : null
}

function write({ readable, isOver }: Stream, text: string): void {
  if (isOver || readable.destroyed) return
  if (readable.readableLength > BUFFER_BYTES_MAX) readable.destroy()
  else readable.push(text)
}

/** In order: what has been written still arrives. */
function end(stream: Stream): void {
  if (stream.isOver || stream.readable.destroyed) return
  stream.isOver = true
  stream.endsMs = performance.now()
  stream.readable.push(null)
}

/** What every open stream needs from time to time: a sign of life, a look at its credential, and in the end its end. */
function care(streams: Set<Stream>, tail: Poller, whoIs: Authenticate): void {
  const nowMs = performance.now()
  for (const stream of streams) {
    if (stream.isOver && nowMs >= stream.endsMs + LINGER_MS) stream.readable.destroy()
    else if (nowMs >= stream.endsMs) end(stream)
    if (nowMs >= stream.nextHeartbeatMs) {
      stream.nextHeartbeatMs = nowMs + HEARTBEAT_EVERY_MS
      write(stream, `: still here\n${mark(idOf(tail.seenUntil()))}`)
    }
    if (nowMs >= stream.nextRecheckMs) {
      stream.nextRecheckMs = nowMs + RECHECK_EVERY_MS
      // A database that is away says nothing about the credential.
      whoIs(stream.headers).then(
        (caller) => {
          if (caller?.userId !== stream.userId) stream.endsMs = nowMs
        },
        () => undefined,
      )
    }
  }
}

const tooMany = () =>
  new AppError(
    'RATE_LIMITED',
    `You have ${STREAMS_PER_USER} event streams open, which is the most at a time; close one of them, such as a tab, and try again.`,
    { retryAfterS: 10 },
  )
