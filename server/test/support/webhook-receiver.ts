/** A real HTTP receiver of webhooks on loopback, which responds as a test says, and keeps what it was sent. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { webhookFormats } from '../../src/compatible/compatible.ts'
import { openSafePost } from '../../src/net/safe-post.ts'
import { dispatchWebhooksOnce } from '../../src/webhook/dispatcher.ts'
import type { Answer, Kinora, Person } from './harness.ts'

export type Received = { headers: Record<string, string>; body: string; path: string }
/** `hang`: never responds. */
type Response = { status: number; headers?: Record<string, string>; body?: string } | 'hang'
type Respond = (received: Received) => Response | Promise<Response>

export type Receiver = {
  url: string
  host: string
  received: Received[]
  respond: Respond
  /** Closes every open connection: requests that hang end without a response. */
  breakConnections: () => void
}

export async function openReceiver(
  t: { after: (end: () => void) => void },
  respond: Respond = () => ({ status: 204 }),
): Promise<Receiver> {
  const receiver: Receiver = {
    ...{ url: '', host: '', received: [], respond },
    breakConnections: () => server.closeAllConnections(),
  }
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const received = { headers, body: Buffer.concat(chunks).toString(), path: request.url ?? '' }
    receiver.received.push(received)
    const answer = await receiver.respond(received)
    if (answer === 'hang') return
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  receiver.url = `http://${receiver.host}/hook`
  return receiver
}

/** Lets the service reach these receivers until the test ends, as WEBHOOK_ALLOW does. */
export function allow({ app }: Kinora, t: TestContext, ...receivers: Receiver[]): void {
  const before = app.webhookPost
  const post = openSafePost({ allow: receivers.map(({ host }) => host), lookup: async () => ['93.184.215.14'] })
  app.webhookPost = post
  t.after(async () => {
    app.webhookPost = before
    await post.close()
  })
}

export type Endpoint = {
  id: string
  url: string
  secret: string
  enabled: boolean
  disabledReason: string | null
  failingSince: string | null
}
export type Delivery = {
  id: string
  type: string
  status: string
  attempts: number
  responseStatus: number | null
  error: string | null
  nextAttemptAt: string | null
}

export const create = (kinora: Kinora, as: Person, body: object): Promise<Answer<Endpoint>> =>
  kinora.call<Endpoint>('POST', '/api/v1/webhook/endpoints', { as, body })

export const read = async (kinora: Kinora, as: Person, id: string): Promise<Endpoint> =>
  (await kinora.call<Endpoint>('GET', `/api/v1/webhook/endpoints/${id}`, { as })).data

export const deliveriesOf = async (kinora: Kinora, as: Person, id: string): Promise<Delivery[]> =>
  (await kinora.call<{ deliveries: Delivery[] }>('GET', `/api/v1/webhook/endpoints/${id}/deliveries`, { as })).data
    .deliveries

/** Sends what is due, and what becomes due by it, until nothing is. */
export async function dispatchAll({ app }: Kinora): Promise<void> {
  while ((await dispatchWebhooksOnce(app, webhookFormats)) > 0);
}
