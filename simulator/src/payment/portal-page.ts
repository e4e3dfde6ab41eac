/** A customer's page: what they bought, and a button for all that they, the operator and time can do to it. */
import type { Customer, Payment, SentEvent, Subscription } from './account.ts'
import { document, type Html, html, strip } from './look.ts'
import { money, type Product, type Products, rhythm } from './product.ts'

const EVENTS_SHOWN = 12

export function portalPage(customer: Customer, products: Products, note: string | null): string {
  const { subscriptions, payments, events } = customer
  const body = html`
    ${note ? html`<p class="note" role="status">${note}</p>` : ''}
    <h1>${customer.email}</h1>
    <p class="small quiet"><code>${customer.id}</code>${customer.isGuest ? ' · a guest, whom the API does not know' : ''}${
      customer.balanceCents < 0
        ? ` · ${money(-customer.balanceCents, payments[0]?.currency ?? 'USD')} to their credit`
        : ''
    }</p>
    ${customer.returnUrl ? html`<p class="small"><a href="${customer.returnUrl}">Back to the shop</a></p>` : ''}
    <h2>Subscriptions</h2>
    ${subscriptions.length === 0 ? html`<p class="quiet">A subscription appears here once a plan is bought.</p>` : ''}
    ${subscriptions.toReversed().map((each) => subscriptionCard(customer, each, products))}
    <h2>Payments</h2>
    ${payments.length === 0 ? html`<p class="quiet">Payments appear here once something is bought.</p>` : ''}
    ${payments.length > 0 && html`<ul class="rows payments">${payments.toReversed().map((each) => paymentRow(each, products))}</ul>`}
    <h2>Events sent</h2>
    ${events.length === 0 ? html`<p class="quiet">Nothing has been sent yet.</p>` : ''}
    ${events.length > 0 && html`<ul class="rows">${events.slice(-EVENTS_SHOWN).toReversed().map(eventRow)}</ul>`}`
  return document(customer.email, customer.processor, body)
}

function subscriptionCard(customer: Customer, subscription: Subscription, products: Products): Html {
  const product = products.byId(subscription.productId)
  const { status, isEnding, periodStart, periodEnd } = subscription
  const now = Date.now() + subscription.aheadMs
  const isActive = status === 'active'
  const canEnd = isEnding || status === 'past_due' || (status === 'canceled' && customer.processor === 'payment-a')
  const others = products.all.filter((each) => each.months > 0 && each.id !== product.id)
  const own = [
    isEnding && button('resume', 'Resume'),
    isActive && !isEnding && button('cancel-at-period-end', 'Cancel at period end'),
    (isActive || status === 'past_due') && button('cancel-now', 'Cancel now'),
  ]
  const time = [
    isActive && !isEnding && button('next-period', 'Next period'),
    isActive && !isEnding && button('next-period-fails', 'Next period, payment fails'),
    status === 'past_due' && button('pay-open', 'Card works again'),
    canEnd && button('period-ends', status === 'past_due' ? 'Give up trying' : 'Period ends'),
  ]
  const form = (buttons: Html | (Html | false)[]): Html =>
    html`<form method="post"><input type="hidden" name="subscription" value="${subscription.id}">${buttons}</form>`
  const canDoAnything = [...own, ...time].some(Boolean)
  return html`<article class="card">
    <div class="between"><h3>${product.name}</h3><span class="amount">${money(product.cents, product.currency)} ${rhythm(product)}</span></div>
    <div class="between small"><span>${statusWords(subscription)}</span><code>${subscription.id}</code></div>
    ${strip((now - periodStart) / (periodEnd - periodStart), 'How much of the period is over')}
    <div class="between small quiet dates"><span>${day(periodStart)}</span><span>now ${day(now)}</span><span>${day(periodEnd)}</span></div>
    ${
      canDoAnything &&
      html`<div class="actions small-buttons">
      ${own.some(Boolean) && html`<span>Owner</span>${html`<div>${form(own)}</div>`}`}
      ${isActive && !isEnding && html`<span>Plan</span><div>${form(planChoice(others))}</div>`}
      ${time.some(Boolean) && html`<span>Time</span><div>${form(time)}</div>`}
    </div>`
    }
  </article>`
}

const planChoice = (others: Product[]): Html => html`
  <select name="product" aria-label="New plan">${others.map(
    (each) => html`<option value="${each.id}">${each.name} · ${money(each.cents, each.currency)}</option>`,
  )}</select>${button('change-plan', 'Change plan')}`

const button = (action: string, label: string): Html => html`<button name="do" value="${action}">${label}</button>`

function statusWords({ status, isEnding, periodEnd, endedAt }: Subscription): Html {
  if (status === 'active' && isEnding) return html`<span class="now">◐ Ends on ${day(periodEnd)}</span>`
  if (status === 'active') return html`<span class="done">● Active</span>`
  if (status === 'past_due') return html`<span class="failed">▲ Past due: the last payment failed</span>`
  const word = status === 'expired' ? 'Expired' : 'Cancelled'
  return html`<span class="quiet">○ ${word}${endedAt === null ? '' : ` on ${day(endedAt)}`}</span>`
}

function paymentRow(payment: Payment, products: Products): Html {
  const { cents, currency, refundedCents, status } = payment
  const left = cents - refundedCents
  const canGoBack = status === 'paid' && left > 0 && !payment.disputed
  const buttons = [
    canGoBack && button('refund', 'Refund all'),
    canGoBack && button('refund-half', 'Refund half'),
    canGoBack && button('dispute', 'Dispute'),
    status === 'pending' && button('arrives', 'Money arrives'),
    status === 'pending' && button('fails', 'Money does not come'),
  ]
  const words = {
    paid: html`<span class="done">✓ paid</span>`,
    pending: html`<span class="now">◐ on its way</span>`,
    open: html`<span class="failed">▲ failed, still open</span>`,
    failed: html`<span class="failed">× failed</span>`,
  }
  return html`<li>
    <div>
      <div>${products.byId(payment.productId).name} <span class="quiet small">${payment.reason}</span></div>
      <div class="small quiet">${day(payment.createdAt)} · ${words[status]}${
        refundedCents > 0 ? ` · ${money(refundedCents, currency)} refunded` : ''
      }${payment.disputed ? html` · <span class="failed">▲ disputed</span>` : ''}<code>${payment.id}</code></div>
    </div>
    <span class="amount">${money(cents, currency)}</span>
    ${
      buttons.some(Boolean) &&
      html`<form method="post" class="small-buttons"><input type="hidden" name="payment" value="${payment.id}">${buttons}</form>`
    }
  </li>`
}

function eventRow(event: SentEvent): Html {
  const last = event.deliveries.at(-1)
  const answer = last ? (last.status ?? 'no answer') : 'not sent'
  const words = {
    delivered: html`<span class="done">✓ delivered</span>`,
    waiting: html`<span class="now">◐ ${answer}, goes on trying</span>`,
    'given up': html`<span class="failed">× ${answer}, given up</span>`,
    kept: html`<span class="quiet">no address to send it to</span>`,
    held: html`<span class="quiet">held back</span>`,
  }
  const times = event.deliveries.length > 1 ? ` · sent ${event.deliveries.length} times` : ''
  return html`<li>
    <div><div>${event.type}</div><div class="small quiet">${stamp(event.at)} · ${words[event.state]}${times}<code>${event.id}</code></div></div>
    <form method="post" class="small-buttons"><input type="hidden" name="event" value="${event.id}">${
      event.state === 'kept' ? '' : button('send-again', event.deliveries.length === 0 ? 'Send' : 'Send again')
    }</form>
  </li>`
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
const stamp = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
