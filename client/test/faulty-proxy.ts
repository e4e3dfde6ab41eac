/**
 * A proxy between client and service that breaks connections: before the request reaches the service, after the service
 * has responded, or in the middle of a stream. To a client each is a lost connection.
 */
import { once } from 'node:events'
import { createServer, request as forward, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where a request's connection breaks: before the service has the request, after it has responded, or nowhere. */
export type Fault = 'before' | 'after' | null
export type FaultyProxy = {
  url: string
  /** Decides the fault of each request, by its method and target, such as `GET /api/v1/config/models`. */
  onRequest: (line: string) => Fault
  /** The requests so far in order; that of an event stream with its `Last-Event-ID`. */
  requests: string[]
  /** The number of open responses to requests whose line contains `path`. */
  openOf: (path: string) => number
  /** Breaks every open response. */
  breakAll: () => void
  close: () => Promise<void>
}

export async function openFaultyProxy(serviceUrl: string): Promise<FaultyProxy> {
  const open = new Map<() => void, string>()
  const listener: RequestListener = (request, response) => {
    const line = `${request.method} ${request.url}`
    const lastEventId = request.headers['last-event-id']
    proxy.requests.push(lastEventId === undefined ? line : `${line} after ${lastEventId}`)
    const fault = proxy.onRequest(line)
    const destroy = () => request.socket.destroy()
    if (fault === 'before') return destroy()
    const onward = forward(serviceUrl + request.url, { method: request.method, headers: request.headers, agent: false })
    open.set(destroy, line)
    response.once('close', () => {
      open.delete(destroy)
      onward.destroy()
    })
    onward.on('error', destroy)
    onward.on('response', (upstream) => {
      upstream.on('error', destroy)
      if (fault === 'after') return upstream.resume().once('end', destroy)
      response.writeHead(upstream.statusCode ?? 500, upstream.headers)
      response.flushHeaders()
      upstream.pipe(response)
    })
    request.pipe(onward)
  }
  const { url, close } = await startHttpServer(listener)
  const proxy: FaultyProxy = {
    url,
    onRequest: () => null,
    requests: [],
    openOf: (path) => [...open.values()].filter((line) => line.includes(path)).length,
    breakAll: () => {
      for (const destroy of [...open.keys()]) destroy()
    },
    close,
  }
  return proxy
}

/** An HTTP server on a free port, for responses that do not come from Kinora. */
export async function startHttpServer(listener: RequestListener): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
