/** Race conditions of live updates: while a stream opens, between tabs, and between two users of one browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { openKinora, type Person } from '../../server/test/support/harness.ts'
import { openBrowser, until } from './browser.ts'
import { signUp } from './sign-up.ts'
import { countStreams, setVisibility } from './tabs.ts'

// A film stays pending without a worker until the test finishes it.
const kinora = await openKinora({ simulator: true })
const { visit, tab } = await openBrowser(kinora)

const STREAM = '**/api/v1/video/events'
const heron = { prompt: 'A heron waits' }

async function library(page: Page): Promise<void> {
  await page.goto('/library')
  await page.getByRole('heading', { name: 'Library' }).waitFor()
}
const remove = (as: Person, uuid: string) => kinora.call('DELETE', `/api/v1/video/${uuid}`, { as })

/** Blocks requests to a URL until `release`. */
async function blockRequests(context: BrowserContext, url: string) {
  const blocked: Route[] = []
  let isBlocking = true
  await context.route(url, (route) => (isBlocking ? void blocked.push(route) : route.continue()))
  return {
    blocked,
    release: async () => {
      isBlocking = false
      // The page may have aborted a blocked request: then continue() rejects.
      for (const route of blocked.splice(0)) await route.continue().catch(() => undefined)
    },
  }
}

/** The library with a film that will fail: its stream is blocked, its first response delayed. */
async function libraryBeforeFailure() {
  const ann = await kinora.person()
  const { page, context } = await visit({ as: ann })
  const stream = await blockRequests(context, STREAM)
  const delayed: (() => Promise<void>)[] = []
  await context.route('**/api/v1/video/task?*', async (route) => {
    const response = await route.fetch()
    if (delayed.length > 0) return route.fulfill({ response })
    delayed.push(() => route.fulfill({ response }))
  })
  const { data } = await kinora.generate(ann, { prompt: 'A heron [fail: Too dark.]' })
  await library(page)
  await until(async () => delayed.length > 0, 'the request for the film')
  const respond = async () => {
    const response = page.waitForResponse((response) => response.url().includes('/api/v1/video/task'))
    for (const each of delayed) await each()
    await (await response).finished()
  }
  const openStream = async () => {
    const opened = page.waitForResponse(STREAM)
    await stream.release()
    await opened
  }
  const reason = page.getByText('Too dark.', { exact: true })
  return { ann, page, reason, openStream, fail: () => kinora.finish(ann, data.uuid), respond }
}

test('event stream: response older than a stream message → does not overwrite it', async () => {
  const { ann, page, reason, openStream, fail, respond } = await libraryBeforeFailure()
  await openStream()
  await fail()
  await reason.waitFor()
  await respond()
  // A later update on the page proves that the page has processed the delayed response.
  await kinora.generate(ann, heron)
  await page.getByText('A heron waits').first().waitFor()
  assert.equal(await reason.count(), 1)
})

test('event stream: opened after a change, a response from before it still on its way → requested again', async () => {
  const { page, reason, openStream, fail, respond } = await libraryBeforeFailure()
  await fail()
  await openStream()
  await page.getByText('16 credits returned').waitFor()
  await respond()
  await reason.waitFor()
})

test('event stream: change between reading the list and opening the stream → not missed', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, heron)
  const { page, context, expect } = await visit({ as: ann })
  // The page may still request the film's progress.
  expect(/\b404\b/)
  const stream = await blockRequests(context, STREAM)
  await library(page)
  await page.getByText('A heron').first().waitFor()
  await until(async () => stream.blocked.length > 0, 'the stream')
  await remove(ann, data.uuid)
  await stream.release()
  await page.getByText('A heron', { exact: true }).first().waitFor({ state: 'detached' })
})

test('event stream: change while another tab takes over the stream → not missed', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, heron)
  const first = await visit({ as: ann })
  first.expect(/\b404\b/)
  await library(first.page)
  await first.page.getByText('A heron').first().waitFor()
  const second = await tab(first)
  await library(second)
  await second.getByText('A heron').first().waitFor()
  const stream = await blockRequests(first.context, STREAM)
  await first.page.close()
  await until(async () => stream.blocked.length > 0, 'the stream of the other tab')
  await remove(ann, data.uuid)
  await stream.release()
  await second.getByText('A heron', { exact: true }).first().waitFor({ state: 'detached' })
})

test('event stream: change between the document of a second tab and its channel → not missed', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, heron)
  // The page asks for the progress of no film.
  await kinora.finish(ann, data.uuid)
  const gulls = await kinora.generate(ann, { prompt: 'Gulls over a harbour' })
  await kinora.finish(ann, gulls.data.uuid)
  const first = await visit({ as: ann })
  first.expect(/\b404\b/)
  await library(first.page)
  await first.page.getByText('A heron').first().waitFor()
  const second = await tab(first)
  const script = await blockRequests(first.context, '**/assets/index-*.js')
  const opened = library(second)
  await until(async () => script.blocked.length > 0, 'the script of the second tab')
  await second.waitForFunction('globalThis.kinoraEarly?.at !== undefined')
  await remove(ann, data.uuid)
  await first.page.getByText('A heron', { exact: true }).first().waitFor({ state: 'detached' })
  await script.release()
  await opened
  await second.getByText('Gulls over a harbour').first().waitFor()
  await second.getByText('A heron', { exact: true }).first().waitFor({ state: 'detached' })
})

test('session: sign-out in one tab → all tabs are signed out', async () => {
  const ann = await kinora.person()
  const first = await visit({ as: ann })
  await library(first.page)
  const second = await tab(first)
  await library(second)
  await second.getByRole('button', { name: 'Your account' }).click()
  await second.getByRole('button', { name: 'Sign out', exact: true }).click()
  await second.getByRole('button', { name: 'Sign in' }).waitFor()
  await first.page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('session: another user signs in in a second tab → the first tab drops the previous user’s data', async () => {
  const ann = await kinora.person()
  await kinora.generate(ann, heron)
  const first = await visit({ as: ann })
  await library(first.page)
  await first.page.getByText('A heron').first().waitFor()
  // Simulates a session that has expired unnoticed: from now on the first tab's requests return 401.
  first.expect(/\b401\b/)
  await first.context.clearCookies()
  // The toast disappears after some seconds, maybe before Ben is signed in: so waiting for it begins now.
  const notice = first.page.getByText('Your session has ended.').waitFor()
  const second = await tab(first)
  await second.goto('/sign-up')
  await signUp(second, 'Ben')
  await second.getByRole('button', { name: 'Generate' }).waitFor()
  await notice
  await first.page.getByText('A heron', { exact: true }).first().waitFor({ state: 'detached' })
  assert.equal(await second.getByText('A heron').count(), 0)
})

test('session: ended while the sign-in chunk still loads → the page’s data disappears at once', async () => {
  const ann = await kinora.person()
  await kinora.generate(ann, heron)
  const { page, context, expect } = await visit({ as: ann })
  expect(/\b401\b/)
  await library(page)
  await page.getByText('A heron').first().waitFor()
  const chunk = await blockRequests(context, '**/assets/sign-in-*.js')
  await context.clearCookies()
  await kinora.generate(ann, heron)
  await until(async () => chunk.blocked.length > 0, 'the request for the sign-in page')
  await page.getByText('A heron', { exact: true }).first().waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^\d+ credits/ }).waitFor({ state: 'detached' })
  await chunk.release()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('event stream: hidden tab → leaves the stream to a visible tab, and catches up when visible again', async () => {
  const ann = await kinora.person({ credits: 200 })
  const first = await visit({ as: ann })
  first.expect(/\b404\b/)
  const streams = countStreams(first.context)
  await library(first.page)
  await until(async () => streams.open() === 1, 'the stream')
  await setVisibility(first.page, 'hidden')
  await until(async () => streams.open() === 0, 'the end of the stream')
  await kinora.generate(ann, { prompt: 'Swallows over a harbour' })
  const second = await tab(first)
  await library(second)
  await until(async () => streams.open() === 1, 'the stream of the visible tab')
  await kinora.generate(ann, { prompt: 'Gulls over a harbour' })
  for (const page of [first.page, second]) await page.getByText('Gulls over a harbour').first().waitFor()

  await setVisibility(second, 'hidden')
  await until(async () => streams.open() === 0, 'the end of the second stream')
  const { data } = await kinora.generate(ann, heron)
  await setVisibility(first.page, 'visible')
  for (const page of [first.page, second]) await page.getByText('A heron').first().waitFor()
  await remove(ann, data.uuid)
  for (const page of [first.page, second])
    await page.getByText('A heron', { exact: true }).first().waitFor({ state: 'detached' })
})

test('event stream: tab visible again during an outage → a notice until the service is back', async () => {
  const ann = await kinora.person()
  const { page, context, expect } = await visit({ as: ann })
  expect(/ERR_FAILED/)
  const streams = countStreams(context)
  await library(page)
  await until(async () => streams.open() === 1, 'the stream')
  await setVisibility(page, 'hidden')
  await until(async () => streams.open() === 0, 'the end of the stream')
  await context.route(STREAM, (route) => route.abort())
  await setVisibility(page, 'visible')
  await page.getByText('The service does not answer.').waitFor()
  await context.route(STREAM, (route) => route.continue())
  await page.getByText('The service does not answer.').waitFor({ state: 'detached' })
})

test('event stream: no Web Locks, as over plain HTTP → only visible tabs read a stream', async () => {
  const ann = await kinora.person()
  const first = await visit({ as: ann })
  await first.context.addInitScript('delete Navigator.prototype.locks')
  const streams = countStreams(first.context)
  const pages = [first.page]
  // More tabs than a browser's limit of connections to one host.
  for (let i = 0; i < 8; i += 1) {
    const page = pages.at(-1) ?? (await tab(first))
    await library(page)
    await until(async () => streams.open() === 1, 'one stream')
    await setVisibility(page, 'hidden')
    pages.push(await tab(first))
  }
})
