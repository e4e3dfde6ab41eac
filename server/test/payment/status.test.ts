/** A subscription's status comes only from an object that has one, in any sequence of its events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receive, retryEvents } from '../../src/payment/events.ts'
import type { Person } from '../support/harness.ts'
import { type Processor, recordOf } from '../support/payment/payment-delivery.ts'
import { type Event, newName } from '../support/payment/payment-events.ts'
import {
  type Fields,
  itemOf,
  line,
  openPayments,
  paid,
  type Scene,
  scene,
  start,
  subscriptions,
} from '../support/payment/payment-scene.ts'

const kinora = await openPayments()

const paidA =
  (product: string, amounts: Fields, change: Fields = {}, about: Fields = {}) =>
  ({ subscriptionA, transaction }: Scene): Event[] => [
    subscriptionA('paid', product, transaction(1, amounts, about), change),
  ]
const record = async (person: Person) => {
  const row = await recordOf(kinora, person)
  return row && `${row.status} ${row.plan}${row.cancelAtPeriodEnd ? ', ending' : ''}`
}
const addOn = { price: { id: 'price_of_an_add_on' } }
const failedInvoice =
  (reason: string, change: Fields = {}) =>
  ({ invoice, ids }: Scene): Event =>
    invoice(
      9,
      [line('pro_monthly', 2990)],
      { status: 'open', amount_paid: 0, subscription: ids.sub, billing_reason: reason, ...change },
      'invoice.payment_failed',
    )
const running = ({ subscriptionB }: Scene) => subscriptionB('created')
const sameSecond = ({ subscriptionB }: Scene): Event[] => [
  subscriptionB('created', {}, start),
  withPrevious(subscriptionB('updated', { cancel_at_period_end: true }, start + 5000), { cancel_at_period_end: false }),
  withPrevious(subscriptionB('updated', { status: 'past_due', cancel_at_period_end: true }, start + 5000), {
    status: 'active',
  }),
]
/** What the events say that was before fits either sequence of them. */
const undoneInSameSecond = ({ subscriptionB, ids }: Scene): Event[] => {
  const undone = subscriptionB('updated', { cancel_at_period_end: false }, start + 5000)
  subscriptions.set(ids.sub, (undone.data as Fields).object)
  return [
    subscriptionB('created', {}, start),
    withPrevious(subscriptionB('updated', { cancel_at_period_end: true }, start + 5000), {
      cancel_at_period_end: false,
    }),
    withPrevious(undone, { cancel_at_period_end: true }),
  ]
}
function withPrevious(event: Event, previous_attributes: Fields): Event {
  return { ...event, data: { ...(event.data as Fields), previous_attributes } }
}
const records: { name: string; is: string | null; processor: Processor; events: (scene: Scene) => Event[] }[] = [
  {
    processor: 'payment-a',
    name: 'expired after cancelled, with a newer time',
    is: 'expired pro-monthly',
    events: (scene) => [
      ...paidA('pro_monthly', paid(2990))(scene),
      scene.subscriptionA('cancelled', 'pro_monthly', null),
      scene.subscriptionA('expired', 'pro_monthly', null),
    ],
  },
  {
    processor: 'payment-a',
    name: 'cancelled after expired',
    is: 'cancelled pro-monthly',
    events: (scene) => [
      ...paidA('pro_monthly', paid(2990))(scene),
      scene.subscriptionA('expired', 'pro_monthly', null),
      scene.subscriptionA('cancelled', 'pro_monthly', null),
    ],
  },
  {
    processor: 'payment-a',
    name: 'cancelled after a paid period that followed an expiry',
    is: 'cancelled pro-monthly',
    events: (scene) => [
      scene.subscriptionA('expired', 'pro_monthly', null),
      ...paidA('pro_monthly', paid(2990))(scene),
      scene.subscriptionA('cancelled', 'pro_monthly', null),
    ],
  },
  {
    processor: 'payment-a',
    name: 'paid period after a cancellation that an expiry followed',
    is: 'expired pro-monthly',
    events: (scene) => [
      scene.subscriptionA('cancelled', 'pro_monthly', null),
      scene.subscriptionA('expired', 'pro_monthly', null),
      ...paidA('pro_monthly', paid(2990))(scene),
    ],
  },
  {
    processor: 'payment-a',
    name: 'paid period after an expiry and then a cancellation',
    is: 'cancelled pro-monthly',
    events: (scene) => [
      scene.subscriptionA('expired', 'pro_monthly', null),
      scene.subscriptionA('cancelled', 'pro_monthly', null),
      ...paidA('pro_monthly', paid(2990))(scene),
    ],
  },
  {
    processor: 'payment-a',
    name: 'paid trial',
    is: 'trialing pro-monthly',
    events: paidA('pro_monthly', paid(100), { status: 'trialing' }),
  },
  {
    processor: 'payment-a',
    name: 'paid trial that reconciliation finds',
    is: 'trialing pro-monthly',
    events: ({ subscriptionA, transaction }) => [
      subscriptionA('reconciled', 'pro_monthly', transaction(1, paid(100)), { status: 'trialing' }),
    ],
  },
  {
    processor: 'payment-b',
    name: 'invoice.payment_failed of a first invoice',
    is: 'incomplete pro-monthly',
    events: (scene) => [
      scene.subscriptionB('created', { status: 'incomplete' }),
      failedInvoice('subscription_create')(scene),
    ],
  },
  {
    processor: 'payment-b',
    name: 'invoice.payment_failed beside a running plan',
    is: 'active pro-monthly',
    events: (scene) => [running(scene), failedInvoice('subscription_create', { subscription: newName('sub') })(scene)],
  },
  {
    processor: 'payment-b',
    name: 'invoice.payment_failed of a pending update',
    is: 'active pro-monthly',
    events: (scene) => [running(scene), failedInvoice('subscription_update')(scene)],
  },
  {
    processor: 'payment-b',
    name: 'invoice.payment_failed of a renewal',
    is: 'past_due pro-monthly',
    events: (scene) => [running(scene), failedInvoice('subscription_cycle')(scene)],
  },
  {
    processor: 'payment-b',
    name: 'invoice.payment_failed of a renewal, with a newer time than the deletion',
    is: 'cancelled pro-monthly',
    events: (scene) => [
      running(scene),
      scene.subscriptionB('deleted', { status: 'canceled' }),
      failedInvoice('subscription_cycle')(scene),
    ],
  },
  {
    processor: 'payment-b',
    name: 'first item that is an add-on',
    is: 'active pro-monthly',
    events: ({ subscriptionB }) => [subscriptionB('created', { items: { data: [addOn, itemOf('pro_monthly')] } })],
  },
  {
    processor: 'payment-b',
    name: 'two updated of one second, the API not reachable',
    is: 'past_due pro-monthly, ending',
    events: sameSecond,
  },
  {
    processor: 'payment-b',
    name: 'cancelled and taken back in one second, the API reachable',
    is: 'active pro-monthly',
    events: undoneInSameSecond,
  },
]
const permutations = (count: number): number[][] =>
  count === 0
    ? [[]]
    : permutations(count - 1).flatMap((rest) =>
        Array.from({ length: count }, (_, at) => rest.toSpliced(at, 0, count - 1)),
      )
for (const { processor, name, is, events } of records) {
  test(`${processor}: ${name} → record ${is}, in all sequences`, async () => {
    const count = events(scene('')).length
    for (const order of permutations(count)) {
      const person = await kinora.person({ credits: 0 })
      const all = events(scene(person.userId))
      for (const n of order) await receive(kinora.app, processor, JSON.stringify(all[n]))
      await retryEvents(kinora.app)
      assert.equal(await record(person), is, String(order))
    }
  })
}

test('payment-b: past due, changed while it is, paid, past due again → one mail for each time that it becomes past due', async () => {
  const person = await kinora.person({ credits: 0 })
  await kinora.app.sql`update public."user" set "emailVerified" = true where id = ${person.userId}`
  const { subscriptionB } = scene(person.userId)
  const pastDue = { status: 'past_due' }
  for (const change of [pastDue, { ...pastDue, cancel_at_period_end: true }, {}, pastDue])
    await receive(kinora.app, 'payment-b', JSON.stringify(subscriptionB('updated', change)))
  const mails = await kinora.app.sql`
    select from kinora.mail where user_id = ${person.userId} and kind = 'payment.failed'
  `
  assert.equal(mails.length, 2)
})
