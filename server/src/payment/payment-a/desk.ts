/** payment-a: its refunds, and what its events tell administrators. */
import { at, numberAt, textAt } from '../../text/json-reader.ts'
import { idAt } from '../effect.ts'
import type { Account, Notice, PaymentProcessor, RefundAnswer, RefundRequest } from '../processor.ts'

export const noticeTypes = { dispute: ['dispute.created'], failure: ['subscription.past_due', 'subscription.unpaid'] }

/**
 * Refunds the whole rest of a transaction. The call takes no idempotency key: a repetition is refused, because nothing
 * is left, and then the transaction shows that it is refunded.
 */
async function send(account: Account, { orderNo, ids }: RefundRequest): Promise<RefundAnswer> {
  const id = [orderNo, ...ids].find((each) => each.startsWith('tran_')) ?? (await transactionOf(account, orderNo))
  if (id === null) return { refusal: `payment-a has no transaction of the order ${orderNo}.` }
  const headers = { 'content-type': 'application/json' }
  const { body, isRefused, status } = await account.send('/v1/refunds', JSON.stringify({ transaction_id: id }), headers)
  const state = textAt(body, 'status') ?? ''
  if (!isRefused && !/^(failed|canceled)$/.test(state)) return { externalId: idAt(body) }
  const transaction = await account.read(`/v1/transactions?transaction_id=${encodeURIComponent(id)}`)
  const [paid, refunded] = [numberAt(transaction, 'amount_paid'), numberAt(transaction, 'refunded_amount')]
  if (paid !== null && refunded !== null && refunded >= paid) return { externalId: null }
  const words = [at(body, 'message')]
    .flat()
    .map((each) => textAt(each))
    .filter((each) => each !== null)
  return { refusal: words.join(' ') || (isRefused ? `HTTP ${status}` : `The refund is ${state}.`) }
}

const transactionOf = async (account: Account, orderNo: string): Promise<string | null> =>
  idAt(await account.read(`/v1/transactions/search?order_id=${encodeURIComponent(orderNo)}`), 'items', 0)

export const refund: PaymentProcessor['refund'] = { takesPart: false, send }

/** payment-a names neither the reason of a dispute nor its deadline. */
export function noticeOf(body: unknown): Notice | null {
  const type = textAt(body, 'eventType') ?? ''
  const object = at(body, 'object')
  const about = noticeTypes.dispute.includes(type) ? 'dispute' : noticeTypes.failure.includes(type) ? 'failure' : null
  if (about === null) return null
  const last = at(object, 'last_transaction')
  return {
    about,
    objectId: idAt(object) ?? '',
    status: textAt(object, 'status') ?? type.replace(/^\w+\./, ''),
    reason: textAt(object, 'reason'),
    tried: null,
    amount: numberAt(object, 'amount') ?? numberAt(last, 'amount'),
    currency: (textAt(object, 'currency') ?? textAt(last, 'currency'))?.toUpperCase() ?? null,
    dueAt: null,
    attempts: null,
  }
}

/** Its pages have no address for one dispute or payment. */
export const pageOf: PaymentProcessor['pageOf'] = ({ url }, _kind, id) =>
  /^https:\/\/(test-)?api\.creem\.io$/.test(url) ? 'https://www.creem.io/dashboard' : `${url}/dashboard/${id}`
