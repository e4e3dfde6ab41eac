/** The choice of a team in the studio. */
import type { Locator, Page } from 'playwright-core'

export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name, exact: true }).click()
}

/** The chosen team, of the name that openTeams gives it. */
export const teamLink = (page: Page): Locator => page.getByRole('banner').getByRole('link', { name: 'North' })
