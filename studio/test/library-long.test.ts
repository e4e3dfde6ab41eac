/** A long library: the cards in view are mounted, and everything works as if all were. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser, until } from './browser.ts'
import { cardsOf, manyFilms } from './films.ts'

const FILMS = 1000
const CARDS_MAX = 120
/** A card of a finished film with all that one does with it has 42. */
const NODES_MAX = 4200

const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0' } })
const browser = await openBrowser(kinora)
const ann = await kinora.person()
await manyFilms(kinora, ann, FILMS)

async function openLibrary(viewport = { width: 1366, height: 768 }): Promise<Page> {
  const { page } = await browser.visit({ as: ann, viewport })
  await page.goto('/library')
  await page.getByText('1,000 films').waitFor()
  await cardOf(page, FILMS).waitFor()
  return page
}

const cardOf = (page: Page, number: number) => cardsOf(page).filter({ hasText: `Number ${number} of` })
const itemOf = (page: Page, number: number) => page.getByRole('listitem').filter({ hasText: `Number ${number} of` })
const scrollTop = (page: Page) => page.evaluate<number>('globalThis.scrollY')

/** @returns where the scroll ends */
async function untilStill(page: Page): Promise<number> {
  let before = Number.NaN
  await until(async () => {
    const previous = before
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    before = await scrollTop(page)
    return previous === before
  }, 'a stable scroll position')
  return before
}

/** Scrolls until the film is there. */
async function scrollTo(page: Page, number: number, step = 2000): Promise<void> {
  await page.mouse.move(300, 500)
  await until(async () => {
    await page.mouse.wheel(0, step)
    return (await cardOf(page, number).count()) > 0
  }, `film ${number}`)
}

test('library: 1,000 films scrolled to the end and back by keyboard → few cards and nodes, each with its place', async () => {
  const page = await openLibrary()
  let [cards, nodes] = [0, 0]
  for (const place of [400, 700, FILMS])
    await until(async () => {
      await page.keyboard.press('End')
      cards = Math.max(cards, await cardsOf(page).count())
      nodes = Math.max(nodes, await page.evaluate<number>("document.querySelectorAll('*').length"))
      return Number(await page.locator('li[aria-posinset]').last().getAttribute('aria-posinset')) >= place
    }, `film ${place} of the list`)
  assert.ok(cards <= CARDS_MAX, `${cards} cards`)
  assert.ok(nodes <= NODES_MAX, `${nodes} nodes`)
  const last = itemOf(page, 1)
  assert.equal(await last.getAttribute('aria-posinset'), String(FILMS))
  assert.equal(await last.getAttribute('aria-setsize'), String(FILMS))

  await page.keyboard.press('Home')
  await cardOf(page, FILMS).waitFor()
  await until(async () => (await scrollTop(page)) < 2, 'the top')
  assert.equal(await itemOf(page, FILMS).getAttribute('aria-posinset'), '1')
  assert.ok((await cardsOf(page).count()) <= CARDS_MAX)
})

test('library: End → the next page comes, and the list stays in place; Home on the way → the top each time', async () => {
  const page = await openLibrary()
  const height = () => page.evaluate<number>('document.documentElement.scrollHeight')
  const before = await height()
  await page.keyboard.press('End')
  await until(async () => (await height()) > before + 2000, 'the next page')
  assert.ok((await untilStill(page)) < before, 'the list ran on')
  for (let times = 0; times < 10; times++) {
    const from = await untilStill(page)
    await page.keyboard.press('End')
    await until(async () => (await scrollTop(page)) !== from, 'a scroll')
    await page.keyboard.press('Home')
    await until(async () => (await scrollTop(page)) === 0, 'the top')
  }
  await cardOf(page, FILMS).waitFor()
})

test('library: a range by key and by click, over cards that are not mounted any more → deleted together, and undone', async () => {
  const page = await openLibrary()
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await cardOf(page, FILMS - 1).click()
  const bar = page.getByRole('region', { name: 'Selected films' })
  await bar.getByText('1 selected').waitFor()
  await page.getByRole('checkbox', { name: `Number ${FILMS - 4} of` }).press('Shift+Space')
  await bar.getByText('4 selected').waitFor()
  await scrollTo(page, FILMS - 300)
  await scrollTo(page, FILMS - 90, -400)
  assert.equal(await cardOf(page, FILMS - 20).count(), 0)
  await cardOf(page, FILMS - 90).click({ modifiers: ['Shift'] })
  await bar.getByText('90 selected').waitFor()
  await page.getByRole('checkbox', { name: `Number ${FILMS - 89} of` }).uncheck()
  await bar.getByText('89 selected').waitFor()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('911 films').waitFor()
  await page.getByText('89 films deleted.').hover()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('1,000 films').waitFor()

  // As many as one request takes.
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('button', { name: 'Select all' }).click()
  await bar.getByText('100 selected').waitFor()

  await page.keyboard.press('Escape')
  await page.getByLabel('Search your prompts').fill('Number 222 of')
  await page.getByText('1 film', { exact: true }).waitFor()
  await cardOf(page, 222).waitFor()
  await page.getByLabel('Search your prompts').fill('')
  await page.getByText('1,000 films').waitFor()
})

test('library: far down, a film opened and left again → the same place in the list, with the focus kept while it scrolls', async () => {
  const page = await openLibrary()
  await scrollTo(page, FILMS - 400)
  const card = cardOf(page, FILMS - 400)
  // The keyboard is used: Playwright's click would scroll the page first.
  await card.focus()
  await page.keyboard.press('PageUp')
  await page.keyboard.press('PageUp')
  assert.equal(await card.evaluate('document.activeElement.textContent.includes("Number 600 of")'), true)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await until(
    () => card.evaluate('document.activeElement.getBoundingClientRect().top > 0'),
    'the card in focus in view',
  )
  const before = await untilStill(page)
  assert.ok(before > 10_000)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete' }).waitFor()
  await page.getByRole('button', { name: 'Library' }).click()
  await card.waitFor()
  await until(async () => Math.abs((await scrollTop(page)) - before) < 2, 'the same scroll position')
})

test('library: far down, a film is made → it is there at the top, and no film is missing or twice', async () => {
  const page = await openLibrary({ width: 390, height: 844 })
  await scrollTo(page, FILMS - 400)
  await kinora.grant(ann, 16)
  const { data } = await kinora.generate(ann, { prompt: 'A film made meanwhile' })
  await page.getByText('1,001 films').waitFor()
  await page.keyboard.press('Home')
  await cardsOf(page).filter({ hasText: 'A film made meanwhile' }).waitFor()
  const numbers: string[] = []
  await until(async () => {
    const texts = await page
      .locator('li[aria-posinset]')
      .evaluateAll((items: { textContent: string }[]) =>
        items.map(({ textContent }) => /Number (\d+) /.exec(textContent)?.[1] ?? ''),
      )
    const mounted = texts.filter(Boolean)
    numbers.push(...mounted.filter((text) => !numbers.includes(text)))
    assert.equal(new Set(mounted).size, mounted.length, 'a film is twice')
    await page.mouse.wheel(0, 1200)
    return numbers.includes(String(FILMS - 300))
  }, 'the film before the 300th')
  const expected = Array.from({ length: 301 }, (_, n) => String(FILMS - n))
  assert.deepEqual(
    expected.filter((number) => !numbers.includes(number)),
    [],
  )
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  await kinora.call('DELETE', `/api/v1/video/${data.uuid}`, { as: ann })
})
