/** Sign-in, API keys, name, password and sessions in the browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateBody, openKinora } from '../../server/test/support/harness.ts'
import { clickTwice, openBrowser, until, untilSays, withoutFirstReads } from './browser.ts'
import { PASSWORD, signUp } from './sign-up.ts'

const kinora = await openKinora()
const browser = await openBrowser(kinora)

test('sign-up and sign-in: refused → the message appears at its field', async () => {
  const { page, expect } = await browser.visit()
  expect(/\b4(01|22)\b/)
  const ann = await kinora.person()
  await page.goto('/sign-up')
  await signUp(page, 'Ann', ann.email)
  await page.getByText('There is an account with this e-mail address already.').waitFor()
  assert.equal(await page.getByLabel('E-mail').getAttribute('aria-invalid'), 'true')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail').fill(ann.email)
  await page.getByLabel('Password').fill('something else')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The e-mail address or the password is wrong.').waitFor()
  assert.equal(await page.getByLabel('Password').getAttribute('aria-invalid'), 'true')
})

test('sign-in and sign-up pages: user already signed in → redirected onward', async () => {
  const { page } = await browser.visit({ as: await kinora.person() })
  await page.goto('/sign-in?next=/library')
  await page.waitForURL('**/library')
  await page.goto('/sign-up')
  await page.getByLabel('Prompt').waitFor()
})

test('session: 401 while it is replaced (second factor, password) → asked again, and the user stays', async () => {
  const { page, expect } = await browser.visit({ as: await kinora.person({ credits: 60 }) })
  expect(/\b401\b.*\/credit\/balance$/)
  await withoutFirstReads(page)
  const answers = [
    { status: 401, body: JSON.stringify({ error: { code: 'UNAUTHENTICATED', message: 'No.', requestId: '1' } }) },
  ]
  await page.route('**/api/v1/credit/balance', (route) => {
    const json = answers.shift()
    return json ? route.fulfill({ ...json, contentType: 'application/json' }) : route.fallback()
  })
  await page.goto('/keys')
  await page.getByRole('link', { name: '60 credits' }).waitFor()
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  assert.equal(answers.length, 0)
  assert.equal(new URL(page.url()).pathname, '/keys')
})

test('sign-in page: ?next= to another origin → ignored (no open redirect)', async () => {
  const ann = await kinora.person()
  for (const next of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
  ]) {
    const { page, context } = await browser.visit({ as: ann })
    await context.route('**/evil.example/**', (route) => route.fulfill({ body: 'evil' }))
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
    await page
      .getByLabel('Prompt')
      .or(page.getByText(/evil|broke/))
      .first()
      .waitFor()
    assert.equal(page.url(), `${kinora.url}/`, next)
  }
})

test('account: export → the ZIP is downloaded', async () => {
  const { page } = await browser.visit({ as: await kinora.person() })
  await page.goto('/account')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download your data' }).click()
  assert.match((await download).suggestedFilename(), /^kinora-[\d-]+\.zip$/)
  assert.equal(await (await download).failure(), null)
})

test('account: deleted with the e-mail address typed and the password → sign-in page, and the old password is refused', async () => {
  const { page, expect } = await browser.visit()
  expect(/\b400\b.*\/account$/)
  expect(/\b401\b.*\/sign-in\/email$/)
  const email = 'leaving@example.com'
  await page.goto('/sign-up')
  await signUp(page, 'Leaving', email)
  await page.getByLabel('Prompt').waitFor()
  await page.goto('/account')
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  const button = dialog.getByRole('button', { name: 'Delete account' })
  await dialog.getByLabel('Password').fill('something else')
  assert.ok(await button.isDisabled())
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email)
  await button.click()
  await dialog.getByText('This is not your password.').waitFor()
  await dialog.getByLabel('Password').fill(PASSWORD)
  await button.click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The e-mail address or the password is wrong.').waitFor()
})

test('API key: created with a budget → shown once, valid within its limits until it is deleted; the list has its usage', async () => {
  const ann = await kinora.person()
  const { page } = await browser.visit({ as: ann })
  await page.goto('/keys')
  await page.getByText('Your keys will be listed here').waitFor()
  await page.getByLabel('Name').fill('render farm')
  await page.getByLabel('Budget in credits').fill('40')
  await page.getByLabel(/^For/).selectOption('A week')
  await page.getByLabel('Ends').selectOption('In 90 days')
  await page.getByRole('button', { name: 'Make key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your new key' })
  const key = (await dialog.getByText(/^kin_/).textContent()) ?? ''
  const withKey = () => kinora.call('GET', '/api/v1/credit/balance', { headers: { 'x-api-key': key } })
  assert.equal((await withKey()).status, 200)
  const headers = { 'x-api-key': key }
  assert.equal((await kinora.call('POST', '/api/v1/video/generate', { headers, body: generateBody })).status, 200)
  assert.equal((await kinora.call('GET', '/api/v1/webhook/endpoints', { headers })).status, 403)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  await untilSays(page.getByLabel('Ends'), '0')

  await page.reload()
  const row = page.getByRole('row', { name: /render farm/ })
  assert.match(
    (await row.textContent()) ?? '',
    /kin_\w+…May see films, make films16 of 40 this week.*(just now|seconds ago)/,
  )
  assert.ok(!(await page.content()).includes(key))

  await row.getByRole('button', { name: 'Delete render farm' }).click()
  const confirmation = page.getByRole('dialog', { name: /Delete the key render farm/ })
  await confirmation.getByRole('button', { name: 'Keep it' }).click()
  await row.getByRole('button', { name: 'Delete render farm' }).click()
  await confirmation.getByRole('button', { name: 'Delete key' }).click()
  await page.getByText('Your keys will be listed here').waitFor()
  // The service caches valid keys for some seconds.
  await until(async () => (await withKey()).status === 401, 'the key to be refused')
})

test('API key: made as a test key → begins with kin_test_, and the list says what it is', async () => {
  const { page } = await browser.visit({ as: await kinora.person() })
  await page.goto('/keys')
  await page.getByLabel('Name').fill('suite')
  await page.getByLabel(/^Test key/).check()
  await page.getByRole('button', { name: 'Make key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your new key' })
  await dialog.getByText(/^kin_test_/).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name: /suite/ })
  await row.getByText('Test key · May see films').waitFor()
  assert.equal(await page.getByLabel(/^Test key/).isChecked(), false)
})

test('API key: double click on the button → one key', async () => {
  const ann = await kinora.person()
  const { page } = await browser.visit({ as: ann })
  await page.goto('/keys')
  await page.getByLabel('Name').fill('twice')
  await clickTwice(page.getByRole('button', { name: 'Make key' }))
  await page.getByRole('dialog', { name: 'Your new key' }).getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /twice/ }).first().waitFor()
  const { text } = await kinora.call('GET', '/api/auth/api-key/list', { as: ann })
  assert.equal(text.match(/"name":"twice"/g)?.length, 1)
})

test('API key: deletion of one key failed → the dialog of the next key shows no error', async () => {
  const { page, expect } = await browser.visit({ as: await kinora.person() })
  expect(/status of 503/)
  await page.route('**/api/auth/api-key/delete', (route) => route.fulfill({ status: 503, body: '{}' }))
  await page.goto('/keys')
  for (const name of ['first', 'second']) {
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Make key' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    // A field beside an open dialog takes no text.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const openDialog = (name: string) => page.getByRole('button', { name: `Delete ${name}` }).click()
  const dialog = (name: string) => page.getByRole('dialog', { name: `Delete the key ${name}?` })
  await openDialog('first')
  await dialog('first').getByRole('button', { name: 'Delete key' }).click()
  await dialog('first').getByRole('alert').waitFor()
  await page.keyboard.press('Escape')
  await openDialog('second')
  await dialog('second').waitFor()
  await dialog('first').waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('alert').count(), 0)
})

test('name: changed, by keyboard only → saved', async () => {
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

test('session: refetch returns no session → redirect to sign-in', async () => {
  const { page, context } = await browser.visit({ as: await kinora.person() })
  await page.goto('/account')
  await page.getByText('This one').waitFor()
  // The page then requests only the session, which is null in a 200 response, not a 401. What else it may read gets no
  // response: on a slow machine the balance is old enough to be read again.
  await page.route('**/api/auth/update-user', (route) => route.fulfill({ json: { status: true } }))
  for (const read of ['**/api/auth/list-sessions', '**/api/v1/**']) await page.route(read, () => {})
  await context.clearCookies()
  await page.getByLabel('Name').fill('Ada')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('password: changed with the current password → the old one is invalid and all other sessions end', async () => {
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
