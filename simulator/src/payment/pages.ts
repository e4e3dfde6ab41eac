/** The pages' addresses, under each processor's base, and what their buttons do. */

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Manner, readManner } from '../settings.ts'
import type { Checkout, Customer, SentEvent } from './account.ts'
import { declineCheckout, payCheckout } from './checkout.ts'
import { checkoutPage, donePage } from './checkout-page.ts'
import { type Desk, tell } from './desk.ts'
import type { Happening } from './happening.ts'
import { document, html } from './look.ts'
import { dispute, refund, settlePending } from './money-back.ts'
import {
  cancelAtPeriodEnd,
  cancelNow,
  changePlan,
  endPeriod,
  NotPossible,
  type Owned,
  payOpen,
  renew,
  resume,
} from './moves.ts'
import { portalPage } from './portal-page.ts'
import type { Processor } from './product.ts'

type Params = { id: string }

export function paymentPages(desk: Desk, processor: Processor) {
  const { accounts, products } = desk
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onSend', async (_request, reply) => {
      reply.header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
      )
    })
    app.setErrorHandler((error: Error, request, reply) => {
      if (!(error instanceof NotPossible)) throw error
      if (wantsJson(request)) return reply.code(409).send({ error: error.message })
      return reply
        .code(409)
        .type('text/html')
        .send(document('Not possible', processor, html`<h1>Not possible</h1><p>${error.message}</p>`))
    })

    app.get<{ Params: Params }>('/checkout/:id', async (request, reply) => {
      const checkout = checkoutOf(request.params.id)
      if (!checkout) return notFound(reply, processor, 'There is no such checkout.')
      return page(reply, checkoutPage(checkout, products.byId(checkout.productId)))
    })

    app.post<{ Params: Params & { step: string } }>('/checkout/:id/:step', async (request, reply) => {
      const { id, step } = request.params
      const checkout = checkoutOf(id)
      if (!checkout || !['pay', 'decline', 'later'].includes(step))
        return notFound(reply, processor, 'There is no such checkout.')
      const form = formOf(request)
      const manner = mannerOf(form, desk.settings.manner)
      const email = form.get('email')
      if (checkout.state === 'complete') return answer(request, reply, [], returnAddress(checkout, null))
      if (step === 'later' && (processor === 'payment-a' || products.byId(checkout.productId).months > 0)) {
        throw new NotPossible('Only a purchase at payment-b can be paid later.')
      }
      const happening =
        step === 'decline'
          ? declineCheckout(desk, checkout, email)
          : payCheckout(desk, checkout, { email, late: step === 'later' })
      const events = await tell(desk, happening, manner)
      return answer(
        request,
        reply,
        events,
        step === 'decline' ? declinedAddress(checkout) : returnAddress(checkout, happening),
      )
    })

    app.get<{ Params: Params }>('/portal/:id', async (request, reply) => {
      const customer = accounts.byPortal(processor, request.params.id)
      if (!customer) return notFound(reply, processor, 'There is no such portal; ask for a new link.')
      return page(reply, portalPage(customer, products, null))
    })

    app.post<{ Params: Params }>('/portal/:id', async (request, reply) => {
      const customer = accounts.byPortal(processor, request.params.id)
      if (!customer) return notFound(reply, processor, 'There is no such portal; ask for a new link.')
      const form = formOf(request)
      const manner = mannerOf(form, desk.settings.manner)
      try {
        return answer(request, reply, await act(desk, customer, form, manner), request.url)
      } catch (error) {
        if (!(error instanceof NotPossible) || wantsJson(request)) throw error
        return page(reply.code(409), portalPage(customer, products, error.message))
      }
    })
  }

  function checkoutOf(id: string): Checkout | undefined {
    const checkout = accounts.checkouts.get(id)
    return checkout?.processor === processor ? checkout : undefined
  }

  function returnAddress(checkout: Checkout, happening: Happening | null): string | null {
    if (!checkout.successUrl) return null
    const customer = happening?.customer ?? accounts.customers.get(checkout.customerId ?? '')
    if (processor === 'payment-b') return checkout.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', checkout.id)
    const payment = customer?.payments.find((each) => each.checkoutId === checkout.id)
    const told = Object.entries({
      request_id: checkout.reference,
      checkout_id: checkout.id,
      order_id: payment?.orderId,
      customer_id: customer?.id,
      subscription_id: payment?.subscriptionId,
      product_id: products.byId(checkout.productId).processorIds['payment-a'],
    }).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []))
    const salted = [
      ...told.map(([name, value]) => `${name}=${value}`),
      `salt=${desk.settings.apiKeys['payment-a'] ?? ''}`,
    ]
    const signature = createHash('sha256').update(salted.join('|')).digest('hex')
    return withQuery(checkout.successUrl, [...told, ['signature', signature]])
  }
}

/** @throws NotPossible */
async function act(desk: Desk, customer: Customer, form: URLSearchParams, manner: Manner): Promise<SentEvent[]> {
  if (form.get('do') === 'send-again') {
    const event = customer.events.find((each) => each.id === form.get('event'))
    if (!event) throw new NotPossible('There is no such event.')
    await desk.outbox.deliver(customer, event)
    return [event]
  }
  return tell(desk, happens(desk, customer, form), manner)
}

function happens({ accounts, products }: Desk, customer: Customer, form: URLSearchParams): Happening {
  const owned = (): Owned => {
    const subscription = customer.subscriptions.find((each) => each.id === form.get('subscription'))
    if (!subscription) throw new NotPossible('There is no such subscription.')
    return { customer, subscription }
  }
  const payment = () => {
    const found = customer.payments.find((each) => each.id === form.get('payment'))
    if (!found) throw new NotPossible('There is no such payment.')
    return found
  }
  const moves: Record<string, () => Happening> = {
    'cancel-now': () => cancelNow(owned()),
    'cancel-at-period-end': () => cancelAtPeriodEnd(owned()),
    resume: () => resume(owned()),
    'change-plan': () => {
      const next = products.all.find((product) => product.id === form.get('product'))
      if (!next) throw new NotPossible('There is no such product.')
      return changePlan(owned(), products, next)
    },
    'next-period': () => renew(owned(), products, true),
    'next-period-fails': () => renew(owned(), products, false),
    'pay-open': () => payOpen(owned()),
    'period-ends': () => endPeriod(owned()),
    refund: () => refund(customer, payment(), false),
    'refund-half': () => refund(customer, payment(), true),
    dispute: () => dispute(customer, payment()),
    arrives: () => settlePending(accounts, customer, payment(), true),
    fails: () => settlePending(accounts, customer, payment(), false),
  }
  const action = form.get('do') ?? ''
  const move = Object.hasOwn(moves, action) ? moves[action] : undefined
  if (!move) throw new NotPossible(`do must be one of ${Object.keys(moves).join(', ')}, send-again.`)
  return move()
}

const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

function mannerOf(form: URLSearchParams, usual: Manner): Manner {
  const manner = readManner({ chaos: form.get('chaos'), api: form.get('api'), names: form.get('names') }, usual)
  if ('problem' in manner) throw new NotPossible(manner.problem)
  return manner
}

const wantsJson = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('application/json') ?? false

/** Programs get the events, people are led on. */
function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  events: SentEvent[],
  location: string | null,
): FastifyReply {
  if (wantsJson(request)) {
    return reply.send({
      location,
      events: events.map(({ id, type, at, state, deliveries }) => ({ id, type, at, state, deliveries })),
    })
  }
  if (location) return reply.redirect(location, 303)
  return page(reply, donePage(request.url.split('/')[1] ?? '', request.url.endsWith('/decline')))
}

function declinedAddress(checkout: Checkout): string | null {
  const back = checkout.cancelUrl ?? checkout.successUrl
  return back ? withQuery(back, [['declined', '1']]) : null
}

function withQuery(address: string, pairs: [string, string][]): string {
  const url = new URL(address)
  for (const [name, value] of pairs) url.searchParams.set(name, value)
  return url.href
}

const page = (reply: FastifyReply, text: string): FastifyReply => reply.type('text/html; charset=utf-8').send(text)
const notFound = (reply: FastifyReply, processor: Processor, message: string): FastifyReply =>
  page(reply.code(404), document('Not found', processor, html`<h1>Not found</h1><p>${message}</p>`))
