/** The end of a session in the browser: by a sign-out, the deletion of the account, and a session that replaces it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser, until, withoutFirstReads } from './browser.ts'
import { signOutToSignUp, signUp } from './sign-up.ts'

const kinora = await openKinora()
const browser = await openBrowser(kinora)

test('sign-out: next user of the same tab → none of the previous user’s cached data', async () => {
  const { page } = await browser.visit({ as: await kinora.person() })
  await page.goto('/account')
  await page.getByText('This one').waitFor()
  await signOutToSignUp(page)
  await signUp(page, 'Ben')
  await page.getByRole('button', { name: 'Generate' }).waitFor()
  await page.route('**/api/auth/list-sessions', () => {})
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('link', { name: 'Account' }).click()
  const sessions = page.getByRole('region', { name: 'Where you are signed in' })
  await sessions.waitFor()
  assert.equal(await sessions.getByRole('listitem').count(), 0)
})

/**
 * Holds the response to `path` until reads have fallen due that the service receives after that request: the balance,
 * which was under way before, and those of another page.
 */
async function readWhile(page: Page, path: string, respond: (route: Route) => Promise<() => Promise<void>>) {
  const balance = '**/api/v1/credit/balance'
  const reads: Route[] = []
  await withoutFirstReads(page)
  await page.route(balance, (route) => void reads.push(route))
  await page.goto('/account')
  await page.getByText('This one').waitFor()
  await until(async () => reads.length > 0, 'a read of the balance')
  await page.route(path, async (route) => {
    const release = await respond(route)
    await page.route(balance, (route) => route.continue())
    // The studio has aborted it: then continue() rejects.
    for (const read of reads) await read.continue().catch(() => undefined)
    await page.evaluate("history.pushState({}, '', '/keys')")
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await release()
  })
}

const afterResponse = async (route: Route) => {
  const response = await route.fetch()
  return () => route.fulfill({ response })
}

test('sign-out: reads under way or due before its response arrives → none is refused', async () => {
  const { page } = await browser.visit({ as: await kinora.person() })
  await readWhile(page, '**/api/auth/sign-out', afterResponse)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL('**/sign-in')
})

test('account: reads under way or due before the deletion’s response arrives → none is refused', async () => {
  const ann = await kinora.person()
  const { page } = await browser.visit({ as: ann })
  await readWhile(page, '**/api/v1/account', afterResponse)
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog')
  // Until the page knows that this account has none, it asks for a password.
  await dialog.getByRole('textbox').first().waitFor()
  await dialog.getByLabel('Password', { exact: true }).waitFor({ state: 'detached' })
  await dialog.getByRole('textbox').fill(ann.email)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.waitForURL('**/sign-in')
})

test('password: reads under way or due before the response of its change arrives → sent in the new session, none is refused', async () => {
  const data = { email: 'ann@example.com', password: 'first-password' }
  await kinora.call('POST', '/api/auth/sign-up/email', { body: { name: 'Ann', ...data } })
  const { page, context } = await browser.visit()
  await context.request.post('/api/auth/sign-in/email', { data, headers: { origin: kinora.url } })
  await readWhile(page, '**/api/auth/change-password', async (route) => {
    // Not by route.fetch(), which gives the browser the new cookie at once.
    const { cookie = '', origin = '' } = await route.request().allHeaders()
    const response = await fetch(route.request().url(), {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/json' },
      body: route.request().postData(),
    })
    const body = await response.text()
    // Other processes, and the cache of this one, learn of the end within a second.
    const balance = () => kinora.call('GET', '/api/v1/credit/balance', { headers: { cookie } })
    await until(async () => (await balance()).status === 401, 'the end of the session before')
    const headers = { 'content-type': 'application/json', 'set-cookie': response.headers.getSetCookie().join('\n') }
    return () => route.fulfill({ status: response.status, headers, body })
  })
  await page.getByLabel('Current password').fill(data.password)
  await page.getByLabel('New password').fill('second-password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Your password is changed').waitFor()
  await page.getByText('Your keys will be listed here.').waitFor()
  await page.getByRole('link', { name: '0 credits' }).waitFor()
})

test('sign-out: no response → the session goes on, with the reads that were due meanwhile', async () => {
  const { page, expect } = await browser.visit({ as: await kinora.person({ credits: 60 }) })
  expect(/ERR_FAILED/)
  await readWhile(page, '**/api/auth/sign-out', async (route) => () => route.abort())
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByText('Your keys will be listed here.').waitFor()
  await page.getByRole('link', { name: '60 credits' }).waitFor()
})
