/** Deleting a film: nothing is sent before the toast with its undo is gone, and no way of leaving loses either answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openKinora, type Person } from '../../server/test/harness.ts'
import { openBrowser, until } from './browser.ts'
import { cardsOf } from './films.ts'

const kinora = await openKinora({ simulator: true, worker: true })
const browser = await openBrowser(kinora)

const undo = (page: Page) => page.getByRole('button', { name: 'Undo' })
const isThere = async (as: Person, uuid: string) =>
  (await kinora.call('GET', `/api/v1/video/${uuid}`, { as })).status === 200
const shows = (page: Page, prompts: string[]) =>
  until(
    async () => {
      const shown = await cardsOf(page).allTextContents()
      return shown.length === prompts.length && prompts.every((prompt, at) => shown[at]?.includes(prompt))
    },
    `the films ${prompts.join(', ')}`,
  )

/** Somebody with two films, who has just pressed Delete on the heron; and what was sent to delete since. */
async function deletes() {
  const ann = await kinora.person({ credits: 200 })
  const { data } = await kinora.generate(ann, { prompt: 'A heron [refuse: no]' })
  await kinora.finish(ann, data.uuid)
  const fox = await kinora.generate(ann, { prompt: 'A fox [refuse: no]' })
  await kinora.finish(ann, fox.data.uuid)
  const visit = await browser.visit({ as: ann })
  const { page } = visit
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && sent.push(request.url()))
  await page.goto('/library')
  await cardsOf(page).filter({ hasText: 'heron' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  // A toast that is pointed at stays, however slow the machine is.
  await page.getByText('Film deleted.').hover()
  await shows(page, ['fox'])
  return { ...visit, ann, uuid: data.uuid, sent }
}

test('undo brings the film back, and nothing was ever sent', async () => {
  const { page, ann, uuid, sent } = await deletes()
  await undo(page).click()
  await shows(page, ['fox', 'heron'])
  await undo(page).waitFor({ state: 'hidden' })
  await page.reload()
  await shows(page, ['fox', 'heron'])
  assert.deepEqual(sent, [])
  assert.equal(await isThere(ann, uuid), true)
})

test('when the toast is gone the film is, once and for good', async () => {
  const { page, ann, uuid, sent } = await deletes()
  assert.equal(await isThere(ann, uuid), true)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await until(async () => !(await isThere(ann, uuid)), 'the film to be deleted')
  await page.reload()
  await shows(page, ['fox'])
  assert.equal(sent.length, 1)
  assert.equal(await page.getByText('Film deleted').count(), 0)
})

test('the toast, its undo and the hidden film go along to other pages', async () => {
  const { page, ann, uuid } = await deletes()
  await page.getByRole('link', { name: 'Credits', exact: true }).click()
  await page.waitForURL('**/credits')
  await undo(page).click()
  await page.getByRole('link', { name: 'Library', exact: true }).click()
  await shows(page, ['fox', 'heron'])
  assert.equal(await isThere(ann, uuid), true)
})

test('leaving the page deletes at once', async () => {
  const { page, ann, uuid } = await deletes()
  await page.goto('about:blank')
  await until(async () => !(await isThere(ann, uuid)), 'the film to be deleted')
})

test('a reload that cannot be told from leaving does not bring the film back, and says what was done', async () => {
  const { page, ann, uuid, expect } = await deletes()
  // The new page makes sure that the old one's request arrived, and hears that the film is gone.
  expect(/status of 404/)
  await page.reload()
  await shows(page, ['fox'])
  await page.getByText('Film deleted.').waitFor()
  assert.equal(await undo(page).count(), 0)
  await until(async () => !(await isThere(ann, uuid)), 'the film to be deleted')
})

test('a reload that is known as one keeps the undo', async () => {
  const { page, ann, uuid, sent } = await deletes()
  await page.evaluate('setTimeout(() => location.reload())')
  await page.waitForEvent('load')
  await shows(page, ['fox'])
  await undo(page).click()
  await shows(page, ['fox', 'heron'])
  assert.deepEqual(sent, [])
  assert.equal(await isThere(ann, uuid), true)
})

test('a deletion that fails brings the film back and says why', async () => {
  const { page, ann, uuid, expect } = await deletes()
  expect(/ERR_FAILED/)
  await page.route(`**/api/v1/video/${uuid}`, (route) => route.abort())
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('The film could not be deleted, so it is back.').waitFor()
  await shows(page, ['fox', 'heron'])
  assert.equal(await isThere(ann, uuid), true)
})

test('signing out deletes first', async () => {
  const { page, uuid } = await deletes()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
  // Her session is over, so the row itself is asked.
  const [row] = await kinora.app.sql<[{ deletedAt: Date | null }]>`
    select deleted_at from kinora.video where id = ${uuid}
  `
  assert.notEqual(row.deletedAt, null)
})
