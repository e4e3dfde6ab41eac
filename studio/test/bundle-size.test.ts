/** What a first visit loads: script under 200 kB gzipped, and nothing from anywhere else. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openKinora } from '../../server/test/harness.ts'
import { openBrowser } from './browser.ts'

const SCRIPT_BYTES_MAX = 200_000

const kinora = await openKinora()
const { visit } = await openBrowser(kinora)
const dist = path.join(import.meta.dirname, '../dist')

for (const [who, signedIn] of [
  ['a stranger at the door', false],
  ['somebody who is signed in, at the studio', true],
] as const) {
  test(`the first load of ${who} stays under 200 kB of script, all of it from here`, async () => {
    const { page } = await visit(signedIn ? { as: await kinora.person() } : {})
    const urls: URL[] = []
    page.on('request', (request) => urls.push(new URL(request.url())))
    await page.goto('/')
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
      total < SCRIPT_BYTES_MAX,
      `${total} bytes: ${scripts.map((name, at) => `${name} ${sizes[at]}`).join(', ')}`,
    )
  })
}
