/** Delivery of events: retries, resumption after a kill, and delivery on request. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, test } from 'node:test'
import { newDataDir, type Simulator, waitFor } from './harness.ts'
import {
  buy,
  customerOf,
  deliver,
  isSigned,
  openCheckout,
  startShop,
  startWithShop,
  submitForm,
} from './payments-harness.ts'

let answer: (n: number) => number = () => 200
const shop = await startShop((_event, n) => answer(n))
const simulator = await startWithShop(shop)

beforeEach(() => {
  answer = () => 200
  shop.received.length = 0
})

async function settled(email: string, simulator: Simulator) {
  return waitFor('the end of all deliveries', async () => {
    const customer = await customerOf(simulator, email)
    return customer.events.every(({ state }) => state !== 'waiting') && customer
  })
}

test('delivery: any status but 200 → retried with the same body until 200; the payer is redirected meanwhile', async () => {
  answer = (n) => [503, 204, 401, 200][n] ?? 500
  const { checkoutUrl, email } = await openCheckout(simulator, 'payment-a', 'pack-starter')
  assert.match(String((await submitForm(`${checkoutUrl}/pay`)).location), /^http:\/\/shop\.test\/done/)
  const { events } = await settled(email, simulator)
  assert.deepEqual(
    events.map(({ state, deliveries }) => [state, deliveries.map(({ status }) => status)]),
    [['delivered', [503, 204, 401, 200]]],
  )
  assert.ok(shop.received.every(isSigned))
  assert.equal(new Set(shop.received.map(({ body }) => body)).size, 1, 'the same body each time')
})

test('delivery: always 500 → given up after five attempts at payment-a, ten at payment-b', async () => {
  answer = () => 500
  const a = await openCheckout(simulator, 'payment-a', 'pack-starter')
  const b = await openCheckout(simulator, 'payment-b', 'pack-starter')
  await Promise.all([submitForm(`${a.checkoutUrl}/pay`), submitForm(`${b.checkoutUrl}/pay`)])
  for (const [email, tries] of [
    [a.email, 5],
    [b.email, 10],
  ] as const) {
    const [event] = (await settled(email, simulator)).events
    assert.deepEqual([event?.state, event?.deliveries.length], ['given up', tries])
  }
})

test('kill with undelivered events: restart → delivered, and records, open and paid checkouts are kept', async () => {
  answer = () => 503
  const dataDir = newDataDir()
  const first = await startWithShop(shop, { SIMULATOR_DATA_DIR: dataDir, SIMULATOR_PACE: '0.02' })
  const { email, checkoutUrl } = await buy(first, 'payment-b', 'basic-monthly')
  const open = await openCheckout(first, 'payment-b', 'pack-pro')
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const idIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1)
  // The state after a crash between the payment and the mark that its checkout is complete.
  const file = path.join(dataDir, 'checkouts', `${idIn(checkoutUrl)}.json`)
  writeFileSync(file, readFileSync(file, 'utf8').replace('"state": "complete"', '"state": "open"'))

  answer = () => 200
  const second = await startWithShop(shop, { SIMULATOR_DATA_DIR: dataDir })
  const customer = await settled(email, second)
  assert.ok(customer.events.every(({ state }) => state === 'delivered'))
  const portal = await submitForm(customer.portalUrl, {
    do: 'next-period',
    subscription: customer.subscriptions[0]?.id ?? '',
  })
  assert.equal(portal.events.length, 3)
  const pay = (url: string) => submitForm(`${second.url}/payment-b/checkout/${idIn(url)}/pay`)
  assert.equal((await pay(open.checkoutUrl)).events.length, 1)
  assert.equal((await pay(checkoutUrl)).events.length, 0, 'a paid checkout takes no second payment')
})

test('no webhook URL: purchase → events are stored; deliver → sent to the given URL with a valid signature', async () => {
  const silent = await startWithShop(shop, { PAYMENT_A_WEBHOOK_URL: '' })
  const { customer, email } = await buy(silent, 'payment-a', 'basic-yearly')
  assert.deepEqual([...new Set(customer.events.map(({ state }) => state))], ['kept'])
  assert.equal(shop.received.length, 0)
  const url = `${shop.base}/payment-a`
  const { data } = await deliver(silent, { customer: customer.id, url })
  assert.deepEqual(
    data.deliveries.map(({ event, status }) => [event, status]),
    customer.events.map(({ id }) => [id, 200]),
  )
  assert.deepEqual(
    shop.received.map(({ id }) => id),
    customer.events.map(({ id }) => id),
  )
  assert.ok(shop.received.every(isSigned))
  assert.ok((await customerOf(silent, email)).events.every(({ state }) => state === 'delivered'))
})

test('deliver: one delivered event → sent again; unknown event or customer → 400', async () => {
  const { customer } = await buy(simulator, 'payment-b', 'pack-starter')
  const event = customer.events[0]?.id
  const { data } = await deliver(simulator, { event })
  assert.deepEqual(
    data.deliveries.map((each) => [each.event, each.status]),
    [[event, 200]],
  )
  assert.deepEqual(
    shop.received.map(({ id }) => id),
    [event, event],
  )
  for (const request of [{}, { event: 'evt_no' }, { customer: 'cus_no' }]) {
    assert.equal((await deliver(simulator, request)).status, 400)
  }
})
