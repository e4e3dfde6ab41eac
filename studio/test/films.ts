/** Films for the tests of library and player, and locators of them. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Kinora, Person } from '../../server/test/harness.ts'

/** Creates a completed film with a real file and returns its uuid. */
export async function film(kinora: Kinora, as: Person, change: Record<string, unknown> = {}): Promise<string> {
  const { data } = await kinora.generate(as, change)
  const { status } = await kinora.finish(as, data.uuid)
  assert.equal(status, 'COMPLETED')
  return data.uuid
}

/** The cards of the library. */
export const cardsOf = (page: Page): Locator => page.getByRole('list', { name: 'Films' }).getByRole('link')

/** The state of the page's first video element; null without one. */
export const previewOf = (page: Page): Promise<{ plays: boolean; muted: boolean } | null> =>
  page.evaluate(
    "{ const film = document.querySelector('video'); film && { plays: film.currentTime > 0.2, muted: film.muted } }",
  )
