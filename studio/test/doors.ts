/** The doors of the studio, as whoever stands before them passes. */
import type { Page } from 'playwright-core'

export const PASSWORD = 'correct horse battery'

/** Makes an account on the page for it; what comes after is for the test to wait for. */
export async function signUp(page: Page, name: string, email = `${name.toLowerCase()}@example.com`): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Make an account' }).click()
}

/** Signs out by the menu, and goes on to where an account is made. */
export async function signOutToSignUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Make an account' }).click()
}
