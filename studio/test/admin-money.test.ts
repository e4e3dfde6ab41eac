/** A payment's page, disputes and books of administrators, with the simulator's processors. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Processor } from '../../server/test/support/payment/payment-delivery.ts'
import { openReconciliation } from '../../server/test/support/payment/reconcile-fixture.ts'
import { openBrowser } from './browser.ts'

const { kinora, buy, act, deliverLate } = await openReconciliation()
const browser = await openBrowser(kinora)
const root = await kinora.person({ role: 'admin', credits: 0 })

/** A user who has bought a pack, and the page of the payment. */
async function payment(processor: Processor) {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, processor, 'pack-starter')
  await deliverLate(ann, processor)
  const { page } = await browser.visit({ as: root })
  await page.goto(`/admin/payments/made?q=${ann.userId}`)
  await page.getByRole('link', { name: /^(pi|ord)_/ }).click()
  await page.getByRole('heading', { name: 'Starter pack' }).waitFor()
  return { ann, page }
}

test('refund: a part, then what is left → made at the processor; the page shows when its event has taken the credits', async () => {
  const { ann, page } = await payment('payment-b')
  await page.getByLabel('Amount, with tax').fill('20')
  await page.getByLabel('Reason').fill('Bought by mistake')
  assert.equal(await page.getByRole('button', { name: 'Refund $20' }).isDisabled(), true)
  await page.getByLabel('Amount, with tax').fill('7.45')
  await page.getByRole('button', { name: 'Refund $7.45' }).click()
  await page.getByRole('row', { name: /Made .*\$7\.45.*Bought by mistake/ }).waitFor()
  assert.equal((await kinora.balance(ann)).available, 280)
  await deliverLate(ann, 'payment-b')
  await page.getByRole('row', { name: /\$7\.45 Took its credits/ }).waitFor()
  assert.equal((await kinora.balance(ann)).available, 140)
  await page.getByLabel('Reason').fill('All of it')
  await page.getByRole('button', { name: 'Refund $7.45' }).click()
  await page.getByText('Nothing is left to refund.').waitFor()
})

test('refund: at a processor that refunds no part → says so, and has no field for an amount', async () => {
  const { page } = await payment('payment-a')
  await page.getByText('This processor refunds a payment as a whole alone').waitFor()
  assert.equal(await page.getByLabel('Amount, with tax').count(), 0)
})

test('dispute: of a payment → listed with its word, its deadline and a link; the payment says why it has no button', async () => {
  const { ann, page } = await payment('payment-b')
  await act(ann, 'payment-b', 'dispute', 'purchase')
  await deliverLate(ann, 'payment-b')
  await page.reload()
  await page.getByText('It cannot be refunded: it is disputed').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Refund/ }).count(), 0)
  await page.goto('/admin/payments/made')
  await page.getByRole('link', { name: 'Disputes' }).click()
  const row = page.getByRole('row', { name: /Dispute \$14\.90: fraudulent, needs response/ })
  await row.getByText(/^To be answered until /).waitFor()
  await row.getByRole('link', { name: 'Open at the processor' }).waitFor()
})

test('books: a calendar month, then any days → kept in the address; what is owed, and the movements as a file', async () => {
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/books')
  await page.getByRole('row', { name: /USD/ }).first().waitFor()
  const month = new Date().toISOString().slice(0, 7)
  await page.getByLabel('Period').selectOption(month)
  await page.waitForURL(`**/admin/books?days=${month}`)
  await page.getByLabel('Period').selectOption('own')
  await page.getByLabel('First day').waitFor()
  await page.waitForURL((url) => url.search.startsWith(`?days=${month}-01_${month}-`))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Payments, refunds, disputes as CSV' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  assert.match(text, /^day,time,kind,processor,/)
  assert.match(text, /,refund,payment-b,/)
})
