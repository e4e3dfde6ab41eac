/**
 * payment-b without the payer: invoices of one item that a saved card pays or the payer confirms on their page, and the
 * preview of a plan change.
 */
import type { Context, Hono } from 'hono'
import { formOf } from '../../html.ts'
import { newLine, planChange } from '../operations.ts'
import type { ApiContext } from '../processor.ts'
import { productBy } from '../products.ts'
import { type Customer, found, newId, newPayment, type Paid, type Payment, refusal, type Store } from '../store.ts'
import { customerOf, entriesOf, missing, required } from './form.ts'
import * as wire from './objects.ts'

/** The settings of the portal, of which a plan change is billed at once. */
export const PORTAL = {
  id: 'bpc_1',
  object: 'billing_portal.configuration',
  is_default: true,
  features: { subscription_update: { enabled: true, proration_behavior: 'always_invoice' } },
}

const RULES = { prorates: true }

export const customerB = ({ id, email, card, balanceCents, createdAt }: Customer) => ({
  id,
  object: 'customer',
  email,
  balance: balanceCents,
  created: wire.seconds(createdAt),
  invoice_settings: { default_payment_method: null },
  payment_methods: {
    object: 'list',
    data: card === null ? [] : [{ id: `pm_${id}`, object: 'payment_method', type: 'card', customer: id }],
  },
})

export const documentUrl = ({ id }: Payment, url: string): string => `${url}/payment-b/document/${id}`

/** An invoice with its payment and its pages. */
export function listedInvoice(paid: Paid, url: string) {
  const invoice = wire.invoiceB(paid)
  if (!invoice) return
  const page = paid.payment.status === 'draft' ? null : documentUrl(paid.payment, url)
  const payments = { object: 'list', data: [wire.invoicePaymentB(paid.payment) ?? []].flat() }
  return { ...invoice, payments, hosted_invoice_url: page, invoice_pdf: page && `${page}/pdf` }
}

export function chargeRoutes(app: Hono, { store, events, baseUrl }: ApiContext): void {
  const send = (c: Context, paid: Paid) => c.json(listedInvoice(paid, baseUrl()))

  app.post('/v1/invoices', async (c) => {
    const form = await formOf(c)
    const customer = customerOf(store, required(form, 'customer'))
    const about = { checkoutId: '', metadata: entriesOf(form, 'metadata'), productId: '', subscriptionId: null }
    const charge = {
      ...about,
      id: newId('in_'),
      lines: [],
      isFree: false,
      createdAt: Date.now(),
      reason: 'invoice',
    } as const
    const payment = { ...newPayment(customer, { ...charge, lines: [] }, false), status: 'draft' as const, paidAt: null }
    customer.payments.push(payment)
    store.saveCustomer(customer)
    return send(c, { customer, payment })
  })

  app.post('/v1/invoiceitems', async (c) => {
    const form = await formOf(c)
    const price = required(form, 'pricing[price]')
    const product = found(productBy(wire.SELLER, price), missing('price', price, 'pricing[price]'))
    const { customer, payment } = invoiceOf(store, required(form, 'invoice'))
    if (payment.status !== 'draft') throw refusal(400, 'This invoice is no longer editable.')
    payment.lines.push(newLine(product, Number(form.get('quantity') ?? 1), payment.createdAt, payment.createdAt))
    Object.assign(payment, { productId: product.id, currency: product.currency, cents: payment.cents + product.cents })
    store.saveCustomer(customer)
    return c.json({ id: newId('ii_'), object: 'invoiceitem', invoice: payment.id, customer: customer.id })
  })

  app.post('/v1/invoices/create_preview', async (c) => {
    const form = await formOf(c)
    const id = required(form, 'subscription')
    const all = store.subscriptionsOf(wire.SELLER.name)
    const { customer, subscription } = found(
      all.find((each) => each.subscription.id === id),
      missing('subscription', id, 'subscription'),
    )
    const next = productBy(wire.SELLER, required(form, 'subscription_details[items][0][price]'))
    const { lines } = planChange(subscription, RULES, Date.now(), next)
    const total = lines.reduce((sum, { cents }) => sum + cents, 0)
    const [starting_balance, left] = [customer.balanceCents, total + customer.balanceCents]
    return c.json({
      object: 'invoice',
      amount_due: Math.max(0, left),
      currency: next?.currency.toLowerCase(),
      starting_balance,
      ending_balance: Math.min(0, left),
      lines: { object: 'list', data: lines.map((line) => wire.lineB(line, subscription)) },
      next_payment_attempt: null,
      total,
    })
  })

  app.post('/v1/invoices/:id/:step', async (c) => {
    const { id, step } = c.req.param()
    const paid = invoiceOf(store, id)
    await steps[step]?.(paid, { store, events })
    if (!steps[step]) throw refusal(404, 'There is no such call.')
    return send(c, paid)
  })
}

type Step = (paid: Paid, context: Pick<ApiContext, 'store' | 'events'>) => Promise<void>

const steps: Record<string, Step> = { finalize, pay, void: voidInvoice }

/** Balance pays first. */
async function finalize({ customer, payment }: Paid, { store }: Parameters<Step>[1]): Promise<void> {
  if (payment.status !== 'draft') throw refusal(400, 'This invoice is already finalized.')
  const covered = Math.min(payment.cents, Math.max(0, -customer.balanceCents))
  customer.balanceCents += covered
  Object.assign(payment, { status: 'open', cents: payment.cents - covered })
  store.saveCustomer(customer)
}

async function voidInvoice({ customer, payment }: Paid, { store }: Parameters<Step>[1]): Promise<void> {
  if (payment.status !== 'open') throw refusal(400, 'You can only void an open invoice.')
  customer.balanceCents -= payment.lines.reduce((sum, { cents }) => sum + cents, 0) - payment.cents
  payment.status = 'void'
  store.saveCustomer(customer)
}

async function pay({ customer, payment }: Paid, { events }: Parameters<Step>[1]): Promise<void> {
  if (payment.status === 'paid') throw refusal(400, 'Invoice is already paid', { code: 'invoice_already_paid' })
  if (payment.status !== 'open') throw refusal(400, 'This invoice cannot be paid.')
  const message = 'There is no default payment method.'
  if (customer.card === null) throw refusal(400, message, { code: 'invoice_no_payment_method_types' })
  const declined = { type: 'card_error', code: 'card_declined' }
  if (customer.card === 'declines')
    throw refusal(402, 'Your card was declined.', { ...declined, decline_code: 'insufficient_funds' })
  if (customer.card === 'asks') {
    const details = { ...declined, code: 'authentication_required', decline_code: 'authentication_required' }
    throw refusal(402, 'Your card was declined. This transaction requires authentication.', details)
  }
  await events.payInvoice({ customer, payment })
}

function invoiceOf(store: Store, id: string): Paid {
  const all = store.paymentsOf(wire.SELLER.name)
  return found(
    all.find(({ payment }) => payment.id === id),
    missing('invoice', id, 'invoice', 404),
  )
}
