/** How events travel: again until they are answered 200, across a death, in disorder and twice when told, and at will. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, test } from 'node:test'
import { newDataDir, type Simulator, waitFor } from './harness.ts'
import { begin, buy, customerOf, deliver, isSigned, press, startShop, startWithShop } from './payments-harness.ts'

let answer: (n: number) => number = () => 200
const shop = await startShop((_event, n) => answer(n))
const simulator = await startWithShop(shop)

beforeEach(() => {
  answer = () => 200
  shop.got.length = 0
})

async function settled(email: string, simulator: Simulator) {
  return waitFor('an end of all deliveries', async () => {
    const customer = await customerOf(simulator, email)
    return customer.events.every(({ state }) => state !== 'waiting') && customer
  })
}

test('anything but 200 is made again until it is 200; the person is led on meanwhile', async () => {
  answer = (n) => [503, 204, 401, 200][n] ?? 500
  const { checkoutUrl, email } = await begin(simulator, 'payment-a', 'pack-starter')
  assert.match(String((await press(`${checkoutUrl}/pay`)).location), /^http:\/\/shop\.test\/done/)
  const { events } = await settled(email, simulator)
  assert.deepEqual(
    events.map(({ state, deliveries }) => [state, deliveries.map(({ status }) => status)]),
    [['delivered', [503, 204, 401, 200]]],
  )
  assert.ok(shop.got.every(isSigned))
  assert.equal(new Set(shop.got.map(({ body }) => body)).size, 1, 'the same text each time')
})

test('given up after the documented number of tries: five at payment-a, ten at payment-b', async () => {
  answer = () => 500
  const a = await begin(simulator, 'payment-a', 'pack-starter')
  const b = await begin(simulator, 'payment-b', 'pack-starter')
  await Promise.all([press(`${a.checkoutUrl}/pay`), press(`${b.checkoutUrl}/pay`)])
  for (const [email, tries] of [
    [a.email, 5],
    [b.email, 10],
  ] as const) {
    const [event] = (await settled(email, simulator)).events
    assert.deepEqual([event?.state, event?.deliveries.length], ['given up', tries])
  }
})

test('killed with events undelivered: they are made after the restart, and everything else is still known', async () => {
  answer = () => 503
  const dataDir = newDataDir()
  const first = await startWithShop(shop, { SIMULATOR_DATA_DIR: dataDir, SIMULATOR_PACE: '0.02' })
  const { email, checkoutUrl } = await buy(first, 'payment-b', 'basic-monthly')
  const open = await begin(first, 'payment-b', 'pack-pro')
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const idIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1)
  // As a death leaves it between the payment and the note that its checkout is complete.
  const file = path.join(dataDir, 'checkouts', `${idIn(checkoutUrl)}.json`)
  writeFileSync(file, readFileSync(file, 'utf8').replace('"state": "complete"', '"state": "open"'))

  answer = () => 200
  const second = await startWithShop(shop, { SIMULATOR_DATA_DIR: dataDir })
  const customer = await settled(email, second)
  assert.ok(customer.events.every(({ state }) => state === 'delivered'))
  const portal = await press(customer.portalUrl, {
    do: 'next-period',
    subscription: customer.subscriptions[0]?.id ?? '',
  })
  assert.equal(portal.events.length, 3)
  const pay = (url: string) => press(`${second.url}/payment-b/checkout/${idIn(url)}/pay`)
  assert.equal((await pay(open.checkoutUrl)).events.length, 1)
  assert.equal((await pay(checkoutUrl)).events.length, 0, 'what was paid before takes no second payment')
})

test('shuffle and double: every event twice, in another order each time', async () => {
  const chaotic = await startWithShop(shop, { SIMULATOR_PAYMENT_CHAOS: 'shuffle,double' })
  const orders = new Set<string>()
  for (let round = 0; round < 8; round++) {
    const before = shop.got.length
    await buy(chaotic, 'payment-b', 'basic-monthly')
    const sent = shop.got.slice(before)
    assert.equal(sent.length, 8)
    for (const { id } of sent) assert.equal(sent.filter((other) => other.id === id).length, 2)
    orders.add(sent.map(({ type }) => type).join(' '))
  }
  assert.ok(orders.size > 1)
})

test('hold: events wait until they are asked for, all of a customer in the order of a seed', async () => {
  const { customer, email, act } = await buy(simulator, 'payment-a', 'basic-monthly', { chaos: 'hold' })
  await act('next-period')
  assert.equal(shop.got.length, 0)
  const wish = { customer: customer.id, shuffle: true, seed: 7, times: 3 }
  const { data } = await deliver(simulator, wish)
  assert.equal(data.deliveries.length, 12)
  assert.deepEqual(
    data.deliveries.map(({ event }) => event),
    shop.got.map(({ id }) => id),
  )
  const again = await deliver(simulator, wish)
  assert.deepEqual(again.data, data, 'the same seed, the same order')
  const other = await deliver(simulator, { ...wish, seed: 8 })
  assert.notDeepEqual(other.data, data)
  assert.ok((await customerOf(simulator, email)).events.every(({ state }) => state === 'delivered'))
})

test('one event again, elsewhere, at the same moment; any text under a good signature', async () => {
  const elsewhere = await startShop()
  const { customer } = await buy(simulator, 'payment-b', 'pack-starter')
  const event = customer.events[0]?.id
  const url = `${elsewhere.base}/payment-b`
  const { data } = await deliver(simulator, { event, times: 4, together: true, url })
  assert.deepEqual(
    data.deliveries.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.equal(elsewhere.got.length, 4)
  assert.ok(elsewhere.got.every((one) => one.id === event && isSigned(one)))

  await deliver(simulator, { processor: 'payment-a', body: { id: 'evt_lie', eventType: 'checkout.completed' } })
  const lie = shop.got.at(-1)
  assert.ok(lie && isSigned(lie))
  assert.equal(lie.id, 'evt_lie')
  for (const wish of [{}, { event: 'evt_no' }, { customer: 'cus_no' }, { event, times: 0 }]) {
    assert.equal((await deliver(simulator, wish)).status, 400)
  }
})

test('without an address nothing is sent, and everything else works', async () => {
  const silent = await startWithShop(shop, { PAYMENT_A_WEBHOOK_URL: '' })
  const { customer } = await buy(silent, 'payment-a', 'basic-yearly')
  assert.deepEqual([...new Set(customer.events.map(({ state }) => state))], ['kept'])
  assert.equal(shop.got.length, 0)
})
