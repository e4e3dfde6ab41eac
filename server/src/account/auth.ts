/**
 * Sign-in: better-auth with e-mail and password, sessions, bearer tokens, API keys and roles. Its tables live in the
 * schema `public` and are its own; migrations/0002 makes them.
 *
 * better-auth signs people in; it does not stand in the way of other requests (see credential.ts).
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

export const SESSION_DAYS = 30
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128
export const NAME_MAX = 100
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

/** @param plugins those of other domains, which this one does not know */
export function openAuth(app: App, hooks: Hooks, plugins: BetterAuthPlugin[]) {
  // A small pool of its own: the other one renames columns and reads bigint its own way, which is not better-auth's.
  const sql = postgres(app.config.databaseUrl, {
    max: 4,
    connect_timeout: 5,
    onnotice: () => {},
    connection: {
      // Its queries name no schema, and a database user called kinora would look into the schema of that name first.
      search_path: 'public',
      application_name: `kinora sign-in ${app.config.node}`,
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
    // freshAge 0: a session of yesterday may list its sessions too. What matters asks for the password itself.
    session: { expiresIn: SESSION_DAYS * 86_400, updateAge: 86_400, freshAge: 0 },
    user: { deleteUser: { enabled: false } },
    // Addresses are counted in front of better-auth (http/limits.ts), with the same answer as everywhere else.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'kinora',
      useSecureCookies: app.config.publicUrl.startsWith('https:'),
      database: { generateId: () => newId(app.now()) },
      ipAddress: { ipAddressHeaders: ['x-kinora-address'] },
    },
    logger: { disabled: true },
    // What is no answer of its own is thrown to us: logged as everything else, and 503 when the database is away.
    onAPIError: { throw: true },
    telemetry: { enabled: false },
    databaseHooks: {
      user: {
        create: {
          before: async (user) => checkName(user),
          after: async (user) => void (await hooks.onSignedIn(user.id)),
        },
        update: { before: async (user) => checkName(user) },
      },
      session: { create: { after: async (session) => void (await hooks.onSignedIn(session.userId)) } },
    },
    plugins: [
      bearer(),
      admin(),
      apiKey({
        defaultPrefix: API_KEY_PREFIX,
        requireName: true,
        maximumNameLength: API_KEY_NAME_MAX,
        keyExpiration: { maxExpiresIn: API_KEY_DAYS_MAX },
        // The prefix and six characters more, so that its owner can tell one key from another.
        startingCharactersConfig: { charactersLength: 10 },
        // Requests with a key are counted like all others.
        rateLimit: { enabled: false },
        enableSessionForAPIKeys: false,
      }),
      ...plugins,
      customSession(async ({ user, session }) => ({ session, user, ...(await hooks.sessionExtras(user.id)) })),
    ],
  })
  return {
    handler: auth.handler,
    api: auth.api,
    context: () => auth.$context,
    options: auth.options,
    // Nothing is in hand any more; a database that is away would be waited for as long as this says.
    close: () => sql.end({ timeout: 1 }),
  }
}

/** The library takes any value for a name, which lists would have to show. @throws APIError 400 */
function checkName({ name }: { name?: unknown }): void {
  if (name === undefined) return
  if (typeof name === 'string' && name.trim() && name.length <= NAME_MAX && !name.includes('\0')) return
  throw new APIError('BAD_REQUEST', { code: 'INVALID_NAME', message: `A name has 1 to ${NAME_MAX} characters.` })
}

/** A developer opens the same service as localhost and as 127.0.0.1; in production there is one address. */
function trustedOrigins({ config }: App): string[] {
  if (config.production) return [config.publicUrl]
  return [config.publicUrl, `http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`]
}
