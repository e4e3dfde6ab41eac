/** The processors' APIs as the service calls them, and their pages as a browser uses them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSimulator } from './harness.ts'
import {
  buy,
  customerOf,
  openCheckout,
  postA,
  postB,
  startShop,
  startWithShop,
  submitForm,
} from './payments-harness.ts'

const shop = await startShop()
const simulator = await startWithShop(shop, { PAYMENT_A_API_KEY: 'key', PAYMENT_B_API_KEY: 'sk_test_key' })

const session = {
  mode: 'payment',
  'line_items[0][price]': 'price_pack_starter',
  success_url: 'http://shop.test/done',
}

test('payment-a: POST /v1/checkouts → checkout with URL; wrong key 403, unknown product 404, invalid fields 400', async () => {
  const body = { product_id: 'prod_pack_starter', success_url: 'http://shop.test/', metadata: { referenceId: 'u' } }
  const { status, get } = await postA(simulator, '/v1/checkouts', body)
  assert.equal(status, 200)
  assert.match(String(get('id')), /^ch_\w{22}$/)
  assert.equal(get('checkout_url'), `${simulator.url}/payment-a/checkout/${get('id')}`)
  assert.equal(get('status'), 'pending')
  const statuses = [
    [await postA(simulator, '/v1/checkouts', body, 'wrong'), 403],
    [await postA(simulator, '/v1/checkouts', { ...body, product_id: 'prod_unknown' }), 404],
    [await postA(simulator, '/v1/checkouts', { success_url: 'javascript:alert(1)' }), 400],
    [await postA(simulator, '/v1/customers/billing', { customer_id: 'cust_unknown' }), 404],
  ] as const
  for (const [reply, expected] of statuses) {
    assert.equal(reply.status, expected)
    assert.equal(reply.get('status'), expected)
    assert.ok(reply.get('trace_id'))
  }
  assert.deepEqual(statuses[2][0].get('message'), ['product_id must be a string', 'success_url must be a URL address'])
})

test('payment-b: bracketed form fields, Bearer or Basic, with or without prefix → checkout session', async () => {
  const basic = `Basic ${Buffer.from('sk_test_key:').toString('base64')}`
  for (const [path, authorization] of [
    ['/payment-b/v1/checkout/sessions', 'Bearer sk_test_key'],
    ['/v1/checkout/sessions', basic],
  ] as const) {
    const fields = { ...session, 'metadata[userId]': 'u', 'metadata[__proto__]': 'x', client_reference_id: 'u' }
    const { status, headers, get } = await postB(simulator, path, fields, { authorization })
    assert.equal(status, 200)
    assert.match(String(headers.get('request-id')), /^req_\w{14}$/)
    assert.match(String(get('id')), /^cs_test_/)
    assert.equal(get('object'), 'checkout.session')
    assert.equal(get('amount_total'), 1490)
    assert.equal(get('metadata.userId'), 'u')
    assert.equal(get('url'), `${simulator.url}/payment-b/checkout/${get('id')}`)
  }
})

test('payment-b: missing key, unknown ids or wrong mode → 401, 400 or 404 with type and param', async () => {
  const path = '/payment-b/v1/checkout/sessions'
  const cases = [
    [await postB(simulator, path, session, {}), 401, undefined],
    [await postB(simulator, path, session, { authorization: 'Bearer sk_other' }), 401, undefined],
    [await postB(simulator, path, { ...session, 'line_items[0][price]': 'price_no' }), 400, 'line_items[0][price]'],
    [await postB(simulator, path, { ...session, mode: 'subscription' }), 400, 'line_items'],
    [await postB(simulator, path, { ...session, success_url: '' }), 400, 'success_url'],
    [await postB(simulator, path, { ...session, customer: 'cus_no' }), 400, 'customer'],
    [await postB(simulator, '/payment-b/v1/billing_portal/sessions', { customer: 'cus_no' }), 400, 'customer'],
    [await postB(simulator, '/payment-b/v1/nothing', {}), 404, undefined],
  ] as const
  for (const [reply, status, param] of cases) {
    assert.equal(reply.status, status)
    assert.equal(reply.get('error.type'), 'invalid_request_error')
    assert.equal(reply.get('error.param'), param)
    assert.ok(reply.get('error.message'))
  }
})

test('payment-b: repeated idempotency key → idempotent replay; other parameters → 400', async () => {
  const path = '/payment-b/v1/checkout/sessions'
  const headers = { authorization: 'Bearer sk_test_key', 'idempotency-key': 'once' }
  const first = await postB(simulator, path, session, headers)
  const again = await postB(simulator, path, session, headers)
  assert.deepEqual(again.data, first.data)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const other = await postB(simulator, path, { ...session, client_reference_id: 'other' }, headers)
  assert.equal(other.status, 400)
  assert.equal(other.get('error.type'), 'idempotency_error')
})

test('checkout page: product, price and payer are shown; three concurrent payments → paid once', async () => {
  const { checkoutUrl, email } = await openCheckout(simulator, 'payment-a', 'pro-monthly')
  const open = await (await fetch(checkoutUrl)).text()
  for (const text of [
    '<a href="http://localhost:8080">',
    'Pro, monthly',
    'Pay · 29.90 USD',
    'a month',
    email,
    'Decline',
  ])
    assert.ok(open.includes(text), text)
  const pay = () => fetch(`${checkoutUrl}/pay`, { method: 'POST', redirect: 'manual' })
  const answers = await Promise.all([pay(), pay(), pay()])
  const locations = answers.map((answer) => answer.headers.get('location'))
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [303])
  assert.equal(new Set(locations).size, 1, 'all are redirected to the same URL')
  const customer = await customerOf(simulator, email)
  assert.equal(customer.payments.length, 1)
  const parameters = new URL(String(locations[0])).searchParams
  assert.equal(parameters.get('customer_id'), customer.id)
  assert.equal(parameters.get('subscription_id'), customer.subscriptions[0]?.id)
  assert.match(String(parameters.get('signature')), /^[0-9a-f]{64}$/)
  const paid = await (await fetch(checkoutUrl)).text()
  assert.ok(paid.includes('Paid') && !paid.includes('Decline'))
})

test('checkout page: markup in the e-mail address → escaped, content security policy set', async () => {
  const { get } = await postA(simulator, '/v1/checkouts', {
    product_id: 'prod_pack_starter',
    customer: { email: '"><script>alert(1)</script>' },
  })
  const response = await fetch(String(get('checkout_url')))
  assert.ok(!(await response.text()).includes('<script'))
  assert.match(String(response.headers.get('content-security-policy')), /default-src 'none'/)
})

test('decline: no payment, an event at payment-b only → the next attempt can be paid', async () => {
  const a = await openCheckout(simulator, 'payment-a', 'pack-starter')
  const declinedA = await submitForm(`${a.checkoutUrl}/decline`)
  assert.deepEqual(declinedA, { location: 'http://shop.test/done?declined=1', events: [] })
  const b = await openCheckout(simulator, 'payment-b', 'pack-starter')
  const declinedB = await submitForm(`${b.checkoutUrl}/decline`)
  assert.equal(declinedB.location, 'http://shop.test/left?declined=1')
  assert.deepEqual(
    declinedB.events.map(({ type, state }) => [type, state]),
    [['payment_intent.payment_failed', 'delivered']],
  )
  const paid = await submitForm(`${b.checkoutUrl}/pay`)
  assert.match(String(paid.location), /^http:\/\/shop\.test\/done\?session=cs_test_/)
  assert.equal((await customerOf(simulator, b.email)).payments.length, 1)
})

test('portal: link from the API → buttons of the allowed operations only; 409: others; 404: unknown', async () => {
  const { customer, act, checkoutUrl } = await buy(simulator, 'payment-b', 'basic-monthly')
  const fields = { customer: customer.id, return_url: 'http://shop.test/account' }
  const { get } = await postB(simulator, '/payment-b/v1/billing_portal/sessions', fields)
  assert.equal(get('url'), customer.portalUrl)
  const page = await (await fetch(String(get('url')))).text()
  for (const text of ['Cancel now', 'Next period', 'Refund half', 'http://shop.test/account'])
    assert.ok(page.includes(text), text)
  assert.ok(!page.includes('Resume'))
  assert.match(String((await act('resume')).error), /not possible now/)
  assert.match(String((await act('fly')).error), /do must be one of/)
  const refused = await fetch(customer.portalUrl, { method: 'POST', body: new URLSearchParams({ do: 'resume' }) })
  assert.equal(refused.status, 409)
  assert.equal((await fetch(`${checkoutUrl}x`)).status, 404)
  assert.equal((await fetch(`${simulator.url}/payment-b/portal/guess`)).status, 404)
})

test('payment-b: purchase → guest without customer id; customer_creation always → customer', async () => {
  const guest = await buy(simulator, 'payment-b', 'pack-starter')
  assert.ok(guest.customer.isGuest)
  assert.equal(shop.received.at(-1)?.get('customer'), null)
  const email = 'keeps@example.com'
  const fields = { ...session, customer_creation: 'always', customer_email: email }
  const { get } = await postB(simulator, '/payment-b/v1/checkout/sessions', fields)
  await submitForm(`${get('url')}/pay`)
  assert.equal(shop.received.at(-1)?.get('customer'), (await customerOf(simulator, email)).id)
})

test('settings: webhook URL without secret, or no URL → the start fails', async () => {
  await assert.rejects(startSimulator({ PAYMENT_A_WEBHOOK_URL: 'http://shop.test/' }), /ended before it listened/)
  await assert.rejects(startSimulator({ PAYMENT_B_WEBHOOK_URL: 'shop.test' }), /ended before it listened/)
})
