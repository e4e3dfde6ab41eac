/** payment-b: its refunds, and what its events tell administrators. */
import { at, listAt, numberAt, textAt } from '../../text/json-reader.ts'
import { dateAt, idAt } from '../effect.ts'
import type { Account, Notice, PaymentProcessor, RefundAnswer, RefundRequest } from '../processor.ts'

export const noticeTypes = {
  dispute: ['charge.dispute.created'],
  failure: ['invoice.payment_failed', 'payment_intent.payment_failed', 'checkout.session.async_payment_failed'],
}

/** Refunds the payment of an order, or a part of it. The key makes a repetition the same refund. */
async function send(account: Account, { key, orderNo, ids, cents }: RefundRequest): Promise<RefundAnswer> {
  const known = [orderNo, ...ids].find((id) => /^(pi|ch|py)_/.test(id))
  const paid = known ? [known] : await paymentsOf(account, orderNo)
  const [payment] = paid
  if (!payment) return { refusal: `payment-b has no payment of ${orderNo}.` }
  if (paid.length > 1)
    return { refusal: `${paid.length} payments paid ${orderNo}: refund them in the account of payment-b.` }
  const form = new URLSearchParams({
    [payment.startsWith('pi_') ? 'payment_intent' : 'charge']: payment,
    'metadata[refund]': key,
    ...(cents === null ? {} : { amount: String(cents) }),
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': key }
  const { body, isRefused, status } = await account.send('/v1/refunds', form.toString(), headers)
  if (isRefused) return { refusal: textAt(body, 'error', 'message') ?? `HTTP ${status}` }
  const state = textAt(body, 'status') ?? ''
  if (/^(failed|canceled)$/.test(state)) return { refusal: textAt(body, 'failure_reason') ?? `The refund is ${state}.` }
  return { externalId: idAt(body) }
}

/** The payments that paid an invoice. */
async function paymentsOf(account: Account, invoice: string): Promise<string[]> {
  if (!invoice.startsWith('in_')) return []
  const read = await account.read(`/v1/invoices/${encodeURIComponent(invoice)}?expand[]=payments`)
  const old = idAt(read, 'payment_intent') ?? idAt(read, 'charge')
  const paid = listAt(read, 'payments', 'data').map(
    (each) => idAt(each, 'payment', 'payment_intent') ?? idAt(each, 'payment', 'charge'),
  )
  return [...new Set(old === null ? paid : [old])].filter((id) => id !== null)
}

export const refund: PaymentProcessor['refund'] = { takesPart: true, send }

export function noticeOf(body: unknown): Notice | null {
  const type = textAt(body, 'type') ?? ''
  const object = at(body, 'data', 'object')
  const about = type.startsWith('charge.dispute.') ? 'dispute' : noticeTypes.failure.includes(type) ? 'failure' : null
  if (about === null) return null
  const error = at(object, 'last_payment_error')
  const decline = textAt(error, 'decline_code') ?? textAt(error, 'code')
  const dueS = numberAt(object, 'evidence_details', 'due_by') ?? numberAt(object, 'next_payment_attempt')
  const words = textAt(error, 'message') ?? textAt(object, 'last_finalization_error', 'message')
  const method = at(error, 'payment_method')
  return {
    about,
    objectId: idAt(object) ?? '',
    status: textAt(object, 'status'),
    reason: textAt(object, 'reason') ?? (words && decline ? `${words} (${decline})` : (words ?? decline)),
    tried:
      [textAt(method, 'type'), textAt(method, 'card', 'brand'), textAt(method, 'card', 'last4')]
        .filter((each) => each !== null)
        .join(' ') || null,
    amount: numberAt(object, 'amount') ?? numberAt(object, 'amount_due') ?? numberAt(object, 'amount_total'),
    currency: textAt(object, 'currency')?.toUpperCase() ?? null,
    dueAt: dueS === null ? null : dateAt([dueS * 1000], 0),
    attempts: numberAt(object, 'attempt_count'),
  }
}

export const pageOf: PaymentProcessor['pageOf'] = ({ url, apiKey }, kind, id) => {
  if (new URL(url).hostname !== 'api.stripe.com') return `${url}/dashboard/${id}`
  const path = id.startsWith('in_') ? 'invoices' : id.startsWith('sub_') ? 'subscriptions' : kind
  return `https://dashboard.stripe.com/${/^[sr]k_test_/.test(apiKey) ? 'test/' : ''}${path}/${encodeURIComponent(id)}`
}
