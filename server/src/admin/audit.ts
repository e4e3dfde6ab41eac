/** The audit log: what administrators did, and the deletions that the service did by itself. */
import type { App } from '../app.ts'
import { unknownCursor } from '../errors.ts'
import { isUuid } from '../id.ts'

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
  /** Id of the package, payment event, video or session that it changed. */
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
  { sql }: App,
  { userId, actorId, action, cursor, pageSize }: AuditQuery,
): Promise<{ entries: AuditEntry[]; total: number; nextCursor: string | null }> {
  if (cursor !== undefined && !isUuid(cursor)) throw unknownCursor()
  const matching = sql`
    true
    ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
    ${actorId === undefined ? sql`` : sql`and actor_id = ${actorId}`}
    ${action === undefined ? sql`` : sql`and action = ${action}`}
  `
  const [rows, [count]] = await Promise.all([
    sql<AuditEntry[]>`
      select a.id, a.created_at, a.action, a.actor_id, actor.email as actor_email, a.user_id, u.email as user_email,
             a.subject, a.before, a.after, a.request_id, a.reason
      from (
        select * from kinora.audit
        where ${matching} ${cursor === undefined ? sql`` : sql`and id < ${cursor}`}
        order by id desc
        limit ${pageSize + 1}
      ) a
      left join public."user" actor on actor.id = a.actor_id::text
      left join public."user" u on u.id = a.user_id::text
      order by a.id desc
    `,
    sql<[{ total: number }]>`select count(*) as total from kinora.audit where ${matching}`,
  ])
  const entries = rows.slice(0, pageSize)
  return {
    entries,
    total: count.total,
    nextCursor: rows.length > pageSize ? (entries.at(-1)?.id ?? null) : null,
  }
}
