/** `/api/webhooks/payment-b`: payment events of payment-b. Those of payment-a arrive under /api/auth: payment/webhook-plugin.ts. */
import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import type { Billing } from '../payment/billing.ts'
import { receive } from '../payment/events.ts'
import { stripeErrors } from '../payment/stripe.ts'
import { ok } from './envelope.ts'
import { acceptRawBody, rawBodyOf } from './raw-body.ts'

/** Maximum age of a signature, against replay. */
const SIGNATURE_AGE_MAX_S = 300

export function registerWebhook(server: FastifyInstance, app: App, billing: Billing): void {
  server.register(async (scope) => {
    acceptRawBody(scope)

    scope.post('/api/webhooks/payment-b', { config: { limit: 'webhook' }, schema: { hide: true } }, async (request) => {
      const body = rawBodyOf(request)
      verifySignature(app, billing, body, request.headers['stripe-signature'])
      await receive(app, 'payment-b', body.toString('utf8'))
      return ok({ received: true })
    })
  })
}

/** @throws AppError UNAUTHENTICATED, INVALID_REQUEST */
function verifySignature(app: App, { stripe }: Billing, body: Buffer, signature: string | string[] | undefined): void {
  const secret = app.config.payments['payment-b']?.webhookSecret
  const unauthenticated = new AppError('UNAUTHENTICATED', 'The signature is missing, wrong, or too old.')
  if (!stripe || !secret || typeof signature !== 'string') throw unauthenticated
  try {
    stripe.webhooks.constructEvent(body, signature, secret, SIGNATURE_AGE_MAX_S, undefined, app.now().getTime())
  } catch (error) {
    if (error instanceof stripeErrors().StripeSignatureVerificationError) throw unauthenticated
    throw new AppError('INVALID_REQUEST', 'This body is no event; send it again as documented.')
  }
}
