/** Signing up and signing out through the studio's pages. */
import type { Page } from 'playwright-core'

export const PASSWORD = 'correct horse battery'

/** Submits the sign-up form. The test waits for the result. */
export async function signUp(page: Page, name: string, email = `${name.toLowerCase()}@example.com`): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
}

/** Signs out by the menu and opens the sign-up page. */
export async function signOutToSignUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('link', { name: 'Create account' }).click()
}
