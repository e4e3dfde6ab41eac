/**
 * Sign-in: better-auth with e-mail and password, sessions, bearer tokens, API keys and roles. It owns its tables in the
 * schema `public`, which migrations/0002 creates. Requests are authenticated without it (see credential.ts).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { apiKey } from '@better-auth/api-key'
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { admin, bearer, customSession } from 'better-auth/plugins'
import { Kysely } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import postgres from 'postgres'
import type { App } from '../app.ts'
import { IDLE_S, RECONNECT_PAUSE_S, sessionOptions } from '../db/db.ts'
import { newId } from '../id.ts'
import { cleanName, NAME_RULE } from '../text/name.ts'
import { keepAdministrator, settleAll } from './administrators.ts'
import { auditedOperations } from './audited-operations.ts'
import { mailGuard, mailOptions, signInLinks } from './auth-mail.ts'
import { signUpCaptcha } from './captcha.ts'
import { admitNewUser } from './invitation.ts'
import { apiKeyLimit } from './key/api-key-limit.ts'
import { oauthServer } from './oauth.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from './password-policy.ts'
import { oneTimeCodes, passkeys, requireSecondFactor, secondFactor } from './second-factor.ts'
import { beginningOf, hashSessionToken, sessionEndpoints, sessionFields } from './sessions.ts'
import { ADDRESS_HEADER, signInGuard } from './sign-in-guard.ts'
import { errorUrl, isLinkedBy, openIdProviders, socialProviders, withoutTokens } from './sign-in-providers.ts'
import { emailOf } from './user.ts'

const SESSION_DAYS = 30
export const NAME_MAX = 100
export const API_KEY_PREFIX = 'kin_'
/** Of test keys; it begins as that of every key. */
export const TEST_KEY_PREFIX = 'kin_test_'
export const API_KEY_NAME_MAX = 32
export const API_KEY_DAYS_MAX = 365
/** better-auth counts the code units of UTF-16, of which a character has up to two; the schemas count characters. */
const CODE_UNITS = 2

export type AuthHooks = {
  /**
   * Called after registration, after every sign-in, and when an e-mail address is verified.
   * @param ip the address of the request; null: the service, or an administrator for the user
   */
  onSignedIn: (userId: string, ip: string | null) => Promise<unknown>
  /** What the session shows besides session and user. */
  sessionExtras: (userId: string) => Promise<Record<string, unknown>>
  /** Replaces better-auth's scrypt, which takes 90 ms of CPU time: for tests only. */
  password?: NonNullable<NonNullable<BetterAuthOptions['emailAndPassword']>['password']>
}

export type Auth = ReturnType<typeof openAuth>

/** A session as better-auth finds it by a request's headers. */
export type CurrentSession = {
  userId: string
  email: string
  signedInAt: Date
  /** The administrator who impersonates the user; null in a session of the user. */
  impersonatedBy: string | null
}

/** @param plugins of other domains, such as a payment webhook */
export function openAuth(app: App, hooks: AuthHooks, plugins: BetterAuthPlugin[]) {
  const { sql, db } = openPool(app)
  const { withFailures, onError } = openFailures()
  const auth = openBetterAuth(app, db, hooks, plugins, onError)
  // No query is in progress when it is closed; the timeout bounds the wait for an unavailable database.
  return operationsOf(app, auth, withFailures, () => sql.end({ timeout: 1 }))
}

type Database = Kysely<Record<string, never>>
type OnError = (error: unknown) => void

function openBetterAuth(app: App, db: Database, hooks: AuthHooks, plugins: BetterAuthPlugin[], onError: OnError) {
  const mail = mailOptions(app, onError)
  const isHttps = app.config.publicUrl.startsWith('https:')
  return betterAuth({
    appName: app.config.site.name,
    baseURL: app.config.publicUrl,
    basePath: '/api/auth',
    secret: app.config.authSecret,
    trustedOrigins: trustedOrigins(app),
    database: { db, type: 'postgres', transaction: false },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: CODE_UNITS * PASSWORD_MAX,
      ...(hooks.password && { password: hooks.password }),
      ...mail.emailAndPassword,
    },
    emailVerification: mail.emailVerification,
    verification: mail.verification,
    // freshAge 0: an old session may list sessions too. restrictions.ts has what an old session may not do.
    session: { expiresIn: SESSION_DAYS * 86_400, updateAge: 86_400, freshAge: 0, additionalFields: sessionFields },
    user: {
      deleteUser: { enabled: false },
      changeEmail: mail.changeEmail,
      // The language of mails (language.ts). auth-operations.ts has the values that a request may have.
      additionalFields: { language: { type: 'string', required: false } },
    },
    socialProviders: socialProviders(app.config),
    account: { updateAccountOnSignIn: false, accountLinking: { enabled: true, requireLocalEmailVerified: true } },
    // http/request/rate-limits.ts limits all routes, with one error response.
    rateLimit: { enabled: false },
    advanced: {
      // __Host-: a browser takes such a cookie over https only, from this host only, and for all its paths.
      cookiePrefix: isHttps ? '__Host-kinora' : 'kinora',
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isHttps, path: '/' },
      database: { generateId: () => newId(app.now()) },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    logger: { disabled: true },
    // Unexpected errors reach the server's error handler: logged, and 503 when the database is unavailable.
    onAPIError: { throw: true, errorURL: errorUrl(app.config) },
    telemetry: { enabled: false },
    databaseHooks: databaseHooks(app, hooks),
    plugins: [...ownPlugins(app, onError), ...plugins, shownSession(hooks)],
  })
}

function openPool(app: App) {
  // A separate small pool: the main one converts column names and bigint in ways that better-auth does not expect.
  const sql = postgres(app.config.databaseUrl, {
    max: 4,
    connect_timeout: 5,
    idle_timeout: IDLE_S,
    // The same as in db.ts: the driver's own pause grows to 20 s, and sign-in would be away for so much longer after a
    // failover.
    backoff: () => RECONNECT_PAUSE_S,
    onnotice: () => {},
    // better-auth serialises jsonb itself; the driver would store that text as a JSON string.
    types: { jsonb: { to: 3802, from: [3802], serialize: (text: string) => text, parse: JSON.parse } },
    ...sessionOptions(app.config.databaseUrl, {
      name: `kinora sign-in ${app.config.processName}`,
      pooler: app.config.databasePooler,
    }),
  })
  // Kysely reserves a connection for each statement, and the driver sends the next one to a reserved connection that
  // was lost, which ends the process. better-auth runs no transaction (below), so every statement may take any
  // connection.
  const pool = Object.assign(sql, { release: () => {} })
  sql.reserve = () => Promise.resolve(pool)
  const db: Database = new Kysely({ dialect: new PostgresJSDialect({ postgres: sql }) })
  return { sql, db }
}

function openFailures() {
  const failures = new AsyncLocalStorage<{ error?: unknown }>()
  /**
   * Runs a call of better-auth. When the database fails, better-auth returns no session, or reports a message as sent;
   * this function throws instead.
   * @throws the error of the database
   */
  const withFailures = <T>(call: () => Promise<T>): Promise<T> => {
    const failure: { error?: unknown } = {}
    return failures.run(failure, async () => {
      const result = await call()
      if (failure.error !== undefined) throw failure.error
      return result
    })
  }
  const onError = (error: unknown) => {
    const failure = failures.getStore()
    if (failure) failure.error = error
  }
  return { withFailures, onError }
}

const databaseHooks = (app: App, hooks: AuthHooks): NonNullable<BetterAuthOptions['databaseHooks']> => ({
  user: {
    create: {
      before: async (user, context) => {
        const named = cleanedName(user)
        // SIGN_UP is about those who sign up: the service itself and administrators make accounts without it.
        if (ipOf(context) === null) return { data: named }
        const admission = await admitNewUser(app, user.email, context?.headers?.get('cookie') ?? null)
        if ('id' in admission) return { data: { ...named, ...admission } }
        // A sign-up at a provider comes back to /sign-in with the message as its `error`, which the studio reads as a
        // code.
        throw new APIError('FORBIDDEN', { code: admission.refusal, message: admission.refusal })
      },
      after: async (user, context) => void (await hooks.onSignedIn(user.id, ipOf(context))),
    },
    update: {
      before: async (user, context) => {
        await keepAdministrator(app, context)
        return { data: cleanedName(user) }
      },
      after: async (user, context) => {
        if (user.emailVerified) await hooks.onSignedIn(user.id, ipOf(context))
        if (context?.path === '/admin/unban-user') await settleAll(app, user.id)
      },
    },
  },
  account: {
    create: {
      before: async (account) => (account.providerId === 'credential' ? undefined : withoutTokens()),
      after: async (account, context) => {
        if (await isLinkedBy(account)) {
          await context?.context.internalAdapter.updateUser(account.userId, { emailVerified: true })
        }
      },
    },
  },
  session: {
    create: {
      before: async (session, context) => {
        await requireSecondFactor(app, session, context?.path)
        return { data: { ...session, ...beginningOf(context) } }
      },
      after: async (session, context) => void (await hooks.onSignedIn(session.userId, ipOf(context))),
    },
  },
})

const ownPlugins = (app: App, onError: OnError) => [
  secondFactor(app),
  bearer(),
  oneTimeCodes(app),
  // Its hook would hide impersonations from the user's list of sessions.
  { ...admin(), hooks: {} },
  sessionEndpoints(app, onError),
  auditedOperations(app),
  signInGuard(app, onError),
  mailGuard(app, onError),
  apiKeyLimit(app),
  apiKey({
    defaultPrefix: API_KEY_PREFIX,
    requireName: true,
    maximumNameLength: CODE_UNITS * API_KEY_NAME_MAX,
    keyExpiration: { maxExpiresIn: API_KEY_DAYS_MAX },
    // The prefix and six more characters are stored in plain text, so that the owner can distinguish keys.
    startingCharactersConfig: { charactersLength: 10 },
    // http/request/rate-limits.ts covers requests with an API key too.
    rateLimit: { enabled: false },
    enableSessionForAPIKeys: false,
  }),
  oauthServer(app),
  ...signUpCaptcha(app.config),
  passkeys(app, trustedOrigins(app)),
  signInLinks(app, onError),
  openIdProviders(app.config),
]

/** A page does not need the token, which a script could steal: its cookie is HttpOnly. */
const shownSession = (hooks: AuthHooks) =>
  customSession(async ({ user, session }) => ({
    session: { ...session, token: hashSessionToken(session.token) },
    user,
    ...(await hooks.sessionExtras(user.id)),
  }))

type BetterAuth = ReturnType<typeof openBetterAuth>
type WithFailures = ReturnType<typeof openFailures>['withFailures']

function operationsOf(app: App, auth: BetterAuth, withFailures: WithFailures, close: () => Promise<void>) {
  const findSession = async (headers: Headers): Promise<CurrentSession | null> => {
    const found = await withFailures(() => auth.api.getSession({ headers, query: { disableRefresh: true } }))
    if (!found) return null
    const { session, user } = found
    const { impersonatedBy = null } = session as { impersonatedBy?: string | null }
    return { userId: user.id, email: user.email, signedInAt: session.createdAt, impersonatedBy }
  }
  return {
    /** Whether this is the user's password; false when the user has none. */
    isPassword: async (userId: string, password: string): Promise<boolean> => {
      const context = await auth.$context
      const accounts = await context.internalAdapter.findAccounts(userId)
      const hash = accounts.find(({ providerId }) => providerId === 'credential')?.password
      return typeof hash === 'string' && (await context.password.verify({ hash, password }))
    },
    hasPassword: async (userId: string): Promise<boolean> =>
      Boolean((await (await auth.$context).internalAdapter.findCredentialAccount(userId))?.password),
    /** The session that better-auth finds for these headers, without extending it. A request's: own-session.ts. */
    findSession,
    /** The id of the user whose password a mailed token resets; empty when it is unknown. */
    userOfResetToken: async (token: string): Promise<string> =>
      (await (await auth.$context).internalAdapter.findVerificationValue(`reset-password:${token}`))?.value ?? '',
    emailOf: (userId: string) => emailOf(app, userId),
    /** @throws when the database fails */
    handler: (request: Request): Promise<Response> => withFailures(() => auth.handler(request)),
    api: auth.api,
    context: () => auth.$context,
    options: auth.options,
    // No query is in progress at this point; the timeout bounds the wait for an unavailable database.
    close,
  }
}

/** The address of the user's own request; null without one, and for an administrator's operation. */
const ipOf = (context: { path?: string; headers?: Headers | undefined } | null): string | null =>
  context?.path?.startsWith('/admin/') ? null : (context?.headers?.get(ADDRESS_HEADER) ?? null)

/** Request names are valid already (auth-schemas.ts); others are made so. @throws APIError 400 */
function cleanedName({ name }: { name?: unknown }): { name?: string } {
  if (name === undefined) return {}
  const cleaned = cleanName(`${name}`, NAME_MAX)
  if (cleaned !== '') return { name: cleaned }
  throw new APIError('BAD_REQUEST', {
    code: 'INVALID_NAME',
    message: `A name has 1 to ${NAME_MAX} characters: ${NAME_RULE}.`,
  })
}

/** Development has two: the same service is opened as localhost and as 127.0.0.1. */
function trustedOrigins({ config }: App): string[] {
  if (config.production) return [config.publicUrl]
  return [config.publicUrl, `http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`]
}
