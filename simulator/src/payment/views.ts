/** What the pages show: a checkout to pay, and a customer's subscriptions, payments and events, with buttons for what is allowed. */
import { html } from 'hono/html'
import type { Html } from '../html.ts'
import { checkoutOperations, type Operation, paymentOperations, subscriptionOperations } from './operations.ts'
import { type Product, processorIdOf, productById, products } from './products.ts'
import {
  type Checkout,
  type Customer,
  monthsAfter,
  type Payment,
  type PaymentEvent,
  type Subscription,
} from './store.ts'

type Part = string | Html | Html[] | false | null

const EVENTS_SHOWN = 12

export function checkoutView(checkout: Checkout): Html {
  const { id, email, processor, cancelUrl, successUrl } = checkout
  const product = productById(checkout.productId)
  const isA = processor === 'payment-a'
  const buttons = Object.entries(checkoutOperations)
    .filter(([, { when }]) => when?.(checkout, isA) !== false)
    .map(([step, { label }]) => {
      const [style, text] =
        step === 'pay' ? ['go', `${label} · ${money(product.cents, product.currency)}`] : ['', label]
      return html`<button class="${style}" formaction="${id}/${step}">${text}</button>`
    })
  const form = html`<form class="stack" method="post">
    ${!email && html`<label>E-mail<input name="email" type="email" required value="buyer@example.com"></label>`}
    ${!isA && html`<label>Quantity<input name="quantity" type="number" min="1" max="99" value="1" required></label>`}
    <label class="row"><input name="free" type="checkbox"> A discount of 100 %: nothing is paid</label>
    ${buttons}</form>
    <p class="quiet">Paying sends the events of ${product.months > 0 ? 'a new subscription' : 'a purchase'} to the shop. A
      declined card sends ${isA ? 'no event' : 'its failure'}.</p>`
  const back = cancelUrl ?? successUrl
  const done = html`<p class="done">✓ Paid</p>
    <p class="quiet">This checkout is finished; it takes no second payment.</p>
    ${back && html`<p><a href="${back}">Back to the shop</a></p>`}`
  const renewal = `on ${day(monthsAfter(Date.now(), product.months))}, until it is cancelled`
  return html`<h1>${product.name}</h1>
    <p class="price">${price(product)}</p>
    <dl>
      ${email && html`<dt>For</dt><dd>${email}</dd>`}
      <dt>Renews</dt><dd>${product.months > 0 ? renewal : 'never'}</dd>
      <dt>Product</dt><dd><code>${processorIdOf(product, processor)}</code></dd>
      <dt>Checkout</dt><dd><code>${id}</code></dd>
    </dl>
    <section class="card" aria-label="Payment">${checkout.state === 'open' ? form : done}</section>`
}

/** @param note why the last operation was not possible */
export function portalView(customer: Customer, note: string | null): Html {
  const { id, email, isGuest, balanceCents, payments, returnUrl } = customer
  const credit = money(-balanceCents, payments[0]?.currency ?? 'USD')
  const subscriptionCards = customer.subscriptions.map((each) => subscriptionCard(customer, each))
  const paymentCards = payments.map((each) => paymentCard(customer, each))
  return html`${note && html`<p class="card failed" role="status">${note}</p>`}
    <h1>${email}</h1>
    <p class="quiet"><code>${id}</code>${isGuest && ' · a guest, whom the API does not know'}
      ${balanceCents < 0 && ` · ${credit} to their credit`}</p>
    ${returnUrl && html`<p><a href="${returnUrl}">Back to the shop</a></p>`}
    ${list('Subscriptions', subscriptionCards, 'A subscription appears here once a plan is bought.')}
    ${list('Payments', paymentCards, 'Payments appear here once something is bought.')}
    ${list('Events sent', customer.events.slice(-EVENTS_SHOWN).map(eventCard), 'Nothing has been sent yet.')}`
}

export function customersView(customers: Customer[]): Html {
  const cards = customers.map(({ processor, portal, email, id, subscriptions, payments }) => {
    const counts = `${processor} · payments: ${payments.length} · subscriptions: ${subscriptions.length}`
    return card(html`<a href="/${processor}/portal/${portal}">${email}</a>`, '', counts, id, null)
  })
  return html`<h1>Customers</h1>${list('Who bought something', cards, 'Buyers appear here.')}`
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
  const end = endedAt !== null ? ` on ${day(endedAt)}` : cancelAtPeriodEnd && ` · ends on ${day(periodEnd)}`
  const period = ` · ${day(periodStart)} to ${day(periodEnd)} · now ${day(Date.now() + aheadMs)}`
  const others = products.filter((each) => each.months > 0 && each !== product)
  const options = others.map((each) => html`<option value="${each.id}">${each.name} · ${price(each)}</option>`)
  const plans = html`<select name="product" aria-label="New plan">${options}</select>`
  const form = formOf('subscription', id, buttonsOf(subscriptionOperations, subscription, customer), plans)
  return card(product.name, price(product), html`${statusOf(status)}${end}${period}`, id, form)
}

function paymentCard(customer: Customer, payment: Payment): Html {
  const { id, cents, currency, refundedCents, status, dispute, reason, createdAt } = payment
  const refunded = refundedCents > 0 && ` · ${money(refundedCents, currency)} refunded`
  const disputed = dispute && html` · <span class="failed">▲ disputed</span>`
  const details = html`${day(createdAt)} · ${reason} · ${statusOf(status)}${refunded}${disputed}`
  const form = formOf('payment', id, buttonsOf(paymentOperations, payment, customer))
  return card(productById(payment.productId).name, money(cents, currency), details, id, form)
}

function eventCard({ id, type, at, state, deliveries }: PaymentEvent): Html {
  const responses = deliveries.map(({ status }) => status ?? 'no answer').join(', ')
  const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  const details = html`${time} · ${statusOf(state)}${responses && ` · answered ${responses}`}`
  const send = button('send-again', deliveries.length === 0 ? 'Send' : 'Send again')
  return card(type, '', details, id, state !== 'kept' && formOf('event', id, [send]))
}

const card = (title: Part, amount: string, details: Part, id: string, form: Part): Html => html`<article class="card">
    <div class="between"><b>${title}</b><span>${amount}</span></div>
    <div class="between quiet"><span>${details}</span><code>${id}</code></div>
    ${form}
  </article>`

/** The newest first. */
const list = (title: string, cards: Html[], empty: string): Html =>
  html`<h2>${title}</h2>${cards.length > 0 ? cards.reverse() : html`<p class="quiet">${empty}</p>`}`

/** Buttons that act on the record `id`. */
const formOf = (field: string, id: string, buttons: Html[], choice: Part = null): Part =>
  buttons.length > 0 &&
  html`<form method="post"><input type="hidden" name="${field}" value="${id}">${buttons}${choice}</form>`

const button = (action: string, label: string): Html => html`<button name="do" value="${action}">${label}</button>`

function buttonsOf<Target>(
  operations: Record<string, Operation<Target>>,
  target: Target,
  { processor }: Customer,
): Html[] {
  const possible = Object.entries(operations).filter(
    ([, { when }]) => when?.(target, processor === 'payment-a') !== false,
  )
  return possible.map(([name, { label }]) => button(name, label))
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
/** "29.90 USD" */
const money = (cents: number, currency: string): string => `${(cents / 100).toFixed(2)} ${currency}`
/** "29.90 USD a month" */
const price = ({ cents, currency, months }: Product): string =>
  `${money(cents, currency)} ${months === 0 ? 'once' : months === 1 ? 'a month' : 'a year'}`
