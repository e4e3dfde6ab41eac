/** Films for the tests of library and player, and locators of them. */
import type { Locator, Page } from 'playwright-core'
import { generateAll } from '../../server/src/db/set-calls.ts'
import { newId } from '../../server/src/id.ts'
import { completedVideo } from '../../server/test/support/completed-video.ts'
import type { Kinora, Person } from '../../server/test/support/harness.ts'

/** Creates a completed film with a playable file and returns its uuid. */
export const film = completedVideo

const SET = 500
const RATIOS = ['16:9', '9:16', '1:1', '21:9', '4:3'] as const

/** Many films that no worker takes up, "Number 1" the oldest, in few statements. */
export async function manyFilms(kinora: Kinora, as: Person, count: number): Promise<void> {
  const now = kinora.app.now()
  await kinora.grant(as, 16 * count)
  const requests = Array.from({ length: count }, (_, n) => ({
    user_id: as.userId,
    id: newId(new Date(now.getTime() - count + n)),
    prompt: `Number ${n + 1} of many boats`,
    model: 'delta-1-5',
    duration_s: 4,
    mode: 'text-to-video',
    aspect_ratio: RATIOS[n % RATIOS.length],
    quality: '720p',
    credits: 16,
    providers: ['provider-a'],
    usual_s: 30,
    deadline_at: new Date(now.getTime() + 86_400_000),
    max_in_progress: 0,
  }))
  for (let from = 0; from < count; from += SET)
    await generateAll(kinora.app.sql, JSON.stringify(requests.slice(from, from + SET)), now)
}

/** The cards of the library. */
export const cardsOf = (page: Page): Locator =>
  page.getByRole('list', { name: 'Films' }).locator('a[href^="/library/"]')

/** The state of the page's first video element; null without one. */
export const previewOf = (page: Page): Promise<{ plays: boolean; muted: boolean } | null> =>
  page.evaluate(
    "{ const film = document.querySelector('video'); film && { plays: film.currentTime > 0.2, muted: film.muted } }",
  )
