/** What an endpoint gets: by metadata and subject, events of assets and projects, tests of each type, replays. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WEBHOOK_EVENTS } from '../../src/webhook/events.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { plain } from '../support/images.ts'
import { servedDocument } from '../support/served-document.ts'
import { idsOf, type Payload, typesOf, webhookFixture } from '../support/webhook-fixture.ts'
import { allow, create, dispatchAll, openReceiver, type Received } from '../support/webhook-receiver.ts'

const kinora = await openKinora()
const { assertEvent } = await servedDocument(kinora)
const { cancelled, subscribed } = webhookFixture(kinora)
const HOUR_MS = 3_600_000

const payloads = (received: Received[]) => received.map(({ body }) => JSON.parse(body) as Payload)
const at = (id: string) => `/api/v1/webhook/endpoints/${id}`
const post = (as: Person, path: string, body?: object) =>
  kinora.call<{ deliveries: number; nextFrom: string | null; id: string }>('POST', path, { as, body })

test('webhook: endpoint with metadata → events of videos that have all of it; changed to none → all events', async (t) => {
  const receiver = await openReceiver(t)
  allow(kinora, t, receiver)
  const ann = await kinora.person({ credits: 200 })
  const { data: endpoint } = await create(kinora, ann, { url: receiver.url, metadata: { shop: 'north' } })
  const cancelledWith = async (metadata?: object) => {
    const { data } = await kinora.generate(ann, metadata && { metadata })
    await kinora.call('POST', `/api/v1/video/${data.uuid}/cancel`, { as: ann })
    await dispatchAll(kinora)
    return data.uuid
  }
  const wanted = await cancelledWith({ shop: 'north', order: '7' })
  await cancelledWith({ shop: 'south' })
  await cancelledWith()
  await kinora.grant(ann, 10)
  await dispatchAll(kinora)
  assert.deepEqual(
    payloads(receiver.received).map(({ data }) => data.uuid),
    [wanted],
  )
  const change = await kinora.call<{ metadata: object }>('PATCH', at(endpoint.id), { as: ann, body: { metadata: {} } })
  assert.deepEqual(change.data.metadata, {})
  await cancelledWith()
  assert.equal(receiver.received.length, 2)
})

test('webhook: assets and projects → created and deleted, each once, with the facts of the document', async (t) => {
  const { ann, receiver } = await subscribed(
    t,
    undefined,
    WEBHOOK_EVENTS.filter((type) => /asset|project/.test(type)),
  )
  const picture = await plain(640, 360)
  const headers = { 'content-type': 'image/png' }
  const sent = await kinora.call<{ id: string }>('POST', '/api/v1/asset', { as: ann, body: picture, headers })
  const again = await kinora.call<{ id: string }>('POST', '/api/v1/asset', { as: ann, body: picture, headers })
  assert.equal(again.data.id, sent.data.id)
  await kinora.call('DELETE', `/api/v1/asset/${sent.data.id}`, { as: ann })
  assert.equal((await kinora.call('DELETE', `/api/v1/asset/${sent.data.id}`, { as: ann })).status, 404)
  const { data: project } = await post(ann, '/api/v1/project', { name: 'Harbour' })
  await kinora.call('DELETE', `/api/v1/project/${project.id}`, { as: ann })
  await dispatchAll(kinora)
  const types = ['asset.created', 'asset.deleted', 'project.created', 'project.deleted']
  assert.deepEqual(typesOf(receiver.received).toSorted(), types)
  for (const { body } of receiver.received) assertEvent(body)
  assert.deepEqual(
    payloads(receiver.received)
      .map(({ data }) => data.id)
      .toSorted(),
    [sent.data.id, sent.data.id, project.id, project.id].toSorted(),
  )
})

test('webhook: test of each type → an example of the document that says test, past the filters of the endpoint', async (t) => {
  const receiver = await openReceiver(t)
  allow(kinora, t, receiver)
  const ann = await kinora.person()
  const narrow = { events: ['credit.low'], metadata: { shop: 'north' }, subject: 'visitor-1' }
  const { data: endpoint } = await create(kinora, ann, { url: receiver.url, ...narrow })
  for (const type of WEBHOOK_EVENTS) {
    assert.equal((await post(ann, `${at(endpoint.id)}/test?type=${type}`)).status, 200)
    await dispatchAll(kinora)
  }
  assert.deepEqual(typesOf(receiver.received), [...WEBHOOK_EVENTS])
  for (const { body } of receiver.received) {
    assertEvent(body)
    assert.equal((JSON.parse(body) as { test?: boolean }).test, true)
  }
  assert.equal((await post(ann, `${at(endpoint.id)}/test?type=video.started`)).status, 400)
})

test('webhook: replay of a period → what was delivered and what failed is sent again by its id, once, of the types asked for', async (t) => {
  const { ann, receiver, endpoint, deliveries } = await subscribed(t)
  const start = kinora.app.now()
  await cancelled(ann)
  await dispatchAll(kinora)
  kinora.turnClock(HOUR_MS)
  const middle = kinora.app.now()
  await kinora.grant(ann, 10)
  await dispatchAll(kinora)
  kinora.turnClock(HOUR_MS)
  const first = idsOf(receiver.received)
  assert.deepEqual(typesOf(receiver.received), ['video.cancelled', 'credit.added'])
  const replay = (from: Date, to: Date, types?: string[]) =>
    post(ann, `${at(endpoint.id)}/replay`, { from, to, ...(types && { types }) })
  const { data } = await replay(start, kinora.app.now())
  assert.deepEqual(data, { deliveries: 2, nextFrom: null })
  assert.deepEqual((await replay(start, kinora.app.now())).data, { deliveries: 0, nextFrom: null })
  await dispatchAll(kinora)
  assert.deepEqual(idsOf(receiver.received), [...first, ...first])
  assert.equal((await replay(start, middle, ['credit.added'])).data.deliveries, 0)
  assert.equal((await replay(start, middle)).data.deliveries, 1)
  assert.deepEqual(
    (await deliveries()).map(({ status }) => status),
    ['delivered', 'pending'],
  )
  const wrong = await replay(middle, start)
  assert.deepEqual([wrong.status, wrong.error?.code], [400, 'INVALID_REQUEST'])
  const bob = await kinora.person()
  const foreign = await post(bob, `${at(endpoint.id)}/replay`, { from: start, to: middle })
  assert.equal(foreign.status, 404)
  await kinora.call('PATCH', at(endpoint.id), { as: ann, body: { enabled: false } })
  assert.equal((await replay(start, middle)).status, 409)
})

test('webhook: replay of more than the most of a call → nextFrom is where the next one goes on', async (t) => {
  const { ann, endpoint } = await subscribed(t)
  const now = kinora.app.now()
  await kinora.app.sql`
    insert into kinora.webhook_delivery (user_id, endpoint_id, id, type, body, state, created_at)
    select ${ann.userId}, ${endpoint.id}, kinora.uuid_of_set(seed, n), 'credit.low', '{}', 'delivered',
           ${now}::timestamptz + n * interval '1 millisecond'
    from (select uuid_send(kinora.uuid_v7(${now})) as seed offset 0) s, generate_series(1, 10001) n
  `
  const period = { from: now, to: new Date(now.getTime() + HOUR_MS) }
  const { data } = await post(ann, `${at(endpoint.id)}/replay`, period)
  assert.deepEqual(data, { deliveries: 10_000, nextFrom: new Date(now.getTime() + 10_001).toISOString() })
  const { data: rest } = await post(ann, `${at(endpoint.id)}/replay`, { ...period, from: data.nextFrom })
  assert.deepEqual(rest, { deliveries: 1, nextFrom: null })
})
