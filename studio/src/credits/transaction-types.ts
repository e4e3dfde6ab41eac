/** The movements of credits in plain words, beside the specification's names for them. */
import type { Row } from './ledger-check.ts'

export const movements = {
  NEW_USER: 'Welcome gift',
  ORDER_PAY: 'Pack bought',
  SUBSCRIPTION: 'Plan period',
  VIDEO_CONSUME: 'Film',
  REFUND: 'Film, credits returned',
  EXPIRED: 'Expired',
  SYSTEM_ADJUST: 'Added by an administrator',
} as const satisfies Record<Row['transType'], string>

export const isMovement = (text: string | undefined): text is Row['transType'] =>
  text !== undefined && Object.hasOwn(movements, text)

/** What moved: a purchase with negative credits was paid back, and its credits went with it. */
export const movementOf = ({ transType, credits }: Pick<Row, 'transType' | 'credits'>): string =>
  credits < 0 && (transType === 'ORDER_PAY' || transType === 'SUBSCRIPTION')
    ? `${transType === 'ORDER_PAY' ? 'Pack' : 'Plan period'} refunded`
    : movements[transType]

export const states: Record<string, { word: string; kind: 'running' | 'done' | 'none' }> = {
  frozen: { word: 'Frozen', kind: 'running' },
  settled: { word: 'Settled', kind: 'done' },
  released: { word: 'Released', kind: 'none' },
}
