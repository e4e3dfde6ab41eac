/**
 * Request timeouts: slowloris protection. A client that sends a body slowly holds a connection for at most a minute.
 * Only an authenticated upload gets longer, because 15 MB take minutes on a slow line; larger files go in pieces there.
 * A client that reads nothing of its response for minutes (slow read) is disconnected too, and so is one that
 * pipelines: each response that waits holds an open file or a body.
 */
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendMalformedRequest } from './error-responses.ts'

type RawRequest = FastifyRequest['raw']
/** `requestMs`: every request; `uploadMs`: an authenticated upload, `responseMs`: a response not read. */
export type RequestTimeouts = { requestMs: number; uploadMs: number; responseMs: number }

/**
 * 15 MB in five minutes are 0.4 Mbit/s, which the slowest lines have. Of a response the kernel buffers 4 MB and takes
 * more when a third of it has been sent, so within a minute a client that steadily reads 10 kB/s seemed to read
 * nothing.
 */
export const defaultTimeouts: RequestTimeouts = { requestMs: 60_000, uploadMs: 5 * 60_000, responseMs: 5 * 60_000 }
/** Time for the error response to reach a client that is still sending. Then the socket is destroyed. */
const RESPONSE_FLUSH_MS = 1000

/** Requests of one connection without a complete response. Browsers send one by one; 500 in one packet took 360 MB. */
const UNANSWERED_MAX = 16

const unanswered = new WeakMap<Duplex, number>()

/** The requests whose body has not arrived completely. */
const receiving = new WeakMap<RawRequest, { timer: NodeJS.Timeout; uploadMs: number }>()

/** Node has one timeout for all requests; this one is per request, so that an upload's can be extended. */
export function registerRequestTimeouts(http: FastifyInstance, timeouts: RequestTimeouts): void {
  const { server } = http
  const { requestMs, uploadMs, responseMs } = timeouts
  // Node calls this when nothing was sent or received for `responseMs`, or for its keep-alive timeout. A response that
  // is not read has bytes left to write; an event stream between two events has none, and a slow body has a timer of
  // its own. A connection without an unanswered request has sent nothing, or got its response from Node (417 for an
  // unknown `Expect`).
  server.setTimeout(responseMs, (socket) => {
    const isKeptAlive = (unanswered.get(socket) ?? 0) === 0
    if (isKeptAlive || socket.writableLength > 0) socket.destroy()
  })
  // The other requests of the packet, which Node has read already.
  http.addHook('onRequest', (request, reply, done) => {
    if (request.raw.socket.destroyed) reply.hijack()
    else done()
  })
  // Prepended to run before Fastify's listener: `extendToUploadTimeout` in a route needs the timer.
  server.prependListener('request', (request: RawRequest, response: FastifyReply['raw']) => {
    const { socket } = request
    const count = (unanswered.get(socket) ?? 0) + 1
    unanswered.set(socket, count)
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    if (count > UNANSWERED_MAX) {
      socket.destroy()
      return
    }
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    if (length === undefined && coding === undefined) return
    receiving.set(request, { timer: startTimer(request, requestMs), uploadMs })
    const stop = () => clearTimeout(receiving.get(request)?.timer)
    request.once('end', stop).once('close', stop)
  })
}

/** Restarts this request's timer with the upload timeout. */
export function extendToUploadTimeout(request: RawRequest): void {
  const entry = receiving.get(request)
  if (!entry || request.complete) return
  clearTimeout(entry.timer)
  entry.timer = startTimer(request, entry.uploadMs)
}

/** Responds to a malformed or timed-out request and closes the connection. */
export function closeConnection(error: Error & { code?: string }, socket: Duplex): void {
  sendMalformedRequest(error, socket)
  const timer = setTimeout(() => socket.destroy(), RESPONSE_FLUSH_MS)
  socket.once('close', () => clearTimeout(timer))
}

function startTimer(request: RawRequest, timeoutMs: number): NodeJS.Timeout {
  const expire = () => closeConnection(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.socket)
  return setTimeout(expire, timeoutMs).unref()
}
