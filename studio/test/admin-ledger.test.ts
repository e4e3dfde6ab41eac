/** The administration page of the ledger: a check of the books, its progress and its result. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerCheckProgress, startRun } from '../../server/src/admin/ledger-check.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser } from './browser.ts'

const kinora = await openKinora()
const browser = await openBrowser(kinora)
const root = await kinora.person({ role: 'admin', credits: 0 })
const { sql } = kinora.app
// The texts are in the plural.
for (let n = 0; n < 5; n += 1) await kinora.person()

test('ledger check: consistent, then with a damaged row → "Right", then the difference and its user', async () => {
  const eve = await kinora.person()
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/ledger')
  const check = page.getByRole('button', { name: 'Check the books' })
  await check.click()
  await page.getByText(/^Right: the books of \d+ users add up\.$/).waitFor()
  const shift = (by: number) =>
    sql`update kinora.credit_transaction set balance_after = balance_after + ${by} where user_id = ${eve.userId}`
  await shift(7)
  try {
    await check.click()
    await page.getByText(/^2 differences in the books of \d+ users\.$/).waitFor()
    const row = page.getByRole('row', { name: /balance after is the sum so far/ })
    assert.equal(await row.textContent(), `balance after is the sum so fartransaction 16067${eve.userId}`)
    await row.getByRole('link', { name: eve.userId }).click()
    await page.waitForURL(`**/admin/users/${eve.userId}`)
  } finally {
    await shift(-7)
  }
})

test('ledger check: started before the page has read the last one → its result', async () => {
  const { page } = await browser.visit({ as: root })
  const started = page.waitForResponse((response) => response.request().method() === 'POST')
  let isFirst = true
  await page.route('**/api/v1/admin/ledger/check', async (route) => {
    if (route.request().method() !== 'GET' || !isFirst) return route.continue()
    isFirst = false
    const response = await route.fetch()
    await (await started).finished()
    // The page has handled the response that it got before this one.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    await route.fulfill({ response })
  })
  await sql`delete from kinora.ledger_check_run`
  await page.goto('/admin/ledger')
  await page.getByRole('button', { name: 'Check the books' }).click()
  await page.getByText(/^Right: the books of \d+ users add up\.$/).waitFor()
})

test('ledger check: another process begins one before the click → its progress, and no error', async () => {
  await sql`delete from kinora.ledger_check_run`
  const { page, expect } = await browser.visit({ as: root })
  expect(/\b409\b.*ledger\/check$/)
  await page.goto('/admin/ledger')
  await page.getByText('The books have not been checked yet.').waitFor()
  const { id } = await startRun(sql, null)
  await ledgerCheckProgress(sql, { id, differences: [], users: 3, state: 'running' })
  await page.getByRole('button', { name: 'Check the books' }).click()
  await page.getByText(/^3 of \d+ users checked$/).waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
  await sql`delete from kinora.ledger_check_run`
})

test('ledger check: running in another process → its progress; ended → its result', async () => {
  const { id } = await startRun(sql, null)
  const checked = { id, differences: [] }
  await ledgerCheckProgress(sql, { ...checked, users: 3, state: 'running' })
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/ledger')
  await page.getByText(/^3 of \d+ users checked$/).waitFor()
  await ledgerCheckProgress(sql, { ...checked, users: 4, state: 'stopped' })
  await sql`update kinora.ledger_check_run set started_at = now() + interval '1 day' where id = ${id}`
  await page.getByText('Not finished: no difference in the books of 7 users.').waitFor()
  await sql`delete from kinora.ledger_check_run where id = ${id}`
})
