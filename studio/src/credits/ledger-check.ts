/**
 * The arithmetic of "Check my books": recomputes the balance and the packages from all transactions. Everything that
 * can be derived from the transactions is derived, and a difference names its transaction where it has one.
 */
import type { Schemas } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { formatCredits, formatNumber } from '../ui/format.ts'
import { type CreditTransaction, isOfReturn } from './transaction-types.ts'

type Balance = Schemas['Balance']
export type Package = Schemas['CreditPackage']

/** All transactions, newest first, with balance and packages of the moment. `total`: their number by the API. */
export type LedgerSnapshot = { transactions: CreditTransaction[]; total: number; balance: Balance; packages: Package[] }

/** Amounts are whole credits or numbers of rows. `transaction` is missing where two sums differ. */
export type Difference = { transaction?: CreditTransaction; expected: string; found: string }
export type Check = {
  rule: string
  /** The compared amounts. */
  compared: string
  differences: Difference[]
}

/** Every check, in display sequence; the ledger is right when no check has a difference. */
export function checkLedger({ transactions, total, balance, packages }: LedgerSnapshot): Check[] {
  const { expired, clawedBack, received, frozen, used } = sumByQuantity(transactions)
  const parts = balance.available + balance.frozen + balance.used + expired + clawedBack
  return [
    compareAmounts(t`Every row has been read once`, 'row', total, new Set(transactions.map((t) => t.transNo)).size),
    checkEach(
      t`Each row leaves what the row before it left, plus its own credits`,
      transactions,
      runningBalanceCheck(transactions),
    ),
    checkEach(t`Each row adds or takes as its type does`, transactions, signCheck),
    checkEach(
      t`Each row is sealed by its hash and the hash of the row before it`,
      transactions,
      chainCheck(transactions),
    ),
    checkEach(
      t`Each film is charged once; what was released came back once, in full`,
      transactions,
      filmCheck(transactions),
    ),
    compareAmounts(
      t`All rows add up to Available`,
      'credit',
      sum(transactions.map(({ credits }) => credits)),
      balance.available,
    ),
    compareAmounts(
      t`What your packages have left is Available`,
      'credit',
      sum(packages.map((p) => p.remaining)),
      balance.available,
    ),
    compareAmounts(t`The rows of films in progress add up to Frozen`, 'credit', frozen, balance.frozen),
    compareAmounts(t`The rows of finished films add up to Used`, 'credit', used, balance.used),
    compareAmounts(t`The rows of additions add up to Total`, 'credit', received, balance.total),
    {
      rule: t`Total is Available + Frozen + Used + expired + taken back`,
      compared: `${formatNumber(balance.total)} = ${[balance.available, balance.frozen, balance.used, expired, clawedBack].map(formatNumber).join(' + ')}`,
      differences:
        parts === balance.total ? [] : [{ expected: formatNumber(parts), found: formatNumber(balance.total) }],
    },
  ]
}

/**
 * The quantities as sums of transactions. Only an addition has a source. A purchase without one is a claw-back after a
 * refund or a dispute, or gives back what a reversed dispute took; an adjustment without one is a taking. A released
 * hold is in no sum: its credits come back by a REFUND transaction, as the rest does of a film that cost less than was
 * frozen for it.
 */
function sumByQuantity(transactions: CreditTransaction[]) {
  const sumOf = (matches: (t: CreditTransaction) => boolean) =>
    sum(transactions.filter(matches).map(({ credits }) => credits))
  return {
    received: sumOf(isAddition),
    clawedBack: 0 - sumOf((t) => (isPurchase(t) || t.transType === 'SYSTEM_ADJUST') && !isAddition(t)),
    expired: 0 - sumOf((t) => t.transType === 'EXPIRED'),
    frozen: 0 - sumOf((t) => t.transType === 'VIDEO_CONSUME' && t.state === 'frozen'),
    used: 0 - sumOf((t) => isOfFilm(t) && t.state === 'settled'),
  }
}

const isPurchase = ({ transType }: CreditTransaction): boolean =>
  transType === 'ORDER_PAY' || transType === 'SUBSCRIPTION'
const isAddition = ({ transType, credits, source }: CreditTransaction): boolean =>
  !['VIDEO_CONSUME', 'REFUND', 'EXPIRED'].includes(transType) && credits > 0 && !isOfReturn({ source })
const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0)

function compareAmounts(rule: string, unit: 'row' | 'credit', expected: number, found: number): Check {
  const differences = expected === found ? [] : [{ expected: amount(expected, unit), found: amount(found, unit) }]
  return { rule, compared: amount(found, unit), differences }
}
function amount(value: number, unit: 'row' | 'credit' | 'charge'): string {
  if (unit === 'row') return plural(value, { one: '# row', other: '# rows' })
  if (unit === 'charge') return plural(value, { one: '# charge', other: '# charges' })
  return formatCredits(value)
}

type TransactionCheck = (transaction: CreditTransaction, index: number) => Difference | null

function checkEach(rule: string, transactions: CreditTransaction[], check: TransactionCheck): Check {
  const differences = transactions.map(check).filter((difference) => difference !== null)
  return { rule, compared: amount(transactions.length, 'row'), differences: differences.reverse() }
}

/** Adds to the balance that the previous row reports, not to a sum: one wrong row does not fail all later. */
const runningBalanceCheck =
  (transactions: CreditTransaction[]): TransactionCheck =>
  (transaction, index) => {
    const expected = (transactions[index + 1]?.balanceAfter ?? 0) + transaction.credits
    return expected === transaction.balanceAfter && transaction.balanceAfter >= 0
      ? null
      : {
          transaction,
          expected: t`${formatNumber(expected)} after it`,
          found: t`${formatNumber(transaction.balanceAfter)} after it`,
        }
  }

const signCheck: TransactionCheck = (transaction) => {
  const { transType, credits, actorId } = transaction
  const isDebit = transType === 'VIDEO_CONSUME' || transType === 'EXPIRED'
  // Purchases have either sign, because only purchases are clawed back. An administrator can take credits back, and
  // reverse an expiry.
  const isEither =
    isPurchase(transaction) || (actorId !== null && (transType === 'SYSTEM_ADJUST' || transType === 'EXPIRED'))
  const isSignRight = isEither ? credits !== 0 : isDebit ? credits < 0 : credits > 0
  if (Number.isInteger(credits) && isSignRight) return null
  return {
    transaction,
    expected: isDebit ? t`${transType} takes credits` : t`${transType} adds credits`,
    found: amount(credits, 'credit'),
  }
}

/** Continues the hash that the previous row reports, so that one changed row does not fail all later rows. */
const chainCheck =
  (transactions: CreditTransaction[]): TransactionCheck =>
  (transaction, index) => {
    const expected = hashOf(transaction, transactions[index + 1]?.hash ?? '')
    return expected === transaction.hash ? null : { transaction, expected, found: transaction.hash || t`no hash` }
  }

function filmCheck(transactions: CreditTransaction[]): TransactionCheck {
  const films = new Map<string, { charges: CreditTransaction[]; refunds: CreditTransaction[] }>()
  for (const transaction of transactions) {
    if (!isOfFilm(transaction) || !transaction.videoUuid) continue
    const film = films.get(transaction.videoUuid) ?? { charges: [], refunds: [] }
    film[transaction.transType === 'REFUND' ? 'refunds' : 'charges'].push(transaction)
    films.set(transaction.videoUuid, film)
  }
  return (transaction) => {
    if (!isOfFilm(transaction)) return null
    const { state, videoUuid } = transaction
    const { charges, refunds } = films.get(videoUuid ?? '') ?? { charges: [], refunds: [] }
    if (charges.length !== 1)
      return { transaction, expected: t`one charge for its film`, found: amount(charges.length, 'charge') }
    if (state !== 'frozen' && state !== 'settled' && state !== 'released')
      return { transaction, expected: t`frozen, settled or released`, found: state ?? t`no state` }
    const charged = 0 - (charges[0]?.credits ?? 0)
    const expected = state === 'released' ? charged : 0
    const refunded = sum(refunds.map(({ credits }) => credits))
    const isRight = state === 'settled' ? refunded < charged : refunded === expected
    return isRight && refunds.length <= 1
      ? null
      : {
          transaction,
          expected: t`${amount(expected, 'credit')} back (${state})`,
          found: t`${amount(refunded, 'credit')} back in ${amount(refunds.length, 'row')}`,
        }
  }
}

const isOfFilm = ({ transType }: CreditTransaction): boolean => transType === 'VIDEO_CONSUME' || transType === 'REFUND'

/** @param before the hash of the row before, in hexadecimal; empty for the first row */
const hashOf = (transaction: CreditTransaction, before: string): string =>
  bytesToHex(sha256(concatBytes(hexToBytes(before), utf8ToBytes(canonicalText(transaction)))))

/** The text that the server hashes (kinora.history_text): a JSON array with ', ' between its elements. */
function canonicalText(t: CreditTransaction): string {
  return textOf([
    t.n,
    t.id,
    t.transNo,
    t.transType,
    t.credits,
    t.balanceAfter,
    t.packageId,
    t.videoUuid,
    t.orderNo,
    t.remark,
    t.actorId,
    t.source,
    t.expiresAt === null ? null : Date.parse(t.expiresAt),
    t.graces?.map(({ packageId, credits, expiresAt }) => [packageId, credits, Date.parse(expiresAt)]) ?? null,
    Date.parse(t.createdAt),
  ])
}

const textOf = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(textOf).join(', ')}]` : JSON.stringify(value)
