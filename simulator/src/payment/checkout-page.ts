/** The page on which a payer pays, or has a card declined. */
import { monthsAfter } from './clock.ts'
import { document, html } from './html.ts'
import { money, price } from './portal-page.ts'
import type { Product } from './products.ts'
import type { Checkout } from './store.ts'

export function checkoutPage(checkout: Checkout, product: Product): string {
  const { id, email, processor, cancelUrl, successUrl } = checkout
  const isPlan = product.months > 0
  const [amount, period] = [money(product.cents, product.currency), price(product).split(' ').slice(2).join(' ')]
  const renews = new Date(monthsAfter(Date.now(), product.months)).toISOString().slice(0, 10)
  const back = cancelUrl ?? successUrl
  const form = html`
    <form class="stack card" method="post">
      ${!email && html`<label>E-mail<input name="email" type="email" required value="buyer@example.com"></label>`}
      <button class="go" formaction="${id}/pay">Pay · ${amount}</button>
      ${processor === 'payment-b' && !isPlan && html`<button formaction="${id}/later">Pay by bank, days later</button>`}
      <button formaction="${id}/decline">Decline</button>
      <p class="small quiet">Paying sends the events of ${isPlan ? 'a new subscription' : 'a purchase'} to the shop. A
        declined card sends ${processor === 'payment-a' ? 'no event' : 'its failure'}.</p>
    </form>`
  const done = html`
    <div class="card">
      <p class="done">✓ Paid</p>
      <p class="small quiet">This checkout is finished; it takes no second payment.</p>
      ${back && html`<p class="small"><a href="${back}">Back to the shop</a></p>`}
    </div>`
  const body = html`<div class="pair">
    <section>
      <h1>${product.name}</h1>
      <p class="price">${amount} <span class="small quiet">${period}</span></p>
      <dl>
        ${email && html`<dt>For</dt><dd>${email}</dd>`}
        <dt>Renews</dt><dd>${isPlan ? `on ${renews}, until it is cancelled` : 'never'}</dd>
        <dt>Product</dt><dd><code>${product.processorIds[processor]}</code></dd>
        <dt>Checkout</dt><dd><code>${id.length > 30 ? `${id.slice(0, 20)}…${id.slice(-6)}` : id}</code></dd>
      </dl>
    </section>
    <section aria-label="Payment">${checkout.state === 'open' ? form : done}</section>
  </div>`
  return document(product.name, processor, body)
}
