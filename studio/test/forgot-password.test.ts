/** Forgotten password in the browser: from the sign-in page over a real mail to a new sign-in. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dispatchMailOnce } from '../../server/src/mail/dispatcher.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { linkIn, openMailServer } from '../../server/test/support/mail-server.ts'
import { openBrowser } from './browser.ts'

const smtp = await openMailServer()
const kinora = await openKinora({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'no-reply@example.com' } })
after(() => smtp.close())
const browser = await openBrowser(kinora)

test('forgot password: link on the sign-in page → mail → new password → signed in; the link works once', async () => {
  const email = 'ann@example.com'
  const password = 'correct horse battery'
  await kinora.call('POST', '/api/auth/sign-up/email', { body: { name: 'Ann', email, password } })
  const { page, expect } = await browser.visit()
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  // The page before has a field and a button of the same names.
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Mail me a link' }).click()
  await page.getByText('a mail with a link is on its way').waitFor()
  await dispatchMailOnce(kinora.app)
  const link = linkIn(smtp.to(email).at(-1) ?? assert.fail('no mail'))

  await page.goto(link)
  await page.getByLabel('New password').fill('another horse battery')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Your password is changed. Sign in with it.').waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill('another horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  // The gift waits for a verified address, so the form has no credits yet.
  await page.getByLabel('Prompt').waitFor()

  expect(/\b400\b.*reset-password/)
  await page.goto(link)
  await page.reload()
  await page.getByLabel('New password').fill('a third horse battery')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('This link was used already').waitFor()
})
