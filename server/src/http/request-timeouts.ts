/**
 * How long a request may take to arrive. The rule: whoever sends slowly on purpose holds a connection for a minute and no
 * longer; only a signed-in user's upload gets more, because 15 MB over a slow line take their time.
 */
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerUnreadableRequest } from './envelope.ts'

type Incoming = FastifyRequest['raw']
export type ArrivalTimes = { requestMs: number; uploadMs: number }

/** 15 MB in five minutes are 0.4 Mbit/s, which the slowest lines have. */
export const arrivalTimes: ArrivalTimes = { requestMs: 60_000, uploadMs: 5 * 60_000 }
/** For the answer to get to a client that is still sending; then it is cut off, or it could go on for ever. */
const LAST_WORDS_MS = 1000

/** The requests whose body is not there yet. */
const arriving = new WeakMap<Incoming, { timer: NodeJS.Timeout; uploadMs: number }>()

/** Node knows one time for all requests; this one is per request, so that the body of one may have longer. */
export function limitArrival({ server }: FastifyInstance, { requestMs, uploadMs }: ArrivalTimes): void {
  // Before the routes, so that they find the timer running.
  server.prependListener('request', (request: Incoming) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    if (length === undefined && coding === undefined) return
    arriving.set(request, { timer: limit(request, requestMs), uploadMs })
    const stop = () => clearTimeout(arriving.get(request)?.timer)
    request.once('end', stop).once('close', stop)
  })
}

/** Gives this request the time of an upload, from now on. */
export function allowLonger(request: Incoming): void {
  const found = arriving.get(request)
  if (!found || request.complete) return
  clearTimeout(found.timer)
  found.timer = limit(request, found.uploadMs)
}

/** Answers bytes that are no request, or that came too slowly, and ends the connection. */
export function refuseConnection(error: Error & { code?: string }, socket: Duplex): void {
  answerUnreadableRequest(error, socket)
  const timer = setTimeout(() => socket.destroy(), LAST_WORDS_MS)
  socket.once('close', () => clearTimeout(timer))
}

function limit(request: Incoming, ms: number): NodeJS.Timeout {
  const late = () => refuseConnection(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.socket)
  return setTimeout(late, ms).unref()
}
