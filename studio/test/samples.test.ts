/** The first visit to a new service: without any film made here, welcome, Explore and the sheet of models show some. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser, until } from './browser.ts'

const kinora = await openKinora({ env: { EXPLORE: 'on', PROVIDER_SIMULATOR_URL: 'http://127.0.0.1:9' } })
const browser = await openBrowser(kinora, { hasMotion: true })

const NOTE = 'The simulator stands in for models here, and has drawn their samples.'
/** Runs in the browser. */
const played = (within: string) => `
  [...document.querySelectorAll('${within} video[src*="/samples/"]')].filter((video) => video.currentTime > 0).length
`
const untilPlay = (page: Page, within: string) =>
  until(async () => (await page.evaluate<number>(played(within))) > 0, `a film to play in ${within}`)

test('welcome and Explore: no film made yet → a visitor sees drawn films that play, said to be drawn', async () => {
  const { page } = await browser.visit()
  await page.goto('/')
  await page.getByText('Drawn by the simulator').waitFor()
  await untilPlay(page, 'figure')
  await page.getByText(NOTE).waitFor()
  await page.getByRole('row', { name: /Beta/ }).hover()
  await untilPlay(page, 'tr')
  await page.getByRole('link', { name: 'Explore' }).click()
  await page.getByText('Films that users make here and publish will be on this page.').waitFor()
  await page.getByText(NOTE).waitFor()
  await untilPlay(page, 'li')
  await page.getByRole('link', { name: /^Alpha 2 .*Make a film/ }).click()
  await page.waitForURL(/\/sign-up\?next=.*alpha-2/)
})

test('sheet of models: no film made yet → each has another drawn film, which plays under the pointer', async () => {
  const { page } = await browser.visit({ as: await kinora.person() })
  await page.goto('/')
  await page.getByRole('button', { name: /^Model / }).click()
  const sheet = page.getByRole('dialog', { name: 'Choose a model' })
  await sheet.getByText(NOTE).waitFor()
  const pictures = await page.evaluate<string[]>(`[...document.querySelectorAll('dialog img')].map(({ src }) => src)`)
  assert.ok(pictures.length > 1 && new Set(pictures).size === pictures.length, pictures.join())
  await sheet.locator('label', { hasText: 'Delta 1.5' }).hover()
  await untilPlay(page, 'dialog')
})

test('samples: reduced motion → none plays by itself', async () => {
  const { page } = await browser.visit({ reducedMotion: 'reduce' })
  await page.goto('/')
  await page.locator('figure video[poster]').waitFor()
  await page.getByRole('link', { name: 'Explore' }).click()
  await page.getByRole('link', { name: /^Alpha 2 .*Make a film/ }).hover()
  assert.equal(await page.locator('video').count(), 0)
})
