/** The pages' routes under each processor's base URL, and the operations behind their buttons. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html, sendPage } from '../html.ts'
import { type Delivery, readDelivery } from '../settings.ts'
import { formOf } from './api-b.ts'
import { operate, type PaymentContext } from './events.ts'
import { HttpError } from './http-error.ts'
import { checkoutOperations, type Operation, paymentOperations, subscriptionOperations } from './operations.ts'
import { type Processor, processorIdOf, productById, products } from './products.ts'
import { type Checkout, type Customer, newCustomer, type PaymentEvent } from './store.ts'
import { checkoutView, portalView } from './views.ts'

type Params = { id: string }

const QUANTITY_MAX = 99

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src data:",
  "base-uri 'none'; frame-ancestors 'none'",
].join('; ')

export function paymentPages(context: PaymentContext, processor: Processor) {
  const { store, settings } = context
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
    })
    app.setErrorHandler((error: Error, request, reply) => {
      if (!(error instanceof HttpError)) throw error
      reply.code(error.statusCode)
      if (wantsJson(request)) return reply.send({ error: error.message })
      return sendMessage(reply, processor, error.statusCode === 404 ? 'Not found' : 'Not possible', error.message)
    })

    app.get<{ Params: Params }>('/checkout/:id', async (request, reply) => {
      const checkout = checkoutOf(request.params.id)
      return sendPage(reply, productById(checkout.productId).name, processor, checkoutView(checkout))
    })

    app.post<{ Params: Params & { step: string } }>('/checkout/:id/:step', async (request, reply) => {
      const checkout = checkoutOf(request.params.id)
      const form = formOf(request)
      const { step } = request.params
      const operation = operationOf(checkoutOperations, step)
      if (!operation) throw new HttpError(404, 'There is no such checkout.')
      const delivery = deliveryOf(form, settings.delivery)
      if (checkout.state === 'complete') return respond(request, reply, [], returnUrl(checkout))
      Object.assign(checkout, termsOf(form, processor))
      const customer = payerOf(checkout, form.get('email'), step === 'decline')
      const records = { customer, checkout, subscription: null, payment: null }
      const { facts, events } = await operate(context, operation, checkout, records, delivery)
      return respond(request, reply, events, facts.payment ? returnUrl(checkout) : declinedUrl(checkout))
    })

    app.get<{ Params: Params }>('/portal/:id', async (request, reply) => {
      const customer = customerBy(request.params.id)
      return sendPage(reply, customer.email, processor, portalView(customer, null))
    })

    app.post<{ Params: Params }>('/portal/:id', async (request, reply) => {
      const customer = customerBy(request.params.id)
      try {
        return respond(request, reply, await operateFrom(customer, formOf(request)), request.url)
      } catch (error) {
        if (!(error instanceof HttpError) || wantsJson(request)) throw error
        return sendPage(reply.code(409), customer.email, processor, portalView(customer, error.message))
      }
    })
  }

  function checkoutOf(id: string): Checkout {
    const checkout = store.checkouts.get(id)
    if (checkout?.processor !== processor) throw new HttpError(404, 'There is no such checkout.')
    return checkout
  }

  function customerBy(portal: string): Customer {
    const customer = store.findCustomer({ processor, portal })
    if (!customer) throw new HttpError(404, 'There is no such portal; ask for a new link.')
    return customer
  }

  /** The customer of a checkout; a payer unknown so far becomes one, for a declined card without being kept. */
  function payerOf(checkout: Checkout, email: string | null, isDeclined: boolean): Customer {
    const known = store.customers.get(checkout.customerId ?? '')
    if (known) return known
    // payment-b keeps the payer of a pack as a guest. A declined card creates no customer either.
    const isPack = productById(checkout.productId).months === 0
    const isGuest = isDeclined || (processor === 'payment-b' && isPack && !checkout.keepsCustomer)
    const payer = { processor, email: checkout.email ?? email ?? 'buyer@example.com', isGuest }
    // payment-a identifies customers by e-mail address; payment-b creates one for each checkout that names none.
    const before = processor === 'payment-a' || isGuest ? store.findCustomer(payer) : undefined
    return before ?? newCustomer(payer)
  }

  /** @throws HttpError 409 */
  async function operateFrom(customer: Customer, form: URLSearchParams): Promise<PaymentEvent[]> {
    const delivery = deliveryOf(form, settings.delivery)
    const find = <Item extends { id: string }>(items: Item[], field: string): Item => {
      const item = items.find(({ id }) => id === form.get(field))
      if (!item) throw new HttpError(409, `There is no such ${field}.`)
      return item
    }
    const name = form.get('do') ?? ''
    if (name === 'send-again') {
      const event = find(customer.events, 'event')
      await context.outbox.deliver(customer, event)
      return [event]
    }
    const onSubscription = operationOf(subscriptionOperations, name)
    if (onSubscription) {
      const subscription = find(customer.subscriptions, 'subscription')
      const next = products.find(({ id }) => id === form.get('product'))
      const records = { customer, checkout: null, subscription, payment: null, next }
      return (await operate(context, onSubscription, subscription, records, delivery)).events
    }
    const onPayment = operationOf(paymentOperations, name)
    if (onPayment) {
      const payment = find(customer.payments, 'payment')
      const checkout = store.checkouts.get(payment.checkoutId) ?? null
      const subscription = customer.subscriptions.find(({ id }) => id === payment.subscriptionId) ?? null
      return (await operate(context, onPayment, payment, { customer, checkout, subscription, payment }, delivery))
        .events
    }
    const names = [...Object.keys(subscriptionOperations), ...Object.keys(paymentOperations)]
    throw new HttpError(409, `do must be one of ${names.join(', ')}, send-again.`)
  }

  /** payment-a appends ids and a signature to the return URL, payment-b fills in a placeholder. */
  function returnUrl(checkout: Checkout): string | null {
    if (!checkout.successUrl) return null
    if (processor === 'payment-b') return checkout.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', checkout.id)
    const customer = store.customers.get(checkout.customerId ?? '')
    const payment = customer?.payments.find(({ checkoutId }) => checkoutId === checkout.id)
    const parameters = Object.entries({
      request_id: checkout.reference,
      checkout_id: checkout.id,
      order_id: payment?.orderId,
      customer_id: customer?.id,
      subscription_id: payment?.subscriptionId,
      product_id: processorIdOf(productById(checkout.productId), 'payment-a'),
    }).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []))
    const salted = [...parameters, ['salt', settings.apiKeys['payment-a'] ?? '']].map((pair) => pair.join('='))
    const signature = createHash('sha256').update(salted.join('|')).digest('hex')
    return withQuery(checkout.successUrl, [...parameters, ['signature', signature]])
  }
}

function declinedUrl({ cancelUrl, successUrl }: Checkout): string | null {
  const url = cancelUrl ?? successUrl
  return url ? withQuery(url, [['declined', '1']]) : null
}

function withQuery(address: string, pairs: [string, string][]): string {
  const url = new URL(address)
  for (const [name, value] of pairs) url.searchParams.set(name, value)
  return url.href
}

/** `name` comes from a request, and must not find what every object inherits. */
const operationOf = <Target>(operations: Record<string, Operation<Target>>, name: string) =>
  Object.hasOwn(operations, name) ? operations[name] : undefined

function deliveryOf(form: URLSearchParams, fallback: Delivery): Delivery {
  const delivery = readDelivery((name) => form.get(name), fallback)
  if (typeof delivery === 'string') throw new HttpError(409, delivery)
  return delivery
}

/** What the payer chooses: at payment-b how many, at both a discount of 100 %. */
function termsOf(form: URLSearchParams, processor: Processor): Pick<Checkout, 'quantity' | 'isFree'> {
  const quantity = processor === 'payment-b' ? Number(form.get('quantity') ?? 1) : 1
  if (Number.isInteger(quantity) && quantity >= 1 && quantity <= QUANTITY_MAX)
    return { quantity, isFree: form.has('free') }
  throw new HttpError(409, `quantity must be a whole number from 1 to ${QUANTITY_MAX}.`)
}

const wantsJson = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('application/json') ?? false

/** A program receives the events, a browser is redirected. */
function respond(request: FastifyRequest, reply: FastifyReply, events: PaymentEvent[], location: string | null) {
  if (wantsJson(request)) {
    const shown = events.map(({ id, type, at, state, deliveries }) => ({ id, type, at, state, deliveries }))
    return reply.send({ location, events: shown })
  }
  if (location) return reply.redirect(location, 303)
  const site = request.url.split('/')[1] ?? ''
  if (!request.url.endsWith('/decline')) return sendMessage(reply, site, 'Paid', 'You can close this page.')
  const text = 'The card was declined and nothing was paid. The checkout can be tried again.'
  return sendMessage(reply, site, 'Declined', text)
}

const sendMessage = (reply: FastifyReply, site: string, title: string, text: string): FastifyReply =>
  sendPage(reply, title, site, html`<h1>${title}</h1><p>${text}</p>`)
