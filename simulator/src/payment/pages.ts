/** The pages' routes under each processor's base URL, and the operations behind their buttons. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Delivery, readDelivery } from '../settings.ts'
import { customerOf, payCheckout } from './checkout.ts'
import { checkoutPage } from './checkout-page.ts'
import { advance } from './clock.ts'
import { type PaymentContext, publish } from './events.ts'
import { document, html } from './html.ts'
import {
  checkoutSteps,
  type Facts,
  NotPossible,
  operate,
  paymentOperations,
  subscriptionOperations,
} from './operations.ts'
import { portalPage } from './portal-page.ts'
import type { Processor } from './products.ts'
import type { Checkout, Customer, SentEvent } from './store.ts'

type Params = { id: string }

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'"

class NotFound extends Error {}

export function paymentPages(context: PaymentContext, processor: Processor) {
  const { store, products, settings } = context
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
    })
    app.setErrorHandler((error: Error, request, reply) => {
      const status = error instanceof NotFound ? 404 : error instanceof NotPossible ? 409 : null
      if (!status) throw error
      if (wantsJson(request)) return reply.code(status).send({ error: error.message })
      return messagePage(reply.code(status), processor, status === 404 ? 'Not found' : 'Not possible', error.message)
    })

    app.get<{ Params: Params }>('/checkout/:id', async (request, reply) => {
      const checkout = checkoutOf(request.params.id)
      return sendPage(reply, checkoutPage(checkout, products.byId(checkout.productId)))
    })

    app.post<{ Params: Params & { step: string } }>('/checkout/:id/:step', async (request, reply) => {
      const checkout = checkoutOf(request.params.id)
      const form = formOf(request)
      const delivery = deliveryOf(form, settings.delivery)
      const { step } = request.params
      const steps = Object.hasOwn(checkoutSteps, step) ? checkoutSteps[step] : undefined
      if (!steps) throw new NotFound('There is no such checkout.')
      if (checkout.state === 'complete') return respond(request, reply, [], returnUrl(checkout, null))
      const facts = takeStep(checkout, step, form.get('email'))
      const events = await publish(context, facts, steps, delivery)
      return respond(request, reply, events, facts.payment ? returnUrl(checkout, facts) : declinedUrl(checkout))
    })

    app.get<{ Params: Params }>('/portal/:id', async (request, reply) =>
      sendPage(reply, portalPage(customerBy(request.params.id), products, null)),
    )

    app.post<{ Params: Params }>('/portal/:id', async (request, reply) => {
      const customer = customerBy(request.params.id)
      try {
        return respond(request, reply, await operateFrom(customer, formOf(request)), request.url)
      } catch (error) {
        if (!(error instanceof NotPossible) || wantsJson(request)) throw error
        return sendPage(reply.code(409), portalPage(customer, products, error.message))
      }
    })
  }

  function checkoutOf(id: string): Checkout {
    const checkout = store.checkouts.get(id)
    if (checkout?.processor !== processor) throw new NotFound('There is no such checkout.')
    return checkout
  }

  function customerBy(portal: string): Customer {
    const customer = store.findCustomer({ processor, portal })
    if (!customer) throw new NotFound('There is no such portal; ask for a new link.')
    return customer
  }

  function takeStep(checkout: Checkout, step: string, email: string | null): Facts {
    const product = products.byId(checkout.productId)
    const isPack = product.months === 0
    // payment-b keeps the payer of a pack as a guest. A declined card creates no customer either.
    const isGuest = processor === 'payment-b' && isPack && !checkout.keepsCustomer
    if (step === 'decline') {
      const customer = customerOf(store, checkout, email, true)
      return { customer, checkout, subscription: null, payment: null, at: advance(customer) }
    }
    if (step === 'later' && (processor === 'payment-a' || !isPack)) {
      throw new NotPossible('Only a purchase at payment-b can be paid later.')
    }
    return payCheckout(checkout, product, customerOf(store, checkout, email, isGuest), step === 'later')
  }

  /** @throws NotPossible */
  async function operateFrom(customer: Customer, form: URLSearchParams): Promise<SentEvent[]> {
    const delivery = deliveryOf(form, settings.delivery)
    const find = <Item extends { id: string }>(items: Item[], field: string): Item => {
      const item = items.find(({ id }) => id === form.get(field))
      if (!item) throw new NotPossible(`There is no such ${field}.`)
      return item
    }
    const name = form.get('do') ?? ''
    if (name === 'send-again') {
      const event = find(customer.events, 'event')
      await context.outbox.deliver(customer, event)
      return [event]
    }
    const scope = { customer, products, next: products.all.find(({ id }) => id === form.get('product')) }
    const none = { customer, checkout: null, subscription: null, payment: null, at: 0 }
    if (Object.hasOwn(subscriptionOperations, name)) {
      const subscription = find(customer.subscriptions, 'subscription')
      const { facts, steps } = operate(subscriptionOperations, name, subscription, scope)
      return publish(context, { ...none, subscription, ...facts }, steps, delivery)
    }
    if (Object.hasOwn(paymentOperations, name)) {
      const payment = find(customer.payments, 'payment')
      const checkout = store.checkouts.get(payment.checkoutId) ?? null
      const subscription = customer.subscriptions.find(({ id }) => id === payment.subscriptionId) ?? null
      const { facts, steps } = operate(paymentOperations, name, payment, scope)
      return publish(context, { ...none, checkout, subscription, payment, ...facts }, steps, delivery)
    }
    const names = [...Object.keys(subscriptionOperations), ...Object.keys(paymentOperations)]
    throw new NotPossible(`do must be one of ${names.join(', ')}, send-again.`)
  }

  /** payment-a appends ids and a signature to the return URL, payment-b fills in a placeholder. */
  function returnUrl(checkout: Checkout, facts: Facts | null): string | null {
    if (!checkout.successUrl) return null
    if (processor === 'payment-b') return checkout.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', checkout.id)
    const customer = facts?.customer ?? store.customers.get(checkout.customerId ?? '')
    const payment = customer?.payments.find(({ checkoutId }) => checkoutId === checkout.id)
    const parameters = Object.entries({
      request_id: checkout.reference,
      checkout_id: checkout.id,
      order_id: payment?.orderId,
      customer_id: customer?.id,
      subscription_id: payment?.subscriptionId,
      product_id: products.byId(checkout.productId).processorIds['payment-a'],
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

const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

function deliveryOf(form: URLSearchParams, fallback: Delivery): Delivery {
  const values = { chaos: form.get('chaos'), api: form.get('api'), names: form.get('names') }
  const delivery = readDelivery(values, fallback)
  if (typeof delivery === 'string') throw new NotPossible(delivery)
  return delivery
}

const wantsJson = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('application/json') ?? false

/** A program receives the events, a browser is redirected. */
function respond(request: FastifyRequest, reply: FastifyReply, events: SentEvent[], location: string | null) {
  if (wantsJson(request)) {
    const shown = events.map(({ id, type, at, state, deliveries }) => ({ id, type, at, state, deliveries }))
    return reply.send({ location, events: shown })
  }
  if (location) return reply.redirect(location, 303)
  const site = request.url.split('/')[1] ?? ''
  return request.url.endsWith('/decline')
    ? messagePage(
        reply,
        site,
        'Declined',
        'The card was declined and nothing was paid. The checkout can be tried again.',
      )
    : messagePage(reply, site, 'Paid', 'You can close this page.')
}

const sendPage = (reply: FastifyReply, text: string): FastifyReply => reply.type('text/html; charset=utf-8').send(text)
const messagePage = (reply: FastifyReply, site: string, title: string, text: string): FastifyReply =>
  sendPage(reply, document(title, site, html`<h1>${title}</h1><p>${text}</p>`))
