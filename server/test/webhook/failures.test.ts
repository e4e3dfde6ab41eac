/** Outbound webhooks: what endpoints that fail, hang, redirect or ask for a pause get, and when. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dispatchWebhooksOnce } from '../../src/webhook/dispatcher.ts'
import { notDistributed } from '../support/citus/database.ts'
import { holdMonotonicClock } from '../support/expire-credential-cache.ts'
import { openKinora } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'
import { idsOf, webhookFixture } from '../support/webhook-fixture.ts'
import { allow, dispatchAll, openReceiver } from '../support/webhook-receiver.ts'

const kinora = await openKinora()
const { app } = kinora
const { cancelled, subscribed } = webhookFixture(kinora)
const DAY_MS = 86_400_000

test('webhook: response 500 → the same bytes are sent again after 5 s, 5 min, 30 min … ten times in three days, then failed', async (t) => {
  const { receiver, ann, latest, deliveries } = await subscribed(t, () => ({ status: 500, body: 'Out of \0 order' }))
  kinora.holdClock()
  const start = app.now().getTime()
  await cancelled(ann)
  const pauses: number[] = []
  for (let delivery = await one(); delivery.nextAttemptAt; delivery = await one()) {
    const waitMs = Date.parse(delivery.nextAttemptAt) - app.now().getTime()
    pauses.push(waitMs)
    kinora.turnClock(waitMs)
  }
  async function one() {
    await dispatchWebhooksOnce(app)
    return latest()
  }
  const { status, attempts, error } = await latest()
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

test('webhook: endpoint hangs → the rest of its deliveries waits, others get theirs meanwhile; it times out', async (t) => {
  // Else the pause of the endpoint may end before the delivery to the other one.
  kinora.holdClock()
  const hanging = await subscribed(t, () => 'hang')
  const other = await subscribed(t)
  allow(kinora, t, hanging.receiver, other.receiver)
  for (let n = 0; n < 20; n += 1) await cancelled(hanging.ann)
  await cancelled(other.ann)
  const dispatched = dispatchWebhooksOnce(app)
  await waitFor('the delivery to the other endpoint', async () => (await other.latest()).status === 'delivered')
  // Requests to one endpoint at a time.
  await waitFor('the requests', async () => hanging.receiver.received.length === 16)
  assert.equal((await hanging.deliveries()).filter(({ attempts }) => attempts > 0).length, 0)
  hanging.receiver.breakConnections()
  await dispatched
  const waiting = await hanging.deliveries()
  assert.deepEqual(
    [waiting.filter(({ attempts }) => attempts === 1).length, waiting.filter(({ attempts }) => attempts === 0).length],
    [16, 4],
  )
  assert.notEqual((await hanging.read()).failingSince, null)
  await cancelled(other.ann)
  await dispatchWebhooksOnce(app)
  assert.equal(other.receiver.received.length, 2)
  // It is tried with one request, and with more when that one succeeds.
  app.config.webhookTimeoutS = 1
  t.after(() => {
    app.config.webhookTimeoutS = 15
  })
  kinora.turnClock(3_000)
  await dispatchWebhooksOnce(app)
  assert.equal(hanging.receiver.received.length, 17)
  const errors = (await hanging.deliveries()).map(({ error }) => error ?? '')
  assert.equal(errors.filter((error) => /longer than 1 s|stopped answering/.test(error)).length, 1, errors.join('\n'))
  hanging.receiver.respond = () => ({ status: 200 })
  kinora.turnClock(3_000)
  await dispatchWebhooksOnce(app)
  assert.equal(hanging.receiver.received.length, 18)
  assert.equal((await hanging.read()).failingSince, null)
  kinora.turnClock(10_000)
  await dispatchAll(kinora)
  assert.ok((await hanging.deliveries()).every(({ status }) => status === 'delivered'))
})

test('webhook: response 410 → the endpoint is disabled, the delivery failed; the rest is sent when it is enabled again', async (t) => {
  const { receiver, ann, endpoint, deliveries, ...hook } = await subscribed(t, () => ({ status: 410 }))
  await cancelled(ann)
  await dispatchWebhooksOnce(app)
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

test('webhook: response 429 with Retry-After, in seconds or as a date → nothing is sent to the endpoint before', async (t) => {
  const { receiver, ann, latest } = await subscribed(t, () => ({ status: 429, headers: { 'retry-after': '120' } }))
  await cancelled(ann)
  await dispatchWebhooksOnce(app)
  const { nextAttemptAt } = await latest()
  assert.ok(Math.abs(Date.parse(nextAttemptAt ?? '') - app.now().getTime() - 120_000) < 10_000)
  await cancelled(ann)
  kinora.turnClock(100_000)
  await dispatchAll(kinora)
  assert.equal(receiver.received.length, 1)
  receiver.respond = () => ({
    status: 503,
    headers: { 'retry-after': new Date(app.now().getTime() + 3600_000).toUTCString() },
  })
  kinora.turnClock(30_000)
  await dispatchWebhooksOnce(app)
  assert.equal(receiver.received.length, 2)
  kinora.turnClock(3000_000)
  await dispatchAll(kinora)
  assert.equal(receiver.received.length, 2)
  receiver.respond = () => ({ status: 200 })
  kinora.turnClock(700_000)
  await dispatchAll(kinora)
  assert.deepEqual(idsOf(receiver.received).length, 4)
})

test('webhook: last delivery fails for good while the endpoint is paused → a new event waits for the end of the pause', async (t) => {
  const { receiver, ann, endpoint } = await subscribed(t, () => ({ status: 429, headers: { 'retry-after': '60' } }))
  await cancelled(ann)
  await app.sql`update kinora.webhook_delivery set attempt = 9 where endpoint_id = ${endpoint.id}`
  await dispatchWebhooksOnce(app)
  await cancelled(ann)
  await dispatchAll(kinora)
  assert.equal(receiver.received.length, 1)
  receiver.respond = () => ({ status: 200 })
  kinora.turnClock(61_000)
  await dispatchAll(kinora)
  assert.equal(receiver.received.length, 2)
})

test('webhook: redirect, or a host that resolves to a private address → not followed, not connected, retried', async (t) => {
  const target = await openReceiver(t)
  const { receiver, ann, latest } = await subscribed(t, () => ({ status: 302, headers: { location: target.url } }))
  allow(kinora, t, receiver, target)
  await cancelled(ann)
  await dispatchWebhooksOnce(app)
  assert.deepEqual(target.received, [])
  const { status, error } = await latest()
  assert.deepEqual([status, error], ['pending', 'Status 302; redirects are not followed.'])
  // The receiver is not on the allowlist any more.
  allow(kinora, t, target)
  kinora.turnClock(60_000)
  await dispatchWebhooksOnce(app)
  assert.equal(receiver.received.length, 1)
  assert.match((await latest()).error ?? '', /https|public/)
})

test('webhook: response without end → its first 4096 bytes are kept, and the delivery is done', async (t) => {
  const { ann, endpoint, latest } = await subscribed(t, () => ({ status: 200, body: 'ä'.repeat(100_000) }))
  await cancelled(ann)
  await dispatchWebhooksOnce(app)
  const { id, status } = await latest()
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

test('webhook: five days of failure → disabled, with an entry in the audit log and a mail', async (t) => {
  const { ann, endpoint, ...hook } = await subscribed(t, () => ({ status: 404 }))
  // A notice is for verified addresses.
  await app.sql`update public."user" set "emailVerified" = true where id = ${ann.userId}`
  await cancelled(ann)
  await dispatchWebhooksOnce(app)
  kinora.turnClock(4.9 * DAY_MS)
  await dispatchWebhooksOnce(app)
  assert.equal((await hook.read()).enabled, true)
  kinora.turnClock(0.2 * DAY_MS)
  await cancelled(ann)
  await dispatchAll(kinora)
  const { enabled, disabledReason } = await hook.read()
  assert.deepEqual([enabled, disabledReason], [false, 'failing'])
  const [row] =
    await app.sql`select reason from kinora.audit where action = 'webhook.disable' and user_id = ${ann.userId}`
  assert.equal(row?.reason, 'failing')
  const mails = await app.sql<{ kind: string; data: { endpointId: string } }[]>`
    select kind, data from kinora.mail where user_id = ${ann.userId}
  `
  assert.deepEqual(
    mails.map(({ kind, data }) => [kind, data.endpointId]),
    [['webhook.disabled', endpoint.id]],
  )
})

test('webhook: worker stalls beyond its lease → what another one has delivered meanwhile stays delivered', async (t) => {
  const { receiver, ann, endpoint, read } = await subscribed(t)
  const deliveries = 40
  for (let n = 0; n < deliveries; n += 1) {
    await kinora.call('POST', `/api/v1/webhook/endpoints/${endpoint.id}/test`, { as: ann })
  }
  const resumed = Promise.withResolvers<void>()
  receiver.respond = async () => {
    await resumed.promise
    return { status: 500 }
  }
  const stalled = dispatchWebhooksOnce(app)
  await waitFor('the requests', async () => receiver.received.length === 16)
  kinora.turnClock(61_000)
  receiver.respond = () => ({ status: 204 })
  await dispatchWebhooksOnce(app)
  receiver.respond = () => ({ status: 500 })
  resumed.resolve()
  await stalled
  const states = await app.sql<{ state: string; count: number }[]>`
    select state, count(*) from kinora.webhook_delivery where endpoint_id = ${endpoint.id} group by state
  `
  assert.deepEqual([...states], [{ state: 'delivered', count: deliveries }])
  assert.equal((await read()).failingSince, null)
})

test(
  'webhook: attempts cannot be recorded → sending stops, and what was not recorded is sent again when the lease is over',
  notDistributed('the triggers would be those of the shards'),
  async (t) => {
    const { receiver, ann, endpoint } = await subscribed(t)
    holdMonotonicClock(t)
    const deliveries = 100
    for (let n = 0; n < deliveries; n += 1) {
      await kinora.call('POST', `/api/v1/webhook/endpoints/${endpoint.id}/test`, { as: ann })
    }
    await app.sql.unsafe(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no record'; end $$;
      create trigger refuse before update on kinora.webhook_delivery for each row execute function refuse()
    `)
    // 32 are recorded together, fewer after a second; the other senders wait until this process has the error of that
    // record.
    const failed = Promise.withResolvers<void>()
    receiver.respond = async () => {
      if (receiver.received.length > 32) await failed.promise
      return { status: 204 }
    }
    // The call is a fragment of the statement; a fragment that is waited for would run alone.
    let recording: unknown
    const sql = new Proxy(app.sql, {
      apply: (target, self, args: Parameters<typeof app.sql>) => {
        const query = Reflect.apply(target, self, args)
        if (String(args[0]).includes('webhook_record')) recording = query
        else if (recording && args.includes(recording as never)) query.catch(() => failed.resolve())
        return query
      },
    })
    await assert.rejects(dispatchWebhooksOnce({ ...app, sql }), /no record/)
    await app.sql.unsafe('drop trigger refuse on kinora.webhook_delivery; drop function refuse()')
    kinora.turnClock(61_000)
    await dispatchWebhooksOnce(app)
    assert.equal(new Set(idsOf(receiver.received)).size, deliveries)
    const repeated = receiver.received.length - deliveries
    assert.ok(repeated >= 32 && repeated <= 48, `${repeated} were sent twice`)
  },
)
