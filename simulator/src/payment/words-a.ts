/**
 * payment-a's events. Two spellings: the names that are really sent, and those of the service's specification, which
 * knows no `paid`: there a period that was paid for comes as `subscription.created` or `subscription.updated`.
 */
import type { Draft, Happening } from './happening.ts'
import { newName } from './name.ts'
import { aboutPayment, checkoutA, subscriptionA } from './objects-a.ts'
import type { Products } from './product.ts'

export type Spelling = 'sent' | 'specified'
type Words = [type: string, object: unknown][]

/** Between two events of one action, which all fall into the second before the next action, see clock.ts. */
const GAP_MS = 250

const specified: Record<string, string> = {
  'subscription.paid': 'subscription.updated',
  'subscription.update': 'subscription.updated',
  'subscription.past_due': 'subscription.updated',
  'subscription.scheduled_cancel': 'subscription.updated',
  'subscription.canceled': 'subscription.cancelled',
}

export function draftsA(happening: Happening, products: Products, spelling: Spelling): Draft[] {
  return wordsA(happening, products, spelling).map(([type, object], index) => ({
    type: spelling === 'specified' ? (specified[type] ?? type) : type,
    object,
    at: happening.at + index * GAP_MS,
  }))
}

function wordsA(happening: Happening, products: Products, spelling: Spelling): Words {
  switch (happening.what) {
    case 'purchase paid':
      return [['checkout.completed', checkoutA(happening, null, products)]]
    case 'refunded':
    case 'disputed':
      return moneyBack(happening, products)
    // A card that is declined is between the payer and the page: nothing is sent. Nor does payment-a sell on promise.
    case 'declined':
    case 'purchase pending':
    case 'purchase arrived':
    case 'purchase failed':
      return []
    default:
      return aboutSubscription(happening, products, spelling)
  }
}

type Moved = Extract<
  Happening,
  { what: 'subscribed' | 'renewed' | 'renewal failed' | 'renewal paid late' | 'plan changed' | 'ended' }
>
type AboutSubscription = Moved | Extract<Happening, { what: 'ending' | 'resumed' | 'cancelled' }>

function aboutSubscription(happening: AboutSubscription, products: Products, spelling: Spelling): Words {
  const { customer, subscription } = happening
  const object = subscriptionA(customer, subscription, products)
  switch (happening.what) {
    case 'subscribed': {
      const checkout = checkoutA(happening, subscription, products)
      if (spelling === 'specified')
        return [
          ['checkout.completed', checkout],
          ['subscription.created', object],
        ]
      // `active` comes before the payment is entered.
      const started = { ...object, last_transaction_id: undefined, last_transaction_date: undefined }
      return [
        ['checkout.completed', checkout],
        ['subscription.active', started],
        ['subscription.paid', object],
      ]
    }
    case 'renewed':
    case 'renewal paid late':
      return [['subscription.paid', object]]
    case 'renewal failed':
      return [['subscription.past_due', object]]
    case 'plan changed':
      return happening.payment && spelling === 'sent'
        ? [
            ['subscription.update', object],
            ['subscription.paid', object],
          ]
        : [['subscription.update', object]]
    case 'ending':
      return [['subscription.scheduled_cancel', object]]
    case 'resumed':
      return [['subscription.update', object]]
    case 'cancelled':
      return [['subscription.canceled', object]]
    case 'ended': {
      // One that was to end with its period is cancelled only now; one cancelled before, or never, just expires.
      const isCancelledNow = happening.why === 'asked for' && subscription.endedAt === happening.at
      const expired: Words = [['subscription.expired', object]]
      return isCancelledNow ? [['subscription.canceled', { ...object, status: 'canceled' }], ...expired] : expired
    }
  }
}

function moneyBack(happening: Extract<Happening, { what: 'refunded' | 'disputed' }>, products: Products): Words {
  const { payment } = happening
  const times = { created_at: happening.at, mode: 'test' }
  if (happening.what === 'disputed') {
    const about = aboutPayment(happening, 'chargeback', products)
    const amounts = { amount: payment.cents, currency: payment.currency }
    return [['dispute.created', { id: newName('disp_'), object: 'dispute', ...amounts, ...about, ...times }]]
  }
  const about = aboutPayment(happening, payment.refundedCents < payment.cents ? 'partialRefund' : 'refunded', products)
  const amounts = { refund_amount: happening.cents, refund_currency: payment.currency }
  const refund = {
    id: newName('ref_'),
    object: 'refund',
    status: 'succeeded',
    ...amounts,
    reason: 'requested_by_customer',
  }
  return [['refund.created', { ...refund, ...about, ...times }]]
}
