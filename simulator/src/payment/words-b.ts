/**
 * payment-b's events, in the order in which it would make them. Those of one action carry the same second, as they do in
 * life, except that a new period is billed an hour after it began.
 */
import type { Payment, Subscription } from './account.ts'
import type { Draft, Happening } from './happening.ts'
import { declinedIntent, invoiceB, invoicePaymentB } from './invoice-b.ts'
import { chargeB, disputeB, type Generation, sessionB, subscriptionB } from './objects-b.ts'
import type { Products } from './product.ts'

export type WordsB = { products: Products; api: Generation; baseUrl: string }

export function draftsB(happening: Happening, words: WordsB): Draft[] {
  const { at } = happening
  switch (happening.what) {
    case 'purchase paid':
    case 'purchase pending':
      return [{ type: 'checkout.session.completed', at, object: session(happening, words) }]
    case 'purchase arrived':
      return [{ type: 'checkout.session.async_payment_succeeded', at, object: session(happening, words) }]
    case 'purchase failed':
      return [{ type: 'checkout.session.async_payment_failed', at, object: session(happening, words) }]
    case 'declined':
      return [{ type: 'payment_intent.payment_failed', at, object: declinedIntent(happening) }]
    case 'refunded': {
      const { payment, cents } = happening
      const previous = { amount_refunded: payment.refundedCents - cents, refunded: false }
      return [{ type: 'charge.refunded', at, object: chargeB(happening, words.api), previous }]
    }
    case 'disputed':
      return [{ type: 'charge.dispute.created', at, object: disputeB(happening) }]
    default:
      return aboutSubscription(happening, words)
  }
}

type AboutSubscription = Extract<Happening, { subscription: Subscription; what: string }> &
  Exclude<Happening, { what: 'refunded' | 'disputed' }>

function aboutSubscription(happening: AboutSubscription, words: WordsB): Draft[] {
  const { customer, at, subscription } = happening
  const object = subscriptionB(customer, subscription, words)
  const updated = (previous: Record<string, unknown>, changed = object, when = at): Draft => ({
    type: 'customer.subscription.updated',
    at: when,
    object: changed,
    previous,
  })
  switch (happening.what) {
    case 'subscribed':
      return [
        { type: 'customer.subscription.created', at, object },
        ...paid(happening, happening.payment, at, words),
        { type: 'checkout.session.completed', at, object: session(happening, words) },
      ]
    case 'renewed':
      return [
        updated({ latest_invoice: earlierInvoice(happening) }),
        ...paid(happening, happening.payment, happening.paidAt, words),
      ]
    case 'renewal failed': {
      const { paidAt } = happening
      return [
        updated({ latest_invoice: earlierInvoice(happening) }, { ...object, status: 'active' }),
        { type: 'invoice.payment_failed', at: paidAt, object: invoiceB(happening, words) },
        updated({ status: 'active' }, object, paidAt),
      ]
    }
    case 'renewal paid late':
      return [...paid(happening, happening.payment, at, words), updated({ status: 'past_due' })]
    case 'plan changed': {
      const { items } = subscriptionB(customer, happening.before, words)
      const change = updated({ items })
      return happening.payment ? [change, ...paid(happening, happening.payment, at, words)] : [change]
    }
    case 'ending':
      return [updated({ cancel_at: null, cancel_at_period_end: false, canceled_at: null })]
    case 'resumed':
      return [updated({ cancel_at: subscription.periodEnd / 1000, cancel_at_period_end: words.api !== '2026' })]
    case 'cancelled':
      return [{ type: 'customer.subscription.deleted', at, object }]
    case 'ended':
      return [
        {
          type: 'customer.subscription.deleted',
          at,
          object:
            happening.why === 'unpaid'
              ? { ...object, cancellation_details: { comment: null, feedback: null, reason: 'payment_failed' } }
              : object,
        },
      ]
  }
}

/** An invoice that was paid; the newer generations tell in an event of its own which payment paid it. */
function paid(
  happening: Extract<Happening, { subscription: Subscription | null }>,
  payment: Payment,
  at: number,
  words: WordsB,
): Draft[] {
  const { customer, subscription } = happening
  if (!subscription) return []
  const object = invoiceB({ customer, subscription, payment }, words)
  const drafts: Draft[] = [{ type: 'invoice.payment_succeeded', at, object }]
  if (words.api !== '2024' && payment.intentId !== null) {
    drafts.push({ type: 'invoice_payment.paid', at, object: invoicePaymentB(payment, at) })
  }
  return drafts
}

function session(happening: Extract<Happening, { checkout: unknown; payment: Payment }>, words: WordsB) {
  const { customer, checkout, payment } = happening
  return sessionB(checkout, words, { customer, payment })
}

/** The invoice before the newest. */
const earlierInvoice = ({ customer, subscription }: AboutSubscription): string | null =>
  customer.payments.filter((payment) => payment.subscriptionId === subscription.id).at(-2)?.id ?? null
