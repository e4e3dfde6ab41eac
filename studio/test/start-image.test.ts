/** The start image field: uploads, their errors, and links that expire. */
import assert from 'node:assert/strict'
import { truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { openKinora, type Person } from '../../server/test/support/harness.ts'
import { openBrowser, untilSays } from './browser.ts'

const kinora = await openKinora({ simulator: true })
const { visit } = await openBrowser(kinora)

/** Removes all pictures of a user, as their end of life does. */
async function removeAssets(as: Person): Promise<void> {
  const { data } = await kinora.call<{ assets: { id: string }[] }>('GET', '/api/v1/asset', { as })
  for (const { id } of data.assets) await kinora.call('DELETE', `/api/v1/asset/${id}` as '/api/v1/asset/{id}', { as })
}

/** A valid PNG. */
const screenshot = (page: Page) => page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 160 } })

const input = (page: Page) => page.getByLabel('Start image', { exact: true })
const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  input(page).setInputFiles({ name, mimeType, buffer })

const field = (page: Page) => page.getByRole('group', { name: 'Start image' })

/** Waits for the form's price: a quote under way would not find an image that is removed. */
const untilPriced = (page: Page) => page.locator('[aria-disabled="false"]', { hasText: 'Generate' }).waitFor()

test('start image: unusual image type → accepted; other type or content → refused with the reason', async () => {
  const { page, expect } = await visit({ as: await kinora.person() })
  expect(/\b4(00|15)\b.*\/asset$/)
  await page.goto('/')
  await page.getByLabel('Prompt').waitFor()
  const png = await screenshot(page)
  for (const type of ['', 'application/octet-stream', 'image/x-png']) {
    await choose(page, 'odd', type, png)
    await field(page).getByText('The film begins with this image.').waitFor()
    await field(page).getByRole('button', { name: 'Remove' }).click()
  }
  await choose(page, 'film.mp4', 'video/mp4', png)
  await field(page).getByText('An image is a PNG, JPEG, WebP or AVIF file.').waitFor()
  await choose(page, 'words.png', 'image/png', Buffer.from('These are words.'))
  await field(page).getByRole('alert').filter({ hasNotText: 'An image is a PNG' }).waitFor()
  await field(page).getByRole('button', { name: 'Choose a start image' }).waitFor()
})

test('start image: good image set, then a file that is refused or an upload that is stopped → the good one stays', async () => {
  const { page, context, expect } = await visit({ as: await kinora.person() })
  expect(/\b4(00|15)\b.*\/asset$|ERR_FAILED|ERR_ABORTED/)
  await page.goto('/')
  await page.getByLabel('Prompt').fill('It begins to rain')
  const png = await screenshot(page)
  await choose(page, 'good.png', 'image/png', png)
  await field(page).getByText('The film begins with this image.').waitFor()
  // The browser reads a file by its path; 15 MB of content would go through its protocol.
  const large = path.join(kinora.app.config.dataDir, 'large.png')
  await writeFile(large, '')
  await truncate(large, 15 * 1024 * 1024 + 1)
  const wrong = (mimeType: string, buffer: Buffer) => ({ name: 'wrong', mimeType, buffer })
  const refused = [
    { file: wrong('video/mp4', png), message: 'An image is a PNG, JPEG, WebP or AVIF file.' },
    { file: large, message: 'The image is larger than 15 MB.' },
    { file: wrong('image/png', Buffer.from('These are words.')), message: /^(?!An image is a)/ },
  ]
  for (const { file, message } of refused) {
    await input(page).setInputFiles(file)
    await field(page).getByRole('alert').getByText(message).waitFor()
    await field(page).locator('img').waitFor()
    assert.equal(await field(page).getByRole('status').textContent(), '', 'no hint beside the refusal')
  }
  const upload = Promise.withResolvers<Route>()
  await context.route('**/api/v1/asset', upload.resolve)
  await choose(page, 'other.png', 'image/png', png)
  await upload.promise
  await field(page).getByRole('button', { name: 'Stop' }).click()
  await field(page).getByText('The film begins with this image.').waitFor()
  assert.equal(await field(page).getByRole('alert').count(), 0)
  const sent = page.waitForRequest('**/api/v1/video/generate')
  await page.getByRole('button', { name: 'Generate · 30 credits' }).click()
  assert.match((await sent).postDataJSON().inputs[0].asset, /^[0-9a-f-]{36}$/)
})

test('start image: upload stopped by the user → no error, and the form can be submitted', async () => {
  const { page, context, expect } = await visit({ as: await kinora.person() })
  expect(/ERR_FAILED|ERR_ABORTED/)
  const upload = Promise.withResolvers<Route>()
  await context.route('**/api/v1/asset', upload.resolve)
  await page.goto('/')
  await page.getByLabel('Prompt').waitFor()
  await choose(page, 'a.png', 'image/png', await screenshot(page))
  await upload.promise
  await field(page).getByText('Uploading. This can take minutes.').waitFor()
  await field(page).getByRole('button', { name: 'Stop' }).click()
  await field(page).getByRole('button', { name: 'Choose a start image' }).waitFor()
  assert.equal(await field(page).getByRole('alert').count(), 0, 'stopping is no error')
  await page.getByRole('button', { name: 'Generate · 30 credits' }).waitFor()
})

test('start image: upload refused or connection lost → the message appears at the field', async () => {
  const { page, context, expect } = await visit({ as: await kinora.person() })
  expect(/\b(408|413|429|503)\b.*\/asset$|ERR_FAILED/)
  await page.goto('/')
  await page.getByLabel('Prompt').waitFor()
  const image = await screenshot(page)
  for (const status of [408, 413, 429, 503, null]) {
    const message = status ? `Refused with ${status}; send it again.` : 'The service cannot be reached.'
    const error = { code: 'UNAVAILABLE', message }
    await context.route('**/api/v1/asset', (route) =>
      status ? route.fulfill({ status, json: { success: false, error } }) : route.abort(),
    )
    await choose(page, 'a.png', 'image/png', image)
    await field(page).getByText(message).waitFor()
    await context.route('**/api/v1/asset', (route) => route.continue())
  }
})

test('start image: service has no room for the file and says when → it is sent again by itself', async () => {
  const { page, context, expect } = await visit({ as: await kinora.person() })
  expect(/\b503\b.*\/asset$/)
  await page.goto('/')
  await page.getByLabel('Prompt').waitFor()
  let sent = 0
  await context.route('**/api/v1/asset', (route) => {
    sent += 1
    const json = { success: false, error: { code: 'UNAVAILABLE', message: 'Try again shortly.' } }
    return sent === 1 ? route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json }) : route.continue()
  })
  await choose(page, 'a.png', 'image/png', await screenshot(page))
  await field(page).getByText('The film begins with this image.').waitFor()
  assert.equal(sent, 2)
})

test('start image: image of a draft is no longer kept → the field reports it, and the draft goes on without it', async () => {
  const ann = await kinora.person()
  const { page, expect } = await visit({ as: ann })
  expect(/\b404\b/)
  await page.goto('/')
  await page.getByLabel('Prompt').fill('It begins to rain')
  await choose(page, 'a.png', 'image/png', await screenshot(page))
  await field(page).getByText('The film begins with this image.').waitFor()
  await untilPriced(page)
  await removeAssets(ann)
  await page.reload()
  await field(page).getByText('This is no longer kept. Remove it, and choose it again.').waitFor()
  assert.equal(await page.getByText('is no longer kept').count(), 1)
  assert.equal(await field(page).getByRole('status').textContent(), '', 'nothing else is said of it')
  await field(page).getByRole('button', { name: 'Remove' }).click()
  await field(page).getByRole('button', { name: 'Choose a start image' }).waitFor()
  await page.getByRole('button', { name: 'Generate · 30 credits' }).waitFor()
  await untilSays(page.getByLabel('Prompt'), 'It begins to rain')
})

test('start image: removed between quote and submit → the field reports it', async () => {
  const ann = await kinora.person()
  const { page, expect } = await visit({ as: ann })
  expect(/\b404\b/)
  await page.goto('/')
  await page.getByLabel('Prompt').fill('It begins to rain')
  await choose(page, 'a.png', 'image/png', await screenshot(page))
  await field(page).getByText('The film begins with this image.').waitFor()
  await untilPriced(page)
  await removeAssets(ann)
  await page.getByRole('button', { name: 'Generate · 30 credits', disabled: false }).click()
  await field(page).getByText('This is no longer kept. Remove it, and choose it again.').waitFor()
})

test('start image: preview still loading → its size is reserved; preview unavailable → a text replaces it', async () => {
  const { page, context, expect } = await visit({ as: await kinora.person() })
  expect(/\b404\b.*\/files\//)
  await page.goto('/')
  await page.getByLabel('Prompt').waitFor()
  await choose(page, 'a.png', 'image/png', await screenshot(page))
  await field(page).getByText('The film begins with this image.').waitFor()
  const preview = Promise.withResolvers<Route>()
  await context.route('**/files/asset/**', preview.resolve)
  // The page is loaded when its images are.
  await page.reload({ waitUntil: 'commit' })
  const route = await preview.promise
  const box = await field(page).locator('img').boundingBox()
  assert.deepEqual([box?.width, box?.height], [112, 56])
  await route.fulfill({ status: 404 })
  await field(page).getByText('This image cannot be shown.').waitFor()
  await field(page).locator('img').waitFor({ state: 'detached' })
})

test('start image: retry with the same image, sent again → idempotent, one film', async () => {
  const ann = await kinora.person()
  const { page, context, expect } = await visit({ as: ann })
  expect(/ERR_FAILED/)
  await page.goto('/')
  await page.getByLabel('Prompt').fill('It begins to rain')
  const image = await screenshot(page)
  await choose(page, 'a.png', 'image/png', image)
  await field(page).getByText('The film begins with this image.').waitFor()
  await context.route('**/api/v1/video/generate', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Generate · 30 credits' }).click()
  await page.getByRole('complementary').getByText('The service cannot be reached.').waitFor()
  await context.route('**/api/v1/video/generate', (route) => route.continue())
  await field(page).getByRole('button', { name: 'Remove' }).click()
  await choose(page, 'a.png', 'image/png', image)
  await field(page).getByText('The film begins with this image.').waitFor()
  await page.getByRole('button', { name: 'Generate · 30 credits' }).click()
  await page.getByRole('link', { name: 'It begins to rain' }).waitFor()
  const { data } = await kinora.call<{ total: number }>('GET', '/api/v1/video/list', { as: ann })
  assert.equal(data.total, 1)
})
