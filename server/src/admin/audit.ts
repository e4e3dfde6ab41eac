/**
 * The audit log: what administrators did, and the deletions that the service did by itself. What members did to a team (account/team/log.ts) is listed
 * for that team, that member or that action alone: the administrators' own entries would drown in it.
 */

import { TEAM_ACTIONS } from '../account/team/log.ts'
import type { App } from '../app.ts'
import { figures, fromEach, newestFirst, sum } from '../db/parts.ts'
import { unknownCursor } from '../errors.ts'
import { isUuid } from '../id.ts'
import { ownersOf } from './owner.ts'

/** What is done by administrators and by the service itself, and has an entry. */
export const AUDIT_ACTIONS = [
  'credits.add',
  'credits.take',
  'credits.collect',
  'credits.forgive',
  'credits.reverse-expiry',
  'payment.apply',
  'payment.dismiss',
  'video.remove-files',
  'webhook.disable',
  'mail.retry',
  'mail.show-link',
  'catalogue.switch',
  'catalogue.sample',
  'invitation.create',
  'invitation.revoke',
  'code.create',
  'code.end',
  'explore.remove',
  'explore.keep',
  'team.lock',
  'team.unlock',
  'team.make-owner',
  ...TEAM_ACTIONS,
  'user.create',
  'user.update',
  'user.set-role',
  'user.set-password',
  'user.ban',
  'user.unban',
  'user.impersonate',
  'user.act',
  'user.stop-impersonating',
  'user.revoke-session',
  'user.revoke-sessions',
  'user.resend-verification',
  'account.delete',
]

export type AuditEntry = {
  id: string
  createdAt: Date
  /** What was done, such as `credits.take`. */
  action: string
  /** The administrator; the nil UUID for the service itself. */
  actorId: string
  /** null for the service itself and for a deleted account. */
  actorEmail: string | null
  /** Whose account it concerns; null for none. */
  userId: string | null
  userEmail: string | null
  /** The name of the team, empty when it was deleted; null for none. */
  team: string | null
  /** Id of the package, payment event, video, session, mail, webhook endpoint, invitation, code or deleted user that it concerns. */
  subject: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  requestId: string | null
  reason: string | null
}

export type AuditQuery = { userId?: string; actorId?: string; action?: string; cursor?: string; pageSize: number }

/**
 * Newest first. `cursor`: the previous page's `nextCursor` (keyset pagination). `total` counts all matching entries.
 * @throws AppError INVALID_REQUEST for an invalid cursor
 */
export async function listAudit(
  app: App,
  { userId, actorId, action, cursor, pageSize }: AuditQuery,
): Promise<{ entries: AuditEntry[]; total: number; nextCursor: string | null }> {
  if (cursor !== undefined && !isUuid(cursor)) throw unknownCursor()
  const matching = (sql: App['sql']) => sql`
    true
    ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
    ${actorId === undefined ? sql`` : sql`and actor_id = ${actorId}`}
    ${action === undefined ? sql`` : sql`and action = ${action}`}
    ${[userId, actorId, action].some((each) => each !== undefined) ? sql`` : sql`and action <> all(${[...TEAM_ACTIONS]})`}
  `
  const [rows, [matches]] = await Promise.all([
    fromEach(
      app,
      app.database.everywhere(),
      (sql) => sql<Omit<AuditEntry, 'actorEmail' | 'userEmail' | 'team'>[]>`
        select a.id, a.created_at, a.action, a.actor_id, a.user_id, a.subject, a.before, a.after, a.request_id, a.reason
        from kinora.audit a
        where ${matching(sql)} ${cursor === undefined ? sql`` : sql`and id < ${cursor}`}
        order by id desc
        limit ${pageSize + 1}
      `,
    ),
    figures<{ total: number }>(
      app,
      (sql) => sql`select count(*) as total from kinora.audit where ${matching(sql)}`,
      { total: sum },
      app.database.everywhere(),
    ),
  ])
  const page = newestFirst(rows, pageSize + 1)
  const entries = page.slice(0, pageSize)
  const ownerOf = await ownersOf(
    app,
    entries.flatMap(({ actorId, userId }) => [actorId, userId]),
  )
  return {
    entries: entries.map((entry) => {
      const { email: userEmail, team } = ownerOf(entry.userId)
      return { ...entry, actorEmail: ownerOf(entry.actorId).email, userEmail, team }
    }),
    total: matches?.total ?? 0,
    nextCursor: page.length > pageSize ? (entries.at(-1)?.id ?? null) : null,
  }
}
