/**
 * Planted faults of the payment processors' events and accounts (server/src/payment): one-line changes, each of which a
 * test must find (planted-faults.ts).
 */
import { type Fault, faultsIn } from './fault.ts'

export const processorFaults: Fault[] = [
  // What both payment processors share: effects, the store of events, the catalogue, reconciliation.
  ...faultsIn('src/payment/effect.ts', [
    [
      'link: the customer of a payment link is bound',
      "customer === null || textAt(checkout, 'metadata', nameOfUser) === null",
      'customer === null',
    ],
    ['sort key: the end of a subscription does not sort last', 'isEnd ? 1 : 0', '0'],
    ['sort key: the time is ignored', "String(Math.round(atMs)).padStart(15, '0')", "'0'"],
    ['sort key: events of one second by id and not by rank', "String(rank).padStart(2, '0')", "'00'"],
  ]),
  ...faultsIn('src/payment/events.ts', [
    ['mode: test and live mix', 'if (!event || event.mode === null || ours === null || event.mode === ours)', ''],
    ['event: one that lacks facts is not tried again', "state: 'waiting', reason", "state: 'failed', reason"],
    ['event: one that no worker tries is no problem', "state = 'waiting' and retry_at <", 'false and retry_at <'],
    [
      'event: one without an amount grants the whole product before its transaction is read',
      'store(app, processor, event.lacks ? waiting(event) : event, body)',
      'store(app, processor, event, body)',
    ],
    [
      'event: a chain of waiting events stops at its first',
      'linkedIds.push(...linkedBy(earlier))',
      'linkedIds.length = 0',
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
    ['event: linked just before it is stored, it waits', "if (state === 'unmatched') state = await storeIt()", ''],
  ]),
  ...faultsIn('src/payment/plans.ts', [
    [
      'catalogue: old ids of a product are unknown',
      'pricesOf(product, processor).find(({ soldAs }) => soldAs === id)',
      'pricesOf(product, processor).slice(0, 1).find(({ soldAs }) => soldAs === id)',
    ],
    [
      'catalogue: a plan that is not listed does not renew',
      'if (price) return { ...priced(',
      'if (price && product.listed) return { ...priced(',
    ],
    [
      'price: an old id has the price of the new one',
      'return { ...priced(product, priceOf(price) ?? price), soldAs: id }',
      'return { ...product, soldAs: id }',
    ],
    [
      'price: the catalogue’s comes before what was paid',
      'priced(product, priceOf(price) ?? price), soldAs',
      'priced(product, price), soldAs',
    ],
    ['period: a billing on the 31st ends with the month', 'laterMs > 0 && laterMs <= LONGER_PERIOD_MS', 'false'],
  ]),
  ...faultsIn('src/payment/reconcile.ts', [
    [
      'reconcile: what was read before an error is applied',
      'return { ...report, error: error.message }',
      'report.error = error.message',
    ],
    ['reconcile: a dry run applies', "const state = dryRun ? 'found' : ((await", 'const state = ((await'],
    [
      'reconcile: a failed object is found again',
      'if (state !== undefined || openIds.has(found.objectId))',
      'if (state !== undefined)',
    ],
  ]),

  // Payment processor A: its events.
  ...faultsIn('src/payment/payment-a/events.ts', [
    ['payment-a: update alone grants', 'update: { rank: 5 },', 'update: { rank: 5, isPaid: true },'],
    [
      'payment-a: a trial grants',
      "trialing: { rank: 2, status: 'trialing' },",
      "trialing: { rank: 2, isPaid: true, status: 'active' },",
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
      'payment-a: an event without a period removes the stored one',
      'record: Effect = periodStart\n',
      'record: Effect = true\n',
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
    ['payment-a: the amount of the plan counts as paid', 'Math.round(named ?? price * quantity)', 'price * quantity'],
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
    ['payment-b: deleted is not the end', 'sortKeyOf(atMs, rank, eventId, isEnd)', 'sortKeyOf(atMs, rank, eventId)'],
    [
      'payment-b: a cancellation at the period’s end does not show',
      "at(object, 'cancel_at_period_end') === true ||",
      '',
    ],
    [
      'payment-b: a session of any subtotal is of one pack',
      "numberAt(object, 'amount_subtotal') === sold?.price.cents",
      'sold !== null',
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
      'payment-b: a failed payment sorts last',
      'sortKeyOf(atMs, 6, externalId)',
      'sortKeyOf(atMs, 6, externalId, true)',
    ],
    ['payment-b: the payment of an invoice is not linked', "'invoice_payment.paid': invoicePayment,", ''],
    ['payment-b: a voided credit note goes on taking', "textAt(object, 'status') === 'void'", 'false'],
    [
      'payment-b: what a credit note refunds is taken twice',
      "sum(refunded.map((each) => numberAt(each, 'amount_refunded') ?? 0))",
      '0',
    ],
    [
      'payment-b: what a credit note gives back outside stays',
      "const outside = numberAt(object, 'out_of_band_amount') ?? 0",
      'const outside = 0',
    ],
    [
      'payment-b: a credit note before the payment is a balance',
      '.map(({ value }) => value))) - credited',
      '.map(({ value }) => value)))',
    ],
    ['payment-b: an empty invoice fails', "if (!due && !numberAt(object, 'amount_paid') &&", 'if (false &&'],
    [
      'payment-b: seats in tiers cost the price of one',
      '(isTiered(line, currency) ? whole : own || null)',
      '(own || null)',
    ],
    ['payment-b: the flat fee of a tier is a seat', 'const listed = withFlatFees(all)', 'const listed = all'],
    [
      'payment-b: a part of a month in another currency is a whole one',
      'Math.abs(named ?? 0) / quantity / partOf(product, start, end)',
      'Math.abs(named ?? 0) / quantity',
    ],
    [
      'payment-b: a price in dollars divides yen',
      'const isItsOwn = (currencyAt(price) ?? currency) === currency',
      'const isItsOwn = true',
    ],
    ['payment-b: a delayed payment does not grant', "'checkout.session.async_payment_succeeded': checkout,", ''],
  ]),
  ...faultsIn('src/payment/payment-b/events.ts', [
    ['dispute: an inquiry takes', '/^(warning_|prevented$)/', '/^prevented$/'],
    [
      'refund: the charge comes before its payment',
      "const ids = idsOf(idAt(object, 'payment_intent'), idAt(object, 'invoice'), idAt(object, 'charge'), key)",
      "const ids = idsOf(idAt(object, 'charge'), key)",
    ],
  ]),
  ...faultsIn('src/payment/payment-b/account.ts', [
    [
      'reconcile: payments of sessions created earlier are overlooked',
      "expand[]=data.line_items', lateMs)",
      "expand[]=data.line_items', sinceMs)",
    ],
    [
      'reconcile: a refund that failed does not look so',
      "const isUndone = status === 'failed' || status === 'canceled'",
      'const isUndone = false',
    ],
    [
      'reconcile: a refund that failed is dated by now',
      "numberAt(object, 'failure_balance_transaction', 'created') ?? nowS",
      'nowS',
    ],
    [
      'reconcile: a dispute is dated by its opening',
      'Math.max(createdS(object), ...movedS, ',
      'Math.max(createdS(object), ',
    ],
    [
      'reconcile: only the first page is read',
      "next: at(page, 'has_more') === true ? idAt(items.at(-1)) : null",
      'next: items.length > 99 ? idAt(items.at(-1)) : null',
    ],
  ]),
]
