/**
 * The limit of an HTTP server in Node: a process that responds to every request with the same body and the headers of Kinora, by
 * node:http or by Fastify alone.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { defaultHeaders } from '../server/src/http/request/security-headers.ts'
import { USERS, videoIdOf } from './users.ts'

export type BareJob = { kind: 'node:http' | 'Fastify' }
export type BareReady = { port: number }

const headers = { ...defaultHeaders, 'x-request-id': videoIdOf(USERS) }
const response = { success: true, data: { uuid: videoIdOf(1), status: 'PENDING', progress: 0, error: null } }

process.once('message', async ({ kind }: BareJob) => {
  process.once('disconnect', () => process.exit())
  const port = kind === 'node:http' ? await listenWithNode() : await listenWithFastify()
  process.send?.({ port } satisfies BareReady)
})

function listenWithNode(): Promise<number> {
  const body = JSON.stringify(response)
  const type = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }
  const server = createServer((_request, reply) => reply.writeHead(200, { ...headers, ...type }).end(body))
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

async function listenWithFastify(): Promise<number> {
  const server = Fastify()
  const querystring = { type: 'object', properties: { uuid: { type: 'string' } } }
  server.get('/api/v1/video/task', { schema: { querystring } }, async (_request, reply) => {
    reply.headers(headers)
    return response
  })
  return Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port)
}
