/** What reaches a page by itself: other tabs, a service that is away for a while, a session that ends elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../../server/test/harness.ts'
import { openBrowser, untilSays } from './browser.ts'

const kinora = await openKinora({ simulator: true, worker: true })
const { visit, tab } = await openBrowser(kinora)

test('many tabs read one stream, and all hear of a film that a program makes', async () => {
  const ann = await kinora.person()
  const first = await visit({ as: ann })
  let streams = 0
  first.context.on('request', (request) => {
    if (request.url().endsWith('/video/events')) streams += 1
  })
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
  assert.equal(streams, 1)

  // The tab that read it goes; another one takes over.
  await first.page.close()
  await kinora.generate(ann, { prompt: 'Gulls over a harbour' })
  for (const page of pages.slice(1)) await page.getByText('Gulls over a harbour').first().waitFor()
  assert.equal(streams, 2)
})

test('a film deleted elsewhere goes from the page', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, { prompt: 'A heron' })
  const { page, expect } = await visit({ as: ann })
  // The page may still be asking how far it is.
  expect(/\b404\b/)
  await page.goto('/library')
  await page.getByText('A heron').first().waitFor()
  await kinora.call('DELETE', `/api/v1/video/${data.uuid}`, { as: ann })
  await page.getByText('A heron').first().waitFor({ state: 'detached' })
})

test('offline, the page says so; back online, it goes on with what happened meanwhile', async () => {
  const ann = await kinora.person()
  const { page, context, expect } = await visit({ as: ann })
  expect(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/)
  await page.goto('/')
  await page.getByRole('link', { name: /^60 credits/ }).waitFor()
  await context.setOffline(true)
  await page.getByText('The service does not answer.').waitFor()
  await page.getByLabel('Prompt').fill('Written while nobody answered')
  await kinora.generate(ann, { prompt: 'A fox on a frozen lake' })
  await context.setOffline(false)
  await page.getByText('The service does not answer.').waitFor({ state: 'detached' })
  await page.getByText('A fox on a frozen lake').first().waitFor()
  await page.getByRole('link', { name: /^44 credits/ }).waitFor()
  await untilSays(page.getByLabel('Prompt'), 'Written while nobody answered')
})

test('a browser that says offline a moment before its network is gone is believed', async () => {
  const { page, context, expect } = await visit({ as: await kinora.person() })
  expect(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/)
  // Its own word is kept from the page, and said too early instead. What is open by then stays open, and hangs.
  await page.addInitScript(
    "addEventListener('offline', (event) => event.isTrusted && event.stopImmediatePropagation(), true)",
  )
  const opened = page.waitForResponse('**/api/v1/video/events')
  await page.goto('/')
  await opened
  await page.evaluate("dispatchEvent(new Event('offline'))")
  await context.setOffline(true)
  await page.getByText('The service does not answer.').waitFor()
})

test('a session that is ended elsewhere leads to the sign-in, and back to the same page', async () => {
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
