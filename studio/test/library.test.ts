/** The library page: filters, previews, keyboard operation, infinite scroll, and live updates. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { completeSlowVideo } from '../../server/test/support/completed-video.ts'
import { generateBody, openKinora, type Person } from '../../server/test/support/harness.ts'
import { openBrowser, until, untilSays } from './browser.ts'
import { cardsOf, film, previewOf } from './films.ts'

const kinora = await openKinora({ simulator: true, worker: true, env: { MAX_IN_PROGRESS: '0' } })
const browser = await openBrowser(kinora, { hasMotion: true })

async function open(path: string, options: BrowserContextOptions & { as: Person }): Promise<Page> {
  const { page } = await browser.visit(options)
  await page.goto(path)
  return page
}

/** Creates films for list tests without rendering any: the provider refuses each of them. */
async function createRefusedFilms(as: Person, count: number): Promise<void> {
  await kinora.grant(as, 16 * count)
  for (let n = 1; n <= count; n += 1) {
    await kinora.generate(as, { prompt: `Number ${n} [refuse: It is only for a list.]` })
  }
  const failed = '/api/v1/video/list?status=FAILED'
  await until(async () => (await kinora.call('GET', failed, { as })).data.total === count, 'all of them to be refused')
}

const untilShown = (page: Page, count: number) =>
  until(async () => (await cardsOf(page).count()) === count, `${count} films`)

test('library: no films → an explanation and a link to the studio', async () => {
  const page = await open('/library', { as: await kinora.person() })
  await page.getByText('Your films will be here').waitFor()
  assert.equal(await page.getByLabel('Status').count(), 0)
  await page.getByRole('main').getByRole('link', { name: 'Make a film' }).click()
  await page.waitForURL(`${kinora.url}/`)
})

test('library: filters set → kept in the URL, and undone one by one by the back button', async () => {
  const ann = await kinora.person({ credits: 200 })
  await kinora.generate(ann, { prompt: 'A heron [refuse: no]' })
  await kinora.generate(ann, { prompt: 'A heron in rain [refuse: no]', model: 'alpha-2' })
  await kinora.generate(ann, { prompt: 'A fox [refuse: no]' })
  const page = await open('/library', { as: ann })
  await untilShown(page, 3)

  await page.keyboard.press('/')
  await page.keyboard.type('heron')
  await page.waitForURL('**/library?q=heron')
  await untilShown(page, 2)
  await page.getByLabel('Model').selectOption('alpha-2')
  await page.waitForURL(/\/library\?.*model=alpha-2/)
  await untilShown(page, 1)
  await cardsOf(page).getByText('in rain').waitFor()

  await page.goBack()
  await untilShown(page, 2)
  await page.waitForURL('**/library?q=heron')
  await untilSays(page.getByLabel('Model'), '')
  await page.goBack()
  await untilShown(page, 3)
  await untilSays(page.getByLabel('Search your prompts'), '')
})

test('library: films of visitors of a customer’s page → a film names its visitor and metadata, and leads to the others of the visitor', async () => {
  const ann = await kinora.person({ credits: 200 })
  const made = await kinora.call('POST', '/api/auth/api-key/create', { as: ann, body: { name: 'shop' } })
  const send = async <T>(credential: string, path: string, body: object) => {
    const { status, data, text } = await kinora.call<T>('POST', path, {
      body,
      headers: { authorization: `Bearer ${credential}` },
    })
    assert.equal(status, 200, text)
    return data
  }
  for (const [subject, prompt] of Object.entries({ '42': 'A heron', 'bo@shop': 'A fox' })) {
    const limits = { subject, scopes: ['generate'], budget: 100 }
    const { token } = await send<{ token: string }>(JSON.parse(made.text).key, '/api/v1/key/token', limits)
    const body = { ...generateBody, prompt: `${prompt} [refuse: no]`, metadata: { order: `Order of ${subject}` } }
    await send(token, '/api/v1/video/generate', body)
  }
  const page = await open('/library', { as: ann })
  await untilShown(page, 2)
  await cardsOf(page).filter({ hasText: 'heron' }).click()
  const facts = page.getByRole('region', { name: 'Facts' })
  await facts.getByText('Order of 42').waitFor()
  await facts.getByRole('link', { name: '42' }).click()
  await untilShown(page, 1)
  await untilSays(page.getByLabel('Visitor'), '42')
  await page.getByLabel('Visitor').fill('bo@shop')
  await cardsOf(page).getByText('A fox').waitFor()
  await page.goto('/library?subject=42')
  await cardsOf(page).getByText('A heron').waitFor()
  await untilShown(page, 1)
})

test('library: URL with filters that match nothing → the filters are set, and a button clears them', async () => {
  const ann = await kinora.person()
  await kinora.generate(ann, { prompt: 'A heron [refuse: no]' })
  const page = await open('/library?status=COMPLETED&q=heron&model=delta-1-5', { as: ann })
  await page.getByText('No film matches').waitFor()
  await untilSays(page.getByLabel('Status'), 'COMPLETED')
  await untilSays(page.getByLabel('Model'), 'delta-1-5')
  await untilSays(page.getByLabel('Search your prompts'), 'heron')
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.waitForURL('**/library')
  await untilShown(page, 1)
  await untilSays(page.getByLabel('Search your prompts'), '')
})

test('library: model in the URL, and the models come after the films → it stays chosen; a card has no place for a name that is not there yet', async () => {
  const ann = await kinora.person()
  await kinora.generate(ann, { prompt: 'A heron [refuse: no]' })
  const { page } = await browser.visit({ as: ann })
  let respond = () => {}
  const films = new Promise<void>((resolve) => {
    respond = resolve
  })
  await page.route('**/api/v1/config/models', async (route) => {
    await films
    await route.continue()
  })
  await page.goto('/library?model=delta-1-5')
  await untilShown(page, 1)
  await cardsOf(page).getByText('4 s', { exact: true }).waitFor()
  respond()
  await cardsOf(page).getByText('Delta 1.5 · 4 s', { exact: true }).waitFor()
  await page.getByLabel('Model').getByText('Delta 1.5').waitFor({ state: 'attached' })
  assert.equal(await page.getByLabel('Model').inputValue(), 'delta-1-5')
})

test('library: characters composed of letters → no search before they are complete', async () => {
  const ann = await kinora.person()
  await kinora.generate(ann, { prompt: '你好 [refuse: no]' })
  const { page, context } = await browser.visit({ as: ann })
  await page.clock.install()
  await page.goto('/library')
  await untilShown(page, 1)
  await page.getByLabel('Search your prompts').focus()
  const keyboard = await context.newCDPSession(page)
  for (const text of ['n', 'ni', 'nih']) {
    await keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
    await page.clock.runFor(1000)
  }
  assert.equal(new URL(page.url()).search, '')
  await keyboard.send('Input.insertText', { text: '你好' })
  await page.clock.runFor(1000)
  await page.waitForURL(({ searchParams }) => searchParams.get('q') === '你好')
  await untilSays(page.getByLabel('Search your prompts'), '你好')
})

test('library: pointer on a film → a muted preview plays, and its file is not loaded before', async () => {
  const ann = await kinora.person()
  await film(kinora, ann)
  const page = await open('/library', { as: ann })
  const loaded: string[] = []
  page.on('request', (request) => request.resourceType() === 'media' && loaded.push(request.url()))
  await cardsOf(page).first().waitFor()
  assert.equal(await previewOf(page), null)
  assert.deepEqual(loaded, [])
  await cardsOf(page).first().hover()
  await until(async () => (await previewOf(page))?.plays === true, 'the film to play')
  assert.deepEqual(await previewOf(page), { plays: true, muted: true })
  await page.getByRole('heading', { name: 'Library' }).hover()
  await until(async () => (await previewOf(page)) === null, 'the film to stop')
})

test('library: prefers-reduced-motion → no preview plays', async () => {
  const ann = await kinora.person()
  const uuid = await film(kinora, ann)
  const page = await open('/library', { as: ann, reducedMotion: 'reduce' })
  // Hovering prefetches the player's data: its response proves that the hover was processed.
  const prefetched = page.waitForResponse(`**/api/v1/video/${uuid}`)
  await cardsOf(page).first().hover()
  await prefetched
  assert.equal(await previewOf(page), null)
})

test('library: failed film → the reason, the credits returned, and its settings for another try', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, { prompt: 'A heron [refuse: Herons are not allowed.]' })
  await kinora.finish(ann, data.uuid)
  const page = await open('/library', { as: ann })
  await cardsOf(page).getByText('Herons are not allowed.', { exact: true }).waitFor()
  await cardsOf(page).getByText('16 credits returned').waitFor()
  await page.getByRole('link', { name: 'Change the request' }).click()
  await untilSays(page.getByLabel('Prompt'), 'A heron [refuse: Herons are not allowed.]')
})

test('library and studio: film that retention has removed → the card says so in place of the poster', async () => {
  const ann = await kinora.person()
  const uuid = await film(kinora, ann)
  await kinora.app.sql`update kinora.video set files_removed_at = now() where id = ${uuid}`
  const page = await open('/library', { as: ann })
  await cardsOf(page).getByText('This film is no longer kept.').waitFor()
  await page.goto('/')
  await page.getByRole('region', { name: 'Stage' }).getByText('This film is no longer kept.').waitFor()
})

test('library: poster not loaded → each card has its film’s aspect ratio and fits a phone', async () => {
  const ann = await kinora.person({ credits: 200 })
  const ratios = ['16:9', '9:16', '1:1', '21:9'] as const
  for (const aspectRatio of ratios) await kinora.generate(ann, { prompt: `${aspectRatio} [refuse: no]`, aspectRatio })
  const page = await open('/library', { as: ann, viewport: { width: 390, height: 844 } })
  await untilShown(page, 4)
  for (const ratio of ratios) {
    const frame = cardsOf(page)
      .filter({ hasText: `${ratio} [` })
      .locator('> span')
      .first()
    const box = await frame.boundingBox()
    const [width = 0, height = 1] = ratio.split(':').map(Number)
    assert.ok(box && Math.abs(box.width / box.height - width / height) < 0.03, ratio)
    assert.ok(box.x >= 0 && box.x + box.width <= 390, ratio)
  }
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
})

test('library: next page fails to load → an error with "Try again", which loads it', async () => {
  const ann = await kinora.person()
  await createRefusedFilms(ann, 50)
  const { page, expect } = await browser.visit({ as: ann })
  expect(/status of 400/)
  // A stream without messages: a message would refetch the list, and so load the next page without the retry.
  await page.route('**/api/v1/video/events', () => {})
  const nextPage = '**/api/v1/video/list?*cursor=*'
  await page.route(nextPage, (route) => route.fulfill({ status: 400, body: '{}' }))
  await page.goto('/library')
  await page.getByText('48 of 50').scrollIntoViewIfNeeded()
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  assert.equal(await cardsOf(page).count(), 48)
  await page.route(nextPage, (route) => route.continue())
  await again.click()
  await untilShown(page, 50)
})

test('library: keyboard only → preview, player navigation, deletion and undo are reachable', async () => {
  const ann = await kinora.person({ credits: 200 })
  const older = await film(kinora, ann, { prompt: 'The older one' })
  const newer = await film(kinora, ann, { prompt: 'The newer one' })
  const page = await open('/library', { as: ann })
  await untilShown(page, 2)
  await page.keyboard.press('/')
  for (let press = 0; press < 5; press += 1) await page.keyboard.press('Tab')
  await until(async () => (await previewOf(page))?.plays === true, 'the film in focus to play')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/library/${newer}`)
  await page.getByRole('link', { name: 'Next' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(`**/library/${older}`)
  await page.getByRole('link', { name: 'Previous' }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.waitForURL(`**/library/${newer}`)
  await page.getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/library')
  await untilShown(page, 1)
  await page.getByText('Film deleted.').waitFor()
  // F6 moves the focus to the toasts.
  await page.keyboard.press('F6')
  await until(async () => {
    await page.keyboard.press('Tab')
    return page.evaluate("document.activeElement?.textContent === 'Undo'")
  }, 'the undo in focus')
  await page.keyboard.press('Enter')
  await untilShown(page, 2)
})

test('library: film in progress → a progress bar, replaced by the poster when it is done', async () => {
  const ann = await kinora.person()
  const page = await open('/library', { as: ann })
  await page.getByText('Your films will be here').waitFor()
  const { data } = await kinora.generate(ann, { prompt: 'A heron [slow: 60s]' })
  await cardsOf(page).getByRole('progressbar', { name: 'A heron' }).waitFor()
  await completeSlowVideo(kinora, ann, data.uuid)
  await cardsOf(page).locator('img').waitFor()
  await cardsOf(page).getByRole('progressbar').waitFor({ state: 'detached' })
})
