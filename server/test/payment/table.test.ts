/**
 * Credits follow the money: one table of cases. Each row is what a user does, as the events of payment-a and of payment-b where both
 * can say it, and the credits that are left.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receive, retryEvents } from '../../src/payment/events.ts'
import type { Person } from '../support/harness.ts'
import { type Processor, stateOf } from '../support/payment/payment-delivery.ts'
import { DAY_MS, type Event } from '../support/payment/payment-events.ts'
import {
  end,
  type Fields,
  item,
  line,
  moved,
  openPayments,
  paid,
  part,
  type Scene,
  scene,
  start,
  starter,
  transactions,
} from '../support/payment/payment-scene.ts'

const kinora = await openPayments()

type Case = { name: string; credits: number; a?: (scene: Scene) => Event[]; b?: (scene: Scene) => Event[] }
/** payment-a: plans that are changed one after another, each with what its transaction charged; null: nothing was charged. */
const changesA =
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
const paidA =
  (product: string, amounts: Fields, change: Fields = {}, about: Fields = {}) =>
  ({ subscriptionA, transaction }: Scene): Event[] => [
    subscriptionA('paid', product, transaction(1, amounts, about), change),
  ]
const free = (cents: number): Fields => ({ amount: cents, discount_amount: cents, amount_paid: 0 })
const refundOfPack =
  (...refunds: [id: string, Fields][]) =>
  ({ packA, returnA }: Scene): Event[] => [
    packA(),
    ...refunds.map(([id, change]) =>
      returnA('refund.created', { id, refund_amount: 1490, refund_currency: 'USD', ...change }),
    ),
  ]
const refundedInEuro =
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
const disputed =
  (...steps: [step: string, Fields][]) =>
  ({ session, dispute }: Scene): Event[] => [
    session([starter]),
    ...steps.map(([step, change]) => dispute(step, change)),
  ]
const returnedB =
  (...steps: [type: string, Fields][]) =>
  ({ session, chargeB }: Scene): Event[] => [
    session([starter]),
    ...steps.map(([type, change]) => chargeB(type, change)),
  ]
/** An invoice that a balance pays. */
const fromBalance = (cents: number): Fields => ({
  starting_balance: -cents,
  ending_balance: 0,
  amount_due: 0,
  amount_paid: 0,
})
const upgrade =
  (basic: number, next: number, product = 'pro_monthly') =>
  ({ invoice }: Scene): Event[] => [
    invoice(1, [line('basic_monthly', 990)]),
    invoice(2, [part('basic_monthly', basic), part(product, next)]),
  ]
/** The n-th subscription of a user, `days` after the first, with a discount of 100 %. */
const freeUltimateA = ({ subscriptionA, transaction, ids }: Scene, n: number, days = 0): Event => {
  const [id, from] = [`${ids.sub}_${n}`, start + days * DAY_MS + n * 60_000]
  const dates = { created_at: from, period_start: from, period_end: from + 31 * DAY_MS }
  return subscriptionA('paid', 'ultimate_monthly', transaction(n, free(7990), { subscription: id, ...dates }), { id })
}
const freeUltimateB = ({ invoice, ids }: Scene, n: number, days = 0): Event => {
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

const cases: Case[] = [
  {
    name: 'basic → pro → ultimate → basic → pro → ultimate-yearly, each difference charged, 799.00 in all',
    // 280 + 680 + 1890 + 31350
    credits: 34_200,
    a: changesA(
      ['basic_monthly', 990],
      ['pro_monthly', 2000],
      ['ultimate_monthly', 5000],
      ['basic_monthly', null],
      ['pro_monthly', null],
      ['ultimate_yearly', 71_910],
    ),
  },
  {
    name: 'the same chain, whose way down goes to a balance that pays a part of the way up',
    // 280 + 680 + 1890 + 0 + 0 + 33240 × 71910 ÷ 76910
    credits: 33_929,
    b: ({ invoice }) => [
      invoice(1, [line('basic_monthly', 990)]),
      invoice(2, [part('basic_monthly', -990), part('pro_monthly', 2990)]),
      invoice(3, [part('pro_monthly', -2990), part('ultimate_monthly', 7990)]),
      invoice(4, [part('ultimate_monthly', -7990), part('basic_monthly', 990)]),
      invoice(5, [part('basic_monthly', -990), part('pro_monthly', 2990)], {
        starting_balance: -7000,
        ending_balance: -5000,
        amount_due: 0,
        amount_paid: 0,
      }),
      invoice(6, [part('pro_monthly', -2990), line('ultimate_yearly', 79_900)], {
        starting_balance: -5000,
        amount_due: 71_910,
        amount_paid: 71_910,
      }),
    ],
  },
  {
    name: 'basic → pro → ultimate, 79.90 in all',
    credits: 2850,
    a: changesA(['basic_monthly', 990], ['pro_monthly', 2000], ['ultimate_monthly', 5000]),
    b: ({ invoice }) => [
      invoice(1, [line('basic_monthly', 990)]),
      invoice(2, [part('basic_monthly', -990), part('pro_monthly', 2990)]),
      invoice(3, [part('pro_monthly', -2990), part('ultimate_monthly', 7990)]),
    ],
  },
  {
    name: 'basic → ultimate in one step, 79.90 in all',
    credits: 2850,
    a: changesA(['basic_monthly', 990], ['ultimate_monthly', 7000]),
    b: upgrade(-990, 7990, 'ultimate_monthly'),
  },
  {
    name: 'basic → ultimate, two thirds of the period left, in one period',
    credits: 280 + 1713,
    a: changesA(['basic_monthly', 990], ['ultimate_monthly', 4667]),
    b: upgrade(-660, 5327, 'ultimate_monthly'),
  },
  {
    name: 'basic → ultimate with half of basic left, which pays a part of a new period',
    credits: 280 + 2710,
    a: changesA(['basic_monthly', 990], ['ultimate_monthly', 7495]),
    b: upgrade(-495, 7990, 'ultimate_monthly'),
  },
  {
    name: 'discount of 100 %, cancelled and bought again five times in ten minutes',
    credits: 2850,
    a: (stage) => [1, 2, 3, 4, 5].map((n) => freeUltimateA(stage, n)),
    b: (stage) => [1, 2, 3, 4, 5].map((n) => freeUltimateB(stage, n)),
  },
  {
    name: 'discount of 100 %, bought again in the next period',
    credits: 5700,
    a: (stage) => [freeUltimateA(stage, 1), freeUltimateA(stage, 2), freeUltimateA(stage, 3, 31)],
    b: (stage) => [freeUltimateB(stage, 1), freeUltimateB(stage, 2), freeUltimateB(stage, 3, 31)],
  },
  {
    name: 'ultimate-monthly → basic-yearly for 99.00 in all',
    credits: 3360,
    a: changesA(['ultimate_monthly', 7990], ['basic_yearly', 1910]),
    b: ({ invoice }) => [
      invoice(1, [line('ultimate_monthly', 7990)]),
      invoice(2, [part('ultimate_monthly', -7990), line('basic_yearly', 9900)]),
    ],
  },
  {
    name: 'pro paid, refunded, paid again in the same period',
    credits: 960,
    a: ({ subscriptionA, transaction, returnA }) => [
      subscriptionA('paid', 'pro_monthly', transaction(1, paid(2990))),
      returnA('refund.created', { refund_amount: 2990, transaction: transaction(1, paid(2990)) }),
      subscriptionA('paid', 'pro_monthly', transaction(2, paid(2990))),
    ],
    b: ({ invoice, chargeB, ids }) => [
      invoice(1, [line('pro_monthly', 2990)], { payment_intent: `pi_${ids.sub.slice(4)}` }),
      chargeB('charge.refunded', { amount: 2990, amount_refunded: 2990 }),
      invoice(2, [line('pro_monthly', 2990)]),
    ],
  },
  {
    name: 'ultimate; basic on day 1 with 67.67 refunded; ultimate again on day 2 for 65.33',
    credits: 2766,
    a: ({ subscriptionA, transaction, returnA }) => {
      const first = transaction(1, paid(7990), { created_at: start })
      return [
        subscriptionA('paid', 'ultimate_monthly', first),
        subscriptionA('update', 'basic_monthly', first),
        returnA('refund.created', { refund_amount: 6767, transaction: first }),
        subscriptionA('paid', 'ultimate_monthly', transaction(2, paid(6533), { created_at: start + 2 * DAY_MS })),
      ]
    },
    b: ({ invoice, chargeB, ids }) => [
      invoice(1, [line('ultimate_monthly', 7990)], { payment_intent: `pi_${ids.sub.slice(4)}` }),
      invoice(2, [part('ultimate_monthly', -7732), part('basic_monthly', 965)], { amount_due: 0, amount_paid: 0 }),
      chargeB('charge.refunded', { amount: 7990, amount_refunded: 6767 }),
      invoice(3, [part('basic_monthly', -932), part('ultimate_monthly', 7465)]),
    ],
  },
  {
    name: 'nothing paid and no discount',
    credits: 0,
    a: paidA('ultimate_monthly', { amount: 7990, amount_paid: 0 }),
    b: ({ invoice }) => [invoice(1, [line('ultimate_monthly', 7990)], { amount_paid: 0 })],
  },
  {
    name: '7.90 of 79.90 paid',
    credits: 282,
    a: paidA('ultimate_monthly', { amount: 7990, amount_paid: 790 }),
    b: ({ invoice }) => [invoice(1, [line('ultimate_monthly', 790)])],
  },
  {
    name: 'object that is trialing',
    credits: 0,
    a: paidA('ultimate_monthly', paid(0), { status: 'trialing' }),
    b: ({ invoice }) => [invoice(1, [line('ultimate_monthly', 0)])],
  },
  {
    name: 'transaction that was declined',
    credits: 0,
    a: paidA('ultimate_monthly', paid(7990), {}, { status: 'declined' }),
  },
  { name: 'paid trial: 1.00 for 7 days', credits: 0, a: paidA('pro_monthly', paid(100), { status: 'trialing' }) },
  {
    name: 'paid trial that reconciliation finds',
    credits: 0,
    a: ({ subscriptionA, transaction }) => [
      subscriptionA('reconciled', 'pro_monthly', transaction(1, paid(100)), { status: 'trialing' }),
    ],
  },
  {
    name: 'discount of a half, and tax of 20 % beside the price',
    credits: 960,
    a: paidA('pro_monthly', { amount: 2990, discount_amount: 1495, tax_amount: 299, amount_paid: 1794 }),
    b: ({ invoice }) => [
      invoice(1, [line('pro_monthly', 2990)], {
        total: 1794,
        amount_due: 1794,
        amount_paid: 1794,
        total_discount_amounts: [{ amount: 1495 }],
      }),
    ],
  },
  {
    name: 'tax of 20 % within the price',
    credits: 960,
    a: paidA('pro_monthly', { amount: 2990, tax_amount: 498, amount_paid: 2990 }),
    b: ({ invoice }) => [invoice(1, [line('pro_monthly', 2990)])],
  },
  {
    name: 'paid in another currency',
    credits: 960,
    a: paidA('pro_monthly', { ...paid(2790), currency: 'EUR' }),
    b: ({ invoice }) => [invoice(1, [line('pro_monthly', 2790)], { currency: 'eur' })],
  },
  {
    name: 'three packs',
    credits: 840,
    a: ({ packA }) => [packA({ amount: 4470 }, { units: 3 })],
    b: ({ session }) => [session([item('pack_starter', 3, 4470)])],
  },
  {
    name: 'five seats',
    credits: 1400,
    a: paidA('basic_monthly', paid(4950), { items: [{ units: 5 }] }),
    b: ({ invoice }) => [invoice(1, [line('basic_monthly', 4950, { quantity: 5 })])],
  },
  {
    name: 'seats 1 → 3 at half of the period',
    credits: 560,
    a: ({ subscriptionA, transaction }) => [
      subscriptionA('paid', 'basic_monthly', transaction(1, paid(990)), { items: [{ units: 1 }] }),
      subscriptionA('paid', 'basic_monthly', transaction(2, paid(990)), { items: [{ units: 3 }] }),
    ],
    b: ({ invoice }) => [
      invoice(1, [line('basic_monthly', 990)]),
      invoice(2, [part('basic_monthly', -495), { ...part('basic_monthly', 1485), quantity: 3 }]),
    ],
  },
  ...['failed', 'canceled', 'pending', 'requires_action'].map((status) => ({
    name: `refund that is ${status}`,
    credits: 280,
    a: refundOfPack(['1', { status: status === 'requires_action' ? 'requiresAction' : status }]),
    b: returnedB(['refund.updated', { object: 'refund', status }]),
  })),
  {
    name: 'refund that is pending, then succeeded',
    credits: 0,
    a: refundOfPack(['1', { status: 'pending' }], ['1', { status: 'succeeded' }]),
  },
  {
    name: 'refund that succeeded, then failed',
    credits: 280,
    a: refundOfPack(['1', { status: 'succeeded' }], ['1', { status: 'failed' }]),
    b: returnedB(
      ['charge.refunded', { amount_refunded: 1490 }],
      ['refund.failed', { object: 'refund', status: 'failed' }],
    ),
  },
  {
    name: 'refund that succeeded, then was updated to failed',
    credits: 280,
    b: returnedB(
      ['charge.refunded', { amount_refunded: 1490 }],
      ['refund.updated', { object: 'refund', status: 'failed' }],
    ),
  },
  {
    name: 'whole payment refunded in another currency',
    credits: 0,
    a: refundedInEuro(1370, 1490),
    b: disputed(['created', { amount: 1180, currency: 'gbp', status: 'needs_response', ...moved(-1490) }]),
  },
  {
    name: 'half of it refunded or disputed in another currency',
    credits: 140,
    a: refundedInEuro(685, 745),
    b: disputed(['created', { amount: 1150, currency: 'jpy', status: 'needs_response', ...moved(-745) }]),
  },
  {
    name: '3 × starter, 1 × pro, metadata pro',
    credits: 3690,
    b: ({ session, userId }) => [
      session([item('pack_starter', 3, 4470), item('pack_pro', 1, 9990)], {
        metadata: { userId, productId: 'pack-pro' },
      }),
    ],
  },
  {
    name: 'starter + pro, metadata starter',
    credits: 3130,
    b: ({ session }) => [session([starter, item('pack_pro', 1, 9990)])],
  },
  {
    name: 'two starters at 7.45: a price of its own',
    credits: 280,
    b: ({ session }) => [session([item('pack_starter', 2, 1490)])],
  },
  {
    name: 'two starters with a discount of a half',
    credits: 560,
    b: ({ session }) => [session([item('pack_starter', 2, 2980)], { amount_total: 1490 })],
  },
  {
    name: 'session with a discount of 100 %, in two events',
    credits: 280,
    b: ({ session }) => {
      const discounted = { payment_status: 'no_payment_required', payment_intent: null, amount_total: 0 }
      return [session([starter], discounted), session([starter], discounted)]
    },
  },
  {
    name: 'an invoice with a pack and a plan',
    credits: 1240,
    b: ({ invoice }) => [invoice(1, [line('pack_starter', 1490), line('pro_monthly', 2990)])],
  },
  {
    name: 'a pack alone by a manual invoice',
    credits: 280,
    b: ({ invoice }) => [invoice(1, [line('pack_starter', 1490)], { billing_reason: 'manual' })],
  },
  {
    name: 'session with invoice_creation',
    credits: 280,
    b: ({ session, invoice, ids }) => [
      invoice(1, [line('pack_starter', 1490)], { billing_reason: 'manual' }),
      session([starter], { invoice: `in_${ids.sub.slice(4)}_1` }),
    ],
  },
  { name: 'upgrade with 10 of 31 days left', credits: 280 + 219, b: upgrade(-319, 964) },
  { name: 'upgrade with 9 of 28 days left', credits: 280 + 219, b: upgrade(-318, 961) },
  { name: 'upgrade with 14 of 30 days left', credits: 280 + 317, b: upgrade(-462, 1395) },
  {
    name: 'credit note of 10.00 before payment',
    credits: 960,
    b: ({ invoice }) => [
      invoice(1, [line('pro_monthly', 2990)], {
        amount_due: 1990,
        amount_paid: 1990,
        pre_payment_credit_notes_amount: 1000,
      }),
    ],
  },
  {
    name: 'month credited to the balance, which pays the next',
    credits: 960,
    b: ({ invoice, note }) => [
      invoice(1, [line('pro_monthly', 2990)]),
      note(1, { post_payment_amount: 2990 }),
      invoice(2, [line('pro_monthly', 2990)], fromBalance(2990)),
    ],
  },
  {
    name: 'month credited to the balance in the format before 2025-03-31',
    credits: 0,
    b: ({ invoice, note }) => [
      invoice(1, [line('pro_monthly', 2990)]),
      note(1, { refunds: undefined, refund: null, amount: 2990, customer_balance_transaction: 'cbtxn_1' }),
    ],
  },
  {
    name: 'month credited a third each to the balance, by a refund and outside, then the balance pays a third of the next',
    // 960 − 960, and 960 × 9.90 ÷ 29.90
    credits: 318,
    b: ({ invoice, note, chargeB, ids }) => [
      invoice(1, [line('pro_monthly', 2970)], { payment_intent: `pi_${ids.sub.slice(4)}` }),
      note(1, {
        post_payment_amount: 2970,
        out_of_band_amount: 990,
        refunds: [{ amount_refunded: 990, refund: 're_1', type: 'refund' }],
      }),
      chargeB('charge.refunded', { amount: 2970, amount_refunded: 990 }),
      invoice(2, [line('pro_monthly', 990)], fromBalance(990)),
    ],
  },
  {
    name: 'credit note that is voided',
    credits: 960,
    b: ({ invoice, note }) => [
      invoice(1, [line('pro_monthly', 2990)]),
      note(1, { post_payment_amount: 2990, out_of_band_amount: 1000 }),
      note(1, { post_payment_amount: 2990, out_of_band_amount: 1000 }, 'voided'),
    ],
  },
  {
    name: 'credit note for an invoice that a downgrade had paid: that balance pays again, and brings nothing',
    credits: 2850,
    b: ({ invoice, note }) => [
      invoice(1, [line('ultimate_monthly', 7990)]),
      invoice(2, [part('ultimate_monthly', -7990), part('basic_monthly', 990)]),
      invoice(3, [line('pro_monthly', 2990)], fromBalance(2990)),
      note(3, { post_payment_amount: 2990 }),
      invoice(4, [line('ultimate_monthly', 7000)], fromBalance(7000)),
    ],
  },
  {
    name: 'invoice paid by a credit note’s balance and a card, whose charge is refunded',
    credits: 960,
    b: ({ invoice, note, chargeB, ids }) => [
      invoice(1, [line('pro_monthly', 2990)]),
      note(1, { post_payment_amount: 1000 }),
      invoice(2, [line('pro_monthly', 2990)], {
        ...fromBalance(1000),
        amount_due: 1990,
        amount_paid: 1990,
        payment_intent: `pi_${ids.sub.slice(4)}`,
      }),
      chargeB('charge.refunded', { amount: 1990, amount_refunded: 1990 }),
    ],
  },
  {
    name: 'credit note of 10.00 before payment, and the rest refunded',
    credits: 0,
    b: ({ invoice, chargeB, ids }) => [
      invoice(1, [line('pro_monthly', 2990)], {
        amount_due: 1990,
        amount_paid: 1990,
        pre_payment_credit_notes_amount: 1000,
        payment_intent: `pi_${ids.sub.slice(4)}`,
      }),
      chargeB('charge.refunded', { amount: 1990, amount_refunded: 1990 }),
    ],
  },
  {
    name: 'overpaid month pays the next',
    credits: 1920,
    b: ({ invoice }) => [
      invoice(1, [line('pro_monthly', 2990)], { amount_paid: 5980 }),
      invoice(2, [line('pro_monthly', 2990)], {
        starting_balance: -2990,
        ending_balance: 0,
        amount_due: 0,
        amount_paid: 0,
      }),
    ],
  },
  {
    name: 'overpaid month, then an upgrade for 0.30',
    credits: 960 + 11,
    b: ({ invoice }) => [
      invoice(1, [line('pro_monthly', 2990)], { amount_paid: 5980 }),
      invoice(2, [part('pro_monthly', -18), part('ultimate_monthly', 48)]),
    ],
  },
  {
    name: 'discount of 100 %, plan changed in mid-period',
    credits: 280,
    a: ({ subscriptionA, transaction }) => [
      subscriptionA('paid', 'basic_monthly', transaction(1, free(990), { created_at: start })),
      subscriptionA('paid', 'pro_monthly', transaction(2, free(2990), { created_at: start + DAY_MS })),
    ],
  },
  {
    name: 'paid, then changed in mid-period with a discount of 100 %',
    credits: 280,
    a: ({ subscriptionA, transaction }) => [
      subscriptionA('paid', 'basic_monthly', transaction(1, paid(990), { created_at: start })),
      subscriptionA('paid', 'pro_monthly', transaction(2, free(2990), { created_at: start + DAY_MS })),
    ],
  },
  {
    name: '0.30 carried over the minimum',
    credits: 960 + 11,
    b: ({ invoice }) => [
      invoice(1, [line('pro_monthly', 2990)]),
      invoice(2, [part('pro_monthly', -18), part('ultimate_monthly', 48)], {
        amount_due: 0,
        amount_paid: 0,
        ending_balance: 30,
      }),
    ],
  },
  {
    name: 'paid in two parts',
    credits: 960,
    b: ({ invoice }) => [
      invoice(1, [line('pro_monthly', 2990)], { status: 'open', amount_paid: 1000, amount_remaining: 1990 }),
      invoice(1, [line('pro_monthly', 2990)]),
    ],
  },
  {
    name: 'downgrade whose balance pays the next month',
    credits: 2850,
    b: ({ invoice }) => [
      invoice(1, [line('ultimate_monthly', 7990)]),
      invoice(2, [part('ultimate_monthly', -7990), part('basic_monthly', 990)]),
      invoice(3, [line('basic_monthly', 990)], {
        starting_balance: -7000,
        ending_balance: -6010,
        amount_due: 0,
        amount_paid: 0,
      }),
    ],
  },
  {
    name: 'balance of a downgrade, used for a month: a balance that was given pays as money beside what is left of it',
    // 7990 − (7000 − 2990) of the third invoice is money.
    credits: 2850 + 1420,
    b: ({ invoice }) => [
      invoice(1, [line('ultimate_monthly', 7990)]),
      invoice(2, [part('ultimate_monthly', -7990), part('basic_monthly', 990)]),
      invoice(3, [line('pro_monthly', 2990)], fromBalance(2990)),
      invoice(4, [line('ultimate_monthly', 7990)], fromBalance(7990)),
    ],
  },
  {
    name: 'pro → ultimate in the middle of a month, in euro, whose lines name no price of a whole month',
    credits: 960 - 480 + 1425,
    b: ({ invoice }) => {
      const [from, to] = [Date.UTC(2026, 0, 15), Date.UTC(2026, 1, 15)].map((ms) => ms / 1000) as [number, number]
      const named = (of: Fields, cents: number, begin: number) => ({
        ...of,
        pricing: { unit_amount_decimal: `${cents}` },
        period: { start: begin, end: to },
      })
      const middle = (from + to) / 2
      return [
        invoice(1, [named(line('pro_monthly', 2780), 2780, from)], { currency: 'eur' }),
        invoice(
          2,
          [named(part('pro_monthly', -1390), 1390, middle), named(part('ultimate_monthly', 3715), 3715, middle)],
          { currency: 'eur' },
        ),
      ]
    },
  },
  {
    name: 'dispute lost, appealed, won',
    credits: 280,
    b: disputed(
      ['created', { status: 'needs_response', ...moved(-1490) }],
      ['closed', { status: 'lost', ...moved(-1490) }],
      ['funds_reinstated', { status: 'won', ...moved(-1490, 1490) }],
    ),
  },
  {
    name: 'dispute lost with half of the funds back',
    credits: 140,
    b: disputed(
      ['created', { status: 'needs_response', ...moved(-1490) }],
      ['closed', { status: 'lost', ...moved(-1490, 745) }],
    ),
  },
  {
    name: 'funds_reinstated with status lost, before closed',
    credits: 0,
    b: disputed(
      ['created', { status: 'needs_response', ...moved(-1490) }],
      ['funds_reinstated', { status: 'lost', ...moved(-1490) }],
    ),
  },
  {
    name: 'empty invoice of 0.00',
    credits: 0,
    b: ({ invoice }) => [invoice(1, []), invoice(2, [line('another_shop', 0)])],
  },
  {
    name: 'three seats in graduated tiers, a line for each',
    credits: 2880,
    b: ({ invoice }) => [
      invoice(1, [
        { ...line('pro_monthly', 2990), pricing: { unit_amount_decimal: '2990' } },
        { ...line('pro_monthly', 3980, { quantity: 2 }), pricing: { unit_amount_decimal: '1990' } },
      ]),
    ],
  },
  {
    name: 'three seats at the price of their tier',
    credits: 2880,
    b: ({ invoice }) => [
      invoice(1, [
        {
          ...line('pro_monthly', 6970, { quantity: 3 }),
          price: { id: 'price_pro_monthly', billing_scheme: 'tiered', unit_amount: null },
        },
      ]),
    ],
  },
  // The fee has no units; the second price has none for one.
  ...[
    [4990, 1980],
    [6970, 0],
  ].map(([fee = 0, units = 0]) => ({
    name: `three seats in a tier for ${units} and its flat fee of ${fee}`,
    credits: 2880,
    b: ({ invoice }: Scene) => [
      invoice(1, [
        { ...line('pro_monthly', units, { quantity: 3 }), pricing: { unit_amount_decimal: `${units / 3}` } },
        { ...line('pro_monthly', fee, { quantity: 0 }), pricing: { unit_amount_decimal: null } },
      ]),
    ],
  })),
  {
    name: 'a package of ten at the price of one, which its price names and its line does not',
    credits: 960,
    b: ({ invoice }) => [
      invoice(1, [
        {
          ...line('pro_monthly', 2990, { quantity: 10 }),
          price: { id: 'price_pro_monthly', billing_scheme: 'per_unit', unit_amount: 2990 },
          pricing: { unit_amount_decimal: null },
        },
      ]),
    ],
  },
  {
    name: 'three seats at the price of their tier, newer API',
    credits: 2880,
    b: ({ invoice }) => [
      invoice(1, [
        {
          ...line('pro_monthly', 6970, { quantity: 3 }),
          price: undefined,
          pricing: { price_details: { price: 'price_pro_monthly' }, unit_amount_decimal: null },
        },
      ]),
    ],
  },
  ...(
    [
      ['jpy', 2198],
      ['eur', 2780],
    ] as const
  ).flatMap(([currency, cents]) =>
    [undefined, { [currency]: { unit_amount: cents / 2 } }].map((currency_options) => ({
      name: `two packs of a price in dollars, paid in ${currency}${currency_options ? ' by its option' : ''}`,
      credits: 560,
      b: ({ session }: Scene) => [
        session(
          [
            {
              ...item('pack_starter', 2, cents),
              price: { id: 'price_pack_starter', currency: 'usd', unit_amount: 1490, currency_options },
            },
          ],
          { currency },
        ),
      ],
    })),
  ),
  ...['in_a in_b in_c', 'in_c in_b in_a', 'in_b in_c in_a'].map((names) => ({
    name: `ultimate → basic, and ultimate for its balance of 70.00 and 9.90, all in one second, as ${names}`,
    credits: 2850 + 353,
    b: ({ invoice, ids }: Scene) =>
      (
        [
          [[line('ultimate_monthly', 7990)], {}],
          [[part('ultimate_monthly', -7990), part('basic_monthly', 990)], {}],
          [
            [line('ultimate_monthly', 7990)],
            { starting_balance: -7000, ending_balance: 0, amount_due: 990, amount_paid: 990 },
          ],
        ] as [Fields[], Fields][]
      ).map(([lines, change], n) =>
        invoice(n, lines, {
          id: `${names.split(' ')[n]}_${ids.sub}`,
          number: `K-${n + 9}`,
          status_transitions: { paid_at: Math.floor(start / 1000) },
          ...change,
        }),
      ),
  })),
  { name: 'inquiry', credits: 280, b: disputed(['created', { status: 'warning_needs_response' }]) },
  {
    name: 'event without an amount: a first payment, a renewal, and a change whose transaction the API shows',
    credits: 280 + 280 + 340,
    a: ({ subscriptionA, ids }) => {
      const name = ids.sub.slice(4)
      transactions.set(`tran_${name}_3`, {
        id: `tran_${name}_3`,
        ...paid(1000),
        currency: 'USD',
        status: 'paid',
        created_at: end + DAY_MS,
        period_start: end,
        period_end: end + 31 * DAY_MS,
      })
      const second = {
        current_period_start_date: new Date(end).toISOString(),
        current_period_end_date: new Date(end + 31 * DAY_MS).toISOString(),
      }
      const event = (n: number, product: string, change: Fields) =>
        subscriptionA('paid', product, null, { last_transaction_id: `tran_${name}_${n}`, ...change })
      return [event(1, 'basic_monthly', {}), event(2, 'basic_monthly', second), event(3, 'pro_monthly', second)]
    },
  },
]

const available = async ({ userId }: Person): Promise<number> => {
  const [row] = await kinora.app.sql<{ available: number }[]>`
    select available from kinora.credit_account where user_id = ${userId}
  `
  return row?.available ?? 0
}

for (const { name, credits, a, b } of cases) {
  for (const [processor, events] of Object.entries({ 'payment-a': a, 'payment-b': b })) {
    if (!events) continue
    test(`${processor}: ${name} → ${credits}, in both sequences`, async () => {
      for (const isReversed of [false, true]) {
        const person = await kinora.person({ credits: 0 })
        const stage = scene(person.userId)
        const delivered = events(stage)
        if (isReversed) delivered.reverse()
        for (const event of delivered) {
          await receive(kinora.app, processor as Processor, JSON.stringify(event))
          await retryEvents(kinora.app)
        }
        assert.equal(await available(person), credits, isReversed ? 'reversed' : 'in order')
        const failed = await kinora.app.sql`
          select external_id, reason from kinora.payment_event
          where user_id = ${person.userId} and state not in ('applied', 'ignored')
        `
        assert.deepEqual([...failed], [])
      }
    })
  }
}

test('payment-a: events without amounts that cannot be read, in all orders → the same books; the change waits for its amount', async () => {
  const orders = [0, 1, 2].flatMap((first) => [1, 2].map((step) => [first, (first + step) % 3, (first + 3 - step) % 3]))
  for (const order of orders) {
    const person = await kinora.person({ credits: 0 })
    const { subscriptionA, ids } = scene(person.userId)
    const name = ids.sub.slice(4)
    const renewal = {
      current_period_start_date: new Date(end).toISOString(),
      current_period_end_date: new Date(end + 31 * DAY_MS).toISOString(),
      last_transaction_date: new Date(end).toISOString(),
    }
    const events = [
      subscriptionA('paid', 'basic_monthly', null, { last_transaction_id: `tran_${name}_1` }),
      subscriptionA('paid', 'ultimate_monthly', null, { last_transaction_id: `tran_${name}_2` }),
      subscriptionA('paid', 'ultimate_monthly', null, { last_transaction_id: `tran_${name}_3`, ...renewal }),
    ]
    for (const n of order) {
      await receive(kinora.app, 'payment-a', JSON.stringify(events[n]))
      await retryEvents(kinora.app)
    }
    assert.equal(await available(person), 280 + 2850, `${order}`)
    const states = await kinora.app.sql<{ state: string }[]>`
      select state from kinora.payment_event where user_id = ${person.userId} order by external_id
    `
    assert.deepEqual(states.map(({ state }) => state).sort(), ['applied', 'applied', 'waiting'], `${order}`)
    assert.equal(await stateOf(kinora, events[1] ?? assert.fail()), 'waiting', `${order}`)
    transactions.set(`tran_${name}_2`, {
      id: `tran_${name}_2`,
      ...paid(7000),
      currency: 'USD',
      status: 'paid',
      created_at: start + DAY_MS,
    })
    kinora.turnClock(120_000)
    await retryEvents(kinora.app)
    assert.equal(await available(person), 2850 + 2850, `${order}`)
    assert.equal(await stateOf(kinora, events[1] ?? assert.fail()), 'applied', `${order}`)
  }
})
