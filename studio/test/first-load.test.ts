/** The first load: at most 110 kB of gzipped script, no other origin, and what shows before the script runs. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser } from './browser.ts'
import { film } from './films.ts'

const MAX_SCRIPT_BYTES = 110_000

const kinora = await openKinora()
const { visit } = await openBrowser(kinora)
const dist = path.join(import.meta.dirname, '../dist')

for (const [visitor, signedIn] of [
  ['signed-out visitor', false],
  ['signed-in user', true],
] as const) {
  test(`first load: ${visitor} → less than 110 kB of gzipped script, all from the same origin`, async () => {
    const { page } = await visit(signedIn ? { as: await kinora.person() } : {})
    // The first visit of a signed-in user marks the browser, so that the next load asks for the right page at once.
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const urls: URL[] = []
    page.on('request', (request) => urls.push(new URL(request.url())))
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined)
    assert.deepEqual(
      urls.filter(({ origin, protocol }) => origin !== kinora.url && protocol !== 'blob:').map(String),
      [],
    )
    const scripts = [...new Set(urls.map(({ pathname }) => pathname).filter((name) => name.endsWith('.js')))]
    const sizes = scripts.map((name) => readFileSync(path.join(dist, `${name}.gz`)).length)
    const total = sizes.reduce((sum, size) => sum + size, 0)
    assert.ok(scripts.length >= 3)
    assert.ok(
      total < MAX_SCRIPT_BYTES,
      `${total} bytes: ${scripts.map((name, at) => `${name} ${sizes[at]}`).join(', ')}`,
    )
  })
}

test('first load: script not there yet → the poster of the newest film, or the sentence of a stage without films', async () => {
  const [maker, newcomer] = [await kinora.person(), await kinora.person()]
  await film(kinora, maker, { aspectRatio: '9:16' })
  for (const as of [maker, newcomer]) {
    const { page, expect } = await visit({ as })
    expect(/ERR_FAILED/)
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/')
    const frame = page.locator('#frame')
    const poster = frame.locator('img[data-poster="0"][src]').first()
    const sentence = frame.getByText('Your films will be here, from the moment you press Generate.')
    await (as === maker ? poster : sentence).waitFor()
    assert.equal(await (as === maker ? sentence : poster).isVisible(), false)
  }
})
