/** Fixture: users with a webhook endpoint at a receiver of their own. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Kinora, Person } from './harness.ts'
import { allow, create, type Delivery, deliveriesOf, openReceiver, type Received, read } from './webhook-receiver.ts'

export type Payload = { type: string; timestamp: string; data: Record<string, unknown> }

export const typesOf = (received: Received[]) => received.map(({ body }) => (JSON.parse(body) as Payload).type)
export const idsOf = (received: Received[]) => received.map(({ headers }) => headers['webhook-id'])

export function webhookFixture(kinora: Kinora) {
  /** A cancelled video, whose event is due. @returns its uuid */
  async function cancelled(ann: Person): Promise<string> {
    const { data } = await kinora.generate(ann)
    await kinora.call('POST', `/api/v1/video/${data.uuid}/cancel`, { as: ann })
    return data.uuid
  }

  /** A user with an endpoint at a receiver of their own. */
  async function subscribed(t: TestContext, respond?: Parameters<typeof openReceiver>[1], events: string[] = []) {
    const receiver = await openReceiver(t, respond)
    allow(kinora, t, receiver)
    const ann = await kinora.person()
    const { data: endpoint, status } = await create(kinora, ann, { url: receiver.url, events })
    assert.equal(status, 200)
    const deliveries = () => deliveriesOf(kinora, ann, endpoint.id)
    const latest = async (): Promise<Delivery> => (await deliveries())[0] ?? assert.fail('there is no delivery')
    return { receiver, ann, endpoint, deliveries, latest, read: () => read(kinora, ann, endpoint.id) }
  }

  return { cancelled, subscribed }
}
