/** The generate form and the strip of films, as a user finds them. */
import type { Locator, Page } from 'playwright-core'

/** Opens the list of models and chooses one, which closes the list. */
export async function chooseModel(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Model / }).click()
  await page.getByRole('radio', { name }).click()
  await page.getByRole('button', { name: `Model ${name}`, expanded: false }).waitFor()
}

/** The frame of a film in the strip of the last ones. */
export const frameOf = (page: Page, prompt: string): Locator =>
  page.getByRole('list', { name: 'Your latest films' }).getByRole('button', { name: prompt })
