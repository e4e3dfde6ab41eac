/**
 * The webhooks of both payment processors: `/api/webhooks/payment-b`, and `/api/auth/payment-a/webhook` as a better-auth plugin, because it lies
 * below /api/auth, which better-auth serves. The signature is verified over the raw body before the body is parsed or stored.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { type Billing, stripeErrors } from '../payment/billing.ts'
import { receive } from '../payment/events.ts'
import { ok } from './request/envelope.ts'
import { acceptRawBody, ignoreContentType, rawBodyOf } from './request/request-body.ts'

/** Maximum age of a signature, against replay. As much is granted to a processor whose clock is ahead. */
const SIGNATURE_AGE_MAX_S = 300

export function registerPaymentWebhook(server: FastifyInstance, app: App, billing: Billing): void {
  server.register(async (scope) => {
    acceptRawBody(scope)

    const options = { config: { limit: 'webhook' as const }, schema: { hide: true }, onRequest: ignoreContentType }
    scope.post('/api/webhooks/payment-b', options, async (request) => {
      const body = rawBodyOf(request)
      verifySignature(app, billing, body, request.headers['stripe-signature'])
      await receive(app, 'payment-b', body.toString('utf8'))
      return ok({ received: true })
    })
  })
}

export const paymentAWebhook = (app: App) =>
  ({
    id: 'payment-a',
    endpoints: {
      paymentAWebhook: createAuthEndpoint(
        '/payment-a/webhook',
        { method: 'POST', disableBody: true, requireRequest: true },
        async (context) => {
          const settings = app.config.payments['payment-a']
          const body = Buffer.from(await context.request.arrayBuffer())
          const signature = context.request.headers.get('creem-signature')
          if (!settings || !signature || !hasValidSignatureA(body, signature, settings.webhookSecret)) {
            throw new AppError('UNAUTHENTICATED', 'The signature is missing or wrong.')
          }
          await receive(app, 'payment-a', body.toString('utf8'))
          return context.json({ success: true, data: { received: true } })
        },
      ),
    },
  }) satisfies BetterAuthPlugin

/**
 * payment-a's header `creem-signature` is the lower-case hex HMAC-SHA256 of the raw body. It contains no timestamp, so replays are detected
 * by the stored event ids only.
 */
function hasValidSignatureA(body: Buffer, signature: string, secret: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  // Compared as bytes: strings of equal length may differ in bytes, and timingSafeEqual throws on unequal lengths.
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * The official package checks the HMAC and the age. It accepts any time in the future, and a time that is no number, so the
 * time is checked here too.
 * @throws AppError UNAUTHENTICATED
 */
function verifySignature(app: App, { stripe }: Billing, body: Buffer, signature: string | string[] | undefined): void {
  const secret = app.config.payments['payment-b']?.webhookSecret
  if (!stripe?.webhooks.signature || !secret || typeof signature !== 'string') throw unauthenticated()
  const nowMs = app.now().getTime()
  if (!isRecent(signature, nowMs)) throw unauthenticated()
  try {
    stripe.webhooks.signature.verifyHeader(body, signature, secret, SIGNATURE_AGE_MAX_S, undefined, nowMs)
  } catch (err) {
    // The package throws a plain Error for an empty signature.
    if (!(err instanceof stripeErrors().StripeSignatureVerificationError))
      app.log.info({ err }, 'a signature was refused')
    throw unauthenticated()
  }
}

/** Made when it is needed: its stack trace takes time, and nearly every signature is right. */
const unauthenticated = () =>
  new AppError('UNAUTHENTICATED', 'The signature is missing, wrong, or not of the last five minutes.')

/** Whether the header `t=<Unix seconds>,v1=…` has exactly one time, and that time is at most SIGNATURE_AGE_MAX_S from now. */
function isRecent(signature: string, nowMs: number): boolean {
  const times = signature.split(',').filter((part) => part.startsWith('t='))
  const [, seconds] = /^t=(\d{1,12})$/.exec(times[0] ?? '') ?? []
  if (times.length !== 1 || seconds === undefined) return false
  return Math.abs(Math.floor(nowMs / 1000) - Number(seconds)) <= SIGNATURE_AGE_MAX_S
}
