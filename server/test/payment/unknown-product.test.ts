/** Events of a subscription to an unknown product: the record follows, but for its plan; credits wait. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlans, plans, processorId, replacePlans } from '../../src/payment/plans.ts'
import { openAccounts } from '../support/account-fixture.ts'
import type { Person } from '../support/harness.ts'
import {
  applyStored,
  deliverAll,
  movesOf,
  type Processor,
  recordOf,
  stateOf,
  storedAs,
} from '../support/payment/payment-delivery.ts'
import {
  DAY_MS,
  type Event,
  endingB,
  eventA,
  eventB,
  newName,
  startOfToday,
  subscriptionA,
  subscriptionB,
} from '../support/payment/payment-events.ts'

const { deleteAccount, kinora, register } = await openAccounts()
const root = await kinora.person({ role: 'admin', credits: 0 })
const start = startOfToday()
const end = start + 30 * DAY_MS

type Fields = Record<string, unknown>
const unknownProduct = { a: 'prod_unknown', b: 'price_unknown' }

/** Each a second after the one before. */
let atMs = Date.now()
const nextAt = () => {
  atMs += 1000
  return atMs
}
const ofA = (as: Person, id: string, type: string, period: Fields = {}, change: Fields = {}) =>
  eventA(`subscription.${type}`, subscriptionA(id, as.userId, { start, end, ...period }, change), nextAt())
const ofB = (as: Person, id: string, type: string, fields: Fields = {}, change: Fields = {}) =>
  eventB(
    `customer.subscription.${type}`,
    subscriptionB('new', as.userId, { id, start, end, ...fields }, change),
    nextAt(),
  )

/** A user with an active subscription of a known product. */
async function subscribed(processor: Processor): Promise<{ ann: Person; id: string }> {
  const [ann, id] = [await register(), newName('sub')]
  await deliverAll(kinora, processor, processor === 'payment-a' ? ofA(ann, id, 'paid') : ofB(ann, id, 'created'))
  assert.equal((await recordOf(kinora, ann))?.status, 'active')
  return { ann, id }
}

const factsOf = async (as: Person) => {
  const record = (await recordOf(kinora, as)) ?? assert.fail('no record')
  return { status: record.status, plan: record.plan, cancelAtPeriodEnd: record.cancelAtPeriodEnd }
}

/** The processor, the event, what becomes of the record, and of the event. */
type Case = [Processor, string, (as: Person, id: string) => Event, Fields, state: 'applied' | 'failed']
const a = (type: string, expected: Fields, state: Case[4], change: Fields = {}): Case => [
  'payment-a',
  type,
  (as, id) => ofA(as, id, type, { product: unknownProduct.a, ...change }),
  expected,
  state,
]
const b = (type: string, expected: Fields, state: Case[4], fields: Fields = {}, change: Fields = {}): Case => [
  'payment-b',
  `${type} ${JSON.stringify({ ...fields, ...change })}`,
  (as, id) => ofB(as, id, type, { price: unknownProduct.b, ...fields }, change),
  expected,
  state,
]
const plan = 'pro-monthly'
const cases: Case[] = [
  a('cancelled', { status: 'cancelled', plan, cancelAtPeriodEnd: false }, 'applied', { status: 'canceled' }),
  a('canceled', { status: 'cancelled', plan, cancelAtPeriodEnd: false }, 'applied', { status: 'canceled' }),
  a('expired', { status: 'expired', plan, cancelAtPeriodEnd: false }, 'failed'),
  a('scheduled_cancel', { status: 'active', plan, cancelAtPeriodEnd: true }, 'failed'),
  a('past_due', { status: 'past_due', plan, cancelAtPeriodEnd: false }, 'failed'),
  a('updated', { status: 'past_due', plan, cancelAtPeriodEnd: false }, 'failed', { status: 'past_due' }),
  b('deleted', { status: 'cancelled', plan, cancelAtPeriodEnd: false }, 'applied'),
  b('updated', { status: 'past_due', plan, cancelAtPeriodEnd: false }, 'failed', { status: 'past_due' }),
  b('updated', { status: 'expired', plan, cancelAtPeriodEnd: false }, 'failed', { status: 'incomplete_expired' }),
  b('updated', { status: 'active', plan, cancelAtPeriodEnd: true }, 'failed', {}, endingB('new', end)),
]

for (const [processor, name, eventOf, expected, state] of cases) {
  test(`${processor}: unknown product, ${name} → the record follows, the plan and credits stay`, async () => {
    const { ann, id } = await subscribed(processor)
    const moves = await movesOf(kinora, ann)
    const event = eventOf(ann, id)
    await deliverAll(kinora, processor, event, event)
    assert.deepEqual(await factsOf(ann), expected)
    assert.deepEqual(await movesOf(kinora, ann), moves)
    assert.equal(await stateOf(kinora, event), state)
    if (state === 'failed') assert.match(String((await storedAs(kinora, event))?.reason), /(prod|price)_unknown/)
  })
}

for (const processor of ['payment-a', 'payment-b'] as const) {
  const ended = (as: Person, id: string) =>
    processor === 'payment-a'
      ? ofA(as, id, 'canceled', { product: unknownProduct.a, status: 'canceled' })
      : ofB(as, id, 'deleted', { price: unknownProduct.b })

  /** Delivers an event of the type, whose product gets into the catalogue later. */
  const deliverNewProduct = async (as: Person, id: string, type: { a: string; b: string }) => {
    const productId = newName('new_product')
    const event =
      processor === 'payment-a'
        ? ofA(as, id, type.a, { product: productId })
        : ofB(as, id, type.b, { price: productId })
    await deliverAll(kinora, processor, event)
    return { productId, event }
  }

  test(`${processor}: end with an unknown product → the account can be deleted`, async () => {
    const { ann, id } = await subscribed(processor)
    assert.equal((await deleteAccount(ann)).status, 409)
    await deliverAll(kinora, processor, ended(ann, id))
    assert.equal((await deleteAccount(ann)).status, 200)
  })

  test(`${processor}: end with an unknown product before the beginning → ended, with the beginning's plan`, async () => {
    const [ann, id] = [await register(), newName('sub')]
    const created = processor === 'payment-a' ? ofA(ann, id, 'created') : ofB(ann, id, 'created')
    await deliverAll(kinora, processor, ended(ann, id), created)
    assert.deepEqual(await factsOf(ann), { status: 'cancelled', plan, cancelAtPeriodEnd: false })
  })

  test(`${processor}: active with an unknown product and no record → none is made; the catalogue gets it → made`, async () => {
    const [ann, id] = [await register(), newName('sub')]
    const { productId, event } = await deliverNewProduct(ann, id, { a: 'created', b: 'created' })
    assert.equal(await stateOf(kinora, event), 'failed')
    assert.equal(await recordOf(kinora, ann), null)

    assert.equal((await applyStored(kinora, event, root)).status, 409)
    await withProduct(processor, productId, async () => {
      assert.equal((await applyStored(kinora, event, root)).status, 200)
    })
    assert.deepEqual(await factsOf(ann), { status: 'active', plan: 'basic-monthly', cancelAtPeriodEnd: false })
    assert.deepEqual(
      await movesOf(kinora, ann),
      processor === 'payment-a' ? ['NEW_USER 60', 'SUBSCRIPTION 280'] : ['NEW_USER 60'],
    )
  })

  test(`${processor}: change to an unknown product → applied once the catalogue has it, with its plan`, async () => {
    const { ann, id } = await subscribed(processor)
    const { productId, event } = await deliverNewProduct(ann, id, { a: 'update', b: 'updated' })
    assert.equal((await factsOf(ann)).plan, plan)
    await withProduct(processor, productId, async () => {
      assert.equal((await applyStored(kinora, event, root)).status, 200)
    })
    assert.equal((await factsOf(ann)).plan, 'basic-monthly')
    assert.equal(await stateOf(kinora, event), 'applied')
  })
}

/** Runs `work` while the catalogue has another id of basic-monthly. */
async function withProduct(processor: Processor, productId: string, work: () => Promise<void>): Promise<void> {
  const before = plans()
  const products = before.products.map((product) => {
    const { price, credits } = product
    const entry = (id: string) => ({ id, price: price.cents, currency: price.currency, credits })
    if (product.id !== 'basic-monthly') return product
    return { ...product, ids: { [processor]: [entry(processorId(product, processor)), entry(productId)] } }
  })
  replacePlans(parsePlans(JSON.stringify({ products })))
  try {
    await work()
  } finally {
    replacePlans(before)
  }
}
