/**
 * Passkeys, and TOTP with recovery codes as a second factor. Invariant: a user with a second factor gets no session without it,
 * whichever way the sign-in began. A passkey counts as both factors, because the authenticator verifies its user (PIN or
 * biometrics) at each use. API keys stay one credential.
 */
import { passkey } from '@better-auth/passkey'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins'
import type { App } from '../app.ts'
import { errorUrl } from './sign-in-providers.ts'

export const PASSKEY_NAME_MAX = 60
/** The sign-in page asks for the code when the search has this. */
const SECOND_FACTOR_PAGE = '?second-factor=totp'

/** Ways to sign in beside the password, which is the only one that better-auth challenges. */
const isRedirect = (path: string | undefined): boolean => path?.startsWith('/callback/') ?? false
const isLink = (path: string | undefined): boolean => path === '/magic-link/verify'

/** Before all plugins whose hooks read the new session: a challenge removes it. */
export function secondFactor({ config }: Pick<App, 'config'>) {
  const { hooks, ...plugin } = twoFactor({
    issuer: new URL(config.publicUrl).hostname,
    // A user without a password confirms by a fresh sign-in (restrictions.ts).
    allowPasswordless: true,
  })
  const [challenge] = hooks.after
  if (!challenge) throw new Error('the two-factor plugin has no challenge')
  return {
    ...plugin,
    hooks: {
      after: [
        {
          matcher: (context: Parameters<typeof challenge.matcher>[0]) =>
            isRedirect(context.path) || isLink(context.path) || challenge.matcher(context),
          handler: challenge.handler,
        },
        {
          matcher: ({ path }: { path?: string }) => isRedirect(path),
          handler: createAuthMiddleware(async (context) => {
            const { returned } = context.context
            if (typeof returned !== 'object' || returned === null || !('twoFactorRedirect' in returned)) return
            throw context.redirect(`${errorUrl(config)}${SECOND_FACTOR_PAGE}`)
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin
}

/** Paths that begin a session of a user with a second factor: challenged, after the factor, or with a session before. */
const sessionPaths = [
  '/sign-in/email',
  '/magic-link/verify',
  '/passkey/verify-authentication',
  '/change-password',
  '/admin/impersonate-user',
]

/**
 * Default deny: a way to sign in that a later version adds does not bypass the second factor.
 * @throws APIError 403
 */
export async function requireSecondFactor(
  { sql }: Pick<App, 'sql'>,
  { userId }: { userId: string },
  path: string | undefined,
): Promise<void> {
  if (path !== undefined && (isRedirect(path) || path.startsWith('/two-factor/') || sessionPaths.includes(path))) return
  const [user] = await sql`select from public."user" where id = ${userId} and "twoFactorEnabled"`
  if (user) throw new APIError('FORBIDDEN', { code: 'SECOND_FACTOR_REQUIRED', message: 'A second factor is required.' })
}

/** @param origins of the pages that may use passkeys; without them the plugin would believe the request's Origin */
export const passkeys = ({ config }: Pick<App, 'config'>, origins: string[]) =>
  passkey({
    rpID: new URL(config.publicUrl).hostname,
    rpName: 'Kinora',
    origin: origins,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    advanced: { webAuthnChallengeCookie: 'passkey' },
    registration: {
      afterVerification: async ({ verification }) => requireVerifiedUser(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: async ({ verification }) => requireVerifiedUser(verification.authenticationInfo.userVerified),
    },
  })

/** A security key without PIN would be possession only. @throws APIError 401 */
function requireVerifiedUser(isVerified: boolean | undefined): void {
  if (isVerified) return
  throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_VERIFIED', message: 'The passkey did not verify its user.' })
}
