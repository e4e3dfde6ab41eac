/**
 * Passkeys, and TOTP with recovery codes as a second factor. Invariant: a user with a second factor gets no session
 * without it, by any method of sign-in. A passkey counts as both factors, because the authenticator verifies its user
 * (PIN or biometrics) at each use. API keys stay one credential.
 */
import { passkey } from '@better-auth/passkey'
import { createOTP } from '@better-auth/utils/otp'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import { twoFactor } from 'better-auth/plugins'
import type { App } from '../app.ts'
import { errorUrl } from './sign-in-providers.ts'

export const PASSKEY_NAME_MAX = 60
/** The sign-in page asks for the code when the search has this. */
const SECOND_FACTOR_PAGE = '?second-factor=totp'

/** The period of a code of the app; RFC 6238 recommends 30 seconds. */
const CODE = { digits: 6, period: 30 } as const

/** Ways to sign in beside the password, which is the only one that better-auth challenges. */
const isRedirect = (path: string | undefined): boolean => path?.startsWith('/callback/') ?? false
const isLink = (path: string | undefined): boolean => path === '/magic-link/verify'

/** Stands before all plugins whose hooks read the new session: a challenge removes it. */
export function secondFactor({ config }: Pick<App, 'config'>) {
  const { hooks, ...plugin } = twoFactor({
    issuer: new URL(config.publicUrl).hostname,
    totpOptions: CODE,
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

/**
 * Each code of the app counts once (RFC 6238, section 5.2), also when it is sent twice at the same time; one older than
 * it counts no more. better-auth, which verifies afterwards and counts wrong codes, accepts a code for 90 s. After
 * bearer(), which makes a session of the header.
 */
export const oneTimeCodes = ({ sql }: Pick<App, 'sql'>) =>
  ({
    id: 'one-time-codes',
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === '/two-factor/verify-totp',
          handler: createAuthMiddleware(async (context) => {
            const userId = await userOfCode(context)
            const [factor] = await sql<
              { secret: string }[]
            >`select secret from public."twoFactor" where "userId" = ${userId}`
            if (!factor) return
            const secret = await symmetricDecrypt({ key: context.context.secretConfig, data: factor.secret })
            const step = await stepOf(secret, context.body?.code)
            if (step === null) return
            const { count } = await sql`
              update public."twoFactor" set "lastStep" = ${step}
              where "userId" = ${userId} and coalesce("lastStep", 0) < ${step}
            `
            if (count === 0)
              throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'The code was used before.' })
          }),
        },
      ],
    },
  }) satisfies BetterAuthPlugin

/**
 * Returns the id of the user who sends the code: of the session, else of the challenge in the sign-in's cookie, in the
 * sequence in which better-auth looks. An empty id without either.
 */
async function userOfCode(context: Parameters<typeof getSessionFromCtx>[0]): Promise<string> {
  const session = await getSessionFromCtx(context)
  if (session) return session.user.id
  const { name } = context.context.createAuthCookie('two_factor')
  const challenge = await context.getSignedCookie(name, context.context.secret)
  return challenge ? ((await context.context.internalAdapter.findVerificationValue(challenge))?.value ?? '') : ''
}

/** Returns the period (30 s, counted from 1970) of `code`: the present, the one before or next; null: none. */
async function stepOf(secret: string, code: unknown): Promise<number | null> {
  const now = Math.floor(Date.now() / (CODE.period * 1000))
  const steps = [now - 1, now, now + 1]
  const codes = await Promise.all(steps.map((step) => createOTP(secret, CODE).hotp(step)))
  return steps[codes.lastIndexOf(`${code}`)] ?? null
}

/** Paths that begin a session of users with a second factor: challenged, after the factor, or with a session before. */
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
    rpName: config.site.name,
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
