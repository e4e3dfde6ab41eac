/**
 * Limits failed attempts to sign in, per account as well as per address, without a lock-out that a stranger can cause.
 *
 * An account that gets many attempts from devices it does not know is guarded for the rest of the hour: each address
 * prefix then has one attempt, and pauses that double (backoff) after each failure. A prefix without failures of its
 * own always has its attempt, so a new device of the owner signs in during an attack. A browser that has signed in
 * before has a device cookie (device.ts) and a counter of its own, which no stranger can use up. The owner of a guarded
 * account gets a mail, once a day. An account that does not exist is counted like one that does, so the limits tell
 * nothing about it.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import type { App } from '../app.ts'
import type { AppError } from '../errors.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { rateLimited } from '../rate-limit/rate-limited.ts'
import { addressPrefix } from './address-prefix.ts'
import { accountHash, newDeviceCookie } from './device.ts'

/** Set by the HTTP layer over what a client sends: `id.account` of a device cookie with a valid signature. */
export const DEVICE_HEADER = 'x-kinora-device'
export const ADDRESS_HEADER = 'x-kinora-address'
/** RFC 5321: a path has at most 256 characters, two of which are its brackets. */
export const EMAIL_MAX = 254

const SIGN_IN = '/sign-in/email'
const SIGN_UP = '/sign-up/email'
/** The end of a sign-in with a second factor, whose beginning has no session yet. */
const SECOND_FACTOR = ['/two-factor/verify-totp', '/two-factor/verify-backup-code']

/** @param onError called when the mail about an attack could not be written */
export function signInGuard(app: App, onError: (error: unknown) => void) {
  const { config, rateLimiter } = app
  return {
    id: 'sign-in-guard',
    hooks: {
      before: [
        {
          matcher: ({ path }: { path?: string }) => path === SIGN_IN || path === SIGN_UP,
          handler: createAuthMiddleware(async ({ path, request, headers, body }) => {
            // The service itself creates the administrator, without a request.
            const email: unknown = body?.email
            if (!request || typeof email !== 'string') return
            if (email.length > EMAIL_MAX) throw new APIError('BAD_REQUEST', { code: 'INVALID_EMAIL' })
            if (path !== SIGN_IN) return
            const { isGuarded } = await consumeAttempt(rateLimiter, clientOf(headers, accountHash(config, email)))
            // Not awaited: the time of the response would tell whether the account exists.
            if (isGuarded) void mailAttack(app, email).catch(onError)
          }),
        },
      ],
      after: [
        {
          matcher: ({ path = '' }: { path?: string }) =>
            path === SIGN_IN || path === SIGN_UP || SECOND_FACTOR.includes(path),
          handler: createAuthMiddleware(async (context) => {
            const user = context.context.newSession?.user
            if (!context.request || !user) return
            const client = clientOf(context.headers, accountHash(config, user.email))
            if (client.deviceKey) rateLimiter.reward('client', client.deviceKey)
            rateLimiter.reward('client', client.addressKey)
            if (client.deviceKey) return
            const cookie = newDeviceCookie(config, client.account)
            context.setCookie(cookie.name, cookie.value, cookie.options)
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin
}

type Client = {
  account: string
  /** Whether the request was counted by its device cookie and not by its address. */
  hasDevice: boolean
  /** null: without a device cookie of this account. */
  deviceKey: string | null
  addressKey: string
  prefix: string
}

function clientOf(headers: Headers | undefined, account: string): Client {
  const [id, ofAccount] = headers?.get(DEVICE_HEADER)?.split('.') ?? []
  const prefix = addressPrefix(headers?.get(ADDRESS_HEADER) ?? undefined)
  return {
    account,
    hasDevice: Boolean(id),
    deviceKey: id && ofAccount === account ? `device ${id}` : null,
    addressKey: `${account} ${prefix}`,
    prefix,
  }
}

/**
 * Counted before the password is checked, so that attempts in parallel do not pass together.
 * @returns isGuarded: the account gets many attempts from devices that it does not know
 * @throws AppError RATE_LIMITED
 */
async function consumeAttempt(limiter: App['rateLimiter'], client: Client): Promise<{ isGuarded: boolean }> {
  if (client.deviceKey && (await limiter.consume('client', client.deviceKey)).isAllowed) return { isGuarded: false }
  if (client.hasDevice) {
    const outcome = await limiter.consume('password', client.prefix)
    if (!outcome.isAllowed) throw tooManyAttempts(outcome.resetMs)
  }
  const isGuarded = !(await limiter.consume('account', client.account)).isAllowed
  const outcome = await limiter.consume(isGuarded ? 'guarded-client' : 'client', client.addressKey)
  if (!outcome.isAllowed) throw tooManyAttempts(outcome.resetMs)
  return { isGuarded }
}

/** Mails the owner of a verified address, once a day. */
async function mailAttack(app: App, email: string): Promise<void> {
  const [user] = await app.sql<{ id: string; email: string }[]>`
    select id, email from public."user" where email = ${email.toLowerCase()} and "emailVerified"
  `
  if (!user) return
  const at = app.now().toISOString()
  const onceKey = `sign-in.attempts ${at.slice(0, 10)}`
  await enqueueMail(app, { kind: 'sign-in.attempts', userId: user.id, to: user.email, data: { at }, onceKey })
}

const tooManyAttempts = (waitMs: number): AppError => rateLimited('Too many attempts to sign in have failed', waitMs)
