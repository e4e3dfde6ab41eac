/** The events of every operation: types, order, ids and times as a real processor sends them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buy,
  customerOf,
  isSigned,
  openCheckout,
  type ReceivedEvent,
  startShop,
  startWithShop,
  submitForm,
} from './payments-harness.ts'

const shop = await startShop()
const simulator = await startWithShop(shop)

/** @returns the events that arrived during `work` */
async function during(work: () => Promise<unknown>): Promise<ReceivedEvent[]> {
  const before = shop.received.length
  await work()
  return shop.received.slice(before)
}
const types = (events: ReceivedEvent[]): string[] =>
  events.map(({ type }) => type.replace('customer.subscription', 'subscription'))
const day = (seconds: unknown): string => new Date(Number(seconds) * 1000).toISOString().slice(0, 10)
const monthsLater = (from: number, months: number): string => {
  const date = new Date(from)
  const wanted = (date.getUTCMonth() + months) % 12
  date.setUTCMonth(date.getUTCMonth() + months)
  if (date.getUTCMonth() !== wanted) date.setUTCDate(0)
  return date.toISOString().slice(0, 10)
}

/** Each step and the events it sends at payment-a and at payment-b. */
const operations: [step: string, more: Record<string, string>, a: string, b: string][] = [
  ['next-period', {}, 'subscription.paid', 'subscription.updated invoice.payment_succeeded invoice_payment.paid'],
  [
    'next-period-fails',
    {},
    'subscription.past_due',
    'subscription.updated invoice.payment_failed subscription.updated',
  ],
  ['pay-open', {}, 'subscription.paid', 'invoice.payment_succeeded invoice_payment.paid subscription.updated'],
  ['cancel-at-period-end', {}, 'subscription.scheduled_cancel', 'subscription.updated'],
  ['resume', {}, 'subscription.update', 'subscription.updated'],
  [
    'change-plan',
    { product: 'pro-monthly' },
    'subscription.update subscription.paid',
    'subscription.updated invoice.payment_succeeded invoice_payment.paid',
  ],
  ['refund-half', {}, 'refund.created', 'charge.refunded'],
  ['refund-fails', {}, 'refund.created', 'refund.failed'],
  ['dispute', {}, 'dispute.created', 'charge.dispute.created charge.dispute.funds_withdrawn'],
  ['cancel-at-period-end', {}, 'subscription.scheduled_cancel', 'subscription.updated'],
  ['period-ends', {}, 'subscription.canceled subscription.expired', 'subscription.deleted'],
]

for (const processor of ['payment-a', 'payment-b'] as const) {
  test(`${processor}: every operation on a subscription → its events, signed, at rising times`, async () => {
    let bought: Awaited<ReturnType<typeof buy>> | undefined
    const first = await during(async () => {
      bought = await buy(simulator, processor, 'basic-monthly')
    })
    assert.ok(bought)
    const { act, subscription } = bought
    const start = {
      'payment-a': ['checkout.completed', 'subscription.active', 'subscription.paid'],
      'payment-b': [
        'subscription.created',
        'invoice.payment_succeeded',
        'invoice_payment.paid',
        'checkout.session.completed',
      ],
    }[processor]
    assert.deepEqual(types(first), start)
    const all = [...first]
    for (const [step, more, a, b] of operations) {
      const sent = await during(() => act(step, more))
      assert.equal(types(sent).join(' '), processor === 'payment-a' ? a : b, step)
      all.push(...sent)
    }
    assert.ok(all.every(isSigned), 'each is signed')
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length, 'each has its own id')
    for (const [index, { at }] of all.entries()) assert.ok(at >= (all[index - 1]?.at ?? 0), 'times rise')
    if (processor === 'payment-a')
      for (const [index, { at }] of all.entries()) assert.ok(at > (all[index - 1]?.at ?? 0))
    const about = all.filter(({ type }) => type.includes('subscription.'))
    assert.ok(about.every(({ get }) => get('id') === subscription))
    assert.ok(about.every(({ get }) => /"user-\d+"/.test(JSON.stringify(get('metadata')))))
  })
}

test('payment-a: subscription cancelled at once → an event of a later second than those of the purchase', async () => {
  const sent: ReceivedEvent[] = []
  const { act } = await buy(simulator, 'payment-a', 'basic-monthly')
  sent.push(shop.received.at(-1) ?? assert.fail())
  sent.push(...(await during(() => act('cancel-at-period-end'))))
  const [paid, cancelled] = sent.map(({ at }) => Math.floor(at / 1000))
  assert.ok(Number(cancelled) > Number(paid), `${paid}, ${cancelled}`)
})

test('payment-a: renewal → next calendar month with its own transaction; refund → names the transaction', async () => {
  const { act, payment, customer } = await buy(simulator, 'payment-a', 'basic-monthly')
  const began = Number(customer.subscriptions[0]?.periodStart)
  const [renewed] = await during(() => act('next-period'))
  assert.ok(renewed)
  assert.equal(String(renewed.get('current_period_start_date')).slice(0, 10), monthsLater(began, 1))
  assert.equal(String(renewed.get('current_period_end_date')).slice(0, 10), monthsLater(began, 2))
  assert.notEqual(renewed.get('last_transaction_id'), payment)
  const [refund] = await during(() => act('refund-half'))
  assert.equal(refund?.get('refund_amount'), 495)
  assert.equal(refund?.get('transaction.id'), payment)
  assert.equal(refund?.get('transaction.amount_paid'), 990)
  assert.equal(Number(refund?.get('transaction.period_start')), began)
  assert.equal(refund?.get('subscription.metadata.referenceId'), refund?.get('checkout.metadata.referenceId'))
})

test('payment-a: dearer plan → new period, charged less the unused time; cheaper plan → recorded only', async () => {
  const { act, customer } = await buy(simulator, 'payment-a', 'pro-monthly')
  const began = customer.subscriptions[0]?.periodStart
  const [cheaper, ...none] = await during(() => act('change-plan', { product: 'basic-monthly' }))
  assert.equal(cheaper?.get('product.id'), 'prod_basic_monthly')
  assert.equal(Date.parse(String(cheaper?.get('current_period_start_date'))), began)
  assert.deepEqual(none, [])
  const [, paid] = await during(() => act('change-plan', { product: 'ultimate-yearly' }))
  assert.ok(Date.parse(String(paid?.get('current_period_start_date'))) > Number(began))
  const { payments } = await customerOf(simulator, customer.email)
  // Nearly the whole month is left of what is noted as 9.90.
  assert.ok(Math.abs(Number(payments.at(-1)?.cents) - (79_900 - 990)) <= 1)
})

test('payment-b: new subscription → period on the item, subscription under `parent`, payment of its own', async () => {
  const [created, invoice, last] = await during(() => buy(simulator, 'payment-b', 'basic-monthly'))
  assert.ok(created && invoice && last)
  assert.equal(day(created.get('items.data.0.current_period_end')), monthsLater(created.at, 1))
  assert.equal(created.get('current_period_end'), undefined)
  const details = 'parent.subscription_details'
  assert.match(String(invoice.get(`${details}.metadata.userId`)), /^user-/)
  assert.equal(invoice.get(`${details}.subscription`), created.get('id'))
  assert.equal(invoice.get('payment_intent'), undefined)
  assert.equal(last.get('invoice'), invoice.get('id'))
  assert.match(String(last.get('payment.payment_intent')), /^pi_/)
  assert.equal(invoice.get('billing_reason'), 'subscription_create')
  assert.equal(invoice.get('amount_paid'), 990)
  assert.equal(day(invoice.get('lines.data.0.period.end')), monthsLater(invoice.at, 1))
})

test('payment-b: plan change within a period → prorations for the unused and the remaining time', async () => {
  const { act } = await buy(simulator, 'payment-b', 'basic-monthly')
  const [, invoice] = await during(() => act('change-plan', { product: 'ultimate-monthly' }))
  assert.equal(invoice?.get('lines.data.length'), 2)
  const [unused, rest] = [Number(invoice?.get('lines.data.0.amount')), Number(invoice?.get('lines.data.1.amount'))]
  assert.ok(unused < 0 && rest > 0)
  assert.equal(unused + rest, invoice?.get('amount_paid'))
  const proration = 'parent.subscription_item_details.proration'
  for (const line of [0, 1]) assert.equal(invoice?.get(`lines.data.${line}.${proration}`), true)
})

test('payment-b: cancel at period end → cancel_at and the flag', async () => {
  const { act } = await buy(simulator, 'payment-b', 'basic-yearly')
  const [updated] = await during(() => act('cancel-at-period-end'))
  assert.equal(updated?.get('cancel_at_period_end'), true)
  assert.equal(updated?.get('cancel_at'), updated?.get('items.data.0.current_period_end'))
  assert.equal(updated?.get('status'), 'active')
})

test('payment-b: cheaper plan → credit that pays later invoices', async () => {
  const { act, email } = await buy(simulator, 'payment-b', 'ultimate-yearly')
  const [, zero, ...more] = await during(() => act('change-plan', { product: 'basic-yearly' }))
  assert.equal(zero?.get('amount_paid'), 0)
  assert.deepEqual(more, [], 'no payment paid it')
  const credit = -(await customerOf(simulator, email)).balanceCents
  assert.ok(Math.abs(credit - 70_000) <= 1)
  const [, next] = await during(() => act('next-period'))
  assert.equal(next?.get('amount_paid'), 0)
  assert.equal((await customerOf(simulator, email)).balanceCents, -(credit - 9_900))
})

test('purchase: two partial refunds → they add up; dispute → the whole amount', async () => {
  const a = await buy(simulator, 'payment-a', 'pack-starter')
  const [checkout] = await during(() => buy(simulator, 'payment-a', 'pack-starter'))
  assert.deepEqual(
    [checkout?.type, checkout?.get('order.type'), checkout?.get('order.amount')],
    ['checkout.completed', 'onetime', 1490],
  )
  const refunds = await during(async () => {
    await a.act('refund-half')
    await a.act('refund')
  })
  assert.deepEqual(
    refunds.map(({ get }) => ['refund_amount', 'transaction.refunded_amount', 'transaction.status'].map(get)),
    [
      [745, 745, 'partialRefund'],
      [745, 1490, 'refunded'],
    ],
  )
  assert.match(String((await a.act('refund')).error), /not possible now/)

  const b = await buy(simulator, 'payment-b', 'pack-starter')
  const [half, all] = await during(async () => {
    await b.act('refund-half')
    await b.act('refund')
  })
  assert.deepEqual([half?.get('amount_refunded'), half?.get('refunded')], [745, false])
  assert.deepEqual([all?.get('amount_refunded'), all?.get('refunded')], [1490, true])
  assert.equal(all?.get('payment_intent'), b.payment)
  const c = await buy(simulator, 'payment-b', 'pack-starter')
  const [dispute] = await during(() => c.act('dispute'))
  assert.deepEqual([dispute?.get('amount'), dispute?.get('payment_intent')], [1490, c.payment])
})

for (const [steps, sent, status, withdrawnCents] of [
  ['inquire inquiry-closed', 'created closed', 'warning_closed', []],
  ['inquire inquiry-becomes-dispute', 'created updated funds_withdrawn', 'needs_response', [-1490]],
  ['dispute dispute-won', 'created funds_withdrawn funds_reinstated closed', 'won', [-1490, 1490]],
  ['dispute dispute-lost', 'created funds_withdrawn closed', 'lost', [-1490]],
] as const) {
  test(`payment-b: ${steps.replace(' ', ', then ')} → ${sent}; again → refused`, async () => {
    const { act } = await buy(simulator, 'payment-b', 'pack-starter')
    const [first, second] = steps.split(' ') as [string, string]
    const events = await during(async () => {
      await act(first)
      await act(second)
    })
    assert.equal(events.map(({ type }) => type.replace('charge.dispute.', '')).join(' '), sent)
    const last = events.at(-1)
    assert.equal(last?.get('status'), status)
    const movements = last?.get('balance_transactions') as { amount: number }[]
    assert.deepEqual(
      movements.map(({ amount }) => amount),
      withdrawnCents,
    )
    assert.match(String((await act(second)).error), /not possible now/)
  })
}

test('payment-b: purchase by bank → complete but unpaid, then async_payment_succeeded or _failed', async () => {
  for (const [step, type, status] of [
    ['arrives', 'checkout.session.async_payment_succeeded', 'paid'],
    ['fails', 'checkout.session.async_payment_failed', 'unpaid'],
  ] as const) {
    const { checkoutUrl, email } = await openCheckout(simulator, 'payment-b', 'pack-pro')
    const [completed] = await during(() => submitForm(`${checkoutUrl}/later`))
    assert.deepEqual([completed?.type, completed?.get('payment_status')], ['checkout.session.completed', 'unpaid'])
    const customer = await customerOf(simulator, email)
    const payment = customer.payments[0]?.id ?? ''
    const [settled] = await during(() => submitForm(customer.portalUrl, { do: step, payment }))
    assert.deepEqual([settled?.type, settled?.get('payment_status')], [type, status])
    assert.equal(settled?.get('id'), completed?.get('id'))
  }
})
