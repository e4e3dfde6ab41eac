/** What can be done to a payment: money that was promised comes or does not, and money that came goes back. */
import type { Accounts, Customer, Payment, Subscription } from './account.ts'
import { passed, tick } from './clock.ts'
import type { Happening } from './happening.ts'
import { NotPossible } from './moves.ts'

/** @param half of the whole payment; what is left when that is less. Otherwise all that is left. */
export function refund(customer: Customer, payment: Payment, half: boolean): Happening {
  const left = payment.cents - payment.refundedCents
  if (payment.status !== 'paid' || left <= 0 || payment.disputed) throw new NotPossible('Nothing is left to refund.')
  const cents = half ? Math.min(left, Math.ceil(payment.cents / 2)) : left
  payment.refundedCents += cents
  const { at, subscription } = timeOf(customer, payment)
  return { what: 'refunded', customer, at, payment, cents, subscription }
}

/** The payer has the bank fetch the whole payment back. */
export function dispute(customer: Customer, payment: Payment): Happening {
  if (payment.status !== 'paid' || payment.cents === 0 || payment.disputed) {
    throw new NotPossible('There is nothing to dispute.')
  }
  payment.disputed = true
  const { at, subscription } = timeOf(customer, payment)
  return { what: 'disputed', customer, at, payment, subscription }
}

export function settlePending(accounts: Accounts, customer: Customer, payment: Payment, comes: boolean): Happening {
  const checkout = accounts.checkouts.get(payment.checkoutId)
  if (payment.status !== 'pending' || !checkout) throw new NotPossible('This payment is not on its way.')
  const { at } = timeOf(customer, payment)
  Object.assign(payment, comes ? { status: 'paid', paidAt: at } : { status: 'failed' })
  return { what: comes ? 'purchase arrived' : 'purchase failed', customer, at, checkout, payment }
}

/** A payment of a subscription lives in that subscription's time, which may be ahead. */
function timeOf(customer: Customer, payment: Payment): { at: number; subscription: Subscription | null } {
  const subscription = customer.subscriptions.find((each) => each.id === payment.subscriptionId) ?? null
  const clock = subscription ?? customer
  const at = tick(clock)
  passed(clock, at)
  return { at, subscription }
}
