/** Delivery of events: retries, resumption after a kill, shuffle, double and hold, and delivery on request. */
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

test('chaos shuffle and double: every event arrives twice, in varying order', async () => {
  const chaotic = await startWithShop(shop, { SIMULATOR_PAYMENT_CHAOS: 'shuffle,double' })
  const orders = new Set<string>()
  for (let round = 0; round < 8; round++) {
    const before = shop.received.length
    await buy(chaotic, 'payment-b', 'basic-monthly')
    const sent = shop.received.slice(before)
    assert.equal(sent.length, 8)
    for (const { id } of sent) assert.equal(sent.filter((other) => other.id === id).length, 2)
    orders.add(sent.map(({ type }) => type).join(' '))
  }
  assert.ok(orders.size > 1)
})

test('chaos hold: events wait → deliver sends them, in an order that the seed determines', async () => {
  const { customer, email, act } = await buy(simulator, 'payment-a', 'basic-monthly', { chaos: 'hold' })
  await act('next-period')
  assert.equal(shop.received.length, 0)
  const request = { customer: customer.id, shuffle: true, seed: 7, times: 3 }
  const { data } = await deliver(simulator, request)
  assert.equal(data.deliveries.length, 12)
  assert.deepEqual(
    data.deliveries.map(({ event }) => event),
    shop.received.map(({ id }) => id),
  )
  const again = await deliver(simulator, request)
  assert.deepEqual(again.data, data, 'the same seed, the same order')
  const other = await deliver(simulator, { ...request, seed: 8 })
  assert.notDeepEqual(other.data, data)
  assert.ok((await customerOf(simulator, email)).events.every(({ state }) => state === 'delivered'))
})

test('deliver: one event concurrently to another URL, or any text → sent with a valid signature', async () => {
  const elsewhere = await startShop()
  const { customer } = await buy(simulator, 'payment-b', 'pack-starter')
  const event = customer.events[0]?.id
  const url = `${elsewhere.base}/payment-b`
  const { data } = await deliver(simulator, { event, times: 4, together: true, url })
  assert.deepEqual(
    data.deliveries.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.equal(elsewhere.received.length, 4)
  assert.ok(elsewhere.received.every((one) => one.id === event && isSigned(one)))

  await deliver(simulator, { processor: 'payment-a', body: { id: 'evt_lie', eventType: 'checkout.completed' } })
  const lie = shop.received.at(-1)
  assert.ok(lie && isSigned(lie))
  assert.equal(lie.id, 'evt_lie')
  for (const request of [{}, { event: 'evt_no' }, { customer: 'cus_no' }, { event, times: 0 }]) {
    assert.equal((await deliver(simulator, request)).status, 400)
  }
})

test('no webhook URL: purchase → events are stored and not sent', async () => {
  const silent = await startWithShop(shop, { PAYMENT_A_WEBHOOK_URL: '' })
  const { customer } = await buy(silent, 'payment-a', 'basic-yearly')
  assert.deepEqual([...new Set(customer.events.map(({ state }) => state))], ['kept'])
  assert.equal(shop.received.length, 0)
})
