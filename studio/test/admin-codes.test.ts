/** Codes, invitations, payments and subscriptions on administrators' pages, and a code redeemed under Plans. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../../server/test/support/harness.ts'
import { deliverAll, paymentEnv } from '../../server/test/support/payment/payment-delivery.ts'
import {
  checkoutA,
  DAY_MS,
  eventA,
  newName,
  startOfToday,
  subscriptionA,
} from '../../server/test/support/payment/payment-events.ts'
import { openBrowser } from './browser.ts'

const kinora = await openKinora({ env: paymentEnv })
const browser = await openBrowser(kinora)
const root = await kinora.person({ role: 'admin', credits: 0 })

test('codes: made → redeemed under Plans once; ended → refused with the reason', async () => {
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/codes')
  await page.getByText('Your codes will be listed here.').waitFor()
  await page.getByLabel('Credits of each user').fill('1250')
  await page.getByLabel('How many users').fill('3')
  await page.getByLabel('How many of one network, if not all').fill('5')
  await page.getByLabel('Only those who have bought nothing yet').check()
  await page.getByLabel('Text, if not a random one').fill('spring-2026')
  await page.getByLabel('Note for administrators').fill('Newsletter')
  await page.getByRole('button', { name: 'Make code' }).click()
  await page
    .getByRole('row', { name: /^SPRING-2026 ?Newsletter ?new customers only ?5 of one network Open 0 of 3 1,250/ })
    .waitFor()

  const ann = await kinora.person({ credits: 0 })
  const user = await browser.visit({ as: ann })
  user.expect(/\b(404|409)\b/)
  await user.page.goto('/plans')
  const field = user.page.getByRole('textbox', { name: 'Code' })
  const redeem = user.page.getByRole('button', { name: 'Redeem' })
  assert.equal(await field.evaluate((input: { spellcheck: boolean }) => input.spellcheck), false)
  await field.fill('wrong code 1')
  await redeem.click()
  await user.page.getByText('There is no such code. Check its letters and digits.').waitFor()
  await field.fill('spring 2026')
  await redeem.dblclick()
  await user.page.getByText('1,250 credits have arrived, good until').waitFor()
  await user.page.getByRole('link', { name: /1,250/ }).waitFor()
  await field.fill('SPRING-2026')
  await redeem.click()
  await user.page.getByText('You have redeemed this code before: 1,250 credits').waitFor()
  assert.equal((await kinora.balance(ann)).available, 1250)
  await user.page.goto('/credits')
  await user.page.getByRole('row', { name: /Redemption code.*\+1,250[^C]*SPRING-2026/ }).waitFor()
  await user.page
    .getByRole('listitem')
    .filter({ hasText: /^1,250 credits.*Redemption code/ })
    .waitFor()

  await page.reload()
  await page.getByRole('row', { name: /Open 1 of 3/ }).waitFor()
  await page.getByRole('button', { name: 'End SPRING-2026' }).click()
  await page.getByRole('dialog').getByText('The 1 who have keep their credits.').waitFor()
  await page.getByRole('button', { name: 'End the code' }).click()
  await page.getByRole('row', { name: /Ended 1 of 3/ }).waitFor()
  const late = await browser.visit({ as: await kinora.person({ credits: 0 }) })
  late.expect(/\b409\b/)
  await late.page.goto('/plans')
  await late.page.getByRole('textbox', { name: 'Code' }).fill('SPRING-2026')
  await late.page.getByRole('button', { name: 'Redeem' }).click()
  await late.page.getByText('This code has ended.').waitFor()
})

test('invitations: made for an address → its link is shown once; revoked → its page says so', async () => {
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/invitations')
  await page.getByText('Everyone may sign up here').waitFor()
  await page.getByLabel('E-mail address that may use it').fill('mia@example.com')
  await page.getByLabel('Gift, in credits').fill('200')
  await page.getByLabel('Instead of the welcome gift').check()
  await page.getByRole('button', { name: 'Make invitation' }).click()
  const link = await page.getByRole('dialog').getByText('#invitation=').textContent()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /^mia@example.com Open 200/ }).waitFor()

  await page.getByRole('button', { name: 'Revoke the invitation of mia@example.com' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('row', { name: /^mia@example.com Revoked/ }).waitFor()
  const guest = await browser.visit()
  guest.expect(/\b404\b/)
  await guest.page.goto(link ?? assert.fail())
  await guest.page.getByText(/was used or revoked/).waitFor()
})

test('payments: searched by the order’s id and by state, subscriptions by address → those alone, kept in the address', async () => {
  const [ann, ben] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
  const [packA, packB] = [checkoutA(ann.userId), checkoutA(ben.userId)]
  const [orderA, orderB] = [packA, packB].map(({ order }) => (order as { id: string }).id)
  const period = { start: startOfToday(), end: startOfToday() + 30 * DAY_MS }
  await deliverAll(
    kinora,
    'payment-a',
    eventA('checkout.completed', packA),
    eventA('checkout.completed', packB),
    eventA('subscription.paid', subscriptionA(newName('sub'), ben.userId, period)),
    eventA('refund.created', { id: newName('ref'), refund_amount: 745, order: { id: orderB, amount: 1490 } }),
  )
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/payments/made')
  await page.getByRole('row', { name: new RegExp(`${orderB}`) }).waitFor()
  await page.getByLabel('Search by user or id').fill(orderA ?? '')
  await page.getByRole('row', { name: new RegExp(`${ann.email}.*${orderA}`) }).waitFor()
  await page.getByRole('row', { name: new RegExp(`${orderB}`) }).waitFor({ state: 'detached' })
  await page.getByLabel('Search by user or id').fill('')
  await page.getByLabel('State').selectOption('Returned in part')
  await page.getByRole('row', { name: new RegExp(`${ben.email}.*${orderB}`) }).waitFor()
  await page.getByRole('row', { name: new RegExp(`${orderA}`) }).waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).searchParams.get('state'), 'returned_in_part')

  await page.getByRole('link', { name: 'Subscriptions' }).click()
  // The page before has a field of this name, too.
  await page.getByLabel('State').locator('option', { hasText: 'Payment failed' }).waitFor({ state: 'attached' })
  await page.getByLabel('Search by user or id').fill(ben.email)
  // Else the search, which waits for a pause, would take back the way to the user's page.
  await page.waitForURL('**/subscriptions?q=*')
  const row = page.getByRole('row', { name: new RegExp(`${ben.email} Active`) })
  await row.waitFor()
  await page.getByLabel('State').selectOption('Payment failed')
  await page.getByText('There is no subscription like this.').waitFor()
  await page.getByLabel('State').selectOption('Active')
  await row.getByRole('link', { name: ben.email }).click()
  await page.getByRole('link', { name: 'In the list of all' }).click()
  await page.waitForURL(`**/admin/payments/made?q=${ben.userId}`)
  await page.getByRole('row', { name: new RegExp(`${orderB}`) }).waitFor()
})
