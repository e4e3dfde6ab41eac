/**
 * Planted faults of payment processor B (server/src/payment), of its events, invoice lines, refunds and disputes, and of the reading of
 * its account: one-line changes, each of which a test must find (planted-faults.ts).
 */
import { type Fault, faultsIn } from './fault.ts'

export const paymentBFaults: Fault[] = [
  ...faultsIn('src/payment/payment-b/events.ts', [
    ['payment-b: an unpaid session grants', "if (status !== 'paid' && !isFree) {", 'if (false) {'],
    [
      'payment-b: a free session does not grant',
      "const isFree = status === 'no_payment_required'",
      'const isFree = false',
    ],
    [
      'payment-b: a free session is granted once an event',
      "idAt(object, 'payment_intent') ?? idAt(object) ?? time.externalId",
      "idAt(object, 'payment_intent') ?? time.externalId",
    ],
    ['payment-b: the quantity of a pack is ignored', ', paid, quantity, bound', ', paid, bound'],
    [
      'payment-b: the customer of a payment link is bound',
      "textAt(session, 'metadata', 'userId') === null ? []",
      'false ? []',
    ],
    ['payment-b: deleted is not the end', 'sortKeyOf(atMs, rank, eventId, isEnd)', 'sortKeyOf(atMs, rank, eventId)'],
    [
      'payment-b: a cancellation at the period’s end does not show',
      "at(object, 'cancel_at_period_end') === true ||",
      '',
    ],
    [
      'payment-b: lines that the event lacks are ignored',
      "if (at(object, 'lines', 'has_more') === true) {",
      'if (false) {',
    ],
    [
      'payment-b: an invoice that waits for its lines is not tried again',
      "problem: 'lines_missing', retry: true",
      "problem: 'lines_missing'",
    ],
    [
      'payment-b: a line of an unknown price is skipped',
      'if (bought.length === 0 || bought.length < lines.length) {',
      'if (bought.length === 0) {',
    ],
    [
      'payment-b: a discount of 100 % does not grant',
      'const isFree = paid <= 0 && isDiscountedToZero(object)',
      'const isFree = false',
    ],
    [
      'payment-b: every unpaid invoice grants',
      'const isFree = paid <= 0 && isDiscountedToZero(object)',
      'const isFree = paid <= 0',
    ],
    [
      'payment-b: what a balance paid grants again',
      'const share = total > 0 ? Math.min(1, paid / total) : 1',
      'const share = 1',
    ],
    [
      'payment-b: the newest line is that of the old plan',
      '.toSorted((a, b) => (a.end?.getTime() ?? 0) - (b.end?.getTime() ?? 0))\n    .at(-1)',
      '.toSorted((a, b) => (a.end?.getTime() ?? 0) - (b.end?.getTime() ?? 0))\n    .at(0)',
    ],
    [
      'payment-b: a free plan change in mid-period grants',
      'isFree ? bought.filter(({ isProration }) => !isProration) : bought',
      'bought',
    ],
    [
      'payment-b: only the first payment of an invoice is linked',
      'payments.map(paymentIn)',
      'payments.slice(0, 1).map(paymentIn)',
    ],
    [
      'payment-b: both names of a paid invoice grant',
      'const orderNo = idAt(object)\n',
      'const orderNo = idAt(object) && idAt(object) + Math.random()\n',
    ],
    [
      'payment-b: a failed payment leaves the record active',
      "sortKey: sortKeyOf(atMs, 6, externalId),\n        status: 'past_due',",
      "sortKey: sortKeyOf(atMs, 6, externalId),\n        status: 'active',",
    ],
    [
      'payment-b: a failed payment sorts last',
      'sortKeyOf(atMs, 6, externalId)',
      'sortKeyOf(atMs, 6, externalId, true)',
    ],
    ['payment-b: the payment of an invoice is not linked', "'invoice_payment.paid': invoicePayment,", ''],
    ['payment-b: a delayed payment does not grant', "'checkout.session.async_payment_succeeded': checkout,", ''],
    [
      'payment-b: withdrawn funds take nothing',
      "'charge.dispute.funds_withdrawn': (object) => returned(object, 'taken'),",
      '',
    ],
    ['payment-b: reinstated funds take', "returned(object, 'given_back'),\n}", "returned(object, 'taken'),\n}"],
    ['payment-b: a closed dispute changes nothing', "'charge.dispute.closed': dispute,", ''],
  ]),
  ...faultsIn('src/payment/payment-b/lines.ts', [
    ['payment-b: the quantity of a plan is ignored', 'product.credits * quantityOf(line)', 'product.credits'],
    [
      'payment-b: a quantity of zero takes the credits away',
      'Math.max(1, Math.floor(numberAt',
      'Math.max(0, Math.floor(numberAt',
    ],
    [
      'payment-b: a plan change at no cost counts as a discount',
      "if (numberAt(invoice, 'total') !== 0 || !Array.isArray(discounts)) return false\n  return discounts",
      'if (!Array.isArray(discounts)) return true\n  return discounts.length === 0 || discounts',
    ],
    ['payment-b: a plan change grants the full price', 'if (!isProration || !start || !end)', 'if (true)'],
    [
      'payment-b: the rest of the old plan is not deducted',
      'credits: planCredits * share * sign',
      'credits: Math.max(0, planCredits * share * sign)',
    ],
    [
      'payment-b: the rest of the old plan is added',
      'credits: planCredits * share * sign',
      'credits: planCredits * share',
    ],
    ['payment-b: a line of zero cost grants', 'credits: sign > 0 ? planCredits : 0', 'credits: planCredits'],
    ['payment-b: a session without line items sold one pack', 'return isOne ? 1 : null', 'return 1'],
  ]),
  ...faultsIn('src/payment/payment-b/returns.ts', [
    ['dispute: an inquiry takes', '/^(warning_|prevented$)/', '/^prevented$/'],
    [
      'dispute: takes before its funds are withdrawn',
      'withoutWithdrawal.test(status) || !isWithdrawn',
      'withoutWithdrawal.test(status)',
    ],
    [
      'dispute: won changes nothing',
      "if (status === 'won') return returned(object, 'given_back')",
      "if (status === 'won') return ignored('Won.')",
    ],
    [
      'dispute: lost gives back',
      "if (status === 'lost') return returned(object, 'lost')",
      "if (status === 'lost') return returned(object, 'given_back')",
    ],
    ['dispute: a part takes all', '{ amount: Math.round(amount) }', '{}'],
    ['refund: a part takes all', "return returned(charge, 'taken', part)", "return returned(charge, 'taken', 1)"],
    [
      'refund: each step of a refund is another one',
      "return returned(charge, 'taken', part)",
      "return returned({ ...(charge as object), id: String(idAt(charge)) + refunded }, 'taken', part)",
    ],
    [
      'refund: the charge comes before its payment',
      "const ids = [idAt(object, 'payment_intent'), idAt(object, 'invoice'), idAt(object, 'charge'), key]",
      "const ids = [idAt(object, 'charge'), key]",
    ],
  ]),
  ...faultsIn('src/payment/payment-b/account.ts', [
    [
      'reconcile: payments of sessions created earlier are overlooked',
      'const sessions = list(context, sinceMs - LATE_PAYMENT_MS,',
      'const sessions = list(context, sinceMs,',
    ],
    [
      'reconcile: only the first page is read',
      'return { items: data, next: has_more ? (data.at(-1)?.id ?? null) : null }',
      'return { items: data, next: has_more && data.length > 99 ? (data.at(-1)?.id ?? null) : null }',
    ],
  ]),
]
