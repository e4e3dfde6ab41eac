/** Server-Sent Events of one request: events as they are known, and comments between them. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type AppError, statusOf } from '../errors.ts'
import { toAppError } from '../http/request/error-responses.ts'
import { disconnection } from '../http/request/request.ts'
import { idsOf } from '../http/request/request-trace.ts'
import type { Call } from './format.ts'
import type { VideoView } from './video-view.ts'
import { FILM_WAIT_MS, noteEndsOfWait, type WaitForFilm } from './wait-for-film.ts'

/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000

/** Sends an event, unless it repeats the one before. `data`: a text as it is, else as JSON. */
type Send = (data: object | string, event?: string) => void

/** @param run sends the events. It handles its errors: the headers were sent, so an error is an event too */
export async function sendEvents(reply: FastifyReply, run: (send: Send) => Promise<void>) {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  })
  raw.write(':\n\n')
  const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS)
  let last = ''
  try {
    await run((data, event) => {
      const text = eventText(data, event)
      if (text !== last) raw.write(text)
      last = text
    })
  } finally {
    clearInterval(heartbeat)
    raw.end()
  }
}

/** A line break in a text would end its field. */
function eventText(data: object | string, event?: string): string {
  const lines = (typeof data === 'string' ? data : JSON.stringify(data)).split(/\r\n|\r|\n/)
  return [...(event ? [`event: ${event}`] : []), ...lines.map((line) => `data: ${line}`), '', ''].join('\n')
}

/** The events of a film in a format. `end`: of a film that is not final too, when the wait for it has ended. */
type FilmEvents = {
  status: (video: VideoView, send: Send) => void
  end: (video: VideoView, send: Send) => void
  error: (error: AppError, send: Send) => void
}

/** Sends each status of a film until it is final. */
export function streamFilm(call: Call, waitForFilm: WaitForFilm, id: string, events: FilmEvents): Promise<void> {
  const { request, reply } = call
  return sendEvents(reply, async (send) => {
    try {
      const video = await waitForFilm(request, id, {
        waitMs: FILM_WAIT_MS,
        signal: disconnection(reply),
        onPoll: async (unfinished) => events.status(unfinished, send),
      })
      await noteEndsOfWait(call, [video])
      events.end(video, send)
    } catch (cause) {
      events.error(errorOfEvent(request, cause), send)
    }
  })
}

/** The error for an event. A bug is logged whole. */
export function errorOfEvent(request: FastifyRequest, cause: unknown): AppError {
  const error = toAppError(cause as FastifyError, request)
  if (statusOf[error.code] >= 500) request.log.error({ err: cause, ...idsOf(request) }, error.message)
  return error
}
