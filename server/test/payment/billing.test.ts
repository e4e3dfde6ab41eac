/** Products, checkout, customer portal, and the caller's subscription. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { deliverAll, paymentEnv, recordOf } from '../support/payment/payment-delivery.ts'
import {
  checkoutA,
  DAY_MS,
  eventA,
  eventB,
  newName,
  sessionB,
  startOfToday,
  subscriptionA,
  subscriptionB,
} from '../support/payment/payment-events.ts'
import { addMember } from '../support/teams.ts'

type SentRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string }

/** A fake of both payment processors: every response names a page, unless `failsWith` is set. */
const requests: SentRequest[] = []
let failsWith: number | 'nonsense' | null = null
/** Customers that were deleted at the processors. */
const deletedCustomers = new Set<string>()
/** Origin of its pages. */
let pageOrigin = 'https://pay.example'
const processorServer = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    const path = request.url ?? ''
    requests.push({ method: request.method ?? '', path, headers: request.headers, body })
    response.setHeader('content-type', 'application/json')
    if (typeof failsWith === 'number') {
      response.statusCode = failsWith
      return response.end('{"error":{"message":"no"},"checkout_url":"https://wrong.example"}')
    }
    const customer = new URLSearchParams(body).get('customer') ?? /"(?:customer_id|id)":"([^"]+)"/.exec(body)?.[1] ?? ''
    if (deletedCustomers.has(customer)) {
      response.statusCode = path.includes('customers/billing') || path === '/v1/checkouts' ? 404 : 400
      const error = {
        type: 'invalid_request_error',
        code: 'resource_missing',
        param: 'customer',
        message: 'No such customer',
      }
      return response.end(JSON.stringify({ error }))
    }
    if (failsWith === 'nonsense') return response.end('{"url":null}')
    const page = `${pageOrigin}${path}`
    response.end(JSON.stringify({ id: 'x_1', url: page, checkout_url: page, customer_portal_link: page }))
  })
}).listen(0, '127.0.0.1')
await once(processorServer, 'listening')
const processorUrl = `http://127.0.0.1:${(processorServer.address() as AddressInfo).port}`
after(() => processorServer.close())

const kinora = await openKinora({
  env: { ...paymentEnv, PAYMENT_A_URL: processorUrl, PAYMENT_B_URL: processorUrl },
})
const start = startOfToday()
const end = start + 31 * DAY_MS
const checkout = (body: unknown, as = ann) =>
  kinora.call<{ url: string }>('POST', '/api/v1/billing/checkout', { as, body })
const portal = (as = ann) => kinora.call<{ url: string }>('POST', '/api/v1/billing/portal', { as })
const ann = await kinora.person()

test('200: GET plans without authentication → the products of plans.json', async () => {
  const { status, data } = await kinora.call<{ products: unknown[]; processors: string[] }>(
    'GET',
    '/api/v1/config/plans',
  )
  assert.deepEqual(data.processors, ['payment-a', 'payment-b'])
  assert.equal(status, 200)
  assert.equal(data.products.length, 9)
  assert.deepEqual(data.products[0], {
    id: 'pack-starter',
    name: 'Starter pack',
    kind: 'pack',
    credits: 280,
    period: null,
    validDays: 365,
    price: { cents: 1490, currency: 'USD' },
  })
  assert.deepEqual(data.products[8], {
    id: 'ultimate-yearly',
    name: 'Ultimate, yearly',
    kind: 'subscription',
    credits: 34200,
    period: 'year',
    validDays: null,
    price: { cents: 79900, currency: 'USD' },
  })
})

test('503: checkout URL that is not http(s) → not returned (open redirect, javascript: URL)', async () => {
  for (const wrong of ['javascript:alert(1)//', 'data:text/html,', 'pay.example', '//pay.example', 'file://']) {
    pageOrigin = wrong
    for (const processor of ['payment-a', 'payment-b']) {
      const { status, error } = await checkout({ productId: 'pack-starter', processor })
      assert.deepEqual([status, error?.code], [503, 'UNAVAILABLE'], `${processor} ${wrong}`)
    }
  }
  pageOrigin = 'https://pay.example'
})

test('200: checkout at payment-a → the request names the product and the user', async () => {
  requests.length = 0
  for (const body of [{ productId: 'pack-starter' }, { productId: 'pack-starter', processor: 'payment-a' }]) {
    const { status, data } = await checkout(body)
    assert.deepEqual([status, data], [200, { url: 'https://pay.example/v1/checkouts' }])
  }
  const [first] = requests
  assert.deepEqual([first?.method, first?.path, first?.headers['x-api-key']], ['POST', '/v1/checkouts', 'key-a'])
  const sent = JSON.parse(first?.body ?? '')
  assert.equal(sent.product_id, 'prod_pack_starter')
  assert.deepEqual({ ...sent.metadata, offer: '' }, { referenceId: ann.userId, offer: '' })
  assert.match(sent.metadata.offer, /^[0-9a-f-]{36}$/)
  assert.match(sent.success_url, /^http:.*\/plans\?paid=pack-starter&since=\d{13}$/)
})

test('200: checkout at payment-b, pack or plan → the request carries the metadata that its events return', async () => {
  requests.length = 0
  for (const productId of ['pack-pro', 'pro-yearly']) {
    const { status, data } = await checkout({ productId, processor: 'payment-b' })
    assert.deepEqual([status, data], [200, { url: 'https://pay.example/v1/checkout/sessions' }])
  }
  const [pack, plan] = requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
  assert.match(String(requests[0]?.headers.authorization), /key-b/)
  assert.deepEqual(
    [pack?.mode, pack?.['line_items[0][price]'], pack?.['line_items[0][quantity]'], pack?.client_reference_id],
    ['payment', 'price_pack_pro', '1', ann.userId],
  )
  assert.deepEqual([pack?.['metadata[userId]'], pack?.['metadata[productId]']], [ann.userId, 'pack-pro'])
  assert.equal(pack?.['payment_intent_data[metadata][userId]'], ann.userId)
  assert.match(String(pack?.success_url), /\/plans\?paid=pack-pro&since=\d{13}&checkout_id=\{CHECKOUT_SESSION_ID\}$/)
  assert.match(String(pack?.cancel_url), /\/plans$/)
  assert.deepEqual([plan?.mode, plan?.['line_items[0][price]']], ['subscription', 'price_pro_yearly'])
  assert.equal(plan?.['subscription_data[metadata][userId]'], ann.userId)
})

test('400, 401: unknown product, malformed body or no credential → no request to a processor', async () => {
  requests.length = 0
  for (const productId of ['pack-none', '', 'constructor', 'prod_pack_starter']) {
    const { status, error } = await checkout({ productId })
    assert.deepEqual([status, error?.code], [400, 'INVALID_REQUEST'], productId)
    assert.match(String(error?.message), /pack-starter.*ultimate-yearly/, 'lists the products')
  }
  for (const body of [
    {},
    { productId: 1 },
    { productId: 'pack-pro', processor: 'payment-c' },
    { productId: 'pack-pro', price: 1 },
  ]) {
    assert.equal((await checkout(body)).status, 400, JSON.stringify(body))
  }
  assert.equal((await kinora.call('POST', '/api/v1/billing/checkout', { body: { productId: 'pack-pro' } })).status, 401)
  assert.equal((await kinora.call('POST', '/api/v1/billing/portal')).status, 401)
  assert.equal((await kinora.call('GET', '/api/v1/billing/subscription')).status, 401)
  assert.deepEqual(requests, [], 'no request to a processor')
})

test('200, 409: portal → none before a checkout, then that of the processor of the subscription', async () => {
  const bob = await kinora.person()
  const { status, error } = await portal(bob)
  assert.deepEqual([status, error?.code], [409, 'CONFLICT'])
  requests.length = 0
  const customer = newName('cus')
  await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', sessionB(bob.userId, { customer })))
  assert.deepEqual((await portal(bob)).data, { url: 'https://pay.example/v1/billing_portal/sessions' })
  assert.equal(new URLSearchParams(requests[0]?.body).get('customer'), customer)

  const running = subscriptionA(newName('sub'), bob.userId, { start, end })
  const order = { id: newName('ord'), status: 'paid', type: 'recurring' }
  const session = checkoutA(bob.userId, { order, subscription: { id: running.id }, customer: running.customer })
  await deliverAll(kinora, 'payment-a', eventA('subscription.created', running))
  assert.deepEqual((await portal(bob)).data, { url: 'https://pay.example/v1/billing_portal/sessions' })
  requests.splice(1)
  await deliverAll(kinora, 'payment-a', eventA('checkout.completed', session))
  assert.deepEqual((await portal(bob)).data, { url: 'https://pay.example/v1/customers/billing' })
  assert.deepEqual(JSON.parse(requests[1]?.body ?? ''), { customer_id: (running.customer as { id: string }).id })
  assert.equal((await portal()).status, 409, "another user's purchases open no portal")
})

test('409: customer that an event merely names, or that is another user’s → opens no portal', async () => {
  const [bob, eve] = [await kinora.person(), await kinora.person()]
  const customer = newName('cus')
  await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', sessionB(bob.userId, { customer })))
  const id = newName('sub')
  const subscription = (change: object) => subscriptionB('new', eve.userId, { id, start, end }, { ...change })
  requests.splice(0)
  await deliverAll(
    kinora,
    'payment-b',
    // Names eve, with a customer of bob, with an unbound one, and in a session that a payment link made for any URL's
    // user.
    eventB('customer.subscription.created', subscription({ customer })),
    eventB('customer.subscription.updated', subscription({ customer: newName('cus') }), Date.now() + 1000),
    eventB('checkout.session.completed', sessionB(eve.userId, { customer })),
    eventB(
      'checkout.session.completed',
      sessionB(eve.userId, { mode: 'subscription', subscription: id, metadata: {} }),
    ),
  )
  await deliverAll(
    kinora,
    'payment-a',
    eventA('subscription.paid', subscriptionA(newName('sub'), eve.userId, { start, end })),
    eventA(
      'checkout.completed',
      checkoutA(null, { order: { id: newName('ord'), type: 'recurring', metadata: { referenceId: eve.userId } } }),
    ),
  )
  // One that an event named for eve before bob's own checkout has it.
  const named = newName('cus')
  await deliverAll(
    kinora,
    'payment-b',
    eventB('customer.subscription.updated', subscription({ customer: named }), Date.now() + 2000),
    eventB('checkout.session.completed', sessionB(bob.userId, { customer: named })),
  )
  assert.equal((await portal(eve)).status, 409)
  assert.equal(requests.length, 0)
  assert.equal((await portal(bob)).status, 200)
  assert.equal(new URLSearchParams(requests[0]?.body).get('customer'), customer)
})

test('200, 409: a team → its owner pays, as one of the team; payment-b’s portal is of the team, payment-a’s of the payer alone', async () => {
  const [owner, other] = [await kinora.person(), await kinora.person()]
  const { data: team } = await kinora.call<{ id: string }>('POST', '/api/v1/team', { as: owner, body: { name: 'N' } })
  await addMember(kinora.app, team.id, other, 'owner')
  const call = (as: Person, path: string, body?: object) =>
    kinora.call<{ url: string }>('POST', `/api/v1/billing/${path}`, { as, body, headers: { 'x-team': team.id } })
  requests.length = 0
  for (const processor of ['payment-a', 'payment-b'])
    assert.equal((await call(owner, 'checkout', { productId: 'pro-monthly', processor })).status, 200)
  const sent = JSON.parse(requests[0]?.body ?? '')
  assert.deepEqual({ ...sent.metadata, offer: '' }, { referenceId: team.id, payerId: owner.userId, offer: '' })
  assert.deepEqual(sent.customer, { email: owner.email })
  assert.match(sent.success_url, new RegExp(`&team=${team.id}$`))
  const session = new URLSearchParams(requests[1]?.body)
  assert.deepEqual(
    [session.get('client_reference_id'), session.get('metadata[userId]'), session.get('customer_email')],
    [team.id, team.id, owner.email],
  )
  for (const as of [owner, other]) assert.equal((await call(as, 'portal')).status, 409, 'nothing was bought')

  // payment-a has one customer for an e-mail address: the owner’s own purchases are of it too.
  const customer = newName('cust')
  const running = subscriptionA(
    newName('sub'),
    team.id,
    { start, end },
    { customer: { id: customer }, metadata: sent.metadata },
  )
  const paid = checkoutA(team.id, {
    order: { id: newName('ord'), status: 'paid', type: 'recurring' },
    subscription: { id: running.id },
    customer: { id: customer },
    metadata: sent.metadata,
  })
  await deliverAll(kinora, 'payment-a', eventA('subscription.paid', running), eventA('checkout.completed', paid))
  requests.length = 0
  assert.equal((await call(owner, 'portal')).status, 200)
  assert.deepEqual(JSON.parse(requests[0]?.body ?? ''), { customer_id: customer })
  const refused = await call(other, 'portal')
  assert.deepEqual([refused.status, refused.error?.code], [409, 'CONFLICT'])
  assert.match(refused.error?.message ?? '', /opens for the owner who bought it/)
  assert.equal((await portal(owner)).status, 200, 'it is the owner’s own')
  assert.equal((await portal(other)).status, 409)

  const bound = newName('cus')
  await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', sessionB(team.id, { customer: bound })))
  requests.length = 0
  assert.equal((await call(other, 'portal')).status, 200)
  assert.equal(new URLSearchParams(requests[0]?.body).get('customer'), bound)
  requests.length = 0
  assert.equal((await checkout({ productId: 'pack-pro', processor: 'payment-b' }, owner)).status, 200)
  assert.equal(new URLSearchParams(requests[0]?.body).get('customer'), null, 'the team’s customer is not the owner’s')
})

test('200: second checkout → for the customer that the first one bound, at both processors', async () => {
  const bob = await kinora.person()
  const [a, b] = [newName('cust'), newName('cus')]
  const order = { id: newName('ord'), status: 'paid', type: 'onetime' }
  const paid = checkoutA(bob.userId, { order, customer: { id: a } })
  await deliverAll(kinora, 'payment-a', eventA('checkout.completed', paid))
  await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', sessionB(bob.userId, { customer: b })))
  requests.length = 0
  for (const processor of ['payment-a', 'payment-b']) {
    assert.equal((await checkout({ productId: 'pack-pro', processor }, bob)).status, 200)
  }
  assert.deepEqual(JSON.parse(requests[0]?.body ?? '').customer, { id: a })
  const sent = new URLSearchParams(requests[1]?.body)
  assert.deepEqual([sent.get('customer'), sent.get('customer_email'), sent.get('customer_creation')], [b, null, null])

  // Deleted at the processors: a checkout makes another one, and the portal is that of the customer that still exists.
  deletedCustomers.add(a).add(b)
  requests.length = 0
  for (const processor of ['payment-a', 'payment-b']) {
    assert.equal((await checkout({ productId: 'pack-pro', processor }, bob)).status, 200)
  }
  assert.deepEqual(JSON.parse(requests[1]?.body ?? '').customer, { email: bob.email })
  assert.equal(new URLSearchParams(requests[3]?.body).get('customer_email'), bob.email)
  assert.equal((await portal(bob)).status, 409, 'neither processor knows a customer')
  const other = newName('cus')
  await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', sessionB(bob.userId, { customer: other })))
  requests.length = 0
  assert.equal((await portal(bob)).status, 200)
  assert.equal(new URLSearchParams(requests.at(-1)?.body).get('customer'), other)
})

test('409: checkout of a plan while one runs, at either processor → names the portal; a pack, or after it ended → 200', async () => {
  const bob = await kinora.person()
  const id = newName('sub')
  const record = (status: string) => subscriptionB('new', bob.userId, { id, start, end, status })
  requests.length = 0
  for (const [n, status] of ['active', 'trialing', 'past_due'].entries()) {
    const event = eventB('customer.subscription.updated', record(status), Date.now() + n * 1000)
    await deliverAll(kinora, 'payment-b', event)
    for (const processor of ['payment-a', 'payment-b']) {
      const { status: code, error } = await checkout({ productId: 'basic-monthly', processor }, bob)
      assert.deepEqual([code, error?.code], [409, 'CONFLICT'], status)
      assert.match(String(error?.message), /\/api\/v1\/billing\/portal/)
    }
  }
  assert.deepEqual(requests, [], 'no request to a processor')
  assert.equal((await checkout({ productId: 'pack-pro' }, bob)).status, 200)
  const gone = eventB('customer.subscription.deleted', record('canceled'), Date.now() + 9000)
  await deliverAll(kinora, 'payment-b', gone)
  assert.equal((await checkout({ productId: 'basic-monthly' }, bob)).status, 200)
})

test('200: checkout of a plan whose first payment failed or was abandoned → may be tried again', async () => {
  for (const status of ['incomplete', 'incomplete_expired']) {
    const bob = await kinora.person()
    const failed = subscriptionB('new', bob.userId, { id: newName('sub'), start, end, status })
    await deliverAll(kinora, 'payment-b', eventB('customer.subscription.created', failed))
    assert.equal((await checkout({ productId: 'pro-monthly', processor: 'payment-b' }, bob)).status, 200)
  }
})

test('409: portal after a purchase without a customer → an order id is not used as a customer id', async () => {
  const bob = await kinora.person()
  const order = { id: newName('customs'), status: 'paid', type: 'onetime' }
  await deliverAll(kinora, 'payment-a', eventA('checkout.completed', checkoutA(bob.userId, { order, customer: null })))
  requests.length = 0
  assert.equal((await portal(bob)).status, 409)
  assert.deepEqual(requests, [], 'an order id is not a customer id')
})

test('200: subscription → null, the active one, else the latest ended one', async () => {
  const bob = await kinora.person()
  assert.equal(await recordOf(kinora, bob), null)
  await deliverAll(kinora, 'payment-a', eventA('checkout.completed', checkoutA(bob.userId)))
  assert.equal(await recordOf(kinora, bob), null, 'a pack is no subscription')
  const [old, young] = [newName('sub'), newName('sub')]
  const year = { start: start - 300 * DAY_MS, end: start + 65 * DAY_MS }
  const gone = subscriptionB('new', bob.userId, { id: old, ...year, status: 'canceled', price: 'price_pro_yearly' })
  const runs = subscriptionB('new', bob.userId, { id: young, start, end })
  await deliverAll(kinora, 'payment-b', eventB('customer.subscription.deleted', gone))
  assert.deepEqual(
    [(await recordOf(kinora, bob))?.externalId, (await recordOf(kinora, bob))?.plan],
    [old, 'pro-yearly'],
  )
  await deliverAll(kinora, 'payment-b', eventB('customer.subscription.created', runs))
  const record = await recordOf(kinora, bob)
  assert.deepEqual(Object.keys(record ?? {}).sort(), [
    'cancelAtPeriodEnd',
    'cancelledAt',
    'createdAt',
    'currentPeriodEnd',
    'currentPeriodStart',
    'externalId',
    'id',
    'isRetried',
    'plan',
    'processor',
    'status',
    'updatedAt',
    'userId',
  ])
  assert.deepEqual([record?.externalId, record?.userId, record?.status], [young, bob.userId, 'active'])
  assert.equal(await recordOf(kinora, ann), null, "another user's subscription is not shown")
})

test('503: processor unreachable, refusing or malformed response → Retry-After, no secret in the response', async () => {
  const bob = await kinora.person()
  const paid = [sessionB(bob.userId), checkoutA(bob.userId)] as const
  await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', paid[0]))
  const assertUnavailable = async (url: string) => {
    for (const [path, body] of [
      ['checkout', { productId: 'pack-pro', processor: 'payment-a' }],
      ['checkout', { productId: 'pack-pro', processor: 'payment-b' }],
      ['portal', undefined],
    ] as const) {
      const response = await fetch(`${url}/api/v1/billing/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bob.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      assert.equal(response.status, 503, text)
      assert.equal(JSON.parse(text).error.code, 'UNAVAILABLE')
      assert.ok(Number(response.headers.get('retry-after')) > 0)
      assert.doesNotMatch(text, /key-[ab]|127\.0\.0\.1|stack/)
    }
  }
  for (const failure of [400, 401, 404, 'nonsense'] as const) {
    failsWith = failure
    await assertUnavailable(kinora.url)
  }
  failsWith = null
  const unreachable = { url: `http://127.0.0.1:${await freePort()}`, apiKey: 'key', webhookSecret: 'secret' }
  await kinora.withSettings({ payments: { 'payment-a': unreachable, 'payment-b': unreachable } }, assertUnavailable)
  await kinora.withSettings({ payments: { 'payment-a': null, 'payment-b': null } }, async (url) => {
    await assertUnavailable(url)
    const plans = await fetch(`${url}/api/v1/config/plans`)
    assert.equal(plans.status, 200)
    assert.deepEqual(((await plans.json()) as { data: { processors: string[] } }).data.processors, [])
  })
})
