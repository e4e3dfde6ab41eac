import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { openKinora } from './harness.ts'

const kinora = await openKinora({ simulator: true })
const browser: Browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: [...chromium.args, '--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  headless: true,
})
after(() => browser.close())

test('200: /docs describes every call and tries one, with files and answers of this service alone', async () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    const context = await browser.newContext({ colorScheme })
    const page = await context.newPage()
    const problems: string[] = []
    // What the policy forbids is told there too.
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('requestfailed', (request) => problems.push(request.url()))
    const asked = new Set<string>()
    page.on('request', (request) => asked.add(new URL(request.url()).origin))

    await page.goto(`${kinora.url}/docs`)
    await page.locator('.opblock').first().waitFor()
    const { paths } = await (await page.request.get(`${kinora.url}/openapi.json`)).json()
    const calls = Object.values(paths as Record<string, object>).flatMap((methods) => Object.keys(methods))
    assert.equal(await page.locator('.opblock').count(), calls.length)

    const models = page.locator('[id$=listModels]')
    await models.locator('.opblock-summary-control').click()
    await models.getByRole('button', { name: 'Try it out' }).click()
    await models.getByRole('button', { name: 'Execute' }).click()
    await models.locator('.live-responses-table').getByText('delta-1-5').first().waitFor()
    assert.equal(await models.locator('.live-responses-table .response-col_status').last().textContent(), '200')

    assert.deepEqual(problems, [])
    assert.deepEqual(
      [...asked].filter((origin) => origin !== 'null'),
      [kinora.url],
    )
    const ground = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    assert.equal(ground, colorScheme === 'dark' ? 'rgb(14, 15, 17)' : 'rgb(246, 244, 239)')
    assert.deepEqual(await context.storageState(), { cookies: [], origins: [] })
  }
})

test('200: a film plays from its link, and can be wound to its end', async () => {
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
  // Text, because what runs in the page is not compiled with the rest.
  await page.evaluate("document.querySelector('video').play()")
  await page.waitForFunction("document.querySelector('video').currentTime > 0.3")
  await page.evaluate("{ const film = document.querySelector('video'); film.currentTime = film.duration - 0.1 }")
  await page.waitForFunction("document.querySelector('video').ended")
  const facts =
    "{ const { videoWidth, videoHeight, duration } = document.querySelector('video'); [videoWidth, videoHeight, duration] }"
  assert.deepEqual(await page.evaluate(facts), [1280, 720, 4])
  assert.equal(await page.evaluate("document.querySelector('img').naturalWidth"), 640)
})

test('200: a link opened by itself shows the film, in the sandbox that its headers ask for', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann)
  await kinora.finish(ann, data.uuid)
  const video = await kinora.call<{ videoUrl: string }>('GET', `/api/v1/video/${data.uuid}`, { as: ann })
  const page = await browser.newPage()
  await page.goto(video.data.videoUrl, { waitUntil: 'commit' })
  // The sandbox forbids scripts, so nothing can wait inside the page; it is asked from outside.
  while ((await page.evaluate("document.querySelector('video')?.videoWidth")) !== 1280) await page.waitForTimeout(50)
})
