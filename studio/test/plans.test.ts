/** Plans and payments in the browser, on the simulator's checkout and portal pages; credits appear by webhook only. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { openBilling } from '../../server/src/payment/billing.ts'
import { topUps } from '../../server/src/payment/top-up.ts'
import { dispatchOnce } from '../../server/src/process/dispatch-loop.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { openKinora, type Person } from '../../server/test/support/harness.ts'
import { type Processor, paymentEnv, secrets, webhooks } from '../../server/test/support/payment/payment-delivery.ts'
import { startSimulator } from '../../server/test/support/simulator.ts'
import { addMember } from '../../server/test/support/teams.ts'
import { clickTwice, openBrowser } from './browser.ts'
import { createUser } from './named-user.ts'

// The simulator without a webhook URL sends no webhook by itself: tests decide when they arrive.
const simulator = await startSimulator({
  env: { PAYMENT_A_WEBHOOK_SECRET: secrets['payment-a'], PAYMENT_B_WEBHOOK_SECRET: secrets['payment-b'] },
})
after(() => simulator.stop())
const kinora = await openKinora({
  env: { ...paymentEnv, PAYMENT_A_URL: `${simulator.url}/payment-a`, PAYMENT_B_URL: simulator.url },
})
const { visit } = await openBrowser(kinora)

/** Makes the simulator deliver all webhooks of this user's payments. */
async function deliverWebhooks({ email }: Person, processor: Processor = 'payment-a'): Promise<void> {
  const query = new URLSearchParams({ email, processor })
  const response = await fetch(`${simulator.url}/simulator/payments?${query}`)
  const { customers } = (await response.json()) as { customers: { id: string }[] }
  for (const { id } of customers) {
    const delivery = await fetch(`${simulator.url}/simulator/payments/deliver`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ customer: id, url: kinora.url + webhooks[processor] }),
    })
    const { deliveries } = (await delivery.json()) as { deliveries: { status: number }[] }
    assert.ok(deliveries.length > 0 && deliveries.every(({ status }) => status === 200), JSON.stringify(deliveries))
  }
}

/** Buys a product: from the plans page through the checkout and back. */
async function buy(page: Page, button: RegExp): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.waitForURL(`${simulator.url}/**`)
  await page.getByRole('button', { name: /^Pay · / }).click()
  await page.waitForURL(`${kinora.url}/plans?paid=*`)
}

test('plans: catalogue → each product with its figures, and the billing period kept in the URL', async () => {
  const { page } = await visit({ as: await kinora.person() })
  await page.goto('/plans')
  const pro = page.getByRole('listitem').filter({ hasText: 'Pro, monthly' })
  const figures = /\$29\.90 a month960 credits every monthPer 100 credits\$3\.11Films32Valid fora month/
  await pro.filter({ hasText: figures }).waitFor()
  await page.getByText('Films are counted as 5 seconds of Alpha 2 at 720p, 30 credits each.').waitFor()
  assert.equal(await page.getByRole('button', { name: /Subscribe|Buy/ }).count(), 6)
  await page.getByRole('link', { name: 'Yearly' }).click()
  await page.getByText('11,520 credits at once, every year').waitFor()
  assert.equal(new URL(page.url()).search, '?every=year')
  await page.reload()
  await page.getByText('$799').first().waitFor()
})

test('plans: models load late → no layout shift', async () => {
  const { page, context } = await visit({ as: await kinora.person() })
  const modelsRequest = Promise.withResolvers<Route>()
  await context.route('**/api/v1/config/models', modelsRequest.resolve)
  await page.goto('/plans')
  const packs = page.getByRole('heading', { name: 'Packs, paid once' })
  await packs.waitFor()
  const route = await modelsRequest.promise
  const before = await packs.boundingBox()
  await route.continue()
  await page.getByText('Films are counted as').waitFor()
  assert.deepEqual(await packs.boundingBox(), before)
})

test('checkout: double click on a price → one checkout session', async () => {
  const { page, context } = await visit({ as: await kinora.person() })
  let requests = 0
  context.on('request', (request) => {
    if (request.url().endsWith('/api/v1/billing/checkout')) requests += 1
  })
  await page.goto('/plans')
  const buyButton = page.getByRole('button', { name: /Buy .* Starter pack/ })
  await clickTwice(buyButton)
  await page.waitForURL(`${simulator.url}/**`)
  assert.equal(requests, 1)
  await page.goBack()
  await buyButton.and(page.locator(':not([aria-disabled])')).waitFor()
})

test('checkout return: pack bought → its credits are shown once the webhook has arrived, not before', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/plans')
  await buy(page, /Buy .* Starter pack/)
  await page.getByText('Credits arrive as soon as the payment is confirmed.').waitFor()
  await page.getByRole('link', { name: '60 credits' }).waitFor()
  assert.equal(await page.getByText(/arrived/).count(), 0)
  await deliverWebhooks(ann)
  await page.getByText('280 credits have arrived.').waitFor()
  await page.getByText('340 available.').waitFor()
  await page.getByRole('link', { name: '340 credits' }).waitFor()
  await page.waitForURL(`${kinora.url}/plans`)
  await page.reload()
  await page.getByRole('heading', { name: 'Packs, paid once' }).waitFor()
  assert.equal(await page.getByText(/arrived/).count(), 0, 'announced once')
})

test('checkout return: forged URL → no credits, and an earlier purchase is not taken for the new one', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/plans')
  await buy(page, /Buy .* Starter pack/)
  await deliverWebhooks(ann)
  await page.getByText('280 credits have arrived.').waitFor()
  await page.goto(`/plans?paid=pack-starter&since=${Date.now() + 1000}&checkout_id=ch_forged`)
  await page.getByText('Credits arrive as soon as the payment is confirmed.').waitFor()
  await page.getByRole('link', { name: '340 credits' }).waitFor()
  await page.goto('/plans?paid=pack-nothing&since=1')
  await page.getByRole('heading', { name: 'Packs, paid once' }).waitFor()
  assert.equal(await page.getByText(/Credits arrive/).count(), 0)
})

test('checkout return: card declined at payment-a → no credits are announced, and a second attempt is paid', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/plans')
  await page.getByRole('button', { name: /Buy .* Starter pack/ }).click()
  await page.waitForURL(`${simulator.url}/**`)
  const checkoutUrl = page.url()
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.waitForURL(`${kinora.url}/plans?paid=*`)
  const status = page.getByRole('status')
  await status.getByText('The checkout was left without a payment that is known here.').waitFor()
  await status.getByText('If the card was declined or you turned back, nothing was bought').waitFor()
  assert.equal(await page.getByText('Credits arrive').count(), 0)
  const returnUrl = page.url()
  await page.goto(checkoutUrl)
  await page.getByRole('button', { name: /^Pay · / }).click()
  await page.getByText('Credits arrive as soon as the payment is confirmed.').waitFor()
  await page.goto(returnUrl)
  await status.getByText('The checkout was left').waitFor()
  await deliverWebhooks(ann)
  await status.getByText('280 credits have arrived.').waitFor()
})

test('subscription: bought, then cancelled in the portal → its status and date follow', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/plans')
  await buy(page, /Subscribe .* Pro, monthly/)
  await deliverWebhooks(ann)
  await page.getByText('960 credits have arrived.').waitFor()
  const plan = page.getByRole('region', { name: 'Pro, monthly' })
  await plan.getByText('Active').waitFor()
  await plan.getByText(/^Renews on \w+ \d+, \d{4}\.$/).waitFor()
  await page.getByText('Your plan', { exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: /Subscribe/ }).count(), 0, 'no second plan is offered')

  await plan.getByRole('button', { name: 'Manage or cancel' }).click()
  await page.getByRole('button', { name: 'Cancel at period end' }).click()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  await deliverWebhooks(ann)
  await page.goto('/plans')
  await plan.getByText('Cancelled, still running').waitFor()
  await plan.getByText(/^Ends on .* and is not charged again\. Credits that you have stay yours/).waitFor()
})

test('subscription: payment fails → "Fix the payment", and active again once it is paid', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/plans')
  await buy(page, /Subscribe .* Basic, monthly/)
  await deliverWebhooks(ann)
  const plan = page.getByRole('region', { name: 'Basic, monthly' })
  await plan.getByRole('button', { name: 'Manage or cancel' }).click()
  await page.getByRole('button', { name: 'Next period fails' }).click()
  await page.getByRole('button', { name: 'Pay open' }).waitFor()
  await deliverWebhooks(ann)
  await page.goto('/plans')
  await plan.getByText('Payment failed').waitFor()
  await plan.getByRole('button', { name: 'Fix the payment' }).click()
  await page.getByRole('button', { name: 'Pay open' }).click()
  await page.getByRole('button', { name: 'Next period fails' }).waitFor()
  await deliverWebhooks(ann)
  await page.goto('/plans')
  await plan.getByText('Active').waitFor()
  await page.getByRole('link', { name: '620 credits' }).waitFor()
})

test('subscription: expired at a processor that retries the payment → "Manage or cancel", until it is cancelled', async () => {
  const ann = await kinora.person()
  await kinora.app.sql`
    insert into kinora.subscription (user_id, id, processor, external_id, plan, status, current_period_end, retries_expired, created_at, updated_at)
    values (${ann.userId}, ${ann.userId}, 'payment-a', 'sub_expired', 'pro-monthly', 'expired', now(), true, now(), now())
  `
  const { page } = await visit({ as: ann })
  await page.goto('/plans')
  const plan = page.getByRole('region', { name: 'Pro, monthly' })
  await plan
    .getByText(/^Ended on .* The payment may be tried again; cancel it to prevent that\. Credits that you have/)
    .waitFor()
  await plan.getByRole('button', { name: 'Manage or cancel' }).waitFor()
  await kinora.app.sql`update kinora.subscription set status = 'cancelled' where user_id = ${ann.userId}`
  await page.reload()
  await plan.getByRole('button', { name: 'See receipts' }).waitFor()
})

test('subscription: first payment failed or abandoned → can subscribe again, without a portal that would not open', async () => {
  const ann = await kinora.person()
  await kinora.app.sql`
    insert into kinora.subscription (user_id, id, processor, external_id, plan, status, created_at, updated_at)
    values (${ann.userId}, ${ann.userId}, 'payment-b', 'sub_incomplete', 'pro-monthly', 'incomplete', now(), now())
  `
  const { page } = await visit({ as: ann })
  await page.goto('/plans')
  const plan = page.getByRole('region', { name: 'Pro, monthly' })
  await plan.getByText('Not paid').waitFor()
  assert.equal(await plan.getByRole('button').count(), 0)
  await page.getByRole('button', { name: /Subscribe .* Pro, monthly/ }).click()
  await page.waitForURL(`${simulator.url}/**`)
})

test('503: payment processor unreachable → an explanation, and the button can be used again', async () => {
  const unreachable = { url: `http://127.0.0.1:${await freePort()}`, apiKey: 'key', webhookSecret: 'secret' }
  const { page, expect } = await visit({ as: await kinora.person() })
  expect(/503/)
  await kinora.withSettings({ payments: { 'payment-a': unreachable, 'payment-b': unreachable } }, async (url) => {
    await page.goto(`${url}/plans`)
    await page.getByRole('button', { name: /Buy .* Pro pack/ }).click()
    await page.getByRole('alert').getByText('The payment processor does not answer at the moment').waitFor()
    await page.getByRole('button', { name: /Buy .* Pro pack/, disabled: false }).waitFor()
    await page.goto('about:blank')
  })
})

test('top-up: switched on, card saved, the bank asks → a banner on every page, confirmed there; its invoice is listed', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/plans')
  await page.getByText('Off: nothing is bought by itself.').waitFor()
  await page.getByLabel('When fewer credits are left than').fill('200')
  await page.getByRole('button', { name: 'Switch the top-up on' }).click()
  await page.waitForURL(`${simulator.url}/**`)
  await page.getByRole('button', { name: 'Save card that asks' }).click()
  await page.waitForURL(`${kinora.url}/plans`)
  await page.getByText('Paused: no card is saved yet.').waitFor()
  await deliverWebhooks(ann, 'payment-b')
  const billing = openBilling(kinora.app)
  after(() => billing.close())
  await dispatchOnce(topUps(kinora.app, billing), 20)

  await page.goto('/credits')
  await page.getByText('The automatic top-up waits: your bank asks you to confirm a payment.').waitFor()
  await page.getByLabel('Credits a week').fill('5000')
  await page.locator('form', { hasText: 'Mail about spending' }).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('link', { name: 'Confirm the payment' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await deliverWebhooks(ann, 'payment-b')
  await page.goto('/plans')
  await page.getByText('On. The last top-up was paid.').waitFor()
  await page.getByRole('link', { name: '340 credits' }).waitFor()
  await page.getByRole('button', { name: 'Show invoices and receipts' }).click()
  await page.getByRole('listitem').filter({ hasText: '$14.90' }).getByRole('link', { name: 'Open' }).waitFor()
  await page.getByRole('button', { name: 'Switch the top-up off' }).click()
  await page.getByText('Off: nothing is bought by itself.').waitFor()
})

test('subscription: another plan → what the change costs before it is made, by the processor or on its page', async () => {
  for (const [processor, cost] of [
    ['payment-b', 'Due at once: $50.'],
    ['payment-a', 'The next page shows the cost before you confirm.'],
  ] as const) {
    const ann = await kinora.person()
    const body = { productId: 'pro-monthly', processor }
    const { data } = await kinora.call<{ url: string }>('POST', '/api/v1/billing/checkout', { as: ann, body })
    await fetch(`${data.url}/pay`, { method: 'POST', body: new URLSearchParams({ email: ann.email }) })
    await deliverWebhooks(ann, processor)
    const { page } = await visit({ as: ann })
    await page.goto('/plans')
    const ultimate = page.getByRole('listitem').filter({ hasText: 'Ultimate, monthly' })
    await ultimate.getByRole('button', { name: 'What would it cost?' }).click()
    await ultimate.getByText(cost).waitFor()
    await ultimate.getByText('After that: $79.90 a month, and taxes.').waitFor()
    await ultimate.getByRole('button', { name: 'Change the plan' }).click()
    await page.waitForURL(`${simulator.url}/${processor}/portal/**`)
    await page.goto('about:blank')
  }
})

test('plans of a team: an owner buys and opens the portal → the team has the credits; a maker reads who buys', async () => {
  const [ann, ben] = [await createUser(kinora, 'Ann'), await createUser(kinora, 'Ben')]
  const { data: team } = await kinora.call<{ id: string }>('POST', '/api/v1/team', { as: ann, body: { name: 'North' } })
  await addMember(kinora.app, team.id, ben)
  const { page } = await visit({ as: ann })
  // As the link of a mail.
  await page.goto(`/plans?team=${team.id}`)
  await page.getByText('What you buy here is for the team North.').waitFor()
  await buy(page, /Subscribe .* Pro, monthly/)
  await deliverWebhooks(ann)
  await page.getByText('960 credits have arrived.').waitFor()
  await page.getByRole('link', { name: '960 credits' }).waitFor()
  assert.equal((await kinora.balance(ann)).available, 60)
  await page.goto('/plans')
  await page.getByRole('button', { name: 'Manage or cancel' }).click()
  await page.waitForURL(`${simulator.url}/payment-a/portal/**`)

  const { page: bens } = await visit({ as: ben })
  await bens.goto(`/plans?team=${team.id}`)
  await bens.getByText('The owners of the team North buy its credits: Ann.').waitFor()
  await bens.getByText('Renews on').waitFor()
  assert.equal(await bens.getByRole('button', { name: /Subscribe|Buy|Manage|Redeem/ }).count(), 0)
  await bens.getByRole('main').getByRole('link', { name: 'Credits', exact: true }).click()
  await bens.getByRole('button', { name: 'Move credits…' }).waitFor()
})

test('plans: no payment processor configured → an explanation, and all buttons are disabled', async () => {
  const { page } = await visit({ as: await kinora.person() })
  await kinora.withSettings({ payments: { 'payment-a': null, 'payment-b': null } }, async (url) => {
    await page.goto(`${url}/plans`)
    await page.getByText('Payments are not set up here, so nothing can be bought.').waitFor()
    for (const button of await page.getByRole('button', { name: /Subscribe|Buy/ }).all())
      assert.ok(await button.isDisabled())
    await page.goto('about:blank')
  })
})
