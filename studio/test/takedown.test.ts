/** Takedown and incidents in the browser: a link becomes a decision, the maker objects, and all users read a notice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser } from './browser.ts'
import { film } from './films.ts'

const kinora = await openKinora()
const { visit } = await openBrowser(kinora)
const root = await kinora.person({ role: 'admin' })

test('takedown: link pasted → film hidden with reasons, objection of its maker read, lifted', async () => {
  const maker = await kinora.person({ credits: 100 })
  const uuid = await film(kinora, maker, { prompt: 'A face' })
  const { page } = await visit({ as: root })
  await page.goto(`/admin/takedowns`)
  await page.getByLabel('Link or uuid of a film').fill(`${kinora.url}/library/${uuid}`)
  await page.getByRole('button', { name: 'Read the prompt' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Notice 1')
  await dialog.getByRole('button', { name: 'Read the prompt' }).click()
  await page.getByText('A face').waitFor()
  await page.getByLabel('Rule').fill('Terms, section 4')
  await page.getByLabel('Reason').fill('It shows a real person.')
  await page.getByRole('button', { name: 'Hide the film' }).click()
  await dialog.getByRole('button', { name: 'Hide', exact: true }).click()
  await page.getByText('The film is taken down.').waitFor()

  const { page: own } = await visit({ as: maker })
  await own.goto(`/library/${uuid}`)
  await own.getByText('An administrator took this film down: It shows a real person.').waitFor()
  await own.getByRole('link', { name: 'Read the reasons, or object' }).click()
  await own.getByLabel('Why is the decision wrong?').fill('The person is me.')
  await own.getByRole('button', { name: 'Send the objection' }).click()
  await own.getByText('Your objection has arrived.').waitFor()

  await page.reload()
  await page.getByText('The person is me.').waitFor()
  await page.getByRole('button', { name: 'Lift' }).click()
  await dialog.getByLabel('Reason').fill('We erred.')
  await dialog.getByRole('button', { name: 'Lift' }).click()
  await page.getByText('The maker gets your answer.').waitFor()
  const { data } = await kinora.call<{ videoUrl: string | null }>('GET', `/api/v1/video/${uuid}`, { as: maker })
  assert.ok(data.videoUrl)
})

test('incident: told to all users → a banner on every page, also without a sign-in, until it is ended', async () => {
  const { page } = await visit({ as: root })
  await page.goto('/admin/incidents')
  await page.getByLabel('Text in English').fill('We move to larger machines.')
  await page.getByLabel('Text in Chinese').fill('我们正在迁移。')
  await page.getByLabel('Reason').fill('Migration 12')
  await page.getByRole('button', { name: 'Tell all users' }).click()
  const banner = page.getByRole('complementary', { name: 'Notices of the service' })
  await banner.getByText('We move to larger machines.').waitFor()
  const { page: stranger } = await visit({})
  await stranger.goto('/sign-in')
  await stranger.getByRole('complementary').getByText('We move to larger machines.').waitFor()
  await page.getByRole('button', { name: 'End now' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Done')
  await dialog.getByRole('button', { name: 'End now' }).click()
  await banner.waitFor({ state: 'detached' })
})
