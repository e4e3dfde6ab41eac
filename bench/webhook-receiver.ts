/**
 * A receiver of webhooks in a process of its own: responds with 204 at once, to `/hang` never. Sends its port to the parent, and,
 * on each message, the latencies since the one before: from the event's time to the request, in ms.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let latenciesMs: number[] = []

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    if (request.url === '/hang') return
    latenciesMs.push(Date.now() - Date.parse(JSON.parse(body).timestamp))
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))

process.on('message', () => {
  process.send?.(latenciesMs)
  latenciesMs = []
})
process.on('disconnect', () => process.exit())
