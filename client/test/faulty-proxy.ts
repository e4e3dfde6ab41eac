/**
 * The way from a client to the service, which can be cut: before a request arrives, after the service has answered it and
 * before the answer is back, or in the midst of an answer that goes on. That is what a lost connection is to a client.
 */
import { once } from 'node:events'
import { createServer, request as forward, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Cut = 'before' | 'after' | null
export type Way = {
  url: string
  /** Decides for every request, by its method and address, such as `GET /api/v1/config/models`. */
  onRequest: (line: string) => Cut
  /** What has been asked, in order; an event stream with the id that it goes on from. */
  requests: string[]
  /** How many answers to such requests are on their way at this moment. */
  openOf: (path: string) => number
  /** Cuts every answer that is on its way. */
  cutAll: () => void
  close: () => Promise<void>
}

export async function openWay(serviceUrl: string): Promise<Way> {
  const open = new Map<() => void, string>()
  const listener: RequestListener = (request, response) => {
    const line = `${request.method} ${request.url}`
    const lastEventId = request.headers['last-event-id']
    way.requests.push(lastEventId === undefined ? line : `${line} after ${lastEventId}`)
    const cut = way.onRequest(line)
    const end = () => request.socket.destroy()
    if (cut === 'before') return end()
    const onward = forward(serviceUrl + request.url, { method: request.method, headers: request.headers, agent: false })
    open.set(end, line)
    response.once('close', () => {
      open.delete(end)
      onward.destroy()
    })
    onward.on('error', end)
    onward.on('response', (answer) => {
      answer.on('error', end)
      if (cut === 'after') return answer.resume().once('end', end)
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      response.flushHeaders()
      answer.pipe(response)
    })
    request.pipe(onward)
  }
  const { url, close } = await listen(listener)
  const way: Way = {
    url,
    onRequest: () => null,
    requests: [],
    openOf: (path) => [...open.values()].filter((line) => line.includes(path)).length,
    cutAll: () => {
      for (const end of [...open.keys()]) end()
    },
    close,
  }
  return way
}

/** A server on a free port, which may be any but Kinora. */
export async function listen(listener: RequestListener): Promise<{ url: string; close: () => Promise<void> }> {
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
