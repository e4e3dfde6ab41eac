/** Screen reader announcements (a live region) of finished and failed films, on every page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser, until } from './browser.ts'
import { signOutToSignUp, signUp } from './sign-up.ts'
import { frameOf } from './studio-form.ts'

const kinora = await openKinora({ simulator: true, worker: true })
const { visit } = await openBrowser(kinora)

test('live region: film done while another page is open → announced once, with its prompt', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A heron')
  await page.getByRole('button', { name: /^Generate/ }).click()
  await frameOf(page, 'A heron').waitFor()
  await page.getByRole('link', { name: 'Plans' }).click()
  const log = page.getByRole('log', { name: 'Your films' })
  await log.getByText('Film done: A heron').waitFor()
  assert.equal(await log.getByText('Film done').count(), 1)
})

test('live region: film failed → announced with the reason and the credits returned', async () => {
  const ann = await kinora.person()
  const { page } = await visit({ as: ann })
  await page.goto('/')
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Gulls [fail: no luck]')
  await page.getByRole('button', { name: /^Generate/ }).click()
  const log = page.getByRole('log', { name: 'Your films' })
  await log.getByText(/^Film failed: Gulls .*\. no luck\. \d+ credits returned$/).waitFor()
})

test('live region: result that arrives after another user has signed in → not announced', async () => {
  const ann = await kinora.person()
  const { page, expect } = await visit({ as: ann })
  // Ann's requests are released after Ben has signed in, who gets a 404 for her film.
  expect(/\b404\b/)
  await page.goto('/plans')
  await page.getByRole('link', { name: /^60 credits/ }).waitFor()
  const blocked: Route[] = []
  let isBlocking = true
  const detailRequests = /\/api\/v1\/(video\/0|credit\/history\?.*REFUND)/
  await page.route(detailRequests, (route) => (isBlocking ? void blocked.push(route) : route.continue()))
  await kinora.generate(ann, { prompt: 'A heron [fail: too dark]' })
  await until(async () => blocked.length > 0, 'a request for the film')
  await signOutToSignUp(page)
  await signUp(page, 'Ben')
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A fox')
  isBlocking = false
  // The sign-out has aborted some of them: then continue() rejects.
  for (const route of blocked) await route.continue().catch(() => undefined)
  await page.getByRole('button', { name: /^Generate/ }).click()
  const log = page.getByRole('log', { name: 'Your films' })
  await log.getByText('Film done: A fox').waitFor()
  assert.deepEqual(await log.getByRole('paragraph').allTextContents(), ['Film done: A fox'])
})
