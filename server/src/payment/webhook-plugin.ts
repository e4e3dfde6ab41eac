/**
 * `POST /api/auth/payment-a/webhook` as a better-auth plugin, because it lies below /api/auth, which better-auth serves. The HMAC
 * is verified over the raw body before the body is parsed or stored; errors pass to the server's error handler.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { receive } from './events.ts'
import { hasValidSignatureA } from './payment-a/events.ts'

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
