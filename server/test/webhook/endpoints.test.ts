/** `/api/v1/webhook`: endpoints, their limits, redelivery; what a deletion, an export and retention do with them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseDeletedAccounts } from '../../src/account-data/erase.ts'
import { openSafePost } from '../../src/net/safe-post.ts'
import { sealSecret, unsealSecret } from '../../src/webhook/secret.ts'
import { sweepOldRows } from '../../src/worker/retention.ts'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'
import { allow, create, deliveriesOf, dispatchAll, openReceiver, read } from '../support/webhook-receiver.ts'

const kinora = await openKinora()
const { app } = kinora
const base = '/api/v1/webhook/endpoints'
const url = 'https://hooks.example.com/kinora'

async function cancelled(ann: Person): Promise<void> {
  const { data } = await kinora.generate(ann)
  await kinora.call('POST', `/api/v1/video/${data.uuid}/cancel`, { as: ann })
}

test('200: endpoint created, changed, deleted → the list and its own page show it; 404 afterwards', async () => {
  const ann = await kinora.person()
  const { data, status } = await create(kinora, ann, { url, events: ['video.failed'], description: 'Nightly' })
  assert.equal(status, 200)
  const { secret, ...shown } = data
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(await read(kinora, ann, data.id), shown)
  assert.deepEqual((await kinora.call('GET', base, { as: ann })).data, { endpoints: [shown] })
  const change = { url: `${url}/2`, events: [], enabled: false }
  const changed = await kinora.call('PATCH', `${base}/${data.id}`, { as: ann, body: change })
  const { disabledReason, description, ...rest } = changed.data
  assert.deepEqual(
    [rest.url, rest.events, rest.enabled, disabledReason, description],
    [`${url}/2`, [], false, 'owner', 'Nightly'],
  )
  assert.equal((await kinora.call('DELETE', `${base}/${data.id}`, { as: ann })).status, 200)
  assert.equal((await kinora.call('GET', `${base}/${data.id}`, { as: ann })).status, 404)
})

test('400: address that the SSRF guard refuses, as url and as webhookUrl → the field is named', async () => {
  const ann = await kinora.person()
  const longest = 'https://hooks.example.com/'.padEnd(2048, 'a')
  const { data, status: ofLongest } = await create(kinora, ann, { url: longest })
  assert.equal(ofLongest, 200)
  const refused = [
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'https://localhost/',
    'https://hooks.internal/',
    'https://user:pw@hooks.example.com/',
    'https://hooks.example.com:22/',
    'ftp://hooks.example.com/',
    'hooks',
    `${longest}a`,
  ]
  for (const each of refused) {
    const answers = [
      [await create(kinora, ann, { url: each }), 'url'],
      [await kinora.call('PATCH', `${base}/${data.id}`, { as: ann, body: { url: each } }), 'url'],
      [await kinora.generate(ann, { webhookUrl: each }), 'webhookUrl'],
    ] as const
    for (const [{ status, error }, field] of answers) {
      assert.deepEqual([status, error?.code, pathsOf({ error })], [400, 'INVALID_REQUEST', [field]], each)
    }
  }
  const before = app.webhookPost
  app.webhookPost = openSafePost({ allow: [], lookup: async () => ['93.184.215.14', '10.0.0.1'] })
  assert.equal((await create(kinora, ann, { url })).status, 400)
  app.webhookPost = before
  assert.equal((await kinora.balance(ann)).available, 60)
})

test('404: endpoint or delivery of another user, or no id at all → the same for every operation', async () => {
  const ann = await kinora.person()
  const bob = await kinora.person()
  const { data } = await create(kinora, ann, { url })
  const { data: own } = await create(kinora, bob, { url })
  await cancelled(ann)
  const [delivery] = await deliveriesOf(kinora, ann, data.id)
  assert.ok(delivery)
  const since = { since: new Date(0).toISOString() }
  for (const id of [data.id, '01a20392-251a-7171-abc9-0e7ebe7aa917', 'none']) {
    const operations: [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { enabled: false }],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/test'],
      ['POST', '/recover', since],
      ['GET', '/deliveries'],
      ['GET', `/deliveries/${delivery.id}`],
      ['POST', `/deliveries/${delivery.id}/redeliver`],
    ]
    for (const [method, path, body] of operations) {
      const { status } = await kinora.call(method, `${base}/${id}${path}`, { as: bob, body })
      assert.equal(status, 404, `${method} ${path}`)
    }
  }
  const ofOwn = `${base}/${own.id}/deliveries/${delivery.id}`
  assert.equal((await kinora.call('GET', ofOwn, { as: bob })).status, 404)
  assert.equal((await kinora.call('POST', `${ofOwn}/redeliver`, { as: bob })).status, 404)
  assert.equal((await read(kinora, ann, data.id)).enabled, true)
})

test('409: more than 20 endpoints, at the same time too → the 21st is refused', async () => {
  const ann = await kinora.person()
  const answers = await Promise.all(Array.from({ length: 25 }, () => create(kinora, ann, { url })))
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(
    [statuses.filter((each) => each === 200).length, statuses.filter((each) => each === 409).length],
    [20, 5],
  )
})

test('webhook: test, redeliver, recover → the same webhook-id; only what has failed is recovered', async (t) => {
  const receiver = await openReceiver(t)
  allow(kinora, t, receiver)
  const ann = await kinora.person()
  const { data } = await create(kinora, ann, { url: receiver.url, events: ['video.failed'] })
  const path = `${base}/${data.id}`
  const sent = async () => {
    await dispatchAll(kinora)
    return receiver.received.splice(0).map(({ headers }) => headers['webhook-id'])
  }
  const tested = await kinora.call<{ deliveryId: string }>('POST', `${path}/test`, { as: ann })
  const { deliveryId } = tested.data
  assert.deepEqual(await sent(), [deliveryId])
  const redelivered = await kinora.call('POST', `${path}/deliveries/${deliveryId}/redeliver`, { as: ann })
  assert.deepEqual([redelivered.status, redelivered.data.status], [200, 'pending'])
  assert.deepEqual(await sent(), [deliveryId])
  await app.sql`
    update kinora.webhook_delivery set state = 'failed' where endpoint_id = ${data.id}
  `
  const recover = (since: Date) =>
    kinora.call('POST', `${path}/recover`, { as: ann, body: { since: since.toISOString() } })
  assert.deepEqual((await recover(new Date(app.now().getTime() + 60_000))).data, { deliveries: 0 })
  assert.deepEqual((await recover(new Date(app.now().getTime() - 60_000))).data, { deliveries: 1 })
  assert.deepEqual(await sent(), [deliveryId])
  assert.deepEqual((await recover(new Date(0))).data, { deliveries: 0 })
  const page = await kinora.call<{ deliveries: unknown[]; nextCursor: string }>(
    'GET',
    `${path}/deliveries?status=failed`,
    {
      as: ann,
    },
  )
  assert.deepEqual([page.data.deliveries, page.data.nextCursor], [[], null])
})

test('webhook: list of deliveries → keyset pages, newest first', async () => {
  const ann = await kinora.person()
  const { data } = await create(kinora, ann, { url })
  for (let n = 0; n < 3; n += 1) await kinora.call('POST', `${base}/${data.id}/test`, { as: ann })
  type Page = { deliveries: { id: string }[]; nextCursor: string | null }
  const get = async (query: string) =>
    (await kinora.call<Page>('GET', `${base}/${data.id}/deliveries?${query}`, { as: ann })).data
  const first = await get('pageSize=2')
  const second = await get(`pageSize=2&cursor=${first.nextCursor}`)
  const ids = [...first.deliveries, ...second.deliveries].map(({ id }) => id)
  assert.deepEqual([first.deliveries.length, second.deliveries.length, second.nextCursor], [2, 1, null])
  assert.deepEqual(ids, ids.toSorted().reverse())
  assert.equal((await kinora.call('GET', `${base}/${data.id}/deliveries?cursor=x`, { as: ann })).status, 400)
})

test('secrets: stored → sealed and bound to their row; no export shows them', async () => {
  const ann = await kinora.person()
  const { data } = await create(kinora, ann, { url })
  const secret = Buffer.from(data.secret.slice('whsec_'.length), 'base64')
  const [row] = await app.sql<{ secret: Buffer }[]>`select secret from kinora.webhook_endpoint where id = ${data.id}`
  assert.ok(row)
  assert.ok(!row.secret.includes(secret))
  const owner = { userId: ann.userId, endpointId: data.id }
  assert.deepEqual(unsealSecret(app.config, owner, row.secret), secret)
  assert.equal(unsealSecret(app.config, { ...owner, endpointId: null }, row.secret), null)
  assert.equal(unsealSecret({ authSecret: 'another' }, owner, row.secret), null)
  assert.notDeepEqual(sealSecret(app.config, owner, secret), row.secret)
  const headers = { authorization: `Bearer ${ann.token}` }
  const zip = await (await fetch(`${kinora.url}/api/v1/account/export`, { headers })).text()
  assert.ok(zip.includes(url))
  assert.ok(!zip.includes('whsec_') && !zip.includes('previous'))
})

test('webhook: account deleted → its endpoints, deliveries and secrets are gone', async () => {
  const ann = await kinora.person()
  const { data } = await create(kinora, ann, { url })
  await cancelled(ann)
  await kinora.generate(ann, { webhookUrl: url })
  assert.equal((await deliveriesOf(kinora, ann, data.id)).length, 1)
  const admin = await kinora.person({ role: 'admin' })
  const deleted = await kinora.call('DELETE', `/api/v1/admin/users/${ann.userId}`, {
    as: admin,
    body: { reason: 'test' },
  })
  assert.equal(deleted.status, 200)
  kinora.turnClock(3600_000)
  await eraseDeletedAccounts(app)
  kinora.turnClock(-3600_000)
  const tables = ['webhook_endpoint', 'webhook_delivery', 'webhook_account', 'webhook_of_video']
  for (const table of tables) {
    assert.equal((await app.sql`select from kinora.${app.sql(table)} where user_id = ${ann.userId}`).length, 0, table)
  }
})

test('webhook: retention → deliveries go after KEEP_WEBHOOK_DELIVERIES, and those of a deleted endpoint with the next sweep', async () => {
  const ann = await kinora.person()
  const { data } = await create(kinora, ann, { url })
  const { data: second } = await create(kinora, ann, { url })
  await cancelled(ann)
  await kinora.call('DELETE', `${base}/${second.id}`, { as: ann })
  await sweepOldRows(app)
  const left = () => app.sql<{ endpointId: string }[]>`
    select endpoint_id from kinora.webhook_delivery where user_id = ${ann.userId}
  `
  assert.deepEqual(
    (await left()).map(({ endpointId }) => endpointId),
    [data.id],
  )
  kinora.turnClock(31 * 86_400_000)
  await sweepOldRows(app)
  assert.deepEqual([...(await left())], [])
})

test('400: recover since a time that is no RFC 3339 date-time of the calendar → names the field', async () => {
  const ann = await kinora.person()
  const { data } = await create(kinora, ann, { url })
  const recover = (since: string) => kinora.call('POST', `${base}/${data.id}/recover`, { as: ann, body: { since } })
  for (const since of [
    ...['2026-12-31T23:59:60Z', '2026-11-23T10:00:00+05', '2026-11-23T10:00:00+0500', '2026-11-23T10:00:00+25:00'],
    ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+10:00', '2026-02-30T00:00:00Z', '2026-11-23T24:00:00Z'],
    ...['2026-11-23T10:00:00', '2026-11-23', '-000001-01-01T00:00:00Z', '1795428000000', ''],
  ]) {
    const response = await recover(since)
    assert.deepEqual(
      [response.status, response.error?.code, pathsOf(response)],
      [400, 'INVALID_REQUEST', ['since']],
      since,
    )
  }
  for (const since of [
    ...['2026-12-31T23:59:59.123456Z', '2026-11-23T10:00:00-12:30', '2028-02-29T00:00:00Z', '0001-01-01T00:00:00Z'],
    ...['9999-12-31T23:59:59Z', '2026-11-23t10:00:00z'],
  ]) {
    assert.equal((await recover(since)).status, 200, since)
  }
})
