/**
 * Around the operations that mail: limits messages per address, whether or not it has an account; and mails a sign-in from a
 * device that the account has not used, and a new password.
 */
import { createHash } from 'node:crypto'
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { addressPrefix } from './address-prefix.ts'
import { accountHash } from './device.ts'
import { ADDRESS_HEADER, DEVICE_HEADER } from './sign-in-guard.ts'

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

/** @throws AppError RATE_LIMITED */
async function consumeMail({ config, rateLimiter }: App, email: string): Promise<void> {
  const outcome = await rateLimiter.consume('mail', accountHash(config, email))
  if (outcome.isAllowed) return
  const waitS = Math.max(1, Math.ceil(outcome.resetMs / 1000))
  throw new AppError(
    'RATE_LIMITED',
    `Several mails were sent to this address already; look for them, or try again in ${Math.ceil(waitS / 60)} minutes.`,
    { retryAfterS: waitS },
  )
}
