/** What the library costs a browser: cards, nodes and memory with the first page, and after 10,000 films. */
import type { CDPSession, Page } from 'playwright-core'
import { launchBrowser, sessionCookie } from '../studio/test/browser.ts'
import { type Bench, startServer } from './environment.ts'
import type { Line } from './table.ts'
import { createVideos, tokenOf, userIdOf, videoIdOf } from './users.ts'

const FILMS = 10_000
const USER = 1
const CARDS_MAX = 150
const NODES_MAX = 3_000
const GROWTH_MAX_MB = 5

type Cost = { cards: number; nodes: number; heapMb: number }

export async function library({ environment, sql, runs }: Bench): Promise<Line[]> {
  await createVideos(sql, FILMS, videoIdOf, 1)
  // A film in progress has each card ask for its task, and one of this moment is in the event stream.
  await sql`
    update kinora.video set status = 'COMPLETED', due_at = null, video_key = 'none', files_removed_at = now(),
        updated_at = now() - interval '1 day'
    where user_id = ${userIdOf(USER)}
  `
  const results: { before: Cost; after: Cost; seconds: number }[] = []
  const api = await startServer(environment, { RATE_LIMITS: 'off' })
  const browser = await launchBrowser()
  const publicUrl = `http://localhost:${api.port}`
  for (let run = 0; run < runs; run += 1) {
    const context = await browser.newContext({
      baseURL: publicUrl,
      locale: 'en-US',
      viewport: { width: 1366, height: 768 },
      reducedMotion: 'reduce',
    })
    const authSecret = environment.env.AUTH_SECRET ?? ''
    await context.addCookies([sessionCookie({ authSecret, publicUrl }, tokenOf(USER))])
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await page.goto('/library')
    await page.locator(CARD).nth(40).waitFor()
    const before = await costOf(page, session)
    const startedAt = performance.now()
    await scrollToEnd(page)
    const seconds = (performance.now() - startedAt) / 1000
    results.push({ before, after: await costOf(page, session), seconds })
    await context.close()
  }
  await browser.close()
  await api.stop()
  await sql`
    update kinora.video set status = 'PENDING', due_at = created_at, video_key = null, files_removed_at = null
    where user_id = ${userIdOf(USER)}
  `
  const of = (figure: (result: (typeof results)[number]) => number) => results.map(figure)
  return [
    { what: 'library, first page: cards', unit: '', runs: of(({ before }) => before.cards) },
    { what: 'library, first page: nodes', unit: '', runs: of(({ before }) => before.nodes) },
    { what: 'library, first page: heap', unit: 'MB', runs: of(({ before }) => before.heapMb) },
    { what: 'library, 10,000 films: cards', unit: '', runs: of(({ after }) => after.cards), limit: CARDS_MAX },
    { what: 'library, 10,000 films: nodes', unit: '', runs: of(({ after }) => after.nodes), limit: NODES_MAX },
    { what: 'library, 10,000 films: heap', unit: 'MB', runs: of(({ after }) => after.heapMb) },
    {
      what: 'library, 10,000 films: growth of the heap',
      unit: 'MB',
      runs: of(({ before, after }) => after.heapMb - before.heapMb),
      limit: GROWTH_MAX_MB,
    },
    { what: 'library, 10,000 films: scrolled in', unit: 's', runs: of(({ seconds }) => seconds) },
  ]
}

const CARD = 'a[href^="/library/"]'

/** Presses End until no film is behind those that are there. */
async function scrollToEnd(page: Page): Promise<void> {
  for (let last = 0; last < FILMS; ) {
    await page.keyboard.press('End')
    const place = await page.locator('li[aria-posinset]').last().getAttribute('aria-posinset')
    last = Number(place)
  }
}

async function costOf(page: Page, session: CDPSession): Promise<Cost> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return {
    cards: await page.locator(CARD).count(),
    nodes: await page.evaluate<number>("document.querySelectorAll('*').length"),
    heapMb: usedSize / 1e6,
  }
}
