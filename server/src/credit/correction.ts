/**
 * An administrator's corrections of a user's ledger: taking credits back, collecting or forgiving what is owed, and
 * reversing an expiry. Each has a dry run that returns what it would do, and is recorded in kinora.audit together with
 * the change.
 */

import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { idempotencyKeyReused, requestHash } from '../db/idempotency.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'
import { counted } from '../text/counted.ts'

type Correction = {
  adminId: string
  userId: string
  reason: string
  idempotencyKey: string | null
  requestId: string | null
  isDryRun: boolean
}

/** Credits of one package; `expiresAt` is the package's. */
export type PackagePart = { id: string; credits: number; expiresAt: Date }
/** `isReplay`: the outcome is that of an earlier request with the same idempotency key. */
type Replayable = { isReplay: boolean }
export type Taken = Replayable & {
  credits: number
  /** The amounts before and after the taking. */
  available: { before: number; after: number }
  /** Where they are taken from, the first to expire first. */
  packages: PackagePart[]
}

const DAY_MS = 86_400_000

/**
 * Takes credits back, all of them or none.
 * @throws AppError CONFLICT with `details.available` when fewer are available, IDEMPOTENCY_KEY_REUSED
 */
export async function takeCredits({ sql, now }: App, request: Correction & { credits: number }): Promise<Taken> {
  const { adminId, userId, credits, reason, idempotencyKey, requestId, isDryRun } = request
  const { outcome, available, packages } = await creditTake(sql, {
    userId,
    credits,
    reason,
    adminId,
    requestId,
    isDryRun,
    idempotency: idempotencyKey ? { key: idempotencyKey, requestHash: requestHash({ userId, credits, reason }) } : null,
    now: now(),
  })
  switch (outcome) {
    case 'taken':
    case 'replayed':
      return {
        credits,
        available: { before: available, after: available - credits },
        packages,
        isReplay: outcome === 'replayed',
      }
    case 'insufficient':
      throw new AppError(
        'CONFLICT',
        available === 0
          ? 'The user has no available credits, so none can be taken.'
          : `Only ${counted(available, 'credit is available', 'credits are available')}; take at most as many.`,
        { details: { available } },
      )
    case 'key_reused':
      throw idempotencyKeyReused()
  }
}

export type OwedSettlement = Replayable & {
  credits: number
  /** The amounts before and after. */
  owed: { before: number; after: number }
  available: { before: number; after: number }
  /** Where collected credits are taken from, the first to expire first. */
  packages: PackagePart[]
}

/**
 * Collects credits that a user owes from what is available, or forgives them: all of them or none.
 * @throws AppError CONFLICT with `details` when fewer are owed or available, IDEMPOTENCY_KEY_REUSED
 */
export async function settleOwed(
  { sql, now }: App,
  request: Correction & { credits: number; forgives: boolean },
): Promise<OwedSettlement> {
  const { adminId, userId, credits, forgives, reason, idempotencyKey, requestId, isDryRun } = request
  const { outcome, owed, available, packages } = await creditSettleOwed(sql, {
    userId,
    credits,
    forgives,
    reason,
    adminId,
    requestId,
    isDryRun,
    idempotency: idempotencyKey ? { key: idempotencyKey, requestHash: requestHash({ userId, credits, reason }) } : null,
    now: now(),
  })
  switch (outcome) {
    case 'settled':
    case 'replayed':
      return {
        credits,
        owed: { before: owed, after: owed - credits },
        available: { before: available, after: available - (forgives ? 0 : credits) },
        packages,
        isReplay: outcome === 'replayed',
      }
    case 'insufficient':
      throw new AppError(
        'CONFLICT',
        owed < credits
          ? `The user owes ${counted(owed, 'credit')}; choose at most as many.`
          : `Only ${counted(available, 'credit is available', 'credits are available')}; collect at most as many.`,
        { details: { owed, available } },
      )
    case 'key_reused':
      throw idempotencyKeyReused()
  }
}

/**
 * Makes the expired credits of a package available again, until the package's own expiry or for `expiryDays` from now.
 * @throws AppError NOT_FOUND; CONFLICT when nothing has expired, or when it would expire at once;
 * IDEMPOTENCY_KEY_REUSED
 */
export async function reverseExpiry(
  { sql, now }: App,
  request: Correction & { packageId: string; expiryDays: number | null },
): Promise<Replayable & { credits: number; expiresAt: Date }> {
  const { adminId, userId, packageId, expiryDays, reason, idempotencyKey, requestId, isDryRun } = request
  if (!isUuid(packageId)) throw unknownPackage()
  const at = now()
  const { outcome, credits, expiresAt } = await creditReverseExpiry(sql, {
    userId,
    packageId,
    expiresAt: expiryDays === null ? null : new Date(at.getTime() + expiryDays * DAY_MS),
    reason,
    adminId,
    requestId,
    isDryRun,
    idempotency: idempotencyKey
      ? { key: idempotencyKey, requestHash: requestHash({ userId, packageId, expiryDays, reason }) }
      : null,
    now: at,
  })
  switch (outcome) {
    case 'reversed':
    case 'replayed':
      return { credits, expiresAt, isReplay: outcome === 'replayed' }
    case 'not_found':
      throw unknownPackage()
    case 'nothing':
      throw new AppError('CONFLICT', 'No credits of this package have expired.')
    case 'past':
      throw new AppError(
        'CONFLICT',
        'The package itself has expired by now; say in expiryDays how long its credits last.',
      )
    case 'key_reused':
      throw idempotencyKeyReused()
  }
}

const unknownPackage = () => new AppError('NOT_FOUND', 'This user has no package with this packageId.')

type CorrectionCall = {
  userId: string
  reason: string
  adminId: string
  requestId: string | null
  isDryRun: boolean
  idempotency: { key: string; requestHash: Buffer } | null
  now: Date
}

const argumentsOf = ({ userId, now, reason, adminId, requestId, isDryRun, idempotency }: CorrectionCall) => ({
  userId,
  now,
  reason,
  adminId,
  key: idempotency?.key ?? null,
  requestHash: idempotency?.requestHash ?? null,
  requestId,
  dryRun: isDryRun,
})

export type TakeOutcome = {
  outcome: 'taken' | 'replayed' | 'key_reused' | 'insufficient'
  /** The amount before the taking. */
  available: number
  packages: PackagePart[]
}

/** kinora.credit_take */
export async function creditTake(sql: Query, taking: CorrectionCall & { credits: number }): Promise<TakeOutcome> {
  const row = await call(sql, 'credit_take', {
    credits: taking.credits,
    ...argumentsOf(taking),
  })
  return { ...row, packages: partsOf(row.packages) } as TakeOutcome
}

export type SettleOwedOutcome = {
  outcome: 'settled' | 'replayed' | 'key_reused' | 'insufficient'
  /** The amounts before. */
  owed: number
  available: number
  packages: PackagePart[]
}

/** kinora.credit_settle_owed. `forgives`: the credits are forgiven, not collected. */
export async function creditSettleOwed(
  sql: Query,
  settlement: CorrectionCall & { credits: number; forgives: boolean },
): Promise<SettleOwedOutcome> {
  const row = await call(sql, 'credit_settle_owed', {
    forgives: settlement.forgives,
    credits: settlement.credits,
    ...argumentsOf(settlement),
  })
  return { ...row, packages: partsOf(row.packages) } as SettleOwedOutcome
}

/** @param packages as SQL returns them */
const partsOf = (packages: unknown): PackagePart[] =>
  (packages as [id: string, credits: number, expiresAtMs: number][]).map(([id, credits, expiresAtMs]) => ({
    id,
    credits,
    expiresAt: new Date(expiresAtMs),
  }))

/** `credits` and `expiresAt` are null where the outcome has none. */
export type ReverseExpiryOutcome = {
  outcome: 'reversed' | 'replayed' | 'key_reused' | 'not_found' | 'nothing' | 'past'
  credits: number
  expiresAt: Date
}

/** kinora.credit_reverse_expiry. `expiresAt` null: the package's own. */
export async function creditReverseExpiry(
  sql: Query,
  reversal: CorrectionCall & { packageId: string; expiresAt: Date | null },
): Promise<ReverseExpiryOutcome> {
  const row = await call(sql, 'credit_reverse_expiry', {
    packageId: reversal.packageId,
    expiresAt: reversal.expiresAt,
    ...argumentsOf(reversal),
  })
  return row as ReverseExpiryOutcome
}
