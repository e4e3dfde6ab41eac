/** Outbound webhooks: events are sent to real HTTP receivers, and verified by packages of Standard Webhooks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import OpenAI from 'openai'
import { validateWebhook } from 'replicate'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { applyAll } from '../../src/db/set-calls.ts'
import { dispatchWebhooksOnce } from '../../src/webhook/dispatcher.ts'
import { workOnce } from '../../src/worker/worker.ts'
import { beginFor, partFor } from '../support/citus/database.ts'
import { completeVideo } from '../support/completed-video.ts'
import { openKinora } from '../support/harness.ts'
import { startProcess } from '../support/processes.ts'
import { servedDocument } from '../support/served-document.ts'
import { waitFor } from '../support/video-row.ts'
import { idsOf, type Payload, typesOf, webhookFixture } from '../support/webhook-fixture.ts'
import { allow, create, deliveriesOf, dispatchAll, openReceiver, type Received } from '../support/webhook-receiver.ts'

const kinora = await openKinora()
const { assertEvent } = await servedDocument(kinora)
const { app } = kinora
const { cancelled, subscribed } = webhookFixture(kinora)
const DAY_MS = 86_400_000

/** Four verifiers accept it. @throws when the signature is wrong or old */
async function verified(secret: string, { headers, body }: Received): Promise<Payload> {
  new SvixWebhook(secret).verify(body, headers)
  const openai = new OpenAI({ apiKey: 'none' })
  assert.deepEqual(await openai.webhooks.unwrap(body, headers, secret), JSON.parse(body))
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`] ?? '')
  assert.ok(await validateWebhook({ id, timestamp, signature, body, secret } as Parameters<typeof validateWebhook>[0]))
  return new Webhook(secret).verify(body, headers) as Payload
}

const signaturesOf = ({ headers }: Received) => headers['webhook-signature']?.split(' ')
const signedBy =
  (...secrets: string[]) =>
  ({ headers, body }: Received) => {
    const at = new Date(Number(headers['webhook-timestamp']) * 1000)
    return secrets.map((secret) => new Webhook(secret).sign(headers['webhook-id'] ?? '', at, body))
  }

test('webhook: video completes → one POST with a signature that standardwebhooks, svix, openai and replicate verify', async (t) => {
  const { receiver, ann, endpoint, latest } = await subscribed(t, undefined, ['video.completed'])
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
  const { id, status, attempts, responseStatus } = await latest()
  assert.deepEqual([id, status, attempts, responseStatus], [sent.headers['webhook-id'], 'delivered', 1, 204])
  const forged = { ...sent, body: sent.body.replace('16', '17') }
  await assert.rejects(verified(endpoint.secret, forged))
  await assert.rejects(verified(`whsec_${Buffer.alloc(32).toString('base64')}`, sent))
})

test('webhook: every type of event → sent in its sequence to each endpoint that wants it, and to no other user', async (t) => {
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
  kinora.turnClock(DAY_MS)
  await workOnce(app)
  assert.equal((await kinora.call('GET', `/api/v1/video/${failing.uuid}`, { as: ann })).data.status, 'FAILED')
  await dispatchAll(kinora)
  const sent = receiver.received.filter(({ path }) => path === '/hook')
  for (const { body } of sent) assertEvent(body)
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

test('webhook: webhookUrl of generate → gets the final event of its video, signed with the secret of webhookUrls, and no other', async (t) => {
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

test('webhook: video is cancelled and deleted in one set of steps → its webhookUrl gets the first event, an endpoint both', async (t) => {
  const { receiver, ann } = await subscribed(t, undefined, ['video.cancelled', 'video.deleted'])
  const { data } = await kinora.generate(ann, { webhookUrl: `${receiver.url}?film=1` })
  const step = { user_id: ann.userId, id: data.uuid, error: 'Cancelled.', grace_s: 86_400 }
  const steps = [
    { ...step, step: 'cancel' },
    { ...step, step: 'delete' },
  ]
  await applyAll(app.sql, JSON.stringify(steps), app.now())
  await dispatchAll(kinora)
  const sentTo = (path: string) => typesOf(receiver.received.filter((each) => each.path === path))
  assert.deepEqual(sentTo('/hook?film=1'), ['video.cancelled'])
  assert.deepEqual(sentTo('/hook'), ['video.cancelled', 'video.deleted'])
})

test('webhook: worker is killed between the request and its record → sent again by another one, with the same webhook-id', async (t) => {
  const { receiver, ann, endpoint, latest } = await subscribed(t)
  await cancelled(ann)
  const env = { WEBHOOK_ALLOW: receiver.host }
  const killed = await startProcess(kinora, 'worker', { ...env, KINORA_CRASH_AT: 'webhook.sent' })
  assert.equal(await killed.ended, 'SIGKILL')
  assert.equal((await latest()).status, 'pending')
  // Ends the lease instead of waiting for it.
  await app.sql`update kinora.webhook_endpoint set due_at = now(), lease_until = now() where id = ${endpoint.id}`
  const next = await startProcess(kinora, 'worker', env)
  await waitFor('the delivery to be recorded', async () => (await latest()).status === 'delivered')
  assert.equal(await next.stop(), 0)
  const [first, second, ...more] = receiver.received
  assert.ok(first && second)
  assert.deepEqual([idsOf([first]), first.body, more], [idsOf([second]), second.body, []])
  await verified(endpoint.secret, second)
})

test('webhook: claim that takes longer than a worker may send → nothing is sent, because the lease may end first; sent by the next', async (t) => {
  const { receiver, ann, latest } = await subscribed(t)
  await cancelled(ann)
  const locked = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  const lock = beginFor(app.sql, ann.userId, async (tx) => {
    await tx`lock table kinora.webhook_delivery in access exclusive mode`
    locked.resolve()
    await slow.promise
  })
  await locked.promise
  const dispatched = dispatchWebhooksOnce(app)
  await waitFor('the claim to wait', async () => {
    const waiting = await partFor(app.database, ann.userId)`
      select from pg_locks where relation = 'kinora.webhook_delivery'::regclass and not granted
    `
    return waiting.length > 0
  })
  const { now } = performance
  const clock = t.mock.method(performance, 'now', () => now.call(performance) + 26_000)
  slow.resolve()
  await Promise.all([lock, dispatched])
  clock.mock.restore()
  assert.deepEqual([receiver.received, (await latest()).status], [[], 'pending'])
  await dispatchAll(kinora)
  assert.equal(receiver.received.length, 1)
})

test('rotate: repeated after a lost response → the deployed secret signs for its 24 h all the same', async (t) => {
  const { receiver, ann, endpoint } = await subscribed(t)
  const rotate = async () => {
    const path = `/api/v1/webhook/endpoints/${endpoint.id}/rotate`
    return (await kinora.call<{ secret: string }>('POST', path, { as: ann })).data.secret
  }
  const lost = await rotate()
  kinora.turnClock(DAY_MS / 2)
  const seen = await rotate()
  await cancelled(ann)
  await dispatchAll(kinora)
  assert.deepEqual(receiver.received.map(signaturesOf), receiver.received.map(signedBy(seen, lost, endpoint.secret)))
  kinora.turnClock(DAY_MS / 2 + 1000)
  await cancelled(ann)
  await dispatchAll(kinora)
  const later = receiver.received.slice(1)
  assert.deepEqual(later.map(signaturesOf), later.map(signedBy(seen, lost)), 'the repetition prolongs no secret')
  assert.deepEqual([receiver.received.length, later.length], [2, 1])
})

test('rotate: secret of webhookUrls, twelve times → nine signatures at most, the newest first', async (t) => {
  const receiver = await openReceiver(t)
  allow(kinora, t, receiver)
  const ann = await kinora.person()
  const made: string[] = []
  for (let count = 0; count < 12; count += 1) {
    made.push((await kinora.call<{ secret: string }>('POST', '/api/v1/webhook/secret', { as: ann })).data.secret)
  }
  const { data: video } = await kinora.generate(ann, { webhookUrl: receiver.url })
  await kinora.call('POST', `/api/v1/video/${video.uuid}/cancel`, { as: ann })
  await dispatchAll(kinora)
  assert.deepEqual(
    receiver.received.map(signaturesOf),
    receiver.received.map(signedBy(...made.toReversed().slice(0, 9))),
  )
  assert.equal(receiver.received.length, 1)
})

test('rotate: one endpoint → both signatures for 24 h, then the new one', async (t) => {
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
  kinora.turnClock(DAY_MS + 1000)
  await cancelled(ann)
  await dispatchAll(kinora)
  const [, later] = receiver.received
  assert.ok(later)
  assert.deepEqual(signaturesOf(later), signedBy(data.secret)(later))
})
