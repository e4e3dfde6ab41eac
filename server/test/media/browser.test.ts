import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora } from '../support/harness.ts'

const kinora = await openKinora({ simulator: true })
const browser: Browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: [...chromium.args, '--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  headless: true,
})
after(() => browser.close())

test('/docs: in a browser → lists every operation, executes one, and requests this origin only', async () => {
  const context = await browser.newContext({ colorScheme: 'dark' })
  const page = await context.newPage()
  const problems: string[] = []
  // Violations of the Content-Security-Policy are logged to the console too.
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('requestfailed', (request) => problems.push(request.url()))
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))

  for (const [address, document] of [
    ['/docs?operator', '/openapi-operator.json'],
    ['/docs', '/openapi.json'],
  ]) {
    await page.goto(kinora.url + address)
    const { paths, webhooks = {} } = await (await page.request.get(kinora.url + document)).json()
    const calls = Object.values(paths as Record<string, object>).flatMap((methods) => Object.keys(methods))
    const operations = calls.length + Object.keys(webhooks).length
    await page
      .locator('.opblock')
      .nth(operations - 1)
      .waitFor()
    assert.equal(await page.locator('.opblock').count(), operations)
  }

  const models = page.locator('[id$=listModels]')
  await models.locator('.opblock-summary-control').click()
  await models.getByRole('button', { name: 'Try it out' }).click()
  await models.getByRole('button', { name: 'Execute' }).click()
  await models.locator('.live-responses-table').getByText('delta-1-5').first().waitFor()
  assert.equal(await models.locator('.live-responses-table .response-col_status').last().textContent(), '200')

  assert.deepEqual(problems, [])
  assert.deepEqual(
    [...origins].filter((origin) => origin !== 'null'),
    [kinora.url],
  )
  const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  assert.equal(await background(), 'rgb(14, 15, 17)')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html:not(.dark-mode)').waitFor()
  assert.equal(await background(), 'rgb(246, 244, 239)')
  assert.deepEqual(await context.storageState(), { cookies: [], origins: [] })
})

test('signed link: in a <video> element → plays and seeks to the end', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, { prompt: 'A lighthouse in fog' })
  await kinora.finish(ann, data.uuid)
  const video = await kinora.call<{ videoUrl: string; thumbnailUrl: string }>('GET', `/api/v1/video/${data.uuid}`, {
    as: ann,
  })

  const page = await browser.newPage()
  await page.setContent(
    `<video muted src="${video.data.videoUrl}"></video><img src="${video.data.thumbnailUrl}" alt="">`,
  )
  // A string, because the code runs in the page and is not type-checked with the test.
  await page.evaluate("document.querySelector('video').play()")
  await page.waitForFunction("document.querySelector('video').currentTime > 0.3")
  await page.evaluate("{ const film = document.querySelector('video'); film.currentTime = film.duration - 0.1 }")
  await page.waitForFunction("document.querySelector('video').ended")
  const facts =
    "{ const { videoWidth, videoHeight, duration } = document.querySelector('video'); [videoWidth, videoHeight, duration] }"
  assert.deepEqual(await page.evaluate(facts), [1280, 720, 4])
  assert.equal(await page.evaluate("document.querySelector('img').naturalWidth"), 640)
})

test('signed link: opened as a page → shows the film inside the CSP sandbox', async () => {
  const ann = await kinora.person()
  const uuid = await completedVideo(kinora, ann)
  const video = await kinora.call<{ videoUrl: string }>('GET', `/api/v1/video/${uuid}`, { as: ann })
  const page = await browser.newPage()
  await page.goto(video.data.videoUrl, { waitUntil: 'commit' })
  // The sandbox forbids scripts, so waitForFunction cannot poll in the page; the test polls from outside.
  while ((await page.evaluate("document.querySelector('video')?.videoWidth")) !== 1280) await page.waitForTimeout(50)
})
