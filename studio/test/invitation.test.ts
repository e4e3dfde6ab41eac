/** The sign-up page where an account needs an invitation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser } from './browser.ts'

const kinora = await openKinora({ env: { SIGN_UP: 'invite' } })
const browser = await openBrowser(kinora)
const root = await kinora.person({ role: 'admin', credits: 0 })
const invite = async (body: object) =>
  (await kinora.call<{ id: string; link: string }>('POST', '/api/v1/admin/invitations', { as: root, body })).data

test('sign-up page: no invitation → says that one is needed, and has no form; first page and sign-in offer no account', async () => {
  const { page } = await browser.visit()
  await page.goto(`${kinora.url}/welcome`)
  await page.getByText('A new account needs an invitation.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Create account' }).count(), 0)
  await page.goto(`${kinora.url}/sign-up`)
  await page.getByText('A new account needs an invitation.').waitFor()
  assert.equal(await page.getByLabel('Password').count(), 0)
  await page.goto(`${kinora.url}/sign-in`)
  await page.getByLabel('Password').waitFor()
  await page.getByText('A new account needs an invitation.').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Create account' }).count(), 0)
})

test('sign-up page: link of an invitation → its address and gift, and an account with it; no token in the URL', async () => {
  const { link } = await invite({ email: 'ann@example.com', credits: 200, replacesGift: true })
  const { page } = await browser.visit()
  await page.goto(link)
  await page.getByText('A new account has 200 credits.').waitFor()
  assert.equal(await page.getByLabel('E-mail').inputValue(), 'ann@example.com')
  await page.getByLabel('Name').fill('Ann')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('Prompt').waitFor()
  await page.goBack()
  await page.getByLabel('Prompt').waitFor()
  assert.ok(!page.url().includes('invitation'))
})

test('sign-up page: link of a revoked invitation → says so, and has no form', async () => {
  const { id, link } = await invite({})
  await kinora.call('DELETE', `/api/v1/admin/invitations/${id}`, { as: root })
  const { page, expect } = await browser.visit()
  expect(/404 .*\/api\/v1\/invitation/)
  await page.goto(link)
  await page.getByText('This invitation was used or revoked').waitFor()
  assert.equal(await page.getByLabel('Password').count(), 0)
})
