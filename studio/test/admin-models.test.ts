/** The page of models and that of providers: what is switched off there, and what moderation has decided. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { everyModel } from '../../server/src/catalogue/catalogue.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser } from './browser.ts'
import { film } from './films.ts'

const DELTA = new URL('../../catalogue/models/delta-1-5.json', import.meta.url)
const kinora = await openKinora({ simulator: true })
const browser = await openBrowser(kinora)
const root = await kinora.person({ role: 'admin', credits: 100 })
/** The first cell of each row, and by how much its text is wider than the cell. */
const READ_CELLS = `[...document.querySelectorAll('tbody td:first-child')].map((cell) =>
  ({ text: cell.textContent, excess: cell.scrollWidth - cell.clientWidth }))`

test('models: route, then model switched off with a reason → shown with it; both switched on → as before', async () => {
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/models')
  const model = page.locator('tbody', { has: page.getByRole('rowheader', { name: 'Delta 1.5' }) })
  const confirm = async (button: string, reason: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill(reason)
    await dialog.getByRole('button', { name: /^Switch o/ }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await model.getByText('Offered').waitFor()
  await model.getByRole('button', { name: 'Delta 1.5', exact: true }).click()
  await confirm('Switch off Delta 1.5, provider-b', 'Black films')
  await model.getByText(/^Black films · /).waitFor()
  assert.equal(await model.getByText('Offered').count(), 1)
  await confirm('Switch off Delta 1.5', 'Too dear')
  await model
    .getByText(/^Too dear · /)
    .first()
    .waitFor()
  const answer = await kinora.generate(root)
  assert.equal(answer.error?.code, 'MODEL_UNAVAILABLE')
  await confirm('Switch on Delta 1.5', 'Cheaper')
  await model.getByText('Offered').waitFor()
  await confirm('Switch on Delta 1.5, provider-b', 'Repaired')
  await model.getByText(/^Black films/).waitFor({ state: 'detached' })
})

test('models: a finding’s draft taken by one click, one of an own server with its price; the first removed → as before', async () => {
  const { routes, ...delta } = JSON.parse(readFileSync(DELTA, 'utf8'))
  const withoutCosts = routes.map((route: object) => ({ ...route, cost: undefined }))
  const draft = (id: string, price: object) =>
    JSON.stringify({ ...delta, id, position: undefined, price, routes: withoutCosts })
  await kinora.app.sql`
    insert into kinora.catalogue_finding (account, kind, name, model, text, draft, problems, found_at)
    values
      ('provider-a', 'new', 'night-1', 'night-1', 'provider-a has night-1', ${draft('night-1', { per: 'second', credits: 3 })}, '{}', now()),
      ('provider-b', 'new', 'own-1', 'own-1', 'provider-b has own-1', ${draft('own-1', { fromCost: { markup: 1.4 } })}, '{}', now())
  `
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/models')
  const found = page.getByRole('region', { name: 'What vendors publish' })
  await found.getByRole('button', { name: 'Take night-1, provider-a' }).click()
  await found.getByRole('button', { name: 'Remove the draft of night-1' }).waitFor()
  await found.getByRole('button', { name: 'Take own-1, provider-b' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('A second of film').fill('2.5')
  await dialog.getByRole('button', { name: 'Take' }).click()
  await found.getByRole('button', { name: 'Remove the draft of own-1' }).waitFor()
  assert.deepEqual(
    ['night-1', 'own-1'].map((id) => everyModel().get(id)?.price),
    [
      { per: 'second', credits: 3 },
      { per: 'second', credits: 2.5 },
    ],
  )
  for (const id of ['night-1', 'own-1']) {
    await found.getByRole('button', { name: `Remove the draft of ${id}` }).click()
    await dialog.getByLabel('Reason').fill('Black films')
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  assert.equal(everyModel().has('night-1'), false)
})

test('models: search, account and state → rows that match, kept in the URL; all at first in steps of 25', async () => {
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/models')
  const rows = page.getByRole('rowheader')
  await rows.nth(24).waitFor()
  assert.equal(await rows.count(), 25)
  await page.getByRole('button', { name: 'Show more' }).click()
  await rows.nth(25).waitFor()
  await page.getByLabel('Search models').fill('DELTA')
  await page.getByText('1 of 1 shown').waitFor()
  await page.getByLabel('Account', { exact: true }).selectOption('provider-b')
  await page.waitForURL('**/admin/models?q=DELTA&account=provider-b')
  await page.getByLabel('Status').selectOption('off')
  await page.getByText('No model is like this.').waitFor()
})

test('models: names of a vendor’s models that are wider than their column → within their cell', async () => {
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/models?q=seedance')
  await page.getByRole('rowheader').getByRole('button').first().click()
  await page.locator('td').first().waitFor()
  const cells = await page.evaluate<{ text: string; excess: number }[]>(READ_CELLS)
  assert.ok(cells.some(({ text }) => text.length > 60))
  assert.deepEqual(
    cells.filter(({ excess }) => excess > 0),
    [],
  )
})

test('providers: account switched off and on → its card says why, and then no more', async () => {
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/providers')
  const card = page.getByRole('region', { name: 'provider-a' })
  const confirm = async (button: 'Switch off' | 'Switch on', reason: string) => {
    await card.getByRole('button', { name: button }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill(reason)
    await dialog.getByRole('button', { name: button, exact: true }).click()
  }
  await confirm('Switch off', 'No balance')
  await card.getByText(/^No balance · /).waitFor()
  await confirm('Switch on', 'Paid')
  await card.getByText(/^No balance · /).waitFor({ state: 'detached' })
})

test('providers: films and failures of an account → its page has them by day, with costs and the way to the lists', async () => {
  await film(kinora, root)
  const failed = (await kinora.generate(root, { prompt: 'A lamp [fail: no luck]' })).data.uuid
  await kinora.finish(root, failed)
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/providers')
  await page.getByRole('link', { name: 'provider-b' }).click()
  await page.getByRole('heading', { name: 'provider-b', level: 1 }).waitFor()
  await page.getByText('As a table').click()
  const today = new Date().toISOString().slice(0, 10)
  const day = page.getByRole('region', { name: 'Films and Failed by day' }).getByRole('row', { name: today })
  assert.deepEqual(await day.getByRole('cell').allTextContents(), ['1', '1'])
  await page.getByLabel('Period').selectOption('7')
  await page.waitForURL(/\/admin\/providers\/provider-b\?days=/)
  await page.getByRole('link', { name: 'Failed: 1' }).click()
  await page.waitForURL('**/admin/videos?**outcome=failed**')
  await page.getByText('no luck').waitFor()
})

test('moderation: counts of a day → their row, with the categories; off and without counts → no section', async () => {
  const { page } = await browser.visit({ as: root })
  await page.goto('/admin/providers')
  await page.getByRole('region', { name: 'provider-a' }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Moderation' }).count(), 0)
  await kinora.app.sql`
    insert into kinora.moderation_count (day, outcome, category, requests)
    values (current_date, 'allowed', '', 1204), (current_date, 'refused', '', 7), (current_date, 'refused', 'violence', 7)
  `
  await page.reload()
  const section = page.getByRole('region', { name: 'Moderation', exact: true })
  await section.getByText('Moderation is off.').waitFor()
  const cells = section.getByRole('row').nth(1).getByRole('cell')
  assert.deepEqual(await cells.allTextContents(), ['1,204', '7', '0', 'violence 7'])
})
