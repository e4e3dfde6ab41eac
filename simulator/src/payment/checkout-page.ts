/** The page on which a person pays, or has their card declined. */
import type { Checkout } from './account.ts'
import { monthsAfter } from './clock.ts'
import { document, html } from './look.ts'
import { money, type Product, rhythm } from './product.ts'

export function checkoutPage(checkout: Checkout, product: Product): string {
  const price = money(product.cents, product.currency)
  const isSubscription = product.months > 0
  const renews = new Date(monthsAfter(Date.now(), product.months)).toISOString().slice(0, 10)
  const back = checkout.cancelUrl ?? (checkout.successUrl || null)
  const facts = html`
    <h1>${product.name}</h1>
    <p class="price">${price} <span class="small quiet">${isSubscription ? rhythm(product) : 'once'}</span></p>
    <dl>
      ${checkout.email ? html`<dt>For</dt><dd>${checkout.email}</dd>` : ''}
      <dt>Renews</dt><dd>${isSubscription ? `on ${renews}, until it is cancelled` : 'never'}</dd>
      <dt>Product</dt><dd><code>${product.processorIds[checkout.processor]}</code></dd>
      <dt>Checkout</dt><dd><code>${shortened(checkout.id)}</code></dd>
    </dl>`
  const form = html`
    <form class="stack card" method="post">
      ${checkout.email ? '' : html`<label>E-mail<input name="email" type="email" required value="buyer@example.com"></label>`}
      <button class="go" formaction="${checkout.id}/pay">Pay · ${price}</button>
      ${
        checkout.processor === 'payment-b' && !isSubscription
          ? html`<button formaction="${checkout.id}/later">Pay by bank, days later</button>`
          : ''
      }
      <button formaction="${checkout.id}/decline">Decline</button>
      <p class="small quiet">${promise(checkout, isSubscription)}</p>
    </form>`
  const done = html`
    <div class="card">
      <p class="done">✓ Paid</p>
      <p class="small quiet">This checkout is finished; it takes no second payment.</p>
      ${back ? html`<p class="small"><a href="${back}">Back to the shop</a></p>` : ''}
    </div>`
  return document(
    product.name,
    checkout.processor,
    html`<div class="pair"><section>${facts}</section><section aria-label="Payment">${checkout.state === 'open' ? form : done}</section></div>`,
  )
}

/** For when no shop named an address to return to. */
export function donePage(processor: string, declined: boolean): string {
  return document(
    declined ? 'Declined' : 'Paid',
    processor,
    declined
      ? html`<h1>Declined</h1><p>The card was declined and nothing was paid. The checkout can be tried again.</p>`
      : html`<h1>Paid</h1><p>You can close this page.</p>`,
  )
}

function promise(checkout: Checkout, isSubscription: boolean): string {
  const declined =
    checkout.processor === 'payment-a' ? 'A declined card sends no event.' : 'A declined card sends its failure.'
  return `Paying sends the events of ${isSubscription ? 'a new subscription' : 'a purchase'} to the shop. ${declined}`
}

const shortened = (id: string): string => (id.length > 30 ? `${id.slice(0, 20)}…${id.slice(-6)}` : id)
