/** The pages' routes under each processor's base URL, and the operations behind their buttons. */
import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { sendPage } from '../html.ts'
import { formOf } from './api-b.ts'
import type { PaymentContext } from './events.ts'
import { orderIdOf } from './objects-a.ts'
import { checkoutOperations, paymentOperations, subscriptionOperations } from './operations.ts'
import { type Processor, productById, products } from './products.ts'
import { found, refusal } from './refusal.ts'
import { type Checkout, type Customer, newCustomer, type PaymentEvent, subscriptionOf } from './store.ts'
import { checkoutView, portalView } from './views.ts'

const QUANTITY_MAX = 99

export function paymentPages({ store, settings, events }: PaymentContext, processor: Processor) {
  const app = new Hono()
  app.onError((error, c) => {
    if (!(error instanceof HTTPException)) throw error
    const { status, message } = error
    if (wantsJson(c)) return c.json({ error: message }, status)
    return sendMessage(c, status === 404 ? 'Not found' : 'Not possible', message, status)
  })

  app.get('/checkout/:id', (c) => {
    const checkout = checkoutOf(c.req.param('id'))
    return sendPage(c, productById(checkout.productId).name, checkoutView(checkout))
  })
  app.post('/checkout/:id/:step', async (c) => {
    const { id, step } = c.req.param()
    const [checkout, form] = [checkoutOf(id), await formOf(c)]
    const operation = found(named(step, checkoutOperations), refusal(404, 'There is no such button.'))
    if (checkout.state === 'complete') return respond(c, [], returnUrl(checkout))
    Object.assign(checkout, termsOf(form, processor))
    const customer = payerOf(checkout, form.get('email'), step === 'decline')
    const sent = await events.operate(operation, checkout, { customer, checkout })
    return respond(c, sent, step === 'decline' ? declinedUrl(checkout) : returnUrl(checkout))
  })

  app.get('/portal/:id', (c) => {
    const customer = customerBy(c.req.param('id'))
    return sendPage(c, customer.email, portalView(customer))
  })
  app.post('/portal/:id', async (c) =>
    respond(c, await operateFrom(customerBy(c.req.param('id')), await formOf(c)), c.req.path),
  )
  return app

  function checkoutOf(id: string): Checkout {
    return found(store.checkoutBy(processor, id), refusal(404, 'There is no such checkout.'))
  }

  function customerBy(portal: string): Customer {
    const customer = store.customersOf(processor).find((each) => each.portal === portal)
    return found(customer, refusal(404, 'There is no such portal; ask for a new link.'))
  }

  /** The customer of a checkout; a payer unknown so far becomes one, for a declined card without being kept. */
  function payerOf(checkout: Checkout, formEmail: string | null, isDeclined: boolean): Customer {
    const known = store.customers.get(checkout.customerId ?? '')
    if (known) return known
    // payment-b keeps the payer of a pack as a guest. A declined card creates no customer either.
    const isPack = productById(checkout.productId).months === 0
    const isGuest = isDeclined || (processor === 'payment-b' && isPack && !checkout.keepsCustomer)
    const email = checkout.email ?? formEmail ?? 'buyer@example.com'
    // payment-a identifies customers by e-mail address; payment-b creates one for each checkout that names none.
    const isShared = processor === 'payment-a' || isGuest
    const alike = store.customersOf(processor).find((each) => each.email === email && each.isGuest === isGuest)
    return (isShared && alike) || newCustomer({ processor, email, isGuest })
  }

  /** @throws HTTPException 409 */
  async function operateFrom(customer: Customer, form: URLSearchParams): Promise<PaymentEvent[]> {
    const find = <Item extends { id: string }>(items: Item[], field: string): Item => {
      const item = items.find(({ id }) => id === form.get(field))
      return found(item, refusal(409, `There is no such ${field}.`))
    }
    const name = form.get('do') ?? ''
    const onSubscription = named(name, subscriptionOperations)
    if (onSubscription) {
      const subscription = find(customer.subscriptions, 'subscription')
      const next = products.find(({ id }) => id === form.get('product'))
      return events.operate(onSubscription, subscription, { customer, subscription, next })
    }
    const onPayment = named(name, paymentOperations)
    if (onPayment) {
      const payment = find(customer.payments, 'payment')
      const checkout = store.checkouts.get(payment.checkoutId)
      const subscription = subscriptionOf(customer, payment)
      return events.operate(onPayment, payment, { customer, checkout, subscription, payment })
    }
    const names = [...subscriptionOperations, ...paymentOperations].map((each) => each.name)
    if (name !== 'send-again') throw refusal(409, `do must be one of ${names.join(', ')}, send-again.`)
    const event = find(customer.events, 'event')
    await events.deliver(customer, event)
    return [event]
  }

  /** payment-a appends ids and a signature to the return URL, payment-b fills in a placeholder. */
  function returnUrl(checkout: Checkout): string | null {
    if (!checkout.successUrl) return null
    if (processor === 'payment-b') return checkout.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', checkout.id)
    const customer = store.customers.get(checkout.customerId ?? '')
    const payment = customer?.payments.find(({ checkoutId }) => checkoutId === checkout.id)
    const parameters = [
      ['request_id', checkout.reference],
      ['checkout_id', checkout.id],
      ['order_id', orderIdOf(checkout.id)],
      ['customer_id', customer?.id],
      ['subscription_id', payment?.subscriptionId],
      ['product_id', productById(checkout.productId).processorIds['payment-a'][0]],
    ].filter(([, value]) => value)
    const salted = [...parameters, ['salt', settings.payment['payment-a'].apiKey ?? '']]
    const signature = createHash('sha256').update(salted.map((pair) => pair.join('=')).join('|'))
    return withQuery(checkout.successUrl, Object.fromEntries([...parameters, ['signature', signature.digest('hex')]]))
  }
}

const named = <Named extends { name: string }>(wanted: string, all: Named[]): Named | undefined =>
  all.find(({ name }) => name === wanted)

function declinedUrl({ cancelUrl, successUrl }: Checkout): string | null {
  const url = cancelUrl ?? successUrl
  return url ? withQuery(url, { declined: '1' }) : null
}

function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** What the payer chooses: at payment-b how many, at both a discount of 100 %. */
function termsOf(form: URLSearchParams, processor: Processor): Pick<Checkout, 'quantity' | 'isFree'> {
  const quantity = processor === 'payment-b' ? Number(form.get('quantity') ?? 1) : 1
  const isPossible = Number.isInteger(quantity) && quantity >= 1 && quantity <= QUANTITY_MAX
  if (!isPossible) throw refusal(409, `quantity must be a whole number from 1 to ${QUANTITY_MAX}.`)
  return { quantity, isFree: form.has('free') }
}

const wantsJson = (c: Context): boolean => c.req.header('accept')?.includes('application/json') ?? false

/** A program receives the events, a browser is redirected. */
function respond(c: Context, events: PaymentEvent[], location: string | null) {
  if (wantsJson(c)) return c.json({ location, events: events.map(({ body: _, ...event }) => event) })
  if (location) return c.redirect(location, 303)
  if (!c.req.path.endsWith('/decline')) return sendMessage(c, 'Paid', 'You can close this page.')
  return sendMessage(c, 'Declined', 'The card was declined and nothing was paid. The checkout can be tried again.')
}

const sendMessage = (c: Context, title: string, text: string, status?: ContentfulStatusCode) =>
  sendPage(c, title, html`<h1>${title}</h1><p>${text}</p>`, status)
