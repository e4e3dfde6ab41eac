/** Passwords in the browser: rules for new ones, and the confirmation before an API key is made. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser, until } from './browser.ts'

const kinora = await openKinora()
const browser = await openBrowser(kinora)
const PASSWORD = 'correct horse battery'

async function register(email: string) {
  const body = { name: 'Ann', email, password: PASSWORD }
  const { text } = await kinora.call('POST', '/api/auth/sign-up/email', { body })
  const { token, user } = JSON.parse(text)
  return { userId: String(user.id), token: String(token), email }
}

test('sign-up: common password, or the e-mail address → the message appears at the field', async () => {
  const { page, expect } = await browser.visit()
  expect(/\b400\b.*sign-up/)
  await page.goto('/sign-up')
  await page.getByText('At least 10 characters, not your e-mail address').waitFor()
  await page.getByLabel('Name').fill('Ann')
  await page.getByLabel('E-mail').fill('anneliese@example.com')
  for (const [password, message] of [
    ['password1234', 'Many people use this password'],
    ['anneliese@example.com', 'The password must not be the e-mail address.'],
  ] as const) {
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText(message).waitFor()
    assert.equal(await page.getByLabel('Password').getAttribute('aria-invalid'), 'true')
  }
})

test('account: common password as the new one → the message appears at its field', async () => {
  const { page, expect } = await browser.visit({ as: await register('ann@example.com') })
  expect(/\b400\b.*change-password/)
  await page.goto('/account')
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByLabel('New password').fill('qwertyuiop')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Many people use this password').waitFor()
  assert.equal(await page.getByLabel('New password').getAttribute('aria-invalid'), 'true')
})

test('API key: sign-in of 11 minutes ago → the password is asked for in a dialog, then the key is shown', async () => {
  const ann = await register('anna@example.com')
  await kinora.app.sql`
    update public.session set "createdAt" = now() - interval '11 minutes' where "userId" = ${ann.userId}
  `
  const { page, expect } = await browser.visit({ as: ann })
  expect(/\b40[03]\b.*api-key\/create/)
  await page.goto('/keys')
  await page.getByLabel('Name').fill('render farm')
  await page.getByRole('button', { name: 'Make key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await untilFocused(dialog.getByLabel('Password'), 'the password')
  await dialog.getByLabel('Password').fill('a wrong password')
  await page.keyboard.press('Enter')
  await dialog.getByText('This is not your current password.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Name').inputValue(), 'render farm', 'what was typed stays')
  await untilFocused(page.getByRole('button', { name: 'Make key' }), 'the button that opened the dialog')

  await page.getByRole('button', { name: 'Make key' }).click()
  await dialog.getByLabel('Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Make key' }).click()
  const shown = page.getByRole('dialog', { name: 'Your new key' })
  const key = (await shown.getByText(/^kin_/).textContent()) ?? ''
  await shown.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /render farm/ }).waitFor()
  await untilFocused(page.getByRole('button', { name: 'Make key' }), 'the button, although the form is empty')
  const balance = await kinora.call('GET', '/api/v1/credit/balance', { headers: { 'x-api-key': key } })
  assert.equal(balance.status, 200)
})

const untilFocused = (element: Locator, what: string): Promise<void> =>
  until(
    () => element.evaluate((each: { matches: (selector: string) => boolean }) => each.matches(':focus')),
    `the focus on ${what}`,
  )
