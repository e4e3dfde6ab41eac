/**
 * What better-auth mails: password reset, verification and change of address. The message is in the outbox before the response,
 * and its link leads to a page of the studio with the token in the fragment, which browsers send to no server.
 */
import type { BetterAuthOptions } from 'better-auth'
import { magicLink } from 'better-auth/plugins'
import type { App } from '../app.ts'
import { enqueueMail, isMailSetUp, type NewMail } from '../mail/outbox.ts'

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
        // Of earlier messages: `value` is the user's id for these tokens only.
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
      // To the present address. Its link mails the new address, whose link makes the change.
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
 * A mailed link that signs in, for users who exist: an address without an account gets no message, and the response is the same.
 * Its page asks for a click, so that a mail filter that opens links does not use it up.
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
