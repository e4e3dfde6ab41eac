/** `/api/webhooks/payment-b`: events of payment-b. (Those of payment-a arrive below /api/auth, see payment/webhook-plugin.ts.) */
import type { FastifyInstance } from 'fastify'
import Stripe from 'stripe'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import type { Billing } from '../payment/billing.ts'
import { receive } from '../payment/events.ts'
import { ok } from './envelope.ts'

const TOLERANCE_S = 300

export function registerWebhook(server: FastifyInstance, app: App, billing: Billing): void {
  server.register(async (scope) => {
    // The signature is over the bytes as they came.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    scope.post('/api/webhooks/payment-b', { config: { limit: 'none' }, schema: { hide: true } }, async (request) => {
      const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
      verify(app, billing, body, request.headers['stripe-signature'])
      await receive(app, 'payment-b', body.toString('utf8'))
      return ok({ received: true })
    })
  })
}

/** @throws AppError UNAUTHENTICATED, INVALID_REQUEST */
function verify(app: App, { stripe }: Billing, body: Buffer, signature: string | string[] | undefined): void {
  const secret = app.config.payments['payment-b']?.webhookSecret
  const bad = new AppError('UNAUTHENTICATED', 'The signature is missing, wrong, or too old.')
  if (!stripe || !secret || typeof signature !== 'string') throw bad
  try {
    stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_S, undefined, app.now().getTime())
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) throw bad
    throw new AppError('INVALID_REQUEST', 'This body is no event; send it again as documented.')
  }
}
