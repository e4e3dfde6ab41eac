/** The administration pages: the audit log, taking credits back, reversing an expiry, and what a user owes. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { creditLock } from '../../server/src/credit/ledger.ts'
import { openKinora, type Person } from '../../server/test/support/harness.ts'
import { claimRefund, creditGrant } from '../../server/test/support/ledger/ledger-calls.ts'
import { openBrowser } from './browser.ts'
import { createUser, pathOf } from './named-user.ts'

const kinora = await openKinora()
const browser = await openBrowser(kinora)
const root = await kinora.person({ role: 'admin', credits: 0 })
const DAY_MS = 86_400_000
const { sql } = kinora.app

test('audit: filter by an id that is not a uuid → every entry, as if it were absent', async () => {
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/audit?userId=nonsense&actorId=1')
  await page.getByRole('button', { name: 'Choose a user' }).waitFor()
  await page.getByText('Everything that an administrator changes').or(page.getByRole('table')).waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
})

test('taking: more than there is, then less → the possible number, then a preview, taken once, and audited', async () => {
  const ann = await createUser(kinora, 'Ann of the taking')
  const { page, expect } = await browser.visit({ as: root })
  expect(/\b409\b.*credits\/take$/)
  await page.goto(pathOf(ann))
  const fill = async (credits: string) => {
    await page.getByLabel('Amount').fill(credits)
    await page.getByLabel('Reason').fill('Granted twice')
    await page.getByRole('region', { name: 'Take credits back' }).getByRole('button', { name: 'Preview' }).click()
  }
  await fill('61')
  await page.getByText('Only 60 credits are available; take at most as many.').waitFor()
  await fill('40')
  const dialog = page.getByRole('dialog', { name: 'Take credits back from Ann of the taking' })
  await dialog.getByText('Ann of the taking has 60 credits. After this: 20.').waitFor()
  assert.equal((await kinora.balance(ann)).available, 60, 'the preview takes nothing')
  await dialog.getByRole('button', { name: 'Take 40 credits' }).dblclick()
  await page.getByText('40 credits taken back. Ann of the taking has 20 credits now.').waitFor()
  assert.equal((await kinora.balance(ann)).available, 20)
  await page.getByRole('row', { name: /Taken back by an administrator.*−40.*20.*Granted twice/ }).waitFor()

  await page.getByRole('link', { name: 'What administrators did' }).click()
  await page.waitForURL(`**/admin/audit?userId=${ann.userId}`)
  const row = page.getByRole('row', { name: /Credits taken back.*Available 60 → 20.*Granted twice/ })
  await row.getByRole('button', { name: 'Credits taken back' }).click()
  await page.getByRole('dialog').getByText('"clawedBack": 40').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await row.getByRole('link', { name: ann.email }).click()
  await page.waitForURL(`**${pathOf(ann)}`)
})

test('expiry: reversed from its row in the history → previewed, available again, and audited', async () => {
  const ben = await createUser(kinora, 'Ben of the expiry', { credits: 0 })
  const now = kinora.app.now()
  const packageId = randomUUID()
  const expiresAt = new Date(now.getTime() + 100 * DAY_MS)
  const facts = { source: `order:${packageId}`, transType: 'ORDER_PAY', orderNo: 'order-1', remark: null }
  await creditGrant(sql, { userId: ben.userId, packageId, ...facts, credits: 70, expiresAt, now })
  await creditLock(sql, { userId: ben.userId, now: new Date(now.getTime() + 400 * DAY_MS) })
  const { page } = await browser.visit({ as: root })
  await page.goto(pathOf(ben))
  await page
    .getByRole('row', { name: /Expired.*−70/ })
    .getByRole('button', { name: 'Reverse' })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('A wrong clock')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText(/^70 credits of Ben of the expiry will be available again, until /).waitFor()
  assert.equal((await kinora.balance(ben)).available, 0, 'the preview reverses nothing')
  await dialog.getByRole('button', { name: 'Reverse the expiry' }).dblclick()
  await page.getByText('70 credits made available again.').waitFor()
  await page.getByRole('row', { name: /Expiry reversed.*\+70.*70.*A wrong clock/ }).waitFor()
  assert.equal((await kinora.balance(ben)).available, 70)
  await page.goto(`/admin/audit?userId=${ben.userId}`)
  await page.getByRole('row', { name: /Expiry reversed.*Available 0 → 70.*A wrong clock/ }).waitFor()
})

test('owed: a refund while credits are frozen → shown at the user and in the list', async () => {
  const eve = await createUser(kinora, 'Eve who owes')
  assert.equal((await kinora.generate(eve)).status, 200)
  const [{ source }] = await sql<[{ source: string }]>`
    select source from kinora.credit_package where user_id = ${eve.userId}
  `
  await claimRefund(sql, { userId: eve.userId, source, key: 'd', part: 1, now: kinora.app.now() })
  const { page } = await browser.visit({ as: root })
  await page.goto(pathOf(eve))
  await page.getByRole('region', { name: 'What is there' }).getByText(/^16$/).first().waitFor()
  assert.match((await page.getByRole('region', { name: 'What is there' }).textContent()) ?? '', /Owed16/)
  await page.goto('/admin/users?q=eve%20who%20owes')
  await page.getByRole('row', { name: /^Eve who owes.* 16 Active$/ }).waitFor()
})

test('audit: filters by action, user and administrator, "Show more" → kept in the URL', async () => {
  const [gus, ivo] = [
    await createUser(kinora, 'Gus of the audit', { credits: 0 }),
    await kinora.person({ role: 'admin', credits: 0 }),
  ]
  const give = (credits: number, as: Person) =>
    kinora.call('POST', '/api/v1/admin/credits/add', { as, body: { userId: gus.userId, credits } })
  for (let n = 0; n < 27; n += 1) await give(1, root)
  await give(2, ivo)
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Audit', exact: true }).click()
  await page.getByRole('button', { name: 'Choose a user' }).click()
  await page.getByRole('dialog').getByLabel('User').fill('gus of the audit')
  await page.getByRole('radio', { name: gus.email }).click()
  await page.waitForURL(`**/admin/audit?userId=${gus.userId}`)
  await page.getByText('25 of 28 shown').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('28 of 28 shown').waitFor()
  await page.getByRole('link', { name: ivo.email }).click()
  await page.getByText('1 of 1 shown').waitFor()
  await page.getByLabel('Action').selectOption('credits.take')
  await page.getByText('No entry is like this.').waitFor()
  assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), {
    userId: gus.userId,
    actorId: ivo.userId,
    action: 'credits.take',
  })
  await page.getByRole('link', { name: 'By every actor' }).click()
  await page.getByRole('link', { name: 'About every user' }).click()
  await page
    .getByRole('row', { name: /Credits taken back/ })
    .first()
    .waitFor()
})

test('owed: a part collected, the rest forgiven → previewed, done once, gone from the page; the user sees it too', async () => {
  const eve = await createUser(kinora, 'Eve of the debt', { credits: 0 })
  const now = kinora.app.now()
  const facts = { source: 'order:eve', transType: 'ORDER_PAY', orderNo: 'order-1', remark: null }
  const expiresAt = new Date(now.getTime() + DAY_MS)
  await creditGrant(sql, { userId: eve.userId, packageId: randomUUID(), ...facts, credits: 16, expiresAt, now })
  assert.equal((await kinora.generate(eve)).status, 200)
  await claimRefund(sql, { userId: eve.userId, source: facts.source, key: 'refund', part: 1, now })
  await kinora.grant(eve, 10)
  const { page } = await browser.visit({ as: root })
  await page.goto(pathOf(eve))
  const region = page.getByRole('region', { name: 'Settle what is owed' })
  const correct = async (credits: string, preview: string, confirm: string) => {
    await region.getByLabel('Amount').fill(credits)
    await region.getByLabel('Reason').fill('Agreed by mail')
    await region.getByRole('button', { name: preview }).click()
    await page.getByRole('dialog').getByRole('button', { name: confirm }).dblclick()
  }
  await correct('10', 'Preview collecting', 'Collect 10 credits')
  await region.getByText('10 credits collected. Eve of the debt has 0 credits now.').waitFor()
  const visit = await browser.visit({ as: eve })
  await visit.page.goto('/credits')
  await visit.page.getByText('You owe 6 credits: they were used or frozen').waitFor()
  await correct('6', 'Preview forgiving', 'Forgive 6 credits')
  await region.getByText('6 credits forgiven.').waitFor()
  const { owed, clawedBack } = await kinora.balance(eve)
  assert.deepEqual([owed, clawedBack], [0, 10])
})
