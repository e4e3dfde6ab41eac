/**
 * What better-auth mails: password reset, verification and change of address. The message is in the outbox before the
 * response, and its link leads to a page of the studio with the token in the fragment, which browsers send to no
 * server. Around the operations that mail: limits messages per address, whether or not it has an account; and mails a
 * sign-in from a device that the account has not used, and a new password.
 */
import { createHash } from 'node:crypto'
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import { magicLink } from 'better-auth/plugins'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { enqueueMail, isMailSetUp, type NewMail } from '../mail/outbox.ts'
import { rateLimited } from '../rate-limit/rate-limited.ts'
import { addressPrefix } from './address-prefix.ts'
import { accountHash } from './device.ts'
import { ADDRESS_HEADER, DEVICE_HEADER } from './sign-in-guard.ts'

type MailOptions = {
  emailAndPassword: Omit<NonNullable<BetterAuthOptions['emailAndPassword']>, 'enabled'>
  emailVerification: NonNullable<BetterAuthOptions['emailVerification']>
  changeEmail: NonNullable<NonNullable<BetterAuthOptions['user']>['changeEmail']>
  verification: NonNullable<BetterAuthOptions['verification']>
}

const RESET_S = 3600
const VERIFY_S = 3600

/** @param onError called when a message could not be written: better-auth would go on as if it had been */
export function mailOptions(app: App, onError: (error: unknown) => void) {
  const { config, sql } = app
  const enqueue = async (mail: NewMail): Promise<void> => {
    await enqueueMail(app, mail).catch(onError)
  }
  const pageLink = (page: string, token: string) => `${config.publicUrl}/${page}#token=${encodeURIComponent(token)}`
  return {
    emailAndPassword: {
      resetPasswordTokenExpiresIn: RESET_S,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) =>
        enqueue({ kind: 'password.reset', userId: user.id, to: user.email, link: pageLink('new-password', token) }),
      onPasswordReset: async ({ user }) => {
        // Deletes the tokens of earlier messages: `value` is the user's id for these tokens only.
        await sql`delete from public.verification where value = ${user.id}`
        await enqueue({ kind: 'password.changed', userId: user.id, to: user.email })
      },
    },
    emailVerification: {
      expiresIn: VERIFY_S,
      sendOnSignUp: isMailSetUp(config),
      sendVerificationEmail: ({ user, token }) =>
        enqueue({ kind: 'email.verify', userId: user.id, to: user.email, link: pageLink('verify-email', token) }),
    },
    changeEmail: {
      enabled: true,
      // The mail goes to the present address. Its link mails the new address, whose link makes the change.
      sendChangeEmailConfirmation: ({ user, newEmail, token }) =>
        enqueue({
          kind: 'email.change',
          userId: user.id,
          to: user.email,
          link: pageLink('verify-email', token),
          data: { newEmail },
        }),
    },
    // A copy of the database has no token that resets a password.
    verification: { storeIdentifier: { default: 'plain', overrides: { 'reset-password:': 'hashed' } } },
  } satisfies MailOptions
}

const LINK_S = 600

/**
 * A mailed link that signs in, for users who exist: an address without an account gets no message, and the response is
 * the same. Its page asks for a click, so that a mail filter that opens links does not use it up.
 * @param onError called when a message could not be written
 */
export const signInLinks = (app: App, onError: (error: unknown) => void) =>
  magicLink({
    expiresIn: LINK_S,
    disableSignUp: true,
    // A copy of the database has no token that signs in.
    storeToken: 'hashed',
    sendMagicLink: async ({ email, token }, context) => {
      if (!isMailSetUp(app.config)) return
      const user = await context?.context.internalAdapter.findUserByEmail(email)
      if (!user) return
      const link = `${app.config.publicUrl}/sign-in#link=${encodeURIComponent(token)}`
      await enqueueMail(app, { kind: 'sign-in.link', userId: user.user.id, to: user.user.email, link }).catch(onError)
    },
  })

/** The field of the body that has the address to which a stranger may cause a message. */
const recipients: Record<string, string> = {
  '/request-password-reset': 'email',
  '/send-verification-email': 'email',
  '/change-email': 'newEmail',
  '/sign-in/magic-link': 'email',
}
/** Operations that end in a session of a user who has proved to be one: a new device is mailed. */
const signIns = [
  '/sign-in/email',
  '/magic-link/verify',
  '/passkey/verify-authentication',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/callback/:id',
  '/oauth2/callback/:providerId',
]

type Matched = { path?: string }

/** @param onError called when a message could not be written */
export const mailGuard = (app: App, onError: (error: unknown) => void) =>
  ({
    id: 'kinora-mail',
    hooks: {
      before: [
        {
          matcher: ({ path }: Matched) => path !== undefined && Object.hasOwn(recipients, path),
          handler: createAuthMiddleware(async ({ path, request, body }) => {
            const email: unknown = body?.[recipients[path] ?? '']
            if (request && typeof email === 'string') await consumeMail(app, email)
          }),
        },
      ],
      after: [
        {
          matcher: ({ path }: Matched) => path !== undefined && signIns.includes(path),
          handler: createAuthMiddleware(async ({ context, headers, request }) => {
            const user = context.newSession?.user
            if (!request || !user?.emailVerified) return
            const [, account] = headers?.get(DEVICE_HEADER)?.split('.') ?? []
            if (account === accountHash(app.config, user.email)) return
            const address = headers?.get(ADDRESS_HEADER) ?? ''
            const userAgent = headers?.get('user-agent') ?? ''
            const client = createHash('sha256')
              .update(`${addressPrefix(address)} ${userAgent}`)
              .digest('hex')
            await enqueueMail(app, {
              kind: 'sign-in.new',
              userId: user.id,
              to: user.email,
              data: { at: app.now().toISOString(), address, userAgent },
              // A program that signs in again and again is one client.
              onceKey: `sign-in.new ${client.slice(0, 32)}`,
            }).catch(onError)
          }),
        },
        {
          matcher: ({ path }: Matched) => path === '/change-password',
          handler: createAuthMiddleware(async ({ context }) => {
            const user = context.session?.user
            if (!user || context.returned instanceof Error) return
            await enqueueMail(app, { kind: 'password.changed', userId: user.id, to: user.email }).catch(onError)
          }),
        },
      ],
    },
  }) satisfies BetterAuthPlugin

/** To mail strangers or join takes a confirmed address; without mail no user has one. @throws AppError FORBIDDEN */
export async function requireVerifiedEmail({ sql, config }: App, userId: string): Promise<void> {
  if (!isMailSetUp(config)) return
  const [user] = await sql`select from public."user" where id = ${userId} and "emailVerified"`
  if (!user) {
    throw new AppError('FORBIDDEN', 'Confirm your e-mail address first, on the account page.', {
      details: { reason: 'email_not_verified' },
    })
  }
}

/** @throws AppError RATE_LIMITED */
export async function consumeMail({ config, rateLimiter }: App, email: string): Promise<void> {
  const outcome = await rateLimiter.consume('mail', accountHash(config, email))
  if (outcome.isAllowed) return
  throw rateLimited('Several mails were sent to this address already: look for them', outcome.resetMs)
}
