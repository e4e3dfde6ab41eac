/** payment-b, which speaks the dialect of Stripe, whose official package verifies its webhooks and opens its pages. */
import { createRequire } from 'node:module'
import type Stripe from 'stripe'
import type { App } from '../../app.ts'
import type { PaymentSettings } from '../../config/config.ts'
import { AppError } from '../../errors.ts'
import { at } from '../../text/json-reader.ts'
import { idAt, type Mode, type PaymentEvent } from '../effect.ts'
import { type Plans, processorId } from '../plans.ts'
import {
  PAGE_TIMEOUT_S,
  type PaymentClient,
  type PaymentProcessor,
  type PlanChange,
  type ReceivedWebhook,
  successUrl,
  UnknownCustomer,
} from '../processor.ts'
import { accountB, SUBSCRIPTION } from './account.ts'
import { cardOf, chargeCard, documentsOf, itemsOf, previewOf } from './charges.ts'
import { noticeOf, noticeTypes, pageOf, refund } from './desk.ts'
import { translateB } from './events.ts'
import { bookedIn, movementsB } from './movements.ts'

export const paymentB: PaymentProcessor = {
  webhookPath: '/api/webhooks/payment-b',
  verify,
  translate,
  /** Keys begin with `sk_test_`, `rk_test_`, `sk_live_` or `rk_live_`. A webhook secret shows no mode. */
  modeOf: ({ apiKey }) => (/^[sr]k_(test|live)_/.exec(apiKey)?.[1] as Mode | undefined) ?? null,
  // The package's version: an account's own may lack what is read here.
  headersOf: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}`, 'stripe-version': loadStripe().API_VERSION }),
  paths: { probe: '/v1/invoices?limit=1', subscription: SUBSCRIPTION },
  readAccount: accountB,
  readMovements: movementsB,
  open,
  refund,
  noticeTypes,
  noticeOf,
  pageOf,
}

/** Loaded on demand: its 218 modules take 0.17 s of CPU time, and a service without payment-b needs none of them. */
const loadStripe = (): typeof import('stripe').default => require('stripe')
const require = createRequire(import.meta.url)

/** Maximum age of a signature, against replay. As much is granted to a processor whose clock is ahead. */
const SIGNATURE_AGE_MAX_S = 300

/**
 * The official package checks the HMAC and the age. It accepts any time in the future, and a time that is no number, so
 * the time is checked here too.
 * @throws Error for an empty signature
 */
function verify({ body, headers, secret, now }: ReceivedWebhook): boolean {
  const { webhooks, errors } = loadStripe()
  const { 'stripe-signature': signature } = headers
  if (typeof signature !== 'string' || !isRecent(signature, now.getTime())) return false
  try {
    const { signature: verifier } = webhooks
    return verifier?.verifyHeader(body, signature, secret, SIGNATURE_AGE_MAX_S, undefined, now.getTime()) ?? false
  } catch (error) {
    if (error instanceof errors.StripeSignatureVerificationError) return false
    throw error
  }
}

/** Whether the header `t=<Unix seconds>,v1=…` has exactly one time, at most SIGNATURE_AGE_MAX_S from now. */
function isRecent(signature: string, nowMs: number): boolean {
  const times = signature.split(',').filter((part) => part.startsWith('t='))
  const [, seconds] = /^t=(\d{1,12})$/.exec(times[0] ?? '') ?? []
  if (times.length !== 1 || seconds === undefined) return false
  return Math.abs(Math.floor(nowMs / 1000) - Number(seconds)) <= SIGNATURE_AGE_MAX_S
}

const THIN =
  'This is a thin notification, which has no object in it: set the payload style of the event destination (webhook endpoint) to "snapshot".'

function translate(body: unknown, plans: Plans, now: Date): PaymentEvent | null {
  if (at(body, 'object') === 'v2.core.event') throw new AppError('INVALID_REQUEST', THIN)
  const event = translateB(body, plans, now)
  const booked = bookedIn(at(body, 'data', 'object'))
  return (
    event && { ...event, effects: event.effects.map((each) => (each.do === 'payment' ? { ...each, ...booked } : each)) }
  )
}

function open(app: App, settings: PaymentSettings): PaymentClient {
  let opened: Stripe | undefined
  const stripe = () => {
    opened ??= openStripe(settings)
    return opened
  }
  const plansPage = `${app.config.publicUrl}/plans`
  return {
    checkout: async (product, offer, user, customer) => {
      const metadata = { userId: user.userId, productId: product.id, offer }
      const session = await known(
        stripe().checkout.sessions.create({
          mode: product.kind === 'pack' ? 'payment' : 'subscription',
          line_items: [{ price: processorId(product, 'payment-b'), quantity: 1 }],
          client_reference_id: user.userId,
          ...(customer === null ? { customer_email: user.email } : { customer }),
          metadata,
          // Invoices copy the metadata of their subscription, so each of them names its user.
          ...(product.kind === 'pack' ? { payment_intent_data: { metadata } } : { subscription_data: { metadata } }),
          ...(product.kind === 'pack' && customer === null ? { customer_creation: 'always' as const } : {}),
          // payment-b fills in the session’s id, as payment-a appends `checkout_id` by itself.
          success_url: `${successUrl(app, product, user)}&checkout_id={CHECKOUT_SESSION_ID}`,
          cancel_url: plansPage,
        }),
      )
      return { url: session.url ?? '', id: idAt(session) }
    },
    portal: async (customer, change) => {
      const flow_data = change && (await updateFlow(stripe(), change))
      const session = { customer, return_url: plansPage, ...(flow_data && { flow_data }) }
      return await known(stripe().billingPortal.sessions.create(session))
    },
    documents: (customer) => known(documentsOf(stripe(), customer)),
    preview: (change) => previewOf(stripe(), change, app.now()),
    offSession: {
      hasCard: async (customer) => (await known(cardOf(stripe(), customer))) !== null,
      cardPage: (user, customer) => {
        const metadata = { userId: user.userId }
        return known(
          stripe().checkout.sessions.create({
            mode: 'setup',
            allowed_payment_method_types: ['card'],
            client_reference_id: user.userId,
            ...(customer === null ? { customer_email: user.email, customer_creation: 'always' } : { customer }),
            metadata,
            setup_intent_data: { metadata },
            success_url: plansPage,
            cancel_url: plansPage,
          }),
        ).then((session) => ({ url: session.url ?? '', id: null }))
      },
      charge: (charge) => chargeCard(stripe(), charge),
    },
    close: async () => {},
  }
}

/** payment-b's page that changes to this plan, for the user to confirm. */
async function updateFlow(stripe: Stripe, change: PlanChange) {
  const { subscription } = change
  return {
    type: 'subscription_update_confirm' as const,
    subscription_update_confirm: { subscription, items: await itemsOf(stripe, change) },
  }
}

/** payment-b reports a deleted customer as a parameter that is missing. */
async function known<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    const { StripeInvalidRequestError } = loadStripe().errors
    if (error instanceof StripeInvalidRequestError && error.code === 'resource_missing' && error.param === 'customer')
      throw new UnknownCustomer(error.message)
    throw error
  }
}

function openStripe(settings: PaymentSettings): Stripe {
  const { protocol, hostname, port } = new URL(settings.url)
  const Stripe = loadStripe()
  return new Stripe(settings.apiKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    maxNetworkRetries: 1,
    timeout: PAGE_TIMEOUT_S * 1000,
    telemetry: false,
  })
}
