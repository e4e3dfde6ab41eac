/** Buying in the browser, on the simulator's own checkout and portal pages. Money is never shown before it is there. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { freePort } from '../../server/test/free-port.ts'
import { openKinora, type Person } from '../../server/test/harness.ts'
import { paymentEnv, secrets, webhooks } from '../../server/test/payment-events.ts'
import { startSimulator } from '../../server/test/simulator.ts'
import { clickTwice, openBrowser } from './browser.ts'

// It knows no address for its events, so that they arrive when a test wants them to.
const desk = await startSimulator({ env: { PAYMENT_A_WEBHOOK_SECRET: secrets['payment-a'] } })
after(() => desk.stop())
const kinora = await openKinora({ env: { ...paymentEnv, PAYMENT_A_URL: `${desk.url}/payment-a` } })
const { visit } = await openBrowser(kinora)

/** Has all events about this person sent, as the processor would by itself. */
async function deliver({ email }: Person): Promise<void> {
  const answer = await fetch(`${desk.url}/simulator/payments?email=${encodeURIComponent(email)}`)
  const { customers } = (await answer.json()) as { customers: { id: string }[] }
  for (const { id } of customers) {
    const sent = await fetch(`${desk.url}/simulator/payments/deliver`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ customer: id, url: kinora.url + webhooks['payment-a'] }),
    })
    const { deliveries } = (await sent.json()) as { deliveries: { status: number }[] }
    assert.ok(deliveries.length > 0 && deliveries.every(({ status }) => status === 200), JSON.stringify(deliveries))
  }
}

/** From the plans through the checkout and back to them. */
async function pay(page: Page, button: RegExp): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.waitForURL(`${desk.url}/**`)
  await page.getByRole('button', { name: /^Pay · / }).click()
  await page.waitForURL(`${kinora.url}/plans?paid=*`)
}

test('packs and plans stand side by side, and the rhythm in the address', async () => {
  const { page } = await visit({ as: await kinora.person() })
  await page.goto('/plans')
  const pro = page.getByRole('listitem').filter({ hasText: 'Pro, monthly' })
  const told = /\$29\.90 a month960 credits every monthPer 100 credits\$3\.11Films32Good fora month/
  await pro.filter({ hasText: told }).waitFor()
  await page.getByText('Films are counted as 5 seconds of Alpha 2 at 720p, 30 credits each.').waitFor()
  assert.equal(await page.getByRole('button', { name: /Subscribe|Buy/ }).count(), 6)
  await page.getByRole('link', { name: 'Yearly' }).click()
  await page.getByText('11,520 credits at once, every year').waitFor()
  assert.equal(new URL(page.url()).search, '?every=year')
  await page.reload()
  await page.getByText('$799').first().waitFor()
})

test('nothing moves when the models come, by which films are counted', async () => {
  const { page, context } = await visit({ as: await kinora.person() })
  const held = Promise.withResolvers<Route>()
  await context.route('**/api/v1/config/models', held.resolve)
  await page.goto('/plans')
  const packs = page.getByRole('heading', { name: 'Packs, paid once' })
  await packs.waitFor()
  const route = await held.promise
  const before = await packs.boundingBox()
  await route.continue()
  await page.getByText('Films are counted as').waitFor()
  assert.deepEqual(await packs.boundingBox(), before)
})

test('two clicks on a price open one checkout', async () => {
  const { page, context } = await visit({ as: await kinora.person() })
  let asked = 0
  context.on('request', (request) => {
    if (request.url().endsWith('/api/v1/billing/checkout')) asked += 1
  })
  await page.goto('/plans')
  const buy = page.getByRole('button', { name: /Buy .* Starter pack/ })
  await clickTwice(buy)
  await page.waitForURL(`${desk.url}/**`)
  assert.equal(asked, 1)
  await page.goBack()
  await buy.and(page.locator(':enabled')).waitFor()
})

test('a pack is bought, and its credits are shown when they are there and not before', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/plans')
  await pay(page, /Buy .* Starter pack/)
  await page.getByText('Credits arrive as soon as the payment is confirmed.').waitFor()
  await page.getByRole('link', { name: '60 credits' }).waitFor()
  assert.equal(await page.getByText(/arrived/).count(), 0)
  await deliver(ann)
  await page.getByText('280 credits have arrived.').waitFor()
  await page.getByText('340 available.').waitFor()
  await page.getByRole('link', { name: '340 credits' }).waitFor()
  await page.reload()
  await page.getByText('280 credits have arrived.').waitFor()
})

test('an address that claims a purchase brings no credits, and an earlier purchase is not taken for it', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/plans')
  await pay(page, /Buy .* Starter pack/)
  await deliver(ann)
  await page.getByText('280 credits have arrived.').waitFor()
  await page.goto(`/plans?paid=pack-starter&since=${Date.now() + 1000}`)
  await page.getByText('Credits arrive as soon as the payment is confirmed.').waitFor()
  await page.getByRole('link', { name: '340 credits' }).waitFor()
  await page.goto('/plans?paid=pack-nothing&since=1')
  await page.getByRole('heading', { name: 'Packs, paid once' }).waitFor()
  assert.equal(await page.getByText(/Credits arrive/).count(), 0)
})

test('a plan is bought, shown with the day it renews, and cancelled in the portal', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/plans')
  await pay(page, /Subscribe .* Pro, monthly/)
  await deliver(ann)
  await page.getByText('960 credits have arrived.').waitFor()
  const plan = page.getByRole('region', { name: 'Pro, monthly' })
  await plan.getByText('Active').waitFor()
  await plan.getByText(/^Renews on \w+ \d+, \d{4}\.$/).waitFor()
  await page.getByText('Your plan', { exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: /Subscribe/ }).count(), 0, 'no second plan is offered beside it')

  await plan.getByRole('button', { name: 'Manage or cancel' }).click()
  await page.getByRole('button', { name: 'Cancel at period end' }).click()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  await deliver(ann)
  await page.goto('/plans')
  await plan.getByText('Cancelled, still running').waitFor()
  await plan.getByText(/^Ends on .* and is not charged again\. Credits that you have stay yours/).waitFor()
})

test('a payment that failed says what to do, and the plan runs again when it is done', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/plans')
  await pay(page, /Subscribe .* Basic, monthly/)
  await deliver(ann)
  const plan = page.getByRole('region', { name: 'Basic, monthly' })
  await plan.getByRole('button', { name: 'Manage or cancel' }).click()
  await page.getByRole('button', { name: 'Next period, payment fails' }).click()
  await page.getByRole('button', { name: 'Card works again' }).waitFor()
  await deliver(ann)
  await page.goto('/plans')
  await plan.getByText('Payment failed').waitFor()
  await plan.getByRole('button', { name: 'Fix the payment' }).click()
  await page.getByRole('button', { name: 'Card works again' }).click()
  await page.getByRole('button', { name: 'Next period, payment fails' }).waitFor()
  await deliver(ann)
  await page.goto('/plans')
  await plan.getByText('Active').waitFor()
  await page.getByRole('link', { name: '620 credits' }).waitFor()
})

test('a processor that does not answer is named as such, and can be tried again', async () => {
  const away = { url: `http://127.0.0.1:${await freePort()}`, apiKey: 'key', webhookSecret: 'secret' }
  const { page, expect } = await visit({ as: await kinora.person() })
  expect(/503/)
  await kinora.withSettings({ payments: { 'payment-a': away, 'payment-b': away } }, async (url) => {
    await page.goto(`${url}/plans`)
    await page.getByRole('button', { name: /Buy .* Pro pack/ }).click()
    await page.getByRole('alert').getByText('The payment processor does not answer at the moment').waitFor()
    await page.getByRole('button', { name: /Buy .* Pro pack/, disabled: false }).waitFor()
    await page.goto('about:blank')
  })
})

test('without a processor the page says so, and nothing can be pressed', async () => {
  const { page } = await visit({ as: await kinora.person() })
  await kinora.withSettings({ payments: { 'payment-a': null, 'payment-b': null } }, async (url) => {
    await page.goto(`${url}/plans`)
    await page.getByText('Payments are not set up here, so nothing can be bought.').waitFor()
    for (const button of await page.getByRole('button', { name: /Subscribe|Buy/ }).all())
      assert.ok(await button.isDisabled())
    await page.goto('about:blank')
  })
})
