/** payment-b's client: the official package. */
import { createRequire } from 'node:module'
import type Stripe from 'stripe'
import type { PaymentSettings } from '../../config/config.ts'

const TIMEOUT_MS = 15_000

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
