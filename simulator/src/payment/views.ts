/** What the pages show: a checkout to pay, and a customer's records, each with the buttons for what is allowed. */
import { html } from 'hono/html'
import { type Html, records, type Shown } from '../html.ts'
import { checkoutOperations, type Operation, paymentOperations, subscriptionOperations } from './operations.ts'
import { type Product, productById, products } from './products.ts'
import { type Checkout, type Customer, monthsAfter } from './store.ts'

const EVENTS_SHOWN = 12

export function checkoutView(checkout: Checkout): Html {
  const { id, email, processor, cancelUrl, successUrl } = checkout
  const product = productById(checkout.productId)
  const isA = processor === 'payment-a'
  const renewal = `on ${day(monthsAfter(Date.now(), product.months))}, until it is cancelled`
  const renews = product.months > 0 ? renewal : 'never'
  const facts = { for: email, renews, product: product.processorIds[processor][0], checkout: id }
  const buttons = possible(checkoutOperations, checkout, isA).map(([step, label]) =>
    step === 'pay'
      ? html`<button class="go" formaction="${id}/pay">${label} · ${money(product.cents, product.currency)}</button>`
      : html`<button formaction="${id}/${step}">${label}</button>`,
  )
  const form = html`<form class="stack" method="post">
    ${!email && html`<label>E-mail<input name="email" type="email" required value="buyer@example.com"></label>`}
    ${!isA && html`<label>Quantity<input name="quantity" type="number" min="1" max="99" value="1" required></label>`}
    <label class="row"><input name="free" type="checkbox"> A discount of 100 %: nothing is paid</label>
    ${buttons}</form>
    <p class="quiet">Paying sends the events of ${product.months > 0 ? 'a new subscription' : 'a purchase'} to the shop. A
      declined card sends ${isA ? 'no event' : 'its failure'}.${buttons.length > 2 && ' Later pays by bank; the money arrives days afterwards, or not.'}</p>`
  const done = html`<p>✓ Paid</p><p class="quiet">This checkout is finished; it takes no second payment.</p>
    <p><a href="${cancelUrl ?? successUrl}">Back to the shop</a></p>`
  return html`<h1>${product.name}</h1>
    ${records('', [{ title: price(product), facts, actions: checkout.state === 'open' ? form : done }])}`
}

export function portalView(customer: Customer): Html {
  const { id, email, isGuest, balanceCents, subscriptions, payments, events, returnUrl } = customer
  const isA = customer.processor === 'payment-a'
  const options = (own: Product) =>
    products
      .filter((each) => each.months > 0 && each !== own)
      .map((each) => html`<option value="${each.id}">${each.name} · ${price(each)}</option>`)
  const subscriptionCards = subscriptions.map((each): Shown => {
    const product = productById(each.productId)
    const { id, status, cancelAtPeriodEnd, periodStart, periodEnd, aheadMs } = each
    const period = `${day(periodStart)} to ${day(periodEnd)}${cancelAtPeriodEnd ? ', then it ends' : ''}`
    const facts = { status, period, now: day(Date.now() + aheadMs), id }
    const plans = html`<select name="product" aria-label="New plan">${options(product)}</select>`
    const actions = form('subscription', id, possible(subscriptionOperations, each, isA), plans)
    return { title: `${product.name} · ${price(product)}`, facts, actions }
  })
  const paymentCards = payments.map((each): Shown => {
    const { id, cents, currency, refundedCents, status, dispute, reason, createdAt } = each
    const refunded = refundedCents > 0 ? money(refundedCents, currency) : null
    const facts = { status, for: reason, on: day(createdAt), refunded, dispute: dispute?.status, id }
    const actions = form('payment', id, possible(paymentOperations, each, isA))
    return { title: `${productById(each.productId).name} · ${money(cents, currency)}`, facts, actions }
  })
  const eventCards = events.slice(-EVENTS_SHOWN).map(({ id, type, at, state, deliveries }): Shown => {
    const answered = deliveries.map(({ status }) => status ?? 'not').join(', ')
    const facts = { state, answered, at: new Date(at).toISOString(), id }
    return { title: type, facts, actions: form('event', id, [['send-again', 'Send again']]) }
  })
  const credit = balanceCents < 0 ? money(-balanceCents, payments[0]?.currency ?? '') : null
  return html`<h1>${email}</h1>
    <p class="quiet"><code>${id}</code>${isGuest && ' · a guest, whom the API does not know'}
      ${credit && ` · ${credit} to their credit`}</p>
    ${returnUrl && html`<p><a href="${returnUrl}">Back to the shop</a></p>`}
    ${records('Subscriptions', subscriptionCards)}
    ${records('Payments', paymentCards)}
    ${records('Events sent', eventCards)}`
}

export function customersView(customers: Customer[]): Html {
  const cards = customers.map(({ processor, portal, email, id, subscriptions, payments }): Shown => {
    const facts = { processor, payments: payments.length, subscriptions: subscriptions.length, id }
    return { title: html`<a href="/${processor}/portal/${portal}">${email}</a>`, facts }
  })
  return html`<h1>Customers</h1>${records('Who bought something', cards)}`
}

/** Buttons that act on the record `id`. */
const form = (field: string, id: string, buttons: [name: string, label: string][], choice?: Html): Html =>
  html`<form method="post"><input type="hidden" name="${field}" value="${id}">
    ${buttons.map(([name, label]) => html`<button name="do" value="${name}">${label}</button>`)}
    ${buttons.some(([name]) => name === 'change-plan') && choice}</form>`

/** The names and the buttons' texts of what can be done now: 'refund-half' is "Refund half". */
const possible = <Target>(operations: Operation<Target>[], target: Target, isA: boolean): [string, string][] =>
  operations
    .filter(({ isPossible }) => isPossible(target, isA))
    .map(({ name }) => [name, name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')])

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
/** "29.90 USD" */
const money = (cents: number, currency: string): string => `${(cents / 100).toFixed(2)} ${currency}`
/** "29.90 USD a month" */
const price = ({ cents, currency, months }: Product): string =>
  `${money(cents, currency)} ${months === 0 ? 'once' : months === 1 ? 'a month' : 'a year'}`
