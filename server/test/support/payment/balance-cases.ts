/** Rows of the table of payments: credit notes, balances, disputes, tiers, and what invoices and events lack. */
import { type Case, disputed, free, fromBalance } from './payment-case.ts'
import { DAY_MS } from './payment-events.ts'
import { end, type Fields, item, line, moved, paid, part, type Scene, start, transactions } from './payment-scene.ts'

export const balanceCases: Case[] = [
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
