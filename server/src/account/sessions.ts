/**
 * Puts hashed session tokens and the idle timeout below better-auth, which stores tokens as they are. Every `token` in
 * a condition is hashed, so a look-up finds a session only by the token itself. A row that was looked up by its token
 * shows that token, because better-auth sets the cookie from it; every other row shows the stored hash.
 *
 * Endpoints of better-auth that compare a token with those it lists are rewritten here, because what they list is
 * hashed.
 */
import { createHash } from 'node:crypto'
import type { DBAdapter, DBTransactionAdapter, Where } from '@better-auth/core/db/adapter'
import type { BetterAuthPlugin } from 'better-auth'
import {
  APIError,
  createAuthEndpoint,
  createAuthMiddleware,
  getSessionFromCtx,
  sessionMiddleware,
} from 'better-auth/api'
import { deleteSessionCookie, expireCookie, setSessionCookie } from 'better-auth/cookies'
import type { App } from '../app.ts'
import { isAdministrator } from './user.ts'

/** The stored form of a token, no credential: sent as a token it is hashed again, and found nowhere. */
export const hashSessionToken = (token: string): string =>
  `sha256:${createHash('sha256').update(token).digest('base64url')}`

/** Writes of a session's time of last use, in seconds: each would otherwise be a write for every look-up. */
export const lastUsedEveryS = (idleS: number): number => Math.min(60, idleS / 10)

type Row = { id: string; token: string; updatedAt: Date }
type Options = {
  idleS: number | null
  now: () => Date
  /** Called when a session could not be looked up, because better-auth then goes on as if there were none. */
  onError: (error: unknown) => void
}

/** Every method of better-auth's adapters that reads or writes rows. A test compares the installed version. */
export const rowMethods = [
  'create',
  'findOne',
  'findMany',
  'count',
  'update',
  'updateMany',
  'delete',
  'deleteMany',
  'consumeOne',
  'incrementOne',
] as const satisfies (keyof DBTransactionAdapter)[]

export const protectSessions = (adapter: DBAdapter, options: Options): DBAdapter => ({
  ...adapter,
  ...protectedRows(adapter, options),
  transaction: (work) => adapter.transaction((inner) => work({ ...inner, ...protectedRows(inner, options) })),
})

function protectedRows(
  inner: DBTransactionAdapter,
  { idleS, now, onError }: Options,
): Pick<DBTransactionAdapter, (typeof rowMethods)[number]> {
  const isIdle = ({ updatedAt }: Row) => idleS !== null && now().getTime() - updatedAt.getTime() > idleS * 1000

  /** Notes that the session is used, at most once in a while. */
  const touch = async (row: Row): Promise<Row> => {
    if (idleS === null || now().getTime() - row.updatedAt.getTime() < lastUsedEveryS(idleS) * 1000) return row
    const updatedAt = now()
    await inner.update({ model: 'session', where: [{ field: 'id', value: row.id }], update: { updatedAt } })
    return { ...row, updatedAt }
  }

  return {
    create: async <T extends Record<string, unknown>, R = T>(
      data: Parameters<typeof inner.create<T, R>>[0],
    ): Promise<R> => {
      if (data.model !== 'session') return inner.create<T, R>(data)
      const created = await inner.create<T, R>({ ...data, data: hashToken(data.data) })
      return { ...created, token: (data.data as { token?: unknown }).token }
    },
    findOne: async <T>(data: Parameters<typeof inner.findOne>[0]): Promise<T | null> => {
      if (data.model !== 'session') return inner.findOne<T>(data)
      try {
        const row = await inner.findOne<Row>(hashWhere(data))
        if (!row || isIdle(row)) return null
        return showToken(await touch(row), data.where) as T
      } catch (error) {
        onError(error)
        throw error
      }
    },
    findMany: async <T>(data: Parameters<typeof inner.findMany>[0]): Promise<T[]> => {
      if (data.model !== 'session') return inner.findMany<T>(data)
      const rows = await inner.findMany<Row>(hashWhere(data))
      return rows.filter((row) => !isIdle(row)).map((row) => showToken(row, data.where) as T)
    },
    count: (data) => inner.count(hashWhere(data)),
    update: async <T>(data: Parameters<typeof inner.update>[0]): Promise<T | null> => {
      if (data.model !== 'session') return inner.update<T>(data)
      const row = await inner.update<Row>({ ...hashWhere(data), update: hashToken(data.update) })
      return row && (showToken(row, data.where) as T)
    },
    updateMany: (data) =>
      inner.updateMany(data.model === 'session' ? { ...hashWhere(data), update: hashToken(data.update) } : data),
    delete: (data) => inner.delete(hashWhere(data)),
    deleteMany: (data) => inner.deleteMany(hashWhere(data)),
    consumeOne: (data) => inner.consumeOne(hashWhere(data)),
    incrementOne: (data) => inner.incrementOne(hashWhere(data)),
  }
}

const hashToken = <T extends Record<string, unknown>>(data: T): T =>
  typeof data.token === 'string' ? { ...data, token: hashSessionToken(data.token) } : data

function hashWhere<T extends { model: string; where?: Where[] | undefined }>(data: T): T {
  if (data.model !== 'session' || !data.where) return data
  const where = data.where.map((condition): Where => {
    if (condition.field !== 'token') return condition
    const { value } = condition
    return {
      ...condition,
      value: Array.isArray(value) ? value.map((each) => hashSessionToken(`${each}`)) : hashSessionToken(`${value}`),
    }
  })
  return { ...data, where }
}

/** The row with the token by which it was looked up, if it was. */
function showToken(row: Row, where: Where[] = []): Row {
  const condition = where.find(({ field, operator = 'eq' }) => field === 'token' && operator === 'eq')
  return typeof condition?.value === 'string' && row.token === hashSessionToken(condition.value)
    ? { ...row, token: condition.value }
    : row
}

/** What this service stores with a session; a request sets none of it. */
export const sessionFields = {
  parentId: { type: 'string', required: false, input: false },
  impersonationReason: { type: 'string', required: false, input: false },
  withPasskey: { type: 'boolean', required: false, input: false },
} as const

/** Why an administrator impersonates: better-auth drops unknown body fields before its endpoint runs. */
const reasons = new WeakMap<Request, string>()
const IMPERSONATE = '/admin/impersonate-user'

type Endpoint = {
  path?: string
  request?: Request | undefined
  context: { session: { session: { id: string } } | null }
}

/** The values of these fields for a session that the endpoint begins. */
export function beginningOf(endpoint: Endpoint | null) {
  if (endpoint?.path === '/passkey/verify-authentication') return { withPasskey: true }
  if (endpoint?.path !== IMPERSONATE) return {}
  const reason = endpoint.request && reasons.get(endpoint.request)
  return { parentId: endpoint.context.session?.session.id, impersonationReason: reason ?? null }
}

/** @param onError called when a session could not be looked up */
export const sessionEndpoints = ({ sql, config, now }: App, onError: (error: unknown) => void) =>
  ({
    id: 'kinora-sessions',
    init: ({ adapter }) => ({
      context: { adapter: protectSessions(adapter, { idleS: config.sessionIdleS, now, onError }) },
    }),
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === IMPERSONATE,
          handler: createAuthMiddleware(async ({ request, body }) => {
            if (request && body?.reason) reasons.set(request, `${body.reason}`.trim())
          }),
        },
      ],
      after: [
        {
          // In a browser: the sign-out of who impersonates ends the administrator's own session, and the impersonation
          // with it.
          matcher: ({ path }) => path === '/sign-out',
          handler: createAuthMiddleware(async (ctx) => {
            const { cookie, session } = await findAdminSession(ctx)
            if (session) await ctx.context.internalAdapter.deleteSession(session.session.token)
            if (cookie) expireCookie(ctx, cookie)
          }),
        },
      ],
    },
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
      stopImpersonating: stopImpersonating(now),
    },
  }) satisfies BetterAuthPlugin

/** better-auth's own fails with 500 for a program, which has no cookie with the administrator's session. */
const stopImpersonating = (now: () => Date) =>
  createAuthEndpoint('/admin/stop-impersonating', { method: 'POST', requireHeaders: true }, async (ctx) => {
    const current = await getSessionFromCtx<object, { impersonatedBy?: string | null }>(ctx)
    if (!current) throw new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED' })
    const { impersonatedBy } = current.session
    if (!impersonatedBy) throw new APIError('BAD_REQUEST', { code: 'NOT_IMPERSONATING' })
    const { session: own, cookie, forget } = await findAdminSession(ctx)
    await ctx.context.adapter.delete({ model: 'session', where: [{ field: 'id', value: current.session.id }] })
    expireCookie(ctx, cookie)
    if (!own || own.session.userId !== impersonatedBy || own.session.expiresAt <= now()) {
      deleteSessionCookie(ctx)
      return ctx.json({ session: null, user: null })
    }
    await setSessionCookie(ctx, own, Boolean(forget))
    return ctx.json({ session: { ...own.session, token: hashSessionToken(own.session.token) }, user: own.user })
  })

/** The session of the administrator that a browser keeps in a cookie of its own while it impersonates. */
async function findAdminSession(ctx: Pick<Parameters<typeof getSessionFromCtx>[0], 'context' | 'getSignedCookie'>) {
  const { internalAdapter, secret, createAuthCookie } = ctx.context
  const cookie = createAuthCookie('admin_session')
  const [token, forget] = ((await ctx.getSignedCookie(cookie.name, secret)) || '').split(':')
  return { cookie, forget, session: token ? await internalAdapter.findSession(token) : null }
}

/** The stored tokens of the session that `token` names: it is a hash from a list, or the token itself. */
const namesOf = (token: unknown): string[] => [`${token}`, hashSessionToken(`${token}`)]
