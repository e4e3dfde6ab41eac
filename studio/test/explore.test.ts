/** Explore: a film is published, found by a visitor, reported and removed; and the studio without it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser, until, untilPlays, untilSays } from './browser.ts'
import { film, previewOf } from './films.ts'

const kinora = await openKinora({ env: { EXPLORE: 'on' } })
const browser = await openBrowser(kinora, { hasMotion: true })
const ann = await kinora.person({ credits: 500 })
const root = await kinora.person({ role: 'admin' })

const cards = (page: Awaited<ReturnType<typeof browser.visit>>['page']) =>
  page.getByRole('list', { name: 'Films' }).locator('a[href^="/explore?"]')
async function publish(prompt: string): Promise<string> {
  const uuid = await film(kinora, ann, { prompt })
  const path = `/api/v1/video/${uuid}/publication`
  assert.equal((await kinora.call('PUT', path, { as: ann, body: {} })).status, 200)
  return uuid
}

test('player: film published → said before the click what everyone sees; on Explore, and taken back', async () => {
  const uuid = await film(kinora, ann, { prompt: 'A secret garden' })
  const { page } = await browser.visit({ as: ann })
  await page.goto(`/library/${uuid}`)
  await page.getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish on Explore' })
  await dialog.getByText('read its prompt, model and settings').waitFor()
  await dialog.getByLabel('Show my name too: Test User').check()
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await dialog.getByRole('link', { name: 'Open Explore' }).click()
  const shown = page.getByRole('dialog', { name: 'Film' })
  await shown.getByText('Test User').waitFor()
  await untilPlays(page)
  await shown.getByRole('button', { name: 'Close' }).click()
  await cards(page).getByText('by Test User').waitFor()
  await page.goto('/library')
  await page.getByRole('list', { name: 'Films' }).getByText('· published').waitFor()

  await page.goto(`/library/${uuid}`)
  await page.getByRole('button', { name: 'Publish' }).click()
  await dialog.getByRole('button', { name: 'Take it back' }).click()
  await dialog.getByRole('button', { name: 'Publish' }).waitFor()
  await page.goto('/explore')
  await page.getByText('No film is published yet. You can publish one of yours').waitFor()
  const { page: visited } = await browser.visit()
  await visited.goto('/explore')
  await visited.getByText('No film is published yet. Films that users make here').waitFor()
  await visited.getByRole('main').getByRole('link', { name: 'Create account' }).waitFor()
})

test('explore: this week, and more by a maker → those films alone, until all are wanted', async () => {
  const [maker, other] = [await kinora.person({ credits: 100 }), await kinora.person({ credits: 100 })]
  const put = async (as: typeof maker, prompt: string, isOld = false) => {
    const uuid = await film(kinora, as, { prompt })
    await kinora.call('PUT', `/api/v1/video/${uuid}/publication`, { as, body: { showsName: true } })
    if (isOld)
      await kinora.app
        .sql`update kinora.explore_film set published_at = published_at - interval '8 days' where video_id = ${uuid}`
  }
  await put(maker, 'A lake by one maker')
  await put(maker, 'An old lake', true)
  await put(other, 'A hill by another')
  const { page } = await browser.visit()
  await page.goto('/explore')
  await cards(page).filter({ hasText: 'An old lake' }).waitFor()
  await page.getByLabel('Published').selectOption('This week')
  await cards(page).filter({ hasText: 'An old lake' }).waitFor({ state: 'detached' })
  await cards(page).filter({ hasText: 'A lake by one maker' }).click()
  await page.getByRole('link', { name: 'More by this maker' }).click()
  await page.getByText('Films by Test User.').waitFor()
  await cards(page).filter({ hasText: 'An old lake' }).waitFor()
  assert.equal(await cards(page).filter({ hasText: 'A hill by another' }).count(), 0)
  await page.getByRole('main').getByRole('link', { name: 'All films' }).click()
  await cards(page).filter({ hasText: 'A hill by another' }).waitFor()
})

test('explore: visitor → finds it from the first page, a poster plays under the pointer, and the prompt leads to an account', async () => {
  await publish('A heron in rain')
  const { page } = await browser.visit()
  await page.goto('/')
  await page.getByRole('link', { name: 'Explore' }).click()
  const card = cards(page).filter({ hasText: 'A heron in rain' })
  await card.hover()
  await until(async () => (await previewOf(page))?.plays === true, 'the preview')
  await card.click()
  const shown = page.getByRole('dialog', { name: 'Film' })
  await shown.getByRole('link', { name: 'Sign in to report it' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Use this prompt' }).first().click()
  await page.waitForURL(/\/sign-up\?next=.*heron/)
})

test('explore: “Use this prompt” → the form has prompt and model', async () => {
  await publish('A kite over the dunes')
  const { page } = await browser.visit({ as: await kinora.person() })
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Explore' }).click()
  await cards(page).filter({ hasText: 'A kite over the dunes' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Use this prompt' }).click()
  await untilSays(page.getByRole('textbox', { name: 'Prompt', exact: true }), 'A kite over the dunes')
  await page.getByRole('button', { name: 'Model Delta 1.5' }).waitFor()
})

test('explore: film reported → an administrator removes it, its maker reads why, and a visitor finds nothing', async () => {
  const uuid = await publish('A stranger in the street')
  const { page } = await browser.visit({ as: await kinora.person() })
  await page.goto('/explore')
  await cards(page).filter({ hasText: 'A stranger' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Report' }).click()
  await dialog.getByLabel('What is wrong with it?').selectOption('person')
  await dialog.getByLabel('Note').fill('That is my neighbour')
  await dialog.getByRole('button', { name: 'Report' }).click()
  await page.getByText('Reported. An administrator will look at this film.').waitFor()

  const { page: admin } = await browser.visit({ as: root })
  await admin.goto('/admin/explore')
  await admin.getByText('That is my neighbour').waitFor()
  await admin.getByRole('button', { name: 'Remove' }).click()
  const removal = admin.getByRole('dialog', { name: 'Remove this film?' })
  await removal.getByLabel('Reason').fill('It shows a person.')
  await removal.getByRole('button', { name: 'Remove' }).click()
  await admin.getByText('No report waits.').waitFor()

  const { page: maker } = await browser.visit({ as: ann })
  await maker.goto(`/library/${uuid}`)
  await maker.getByRole('button', { name: 'Publish' }).click()
  await maker.getByRole('dialog').getByText('The reason: It shows a person.').waitFor()
  await page.goto('/explore')
  await page.getByRole('heading', { name: 'Explore' }).waitFor()
  await cards(page).first().waitFor()
  assert.equal(await cards(page).filter({ hasText: 'A stranger' }).count(), 0)
})

test('explore: film taken back while a link leads to it → said, and nothing of it is shown', async () => {
  const { page, expect } = await browser.visit()
  expect(/status of 404/)
  await page.goto('/explore?film=01900000-0000-7000-8000-000000000000')
  await page.getByRole('dialog').getByText('This film is not published any more.').waitFor()
})
