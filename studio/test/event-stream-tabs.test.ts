/** What no tab may miss or get wrong: around the moment a stream opens, from tab to tab, from one user to the next. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { openKinora, type Person } from '../../server/test/harness.ts'
import { openBrowser, until } from './browser.ts'
import { signUp } from './doors.ts'

// Nobody works here: a film waits until a test has it finished.
const kinora = await openKinora({ simulator: true })
const { visit, tab } = await openBrowser(kinora)

const STREAM = '**/api/v1/video/events'
const heron = { prompt: 'A heron waits' }

async function library(page: Page): Promise<void> {
  await page.goto('/library')
  await page.getByRole('heading', { name: 'Library' }).waitFor()
}
const remove = (as: Person, uuid: string) => kinora.call('DELETE', `/api/v1/video/${uuid}`, { as })

/** Requests to such an address wait until they are let go. */
async function hold(context: BrowserContext, address: string) {
  const held: Route[] = []
  let isHeld = true
  await context.route(address, (route) => (isHeld ? void held.push(route) : route.continue()))
  return {
    held,
    letGo: async () => {
      isHeld = false
      // The page may have given one up meanwhile.
      for (const route of held.splice(0)) await route.continue().catch(() => undefined)
    },
  }
}

/** How many streams of this browser are open, by the pages' own requests. */
function countStreams(context: BrowserContext) {
  let open = 0
  context.on('request', (request) => {
    if (request.url().endsWith('/video/events')) open += 1
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    context.on(end as 'requestfinished', (request) => {
      if (request.url().endsWith('/video/events')) open -= 1
    })
  return () => open
}

/** A headless browser shows every tab; what another tab in front of it does to a page is this. */
const cover = (page: Page, isHidden: boolean) =>
  page.evaluate(`{
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
    Object.defineProperty(document, 'visibilityState', { value: '${isHidden ? 'hidden' : 'visible'}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }`)

test('an answer that is older than what the stream has told does not take it back', async () => {
  const ann = await kinora.person()
  const { page, context } = await visit({ as: ann })
  const reason = page.getByText('Too dark.', { exact: true })
  const stream = await hold(context, STREAM)
  const late: (() => Promise<void>)[] = []
  await context.route('**/api/v1/video/task?*', async (route) => {
    const response = await route.fetch()
    if (late.length > 0) return route.fulfill({ response })
    late.push(() => route.fulfill({ response }))
  })
  const { data } = await kinora.generate(ann, { prompt: 'A heron [fail: Too dark.]' })
  await library(page)
  await until(async () => late.length > 0, 'the question about the film')
  await stream.letGo()
  await kinora.finish(ann, data.uuid)
  await reason.waitFor()
  const answered = page.waitForResponse((response) => response.url().includes('/api/v1/video/task'))
  for (const answer of late) await answer()
  await (await answered).finished()
  // What comes after it on the page is the proof that it has been taken in.
  await kinora.generate(ann, heron)
  await page.getByText('A heron waits').first().waitFor()
  assert.equal(await reason.count(), 1)
})

test('what happens after the list was read and before the stream is open is not missed', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, heron)
  const { page, context, expect } = await visit({ as: ann })
  // The page may still be asking how far the film is.
  expect(/\b404\b/)
  const stream = await hold(context, STREAM)
  await library(page)
  await page.getByText('A heron').first().waitFor()
  await until(async () => stream.held.length > 0, 'the stream')
  await remove(ann, data.uuid)
  await stream.letGo()
  await page.getByText('A heron').first().waitFor({ state: 'detached' })
})

test('what happens between the streams of two tabs is not missed', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, heron)
  const first = await visit({ as: ann })
  first.expect(/\b404\b/)
  await library(first.page)
  await first.page.getByText('A heron').first().waitFor()
  const second = await tab(first)
  await library(second)
  await second.getByText('A heron').first().waitFor()
  const stream = await hold(first.context, STREAM)
  await first.page.close()
  await until(async () => stream.held.length > 0, 'the stream of the other tab')
  await remove(ann, data.uuid)
  await stream.letGo()
  await second.getByText('A heron').first().waitFor({ state: 'detached' })
})

test('whoever signs out in one tab is signed out in all, before somebody else signs in', async () => {
  const ann = await kinora.person()
  const first = await visit({ as: ann })
  await library(first.page)
  const second = await tab(first)
  await library(second)
  await second.getByRole('button', { name: 'More' }).click()
  await second.getByRole('menuitem', { name: 'Sign out' }).click()
  await second.getByRole('button', { name: 'Sign in' }).waitFor()
  await first.page.getByRole('button', { name: 'Sign in' }).waitFor({ timeout: 5_000 })
})

test('somebody else who signs in is not shown in the tabs of whoever was there before', async () => {
  const ann = await kinora.person()
  await kinora.generate(ann, heron)
  const first = await visit({ as: ann })
  await library(first.page)
  await first.page.getByText('A heron').first().waitFor()
  // As when the session ran out and no tab has noticed yet; whatever the first one asks for from now on is refused.
  first.expect(/\b401\b/)
  await first.context.clearCookies()
  // It is shown for some seconds only, and may be over when Ben is in.
  const told = first.page.getByText('Your session has ended.').waitFor()
  const second = await tab(first)
  await second.goto('/sign-up')
  await signUp(second, 'Ben')
  await second.getByRole('button', { name: 'Generate' }).waitFor()
  await told
  await first.page.getByText('A heron').first().waitFor({ state: 'detached' })
  assert.equal(await second.getByText('A heron').count(), 0)
})

test('a page goes with its session, however long the sign-in page takes to come', async () => {
  const ann = await kinora.person()
  await kinora.generate(ann, heron)
  const { page, context, expect } = await visit({ as: ann })
  expect(/\b401\b/)
  await library(page)
  await page.getByText('A heron').first().waitFor()
  const door = await hold(context, '**/assets/sign-in-*.js')
  await context.clearCookies()
  await kinora.generate(ann, heron)
  await until(async () => door.held.length > 0, 'the sign-in page to be asked for')
  await page.getByText('A heron').first().waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'credits' }).waitFor({ state: 'detached' })
  await door.letGo()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('a tab in the background leaves the stream to one that is seen, and catches up when it is seen again', async () => {
  const ann = await kinora.person({ credits: 200 })
  const first = await visit({ as: ann })
  first.expect(/\b404\b/)
  const streams = countStreams(first.context)
  await library(first.page)
  await until(async () => streams() === 1, 'the stream')
  await cover(first.page, true)
  await until(async () => streams() === 0, 'the end of the stream')
  await kinora.generate(ann, { prompt: 'Swallows over a harbour' })
  const second = await tab(first)
  await library(second)
  await until(async () => streams() === 1, 'the stream of the tab that is seen')
  await kinora.generate(ann, { prompt: 'Gulls over a harbour' })
  for (const page of [first.page, second]) await page.getByText('Gulls over a harbour').first().waitFor()

  await cover(second, true)
  await until(async () => streams() === 0, 'the end of the second stream')
  const { data } = await kinora.generate(ann, heron)
  await cover(first.page, false)
  for (const page of [first.page, second]) await page.getByText('A heron').first().waitFor()
  await remove(ann, data.uuid)
  for (const page of [first.page, second]) await page.getByText('A heron').first().waitFor({ state: 'detached' })
})

test('a tab that is seen again while the service is away says so, until it is back', async () => {
  const ann = await kinora.person()
  const { page, context, expect } = await visit({ as: ann })
  expect(/ERR_FAILED/)
  const streams = countStreams(context)
  await library(page)
  await until(async () => streams() === 1, 'the stream')
  await cover(page, true)
  await until(async () => streams() === 0, 'the end of the stream')
  await context.route(STREAM, (route) => route.abort())
  await cover(page, false)
  await page.getByText('The service does not answer.').waitFor()
  await context.unroute(STREAM)
  await page.getByText('The service does not answer.').waitFor({ state: 'detached' })
})

test('without locks, as over plain http, only the tabs that are seen read a stream', async () => {
  const ann = await kinora.person()
  const first = await visit({ as: ann })
  await first.context.addInitScript('delete Navigator.prototype.locks')
  const streams = countStreams(first.context)
  const pages = [first.page]
  // More tabs than a browser opens connections to one host.
  for (let i = 0; i < 8; i += 1) {
    const page = pages.at(-1) ?? (await tab(first))
    await library(page)
    await until(async () => streams() === 1, 'one stream')
    await cover(page, true)
    pages.push(await tab(first))
  }
})
