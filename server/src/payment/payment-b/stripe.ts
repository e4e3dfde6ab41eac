/** payment-b's client: the official package, and the calls that reading an event needs. */
import { createRequire } from 'node:module'
import type Stripe from 'stripe'
import type { App } from '../../app.ts'
import type { PaymentSettings } from '../../config/config.ts'
import type { Unlisted } from './events.ts'

const TIMEOUT_MS = 15_000
/** The processor waits for the webhook's response, so what is read for it has less time; the worker tries again. */
const READ_TIMEOUT_MS = 5_000
/** A payment with as many lines is left to an operator; none of ours comes near. */
const LINES_MAX = 1_000

const clients = new WeakMap<PaymentSettings, Stripe>()

/** Loaded on demand: its 218 modules take 0.17 s of CPU time, and a service without payment-b needs none of them. */
const loadStripe = (): typeof import('stripe').default => createRequire(import.meta.url)('stripe')

/** The classes of the errors that its calls throw. */
export const stripeErrors = () => loadStripe().errors

/** The client of these settings; one for the life of the process. */
export function openStripe(settings: PaymentSettings): Stripe {
  const open = clients.get(settings)
  if (open) return open
  const { protocol, hostname, port } = new URL(settings.url)
  const Stripe = loadStripe()
  const stripe = new Stripe(settings.apiKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    maxNetworkRetries: 1,
    timeout: TIMEOUT_MS,
    telemetry: false,
  })
  clients.set(settings, stripe)
  return stripe
}

/** A subscription as it is now; null when it cannot be read now. Never throws. */
export async function readSubscription(app: App, id: string): Promise<unknown> {
  const settings = app.config.payments['payment-b']
  if (!settings) return null
  try {
    return await openStripe(settings).subscriptions.retrieve(id, {}, { timeout: READ_TIMEOUT_MS, maxNetworkRetries: 0 })
  } catch (error) {
    app.log.warn({ err: error, subscription: id }, 'a subscription could not be read')
    return null
  }
}

/** All lines of an invoice or a checkout session; null when they cannot be read now. Never throws. */
export async function readLines(app: App, { kind, id }: Unlisted): Promise<unknown[] | null> {
  const settings = app.config.payments['payment-b']
  if (!settings || id === null) return null
  const options = { timeout: READ_TIMEOUT_MS, maxNetworkRetries: 0 }
  const { invoices, checkout } = openStripe(settings)
  try {
    const lines: unknown[] =
      kind === 'invoice'
        ? await invoices.listLineItems(id, { limit: 100 }, options).autoPagingToArray({ limit: LINES_MAX })
        : await checkout.sessions.listLineItems(id, { limit: 100 }, options).autoPagingToArray({ limit: LINES_MAX })
    if (lines.length === LINES_MAX) throw new Error('there are too many lines')
    return lines
  } catch (error) {
    app.log.warn({ err: error, [kind]: id }, 'the lines of a payment could not be read')
    return null
  }
}
