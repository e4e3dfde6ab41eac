/** The order that a user keeps in the library: favourites, folders, a selection of films, sort and density. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Video } from '@kinora/client'
import type { Page } from 'playwright-core'
import { openKinora, type Person } from '../../server/test/support/harness.ts'
import { openBrowser, until, untilSays } from './browser.ts'
import { cardsOf, film } from './films.ts'

const kinora = await openKinora({ simulator: true, env: { MAX_IN_PROGRESS: '0' } })
const browser = await openBrowser(kinora)

async function open(as: Person, options = {}): Promise<Page> {
  const { page } = await browser.visit({ as, ...options })
  await page.goto('/library')
  await cardsOf(page).first().waitFor()
  return page
}

const prompts = async (page: Page) => (await cardsOf(page).allTextContents()).map((text) => text.slice(0, 7))
const untilShown = (page: Page, expected: string[]) =>
  until(async () => String(await prompts(page)) === String(expected), `the films ${expected.join(', ')}`)

/** A user with three films, which are named as they are here, the oldest first. */
async function userWithFilms() {
  const ann = await kinora.person({ credits: 500 })
  const uuids: string[] = []
  for (const prompt of ['A heron', 'A fox 1', 'A crane']) {
    uuids.push(await film(kinora, ann, { prompt }))
    kinora.turnClock(1000)
  }
  return { ann, uuids }
}

test('library: star on a film → it is among the favourites, and not after a second click', async () => {
  const { ann } = await userWithFilms()
  const page = await open(ann)
  const star = page.getByRole('button', { name: 'Favourite' }).and(page.getByTitle('A heron'))
  await star.click()
  await page.getByLabel('Folder').selectOption('Favourites')
  await page.waitForURL('**/library?favourite=true')
  await untilShown(page, ['A heron'])
  await star.click()
  await page.getByText('No film matches').waitFor()
})

test('library: films selected and moved to a folder that is made for them → the folder has them, and its end leaves them', async () => {
  const { ann } = await userWithFilms()
  const page = await open(ann)
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await cardsOf(page).filter({ hasText: 'heron' }).click()
  await page.getByRole('checkbox', { name: 'A crane' }).check()
  const bar = page.getByRole('region', { name: 'Selected films' })
  await bar.getByText('2 selected').waitFor()
  await bar.getByLabel('Folder').selectOption('New folder…')
  await page.getByLabel('New folder').fill('Birds')
  await page.keyboard.press('Enter')
  await page.getByText('Moved.').waitFor()
  await page.getByRole('search').getByLabel('Folder').selectOption('Birds (2)')
  await untilShown(page, ['A crane', 'A heron'])

  await page.getByRole('button', { name: 'Folders' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete the folder, keep its films' }).click()
  await page.getByLabel('Name of the folder Birds').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('search').getByLabel('Folder').selectOption('All films')
  await untilShown(page, ['A crane', 'A fox 1', 'A heron'])
})

test('library: several films selected → one archive, and one undo of their deletion', async () => {
  const { ann } = await userWithFilms()
  const page = await open(ann)
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('button', { name: 'Select all' }).click()
  const bar = page.getByRole('region', { name: 'Selected films' })
  const download = page.waitForEvent('download')
  await bar.getByRole('link', { name: 'Download' }).click()
  assert.match((await download).suggestedFilename(), /^films-.*\.zip$/)
  await cardsOf(page).filter({ hasText: 'fox' }).click()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await untilShown(page, ['A fox 1'])
  await page.getByText('2 films deleted.').hover()
  await page.getByRole('button', { name: 'Undo' }).click()
  await untilShown(page, ['A crane', 'A fox 1', 'A heron'])

  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await cardsOf(page).filter({ hasText: 'heron' }).click()
  await cardsOf(page).filter({ hasText: 'crane' }).click()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('2 films deleted.').hover()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  const total = async () => (await kinora.call('GET', '/api/v1/video/list', { as: ann })).data.total
  await until(async () => (await total()) === 1, 'both films to be deleted')
})

test('library: sort, mode and days → in the URL, and the list is that of the API', async () => {
  const { ann } = await userWithFilms()
  const page = await open(ann)
  await page.getByLabel('Sort').selectOption('Oldest first')
  await page.waitForURL('**/library?sort=oldest')
  await untilShown(page, ['A heron', 'A fox 1', 'A crane'])
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByLabel('Mode', { exact: true }).selectOption('From an image')
  await page.getByText('No film matches').waitFor()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByText('No film matches').waitFor()
  const { data } = await kinora.call<{ videos: [Video] }>('GET', '/api/v1/video/list', { as: ann })
  const today = await page.evaluate<string>(`new Date('${data.videos[0].createdAt}').toLocaleDateString('sv')`)
  await page.goto(`/library?from=2020-01-01&to=${today}`)
  await untilShown(page, ['A crane', 'A fox 1', 'A heron'])
  await untilSays(page.getByLabel('From', { exact: true }), '2020-01-01')
})

test('library: day typed by keyboard → its year is complete before it filters, and the back button takes it back', async () => {
  const { ann } = await userWithFilms()
  const page = await open(ann)
  await page.getByRole('button', { name: 'More filters' }).click()
  const from = page.getByLabel('From', { exact: true })
  await from.focus()
  await page.keyboard.type('0115202')
  assert.equal(await from.inputValue(), '0202-01-15')
  assert.equal(new URL(page.url()).search, '')
  await page.keyboard.type('0')
  await page.waitForURL('**/library?from=2020-01-15')
  assert.equal(await from.inputValue(), '2020-01-15')
  await page.goBack()
  await untilSays(from, '')
})

test('library: 48 films on a phone → at most 7,000 px, and less in small cards', async () => {
  const ann = await kinora.person({ credits: 1000 })
  for (let n = 0; n < 48; n += 1) await film(kinora, ann, { aspectRatio: n % 4 === 0 ? '9:16' : '16:9' })
  const page = await open(ann, { viewport: { width: 390, height: 844 } })
  await until(async () => (await cardsOf(page).count()) === 48, '48 films')
  const height = () => page.evaluate<number>('document.documentElement.scrollHeight')
  const comfortable = await height()
  assert.ok(comfortable <= 7000, String(comfortable))
  await page.getByRole('button', { name: 'Small cards' }).click()
  await until(async () => (await height()) < comfortable * 0.75, 'small cards')
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
})
