/**
 * The pages on which a payer pays, and a customer sees subscriptions, payments and events; buttons for what is
 * allowed.
 */
import { type Html, html, type Part } from '../html.ts'
import { monthsAfter } from './clock.ts'
import { checkoutOperations, type Operation, paymentOperations, subscriptionOperations } from './operations.ts'
import { type Product, processorIdOf, productById, products } from './products.ts'
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
    ${
      processor === 'payment-b' &&
      html`<label>Quantity<input name="quantity" type="number" min="1" max="99" value="1" required></label>`
    }
    <label class="row"><input name="free" type="checkbox"> A discount of 100 %: nothing is paid</label>
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
        <dt>Product</dt><dd><code>${processorIdOf(product, processor)}</code></dd>
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
  const paymentRows = payments.toReversed().map((each) => paymentRow(customer, each))
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
    ${list(paymentRows, 'Payments appear here once something is bought.')}
    <h2>Events sent</h2>
    ${list(events.slice(-EVENTS_SHOWN).toReversed().map(eventRow), 'Nothing has been sent yet.')}`
}

export function customersView(customers: Customer[]): Html {
  const links = customers.toReversed().map(({ processor, portal, email, id, subscriptions, payments }) => {
    const counts = `payments: ${payments.length} · subscriptions: ${subscriptions.length}`
    return row(id, html`<a href="/${processor}/portal/${portal}">${email}</a>`, `${processor} · ${counts}`, null)
  })
  return html`<h1>Customers</h1>${list(links, 'Buyers appear here.')}`
}

/** The colour and the text of a status of a subscription, a payment or an event. */
const statuses = {
  active: ['done', '● Active'],
  past_due: ['failed', '▲ Past due: the last payment failed'],
  canceled: ['quiet', '○ Cancelled'],
  expired: ['quiet', '○ Expired'],
  paid: ['done', '✓ paid'],
  pending: ['now', '◐ on its way'],
  open: ['failed', '▲ failed, still open'],
  failed: ['failed', '× failed'],
  delivered: ['done', '✓ delivered'],
  waiting: ['now', '◐ goes on trying'],
  'given up': ['failed', '× given up'],
  kept: ['quiet', 'no address to send it to'],
  held: ['quiet', 'held back'],
  dropped: ['failed', '× lost on the way'],
} as const

function statusOf(status: keyof typeof statuses): Html {
  const [colour, text] = statuses[status]
  return html`<span class="${colour}">${text}</span>`
}

function subscriptionCard(customer: Customer, subscription: Subscription): Html {
  const product = productById(subscription.productId)
  const { id, status, cancelAtPeriodEnd, periodStart, periodEnd, endedAt, aheadMs } = subscription
  const now = Date.now() + aheadMs
  const others = products.filter((each) => each.months > 0 && each.id !== product.id)
  const options = others.map((each) => html`<option value="${each.id}">${each.name} · ${price(each)}</option>`)
  const forms = ['Owner', 'Plan', 'Time'].map((group) => {
    const buttons = buttonsOf(subscriptionOperations, subscription, customer, group)
    const plans = group === 'Plan' && html`<select name="product" aria-label="New plan">${options}</select>`
    return buttons.length > 0 && form('subscription', id, html`<span class="quiet">${group}</span>${plans}${buttons}`)
  })
  const end = endedAt !== null ? ` on ${day(endedAt)}` : cancelAtPeriodEnd && ` · ends on ${day(periodEnd)}`
  return html`<article class="card">
    <div class="between"><h3>${product.name}</h3><span class="amount">${price(product)}</span></div>
    <div class="between"><small>${statusOf(status)}${end}</small><code>${id}</code></div>
    <progress value="${(now - periodStart) / (periodEnd - periodStart)}" aria-label="How much of the period is over">
    </progress>
    <div class="between quiet"><span>${day(periodStart)}</span><span>now ${day(now)}</span>
      <span>${day(periodEnd)}</span></div>
    ${forms}
  </article>`
}

function paymentRow(customer: Customer, payment: Payment): Html {
  const { id, cents, currency, refundedCents, status, disputed, reason, createdAt } = payment
  const title = html`${productById(payment.productId).name} <span class="quiet">${reason}</span>`
  const refunded = refundedCents > 0 && ` · ${money(refundedCents, currency)} refunded`
  const dispute = disputed && html` · <span class="failed">▲ disputed</span>`
  const details = html`${day(createdAt)} · ${statusOf(status)}${refunded}${dispute}`
  const actions = form('payment', id, buttonsOf(paymentOperations, payment, customer))
  const amount = html`<span class="amount">${money(cents, currency)}</span>`
  return row(id, title, details, html`<div class="between">${amount}${actions}</div>`)
}

function eventRow({ id, type, at, state, deliveries }: PaymentEvent): Html {
  const responses = deliveries.map(({ status }) => status ?? 'no answer').join(', ')
  const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  const details = html`${time} · ${statusOf(state)}${responses && ` · answered ${responses}`}`
  const send = button('send-again', deliveries.length === 0 ? 'Send' : 'Send again')
  return row(id, type, details, state !== 'kept' && form('event', id, send))
}

const row = (id: string, title: Part, details: Part, side: Part): Html =>
  html`<li class="between"><div>${title}<div class="quiet">${details}<code>${id}</code></div></div>${side}</li>`

const list = (rows: Html[], empty: string): Html =>
  rows.length > 0 ? html`<ul>${rows}</ul>` : html`<p class="quiet">${empty}</p>`

/** A form of buttons that act on the record `id`. */
const form = (field: string, id: string, buttons: Part): Html =>
  html`<form method="post" class="small"><input type="hidden" name="${field}" value="${id}">${buttons}</form>`

const button = (action: string, label: string): Html => html`<button name="do" value="${action}">${label}</button>`

function buttonsOf<Target>(
  operations: Record<string, Operation<Target>>,
  target: Target,
  { processor }: Customer,
  group?: string,
): Html[] {
  return Object.entries(operations)
    .filter(([, { row, when }]) => row === group && (!when || when[0](target, processor)))
    .map(([name, { label }]) => button(name, label))
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
/** "29.90 USD" */
const money = (cents: number, currency: string): string => `${(cents / 100).toFixed(2)} ${currency}`
const period = ({ months }: Product): string => ({ 0: 'once', 1: 'a month', 12: 'a year' })[months]
/** "29.90 USD a month" */
const price = (product: Product): string => `${money(product.cents, product.currency)} ${period(product)}`
