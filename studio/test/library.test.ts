/** The list of films, as somebody meets it who looks for one: by address, by pointer, by keyboard, and far down. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openKinora, type Person } from '../../server/test/harness.ts'
import { openBrowser, until, untilSays } from './browser.ts'
import { cardsOf, film, previewOf } from './films.ts'

const kinora = await openKinora({ simulator: true, worker: true, env: { MAX_IN_PROGRESS: '0' } })
const browser = await openBrowser(kinora)

async function open(address: string, options: BrowserContextOptions & { as: Person }): Promise<Page> {
  const { page } = await browser.visit(options)
  await page.goto(address)
  return page
}

/** As many films without a file as a test of lists needs: the provider refuses each, so none is rendered. */
async function refusedFilms(as: Person, number: number): Promise<void> {
  await kinora.grant(as, 16 * number)
  for (let at = 1; at <= number; at += 1) {
    await kinora.generate(as, { prompt: `Number ${at} [refuse: It is only for a list.]` })
  }
  const failed = '/api/v1/video/list?status=FAILED'
  await until(async () => (await kinora.call('GET', failed, { as })).data.total === number, 'all of them to be refused')
}

const shows = (page: Page, number: number) =>
  until(async () => (await cardsOf(page).count()) === number, `${number} films`)

test('an empty library says what will be there, and leads to the studio', async () => {
  const page = await open('/library', { as: await kinora.person() })
  await page.getByText('Your films will be here').waitFor()
  assert.equal(await page.getByLabel('Status').count(), 0)
  await page.getByRole('main').getByRole('link', { name: 'Make a film' }).click()
  await page.waitForURL(`${kinora.url}/`)
})

test('filters stand in the address, and the back button takes them back one by one', async () => {
  const ann = await kinora.person({ credits: 200 })
  await kinora.generate(ann, { prompt: 'A heron [refuse: no]' })
  await kinora.generate(ann, { prompt: 'A heron in rain [refuse: no]', model: 'alpha-2' })
  await kinora.generate(ann, { prompt: 'A fox [refuse: no]' })
  const page = await open('/library', { as: ann })
  await shows(page, 3)

  await page.keyboard.press('/')
  await page.keyboard.type('heron')
  await page.waitForURL('**/library?q=heron')
  await shows(page, 2)
  await page.getByLabel('Model').selectOption('alpha-2')
  await page.waitForURL(/\/library\?.*model=alpha-2/)
  await shows(page, 1)
  await cardsOf(page).getByText('in rain').waitFor()

  await page.goBack()
  await shows(page, 2)
  await page.waitForURL('**/library?q=heron')
  await untilSays(page.getByLabel('Model'), '')
  await page.goBack()
  await shows(page, 3)
  await untilSays(page.getByLabel('Search your prompts'), '')
})

test('an address with filters shows the same to whoever opens it; one that finds nothing offers to clear them', async () => {
  const ann = await kinora.person()
  await kinora.generate(ann, { prompt: 'A heron [refuse: no]' })
  const page = await open('/library?status=COMPLETED&q=heron&model=delta-1-5', { as: ann })
  await page.getByText('No film matches').waitFor()
  await untilSays(page.getByLabel('Status'), 'COMPLETED')
  await untilSays(page.getByLabel('Model'), 'delta-1-5')
  await untilSays(page.getByLabel('Search your prompts'), 'heron')
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.waitForURL('**/library')
  await shows(page, 1)
  await untilSays(page.getByLabel('Search your prompts'), '')
})

test('a film plays while it is pointed at, muted, and is not loaded before', async () => {
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

test('nothing plays by itself for somebody who asked for less motion', async () => {
  const ann = await kinora.person()
  const uuid = await film(kinora, ann)
  const page = await open('/library', { as: ann, reducedMotion: 'reduce' })
  // What the player will need is asked ahead, which shows that the pointing was noticed.
  const noticed = page.waitForResponse(`**/api/v1/video/${uuid}`)
  await cardsOf(page).first().hover()
  await noticed
  assert.equal(await previewOf(page), null)
})

test('a failed film says why and what came back', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, { prompt: 'A heron [refuse: Herons are not allowed.]' })
  await kinora.finish(ann, data.uuid)
  const page = await open('/library', { as: ann })
  await cardsOf(page).getByText('Herons are not allowed.', { exact: true }).waitFor()
  await cardsOf(page).getByText('16 credits returned').waitFor()
})

test('every card has the ratio of its film before any picture is there, and fits a phone', async () => {
  const ann = await kinora.person({ credits: 200 })
  const ratios = ['16:9', '9:16', '1:1', '21:9'] as const
  for (const aspectRatio of ratios) await kinora.generate(ann, { prompt: `${aspectRatio} [refuse: no]`, aspectRatio })
  const page = await open('/library', { as: ann, viewport: { width: 390, height: 844 } })
  await shows(page, 4)
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

test('a long list goes on by itself, and is at the same place after the player', async () => {
  const ann = await kinora.person()
  await refusedFilms(ann, 110)
  const page = await open('/library', { as: ann })
  await shows(page, 48)
  await page.getByText('110 films').waitFor()
  await page.getByText('48 of 110').waitFor()
  await until(async () => {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    return (await cardsOf(page).count()) === 110
  }, 'all 110 films')
  const all = await cardsOf(page).allTextContents()
  assert.match(all[0] ?? '', /Number 110 /)
  assert.match(all[109] ?? '', /Number 1 /)
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)

  const far = cardsOf(page).filter({ hasText: 'Number 20 ' })
  // By keyboard, because a press by Playwright's pointer scrolls the page a little first.
  await far.focus()
  const place = () => page.evaluate<number>('globalThis.scrollY')
  // The browser brings it into sight in two steps, a frame apart.
  const frame = () =>
    page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  let before = Number.NaN
  await until(async () => {
    const at = before
    await frame()
    before = await place()
    return at === before
  }, 'the place to stand still')
  assert.ok(before > 1000)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete' }).waitFor()
  await page.getByRole('button', { name: 'Library' }).click()
  await shows(page, 110)
  await until(async () => Math.abs((await place()) - before) < 2, 'the same place')
})

test('a list that cannot go on says so, and goes on when asked to', async () => {
  const ann = await kinora.person()
  await refusedFilms(ann, 50)
  const { page, expect } = await browser.visit({ as: ann })
  expect(/status of 400/)
  // A stream that has nothing to tell: what it tells has the list read again, and then it goes on without being asked.
  await page.route('**/api/v1/video/events', () => {})
  const deeper = '**/api/v1/video/list?*cursor=*'
  await page.route(deeper, (route) => route.fulfill({ status: 400, body: '{}' }))
  await page.goto('/library')
  await page.getByText('48 of 50').scrollIntoViewIfNeeded()
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  assert.equal(await cardsOf(page).count(), 48)
  await page.unroute(deeper)
  await again.click()
  await shows(page, 50)
})

test('everything can be done by keyboard', async () => {
  const ann = await kinora.person({ credits: 200 })
  const older = await film(kinora, ann, { prompt: 'The older one' })
  const newer = await film(kinora, ann, { prompt: 'The newer one' })
  const page = await open('/library', { as: ann })
  await shows(page, 2)
  await page.keyboard.press('/')
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Tab')
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
  await shows(page, 1)
  await page.getByText('Film deleted.').waitFor()
  // F6 leads to the toasts.
  await page.keyboard.press('F6')
  await until(async () => {
    await page.keyboard.press('Tab')
    return page.evaluate("document.activeElement?.textContent === 'Undo'")
  }, 'the undo in focus')
  await page.keyboard.press('Enter')
  await shows(page, 2)
})

test('a film in the making shows its stage and the strip, and by itself its poster when it is done', async () => {
  const ann = await kinora.person()
  const page = await open('/library', { as: ann })
  await page.getByText('Your films will be here').waitFor()
  await kinora.generate(ann, { prompt: 'A heron [slow: 3s]' })
  await cardsOf(page).getByRole('progressbar', { name: 'A heron' }).waitFor()
  await cardsOf(page).locator('img').waitFor()
  await cardsOf(page).getByRole('progressbar').waitFor({ state: 'detached' })
})
