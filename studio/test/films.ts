/** Films for the tests of library and player, and locators of them. */
import type { Locator, Page } from 'playwright-core'
import { completedVideo } from '../../server/test/support/completed-video.ts'

/** Creates a completed film with a playable file and returns its uuid. */
export const film = completedVideo

/** The cards of the library. */
export const cardsOf = (page: Page): Locator =>
  page.getByRole('list', { name: 'Films' }).locator('a[href^="/library/"]')

/** The state of the page's first video element; null without one. */
export const previewOf = (page: Page): Promise<{ plays: boolean; muted: boolean } | null> =>
  page.evaluate(
    "{ const film = document.querySelector('video'); film && { plays: film.currentTime > 0.2, muted: film.muted } }",
  )
