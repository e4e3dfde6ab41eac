/** Server-Sent Events of one request: events as they are known, and comments between them. */
import type { FastifyReply } from 'fastify'

/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000

/** @param run sends the events. It handles its errors: the headers were sent, so an error is an event too */
export async function sendEvents(reply: FastifyReply, run: (send: (event: object) => void) => Promise<void>) {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  })
  raw.write(':\n\n')
  const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS)
  try {
    await run((event) => raw.write(`data: ${JSON.stringify(event)}\n\n`))
  } finally {
    clearInterval(heartbeat)
    raw.end()
  }
}
