/**
 * Session tokens are stored as hashes (session-adapter.ts). So better-auth's endpoints that end a session by its token are
 * rewritten here: a list of sessions shows the hash, a program knows the token that its sign-in returned, and both name the
 * session. The adapter accepts the token only, because it authenticates.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint, getSessionFromCtx, sessionMiddleware } from 'better-auth/api'
import { deleteSessionCookie, expireCookie, setSessionCookie } from 'better-auth/cookies'
import type { App } from '../app.ts'
import { protectSessions } from './session-adapter.ts'
import { hashSessionToken } from './session-token.ts'
import { isAdministrator } from './user.ts'

/** @param onError called when a session could not be looked up */
export const sessionEndpoints = ({ sql, config, now }: App, onError: (error: unknown) => void) =>
  ({
    id: 'kinora-sessions',
    init: ({ adapter }) => ({
      context: { adapter: protectSessions(adapter, { idleS: config.sessionIdleS, now, onError }) },
    }),
    endpoints: {
      revokeSession: createAuthEndpoint(
        '/revoke-session',
        { method: 'POST', use: [sessionMiddleware], requireHeaders: true },
        async ({ context, body, json }) => {
          const { id } = context.session.user
          await sql`delete from public.session where "userId" = ${id} and token in ${sql(namesOf(body?.token))}`
          return json({ status: true })
        },
      ),
      revokeOtherSessions: createAuthEndpoint(
        '/revoke-other-sessions',
        { method: 'POST', use: [sessionMiddleware], requireHeaders: true },
        async ({ context, json }) => {
          const { user, session } = context.session
          await sql`delete from public.session where "userId" = ${user.id} and id <> ${session.id}`
          return json({ status: true })
        },
      ),
      revokeUserSession: createAuthEndpoint(
        '/admin/revoke-user-session',
        { method: 'POST', use: [sessionMiddleware] },
        async ({ context, body, json }) => {
          if (!isAdministrator(context.session.user)) {
            const code = 'YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS'
            throw new APIError('FORBIDDEN', { code, message: 'Only an administrator may do this.' })
          }
          await sql`delete from public.session where token in ${sql(namesOf(body?.sessionToken))}`
          return json({ success: true })
        },
      ),
      /** better-auth's own fails with 500 for a program, which has no cookie with the administrator's session. */
      stopImpersonating: createAuthEndpoint(
        '/admin/stop-impersonating',
        { method: 'POST', requireHeaders: true },
        async (ctx) => {
          const current = await getSessionFromCtx<object, { impersonatedBy?: string | null }>(ctx)
          if (!current) throw new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED' })
          const { impersonatedBy } = current.session
          if (!impersonatedBy) throw new APIError('BAD_REQUEST', { code: 'NOT_IMPERSONATING' })
          const { adapter, internalAdapter, secret, createAuthCookie } = ctx.context
          const cookie = createAuthCookie('admin_session')
          const [token, forget] = ((await ctx.getSignedCookie(cookie.name, secret)) || '').split(':')
          const own = token ? await internalAdapter.findSession(token) : null
          await adapter.delete({ model: 'session', where: [{ field: 'id', value: current.session.id }] })
          expireCookie(ctx, cookie)
          if (!own || own.session.userId !== impersonatedBy || own.session.expiresAt <= now()) {
            deleteSessionCookie(ctx)
            return ctx.json({ session: null, user: null })
          }
          await setSessionCookie(ctx, own, Boolean(forget))
          return ctx.json({ session: { ...own.session, token: hashSessionToken(own.session.token) }, user: own.user })
        },
      ),
    },
  }) satisfies BetterAuthPlugin

/** The stored tokens of the session that `token` names: it is a hash from a list, or the token itself. */
const namesOf = (token: unknown): string[] => [`${token}`, hashSessionToken(`${token}`)]
