/** `/api/webhooks/payment-b`: payment events of payment-b. Those of payment-a arrive under /api/auth: payment/webhook-plugin.ts. */
import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import type { Billing } from '../payment/billing.ts'
import { receive } from '../payment/events.ts'
import { stripeErrors } from '../payment/payment-b/stripe.ts'
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

/**
 * The official package checks the HMAC and the age. It accepts any time in the future, and a time that is no number, so the
 * time is checked here too.
 * @throws AppError UNAUTHENTICATED
 */
function verifySignature(app: App, { stripe }: Billing, body: Buffer, signature: string | string[] | undefined): void {
  const secret = app.config.payments['payment-b']?.webhookSecret
  const unauthenticated = new AppError(
    'UNAUTHENTICATED',
    'The signature is missing, wrong, or not of the last five minutes.',
  )
  if (!stripe?.webhooks.signature || !secret || typeof signature !== 'string') throw unauthenticated
  const nowMs = app.now().getTime()
  if (!isRecent(signature, nowMs)) throw unauthenticated
  try {
    stripe.webhooks.signature.verifyHeader(body, signature, secret, SIGNATURE_AGE_MAX_S, undefined, nowMs)
  } catch (err) {
    // The package throws a plain Error for an empty signature.
    if (!(err instanceof stripeErrors().StripeSignatureVerificationError))
      app.log.info({ err }, 'a signature was refused')
    throw unauthenticated
  }
}

/** Whether the header `t=<Unix seconds>,v1=…` has exactly one time, and that time is at most SIGNATURE_AGE_MAX_S from now. */
function isRecent(signature: string, nowMs: number): boolean {
  const times = signature.split(',').filter((part) => part.startsWith('t='))
  const [, seconds] = /^t=(\d{1,12})$/.exec(times[0] ?? '') ?? []
  if (times.length !== 1 || seconds === undefined) return false
  return Math.abs(Math.floor(nowMs / 1000) - Number(seconds)) <= SIGNATURE_AGE_MAX_S
}
