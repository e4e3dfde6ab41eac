/** Films for the tests of library and player, and what a page shows of them. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Kinora, Person } from '../../server/test/harness.ts'

/** A film that is there, with a real file; its uuid. */
export async function film(kinora: Kinora, as: Person, change: Record<string, unknown> = {}): Promise<string> {
  const { data } = await kinora.generate(as, change)
  const { status } = await kinora.finish(as, data.uuid)
  assert.equal(status, 'COMPLETED')
  return data.uuid
}

/** The films of the library's list. */
export const cardsOf = (page: Page): Locator => page.getByRole('list', { name: 'Films' }).getByRole('link')

/** What the page's first film does; null without one. */
export const previewOf = (page: Page): Promise<{ plays: boolean; muted: boolean } | null> =>
  page.evaluate(
    "{ const film = document.querySelector('video'); film && { plays: film.currentTime > 0.2, muted: film.muted } }",
  )
