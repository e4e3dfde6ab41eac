/** Credit transactions as the API returns them, with a plain label for each of the specification's types and states. */
import type { DataOf } from '@kinora/client'

export type CreditTransaction = DataOf<'get', '/api/v1/credit/history'>['transactions'][number]
export type TransactionType = CreditTransaction['transType']

export const transactionTypeLabels = {
  NEW_USER: 'Welcome gift',
  ORDER_PAY: 'Pack bought',
  SUBSCRIPTION: 'Plan period',
  VIDEO_CONSUME: 'Film',
  REFUND: 'Film, credits returned',
  EXPIRED: 'Expired',
  SYSTEM_ADJUST: 'Added by an administrator',
} as const satisfies Record<TransactionType, string>

export const isTransactionType = (text: string | undefined): text is TransactionType =>
  text !== undefined && Object.hasOwn(transactionTypeLabels, text)

/** Rows against the usual sign of their type, claw-backs, reversals and takings, have labels of their own. */
export function transactionLabel({
  transType,
  credits,
  source,
}: Pick<CreditTransaction, 'transType' | 'credits' | 'source'>): string {
  if (transType === 'ORDER_PAY' || transType === 'SUBSCRIPTION') {
    const payment = transType === 'ORDER_PAY' ? 'Pack' : 'Plan period'
    if (credits < 0) return `${payment} refunded`
    if (source === null) return `${payment}, refund reversed`
  }
  if (transType === 'SYSTEM_ADJUST' && credits < 0) return 'Taken back by an administrator'
  if (transType === 'EXPIRED' && credits > 0) return 'Expiry reversed'
  return transactionTypeLabels[transType]
}

export const transactionStates: Record<string, { label: string; kind: 'running' | 'done' | 'none' }> = {
  frozen: { label: 'Frozen', kind: 'running' },
  settled: { label: 'Settled', kind: 'done' },
  released: { label: 'Released', kind: 'none' },
}
