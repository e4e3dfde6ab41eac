/**
 * The studio of a service in a home network, over plain http and under a name that is not localhost. There a browser has
 * no clipboard, no locks and no randomUUID.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Request } from 'playwright-core'
import { openKinora } from '../../server/test/harness.ts'
import { openBrowser, until } from './browser.ts'

const kinora = await openKinora({ simulator: true, worker: true, env: { PUBLIC_URL: 'http://kinora.home' } })
const { visit, tab } = await openBrowser(kinora, { hostName: 'kinora.home' })

test('a film is made, and what cannot be copied is said in words', async () => {
  const { page } = await visit({ as: await kinora.person() })
  await page.goto('/')
  const missing = "!isSecureContext && !('clipboard' in navigator) && !('locks' in navigator) && !crypto.randomUUID"
  assert.ok(await page.evaluate(missing), 'this is not what a page over plain http has')
  await page.getByLabel('Prompt').fill('A kite')
  await page.getByRole('button', { name: 'Generate · 24 credits' }).click()
  await page.getByText('Done', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'A kite' }).click()
  await page.getByRole('button', { name: 'Copy uuid' }).click()
  await page.getByRole('button', { name: 'Mark the text and copy it by hand' }).waitFor()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('This browser does not let a page copy.').waitFor()
})

test('a tab that is not seen reads no stream, and one that is seen again goes on with it', async () => {
  const ann = await kinora.person()
  const visited = await visit({ as: ann })
  const { page, context } = visited
  let open = 0
  const isStream = (url: string) => url.endsWith('/video/events')
  context.on('request', (request) => {
    if (isStream(request.url())) open += 1
  })
  const isOver = (request: Request) => {
    if (isStream(request.url())) open -= 1
  }
  context.on('requestfinished', isOver).on('requestfailed', isOver)
  const turn = (to: 'hidden' | 'visible') =>
    page.evaluate(`{
      Object.defineProperty(document, 'visibilityState', { value: '${to}', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }`)
  const isOpen = (wanted: number) => until(async () => open === wanted, `${wanted} streams`)
  await page.goto('/library')
  await page.getByRole('heading', { name: 'Library' }).waitFor()
  await isOpen(1)
  await turn('hidden')
  await isOpen(0)
  const other = await tab(visited)
  await other.goto('/library')
  await isOpen(1)
  await kinora.generate(ann, { prompt: 'Swifts' })
  for (const each of [page, other]) await each.getByText('Swifts').first().waitFor()
  await turn('visible')
  await isOpen(2)
})
