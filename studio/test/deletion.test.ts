/**
 * Deletion of a film with undo: the request is sent when the undo toast has gone, or when the user leaves, so that
 * neither the deletion nor its undo is lost.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openKinora, type Person } from '../../server/test/support/harness.ts'
import { openBrowser, until } from './browser.ts'
import { cardsOf } from './films.ts'

const kinora = await openKinora({ simulator: true, worker: true })
const browser = await openBrowser(kinora)

const undo = (page: Page) => page.getByRole('button', { name: 'Undo' })
const exists = async (as: Person, uuid: string) =>
  (await kinora.call('GET', `/api/v1/video/${uuid}`, { as })).status === 200
const untilShown = (page: Page, prompts: string[]) =>
  until(
    async () => {
      const shown = await cardsOf(page).allTextContents()
      return shown.length === prompts.length && prompts.every((prompt, at) => shown[at]?.includes(prompt))
    },
    `the films ${prompts.join(', ')}`,
  )

/** The undo toast stays until the test closes it, however slow the machine is: timers of 10 s or more never fire. */
const withoutUndoTimeout = `{
  const { setTimeout } = globalThis
  globalThis.setTimeout = (run, ms, ...rest) => setTimeout(run, ms >= 10_000 ? 2 ** 31 - 1 : ms, ...rest)
}`

/** A user with two films who has just clicked Delete on the heron. `sent`: the DELETE requests since. */
async function deleteHeron() {
  const ann = await kinora.person({ credits: 200 })
  const { data } = await kinora.generate(ann, { prompt: 'A heron [refuse: no]' })
  await kinora.finish(ann, data.uuid)
  const fox = await kinora.generate(ann, { prompt: 'A fox [refuse: no]' })
  await kinora.finish(ann, fox.data.uuid)
  const visit = await browser.visit({ as: ann })
  const { page } = visit
  await page.addInitScript(withoutUndoTimeout)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && sent.push(request.url()))
  await page.goto('/library')
  await cardsOf(page).filter({ hasText: 'heron' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  // The Dismiss button is exposed to assistive technology, and so to getByRole, while the pointer is on the toast.
  await page.getByText('Film deleted.').hover()
  await untilShown(page, ['fox'])
  return { ...visit, ann, uuid: data.uuid, sent }
}

test('delete: undo → the film is restored without any request, and counted again', async () => {
  const { page, ann, uuid, sent } = await deleteHeron()
  await page.getByText('1 film', { exact: true }).waitFor()
  await undo(page).click()
  await untilShown(page, ['fox', 'heron'])
  await page.getByText('2 films', { exact: true }).waitFor()
  await undo(page).waitFor({ state: 'hidden' })
  assert.equal(await page.evaluate('document.activeElement.id'), 'main', 'the focus stays on the page')
  await page.reload()
  await untilShown(page, ['fox', 'heron'])
  assert.deepEqual(sent, [])
  assert.equal(await exists(ann, uuid), true)
})

test('delete: last film → the library says that it is empty while the undo is available, and counts no film', async () => {
  const { page } = await deleteHeron()
  await cardsOf(page).filter({ hasText: 'fox' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Your films will be here').waitFor()
  await undo(page).first().waitFor()
  assert.equal(await page.getByText(/^\d+ films?$/).count(), 0)
})

test('delete: toast dismissed → one request, and the film is gone', async () => {
  const { page, ann, uuid, sent } = await deleteHeron()
  assert.equal(await exists(ann, uuid), true)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await until(async () => !(await exists(ann, uuid)), 'the film to be deleted')
  await page.reload()
  await untilShown(page, ['fox'])
  assert.equal(sent.length, 1)
  assert.equal(await page.getByText('Film deleted').count(), 0)
})

test('delete: navigation to another page → the undo stays available', async () => {
  const { page, ann, uuid } = await deleteHeron()
  await page.getByRole('link', { name: 'Credits', exact: true }).click()
  await page.waitForURL('**/credits')
  await undo(page).click()
  await page.getByRole('link', { name: 'Library', exact: true }).click()
  await untilShown(page, ['fox', 'heron'])
  assert.equal(await exists(ann, uuid), true)
})

test('delete: leaving the studio → the film is deleted at once', async () => {
  const { page, ann, uuid } = await deleteHeron()
  await page.goto('about:blank')
  await until(async () => !(await exists(ann, uuid)), 'the film to be deleted')
})

test('delete: reload by the user, which looks like leaving → the film is deleted, and a toast reports it', async () => {
  const { page, ann, uuid, expect } = await deleteHeron()
  // The new page repeats the request in case the old page's was lost, and gets a 404.
  expect(/status of 404/)
  await page.reload()
  await untilShown(page, ['fox'])
  await page.getByText('Film deleted.').waitFor()
  assert.equal(await undo(page).count(), 0)
  await until(async () => !(await exists(ann, uuid)), 'the film to be deleted')
})

test('delete: reload by the page itself → the undo stays available', async () => {
  const { page, ann, uuid, sent } = await deleteHeron()
  await page.evaluate('setTimeout(() => location.reload())')
  await page.waitForEvent('load')
  await untilShown(page, ['fox'])
  await undo(page).click()
  await untilShown(page, ['fox', 'heron'])
  assert.deepEqual(sent, [])
  assert.equal(await exists(ann, uuid), true)
})

test('delete: request fails → the film is restored, and a toast reports it', async () => {
  const { page, ann, uuid, expect } = await deleteHeron()
  expect(/ERR_FAILED/)
  await page.route(`**/api/v1/video/${uuid}`, (route) => route.abort())
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('The film could not be deleted, so it is back.').waitFor()
  await untilShown(page, ['fox', 'heron'])
  assert.equal(await exists(ann, uuid), true)
})

test('delete: sign-out → the film is deleted first', async () => {
  const { page, uuid } = await deleteHeron()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL('**/sign-in')
  // The session is over, so the row is read directly.
  const [row] = await kinora.app.sql<[{ deletedAt: Date | null }]>`
    select deleted_at from kinora.video where id = ${uuid}
  `
  assert.notEqual(row.deletedAt, null)
})
