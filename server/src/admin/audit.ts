/**
 * The audit log: what administrators did, and the deletions that the service did by itself. What members did to a team
 * (account/team/log.ts) is listed for that team, that member or that action alone: the administrators' own entries
 * would drown in it.
 */

import { Type } from 'typebox'
import { TEAM_ACTIONS } from '../account/team/log.ts'
import type { App } from '../app.ts'
import { filter, isPlain, matches, type QueryOf } from '../db/filter.ts'
import { by, type PageQuery, readCountedPage } from '../db/page.ts'
import { DESK_ACTIONS } from './desk.ts'
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
  'payment.refund',
  'video.remove-files',
  'webhook.disable',
  'mail.retry',
  'mail.show-link',
  'catalogue.switch',
  'catalogue.take',
  'catalogue.restore',
  'catalogue.sample',
  'setup.test',
  'setup.close',
  'invitation.create',
  'invitation.revoke',
  'code.create',
  'code.end',
  'explore.remove',
  'explore.keep',
  'takedown.decide',
  'takedown.answer',
  'video.read-prompt',
  'incident.set',
  'team.lock',
  'team.unlock',
  'team.make-owner',
  ...TEAM_ACTIONS,
  'user.create',
  'user.update',
  'user.set-role',
  'user.ban',
  'user.unban',
  'user.impersonate',
  'user.act',
  'user.stop-impersonating',
  'user.revoke-session',
  'user.resend-verification',
  ...DESK_ACTIONS,
  'video.restore',
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
  /** Id of the package, payment event, video, session, mail, endpoint, invitation, code or deleted user concerned. */
  subject: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  requestId: string | null
  reason: string | null
}

export const auditFilters = {
  userId: filter(
    Type.String({ format: 'uuid', description: 'Entries that concern this user' }),
    (sql, id) => sql`user_id = ${id}`,
  ),
  actorId: filter(
    Type.String({ format: 'uuid', description: 'Entries of this administrator' }),
    (sql, id) => sql`actor_id = ${id}`,
  ),
  action: filter(
    Type.String({ minLength: 1, maxLength: 100, description: 'Entries of this action' }),
    (sql, action) => sql`action = ${action}`,
  ),
}

/**
 * Newest first. `total` counts all matching entries.
 * @throws AppError INVALID_REQUEST for an invalid cursor
 */
export async function listAudit(app: App, query: QueryOf<typeof auditFilters> & PageQuery) {
  const isWhole = isPlain(auditFilters, query)
  const { rows: entries, ...page } = await readCountedPage({ log: app.log, parts: app.database.everywhere() }, query, {
    sequence: by('id', 'id'),
    where: (sql) => sql`
      ${matches(sql, auditFilters, query)} ${isWhole ? sql`and action <> all(${[...TEAM_ACTIONS]})` : sql``}
    `,
    rows: (sql, { where, order, limit }) => sql<Omit<AuditEntry, 'actorEmail' | 'userEmail' | 'team'>[]>`
      select id, created_at, action, actor_id, user_id, subject, before, after, request_id, reason
      from kinora.audit
      where ${where}
      order by ${order}
      limit ${limit}
    `,
    count: (sql, where) => sql<{ total: number }[]>`select count(*) as total from kinora.audit where ${where}`,
  })
  const ownerOf = await ownersOf(
    app,
    entries.flatMap(({ actorId, userId }) => [actorId, userId]),
  )
  return {
    entries: entries.map((entry) => {
      const { email: userEmail, team } = ownerOf(entry.userId)
      return { ...entry, actorEmail: ownerOf(entry.actorId).email, userEmail, team }
    }),
    ...page,
  }
}
