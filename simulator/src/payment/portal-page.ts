/** A customer's page: subscriptions and payments with a button for every operation that is allowed, and the events. */
import { document, type Html, html } from './html.ts'
import { paymentOperations, subscriptionOperations } from './operations.ts'
import type { Product, Products } from './products.ts'
import type { Customer, Payment, SentEvent, Subscription } from './store.ts'

const EVENTS_SHOWN = 12
const STRIP_FRAMES = 24

export function portalPage(customer: Customer, products: Products, note: string | null): string {
  const { subscriptions, payments, events, balanceCents, isGuest, returnUrl } = customer
  const credit = money(-balanceCents, payments[0]?.currency ?? 'USD')
  const cards = subscriptions.toReversed().map((each) => subscriptionCard(customer, each, products))
  const paymentRows = payments.toReversed().map((each) => paymentRow(customer, each, products))
  const eventRows = events.slice(-EVENTS_SHOWN).toReversed().map(eventRow)
  const list = (rows: Html[], name: string, empty: string): Html =>
    rows.length > 0 ? html`<ul class="rows ${name}">${rows}</ul>` : html`<p class="quiet">${empty}</p>`
  const body = html`
    ${note && html`<p class="note" role="status">${note}</p>`}
    <h1>${customer.email}</h1>
    <p class="small quiet"><code>${customer.id}</code>${isGuest && ' · a guest, whom the API does not know'}${
      balanceCents < 0 && ` · ${credit} to their credit`
    }</p>
    ${returnUrl && html`<p class="small"><a href="${returnUrl}">Back to the shop</a></p>`}
    <h2>Subscriptions</h2>
    ${cards.length > 0 ? cards : html`<p class="quiet">A subscription appears here once a plan is bought.</p>`}
    <h2>Payments</h2>
    ${list(paymentRows, 'payments', 'Payments appear here once something is bought.')}
    <h2>Events sent</h2>
    ${list(eventRows, 'events', 'Nothing has been sent yet.')}`
  return document(customer.email, customer.processor, body)
}

function subscriptionCard(customer: Customer, subscription: Subscription, products: Products): Html {
  const product = products.byId(subscription.productId)
  const { id, periodStart, periodEnd } = subscription
  const now = Date.now() + subscription.aheadMs
  const allowed = Object.entries(subscriptionOperations).filter(([, each]) => each.isAllowed(subscription, customer))
  const others = products.all.filter((each) => each.months > 0 && each.id !== product.id)
  const plans = html`<select name="product" aria-label="New plan">${others.map(
    (each) => html`<option value="${each.id}">${each.name} · ${money(each.cents, each.currency)}</option>`,
  )}</select>`
  const rows = ['Owner', 'Plan', 'Time'].map((row) => {
    const buttons = allowed
      .filter(([, each]) => each.row === row)
      .map(([name, { label }]) => button(name, labelOf(label, subscription)))
    return (
      buttons.length > 0 &&
      html`<span>${row}</span><form method="post"><input type="hidden" name="subscription" value="${id}">${
        row === 'Plan' && plans
      }${buttons}</form>`
    )
  })
  return html`<article class="card">
    <div class="between"><h3>${product.name}</h3><span class="amount">${price(product)}</span></div>
    <div class="between small"><span>${subscriptionStatus(subscription)}</span><code>${id}</code></div>
    ${strip((now - periodStart) / (periodEnd - periodStart), 'How much of the period is over')}
    <div class="between small quiet dates"><span>${day(periodStart)}</span><span>now ${day(now)}</span><span>${day(periodEnd)}</span></div>
    ${allowed.length > 0 && html`<div class="actions small-buttons">${rows}</div>`}
  </article>`
}

function subscriptionStatus({ status, cancelAtPeriodEnd, periodEnd, endedAt }: Subscription): Html {
  if (status === 'active' && cancelAtPeriodEnd) return html`<span class="now">◐ Ends on ${day(periodEnd)}</span>`
  if (status === 'active') return html`<span class="done">● Active</span>`
  if (status === 'past_due') return html`<span class="failed">▲ Past due: the last payment failed</span>`
  const word = status === 'expired' ? 'Expired' : 'Cancelled'
  return html`<span class="quiet">○ ${word}${endedAt !== null && ` on ${day(endedAt)}`}</span>`
}

function paymentRow(customer: Customer, payment: Payment, products: Products): Html {
  const { cents, currency, refundedCents, status } = payment
  const allowed = Object.entries(paymentOperations).filter(([, each]) => each.isAllowed(payment, customer))
  const statuses = {
    paid: html`<span class="done">✓ paid</span>`,
    pending: html`<span class="now">◐ on its way</span>`,
    open: html`<span class="failed">▲ failed, still open</span>`,
    failed: html`<span class="failed">× failed</span>`,
  }
  return html`<li>
    <div>
      <div>${products.byId(payment.productId).name} <span class="quiet small">${payment.reason}</span></div>
      <div class="small quiet">${day(payment.createdAt)} · ${statuses[status]}${
        refundedCents > 0 && ` · ${money(refundedCents, currency)} refunded`
      }${payment.disputed && html` · <span class="failed">▲ disputed</span>`}<code>${payment.id}</code></div>
    </div>
    <span class="amount">${money(cents, currency)}</span>
    ${
      allowed.length > 0 &&
      html`<form method="post" class="small-buttons"><input type="hidden" name="payment" value="${payment.id}">${allowed.map(
        ([name, { label }]) => button(name, labelOf(label, payment)),
      )}</form>`
    }
  </li>`
}

function eventRow({ id, type, at, state, deliveries }: SentEvent): Html {
  const last = deliveries.at(-1)
  const response = last ? (last.status ?? 'no answer') : 'not sent'
  const states = {
    delivered: html`<span class="done">✓ delivered</span>`,
    waiting: html`<span class="now">◐ ${response}, goes on trying</span>`,
    'given up': html`<span class="failed">× ${response}, given up</span>`,
    kept: html`<span class="quiet">no address to send it to</span>`,
    held: html`<span class="quiet">held back</span>`,
  }
  const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  return html`<li>
    <div><div>${type}</div><div class="small quiet">${time} · ${states[state]}${
      deliveries.length > 1 && ` · sent ${deliveries.length} times`
    }<code>${id}</code></div></div>
    <form method="post" class="small-buttons"><input type="hidden" name="event" value="${id}">${
      state !== 'kept' && button('send-again', deliveries.length === 0 ? 'Send' : 'Send again')
    }</form>
  </li>`
}

/** Progress as frames of film, as everywhere in Kinora. @param share from 0 to 1 */
function strip(share: number, label: string): Html {
  const exposed = Math.round(Math.min(1, Math.max(0, share)) * STRIP_FRAMES)
  const frames = Array.from(
    { length: STRIP_FRAMES },
    (_, index) => html`<i${index < exposed && html` class="on"`}></i>`,
  )
  const percent = Math.round((exposed / STRIP_FRAMES) * 100)
  return html`<div class="strip" role="progressbar" aria-label="${label}" aria-valuenow="${percent}" aria-valuemin="0" aria-valuemax="100">${frames}</div>`
}

const button = (action: string, label: string): Html => html`<button name="do" value="${action}">${label}</button>`
const labelOf = <Target>(label: string | ((target: Target) => string), target: Target): string =>
  typeof label === 'string' ? label : label(target)
const day = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** "29.90 USD" */
export const money = (cents: number, currency: string): string => `${(cents / 100).toFixed(2)} ${currency}`
/** "29.90 USD a month" */
export const price = ({ cents, currency, months }: Product): string =>
  `${money(cents, currency)} ${{ 0: 'once', 1: 'a month', 12: 'a year' }[months]}`
