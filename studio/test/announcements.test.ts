/** What a screen reader is told by itself: a film that is done, and one that failed, on whatever page one is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../../server/test/harness.ts'
import { openBrowser } from './browser.ts'

const kinora = await openKinora({ simulator: true, worker: true })
const { visit } = await openBrowser(kinora)

test('a film that is done is said once, with its prompt, on another page too', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A heron')
  await page.getByRole('button', { name: /^Generate/ }).click()
  await page.getByRole('listitem').filter({ hasText: 'A heron' }).waitFor()
  await page.getByRole('link', { name: 'Plans' }).click()
  const log = page.getByRole('log', { name: 'Your films' })
  await log.getByText('Film done: A heron').waitFor()
  assert.equal(await log.getByText('Film done').count(), 1)
})

test('a film that failed is said with why and with the credits that are back', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Gulls [fail: no luck]')
  await page.getByRole('button', { name: /^Generate/ }).click()
  const log = page.getByRole('log', { name: 'Your films' })
  await log.getByText(/^Film failed: Gulls .*\. no luck\. \d+ credits returned$/).waitFor()
})
