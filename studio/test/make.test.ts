/** Making a film in the studio: from the front door to the film that plays, and what happens when something comes between. */
import { test } from 'node:test'
import { openKinora } from '../../server/test/harness.ts'
import { openBrowser, untilPlays } from './browser.ts'

const kinora = await openKinora({ simulator: true, worker: true })
const { visit } = await openBrowser(kinora)

test('a stranger signs up, presses once and watches a film', async () => {
  const { page } = await visit()
  await page.goto('/')
  await page.waitForURL('**/sign-up')
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Make an account' }).click()
  await page.getByRole('button', { name: 'Generate · 24 credits' }).click()
  await page.getByRole('list').getByText('Done').waitFor()
  await page.getByRole('link', { name: 'A paper boat' }).hover()
  await untilPlays(page)
})
