/**
 * What one user may do at payment-a, with every type of event that is translated: one subscription from its trial to
 * its end, others that expire, lapse and come back, and packs. Only the checkouts name the user, and some refunds. Odd
 * seeds have the set of names with `created` and `updated`, even seeds the one with `paid` and `update`.
 */
import { checkoutA, DAY_MS, type Event, eventA, type PeriodA, returnedA, subscriptionA } from './payment-events.ts'
import { first, HOUR_MS, type Period, past, second, third, upgradedAgainAt, upgradedAt } from './payment-periods.ts'

/** The set of names that has none for a paid period, a failed payment or a trial. */
const specified: Record<string, string> = {
  active: 'created',
  trialing: 'created',
  paid: 'updated',
  update: 'updated',
  past_due: 'updated',
  unpaid: 'updated',
  paused: 'updated',
  scheduled_cancel: 'updated',
  canceled: 'cancelled',
}
const basic = { product: 'prod_basic_monthly' }
const pro = { product: 'prod_pro_monthly' }
const ultimate = { product: 'prod_ultimate_monthly' }

export const lifeA = (seed: number, userId: string): Event[] => [
  ...mainSubscription(seed, userId),
  ...otherSubscriptions(seed, userId),
  ...packs(seed, userId),
]

const noPeriod = { current_period_start_date: undefined, current_period_end_date: undefined }

/** Events of one subscription. Its transactions' ids sort against their sequence. */
function subscriptionOf(seed: number, userId: string, name: string) {
  const id = `sub_a${seed}_${name}`
  const isSpecified = seed % 2 === 1
  const transaction = (n: number) => `tran_a${seed}_${9 - n}_${name}${n}`
  const event = (type: string, period: Period, atMs: number, fields: Partial<PeriodA>, change = {}) =>
    eventA(
      `subscription.${isSpecified ? (specified[type] ?? type) : type}`,
      subscriptionA(id, null, { ...fields, ...period }, change),
      atMs,
    )
  const checkout = eventA(
    'checkout.completed',
    checkoutA(userId, {
      order: { id: `ord_a${seed}_${name}`, status: 'paid', type: 'recurring' },
      subscription: { id, status: 'active' },
      customer: { id: `cust_of_${id}` },
    }),
    first.start,
  )
  return { id, isSpecified, transaction, event, checkout }
}

function mainSubscription(seed: number, userId: string): Event[] {
  const { id, isSpecified, transaction, event, checkout } = subscriptionOf(seed, userId, 'main')
  /** `inAll`: the cents that the transaction shows as refunded. */
  const returned = (type: string, n: number, cents: number, of: number, inAll?: number) => {
    const subscription = subscriptionA(id, null, { ...first, transaction: transaction(n) })
    const total = inAll === undefined ? {} : { refunded_amount: inAll }
    const about = { id: transaction(n), amount_paid: of, subscription: id, order: `ord_a${seed}_main`, ...total }
    return eventA(type, returnedA(subscription, { refund_amount: undefined, amount: cents, transaction: about }))
  }
  const reconciled = (n: number, cents: number, of: number) =>
    eventA('transaction.returned', { id: transaction(n), subscription: id, amount_paid: of, refunded_amount: cents })
  const gone = { canceled_at: new Date(third.end).toISOString() }
  const [one, two, three, four, five, six, seven] = [1, 2, 3, 4, 5, 6, 7].map((n) => ({ transaction: transaction(n) }))
  const paidTwo = event('paid', second, second.start, { ...basic, ...two })
  return [
    checkout,
    event('trialing', first, first.start - HOUR_MS, { ...basic, status: 'trialing' }, { last_transaction_id: null }),
    event('created', first, first.start, basic, { last_transaction_id: null }),
    event('active', first, first.start + 1, basic, { ...noPeriod, last_transaction_id: null }),
    event(isSpecified ? 'created' : 'paid', first, first.start, { ...basic, ...one }),
    event('update', first, first.start, { ...basic, ...one }),
    // A plan change that is not paid.
    event('update', first, first.start + 10 * DAY_MS, { ...ultimate, ...one }),
    event('update', first, first.start + 11 * DAY_MS, { ...basic, ...one }),
    paidTwo,
    { ...paidTwo, id: `${paidTwo.id}_again` },
    // Names the transaction of the period before, which `paid` puts right.
    event('updated', second, second.start + 1, { ...basic, ...one }),
    // An unpaid upgrade soon after the payment, and reconciliation, which has the product of a later day beside the
    // transaction.
    event('updated', second, second.start + HOUR_MS, { ...pro, ...two }),
    event('reconciled', second, second.start + 1, { ...(isSpecified ? basic : pro), ...two }),
    // Two paid upgrades in one period, then a downgrade.
    event('update', second, upgradedAt, { ...pro, ...three }),
    event('paid', second, upgradedAt, { ...pro, ...three }),
    event('active', second, upgradedAt + DAY_MS, { ...pro, ...three }),
    event('paid', second, upgradedAgainAt, { ...ultimate, ...four }),
    event('update', second, upgradedAgainAt + HOUR_MS, { ...pro, ...four }),
    // The third period's payment fails until the record has expired, then succeeds.
    event('past_due', second, third.start, { ...pro, ...four, status: 'past_due' }),
    event('unpaid', second, third.start + 1, { ...pro, ...four, status: 'unpaid' }),
    event('paused', second, third.start + 2, { ...pro, ...four, status: 'paused' }),
    event('expired', second, third.start + HOUR_MS, { ...pro, ...four, status: 'expired' }),
    event('paid', third, third.start + 2 * HOUR_MS, { ...pro, ...five }),
    // An unpaid downgrade soon after the payment.
    event('updated', third, third.start + 3 * HOUR_MS, { ...basic, ...five }),
    // A paid downgrade, and a paid change back to the plan that the period was paid for.
    event('paid', third, third.start + 10 * DAY_MS, { ...basic, ...six }),
    event('paid', third, third.start + 20 * DAY_MS, { ...pro, ...seven }),
    event('scheduled_cancel', third, third.start + 21 * DAY_MS, { ...pro, ...seven, status: 'scheduled_cancel' }),
    event('canceled', third, third.end, { ...pro, ...seven, status: 'canceled' }, gone),
    event('expired', third, third.end, { ...pro, ...seven, status: 'expired' }, gone),
    event('update', third, third.end + 1, { ...pro, ...seven }, gone),
    // The first period is refunded in two halves, half of the first upgrade too; half of the second period is disputed.
    returned('refund.created', 1, 495, 990),
    returned('refund.created', 1, 495, 990),
    returned('refund.created', 3, 500, 1000, 500),
    reconciled(3, 500, 1000),
    returned('dispute.created', 2, 495, 990),
  ]
}

/** Each ends with the event that its name says; events of one millisecond sort by their position in the life cycle. */
function otherSubscriptions(seed: number, userId: string): Event[] {
  const of = (name: string) => subscriptionOf(seed, userId, name)
  const [reopened, lapsed, unpaid, paused] = [of('reopened'), of('lapsed'), of('unpaid'), of('paused')]
  const [trial, late] = [of('trial'), of('late')]
  const paid = ({ event, transaction }: ReturnType<typeof of>) =>
    event('paid', first, first.start, { ...basic, transaction: transaction(1) })
  const end = ({ event, transaction }: ReturnType<typeof of>, type: string, status: string, atMs: number) =>
    event(type, first, atMs, { ...basic, transaction: transaction(1), status })
  return [
    ...[reopened, lapsed, unpaid, paused, trial, late].map(({ checkout }) => checkout),
    // Its period is over when its event is applied: the credits are valid for as long from then on.
    late.event('paid', past, past.start, { ...basic, transaction: late.transaction(1) }),
    ...[reopened, lapsed, unpaid, paused].map(paid),
    end(reopened, 'expired', 'expired', second.start + HOUR_MS),
    reopened.event('paid', second, second.start + 2 * HOUR_MS, { ...basic, transaction: reopened.transaction(2) }),
    // An event without a period leaves the stored one.
    reopened.event('active', second, second.start + 3 * HOUR_MS, basic, noPeriod),
    end(lapsed, 'past_due', 'past_due', second.start),
    end(lapsed, 'created', 'active', second.start),
    end(lapsed, 'update', 'active', second.start - 1),
    end(unpaid, 'unpaid', 'unpaid', second.start),
    end(paused, 'paused', 'paused', second.start),
    end(paused, 'update', 'active', second.start + 1),
    trial.event('trialing', first, first.start, {
      ...pro,
      transaction: trial.transaction(1),
      status: 'trialing',
    }),
    // An update proves no payment, also when it names a transaction; the other set of names has no such event.
    ...(trial.isSpecified
      ? []
      : [trial.event('update', first, first.start + 1, { ...pro, transaction: trial.transaction(2) })]),
    trial.event('scheduled_cancel', first, first.start + DAY_MS, {
      ...pro,
      transaction: trial.transaction(1),
      status: trial.isSpecified ? 'scheduled_cancel' : 'active',
    }),
  ]
}

function packs(seed: number, userId: string): Event[] {
  const bought = (name: string, change = {}) =>
    checkoutA(userId, {
      order: { id: `ord_a${seed}_${name}`, status: 'paid', type: 'onetime', amount: 1490, ...change },
    })
  const half = bought('half')
  return [
    eventA('checkout.completed', bought('half', { status: 'pending' }), first.start),
    eventA('checkout.completed', half, first.start),
    eventA('checkout.completed', { ...half, id: `${half.id}_again` }, first.start + 1),
    eventA('refund.created', {
      metadata: seed % 3 === 0 ? { referenceId: userId } : {},
      id: `ref_a${seed}_half`,
      refund_amount: 745,
      transaction: { id: `tran_a${seed}_half`, order: `ord_a${seed}_half`, amount_paid: 1490 },
    }),
    eventA('checkout.completed', bought('unpaid', { status: 'pending' }), first.start),
    eventA('checkout.completed', bought('free', { amount_paid: 0 }), first.start),
    eventA('refund.created', { id: `ref_a${seed}_free`, refund_amount: 0, order: { id: `ord_a${seed}_free` } }),
    eventA('checkout.completed', bought('charged'), first.start),
    // Reconciliation finds a chargeback.
    eventA('transaction.returned', {
      id: `tran_a${seed}_charged`,
      order: `ord_a${seed}_charged`,
      status: 'chargeback',
      amount_paid: 1490,
    }),
  ]
}
