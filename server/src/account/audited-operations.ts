/**
 * Audits the administrators' operations of better-auth (`/api/auth/admin/…`). better-auth commits a change on a
 * connection of its own, so the entry follows in a second statement, before the response: when it cannot be written,
 * the request fails with 5xx and the log has the entry.
 */

import type { BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import { isUuid } from '../id.ts'
import { hashSessionToken } from './sessions.ts'

/** Set by the HTTP layer, which overwrites what a client sends. */
export const REQUEST_ID_HEADER = 'x-kinora-request-id'

/** better-auth's operations that change something, and the name of each in the audit log. */
export const auditedActions: Record<string, string> = {
  '/admin/create-user': 'user.create',
  '/admin/update-user': 'user.update',
  '/admin/set-role': 'user.set-role',
  '/admin/set-user-password': 'user.set-password',
  '/admin/ban-user': 'user.ban',
  '/admin/unban-user': 'user.unban',
  '/admin/impersonate-user': 'user.impersonate',
  '/admin/stop-impersonating': 'user.stop-impersonating',
  '/admin/revoke-user-session': 'user.revoke-session',
  '/admin/revoke-user-sessions': 'user.revoke-sessions',
}

type UserState = Record<string, unknown>
type Target = { userId: string | null; sessionId: string | null; state: UserState | null }
type Session = { user: { id: string }; session: { id: string; impersonatedBy?: string | null } }

export function auditedOperations(app: App) {
  /** What an operation is about to change, from its start to its end. */
  const targets = new WeakMap<Request, Target>()
  const isAudited = ({ path }: { path?: string }) => path !== undefined && path in auditedActions
  return {
    id: 'audited-operations',
    hooks: {
      before: [
        {
          matcher: isAudited,
          handler: createAuthMiddleware(async ({ request, body }) => {
            if (request) targets.set(request, await targetOf(app, body))
          }),
        },
      ],
      after: [
        {
          matcher: isAudited,
          handler: createAuthMiddleware(async ({ path, request, headers, body, context }) => {
            const { returned } = context
            const session = context.session as Session | null
            if (!session || returned instanceof Error) return
            const target = request && targets.get(request)
            const isEndOfImpersonation = path === '/admin/stop-impersonating'
            const userId = isEndOfImpersonation ? session.user.id : (target?.userId ?? createdUserId(returned))
            const before = target?.state ?? null
            const after = userId === null ? null : await stateOf(app, userId)
            const entry = {
              actorId: (isEndOfImpersonation && session.session.impersonatedBy) || session.user.id,
              action: auditedActions[path] ?? path,
              userId,
              subject: target?.sessionId ?? null,
              before: before && changed(before, after),
              after: after && changed(after, before),
              requestId: headers?.get(REQUEST_ID_HEADER) ?? null,
              reason: textOrNull(body?.banReason ?? body?.reason),
            }
            await addEntry(app, entry)
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin
}

type Entry = {
  actorId: string
  action: string
  userId: string | null
  subject: string | null
  before: UserState | null
  after: UserState | null
  requestId: string | null
  reason: string | null
}

async function addEntry({ sql, log, now }: App, entry: Entry): Promise<void> {
  try {
    await call(sql, 'audit_add', {
      actorId: entry.actorId,
      action: entry.action,
      userId: entry.userId,
      subject: entry.subject,
      before: entry.before,
      after: entry.after,
      requestId: entry.requestId,
      reason: entry.reason,
      now: now(),
    })
  } catch (error) {
    log.error({ entry }, 'an audit entry could not be written')
    throw error
  }
}

/** The body is not validated yet: this reads what it can and leaves the rest to better-auth. */
async function targetOf(app: App, body: unknown): Promise<Target> {
  const { userId, sessionToken } = (body ?? {}) as Record<string, unknown>
  if (typeof sessionToken === 'string') {
    const [session] = await app.sql<{ id: string; userId: string }[]>`
      select id, "userId" as user_id from public.session where token in (${sessionToken}, ${hashSessionToken(sessionToken)})
    `
    if (!session) return { userId: null, sessionId: null, state: null }
    return { userId: session.userId, sessionId: session.id, state: await stateOf(app, session.userId) }
  }
  if (typeof userId !== 'string' || !isUuid(userId)) return { userId: null, sessionId: null, state: null }
  return { userId, sessionId: null, state: await stateOf(app, userId) }
}

/** What these operations can change of a user, without the password. Null: there is no such user. */
async function stateOf({ sql, now }: App, userId: string): Promise<UserState | null> {
  const [state] = await sql<UserState[]>`
    select u.email, u.name, u.role, coalesce(u.banned, false) as banned, u."banReason" as ban_reason,
           u."banExpires" as ban_expires,
           (select count(*) from public.session s where s."userId" = u.id and s."expiresAt" > ${now()}) as sessions
    from public."user" u
    where u.id = ${userId}
  `
  return state ?? null
}

/** Name and e-mail address are personal data: an entry has changed ones only, none of a new or removed user. */
const PERSONAL = ['email', 'name']

/** The fields of `state` that differ from `other`; without `other` all that are not personal data. */
function changed(state: UserState, other: UserState | null): UserState {
  const differs = ([field, value]: [string, unknown]) =>
    other ? JSON.stringify(value) !== JSON.stringify(other[field]) : !PERSONAL.includes(field)
  return Object.fromEntries(Object.entries(state).filter(differs))
}

/** Reads the user of create-user, whose response is the new user. */
function createdUserId(returned: unknown): string | null {
  const { user } = (returned ?? {}) as { user?: { id?: unknown } }
  return typeof user?.id === 'string' && isUuid(user.id) ? user.id : null
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value ? value : null)
