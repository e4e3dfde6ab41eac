/**
 * The studio page at each size, in both themes: no accessibility violation, nothing wider than the screen, no part over
 * another, with the longest reason of a failure and with 20 films in progress.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser } from './browser.ts'
import { film } from './films.ts'
import { frameOf } from './studio-form.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const kinora = await openKinora({ simulator: true })
const { visit } = await openBrowser(kinora)

const reason =
  'The provider did not make this film, because its prompt describes a person who could be recognized. '.repeat(3)
const prompt = `A face in the crowd of a station, ${'seen from the far end of the platform, '.repeat(8)}at dusk`
const ann = await kinora.person({ credits: 5000 })
await film(kinora, ann, { prompt: 'A tall film', aspectRatio: '9:16' })
await film(kinora, ann, { prompt: 'A wide film', aspectRatio: '21:9' })
const { data } = await kinora.generate(ann, { prompt: `[fail: ${reason}] ${prompt}` })
await kinora.finish(ann, data.uuid)
for (let n = 0; n < 20; n += 1) await kinora.generate(ann, { prompt: `${n} ${prompt}` })

for (const [width, height] of [
  [390, 844],
  [768, 1024],
  [1366, 768],
  [1920, 1080],
] as const) {
  test(`studio at ${width} px: films of each kind on the stage → nothing cut, covered or inaccessible, in both themes`, async () => {
    const { page } = await visit({ as: ann, viewport: { width, height }, colorScheme: 'dark' })
    await page.goto('/')
    await page.getByRole('button', { name: /^Generate · / }).waitFor()
    await page.evaluate(axe)
    const found: string[] = []
    for (const name of ['19 A face', '[fail: ', 'A wide film', 'A tall film']) {
      await frameOf(page, name).first().click()
      await page.locator('button[data-status][aria-current]', { hasText: name }).waitFor()
      found.push(...(await problems(page)).map((problem) => `${name}: ${problem}`))
    }
    await page.emulateMedia({ colorScheme: 'light' })
    found.push(...(await axeViolations(page)))
    assert.deepEqual(found, [])
  })
}

async function problems(page: Page): Promise<string[]> {
  return [...(await page.evaluate<string[]>(`(${layoutProblems})()`)), ...(await axeViolations(page))]
}

const axeViolations = (page: Page) =>
  page.evaluate<string[]>(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + target.join(' '))))`)

/** Runs in the browser: what is wider than the screen, and which parts of the rail and the stage overlap. */
const layoutProblems = `() => {
  const found = []
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) found.push('the page is ' + (scrollWidth - clientWidth) + ' px too wide')
  const stage = document.querySelector('section[aria-label="Stage"]')
  const price = document.querySelector('aside[aria-label="Price"]')
  const film = stage.querySelector('[data-status]')
  const parts = [price.previousElementSibling, price, ...film.children, stage.lastElementChild]
  const box = (part) => part.getBoundingClientRect()
  const isOver = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
  for (const [at, part] of parts.entries()) {
    if (part.scrollWidth > part.clientWidth + 4 && getComputedStyle(part).overflowX === 'visible')
      found.push(part.className + ' is wider than its frame')
    for (const other of parts.slice(at + 1))
      if (isOver(box(part), box(other))) found.push(part.className + ' overlaps ' + other.className)
  }
  // The footer is below the first screen.
  if (innerWidth >= 1366 && box(document.querySelector('main')).bottom + scrollY > innerHeight + 1) found.push('the page scrolls')
  return found
}`
