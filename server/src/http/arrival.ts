/**
 * How long a request may take to arrive. The rule: whoever sends slowly on purpose holds a connection for a minute and no
 * longer; only a signed-in user's upload gets more, because 15 MB over a slow line take their time.
 */
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerUnreadableRequest } from './envelope.ts'

type Incoming = FastifyRequest['raw']

const ARRIVAL_MS = 60_000
/** 15 MB in that time are 0.4 Mbit/s, which the slowest lines have. */
export const UPLOAD_ARRIVAL_MS = 5 * 60_000
/** For the answer to get to a client that is still sending; then it is cut off, or it could go on for ever. */
const LAST_WORDS_MS = 1000

const timers = new WeakMap<Incoming, NodeJS.Timeout>()

/** Node knows one time for all requests; this one is per request, so that the body of one may have longer. */
export function limitArrival({ server }: FastifyInstance): void {
  // Before the routes, so that they find the timer running.
  server.prependListener('request', (request: Incoming) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    if (length === undefined && coding === undefined) return
    start(request, ARRIVAL_MS)
    request.once('end', () => stop(request)).once('close', () => stop(request))
  })
}

/** Gives this request the time of an upload, from now on. */
export function allowLonger(request: Incoming): void {
  stop(request)
  if (!request.complete) start(request, UPLOAD_ARRIVAL_MS)
}

/** Answers bytes that are no request, or that came too slowly, and ends the connection. */
export function refuseConnection(error: Error & { code?: string }, socket: Duplex): void {
  answerUnreadableRequest(error, socket)
  const timer = setTimeout(() => socket.destroy(), LAST_WORDS_MS)
  socket.once('close', () => clearTimeout(timer))
}

function start(request: Incoming, ms: number): void {
  const late = () => refuseConnection(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.socket)
  timers.set(request, setTimeout(late, ms).unref())
}

function stop(request: Incoming): void {
  clearTimeout(timers.get(request))
  timers.delete(request)
}
