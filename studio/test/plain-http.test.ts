/**
 * The studio in an insecure context: over plain HTTP and under a host name that is not localhost, as in a home network.
 * There a browser has no Clipboard API, no Web Locks and no crypto.randomUUID.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser, until } from './browser.ts'
import { countStreams, setVisibility } from './tabs.ts'

const kinora = await openKinora({ simulator: true, worker: true, env: { PUBLIC_URL: 'http://kinora.home' } })
const { visit, tab } = await openBrowser(kinora, { hostName: 'kinora.home' })

test('insecure context: copying without a clipboard → a message explains it, and everything else works', async () => {
  const { page } = await visit({ as: await kinora.person() })
  await page.goto('/')
  const missing = "!isSecureContext && !('clipboard' in navigator) && !('locks' in navigator) && !crypto.randomUUID"
  assert.ok(await page.evaluate(missing), 'the page is not an insecure context')
  await page.getByLabel('Prompt').fill('A kite')
  await page.getByRole('button', { name: 'Generate · 30 credits' }).click()
  await page.getByText('Done', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'A kite' }).click()
  await page.getByRole('button', { name: 'Copy uuid' }).click()
  await page.getByRole('button', { name: 'Mark the text and copy it by hand' }).waitFor()
  await page.getByRole('button', { name: 'Copy file link' }).click()
  await page.getByText('This browser does not let a page copy.').waitFor()
})

test('insecure context: hidden tab → closes its event stream, and reopens it when visible again', async () => {
  const ann = await kinora.person()
  const first = await visit({ as: ann })
  const { page, context } = first
  const streams = countStreams(context)
  const untilOpen = (count: number) => until(async () => streams.open() === count, `${count} streams`)
  await page.goto('/library')
  await page.getByRole('heading', { name: 'Library' }).waitFor()
  await untilOpen(1)
  await setVisibility(page, 'hidden')
  await untilOpen(0)
  const other = await tab(first)
  await other.goto('/library')
  await untilOpen(1)
  await kinora.generate(ann, { prompt: 'Swifts' })
  for (const each of [page, other]) await each.getByText('Swifts').first().waitFor()
  await setVisibility(page, 'visible')
  await untilOpen(2)
})
