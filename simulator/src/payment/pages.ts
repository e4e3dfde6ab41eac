/**
 * The pages of all processors: a checkout to pay, and a customer's portal with a button for everything that can be done
 * to a purchase. Every button is a form; a browser is redirected, and a program that accepts JSON receives the events.
 * For tests and debugging also all records as JSON, and a route that sends events on request. It has no authentication.
 */
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { HTTPException } from 'hono/http-exception'
import { formOf, type Html, records, sendPage, withQuery } from '../html.ts'
import type { PaymentContext } from './events.ts'
import { checkoutOperations, paymentOperations, subscriptionOperations } from './operations.ts'
import type { Operation, Rules } from './processor.ts'
import { processorOf } from './processors.ts'
import { idAt, type Product, productById, products } from './products.ts'
import type { Checkout, Customer, Paid, PaymentEvent } from './store.ts'
import { found, newCustomer, newId, refusal, subscriptionOf } from './store.ts'

const QUANTITY_MAX = 99
const EVENTS_SHOWN = 12

export function paymentPages(context: PaymentContext) {
  const { store, settings, events, baseUrl } = context
  const app = new Hono()
  app.onError((error, c) => {
    if (!(error instanceof HTTPException)) throw error
    const { status, message } = error
    if (wantsJson(c)) return c.json({ error: message }, status)
    return sendPage(c, settings, html`<h1>Not possible</h1><p>${message}</p>`, status)
  })

  app.get('/:processor{payment-[a-z0-9-]+}/checkout/:id', (c) => {
    const checkout = checkoutBy(c.req.param('id'))
    return sendPage(c, settings, checkoutView(checkout, store.paidBy(checkout) !== undefined))
  })
  app.post('/:processor{payment-[a-z0-9-]+}/checkout/:id/:step', async (c) => {
    const { id, step } = c.req.param()
    const [checkout, form] = [checkoutBy(id), await formOf(c)]
    const operation = found(named(step, checkoutOperations), refusal(404, 'There is no such button.'))
    if (store.paidBy(checkout)) return respond(c, [], returnUrl(checkout))
    const quantity = Number(form.get('quantity') ?? 1)
    const isPossible = Number.isInteger(quantity) && quantity >= 1 && quantity <= QUANTITY_MAX
    if (!isPossible) throw refusal(409, `quantity must be a whole number from 1 to ${QUANTITY_MAX}.`)
    Object.assign(checkout, { quantity, isFree: form.has('free') })
    const customer = payerOf(context, checkout, form.get('email'), step === 'decline')
    const sent = await events.operate(operation, checkout, { customer, checkout })
    if (step !== 'decline') return respond(c, sent, returnUrl(checkout))
    const url = checkout.cancelUrl ?? checkout.successUrl
    return respond(c, sent, url && withQuery(url, { declined: '1' }))
  })

  app.get('/:processor{payment-[a-z0-9-]+}/portal/:id', (c) =>
    sendPage(c, settings, portalView(customerBy(c.req.param('id')))),
  )
  app.post('/:processor{payment-[a-z0-9-]+}/portal/:id', async (c) =>
    respond(c, await operateFrom(context, customerBy(c.req.param('id')), await formOf(c)), c.req.path),
  )

  documentPages(app, context)

  app.get('/simulator/customers', (c) => {
    const facts = [...store.customers.values()].map(({ id, email, processor }) => ({ id, email, processor }))
    const link = ({ id, processor }: (typeof facts)[number]) => html`<a href="/${processor}/portal/${id}">Portal</a>`
    return sendPage(c, settings, records('Who bought something', facts, link))
  })
  app.get('/simulator/payments', (c) => {
    const wanted = c.req.query()
    const customers = [...store.customers.values()].filter(({ id: customer, email, processor }) =>
      Object.entries({ customer, email, processor }).every(([name, value]) => !wanted[name] || wanted[name] === value),
    )
    const url = (of: { processor: string; id: string }, page: string) => `${baseUrl()}/${of.processor}/${page}/${of.id}`
    const checkouts = [...store.checkouts.values()].map((each) => ({ ...each, url: url(each, 'checkout') }))
    return c.json({ customers: customers.map((each) => ({ ...each, portalUrl: url(each, 'portal') })), checkouts })
  })
  /** Sends `event` by its id, or all events of `customer`, to `url` or to the webhook URL. */
  app.post('/simulator/payments/deliver', async (c) => {
    const request = await c.req.json<{ event?: string; customer?: string; url?: string }>()
    const deliveries: { event: string; type: string; status: number | null }[] = []
    for (const customer of store.customers.values()) {
      for (const event of customer.events) {
        if (request.event ? event.id !== request.event : customer.id !== request.customer) continue
        const status = await events.deliver(customer, event, request.url)
        deliveries.push({ event: event.id, type: event.type, status })
      }
    }
    return deliveries.length > 0 ? c.json({ deliveries }) : c.json({ error: 'Name an event or a customer.' }, 400)
  })
  return app

  function checkoutBy(id: string): Checkout {
    return found(store.checkouts.get(id), refusal(404, 'There is no such checkout.'))
  }

  function customerBy(id: string): Customer {
    return found(store.customers.get(id), refusal(404, 'There is no such portal; ask for a new link.'))
  }

  function returnUrl(checkout: Checkout): string | null {
    const { apiKey } = settings.payment(checkout.processor)
    return processorOf(checkout).returnUrl(checkout, store.paidBy(checkout), apiKey)
  }
}

function documentPages(app: Hono, context: PaymentContext): void {
  const { store, settings } = context
  /** An invoice or a receipt; an open invoice is paid here. */
  app.get('/:processor{payment-[a-z0-9-]+}/document/:id/:format?', (c) => {
    const { customer, payment } = documentBy(c.req.param('id'))
    const facts = { number: payment.id, customer: customer.email, amount: money(payment.cents, payment.currency) }
    const buttons = possible(paymentOperations, payment, processorOf(customer).rules).filter(
      ([name]) => name === 'confirm',
    )
    return sendPage(
      c,
      settings,
      html`<h1>${payment.status === 'paid' ? 'Paid' : payment.status}</h1>${records('Document', [facts], () =>
        form('payment', payment.id, buttons),
      )}`,
    )
  })
  app.post('/:processor{payment-[a-z0-9-]+}/document/:id', async (c) =>
    respond(c, await operateFrom(context, documentBy(c.req.param('id')).customer, await formOf(c)), c.req.path),
  )

  function documentBy(id: string): Paid {
    const all = [...new Set([...store.customers.values()].map(({ processor }) => processor))].flatMap(store.paymentsOf)
    return found(
      all.find(({ payment }) => payment.id === id),
      refusal(404, 'There is no such document.'),
    )
  }
}

/** The customer of a checkout; a payer unknown so far becomes one, for a declined card without being kept. */
function payerOf(
  { store }: PaymentContext,
  checkout: Checkout,
  formEmail: string | null,
  isDeclined: boolean,
): Customer {
  const known = store.customers.get(checkout.customerId ?? '')
  if (known) return known
  const { processor, productId, keepsCustomer } = checkout
  const { rules, prefixes } = processorOf(checkout)
  // A declined card creates no customer either.
  const isGuest = isDeclined || (rules.hasGuests && !keepsCustomer && productById(productId).months === 0)
  const email = checkout.email ?? formEmail ?? 'buyer@example.com'
  const alike = store.customersOf(processor).find((each) => each.email === email && each.isGuest === isGuest)
  const id = newId(isGuest ? 'gcus_' : prefixes.customer)
  return ((!rules.hasGuests || isGuest) && alike) || newCustomer({ id, processor, email, isGuest })
}

/** @throws HTTPException 409 */
async function operateFrom(
  { store, events }: PaymentContext,
  customer: Customer,
  form: URLSearchParams,
): Promise<PaymentEvent[]> {
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
  const names = [...subscriptionOperations, ...paymentOperations].map(([name]) => name)
  if (name !== 'send-again') throw refusal(409, `do must be one of ${names.join(', ')}, send-again.`)
  const event = find(customer.events, 'event')
  await events.deliver(customer, event)
  return [event]
}

const named = <Target>(wanted: string, all: Operation<Target>[]) => all.find(([name]) => name === wanted)

const wantsJson = (c: Context): boolean => c.req.header('accept')?.includes('application/json') ?? false

/** Redirects a browser; one without a URL to return to gets its checkout, paid or not. */
function respond(c: Context, events: PaymentEvent[], location: string | null) {
  if (wantsJson(c)) return c.json({ location, events: events.map(({ body: _, ...event }) => event) })
  return c.redirect(location || c.req.path.slice(0, c.req.path.lastIndexOf('/')), 303)
}

/** The page on which a card is saved. */
function setupView({ id, email, customerId }: Checkout): Html {
  const buttons = ['save-card', 'save-card-that-declines', 'save-card-that-asks'].map(
    (step) => html`<button formaction="${id}/${step}">${labelOf(step)}</button>`,
  )
  const form = html`<form class="stack" method="post">${buttons}</form>
    <p class="quiet">A card that asks is paid with on a page only, where its owner confirms.</p>`
  return html`<h1>Save a card</h1>${records('Checkout', [{ email, checkout: id }], () =>
    customerId && !email ? html`<p>✓ Saved</p>` : form,
  )}`
}

function checkoutView(checkout: Checkout, isPaid: boolean): Html {
  if (checkout.isSetup) return setupView(checkout)
  const { id, email, cancelUrl, successUrl } = checkout
  const product = productById(checkout.productId)
  const processor = processorOf(checkout)
  const { rules } = processor
  const buttons = possible(checkoutOperations, checkout, rules).map(([step, label]) =>
    step === 'pay'
      ? html`<button class="go" formaction="${id}/pay">${label} · ${money(product.cents, product.currency)}</button>`
      : html`<button formaction="${id}/${step}">${label}</button>`,
  )
  const form = html`<form class="stack" method="post">
    ${!email && html`<label>E-mail<input name="email" type="email" required value="buyer@example.com"></label>`}
    ${rules.hasQuantity && html`<label>Quantity<input name="quantity" type="number" min="1" max="99" value="1" required></label>`}
    <label class="row"><input name="free" type="checkbox"> A discount of 100 %: nothing is paid</label>
    ${buttons}</form>
    <p class="quiet">Paying sends its events to the shop, and so does a declined card where the processor has an event for it.
      Later pays by bank: the money arrives days afterwards, or not.</p>`
  const done = html`<p>✓ Paid</p><p class="quiet">This checkout is finished; it takes no second payment.</p>
    <p><a href="${cancelUrl ?? successUrl}">Back to the shop</a></p>`
  const facts = { email, price: price(product), product: idAt(processor, product), checkout: id }
  return html`<h1>${product.name}</h1>${records('Checkout', [facts], () => (isPaid ? done : form))}`
}

function portalView({ subscriptions, payments, events, ...customer }: Customer): Html {
  const { rules } = processorOf(customer)
  const plans = products
    .filter(({ months }) => months > 0)
    .map((each) => html`<option value="${each.id}">${each.name} · ${price(each)}</option>`)
  const choice = html`<select name="product" aria-label="New plan">${plans}</select>`
  const back = customer.returnUrl && html`<p><a href="${customer.returnUrl}">Back to the shop</a></p>`
  const sent = events.slice(-EVENTS_SHOWN).map(({ body: _, ...event }) => event)
  return html`<h1>${customer.email}</h1>
    ${records('Customer', [customer], () => html`${back}`)}
    ${records('Subscriptions', subscriptions, (each) =>
      form('subscription', each.id, possible(subscriptionOperations, each, rules), choice),
    )}
    ${records('Payments', payments, (each) => form('payment', each.id, possible(paymentOperations, each, rules)))}
    ${records('Events sent', sent, ({ id }) => form('event', id, [['send-again', 'Send again']]))}`
}

/** Buttons that act on the record `id`. */
const form = (field: string, id: string, buttons: [name: string, label: string][], choice?: Html): Html =>
  html`<form method="post"><input type="hidden" name="${field}" value="${id}">
    ${buttons.map(([name, label]) => html`<button name="do" value="${name}">${label}</button>`)}
    ${buttons.some(([name]) => name === 'change-plan') && choice}</form>`

/** The names and the buttons' texts of what can be done now: 'refund-half' is "Refund half". */
const possible = <Target>(operations: Operation<Target>[], target: Target, rules: Rules): [string, string][] =>
  operations.filter(([, isPossible]) => isPossible(target, rules)).map(([name]) => [name, labelOf(name)])

const labelOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')

/** "29.90 USD" */
const money = (cents: number, currency: string): string => `${(cents / 100).toFixed(2)} ${currency}`
/** "29.90 USD a month" */
const price = ({ cents, currency, months }: Product): string =>
  `${money(cents, currency)} ${months === 0 ? 'once' : months === 1 ? 'a month' : 'a year'}`
