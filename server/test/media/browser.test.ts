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

test('/docs: in a browser → a request is tried, the key fills the samples in and stays in the tab, the search finds', async () => {
  const context = await browser.newContext({ colorScheme: 'dark' })
  const page = await context.newPage()
  const problems: string[] = []
  // Violations of the Content-Security-Policy are logged to the console too.
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('requestfailed', (request) => problems.push(request.url()))
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))

  await page.goto(`${kinora.url}/docs`)
  await page.getByRole('link', { name: 'Models, plans, options' }).first().click()
  const models = page.locator('p', { hasText: 'GET /api/v1/config/models' }).last()
  await models.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('button', { name: 'Send GET' }).click()
  const response = page.locator('.try pre')
  await response.getByText('delta-1-5').waitFor()
  assert.match((await response.textContent()) ?? '', /^200 OK\n/)

  await page.getByLabel('Search the documents').fill('balance')
  await page.getByRole('link', { name: /^Your balance/ }).click()
  await page.waitForURL('**/docs/api-credit#your-balance')
  const samples = page.locator('pre.sample:visible', { hasText: '/api/v1/credit/balance' })
  assert.match((await samples.first().textContent()) ?? '', /^curl 'http.*\$KINORA_API_KEY/s)
  await page.getByLabel('Python').check()
  await page.getByLabel('Your API key').fill('kin_of_the_reader')
  const python = page.locator('pre.sample:visible').first()
  assert.match((await python.textContent()) ?? '', /api_key="kin_of_the_reader"/)
  await page.reload()
  assert.match((await python.textContent()) ?? '', /api_key="kin_of_the_reader"/)

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
  const { cookies, origins: stored } = await context.storageState()
  assert.deepEqual(
    [cookies, stored.flatMap(({ localStorage }) => localStorage.map(({ name }) => name))],
    [[], ['kinora.docs.language']],
  )
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
