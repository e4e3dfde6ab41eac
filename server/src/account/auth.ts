/**
 * Sign-in: better-auth with e-mail and password, sessions, bearer tokens, API keys and roles. It owns its tables in the schema
 * `public`, which migrations/0002 creates. Requests are authenticated without it (see credential.ts).
 */
import { apiKey } from '@better-auth/api-key'
import { type BetterAuthPlugin, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { admin, bearer, customSession } from 'better-auth/plugins'
import { Kysely } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import postgres from 'postgres'
import type { App } from '../app.ts'
import { newId } from '../id.ts'
import { apiKeyLimit } from './api-key-limit.ts'
import { auditedOperations } from './audited-operations.ts'
import { ADDRESS_HEADER, EMAIL_MAX, signInGuard } from './sign-in-guard.ts'

const SESSION_DAYS = 30
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128
export const NAME_MAX = 100
/** Of the link to a user's image, which this service stores and does not use. */
export const IMAGE_MAX = 2048
export const API_KEY_PREFIX = 'kin_'
export const API_KEY_NAME_MAX = 32
export const API_KEY_DAYS_MAX = 365

export type Hooks = {
  /** Called after registration and after every sign-in. */
  onSignedIn: (userId: string) => Promise<unknown>
  /** What the session shows besides session and user. */
  sessionExtras: (userId: string) => Promise<Record<string, unknown>>
}

export type Auth = ReturnType<typeof openAuth>

/** @param plugins of other domains, such as a payment webhook */
export function openAuth(app: App, hooks: Hooks, plugins: BetterAuthPlugin[]) {
  // A separate small pool: the main one converts column names and bigint in ways that better-auth does not expect.
  const sql = postgres(app.config.databaseUrl, {
    max: 4,
    connect_timeout: 5,
    onnotice: () => {},
    connection: {
      // better-auth's queries name no schema. The default search_path would try a schema named after the database user.
      search_path: 'public',
      application_name: `kinora sign-in ${app.config.processName}`,
      lock_timeout: 3000,
      statement_timeout: 30_000,
    },
  })
  const db = new Kysely<Record<string, never>>({ dialect: new PostgresJSDialect({ postgres: sql }) })
  const auth = betterAuth({
    appName: 'Kinora',
    baseURL: app.config.publicUrl,
    basePath: '/api/auth',
    secret: app.config.authSecret,
    trustedOrigins: trustedOrigins(app),
    database: { db, type: 'postgres', transaction: false },
    emailAndPassword: { enabled: true, minPasswordLength: PASSWORD_MIN, maxPasswordLength: PASSWORD_MAX },
    // freshAge 0: an old session may list sessions too. Sensitive operations require the password instead.
    session: { expiresIn: SESSION_DAYS * 86_400, updateAge: 86_400, freshAge: 0 },
    user: { deleteUser: { enabled: false } },
    // It would leave keys and films behind: personal-data/delete.ts deletes accounts.
    disabledPaths: ['/admin/remove-user'],
    // http/rate-limits.ts limits all routes, with one error response.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'kinora',
      useSecureCookies: app.config.publicUrl.startsWith('https:'),
      database: { generateId: () => newId(app.now()) },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    logger: { disabled: true },
    // Unexpected errors reach the server's error handler: logged, and 503 when the database is unavailable.
    onAPIError: { throw: true },
    telemetry: { enabled: false },
    databaseHooks: {
      user: {
        create: {
          before: async (user) => checkFields(user),
          after: async (user) => void (await hooks.onSignedIn(user.id)),
        },
        update: { before: async (user) => checkFields(user) },
      },
      session: { create: { after: async (session) => void (await hooks.onSignedIn(session.userId)) } },
    },
    plugins: [
      bearer(),
      admin(),
      auditedOperations(app),
      signInGuard(app),
      apiKeyLimit(app),
      apiKey({
        defaultPrefix: API_KEY_PREFIX,
        requireName: true,
        maximumNameLength: API_KEY_NAME_MAX,
        keyExpiration: { maxExpiresIn: API_KEY_DAYS_MAX },
        // The prefix and six more characters are stored in plain text, so that the owner can distinguish keys.
        startingCharactersConfig: { charactersLength: 10 },
        // http/rate-limits.ts covers requests with an API key too.
        rateLimit: { enabled: false },
        enableSessionForAPIKeys: false,
      }),
      ...plugins,
      customSession(async ({ user, session }) => ({ session, user, ...(await hooks.sessionExtras(user.id)) })),
    ],
  })
  return {
    /** Whether this is the user's password; false when the user has none. */
    isPassword: async (userId: string, password: string): Promise<boolean> => {
      const context = await auth.$context
      const accounts = await context.internalAdapter.findAccounts(userId)
      const hash = accounts.find(({ providerId }) => providerId === 'credential')?.password
      return typeof hash === 'string' && (await context.password.verify({ hash, password }))
    },
    handler: auth.handler,
    api: auth.api,
    context: () => auth.$context,
    options: auth.options,
    // No query is in progress at this point; the timeout bounds the wait for an unavailable database.
    close: () => sql.end({ timeout: 1 }),
  }
}

/** better-auth accepts any value as a name and an image, and e-mail addresses of any length. @throws APIError 400 */
function checkFields({ name, email, image }: { name?: unknown; email?: unknown; image?: unknown }): void {
  if (typeof email === 'string' && email.length > EMAIL_MAX)
    throw new APIError('BAD_REQUEST', { code: 'INVALID_EMAIL' })
  if (image !== undefined && image !== null && !isText(image, IMAGE_MAX)) {
    throw new APIError('BAD_REQUEST', { code: 'INVALID_IMAGE' })
  }
  if (name === undefined || (isText(name, NAME_MAX) && name.trim())) return
  throw new APIError('BAD_REQUEST', { code: 'INVALID_NAME', message: `A name has 1 to ${NAME_MAX} characters.` })
}

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max && !value.includes('\0')

/** In development the same service is opened as localhost and as 127.0.0.1. */
function trustedOrigins({ config }: App): string[] {
  if (config.production) return [config.publicUrl]
  return [config.publicUrl, `http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`]
}
