/** payment-a, in the dialect of Creem. */
import { createHmac } from 'node:crypto'
import { withQuery } from '../../html.ts'
import type { Processor } from '../processor.ts'
import { objectA, paymentARoutes, returnParameters, SELLER } from './api.ts'

/** The events of one operation all fall into the second before the next operation. */
const GAP_MS = 250

export const paymentA: Processor = {
  ...SELLER,
  prefixes: { customer: 'cust_', purchase: 'tran_', period: 'tran_', refund: 'ref_', dispute: 'disp_' },
  retryAfterS: [30, 60, 300, 3600],
  rules: {
    hasQuantity: false,
    takesBankTransfers: false,
    hasGuests: false,
    hasBalance: false,
    followsDisputes: false,
    prorates: false,
    billingDelayMs: null,
    expires: true,
  },
  sign: (body, secret) => ({ 'creem-signature': createHmac('sha256', secret).update(body).digest('hex') }),
  event: (id, type, context, n) => {
    const object = objectA(type, context)
    const at = context.at + n * GAP_MS
    return object && { at, body: { id, eventType: type, created_at: at, object } }
  },
  returnUrl: (checkout, paid, apiKey) =>
    checkout.successUrl ? withQuery(checkout.successUrl, returnParameters(checkout, paid, apiKey)) : null,
  routes: paymentARoutes,
}
