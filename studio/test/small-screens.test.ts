/** Small screens, and magnified ones: nothing is cut, no bar covers the element in focus (WCAG 2.4.11). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ledgerCheckProgress, startRun } from '../../server/src/admin/ledger-check.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser } from './browser.ts'
import { film } from './films.ts'

const kinora = await openKinora({ simulator: true })
const { visit } = await openBrowser(kinora)

const phone = { width: 360, height: 740 }

test('keyboard focus: pages with bars at the top and the bottom → never beneath a bar', async () => {
  const ann = await kinora.person({ credits: 500 })
  for (const prompt of ['A heron', 'A swan', 'A crane', 'A goose']) await film(kinora, ann, { prompt })
  for (const viewport of [phone, { width: 640, height: 430 }, { width: 1280, height: 800 }]) {
    const { page } = await visit({ as: ann, viewport })
    for (const [path, shown] of [
      ['/', 'A goose'],
      ['/library', 'A heron'],
      ['/account', 'Where you are signed in'],
    ] as const) {
      await page.goto(path)
      await page.getByText(shown, { exact: true }).waitFor()
      for (const key of ['Tab', 'Shift+Tab'])
        assert.deepEqual(await coveredInFocus(page, key), [], `${key} on ${path} at ${viewport.width} px`)
    }
  }
})

test('player: long reason of a failure on a phone → the whole card is legible, with the credits returned', async () => {
  const ann = await kinora.person()
  const reason =
    'The provider did not make this film, because its prompt describes a person who could be recognized. '.repeat(3)
  const { data } = await kinora.generate(ann, { prompt: `A face [fail: ${reason}]`, aspectRatio: '21:9' })
  await kinora.finish(ann, data.uuid)
  const { page } = await visit({ as: ann, viewport: phone })
  await page.goto(`/library/${data.uuid}`)
  const note = page.getByRole('main').getByText('16 credits returned')
  await note.waitFor()
  // A trial: scrolls to the text, and fails where it is cut.
  for (const text of [page.getByRole('main').getByText('Failed', { exact: true }).first(), note])
    await text.click({ trial: true })
})

test('studio: screen of a small height → the price does not cover the prompt', async () => {
  const { page } = await visit({ as: await kinora.person(), viewport: { width: 320, height: 256 } })
  await page.goto('/')
  await page.getByRole('button', { name: 'Generate · 30 credits' }).waitFor()
  await page.getByLabel('Prompt').focus()
  const { x, y } = (await page.getByLabel('Prompt').boundingBox()) ?? { x: 0, y: 0 }
  assert.equal(await page.evaluate(`document.elementFromPoint(${x + 24}, ${y + 24})?.name`), 'prompt')
})

test('credits: eight digits on a phone, a laptop or a large screen → every amount fits its field', async () => {
  const ann = await kinora.person()
  for (const credits of [10_000_000, 10_000_000]) await kinora.grant(ann, credits)
  const { page } = await visit({ as: ann })
  for (const width of [320, 390, 900, 1366, 1920]) {
    await page.setViewportSize({ width, height: 640 })
    await page.goto('/credits')
    const amounts = page.getByRole('definition').filter({ hasText: /^20,000,060$/ })
    await amounts.first().waitFor()
    const overflows = await amounts.evaluateAll(
      (all: { parentElement: { scrollWidth: number; clientWidth: number } }[]) =>
        all.map(({ parentElement }) => parentElement.scrollWidth - parentElement.clientWidth),
    )
    assert.deepEqual(overflows, [0, 0], `${width} px wide`)
  }
})

test('administration: long marks and facts on a phone → they wrap within the page', async () => {
  const root = await kinora.person({ role: 'admin' })
  const { sql } = kinora.app
  const { id } = await startRun(sql, null)
  await ledgerCheckProgress(sql, { id, differences: [], users: 12_345, state: 'stopped' })
  const { page } = await visit({ as: root, viewport: { width: 320, height: 640 } })
  await page.goto('/admin/ledger')
  const mark = page.getByText('Not finished: no difference in the books of 12,345 users.')
  const box = (await mark.boundingBox()) ?? assert.fail('not shown')
  assert.ok(box.x + box.width <= 320, `${box.x + box.width}`)
})

/** Presses the key until the focus leaves the page. @returns the elements that got the focus and cannot be seen */
async function coveredInFocus(page: Page, key: string): Promise<string[]> {
  const covered: string[] = []
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key)
    const name = await page.evaluate<string | null>(
      'document.activeElement === document.body ? null : document.activeElement.outerHTML',
    )
    if (name === null) break
    if (!(await page.evaluate(`(${isOnTop})(document.activeElement)`))) covered.push(name.slice(0, 120))
  }
  return covered
}

/** Runs in the browser: whether any of nine points of the element is not covered. */
const isOnTop = `(element) => {
  const { left, top, width, height } = element.getBoundingClientRect()
  const parts = [0.1, 0.5, 0.9]
  return parts.some((x) => parts.some((y) => {
    const hit = document.elementFromPoint(left + width * x, top + height * y)
    return element.contains(hit) || hit?.closest('label')?.contains(element)
  }))
}`
