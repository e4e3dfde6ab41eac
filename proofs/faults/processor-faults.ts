/**
 * Planted faults of the payment processors' events and accounts (server/src/payment): one-line changes, each of which a test must find
 * (planted-faults.ts).
 */
import { type Fault, faultsIn } from './fault.ts'

export const processorFaults: Fault[] = [
  // What both payment processors share: effects, the store of events, the catalogue, reconciliation.
  ...faultsIn('src/payment/outcome.ts', [
    ['pack: the quantity is ignored', 'credits: product.credits * quantity,', 'credits: product.credits,'],
    ['free: the history does not say so', 'paid === 0 ?', 'false ?'],
    [
      'pack: the amount that was paid is forgotten',
      '...(paid === null ? {} : { paid: Math.round(paid) }),\n  })',
      '})',
    ],
  ]),
  ...faultsIn('src/payment/effect.ts', [
    ['sort key: the end of a subscription does not sort last', 'isEnd ? 1 : 0', '0'],
    ['sort key: the time is ignored', "String(Math.round(atMs)).padStart(15, '0')", "'0'"],
    ['sort key: events of one second by id and not by rank', "String(rank).padStart(2, '0')", "'00'"],
  ]),
  ...faultsIn('src/payment/events.ts', [
    ['mode: test and live mix', 'if (event.mode !== null && ours !== null && event.mode !== ours) {', 'if (false) {'],
    [
      'event: a chain of waiting events stops at its first',
      "=== 'applied') linkedIds.push(...linkedBy(earlier))",
      "=== 'applied') linkedIds.length = 0",
    ],
    [
      'event: waiting events are not applied',
      "if (state === 'applied' || state === 'known') await applyWaiting",
      "if (state === 'known') await applyWaiting",
    ],
    [
      'event: a repeated one does not apply what waits',
      "if (state === 'applied' || state === 'known') await applyWaiting",
      "if (state === 'applied') await applyWaiting",
    ],
    [
      'event: linked just before it is stored, it waits',
      "if (state === 'unmatched') state = await store(app, processor, event, body, by)",
      '',
    ],
    ['event: a charge links nothing', "return effect.do === 'charge' ? [effect.transaction] : []", 'return []'],
  ]),
  ...faultsIn('src/payment/plans.ts', [
    [
      'catalogue: old ids of a product are unknown',
      'processorIds(product, processor).includes(id)',
      'processorIds(product, processor)[0] === id',
    ],
    [
      'catalogue: a plan that is not listed does not renew',
      'products.find((product) => processorIds(product, processor)',
      'products.find((product) => product.listed && processorIds(product, processor)',
    ],
    ['period: a billing on the 31st ends with the month', 'laterMs > 0 && laterMs <= LONGER_PERIOD_MS', 'false'],
  ]),
  ...faultsIn('src/payment/reconcile.ts', [
    [
      'reconcile: what was read before an error is applied',
      'return { ...report, error: error.message }',
      'report.error = error.message',
    ],
    ['reconcile: a dry run applies', "const state = dryRun ? 'found' : await", 'const state = await'],
    [
      'reconcile: a failed object is found again',
      'if (state !== undefined || openIds.has(found.objectId))',
      'if (state !== undefined)',
    ],
  ]),

  // Payment processor A: its events.
  ...faultsIn('src/payment/payment-a/events.ts', [
    ['payment-a: update alone grants', 'update: { rank: 5 },', 'update: { rank: 5, evidence: 2 },'],
    ['payment-a: update alone grants as a payment does', 'update: { rank: 5 },', 'update: { rank: 5, evidence: 0 },'],
    [
      'payment-a: a trial grants',
      "trialing: { rank: 2, status: 'trialing' },",
      "trialing: { rank: 2, evidence: 1, status: 'active' },",
    ],
    [
      'payment-a: a payment that is late looks active',
      "past_due: { rank: 6, status: 'past_due' },",
      "past_due: { rank: 6, status: 'active' },",
    ],
    [
      'payment-a: unpaid looks active',
      "unpaid: { rank: 7, status: 'past_due' },",
      "unpaid: { rank: 7, status: 'active' },",
    ],
    [
      'payment-a: paused is the end',
      "paused: { rank: 7, status: 'past_due' },",
      "paused: { rank: 7, status: 'past_due', isEnd: true },",
    ],
    [
      'payment-a: expired is the end',
      "expired: { rank: 10, status: 'expired' },",
      "expired: { rank: 10, status: 'expired', isEnd: true },",
    ],
    [
      'payment-a: canceled is not the end',
      "canceled: { rank: 9, status: 'cancelled', isEnd: true },",
      "canceled: { rank: 9, status: 'cancelled' },",
    ],
    [
      'payment-a: cancelled is not the end',
      "cancelled: { rank: 9, status: 'cancelled', isEnd: true },",
      "cancelled: { rank: 9, status: 'cancelled' },",
    ],
    ['payment-a: a scheduled cancellation does not show', "status: 'active', endsWithPeriod: true", "status: 'active'"],
    [
      'payment-a: an event in mid-period always proves a payment',
      'evidence: kind.evidence === 2 && !isNew ? 3 : kind.evidence,',
      'evidence: kind.evidence,',
    ],
    [
      'payment-a: updated never proves a payment',
      'evidence: kind.evidence === 2 && !isNew ? 3 : kind.evidence,',
      'evidence: kind.evidence === 2 ? 3 : kind.evidence,',
    ],
    [
      'payment-a: a payment without a transaction counts',
      'if (kind.evidence > 0) return effectsOf(...effects)\n',
      'return effectsOf(...effects)\n',
    ],
    [
      'payment-a: an inactive subscription grants',
      "kind.evidence === undefined || status !== 'active') return",
      'kind.evidence === undefined) return',
    ],
    [
      'payment-a: a plan change counts from the start of the period',
      'new Date(Math.max(atMs, periodStart.getTime()))',
      'periodStart',
    ],
    [
      'payment-a: transactions of all periods share one',
      'period: periodOf(externalId, periodStart),',
      'period: externalId,',
    ],
    [
      'payment-a: an event without a period removes the stored one',
      'record: Effect = periodStart\n',
      'record: Effect = true\n',
    ],
    [
      'payment-a: the order of a subscription stands for its transactions',
      'const ids = [transactionId, subscriptionId ? null : orderId]',
      'const ids = [orderId, transactionId]',
    ],
    ['payment-a: a refund of a part takes all', 'amount / paidAmount : 1)\n', '1 : 1)\n'],
    ['payment-a: a refund of nothing takes all', 'if (amount !== null && amount <= 0) {', 'if (false) {'],
    ['payment-a: each refund event of one transaction is the same refund', 'key: idAt(object) ?? `', 'key: `'],
    [
      'payment-a: a dispute takes nothing',
      "if (type === 'refund.created' || type === 'dispute.created')",
      "if (type === 'refund.created')",
    ],
    ['payment-a: an unpaid order grants', "textAt(object, 'order', 'status') !== 'paid' || !orderId", '!orderId'],
    [
      'payment-a: an order is granted once a checkout event',
      'orderNo: orderId,',
      'orderNo: orderId + boughtAt.getTime(),',
    ],
    [
      'payment-a: the checkout of a subscription grants',
      "type === 'recurring' || idAt(object, 'subscription')",
      'false',
    ],
    [
      'payment-a: a discount does not count',
      "numberAt(object, ...path, 'amount_paid') ??\n  numberAt(object, ...path, 'amount_due') ??\n",
      '',
    ],
    ['payment-a: the amount of the plan counts as paid', 'last_transaction_date', 'current_period_start_date'],
    [
      'payment-a: every event binds the customer',
      "textAt(checkout, 'metadata', 'referenceId') === null ? []",
      'false ? []',
    ],
    ['payment-a: a chargeback shows nothing', 'if (/^charged?_?back/i', 'if (/^no_charged?_?back/i'],
  ]),

  // Payment processor B: its events, invoice lines, refunds and disputes, and the reading of its account.
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
