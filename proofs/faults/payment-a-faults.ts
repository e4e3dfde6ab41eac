/**
 * Planted faults of payment processor A's events (server/src/payment): one-line changes, each of which a test must find
 * (planted-faults.ts).
 */
import { type Fault, faultsIn } from './fault.ts'

export const paymentAFaults: Fault[] = [
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
]
