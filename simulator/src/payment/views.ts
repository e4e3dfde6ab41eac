/** The pages on which a payer pays, and a customer sees subscriptions, payments and events; buttons for what is allowed. */
import { type Html, html } from '../html.ts'
import { monthsAfter } from './clock.ts'
import { checkoutOperations, type Operation, paymentOperations, subscriptionOperations } from './operations.ts'
import { type Product, productById, products } from './products.ts'
import type { Checkout, Customer, Payment, PaymentEvent, Subscription } from './store.ts'

const EVENTS_SHOWN = 12

export function checkoutView(checkout: Checkout): Html {
  const { id, email, processor, cancelUrl, successUrl } = checkout
  const product = productById(checkout.productId)
  const isPlan = product.months > 0
  const amount = money(product.cents, product.currency)
  const back = cancelUrl ?? successUrl
  const buttons = Object.entries(checkoutOperations)
    .filter(([, { when }]) => !when || when[0](checkout, processor))
    .map(([step, { label }]) =>
      step === 'pay'
        ? html`<button class="go" formaction="${id}/pay">${label} · ${amount}</button>`
        : html`<button formaction="${id}/${step}">${label}</button>`,
    )
  const form = html`<form class="stack" method="post">
    ${!email && html`<label>E-mail<input name="email" type="email" required value="buyer@example.com"></label>`}
    ${buttons}</form>
    <p class="quiet">Paying sends the events of ${isPlan ? 'a new subscription' : 'a purchase'} to the shop. A
      declined card sends ${processor === 'payment-a' ? 'no event' : 'its failure'}.</p>`
  const done = html`<p class="done">✓ Paid</p>
    <p class="quiet">This checkout is finished; it takes no second payment.</p>
    ${back && html`<p><a href="${back}">Back to the shop</a></p>`}`
  const renewal = `on ${day(monthsAfter(Date.now(), product.months))}, until it is cancelled`
  return html`<div class="pair">
    <section>
      <h1>${product.name}</h1>
      <p class="price">${amount} <span class="quiet">${period(product)}</span></p>
      <dl>
        ${email && html`<dt>For</dt><dd>${email}</dd>`}
        <dt>Renews</dt><dd>${isPlan ? renewal : 'never'}</dd>
        <dt>Product</dt><dd><code>${product.processorIds[processor]}</code></dd>
        <dt>Checkout</dt><dd><code>${id}</code></dd>
      </dl>
    </section>
    <section class="card" aria-label="Payment">${checkout.state === 'open' ? form : done}</section>
  </div>`
}

/** @param note why the last operation was not possible */
export function portalView(customer: Customer, note: string | null): Html {
  const { subscriptions, payments, events, balanceCents, isGuest, returnUrl } = customer
  const credit = money(-balanceCents, payments[0]?.currency ?? 'USD')
  const cards = subscriptions.toReversed().map((each) => subscriptionCard(customer, each))
  const eventRows = events.slice(-EVENTS_SHOWN).toReversed().map(eventRow)
  return html`
    ${note && html`<p class="note" role="status">${note}</p>`}
    <h1>${customer.email}</h1>
    <p class="quiet"><code>${customer.id}</code>${isGuest && ' · a guest, whom the API does not know'}${
      balanceCents < 0 && ` · ${credit} to their credit`
    }</p>
    ${returnUrl && html`<p><a href="${returnUrl}">Back to the shop</a></p>`}
    <h2>Subscriptions</h2>
    ${cards.length > 0 ? cards : html`<p class="quiet">A subscription appears here once a plan is bought.</p>`}
    <h2>Payments</h2>
    ${rows(
      payments.toReversed().map((each) => paymentRow(customer, each)),
      'Payments appear here once paid.',
    )}
    <h2>Events sent</h2>
    ${rows(eventRows, 'Nothing has been sent yet.')}`
}

export function customersView(customers: Customer[]): Html {
  const links = customers.toReversed().map(({ processor, portal, email, id, subscriptions, payments }) => {
    const counts = `payments: ${payments.length} · subscriptions: ${subscriptions.length}`
    const about = html`<div class="quiet">${processor} · ${counts}<code>${id}</code></div>`
    return html`<li><a href="/${processor}/portal/${portal}">${email}</a>${about}</li>`
  })
  return html`<h1>Customers</h1>${rows(links, 'Buyers appear here.')}`
}

function subscriptionCard(customer: Customer, subscription: Subscription): Html {
  const product = productById(subscription.productId)
  const { id, periodStart, periodEnd, aheadMs } = subscription
  const now = Date.now() + aheadMs
  const others = products.filter((each) => each.months > 0 && each.id !== product.id)
  const options = others.map((each) => html`<option value="${each.id}">${each.name} · ${price(each)}</option>`)
  const forms = ['Owner', 'Plan', 'Time'].map((row) => {
    const buttons = buttonsOf(subscriptionOperations, subscription, customer, row)
    const plans = row === 'Plan' && html`<select name="product" aria-label="New plan">${options}</select>`
    return buttons.length > 0 && form('subscription', id, html`<span class="quiet">${row}</span>${plans}${buttons}`)
  })
  const share = (now - periodStart) / (periodEnd - periodStart)
  return html`<article class="card">
    <div class="between"><h3>${product.name}</h3><span class="amount">${price(product)}</span></div>
    <div class="between"><small>${subscriptionStatus(subscription)}</small><code>${id}</code></div>
    <progress value="${share}" aria-label="How much of the period is over"></progress>
    <div class="between quiet"><span>${day(periodStart)}</span><span>now ${day(now)}</span><span>${day(periodEnd)}</span></div>
    ${forms}
  </article>`
}

function subscriptionStatus({ status, cancelAtPeriodEnd, periodEnd, endedAt }: Subscription): Html {
  if (status === 'active' && cancelAtPeriodEnd) return html`<span class="now">◐ Ends on ${day(periodEnd)}</span>`
  if (status === 'active') return html`<span class="done">● Active</span>`
  if (status === 'past_due') return html`<span class="failed">▲ Past due: the last payment failed</span>`
  const word = status === 'expired' ? 'Expired' : 'Cancelled'
  return html`<span class="quiet">○ ${word}${endedAt !== null && ` on ${day(endedAt)}`}</span>`
}

function paymentRow(customer: Customer, payment: Payment): Html {
  const { id, cents, currency, refundedCents, status, disputed, reason, createdAt } = payment
  const statuses = {
    paid: html`<span class="done">✓ paid</span>`,
    pending: html`<span class="now">◐ on its way</span>`,
    open: html`<span class="failed">▲ failed, still open</span>`,
    failed: html`<span class="failed">× failed</span>`,
  }
  const refunded = refundedCents > 0 && ` · ${money(refundedCents, currency)} refunded`
  return html`<li class="between">
    <div>
      <div>${productById(payment.productId).name} <span class="quiet">${reason}</span></div>
      <div class="quiet">${day(createdAt)} · ${statuses[status]}${refunded}${
        disputed && html` · <span class="failed">▲ disputed</span>`
      }<code>${id}</code></div>
    </div>
    <span class="amount">${money(cents, currency)}</span>
    ${form('payment', id, buttonsOf(paymentOperations, payment, customer))}
  </li>`
}

function eventRow({ id, type, at, state, deliveries }: PaymentEvent): Html {
  const last = deliveries.at(-1)
  const response = last ? (last.status ?? 'no answer') : 'not sent'
  const states = {
    delivered: html`<span class="done">✓ delivered</span>`,
    waiting: html`<span class="now">◐ ${response}, goes on trying</span>`,
    'given up': html`<span class="failed">× ${response}, given up</span>`,
    kept: 'no address to send it to',
    held: 'held back',
  }
  const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  const count = deliveries.length > 1 && ` · sent ${deliveries.length} times`
  return html`<li class="between">
    <div>${type}<div class="quiet">${time} · ${states[state]}${count}<code>${id}</code></div></div>
    ${state !== 'kept' && form('event', id, button('send-again', deliveries.length === 0 ? 'Send' : 'Send again'))}
  </li>`
}

const rows = (items: Html[], empty: string): Html =>
  items.length > 0 ? html`<ul>${items}</ul>` : html`<p class="quiet">${empty}</p>`

/** A form of buttons that act on the record `id`. */
const form = (field: string, id: string, buttons: Html | Html[]): Html =>
  html`<form method="post" class="small"><input type="hidden" name="${field}" value="${id}">${buttons}</form>`

const button = (action: string, label: string): Html => html`<button name="do" value="${action}">${label}</button>`

function buttonsOf<Target>(
  operations: Record<string, Operation<Target>>,
  target: Target,
  { processor }: Customer,
  row?: string,
): Html[] {
  return Object.entries(operations)
    .filter(([, operation]) => operation.row === row && (!operation.when || operation.when[0](target, processor)))
    .map(([name, { label }]) => button(name, label))
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
/** "29.90 USD" */
const money = (cents: number, currency: string): string => `${(cents / 100).toFixed(2)} ${currency}`
const period = ({ months }: Product): string => ({ 0: 'once', 1: 'a month', 12: 'a year' })[months]
/** "29.90 USD a month" */
const price = (product: Product): string => `${money(product.cents, product.currency)} ${period(product)}`
