/** Web storage that is disabled (the studio then keeps its state in memory) or corrupt. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser, untilSays } from './browser.ts'
import { cardsOf } from './films.ts'

const kinora = await openKinora({ simulator: true })
const { visit } = await openBrowser(kinora)

const DISABLE_STORAGE = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied.', 'SecurityError') } })`

test('web storage disabled: draft, theme and the undo of a deletion → kept in memory', async () => {
  const ann = await kinora.person()
  await kinora.generate(ann, { prompt: 'A heron' })
  const { page, context } = await visit({ as: ann })
  await context.addInitScript(DISABLE_STORAGE)
  await page.goto('/')
  await page.getByLabel('Prompt').fill('A kite')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('radio', { name: 'Light' }).click()
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'light')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Library' }).click()
  await cardsOf(page).filter({ hasText: 'heron' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await cardsOf(page).filter({ hasText: 'heron' }).waitFor()
  await page.getByRole('link', { name: 'Studio', exact: true }).click()
  await untilSays(page.getByLabel('Prompt'), 'A kite')
})

test('web storage corrupt: unparseable values → ignored and overwritten', async () => {
  const ann = await kinora.person()
  const { page, context } = await visit({ as: ann })
  await context.addInitScript(`for (const name of ['kinora.draft.${ann.userId}', 'kinora.deletions', 'kinora.theme'])
    for (const storage of [sessionStorage, localStorage]) if (!storage.getItem(name)) storage.setItem(name, '{"cut')`)
  await page.goto('/')
  await page.getByLabel('Prompt').fill('A kite')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('radio', { name: 'Light' }).click()
  await page.reload()
  await page.getByLabel('Prompt').waitFor()
  await untilSays(page.getByLabel('Prompt'), 'A kite')
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'light', 'the new theme is stored')
})
