/** A row of the table of payments (payment/table.test.ts), and the events that several rows have. */
import { DAY_MS, type Event } from './payment-events.ts'
import { end, type Fields, line, paid, part, type Scene, start, starter } from './payment-scene.ts'

export type Case = { name: string; credits: number; a?: (scene: Scene) => Event[]; b?: (scene: Scene) => Event[] }
/** payment-a: plans that are changed one after another, each with its charge; null: nothing was charged. */
export const changesA =
  (...plans: [product: string, cents: number | null][]) =>
  ({ subscriptionA, transaction }: Scene): Event[] =>
    plans.flatMap(([product, cents], n) => {
      const days = { period_start: start + n * DAY_MS, period_end: end + n * DAY_MS, created_at: start + n * DAY_MS }
      if (cents === null) return [subscriptionA('update', product, null)]
      const about = transaction(
        n,
        paid(cents),
        product.endsWith('yearly') ? { ...days, period_end: start + 366 * DAY_MS } : days,
      )
      return [subscriptionA('update', product, about), subscriptionA('paid', product, about)]
    })
export const paidA =
  (product: string, amounts: Fields, change: Fields = {}, about: Fields = {}) =>
  ({ subscriptionA, transaction }: Scene): Event[] => [
    subscriptionA('paid', product, transaction(1, amounts, about), change),
  ]
export const free = (cents: number): Fields => ({ amount: cents, discount_amount: cents, amount_paid: 0 })
export const refundOfPack =
  (...refunds: [id: string, Fields][]) =>
  ({ packA, returnA }: Scene): Event[] => [
    packA(),
    ...refunds.map(([id, change]) =>
      returnA('refund.created', { id, refund_amount: 1490, refund_currency: 'USD', ...change }),
    ),
  ]
export const refundedInEuro =
  (cents: number, refunded: number) =>
  ({ packA, returnA, ids }: Scene): Event[] => [
    packA({ amount_paid: 1490 }),
    returnA('refund.created', {
      refund_amount: cents,
      refund_currency: 'EUR',
      transaction: {
        id: `tran_${ids.sub}`,
        order: `ord_${ids.sub.slice(4)}`,
        amount_paid: 1490,
        currency: 'USD',
        refunded_amount: refunded,
      },
    }),
  ]
export const disputed =
  (...steps: [step: string, Fields][]) =>
  ({ session, dispute }: Scene): Event[] => [
    session([starter]),
    ...steps.map(([step, change]) => dispute(step, change)),
  ]
export const returnedB =
  (...steps: [type: string, Fields][]) =>
  ({ session, chargeB }: Scene): Event[] => [
    session([starter]),
    ...steps.map(([type, change]) => chargeB(type, change)),
  ]
/** An invoice that a balance pays. */
export const fromBalance = (cents: number): Fields => ({
  starting_balance: -cents,
  ending_balance: 0,
  amount_due: 0,
  amount_paid: 0,
})
export const upgrade =
  (basic: number, next: number, product = 'pro_monthly') =>
  ({ invoice }: Scene): Event[] => [
    invoice(1, [line('basic_monthly', 990)]),
    invoice(2, [part('basic_monthly', basic), part(product, next)]),
  ]
/** The n-th subscription of a user, `days` after the first, with a discount of 100 %. */
export const freeUltimateA = ({ subscriptionA, transaction, ids }: Scene, n: number, days = 0): Event => {
  const [id, from] = [`${ids.sub}_${n}`, start + days * DAY_MS + n * 60_000]
  const dates = { created_at: from, period_start: from, period_end: from + 31 * DAY_MS }
  return subscriptionA('paid', 'ultimate_monthly', transaction(n, free(7990), { subscription: id, ...dates }), { id })
}
export const freeUltimateB = ({ invoice, ids }: Scene, n: number, days = 0): Event => {
  const from = start + days * DAY_MS + n * 60_000
  const period = { start: from / 1000, end: from / 1000 + 31 * 86_400 }
  return invoice(n, [{ ...line('ultimate_monthly', 7990), period }], {
    customer: `${ids.cus}_${n}`,
    total: 0,
    amount_due: 0,
    amount_paid: 0,
    total_discount_amounts: [{ amount: 7990 }],
    status_transitions: { paid_at: from / 1000 },
  })
}
