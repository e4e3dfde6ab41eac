/** Live updates by the event stream: shared by tabs, reconnected after an outage, ended with the session. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser, until, untilSays } from './browser.ts'
import { countStreams } from './tabs.ts'

const kinora = await openKinora({ simulator: true, worker: true })
const { visit, tab } = await openBrowser(kinora)

test('event stream: four tabs → one shared stream updates all, and another tab takes over when its tab closes', async () => {
  const ann = await kinora.person()
  const first = await visit({ as: ann })
  const streams = countStreams(first.context)
  const pages = [first.page, await tab(first), await tab(first), await tab(first)]
  for (const page of pages) {
    await page.goto('/library')
    await page.getByRole('heading', { name: 'Library' }).waitFor()
  }
  await kinora.generate(ann, { prompt: 'Swallows over a harbour' })
  for (const page of pages) {
    await page.getByText('Swallows over a harbour').first().waitFor()
    await page.getByRole('link', { name: /^44 credits/ }).waitFor()
  }
  assert.equal(streams.opened(), 1)

  await first.page.close()
  await kinora.generate(ann, { prompt: 'Gulls over a harbour' })
  for (const page of pages.slice(1)) await page.getByText('Gulls over a harbour').first().waitFor()
  assert.equal(streams.opened(), 2)
})

test('event stream: first visit of a browser → what is read after the stream has opened is not read again', async () => {
  const { page } = await visit({ as: await kinora.person() })
  await page.clock.install()
  const reads: string[] = []
  page.on('request', (request) => request.method() === 'GET' && reads.push(new URL(request.url()).pathname))
  await page.goto('/')
  await page.getByRole('link', { name: /^60 credits/ }).waitFor()
  // The refresh that a stream with missed events causes is delayed by less.
  await page.clock.fastForward(1_000)
  await page.evaluate("fetch('/api/v1/config/models').then((response) => response.text())")
  const ofUser = reads.filter((path) => /^.api.v1.(video|credit)./.test(path))
  assert.deepEqual(ofUser.toSorted(), [...new Set(ofUser)].toSorted())
})

test('event stream: later visit → resumes from what came with the page, of which nothing is read or reported again', async () => {
  const ann = await kinora.person()
  await kinora.generate(ann, { prompt: 'A paper boat' })
  await until(async () => (await kinora.balance(ann)).frozen === 0, 'the end of the film')
  kinora.turnClock(60_000)
  const { page } = await visit({ as: ann })
  await page.goto('/library')
  await page.getByRole('link', { name: 'A paper boat' }).waitFor()
  await page.clock.install()
  const reads: string[] = []
  page.on('request', (request) => request.method() === 'GET' && reads.push(new URL(request.url()).pathname))
  // On a slow machine a page has no reads that took longer than it waits for.
  await until(async () => {
    reads.length = 0
    const opened = page.waitForResponse('**/api/v1/video/events')
    await page.reload()
    const resumesFrom = (await (await opened).request().allHeaders())['last-event-id'] ?? ''
    const given = (await page.locator('#reads').textContent()) ?? ''
    return /^\d{13}$/.test(resumesFrom) && ['video/list', 'balance'].every((read) => given.includes(`/${read}`))
  }, 'a page with its data')
  await page.getByRole('link', { name: 'A paper boat' }).waitFor()
  const answer = () => page.evaluate("fetch('/api/v1/config/models').then((response) => response.text())")
  await answer()
  // The refresh that an event of a change causes is delayed by less.
  await page.clock.fastForward(1_000)
  await answer()
  assert.deepEqual(
    reads.filter((path) => /^.api.v1.(video.list|credit)/.test(path)),
    [],
  )
  assert.equal(await page.getByText('Film done: A paper boat').count(), 0)
})

test('event stream: film deleted through the API → it disappears from the page', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, { prompt: 'A heron' })
  const { page, expect } = await visit({ as: ann })
  // The page may still request the film's progress.
  expect(/\b404\b/)
  await page.goto('/library')
  // The notification "Film done: A heron" may stand on the page as well.
  const film = page.getByText('A heron', { exact: true }).first()
  await film.waitFor()
  await kinora.call('DELETE', `/api/v1/video/${data.uuid}`, { as: ann })
  await film.waitFor({ state: 'detached' })
})

test('offline: connection lost and restored → a notice while offline, then the page catches up and keeps the draft', async () => {
  const ann = await kinora.person()
  const { page, context, expect } = await visit({ as: ann })
  expect(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/)
  await page.goto('/')
  await page.getByRole('link', { name: /^60 credits/ }).waitFor()
  await context.setOffline(true)
  await page.getByText('The service does not answer.').waitFor()
  await page.getByLabel('Prompt').fill('Written while offline')
  await kinora.generate(ann, { prompt: 'A fox on a frozen lake' })
  await context.setOffline(false)
  await page.getByText('The service does not answer.').waitFor({ state: 'detached' })
  await page.getByText('A fox on a frozen lake').first().waitFor()
  await page.getByRole('link', { name: /^44 credits/ }).waitFor()
  await untilSays(page.getByLabel('Prompt'), 'Written while offline')
})

test('offline: offline event before the connection breaks → the open stream is not trusted, and the notice appears', async () => {
  const { page, expect } = await visit({ as: await kinora.person() })
  expect(/ERR_INTERNET_DISCONNECTED/)
  const opened = page.waitForResponse('**/api/v1/video/events')
  await page.goto('/')
  await opened
  // New requests fail; the stream that is open stays open, as one that hangs.
  await page.route('**/api/**', (route) => route.abort('internetdisconnected'))
  await page.evaluate("dispatchEvent(new Event('offline'))")
  await page.getByText('The service does not answer.').waitFor()
})

test('session: revoked elsewhere → redirect to sign-in, with the current page as its return path', async () => {
  const ann = await kinora.person()
  const { page, expect } = await visit({ as: ann })
  expect(/\b401\b/)
  await page.goto('/library?status=FAILED')
  await page.getByRole('heading', { name: 'Library' }).waitFor()
  await kinora.call('POST', '/api/auth/sign-out', { as: ann, body: {} })
  await page.getByText('Your session has ended.').waitFor()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('next'), '/library?status=FAILED')
})

test('page: its files cannot be loaded → the reason, and the page is there when it is loaded again', async () => {
  const { page, context, expect } = await visit({ as: await kinora.person() })
  expect(/ERR_FAILED|dynamically imported module/)
  await page.goto('/library')
  await page.getByText('Your films will be here').waitFor()
  await context.route('**/assets/credits-page-*', (route) => route.abort())
  await page.getByRole('link', { name: 'Credits', exact: true }).click()
  await page.getByText('The service does not answer, or has a newer version of the studio.').waitFor()
  await context.route('**/assets/credits-page-*', (route) => route.continue())
  await page.getByRole('button', { name: 'Load again' }).click()
  await page.getByRole('heading', { name: 'Credits' }).waitFor()
})
