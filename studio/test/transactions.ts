/** A credit history that contains every type of transaction, for the tests of the credits page's calculations. */
import { createHash } from 'node:crypto'
import type { CreditTransaction } from '../src/credits/transaction-types.ts'

export const NOW_MS = Date.parse('2026-11-20T12:00:00.000Z')
export const DAY_MS = 86_400_000

/** Transaction T-n, created 10 - n days before NOW_MS. */
export function transaction(
  n: number,
  transType: CreditTransaction['transType'],
  credits: number,
  balanceAfter: number,
  overrides: Partial<CreditTransaction> = {},
): CreditTransaction {
  const createdAt = new Date(NOW_MS - (10 - n) * DAY_MS).toISOString()
  const isAddition = credits > 0 && transType !== 'REFUND' && transType !== 'EXPIRED'
  const defaults = {
    n,
    packageId: null,
    videoUuid: null,
    orderNo: null,
    remark: null,
    state: null,
    madeBy: null,
    source: isAddition ? `source-${n}` : null,
    expiresAt: isAddition ? new Date(NOW_MS + 30 * DAY_MS).toISOString() : null,
    graces: null,
    prompt: null,
    actorId: null,
    hash: '',
  }
  return { id: `row-${n}`, transNo: `T-${n}`, transType, credits, balanceAfter, createdAt, ...defaults, ...overrides }
}

export const ofFilm = (videoUuid: string, state: string) => ({ videoUuid, state })

/** Ten transactions, newest first, as the API returns them. */
export function history(): CreditTransaction[] {
  return [
    transaction(1, 'NEW_USER', 60, 60),
    transaction(2, 'VIDEO_CONSUME', -16, 44, ofFilm('a', 'settled')),
    transaction(3, 'VIDEO_CONSUME', -24, 20, ofFilm('b', 'released')),
    transaction(4, 'REFUND', 24, 44, ofFilm('b', 'released')),
    transaction(5, 'ORDER_PAY', 280, 324, { orderNo: 'order-1' }),
    transaction(6, 'VIDEO_CONSUME', -30, 294, ofFilm('c', 'frozen')),
    transaction(7, 'ORDER_PAY', -140, 154, { orderNo: 'order-1' }),
    transaction(8, 'SUBSCRIPTION', 960, 1114),
    transaction(9, 'EXPIRED', -14, 1100),
    transaction(10, 'SYSTEM_ADJUST', 5, 1105),
  ].reverse()
}

/** The transactions, newest first, with the hashes of their chain. */
export function seal(transactions: CreditTransaction[]): CreditTransaction[] {
  let head = Buffer.alloc(0)
  const ms = (time: string | null) => (time === null ? null : Date.parse(time))
  const sealed = transactions.toReversed().map((t) => {
    const graces = t.graces?.map((grace) => [grace.packageId, grace.credits, ms(grace.expiresAt)]) ?? null
    const { n, id, transNo, transType, credits, balanceAfter, packageId, videoUuid, orderNo, remark, actorId, source } =
      t
    const facts = [
      n,
      id,
      transNo,
      transType,
      credits,
      balanceAfter,
      packageId,
      videoUuid,
      orderNo,
      remark,
      actorId,
      source,
    ]
    const line = [...facts, ms(t.expiresAt), graces, ms(t.createdAt)].map((fact) => JSON.stringify(fact))
    head = createHash('sha256')
      .update(head)
      .update(`[${line.join(', ')}]`)
      .digest()
    return { ...t, hash: head.toString('hex') }
  })
  return sealed.reverse()
}
