/**
 * Passkeys with a virtual authenticator, the second factor, and a provider, from the account page to the next sign-in.
 * `localhost`, because a passkey belongs to a name and not to an IP address.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOTP } from '@better-auth/utils/otp'
import type { Page } from 'playwright-core'
import { openKinora } from '../../server/test/support/harness.ts'
import { startOpenIdProvider } from '../../server/test/support/open-id-provider.ts'
import { openBrowser } from './browser.ts'
import { PASSWORD, signUp } from './sign-up.ts'

const provider = await startOpenIdProvider()
const kinora = await openKinora({ publicHost: 'localhost', env: provider.env })
const origin = kinora.app.config.publicUrl
const browser = await openBrowser(kinora)

/** A device with a fingerprint reader, which the user has touched. @param isVerified whether it knows the finger */
async function addAuthenticator(page: Page, isVerified = true) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: isVerified,
      automaticPresenceSimulation: true,
    },
  })
}
const signOut = async (page: Page) => {
  await page.context().clearCookies()
  await page.goto(`${origin}/sign-in`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}
const openAccount = async (page: Page) => {
  await page.goto(`${origin}/account`)
  await page.getByRole('heading', { name: 'Ways to sign in' }).waitFor()
}

test('passkey: added on the account page → signs in without the password; deleted → no longer', async () => {
  const { page, expect } = await browser.visit()
  expect(/\b401\b/)
  await addAuthenticator(page)
  await page.goto(`${origin}/sign-up`)
  await signUp(page, 'Ann', 'passkey@example.com')
  await page.getByLabel('Prompt').waitFor()
  await openAccount(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText(/^Passkey, since/).waitFor()
  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByLabel('Prompt').waitFor()
  const [row] = await kinora.app.sql<{ hashed: boolean }[]>`
    select bool_and(token like 'sha256:%') as hashed from public.session s
    join public."user" u on u.id = s."userId" where u.email = 'passkey@example.com'
  `
  assert.equal(row?.hashed, true)
  await openAccount(page)
  await page.getByRole('button', { name: /^Delete passkey/ }).click()
  await page.getByText('With a passkey you sign in by').waitFor()
  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('There is no account with this passkey here.').waitFor()
})

test('second factor: set up, codes typed with spaces → asked for at the next sign-in, with a recovery code instead of the app', async () => {
  const { page, expect } = await browser.visit()
  // The balance may be read while the session ends.
  expect(/\b401\b.*\/credit\/balance$/)
  await page.goto(`${origin}/sign-up`)
  await signUp(page, 'Ann', 'factor@example.com')
  await page.getByLabel('Prompt').waitFor()
  await openAccount(page)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  assert.equal(await page.evaluate("document.activeElement.closest('.dialog') !== null"), true, 'the focus stays')
  const key = (await page.getByRole('dialog').locator('p > code').textContent()) ?? ''
  const recoveryCode =
    (await page.getByRole('list', { name: 'Recovery codes' }).locator('code').first().textContent()) ?? ''
  await page.getByLabel('Code that the app shows now').fill(withSpace(await codeOf(key)))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Your second factor is on.').waitFor()
  await signOut(page)
  await page.getByLabel('E-mail').fill('factor@example.com')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Code').waitFor()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(withSpace(recoveryCode))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Prompt').waitFor()
})

test('provider: button of the sign-in page → the studio, with a new account', async () => {
  const { page, expect } = await browser.visit()
  // The provider's own pages.
  expect(/fonts\.googleapis\.com/)
  await page.goto(`${origin}/sign-in?next=/account`)
  await page.getByRole('button', { name: 'Go on with Company' }).click()
  await page.locator('input[name=login]').fill('olga')
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.locator('button[type=submit]').click()
  await page.getByText('olga@example.com, since').waitFor()
  await page.getByText(/^Linked since/).waitFor()
})

/** "123456" → "123 456", as apps show it */
const withSpace = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`

const codeOf = async (base32: string) => {
  const bits = [...base32].map((each) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0'))
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  return createOTP(Buffer.from(bytes).toString(), { digits: 6, period: 30 }).totp()
}
