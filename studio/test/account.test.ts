/** Keys and the account: what opens the service is made, shown once, changed and taken away. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../../server/test/harness.ts'
import { clickTwice, openBrowser, until, untilSays } from './browser.ts'
import { signOutToSignUp, signUp } from './doors.ts'

const kinora = await openKinora()
const browser = await openBrowser(kinora)

test('a key is made, shown once, works, and stops working when it is deleted', async () => {
  const ann = await kinora.person()
  const { page } = await browser.visit({ as: ann })
  await page.goto('/keys')
  await page.getByText('Your keys will be listed here').waitFor()
  await page.getByLabel('Name').fill('render farm')
  await page.getByLabel('Ends').selectOption('In 90 days')
  await page.getByRole('button', { name: 'Make key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your new key' })
  const key = (await dialog.getByText(/^kin_/).textContent()) ?? ''
  const withKey = () => kinora.call('GET', '/api/v1/credit/balance', { headers: { 'x-api-key': key } })
  assert.equal((await withKey()).status, 200)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.reload()
  const row = page.getByRole('row', { name: /render farm/ })
  assert.match((await row.textContent()) ?? '', /kin_\w+….*(just now|seconds ago)/)
  assert.ok(!(await page.content()).includes(key))

  await row.getByRole('button', { name: 'Delete render farm' }).click()
  const question = page.getByRole('dialog', { name: /Delete the key render farm/ })
  await question.getByRole('button', { name: 'Keep it' }).click()
  await row.getByRole('button', { name: 'Delete render farm' }).click()
  await question.getByRole('button', { name: 'Delete key' }).click()
  await page.getByText('Your keys will be listed here').waitFor()
  // A key is remembered for some seconds.
  await until(async () => (await withKey()).status === 401, 'the key to be refused')
})

test('two clicks on the button make one key', async () => {
  const ann = await kinora.person()
  const { page } = await browser.visit({ as: ann })
  await page.goto('/keys')
  await page.getByLabel('Name').fill('twice')
  const make = page.getByRole('button', { name: 'Make key' })
  await clickTwice(make)
  await page.getByRole('dialog', { name: 'Your new key' }).getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /twice/ }).first().waitFor()
  const { text } = await kinora.call('GET', '/api/auth/api-key/list', { as: ann })
  assert.equal(text.match(/"name":"twice"/g)?.length, 1)
})

test('what went wrong with one key is not said of the next', async () => {
  const { page, expect } = await browser.visit({ as: await kinora.person() })
  expect(/status of 503/)
  await page.route('**/api/auth/api-key/delete', (route) => route.fulfill({ status: 503, body: '{}' }))
  await page.goto('/keys')
  for (const name of ['first', 'second']) {
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Make key' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
  }
  const ask = (name: string) => page.getByRole('button', { name: `Delete ${name}` }).click()
  const question = (name: string) => page.getByRole('dialog', { name: `Delete the key ${name}?` })
  await ask('first')
  await question('first').getByRole('button', { name: 'Delete key' }).click()
  await question('first').getByRole('alert').waitFor()
  await page.keyboard.press('Escape')
  await ask('second')
  await question('second').waitFor()
  await question('first').waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('alert').count(), 0)
})

test('a name is changed everywhere it is shown, by keyboard alone', async () => {
  const { page } = await browser.visit({ as: await kinora.person() })
  await page.goto('/')
  await page.getByRole('main').waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.getByRole('heading', { name: 'Account' }).waitFor()
  await page.getByLabel('Name').focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Ada Lovelace')
  await page.keyboard.press('Enter')
  await page.getByText('Your name is changed.').waitFor()
  await page.reload()
  await untilSays(page.getByLabel('Name'), 'Ada Lovelace')
})

test('of whoever signs out nothing is left for whoever signs in next: not even where they were signed in', async () => {
  const { page } = await browser.visit({ as: await kinora.person() })
  await page.goto('/account')
  await page.getByText('This one').waitFor()
  await signOutToSignUp(page)
  await signUp(page, 'Ben')
  await page.getByRole('button', { name: 'Generate' }).waitFor()
  await page.route('**/api/auth/list-sessions', () => {})
  await page.getByRole('link', { name: 'Account' }).click()
  const sessions = page.getByRole('region', { name: 'Where you are signed in' })
  await sessions.waitFor()
  assert.equal(await sessions.getByRole('listitem').count(), 0)
})

test('a session that is found to be over leads to the sign-in, whatever found it', async () => {
  const { page, context } = await browser.visit({ as: await kinora.person() })
  await page.goto('/account')
  await page.getByText('This one').waitFor()
  // Only the question who is signed in is asked after it, and that is answered with nobody and not refused.
  await page.route('**/api/auth/update-user', (route) => route.fulfill({ json: { status: true } }))
  await page.route('**/api/auth/list-sessions', () => {})
  await context.clearCookies()
  await page.getByLabel('Name').fill('Ada')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('a password is changed by who knows the old one, and all other sessions end', async () => {
  const email = 'ann@example.com'
  const signIn = (password: string) =>
    kinora.call<never>('POST', '/api/auth/sign-in/email', { body: { email, password } })
  await kinora.call('POST', '/api/auth/sign-up/email', { body: { name: 'Ann', email, password: 'first-password' } })
  const { page, context, expect } = await browser.visit()
  await context.request.post('/api/auth/sign-in/email', {
    data: { email, password: 'first-password' },
    headers: { origin: kinora.url },
  })
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor()
  expect(/\b400\b.*change-password$/)
  await page.getByLabel('Current password').fill('not-the-password')
  await page.getByLabel('New password').fill('second-password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('This is not your current password.').waitFor()
  await page.getByLabel('Current password').fill('first-password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Your password is changed').waitFor()
  await page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'detached' })
  assert.equal((await signIn('first-password')).status, 401)
  assert.equal((await signIn('second-password')).status, 200)
})
