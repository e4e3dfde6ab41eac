/**
 * payment-b's invoices: those of a customer, the preview of a plan change, and those that a saved card pays without its
 * owner. Such an invoice collects nothing by itself (`auto_advance`), so that one which a dead worker left is never
 * paid.
 */
import type Stripe from 'stripe'
import { processorId } from '../plans.ts'
import type { Charge, Charged, PaymentDocument, PlanChange, Preview } from '../processor.ts'
import { invoiceEvent } from './account.ts'

const LIST = 100

/** Invoices, and the receipts of payments without one. */
export async function documentsOf(stripe: Stripe, customer: string): Promise<PaymentDocument[]> {
  const [invoices, charges] = await Promise.all([
    stripe.invoices.list({ customer, limit: LIST, expand: ['data.payments'] }),
    stripe.charges.list({ customer, limit: LIST }),
  ])
  const final = invoices.data.filter(({ status }) => status !== 'draft')
  const intents = new Set(
    final.flatMap(({ payments }) => payments?.data ?? []).map(({ payment }) => idOf(payment.payment_intent)),
  )
  return [
    ...final.map((invoice) => ({
      ...{ id: invoice.id, number: invoice.number, status: invoice.status ?? 'open', amount: invoice.total },
      ...{ currency: invoice.currency.toUpperCase(), createdAt: new Date(invoice.created * 1000) },
      ...{ url: invoice.hosted_invoice_url ?? null, pdfUrl: invoice.invoice_pdf ?? null },
    })),
    ...charges.data
      .filter(({ status, payment_intent }) => status === 'succeeded' && !intents.has(idOf(payment_intent)))
      .map((charge) => ({
        ...{ id: charge.id, number: charge.receipt_number ?? null, status: charge.refunded ? 'refunded' : 'paid' },
        ...{ amount: charge.amount, currency: charge.currency.toUpperCase() },
        ...{ createdAt: new Date(charge.created * 1000), url: charge.receipt_url, pdfUrl: null },
      })),
  ]
}

const idOf = (object: string | { id: string } | null | undefined): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null)

/** The items of the subscription with the price of another plan. */
export async function itemsOf(stripe: Stripe, { subscription, product }: PlanChange) {
  const { items } = await stripe.subscriptions.retrieve(subscription)
  const [item] = items.data
  return item ? [{ id: item.id, price: processorId(product, 'payment-b'), quantity: item.quantity ?? 1 }] : []
}

/** The invoice that a plan change in the portal would make, by the proration that the portal is set to. */
export async function previewOf(stripe: Stripe, change: PlanChange, now: Date): Promise<Preview> {
  const [items, { data }] = await Promise.all([
    itemsOf(stripe, change),
    stripe.billingPortal.configurations.list({ is_default: true, limit: 1 }),
  ])
  const behavior = data[0]?.features.subscription_update.proration_behavior ?? 'create_prorations'
  const { amount_due, ending_balance, starting_balance, currency, next_payment_attempt } =
    await stripe.invoices.createPreview({
      subscription: change.subscription,
      subscription_details: { items, proration_behavior: behavior },
    })
  return {
    amount: amount_due,
    credited: Math.max(0, starting_balance - (ending_balance ?? starting_balance)),
    currency: currency.toUpperCase(),
    at: next_payment_attempt === null ? now : new Date(next_payment_attempt * 1000),
  }
}

/** The customer's default card, or else the one that was saved last; null: none. */
export async function cardOf(stripe: Stripe, customer: string): Promise<string | null> {
  const found = await stripe.customers.retrieve(customer)
  if (found.deleted) return null
  const byDefault = idOf(found.invoice_settings.default_payment_method)
  if (byDefault !== null) return byDefault
  const { data } = await stripe.customers.listPaymentMethods(customer, { type: 'card', limit: 1 })
  return data[0]?.id ?? null
}

/**
 * Makes an invoice of one pack and pays it with the saved card. Every call has a key of the charge's id, so that a
 * repetition gets the first response; an attempt to pay after no answer has a new one, and an invoice is paid once.
 */
export async function chargeCard(stripe: Stripe, charge: Charge): Promise<Charged> {
  const { id, attempt, customer, userId, product, isWaiting, isOver } = charge
  const keyed = (step: string) => ({ idempotencyKey: `top-up:${id}:${step}` })
  const card = await cardOf(stripe, customer)
  if (card === null && !isWaiting) return { state: 'failed', id: null, reason: 'no_card' }
  const made = await stripe.invoices.create(
    {
      customer,
      auto_advance: false,
      collection_method: 'charge_automatically',
      pending_invoice_items_behavior: 'exclude',
      metadata: { userId, productId: product.id },
    },
    keyed('invoice'),
  )
  let invoice = await stripe.invoices.retrieve(made.id, { expand: ['payments'] })
  if (invoice.status === 'draft') {
    const item = { customer, invoice: invoice.id, quantity: 1, pricing: { price: processorId(product, 'payment-b') } }
    await stripe.invoiceItems.create(item, keyed('item'))
    invoice = await stripe.invoices.finalizeInvoice(invoice.id, { auto_advance: false }, keyed('finalize'))
  }
  const failed = async (reason: 'declined' | 'balance' | 'expired'): Promise<Charged> => {
    if (invoice.status === 'open') await stripe.invoices.voidInvoice(invoice.id, {}, keyed('void'))
    return { state: 'failed', id: invoice.id, reason }
  }
  if (invoice.status === 'open') {
    if (invoice.amount_due < invoice.total) return await failed('balance')
    const refusal = isOver
      ? 'expired'
      : isWaiting
        ? 'action'
        : await pay(stripe, invoice.id, card, keyed(`pay:${attempt}`))
    if (refusal === 'action') return { state: 'action', id: invoice.id, url: invoice.hosted_invoice_url ?? '' }
    if (refusal !== null) return await failed(refusal)
    invoice = await stripe.invoices.retrieve(invoice.id, { expand: ['payments'] })
  }
  if (invoice.status !== 'paid') return await failed('expired')
  return { state: 'paid', id: invoice.id, event: invoiceEvent(invoice) }
}

/** Null: paid. */
async function pay(stripe: Stripe, invoice: string, card: string | null, options: { idempotencyKey: string }) {
  try {
    await stripe.invoices.pay(invoice, { off_session: true, ...(card && { payment_method: card }) }, options)
    return null
  } catch (error) {
    const { code, decline_code, statusCode } = error as Stripe.errors.StripeError
    const isAsked = [code, decline_code].some((each) => each !== undefined && ACTION_CODES.includes(each))
    if (isAsked) return 'action'
    if (statusCode === 402) return 'declined'
    throw error
  }
}

const ACTION_CODES = ['authentication_required', 'invoice_payment_intent_requires_action']
