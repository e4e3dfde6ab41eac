/**
 * Transfers: a member moves own credits into a team, and never back. Invariants: both accounts change in one
 * transaction, and a package keeps its expiry and what it was paid with, so that a refund finds it
 * (server/sql/credit_transfer.sql).
 */

import { noSuchTeam } from '../account/team/team.ts'
import type { App } from '../app.ts'
import { call, part } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { idempotencyKeyReused, requestHash } from '../db/idempotency.ts'
import { AppError } from '../errors.ts'
import { newId } from '../id.ts'
import { counted } from '../text/counted.ts'
import { balance } from './ledger.ts'

/** Whole credits of a package of the member, which expire in the team when they would have. */
export type Part = { credits: number; expiresAt: Date }
export type Transfer = { id: string; teamId: string; credits: number; packages: Part[] }

/** What the user can move into a team now: nothing while the user owes credits. */
export async function movableCredits(app: App, userId: string): Promise<{ movable: number; owed: number }> {
  const { owed } = await balance(app, userId)
  const [{ movable }] = await app.sql<[{ movable: number }]>`
    select coalesce(sum(credits), 0)::bigint as movable
    from ${part(app.sql, 'credit_transferable', { userId, now: app.now() })}
  `
  return { movable: owed > 0 ? 0 : movable, owed }
}

/**
 * Moves credits of a user into a team of which the user is a member.
 * @throws AppError CONFLICT with `details.available` when fewer can be moved, with `details.owed` for a user who owes
 * credits, FORBIDDEN for a team that is locked, NOT_FOUND, IDEMPOTENCY_KEY_REUSED
 */
export async function moveToTeam(
  { sql, now, config }: App,
  request: { userId: string; teamId: string; credits: number; idempotencyKey: string | null },
): Promise<Transfer & { isReplay: boolean }> {
  const { userId, teamId, credits, idempotencyKey } = request
  const at = now()
  const made = await creditTransfer(sql, {
    ...{ userId, teamId, credits, transferId: newId(at), collectsOwed: config.owed === 'collect', now: at },
    idempotency: idempotencyKey ? { key: idempotencyKey, requestHash: requestHash({ teamId, credits }) } : null,
  })
  switch (made.outcome) {
    case 'moved':
    case 'replayed':
      return {
        ...{ id: made.transferId, teamId, credits, isReplay: made.outcome === 'replayed' },
        packages: (made.packages ?? []).map(([, part, expiresAt]) => ({
          credits: part,
          expiresAt: new Date(expiresAt),
        })),
      }
    case 'insufficient':
      throw new AppError(
        'CONFLICT',
        `You can move ${counted(made.credits, 'credit')}. The welcome gift cannot be moved, nor credits of a payment that is being returned.`,
        { details: { available: made.credits } },
      )
    case 'owed':
      throw new AppError(
        'CONFLICT',
        `You owe ${counted(made.credits, 'credit')} of payments that were returned; nothing can be moved until they are paid.`,
        { details: { owed: made.credits } },
      )
    case 'locked':
      throw new AppError('FORBIDDEN', 'This team is locked; ask those who run this service.')
    case 'not_found':
      throw noSuchTeam()
    case 'key_reused':
      throw idempotencyKeyReused()
    case 'divided':
      throw new AppError(
        'CONFLICT',
        'This service keeps you and the team in different databases, between which no credits move; buy credits for the team instead.',
      )
  }
}

export type TransferOutcome = {
  outcome: 'moved' | 'replayed' | 'key_reused' | 'not_found' | 'locked' | 'owed' | 'insufficient' | 'divided'
  transferId: string
  /** What could be moved, or what is owed. */
  credits: number
  /** The user's packages: id, credits, and expiry in epoch milliseconds. */
  packages: [id: string, credits: number, expiresAt: number][] | null
}

export async function creditTransfer(
  sql: Query,
  transfer: {
    userId: string
    teamId: string
    transferId: string
    credits: number
    idempotency: { key: string; requestHash: Buffer } | null
    collectsOwed: boolean
    now: Date
  },
): Promise<TransferOutcome> {
  const { idempotency } = transfer
  const row = await call(sql, 'credit_transfer', {
    userId: transfer.userId,
    teamId: transfer.teamId,
    transferId: transfer.transferId,
    credits: transfer.credits,
    now: transfer.now,
    key: idempotency?.key ?? null,
    requestHash: idempotency?.requestHash ?? null,
    collects: transfer.collectsOwed,
  })
  return row as TransferOutcome
}
