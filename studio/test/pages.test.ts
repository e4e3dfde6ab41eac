/**
 * Every page, dark, light and on a phone: nothing that axe-core objects to, nothing wider than the screen, nothing that
 * moves while the page loads, whether answers come at once or so late that their place is shown first, and a picture of
 * each in studio/test/pictures/ for a person to look at.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { openKinora, type Person } from '../../server/test/harness.ts'
import { openBrowser, until } from './browser.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const pictures = path.join(import.meta.dirname, 'pictures')
await mkdir(pictures, { recursive: true })

const kinora = await openKinora({ simulator: true })
const browser = await openBrowser(kinora)
const ann = await kinora.person({ credits: 5000, role: 'admin' })
const ben = await kinora.person({ credits: 0 })
const film = await fill(ann)

type Place = { name: string; path: string; as?: Person }
const places: Place[] = [
  { name: 'sign-up', path: '/' },
  { name: 'sign-in', path: '/sign-in' },
  { name: 'studio', path: '/', as: ann },
  { name: 'studio-empty', path: '/', as: ben },
  { name: 'library', path: '/library', as: ann },
  { name: 'library-failed', path: '/library?status=FAILED', as: ann },
  { name: 'library-nothing-found', path: '/library?q=nothing%20like%20it', as: ann },
  { name: 'library-empty', path: '/library', as: ben },
  { name: 'player', path: `/library/${film.completed}`, as: ann },
  { name: 'player-failed', path: `/library/${film.failed}`, as: ann },
  { name: 'player-running', path: `/library/${film.running}`, as: ann },
  { name: 'player-unknown', path: '/library/01900000-0000-7000-8000-000000000000', as: ann },
  { name: 'credits', path: '/credits', as: ann },
  { name: 'credits-empty', path: '/credits', as: ben },
  { name: 'plans', path: '/plans', as: ann },
  { name: 'keys', path: '/keys', as: ann },
  { name: 'keys-empty', path: '/keys', as: ben },
  { name: 'account', path: '/account', as: ann },
  { name: 'admin-users', path: '/admin/users', as: ann },
  { name: 'admin-user', path: `/admin/users/${ann.userId}`, as: ann },
  { name: 'admin-videos', path: '/admin/videos', as: ann },
  { name: 'admin-payments', path: '/admin/payments', as: ann },
  { name: 'admin-ledger', path: '/admin/ledger', as: ann },
  { name: 'admin-providers', path: '/admin/providers', as: ann },
  { name: 'not-found', path: '/no/such/page', as: ann },
]
const annsPlaces = places.filter(({ as }) => as === ann)
const tours = [
  { as: undefined, places: places.filter(({ as }) => as === undefined) },
  { as: ben, places: places.filter(({ as }) => as === ben) },
  { as: ann, places: annsPlaces.slice(0, annsPlaces.length / 2) },
  { as: ann, places: annsPlaces.slice(annsPlaces.length / 2) },
]
const looks = {
  dark: { answersAfterMs: 300, colorScheme: 'dark', viewport: { width: 1280, height: 860 } },
  light: { answersAfterMs: 0, colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  phone: {
    answersAfterMs: 300,
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  },
} as const

for (const [look, { answersAfterMs, ...context }] of Object.entries(looks)) {
  test(`${look}: every page is accessible, fits, and stays where it is`, async () => {
    // Most of the time goes by with waiting for answers, so several go through the pages side by side.
    const wrong = await Promise.all(tours.map(({ as, places }) => goThrough(as, places)))
    assert.deepEqual(wrong.flat(), [])
  })

  async function goThrough(as: Person | undefined, places: Place[]): Promise<string[]> {
    const { page, expect } = await browser.visit({ ...context, reducedMotion: 'reduce', ...(as ? { as } : {}) })
    await page.addInitScript(noteShifts)
    if (answersAfterMs > 0) await page.route(isAsked, (route) => setTimeout(() => route.continue(), answersAfterMs))
    const open = openQuestions(page)
    // The film that there is not.
    expect(/\b404\b.*01900000-/)
    const wrong: string[] = []
    for (const place of places) {
      await page.goto(place.path)
      await settled(page, open)
      wrong.push(...(await objections(page)).map((objection) => `${place.name}: ${objection}`))
      // Last, because for a picture of the whole page the browser is no phone for a moment.
      await page.screenshot({ path: path.join(pictures, `${place.name}-${look}.png`), fullPage: true })
    }
    return wrong
  }
}

/** What pages ask for; the event stream, which is read all the time, stays as it is. */
const isAsked = (url: URL): boolean => url.pathname.startsWith('/api/') && !url.pathname.endsWith('/events')

/** What moves without anybody's doing, as browsers measure it: 0.1 is called good, and a line of text that comes late is 0.02. */
const SHIFT_MAX = 0.005
const noteShifts = `{
  globalThis.shift = 0
  globalThis.moved = []
  const nameOf = (node) => node?.className || node?.nodeName
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue
      shift += value
      for (const { node, previousRect, currentRect } of sources)
        moved.push([nameOf(node), ...[previousRect, currentRect].map(({ y, height }) => y + '+' + height)].join(' '))
    }
  }).observe({ type: 'layout-shift', buffered: true })
}`

/** How many answers the page waits for. */
function openQuestions(page: Page): () => number {
  const asked = new Set<Request>()
  page.on('request', (request) => isAsked(new URL(request.url())) && asked.add(request))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => asked.delete(request))
  return () => asked.size
}

/** A page is there when it has a heading, shows nothing that stands for something still loading, and asks nothing more. */
async function settled(page: Page, open: () => number): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('load')
  await page.locator('.loading-state').first().waitFor({ state: 'detached' })
  let quiet = 0
  await until(async () => {
    quiet = open() === 0 ? quiet + 1 : 0
    return quiet > QUIET_LOOKS
  }, 'an end of the questions')
}
/** Of 50 ms: longer than what the studio itself waits before it asks for a price. */
const QUIET_LOOKS = 6

async function objections(page: Page): Promise<string[]> {
  const { shift, moved } = await page.evaluate<{ shift: number; moved: string[] }>('({ shift, moved })')
  await page.evaluate(axe)
  const found = (await page.evaluate(`axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary)))`)) as string[]
  const tooWide = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  return [
    ...found,
    ...(tooWide > 0 ? [`is ${tooWide} px wider than the screen`] : []),
    ...(shift > SHIFT_MAX ? [`moves while it loads: ${shift}, ${moved.join(', ')}`] : []),
  ]
}

/** Films of every shape and fate, and keys, so that no page stands empty. */
async function fill(as: Person): Promise<{ completed: string; failed: string; running: string }> {
  const make = async (change: Record<string, unknown>) => (await kinora.generate(as, change)).data.uuid
  const wishes = [
    { prompt: 'A lighthouse in fog', aspectRatio: '16:9' },
    { prompt: 'Rain on a tram window at night, the city behind it out of focus', aspectRatio: '9:16' },
    { prompt: 'A fox at the edge of a field', aspectRatio: '1:1' },
    { prompt: 'The desert from a balloon, dawn', aspectRatio: '21:9' },
    { prompt: 'A paper boat crosses a pond', aspectRatio: '4:3' },
  ]
  const completed = await Promise.all(wishes.map(make))
  const failed = await make({ prompt: 'A storm at sea [fail: the provider could not make sense of this prompt]' })
  for (const uuid of [...completed, failed]) await kinora.finish(as, uuid)
  const running = await make({ prompt: 'A kite over the dunes' })
  for (const name of ['Render farm', 'Notebook', 'Till in the shop']) {
    assert.equal((await kinora.call('POST', '/api/auth/api-key/create', { as, body: { name } })).status, 200)
  }
  return { completed: completed[0] ?? '', failed, running }
}
