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

/** A purchase with negative credits is the claw-back of a refunded payment and has its own label. */
export const transactionLabel = ({ transType, credits }: Pick<CreditTransaction, 'transType' | 'credits'>): string =>
  credits < 0 && (transType === 'ORDER_PAY' || transType === 'SUBSCRIPTION')
    ? `${transType === 'ORDER_PAY' ? 'Pack' : 'Plan period'} refunded`
    : transactionTypeLabels[transType]

export const transactionStates: Record<string, { label: string; kind: 'running' | 'done' | 'none' }> = {
  frozen: { label: 'Frozen', kind: 'running' },
  settled: { label: 'Settled', kind: 'done' },
  released: { label: 'Released', kind: 'none' },
}
