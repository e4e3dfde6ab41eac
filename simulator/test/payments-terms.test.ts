/** What a payer chooses on the checkout page: a quantity at payment-b, and a discount of 100 % at both processors. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buy, openCheckout, type ReceivedEvent, startShop, startWithShop, submitForm } from './payments-harness.ts'

const shop = await startShop()
const simulator = await startWithShop(shop)

async function during(work: () => Promise<unknown>): Promise<Map<string, ReceivedEvent>> {
  const before = shop.received.length
  await work()
  return new Map(shop.received.slice(before).map((event) => [event.type, event]))
}

test('payment-b: three of a plan → quantity and amount of item and invoice lines, also at the renewal and a plan change', async () => {
  let bought: Awaited<ReturnType<typeof buy>> | undefined
  const first = await during(async () => {
    bought = await buy(simulator, 'payment-b', 'basic-monthly', { quantity: '3' })
  })
  const created = first.get('customer.subscription.created')
  assert.equal(created?.get('items.data.0.quantity'), 3)
  const renewed = await during(() => bought?.act('next-period') ?? assert.fail())
  for (const events of [first, renewed]) {
    const invoice = events.get('invoice.payment_succeeded')
    assert.deepEqual(
      ['lines.data.0.quantity', 'lines.data.0.amount', 'total', 'amount_paid'].map((path) => invoice?.get(path)),
      [3, 3 * 990, 3 * 990, 3 * 990],
    )
  }
  const changed = await during(() => bought?.act('change-plan', { product: 'pro-monthly' }) ?? assert.fail())
  const invoice = changed.get('invoice.payment_succeeded')
  assert.deepEqual(
    [0, 1].map((n) => invoice?.get(`lines.data.${n}.quantity`)),
    [3, 3],
  )
})

test('payment-b: three of a pack → the whole amount; line items in the expanded list alone, as at the processor', async () => {
  const events = await during(() => buy(simulator, 'payment-b', 'pack-starter', { quantity: '3' }))
  const session = events.get('checkout.session.completed')
  assert.deepEqual([session?.get('amount_total'), session?.get('line_items')], [3 * 1490, undefined])
  const response = await fetch(`${simulator.url}/v1/checkout/sessions?expand[0]=data.line_items`, {
    headers: { authorization: 'Bearer sk_test_key' },
  })
  const { data } = (await response.json()) as { data: { id: string; line_items: { data: { quantity: number }[] } }[] }
  assert.equal(data.find(({ id }) => id === session?.get('id'))?.line_items.data[0]?.quantity, 3)
})

for (const processor of ['payment-a', 'payment-b'] as const) {
  test(`${processor}: discount of 100 % → nothing is paid and nothing can be refunded; the next period costs its price`, async () => {
    const pack = await during(async () => {
      const { customer, act } = await buy(simulator, processor, 'pack-starter', { free: 'on' })
      assert.deepEqual([customer.payments[0]?.cents, customer.payments[0]?.status], [0, 'paid'])
      assert.match(String((await act('refund')).error), /not possible now/)
    })
    const completed = pack.get(processor === 'payment-a' ? 'checkout.completed' : 'checkout.session.completed')
    const paths =
      processor === 'payment-a'
        ? ['order.amount', 'order.discount_amount', 'order.amount_paid', 'order.status']
        : ['amount_subtotal', 'payment_intent', 'amount_total', 'payment_status']
    assert.deepEqual(
      paths.map((path) => completed?.get(path)),
      processor === 'payment-a' ? [1490, 1490, 0, 'paid'] : [1490, null, 0, 'no_payment_required'],
    )
    let bought: Awaited<ReturnType<typeof buy>> | undefined
    const first = await during(async () => {
      bought = await buy(simulator, processor, 'basic-monthly', { free: 'on' })
    })
    assert.ok(!first.has('invoice_payment.paid'), 'there is no payment')
    if (processor === 'payment-b') {
      const invoice = first.get('invoice.payment_succeeded')
      assert.deepEqual(
        ['subtotal', 'total', 'amount_paid', 'total_discount_amounts.0.amount', 'status'].map((path) =>
          invoice?.get(path),
        ),
        [990, 0, 0, 990, 'paid'],
      )
    }
    await bought?.act('next-period')
    const response = await fetch(`${simulator.url}/simulator/payments?email=${bought?.email}`)
    const { customers } = (await response.json()) as { customers: { payments: { cents: number }[] }[] }
    assert.deepEqual(
      customers[0]?.payments.map(({ cents }) => cents),
      [0, 990],
    )
  })
}

test('409: quantity that is no whole number from 1 to 99 → nothing is sold', async () => {
  for (const quantity of ['0', '-1', '1.5', '100', 'x', '']) {
    const { checkoutUrl } = await openCheckout(simulator, 'payment-b', 'pack-starter')
    assert.match(String((await submitForm(`${checkoutUrl}/pay`, { quantity })).error), /^quantity must be/, quantity)
    assert.equal((await submitForm(`${checkoutUrl}/pay`, { quantity: '1' })).error, undefined)
  }
})
