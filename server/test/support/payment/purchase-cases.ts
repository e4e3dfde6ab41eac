/** Rows of the table of payments: plans and their changes, discounts, taxes, packs, seats, refunds. */
import {
  type Case,
  changesA,
  disputed,
  freeUltimateA,
  freeUltimateB,
  paidA,
  refundedInEuro,
  refundOfPack,
  returnedB,
  upgrade,
} from './payment-case.ts'
import { DAY_MS } from './payment-events.ts'
import { item, line, moved, paid, part, start, starter } from './payment-scene.ts'

export const purchaseCases: Case[] = [
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
]
