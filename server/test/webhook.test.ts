/**
 * Outbound webhooks: events are sent to real HTTP receivers, and verified by packages of Standard Webhooks. One file,
 * although it is long: it opens the service once.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import OpenAI from 'openai'
import { validateWebhook } from 'replicate'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { dispatchOnce } from '../src/webhook/dispatcher.ts'
import { workOnce } from '../src/worker.ts'
import { completeVideo } from './completed-video.ts'
import { openKinora, type Person } from './harness.ts'
import { startProcess } from './processes.ts'
import { waitFor } from './video-row.ts'
import {
  allow,
  create,
  type Delivery,
  deliveriesOf,
  dispatchAll,
  openReceiver,
  type Received,
  read,
} from './webhook-receiver.ts'

const kinora = await openKinora()
const { app } = kinora
const DAY_MS = 86_400_000

type Payload = { type: string; timestamp: string; data: Record<string, unknown> }
/** Four verifiers accept it. @throws when the signature is wrong or old */
async function verified(secret: string, { headers, body }: Received): Promise<Payload> {
  new SvixWebhook(secret).verify(body, headers)
  const openai = new OpenAI({ apiKey: 'none' })
  assert.deepEqual(await openai.webhooks.unwrap(body, headers, secret), JSON.parse(body))
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`] ?? '')
  assert.ok(await validateWebhook({ id, timestamp, signature, body, secret } as Parameters<typeof validateWebhook>[0]))
  return new Webhook(secret).verify(body, headers) as Payload
}
const typesOf = (received: Received[]) => received.map(({ body }) => (JSON.parse(body) as Payload).type)
const idsOf = (received: Received[]) => received.map(({ headers }) => headers['webhook-id'])

/** Turns the clock forward until the test ends. */
function turnClock(t: TestContext, ms: number): void {
  kinora.turnClock(ms)
  t.after(() => kinora.turnClock(-ms))
}
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
  const only = async (): Promise<Delivery> => (await deliveries())[0] ?? assert.fail('there is no delivery')
  return { receiver, ann, endpoint, deliveries, only, read: () => read(kinora, ann, endpoint.id) }
}

test('video completes → one POST with a signature that standardwebhooks, svix, openai and replicate verify', async (t) => {
  const { receiver, ann, endpoint, only } = await subscribed(t, undefined, ['video.completed'])
  const { data: video } = await kinora.generate(ann)
  await completeVideo(kinora, ann, video.uuid)
  await dispatchAll(kinora)
  const [sent, ...more] = receiver.received
  assert.ok(sent)
  assert.deepEqual(more, [])
  assert.match(sent.headers['webhook-id'] ?? '', /^msg_[0-9a-f]{32}$/)
  assert.equal(sent.headers['content-type'], 'application/json')
  const { type, timestamp, data } = await verified(endpoint.secret, sent)
  assert.equal(type, 'video.completed')
  assert.ok(Math.abs(Date.parse(timestamp) - app.now().getTime()) < 60_000)
  assert.deepEqual([data.uuid, data.status, data.creditsUsed, data.error], [video.uuid, 'COMPLETED', 16, null])
  const { id, status, attempts, responseStatus } = await only()
  assert.deepEqual([id, status, attempts, responseStatus], [sent.headers['webhook-id'], 'delivered', 1, 204])
  const forged = { ...sent, body: sent.body.replace('16', '17') }
  await assert.rejects(verified(endpoint.secret, forged))
  await assert.rejects(verified(`whsec_${Buffer.alloc(32).toString('base64')}`, sent))
})

test('every type of event → sent in its sequence to each endpoint that wants it, and to no other user', async (t) => {
  const { receiver, ann, endpoint } = await subscribed(t)
  const other = await subscribed(t)
  allow(kinora, t, receiver, other.receiver)
  const { data: late } = await create(kinora, ann, { url: `${receiver.url}/late`, events: ['video.deleted'] })
  await kinora.grant(ann, 40)
  const { data: done } = await kinora.generate(ann)
  await completeVideo(kinora, ann, done.uuid)
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${done.uuid}`, { as: ann })).status, 200)
  await cancelled(ann)
  const { data: failing } = await kinora.generate(ann)
  turnClock(t, DAY_MS)
  await workOnce(app)
  assert.equal((await kinora.call('GET', `/api/v1/video/${failing.uuid}`, { as: ann })).data.status, 'FAILED')
  await dispatchAll(kinora)
  const sent = receiver.received.filter(({ path }) => path === '/hook')
  assert.deepEqual(typesOf(sent).sort(), [
    'credit.added',
    'video.cancelled',
    'video.completed',
    'video.deleted',
    'video.failed',
  ])
  const ofDone = sent.filter(({ body }) => body.includes(done.uuid))
  assert.deepEqual(typesOf(ofDone), ['video.completed', 'video.deleted'])
  assert.deepEqual(
    receiver.received.filter(({ path }) => path === '/hook/late').map(({ headers }) => headers['webhook-id']),
    idsOf(ofDone.slice(1)),
  )
  assert.deepEqual(other.receiver.received, [])
  assert.deepEqual((await deliveriesOf(kinora, ann, late.id)).length, 1)
  assert.equal((await deliveriesOf(kinora, ann, endpoint.id)).length, 5)
})

test('webhookUrl → gets the final event of its video, signed with the secret of webhookUrls, and no other', async (t) => {
  const receiver = await openReceiver(t)
  allow(kinora, t, receiver)
  const ann = await kinora.person()
  const secret = (await kinora.call<{ secret: string }>('POST', '/api/v1/webhook/secret', { as: ann })).data.secret
  const webhookUrl = `${receiver.url}?film=1`
  const headers = { 'idempotency-key': 'with a webhook' }
  const { data, status } = await kinora.generate(ann, { webhookUrl }, headers)
  assert.equal(status, 200)
  assert.equal((await kinora.generate(ann, { webhookUrl }, headers)).data.uuid, data.uuid)
  assert.equal((await kinora.generate(ann, {}, headers)).status, 422)
  await kinora.call('POST', `/api/v1/video/${data.uuid}/cancel`, { as: ann })
  await cancelled(ann)
  await kinora.call('DELETE', `/api/v1/video/${data.uuid}`, { as: ann })
  await dispatchAll(kinora)
  assert.equal(receiver.received.length, 1)
  const [sent] = receiver.received
  assert.ok(sent)
  assert.equal(sent.path, '/hook?film=1')
  const payload = await verified(secret, sent)
  assert.deepEqual([payload.type, payload.data.uuid], ['video.cancelled', data.uuid])
})

test('worker is killed between the request and its record → sent again by another one, with the same webhook-id', async (t) => {
  const { receiver, ann, endpoint, only } = await subscribed(t)
  await cancelled(ann)
  const env = { WEBHOOK_ALLOW: receiver.host }
  const killed = await startProcess(kinora, 'worker', { ...env, KINORA_CRASH_AT: 'webhook.sent' })
  assert.equal(await killed.ended, 'SIGKILL')
  assert.equal((await only()).status, 'pending')
  // Instead of waiting for the end of the lease.
  await app.sql`update kinora.webhook_endpoint set due_at = now(), lease_until = now() where id = ${endpoint.id}`
  const next = await startProcess(kinora, 'worker', env)
  await waitFor('the delivery to be recorded', async () => (await only()).status === 'delivered')
  assert.equal(await next.stop(), 0)
  const [first, second, ...more] = receiver.received
  assert.ok(first && second)
  assert.deepEqual([idsOf([first]), first.body, more], [idsOf([second]), second.body, []])
  await verified(endpoint.secret, second)
})

test('500 → the same bytes are sent again after 5 s, 5 min, 30 min … ten times in three days, then failed', async (t) => {
  const { receiver, ann, only, deliveries } = await subscribed(t, () => ({ status: 500, body: 'Out of \0 order' }))
  kinora.holdClock()
  const start = app.now().getTime()
  await cancelled(ann)
  const pauses: number[] = []
  let turned = 0
  t.after(() => kinora.turnClock(-turned))
  for (let delivery = await one(); delivery.nextAttemptAt; delivery = await one()) {
    const waitMs = Date.parse(delivery.nextAttemptAt) - app.now().getTime()
    pauses.push(waitMs)
    kinora.turnClock(waitMs)
    turned += waitMs
  }
  async function one() {
    await dispatchOnce(app)
    return only()
  }
  const { status, attempts, error } = await only()
  assert.deepEqual([status, attempts, error], ['failed', 10, 'Status 500.'])
  assert.equal(new Set(idsOf(receiver.received)).size, 1)
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
  assert.equal(receiver.received.length, 10)
  const plannedS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
  for (const [i, plan] of plannedS.entries()) {
    assert.ok(Math.abs((pauses[i] ?? 0) / 1000 - plan) <= plan * 0.1 + 0.01, `pause ${i} is ${pauses[i]} ms`)
  }
  assert.ok(app.now().getTime() - start > 2.8 * DAY_MS)
  assert.equal((await deliveries()).length, 1)
})

test('endpoint hangs → times out, the rest of its deliveries waits, others get theirs meanwhile', async (t) => {
  const hanging = await subscribed(t, () => 'hang')
  const other = await subscribed(t)
  allow(kinora, t, hanging.receiver, other.receiver)
  app.config.webhookTimeoutS = 2
  t.after(() => {
    app.config.webhookTimeoutS = 15
  })
  for (let n = 0; n < 20; n += 1) await cancelled(hanging.ann)
  await cancelled(other.ann)
  const dispatched = dispatchOnce(app)
  await waitFor('the delivery to the other endpoint', async () => (await other.only()).status === 'delivered')
  // Requests to one endpoint at a time.
  await waitFor('the requests', async () => hanging.receiver.received.length === 16)
  assert.equal((await hanging.deliveries()).filter(({ attempts }) => attempts > 0).length, 0)
  await dispatched
  const waiting = await hanging.deliveries()
  assert.deepEqual(
    [waiting.filter(({ attempts }) => attempts === 1).length, waiting.filter(({ attempts }) => attempts === 0).length],
    [16, 4],
  )
  assert.match(waiting.at(-1)?.error ?? '', /longer than 2 s|stopped answering/)
  assert.notEqual((await hanging.read()).failingSince, null)
  await cancelled(other.ann)
  await dispatchOnce(app)
  assert.equal(other.receiver.received.length, 2)
  // It is tried with one request, and with more when that one succeeds.
  hanging.receiver.respond = () => ({ status: 200 })
  turnClock(t, 3_000)
  await dispatchOnce(app)
  assert.equal(hanging.receiver.received.length, 17)
  assert.equal((await hanging.read()).failingSince, null)
  turnClock(t, 10_000)
  await dispatchAll(kinora)
  assert.ok((await hanging.deliveries()).every(({ status }) => status === 'delivered'))
})

test('410 → the endpoint is disabled, the delivery failed; the rest is sent when it is enabled again', async (t) => {
  const { receiver, ann, endpoint, deliveries, ...hook } = await subscribed(t, () => ({ status: 410 }))
  await cancelled(ann)
  await dispatchOnce(app)
  const gone = await hook.read()
  assert.deepEqual([gone.enabled, gone.disabledReason], [false, 'gone'])
  assert.deepEqual(
    (await deliveries()).map(({ status }) => status),
    ['failed'],
  )
  await cancelled(ann)
  await dispatchAll(kinora)
  assert.equal(receiver.received.length, 1)
  receiver.respond = () => ({ status: 200 })
  const path = `/api/v1/webhook/endpoints/${endpoint.id}`
  assert.equal((await kinora.call('POST', `${path}/test`, { as: ann })).status, 409)
  assert.equal((await kinora.call('PATCH', path, { as: ann, body: { enabled: true } })).status, 200)
  await cancelled(ann)
  await dispatchAll(kinora)
  assert.equal(receiver.received.length, 2)
  const [row] =
    await app.sql`select reason from kinora.audit where action = 'webhook.disable' and user_id = ${ann.userId}`
  assert.equal(row?.reason, 'gone')
})

test('429 with Retry-After, in seconds or as a date → nothing is sent to the endpoint before', async (t) => {
  const { receiver, ann, only } = await subscribed(t, () => ({ status: 429, headers: { 'retry-after': '120' } }))
  await cancelled(ann)
  await dispatchOnce(app)
  const { nextAttemptAt } = await only()
  assert.ok(Math.abs(Date.parse(nextAttemptAt ?? '') - app.now().getTime() - 120_000) < 10_000)
  await cancelled(ann)
  turnClock(t, 100_000)
  await dispatchAll(kinora)
  assert.equal(receiver.received.length, 1)
  receiver.respond = () => ({
    status: 503,
    headers: { 'retry-after': new Date(app.now().getTime() + 3600_000).toUTCString() },
  })
  turnClock(t, 30_000)
  await dispatchOnce(app)
  assert.equal(receiver.received.length, 2)
  turnClock(t, 3000_000)
  await dispatchAll(kinora)
  assert.equal(receiver.received.length, 2)
  receiver.respond = () => ({ status: 200 })
  turnClock(t, 700_000)
  await dispatchAll(kinora)
  assert.deepEqual(idsOf(receiver.received).length, 4)
})

test('last delivery fails for good while the endpoint is paused → a new event waits for the end of the pause', async (t) => {
  const { receiver, ann, endpoint } = await subscribed(t, () => ({ status: 429, headers: { 'retry-after': '60' } }))
  await cancelled(ann)
  await app.sql`update kinora.webhook_delivery set attempt = 9 where endpoint_id = ${endpoint.id}`
  await dispatchOnce(app)
  await cancelled(ann)
  await dispatchAll(kinora)
  assert.equal(receiver.received.length, 1)
  receiver.respond = () => ({ status: 200 })
  turnClock(t, 61_000)
  await dispatchAll(kinora)
  assert.equal(receiver.received.length, 2)
})

test('redirect, or a host that resolves to a private address → not followed, not connected, retried', async (t) => {
  const target = await openReceiver(t)
  const { receiver, ann, only } = await subscribed(t, () => ({ status: 302, headers: { location: target.url } }))
  allow(kinora, t, receiver, target)
  await cancelled(ann)
  await dispatchOnce(app)
  assert.deepEqual(target.received, [])
  const { status, error } = await only()
  assert.deepEqual([status, error], ['pending', 'Status 302; redirects are not followed.'])
  // The receiver is not on the allowlist any more.
  allow(kinora, t, target)
  turnClock(t, 60_000)
  await dispatchOnce(app)
  assert.equal(receiver.received.length, 1)
  assert.match((await only()).error ?? '', /https|public/)
})

test('a response without end → its first 4096 bytes are kept, and the delivery is done', async (t) => {
  const { ann, endpoint, only } = await subscribed(t, () => ({ status: 200, body: 'ä'.repeat(100_000) }))
  await cancelled(ann)
  await dispatchOnce(app)
  const { id, status } = await only()
  assert.equal(status, 'delivered')
  const path = `/api/v1/webhook/endpoints/${endpoint.id}/deliveries/${id}`
  const { data } = await kinora.call<{ response: { body: string }; request: { body: string; headers: object } }>(
    'GET',
    path,
    { as: ann },
  )
  assert.equal(data.response.body.length, 2048)
  assert.match(data.request.body, /video.cancelled/)
  assert.ok(!JSON.stringify(data).includes('signature'))
})

test('rotate → both signatures for 24 h, then the new one', async (t) => {
  const { receiver, ann, endpoint } = await subscribed(t)
  const path = `/api/v1/webhook/endpoints/${endpoint.id}`
  const { data } = await kinora.call<{ secret: string }>('POST', `${path}/rotate`, { as: ann })
  assert.notEqual(data.secret, endpoint.secret)
  await cancelled(ann)
  await dispatchAll(kinora)
  const [both] = receiver.received
  assert.ok(both)
  await verified(endpoint.secret, both)
  await verified(data.secret, both)
  assert.equal(both.headers['webhook-signature']?.split(' ').length, 2)
  turnClock(t, DAY_MS + 1000)
  await cancelled(ann)
  await dispatchAll(kinora)
  const [, later] = receiver.received
  assert.ok(later)
  const at = new Date(Number(later.headers['webhook-timestamp']) * 1000)
  const signature = new Webhook(data.secret).sign(later.headers['webhook-id'] ?? '', at, later.body)
  assert.equal(later.headers['webhook-signature'], signature)
})

test('five days of failure → disabled, with an entry in the audit log', async (t) => {
  const { ann, ...hook } = await subscribed(t, () => ({ status: 404 }))
  await cancelled(ann)
  await dispatchOnce(app)
  turnClock(t, 4.9 * DAY_MS)
  await dispatchOnce(app)
  assert.equal((await hook.read()).enabled, true)
  turnClock(t, 0.2 * DAY_MS)
  await cancelled(ann)
  await dispatchAll(kinora)
  const { enabled, disabledReason } = await hook.read()
  assert.deepEqual([enabled, disabledReason], [false, 'failing'])
  const [row] =
    await app.sql`select reason from kinora.audit where action = 'webhook.disable' and user_id = ${ann.userId}`
  assert.equal(row?.reason, 'failing')
})
