/**
 * What one user may do at payment-b, with every type of event that is translated: one subscription from its trial to
 * its end, others that lapse and recover, invoices of every kind, packs, refunds and disputes. Odd seeds have the new
 * generation of the API, even seeds the old one. Checkouts name the user; in every third seed refunds and disputes do
 * so too, in the others they find the user by their payment alone.
 */
import {
  chargeB,
  creditNoteB,
  DAY_MS,
  disputeB,
  type Event,
  eventB,
  failedRefundB,
  type Generation,
  invoiceB,
  invoicePaymentB,
  type LineB,
  sessionB,
  subscriptionB,
} from './payment-events.ts'
import { first, HOUR_MS, type Period, second, third, upgradedAgainAt, upgradedAt } from './payment-periods.ts'

type Fields = Record<string, unknown>

const basic = 'price_basic_monthly'
const pro = 'price_pro_monthly'

export const lifeB = (seed: number, userId: string): Event[] => [
  ...mainSubscription(seed, userId),
  ...otherSubscriptions(seed, userId),
  ...packs(seed, userId),
]

/** The processor's lines at `path`: of the invoice whose event has none, and of the session of three packs. */
export function linesAt(path: string): unknown[] {
  if (/^\/v1\/checkout\/sessions\/cs_b\d+_three\/line_items/.test(path))
    return [{ id: 'li_1', quantity: 3, price: { id: 'price_pack_standard' }, amount_subtotal: 3 * 3990 }]
  const seed = Number(/^\/v1\/invoices\/in_b(\d+)_recovered4\/lines/.exec(path)?.[1])
  const lines = [basic, pro].map((price) => ({ price, amount: 990, ...first }))
  const generation = generationOf(seed)
  return (invoiceB(generation, null, { subscription: 'sub', lines }).lines as { data: Fields[] }).data.map(
    (line, n) => ({
      ...line,
      id: `il_${n}`,
    }),
  )
}

/** The metadata of a charge or dispute. */
const metadataOf = (seed: number, userId: string) => (seed % 3 === 0 ? { metadata: { userId } } : {})

const generationOf = (seed: number): Generation => (seed % 2 ? 'new' : 'old')

function subscriptionOf(seed: number, userId: string, name: string) {
  const generation = generationOf(seed)
  const id = `sub_b${seed}_${name}`
  const payment = (n: number) => `pi_b${seed}_${name}${n}`
  const event = (kind: string, period: Period, atMs: number, price: string, status = 'active', change = {}) =>
    eventB(
      `customer.subscription.${kind}`,
      subscriptionB(generation, null, { id, price, status, ...period }, change),
      atMs,
    )
  const invoice = (n: number, atMs: number, lines: LineB[], change: Fields = {}, kind = 'payment_succeeded') =>
    eventB(
      `invoice.${kind}`,
      {
        ...invoiceB(generation, null, { id: `in_b${seed}_${name}${n}`, subscription: id, lines, payment: payment(n) }),
        ...change,
      },
      atMs,
    )
  const session = { mode: 'subscription', subscription: id, customer: `cus_of_${id}`, payment_intent: null }
  const checkout = eventB('checkout.session.completed', sessionB(userId, session), first.start)
  return { payment, event, invoice, checkout }
}

/** The withdrawal of a dispute's funds shows in its balance transactions, which some events lack. */
function disputeOf(
  payment: string,
  kind: string,
  metadata: Fields,
  status: string,
  amount: number,
  movements?: Fields[],
): Event {
  const movement = movements ? { balance_transactions: movements } : {}
  const change = { id: `dp_of_${payment}`, status, amount, ...movement, ...metadata }
  return eventB(`charge.dispute.${kind}`, disputeB(payment, change))
}

function mainSubscription(seed: number, userId: string): Event[] {
  const { payment, event, invoice, checkout } = subscriptionOf(seed, userId, 'main')
  const linked = (n: number) =>
    eventB('invoice_payment.paid', invoicePaymentB(`in_b${seed}_main${n}`, payment(n)), first.start)
  const part = (price: string, amount: number, from = upgradedAt) => ({
    price,
    amount,
    start: from,
    end: second.end,
    isPart: true,
  })
  const firstLine = { price: basic, amount: 990, ...first }
  const lastLine = { price: pro, amount: 2990, ...third }
  const withdrawn = [{ amount: -495 }]
  const metadata = metadataOf(seed, userId)
  const dispute = (n: number, kind: string, status: string, amount: number, movements?: Fields[]) =>
    disputeOf(payment(n), kind, metadata, status, amount, movements)
  return [
    checkout,
    event('created', first, first.start - HOUR_MS, basic, 'trialing'),
    invoice(0, first.start - HOUR_MS, [{ ...firstLine, amount: 0 }]),
    event('updated', first, first.start, basic),
    invoice(1, first.start, [firstLine]),
    invoice(1, first.start, [firstLine], {}, 'paid'),
    // The only events that link these payments to their invoices; they name neither user nor customer.
    ...[1, 2, 3, 4].map(linked),
    event('updated', second, second.start, basic),
    // The change has trial days of another plan, which cost nothing.
    invoice(2, second.start, [
      { price: basic, amount: 990, ...second },
      { price: pro, amount: 0, ...second },
    ]),
    event('updated', second, upgradedAt, pro),
    invoice(3, upgradedAt, [part(basic, -495), part(pro, 1495)]),
    // A downgrade pays nothing, and the next upgrade is paid from its balance.
    event('updated', second, upgradedAgainAt, basic),
    invoice(5, upgradedAgainAt, [part(pro, -748, upgradedAgainAt), part(basic, 248, upgradedAgainAt)], {
      amount_paid: 0,
    }),
    // A change of plan that costs nothing.
    invoice(6, upgradedAgainAt, [part(basic, -248, upgradedAgainAt), part(pro, 248, upgradedAgainAt)], {
      amount_paid: 0,
      total: 0,
      total_discount_amounts: [],
    }),
    event('updated', third, third.start, pro, 'past_due'),
    invoice(4, third.start, [lastLine], { amount_paid: 0 }, 'payment_failed'),
    event('updated', third, third.start + HOUR_MS, pro),
    invoice(4, third.start + HOUR_MS, [lastLine]),
    event('updated', third, third.start + DAY_MS, pro, 'active', { cancel_at_period_end: true }),
    event('deleted', third, third.end, pro, 'canceled', { cancel_at_period_end: true, canceled_at: third.end / 1000 }),
    // A failed payment that is reported after the end.
    invoice(7, third.end + HOUR_MS, [lastLine], { amount_paid: 0 }, 'payment_failed'),
    // Refunds in two steps: the first payment, half of the upgrade.
    eventB('charge.refunded', chargeB(payment(3), 1000, 250, metadata), second.start),
    eventB('charge.refunded', chargeB(payment(1), 990, 330, metadata), second.start),
    eventB('charge.refunded', chargeB(payment(1), 990, 990, metadata), second.start + DAY_MS),
    eventB('charge.refunded', chargeB(payment(3), 1000, 500, metadata), second.start + DAY_MS),
    // Disputes: the second payment in part, lost; an inquiry about the fourth.
    dispute(2, 'created', 'needs_response', 495, []),
    dispute(2, 'funds_withdrawn', 'needs_response', 495, withdrawn),
    dispute(2, 'updated', 'under_review', 495, withdrawn),
    dispute(2, 'closed', 'lost', 495, withdrawn),
    dispute(4, 'created', 'warning_needs_response', 2990),
    dispute(4, 'updated', 'warning_under_review', 2990, []),
    dispute(4, 'closed', 'warning_closed', 2990, []),
  ]
}

function otherSubscriptions(seed: number, userId: string): Event[] {
  const lapsed = subscriptionOf(seed, userId, 'lapsed')
  const recovered = subscriptionOf(seed, userId, 'recovered')
  const line = { price: pro, amount: 2990, ...first }
  const note = (n: number, kind: string, atMs: number, change: Fields = {}) =>
    eventB(`credit_note.${kind}`, creditNoteB(generationOf(seed), `in_b${seed}_recovered${n}`, 1495, change), atMs)
  const quantity = {
    lines: { data: linesIn(recovered.invoice(2, 0, [line])).map((each) => ({ ...each, quantity: 2 })) },
  }
  const free = { amount_paid: 0, total: 0, total_discount_amounts: [{ amount: 2990, discount: 'di_1' }] }
  return [
    lapsed.checkout,
    recovered.checkout,
    // Events of one second sort by their position in the life cycle.
    lapsed.invoice(2, second.start, [{ price: basic, amount: 990, ...second }], { amount_paid: 0 }, 'payment_failed'),
    lapsed.event('updated', second, second.start, basic),
    lapsed.event('created', first, first.start, basic, 'incomplete'),
    lapsed.invoice(1, first.start, [{ price: basic, amount: 990, ...first }]),
    recovered.event('updated', first, first.start + HOUR_MS, pro, 'active', { cancel_at: first.end / 1000 }),
    recovered.event('created', first, first.start + HOUR_MS, pro, 'incomplete'),
    recovered.invoice(0, first.start, [line], { amount_paid: 0 }, 'payment_failed'),
    // Free by a discount, twice the plan, half of it from a balance, and an invoice whose lines are not in its event.
    recovered.invoice(1, first.start, [line], free),
    recovered.invoice(1, first.start + 1000, [line], free, 'paid'),
    recovered.invoice(2, first.start, [line], quantity),
    recovered.invoice(3, first.start, [line], { amount_paid: 1495, total: 2990 }),
    recovered.invoice(4, first.start, [line], { lines: { data: [], has_more: true } }),
    // A part is credited, partly outside; a note for another invoice is voided.
    ...['created', 'updated'].map((kind) => note(2, kind, first.start + HOUR_MS, { out_of_band_amount: 500 })),
    note(4, 'created', first.start + HOUR_MS),
    note(4, 'voided', first.start + DAY_MS, { status: 'void' }),
    ...['customer.created', 'payment_intent.succeeded', 'charge.succeeded', 'customer.subscription.paused'].map(
      (type) => eventB(type, { id: `x_b${seed}` }, first.start),
    ),
  ]
}

function packs(seed: number, userId: string): Event[] {
  const metadata = metadataOf(seed, userId)
  const payment = (name: string) => `pi_b${seed}_${name}`
  const session = (name: string, change: Fields = {}) =>
    sessionB(userId, { id: `cs_b${seed}_${name}`, payment_intent: payment(name), amount_total: 3990, ...change })
  const dispute = (name: string, kind: string, status: string, amount = 3990, movements?: Fields[]) =>
    disputeOf(payment(name), kind, metadata, status, amount, movements)
  const completed = (name: string, change: Fields = {}) =>
    eventB('checkout.session.completed', session(name, change), first.start)
  const free = { payment_status: 'no_payment_required', payment_intent: null, amount_total: 0 }
  return [
    completed('won', { payment_status: 'unpaid' }),
    eventB('checkout.session.async_payment_succeeded', session('won'), first.start),
    dispute('won', 'funds_withdrawn', 'needs_response'),
    dispute('won', 'updated', 'under_review', 3990, [{ amount: -3990 }]),
    dispute('won', 'funds_reinstated', 'won'),
    dispute('won', 'closed', 'won'),
    completed('lost'),
    dispute('lost', 'created', 'needs_response'),
    dispute('lost', 'funds_reinstated', 'under_review'),
    dispute('lost', 'closed', 'lost'),
    // One event of a dispute may be all that arrives.
    completed('part'),
    dispute('part', 'funds_withdrawn', 'needs_response', 1330),
    completed('back'),
    dispute('back', 'created', 'needs_response'),
    dispute('back', 'funds_reinstated', 'under_review'),
    completed('pending'),
    dispute('pending', 'created', 'needs_response', 3990, []),
    completed('unpaid', { payment_status: 'unpaid' }),
    // Half is refunded, and the other half disputed and won.
    completed('half'),
    eventB('charge.refunded', chargeB(payment('half'), 3990, 1995, metadata), first.start),
    // A refund that fails later is undone.
    ...['refund.failed', 'refund.updated', 'charge.refund.updated'].map((type) =>
      eventB(type, failedRefundB(payment('half'), 995, metadata), first.start + HOUR_MS),
    ),
    dispute('half', 'created', 'needs_response', 1995),
    dispute('half', 'closed', 'won', 1995),
    completed('prevented'),
    dispute('prevented', 'closed', 'prevented'),
    // Events show how many were bought in the subtotal alone.
    completed('three', { amount_subtotal: 3 * 3990, amount_total: 3 * 3990, line_items: undefined }),
    completed('free', free),
    completed('free', free),
  ]
}

const linesIn = ({ data }: Event): Fields[] => (data as { object: { lines: { data: Fields[] } } }).object.lines.data
