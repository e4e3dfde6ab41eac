/** Outbound webhooks: events are sent to real HTTP receivers, and verified by packages of Standard Webhooks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { openKinora } from './harness.ts'
import { allow, create, deliveriesOf, dispatchAll, openReceiver, type Received } from './webhook-receiver.ts'

const kinora = await openKinora({ simulator: true })

type Payload = { type: string; timestamp: string; data: Record<string, unknown> }
/** @throws when the signature is wrong or old */
function verified(secret: string, { headers, body }: Received): Payload {
  const payload = new Webhook(secret).verify(body, headers) as Payload
  assert.deepEqual(new SvixWebhook(secret).verify(body, headers), payload)
  return payload
}

test('video completes → the endpoint gets video.completed, signed, once', async (t) => {
  const receiver = await openReceiver(t)
  allow(kinora, t, receiver)
  const ann = await kinora.person()
  const { status, data: endpoint } = await create(kinora, ann, { url: receiver.url, events: ['video.completed'] })
  assert.equal(status, 200)
  assert.match(endpoint.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const { data: video } = await kinora.generate(ann)
  await kinora.finish(ann, video.uuid)
  await dispatchAll(kinora)

  const [sent] = receiver.received
  assert.equal(receiver.received.length, 1)
  assert.ok(sent)
  assert.match(sent.headers['webhook-id'] ?? '', /^msg_[0-9a-f]{32}$/)
  assert.equal(sent.headers['content-type'], 'application/json')
  const { type, timestamp, data } = verified(endpoint.secret, sent)
  assert.equal(type, 'video.completed')
  assert.ok(Math.abs(Date.parse(timestamp) - kinora.app.now().getTime()) < 60_000)
  assert.deepEqual([data.uuid, data.status, data.creditsUsed, data.error], [video.uuid, 'COMPLETED', 16, null])
  const [delivery] = await deliveriesOf(kinora, ann, endpoint.id)
  assert.deepEqual(
    [delivery?.id, delivery?.status, delivery?.attempts, delivery?.responseStatus],
    [sent.headers['webhook-id'], 'delivered', 1, 204],
  )
})
