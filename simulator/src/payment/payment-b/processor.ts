/** payment-b, in the dialect of Stripe. */
import { createHmac } from 'node:crypto'
import type { Processor } from '../processor.ts'
import { paymentBRoutes } from './api.ts'
import { API_VERSION, objectB, SELLER, seconds } from './objects.ts'

export const paymentB: Processor = {
  ...SELLER,
  prefixes: { customer: 'cus_', purchase: 'pi_', period: 'in_', refund: 're_', dispute: 'du_' },
  /** Just under three days in all. */
  retryAfterS: [60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 72_000],
  rules: {
    hasQuantity: true,
    takesBankTransfers: true,
    hasGuests: true,
    hasBalance: true,
    followsDisputes: true,
    prorates: true,
    billingDelayMs: 3_600_000,
    expires: false,
  },
  sign: (body, secret, sentAtMs) => {
    const sentAt = seconds(sentAtMs)
    const hmac = createHmac('sha256', secret).update(`${sentAt}.${body}`).digest('hex')
    return { 'stripe-signature': `t=${sentAt},v1=${hmac}` }
  },
  event: (id, type, context) => {
    const object = objectB(type, context)
    const head = { id, object: 'event', api_version: API_VERSION, created: seconds(context.at), livemode: false, type }
    return object && { at: context.at, body: { ...head, data: { object } } }
  },
  returnUrl: ({ successUrl, id }) => successUrl.replaceAll('{CHECKOUT_SESSION_ID}', id),
  routes: paymentBRoutes,
  isAtRoot: true,
}
