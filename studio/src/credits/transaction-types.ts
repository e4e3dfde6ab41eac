/** Credit transactions as the API returns them, with a plain label for each type and state. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'

export type CreditTransaction = Schemas['CreditTransaction']
export type TransactionType = CreditTransaction['transType']

export const transactionTypeLabels = {
  NEW_USER: t`Welcome gift`,
  ORDER_PAY: t`Pack bought`,
  SUBSCRIPTION: t`Plan period`,
  VIDEO_CONSUME: t`Film`,
  REFUND: t`Film, credits returned`,
  EXPIRED: t`Expired`,
  SYSTEM_ADJUST: t`Added by an administrator`,
} as const satisfies Record<TransactionType, string>

/** What the filter of the history is named: the rows of a type, also those with a label of their own. */
export const filterLabels = {
  ...transactionTypeLabels,
  SYSTEM_ADJUST: t`Adjustments and moves`,
} as const satisfies Record<TransactionType, string>

export const isTransactionType = (text: string | undefined): text is TransactionType =>
  text !== undefined && Object.hasOwn(transactionTypeLabels, text)

/** Labels of rows against their type's sign (claw-backs, reversals, takings), of moves and of codes. */
export function transactionLabel({
  transType,
  credits,
  source,
}: Pick<CreditTransaction, 'transType' | 'credits' | 'source'>): string {
  if (transType === 'ORDER_PAY' || transType === 'SUBSCRIPTION') {
    const isPack = transType === 'ORDER_PAY'
    if (credits < 0) return isPack ? t`Pack refunded` : t`Plan period refunded`
    if (isOfReturn({ source })) return isPack ? t`Pack, refund reversed` : t`Plan period, refund reversed`
  }
  if (otherSideOf({ source }) !== null) return credits < 0 ? t`Moved into a team` : t`Moved in by a member`
  if (transType === 'SYSTEM_ADJUST' && credits < 0) return t`Taken back by an administrator`
  if (source?.startsWith('code:')) return t`Redemption code`
  if (source?.startsWith('invitation:')) return t`Invitation to sign up`
  if (transType === 'EXPIRED' && credits > 0) return t`Expiry reversed`
  return transactionTypeLabels[transType]
}

/** Whether a row's remark says, in the service's English, what its label says: of a gift, an invitation or a move. */
export const isRemarkOfLabel = ({ transType, source }: Pick<CreditTransaction, 'transType' | 'source'>): boolean =>
  transType === 'NEW_USER' || otherSideOf({ source }) !== null || source?.startsWith('invitation:') === true

/** The other side of credits moved into a team: the team's id, in the team's history the member's. */
export const otherSideOf = ({ source }: Pick<CreditTransaction, 'source'>): string | null =>
  source?.startsWith('transfer:') ? (source.split(':')[2] ?? null) : null

/** Whether a refund or dispute took the credits, or gave them back. */
export const isOfReturn = ({ source }: Pick<CreditTransaction, 'source'>): boolean =>
  source === null || source.startsWith('return:')

export const transactionStates: Record<string, { label: string; kind: 'running' | 'done' | 'none' }> = {
  frozen: { label: t`Frozen`, kind: 'running' },
  settled: { label: t`Settled`, kind: 'done' },
  released: { label: t`Released`, kind: 'none' },
}
