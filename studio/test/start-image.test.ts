/** The place of the start image: what the service refuses is said there in its words, and a link that ends is noticed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { openKinora } from '../../server/test/harness.ts'
import { openBrowser, untilSays } from './browser.ts'

const kinora = await openKinora({ simulator: true })
const { visit } = await openBrowser(kinora)

const HOUR_MS = 3600_000
/** After this a link has ended, which holds for a day and somewhat more. */
const LINK_MS = 48 * HOUR_MS

/** An image of the service's own page, which is a good one. */
const picture = (page: Page) => page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 160 } })

const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.getByLabel('Start image', { exact: true }).setInputFiles({ name, mimeType, buffer })

const place = (page: Page) => page.getByRole('group', { name: 'Start image' })

test('the bytes decide what an image is, and the service says what it refuses', async () => {
  const { page, expect } = await visit({ as: await kinora.person() })
  expect(/\b4(00|15)\b.*video\/image$/)
  await page.goto('/')
  await page.getByLabel('Prompt').waitFor()
  const good = await picture(page)
  for (const type of ['', 'application/octet-stream', 'image/x-png']) {
    await choose(page, 'odd', type, good)
    await place(page).getByText('The film begins with this image.').waitFor()
    await place(page).getByRole('button', { name: 'Remove' }).click()
  }
  await choose(page, 'film.mp4', 'video/mp4', good)
  await place(page).getByText('A start image is a PNG, JPEG or WebP file.').waitFor()
  await choose(page, 'words.png', 'image/png', Buffer.from('These are words.'))
  await place(page).getByRole('alert').filter({ hasNotText: 'A start image is a PNG' }).waitFor()
  await choose(page, 'large.png', 'image/png', Buffer.alloc(15 * 1024 * 1024 + 1))
  await place(page).getByText('The image is larger than 15 MB.').waitFor()
  await place(page).getByRole('button', { name: 'Choose a start image' }).waitFor()
})

test('an upload is said to take a while, and can be stopped', async () => {
  const { page, context, expect } = await visit({ as: await kinora.person() })
  expect(/ERR_FAILED|ERR_ABORTED/)
  const held = Promise.withResolvers<Route>()
  await context.route('**/api/v1/video/image', held.resolve)
  await page.goto('/')
  await page.getByLabel('Prompt').waitFor()
  await choose(page, 'a.png', 'image/png', await picture(page))
  await held.promise
  await place(page).getByText('Uploading. This can take minutes.').waitFor()
  await place(page).getByRole('button', { name: 'Stop' }).click()
  await place(page).getByRole('button', { name: 'Choose a start image' }).waitFor()
  assert.equal(await place(page).getByRole('alert').count(), 0, 'what one stops oneself is no mistake')
  await page.getByRole('button', { name: 'Generate · 24 credits' }).waitFor()
})

test('what the service or the line says against an upload stands at its place', async () => {
  const { page, context, expect } = await visit({ as: await kinora.person() })
  expect(/\b(408|413|429|503)\b.*video\/image$|ERR_FAILED/)
  await page.goto('/')
  await page.getByLabel('Prompt').waitFor()
  const image = await picture(page)
  for (const status of [408, 413, 429, 503, null]) {
    const message = status ? `Refused with ${status}; send it again.` : 'The service cannot be reached.'
    const error = { code: 'UNAVAILABLE', message }
    await context.route('**/api/v1/video/image', (route) =>
      status ? route.fulfill({ status, json: { success: false, error } }) : route.abort(),
    )
    await choose(page, 'a.png', 'image/png', image)
    await place(page).getByText(message).waitFor()
    await context.unroute('**/api/v1/video/image')
  }
})

test('a draft whose link has ended says so at the image, and goes on without it', async (t) => {
  const { page, expect } = await visit({ as: await kinora.person() })
  expect(/\b400\b.*video\/quote$|\b40[34]\b.*\/files\//)
  await page.goto('/')
  await page.getByLabel('Prompt').fill('It begins to rain')
  await choose(page, 'a.png', 'image/png', await picture(page))
  await place(page).getByText('The film begins with this image.').waitFor()
  kinora.turnClock(LINK_MS)
  t.after(() => kinora.turnClock(-LINK_MS))
  await page.reload()
  await place(page).getByText('The link to the start image has expired; upload the image again.').waitFor()
  await place(page).getByRole('button', { name: 'Choose a start image' }).waitFor()
  await page.getByRole('button', { name: 'Generate · 24 credits' }).waitFor()
  assert.equal(await page.getByText('has expired').count(), 1)
  await untilSays(page.getByLabel('Prompt'), 'It begins to rain')
})

test('a link that ends between the price and the press is said at the image too', async (t) => {
  const { page, expect } = await visit({ as: await kinora.person() })
  expect(/\b400\b.*video\/(quote|generate)$/)
  await page.goto('/')
  await page.getByLabel('Prompt').fill('It begins to rain')
  await choose(page, 'a.png', 'image/png', await picture(page))
  await place(page).getByText('The film begins with this image.').waitFor()
  const generate = page.getByRole('button', { name: 'Generate · 24 credits', disabled: false })
  await page.locator('[aria-disabled="false"]', { hasText: 'Generate' }).waitFor()
  kinora.turnClock(LINK_MS)
  t.after(() => kinora.turnClock(-LINK_MS))
  await generate.click()
  await place(page).getByText('The link to the start image has expired; upload the image again.').waitFor()
  await place(page).getByRole('button', { name: 'Choose a start image' }).waitFor()
})

test('the picture has its place before it is there, and one that cannot be shown is told in words', async () => {
  const { page, context, expect } = await visit({ as: await kinora.person() })
  expect(/\b404\b.*\/files\//)
  await page.goto('/')
  await page.getByLabel('Prompt').waitFor()
  await choose(page, 'a.png', 'image/png', await picture(page))
  await place(page).getByText('The film begins with this image.').waitFor()
  const held = Promise.withResolvers<Route>()
  await context.route('**/files/image/**', held.resolve)
  await page.reload()
  const route = await held.promise
  const box = await place(page).locator('img').boundingBox()
  assert.deepEqual([box?.width, box?.height], [80, 40])
  await route.fulfill({ status: 404 })
  await place(page).getByText('The film begins with an image that cannot be shown.').waitFor()
  await place(page).locator('img').waitFor({ state: 'detached' })
})

test('the same image by a newer link is the same press', async () => {
  const ann = await kinora.person()
  const { page, context, expect } = await visit({ as: ann })
  expect(/ERR_FAILED/)
  await page.goto('/')
  await page.getByLabel('Prompt').fill('It begins to rain')
  const image = await picture(page)
  await choose(page, 'a.png', 'image/png', image)
  await place(page).getByText('The film begins with this image.').waitFor()
  const links: string[] = []
  await context.route('**/api/v1/video/generate', async (route) => {
    links.push(route.request().postDataJSON().startImageUrl)
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Generate · 24 credits' }).click()
  await page.getByRole('complementary').getByText('The service cannot be reached.').waitFor()
  await context.unroute('**/api/v1/video/generate')
  // From now on links end later, while the first one still holds.
  kinora.turnClock(4 * HOUR_MS)
  await place(page).getByRole('button', { name: 'Remove' }).click()
  await choose(page, 'a.png', 'image/png', image)
  await place(page).getByText('The film begins with this image.').waitFor()
  const sent = page.waitForRequest('**/api/v1/video/generate')
  await page.getByRole('button', { name: 'Generate · 24 credits' }).click()
  assert.notEqual((await sent).postDataJSON().startImageUrl, links[0])
  await page.getByRole('link', { name: 'It begins to rain' }).waitFor()
  const { data } = await kinora.call<{ total: number }>('GET', '/api/v1/video/list', { as: ann })
  assert.equal(data.total, 1)
})
