/** What a screen reader is told by itself: a film that is done, and one that failed, on whatever page one is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { openKinora } from '../../server/test/harness.ts'
import { openBrowser, until } from './browser.ts'
import { signOutToSignUp, signUp } from './doors.ts'

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

test('what somebody made is not said to whoever signs in next, however late it is known', async () => {
  const ann = await kinora.person()
  const { page, expect } = await visit({ as: ann })
  // Asked for by Ann and answered to Ben, who has no such film.
  expect(/\b404\b/)
  await page.goto('/plans')
  await page.getByRole('link', { name: /^60 credits/ }).waitFor()
  const held: Route[] = []
  let isHeld = true
  const asked = /\/api\/v1\/(video\/0|credit\/history\?.*REFUND)/
  await page.route(asked, (route) => (isHeld ? void held.push(route) : route.continue()))
  await kinora.generate(ann, { prompt: 'A heron [fail: too dark]' })
  await until(async () => held.length > 0, 'a question about the film')
  await signOutToSignUp(page)
  await signUp(page, 'Ben')
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A fox')
  isHeld = false
  // What was given up at the sign-out is there no more.
  for (const route of held) await route.continue().catch(() => undefined)
  await page.getByRole('button', { name: /^Generate/ }).click()
  const log = page.getByRole('log', { name: 'Your films' })
  await log.getByText('Film done: A fox').waitFor()
  assert.deepEqual(await log.getByRole('paragraph').allTextContents(), ['Film done: A fox'])
})
