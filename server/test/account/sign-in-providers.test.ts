/** Sign-in with an OpenID provider over HTTP against oidc-provider: accounts, linking, open redirects, the gift. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAuthCalls, PASSWORD } from '../support/auth-calls.ts'
import { openKinora } from '../support/harness.ts'
import { openBrowser, prepareOpenIdProvider, startOpenIdProvider } from '../support/open-id-provider.ts'

const provider = await startOpenIdProvider()
const { kinora, call } = await openAuthCalls(provider.env)
const { sql } = kinora.app
const address = (path: string) => `${kinora.url}${path}`

/** Starts at the sign-in page's button. @returns the browser and the address where it ended */
async function signIn(login: string, browser = openBrowser()) {
  const started = await browser.post(address('/api/auth/sign-in/social'), {
    provider: 'company',
    callbackURL: '/library',
  })
  assert.equal(started.status, 200, started.text)
  const end = await browser.authorize(JSON.parse(started.text).url, login)
  return { browser, end }
}
const sessionOf = async (browser: ReturnType<typeof openBrowser>) =>
  JSON.parse((await browser.get(address('/api/auth/get-session'))).text)
const balanceOf = async (browser: ReturnType<typeof openBrowser>) =>
  (await browser.get(address('/api/v1/credit/balance'))).status
const register = async (login: string) => {
  const browser = openBrowser()
  const body = { name: 'Ann', email: `${login}@example.com`, password: PASSWORD }
  assert.equal((await browser.post(address('/api/auth/sign-up/email'), body)).status, 200)
  return browser
}

test('200: sign-in options → the provider by its name, without secrets', async () => {
  const { data, text } = await kinora.call('GET', '/api/v1/config/sign-in')
  assert.deepEqual(data, {
    providers: [{ id: 'company', name: 'Company' }],
    link: false,
    signUp: 'open',
    captcha: null,
  })
  assert.doesNotMatch(text, /secret/i)
})

test('302: a new user of the provider → an account with a clean name, a hashed session, a verified address and the gift; no token is stored', async () => {
  const { browser, end } = await signIn('ann')
  assert.equal(end, address('/library'))
  const session = await sessionOf(browser)
  assert.equal(session.user.email, 'ann@example.com')
  assert.equal(session.user.emailVerified, true)
  assert.equal(session.user.name, 'ann')
  assert.equal(session.credits.available, 60)
  assert.equal(await balanceOf(browser), 200)
  const [row] = await sql<{ token: string }[]>`select token from public.session where "userId" = ${session.user.id}`
  assert.match(`${row?.token}`, /^sha256:/)
  const [account] = await sql`
    select "accessToken", "refreshToken", "idToken", password from public.account where "userId" = ${session.user.id}
  `
  assert.deepEqual(Object.values({ ...account }), [null, null, null, null])
  const again = await signIn('ann')
  assert.equal((await sessionOf(again.browser)).user.id, session.user.id)
})

test('302: an address that the provider has not verified → an account whose gift waits', async () => {
  const { browser } = await signIn('new-bob')
  const session = await sessionOf(browser)
  assert.equal(session.user.emailVerified, false)
  assert.equal(session.credits.available, 0)
})

test('302: an account with this address that has not verified it → not joined, and no session (account pre-hijacking)', async () => {
  const owner = await register('carl')
  const { browser, end } = await signIn('carl')
  assert.equal(end, address('/sign-in?error=account_not_linked'))
  assert.equal(await sessionOf(browser), null)
  assert.equal((await sessionOf(owner)).credits.available, 0)
})

test('302: an account that has verified the address → joined', async () => {
  const owner = await register('dora')
  const { user } = await sessionOf(owner)
  await sql`update public."user" set "emailVerified" = true where id = ${user.id}`
  const { browser } = await signIn('dora')
  assert.equal((await sessionOf(browser)).user.id, user.id)
})

test('302: an address that the provider has not verified, of an account that has → not joined', async () => {
  const owner = await register('new-eve')
  const { user } = await sessionOf(owner)
  await sql`update public."user" set "emailVerified" = true where id = ${user.id}`
  const { end } = await signIn('new-eve')
  assert.equal(end, address('/sign-in?error=account_not_linked'))
})

test('200: link-social with a session → linked, the address is verified and the gift comes; unlink ends it', async () => {
  const browser = await register('finn')
  const link = async (login: string) => {
    const started = await browser.post(address('/api/auth/link-social'), {
      provider: 'company',
      callbackURL: '/account',
    })
    assert.equal(started.status, 200, started.text)
    return browser.authorize(JSON.parse(started.text).url, login)
  }
  const refused = new URL(await link('gus'))
  assert.deepEqual([refused.pathname, refused.searchParams.get('error')], ['/sign-in', 'email_does_not_match'])
  browser.cookiesOf(provider.issuer).clear()
  assert.equal(await link('finn'), address('/account'))
  const session = await sessionOf(browser)
  assert.equal(session.user.emailVerified, true)
  assert.equal(session.credits.available, 60)
  const accounts = JSON.parse((await browser.get(address('/api/auth/list-accounts'))).text)
  assert.deepEqual(accounts.map((each: { providerId: string }) => each.providerId).sort(), ['company', 'credential'])
  const { id } = accounts.find((each: { providerId: string }) => each.providerId === 'company')
  assert.equal((await browser.post(address('/api/auth/unlink-account'), { accountId: id })).status, 200)
  const [last] = JSON.parse((await browser.get(address('/api/auth/list-accounts'))).text)
  assert.equal((await browser.post(address('/api/auth/unlink-account'), { accountId: last.id })).status, 400)
})

test('200, 403: user without a password deletes the account → after a fresh sign-in only', async () => {
  const { browser } = await signIn('hal')
  const { user } = await sessionOf(browser)
  const remove = () => browser.remove(address('/api/v1/account'), {})
  await sql`update public.session set "createdAt" = now() - interval '11 minutes' where "userId" = ${user.id}`
  assert.equal((await remove()).status, 403)
  await signIn('hal', browser)
  assert.equal((await remove()).status, 200)
})

test('400: callbackURL of another host, in any spelling → refused (open redirect)', async () => {
  for (const callbackURL of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/ok\\..\\x',
  ]) {
    const refused = await call('signInWithProvider', { provider: 'company', callbackURL })
    assert.equal(refused.json.code, 'INVALID_CALLBACK_URL', callbackURL)
  }
})

test('404: a provider that is not set up → refused at the start and at the callback', async () => {
  assert.equal((await call('signInWithProvider', { provider: 'google', callbackURL: '/' })).status, 404)
  assert.equal((await kinora.call('GET', '/api/auth/callback/google?code=x&state=y')).status, 404)
})

test('503: provider that is down since the service started → asked again when it is used, and works once it is up', async () => {
  const late = await prepareOpenIdProvider()
  const { url, call } = await openKinora({ env: late.env })
  const start = () =>
    call('POST', '/api/auth/sign-in/social', { body: { provider: 'company', callbackURL: '/library' } })
  const refused = await start()
  assert.equal(refused.status, 503, refused.text)
  assert.equal((await call('GET', '/api/auth/callback/company?code=x&state=y')).status, 302)
  await late.start()
  const browser = openBrowser()
  const started = await browser.post(`${url}/api/auth/sign-in/social`, { provider: 'company', callbackURL: '/library' })
  assert.equal(started.status, 200, started.text)
  assert.equal(await browser.authorize(JSON.parse(started.text).url, 'late'), `${url}/library`)
  assert.equal(
    (await Promise.all([start(), start()])).every(({ status }) => status === 200),
    true,
  )
})

test('302: callback at a process that has not used the provider → signed in', async () => {
  const other = await openKinora({ env: provider.env })
  await other.withSettings({}, async (first) => {
    const browser = openBrowser()
    const body = { provider: 'company', callbackURL: '/library' }
    const started = await browser.post(`${first}/api/auth/sign-in/social`, body)
    assert.equal(started.status, 200, started.text)
    for (const [name, value] of browser.cookiesOf(first)) browser.cookiesOf(other.url).set(name, value)
    assert.equal(await browser.authorize(JSON.parse(started.text).url, 'gina'), `${other.url}/library`)
  })
})

test('302: callback without the browser’s state cookie, with a state used before or none → /sign-in with an error (login CSRF)', async () => {
  const victim = openBrowser()
  for (const query of ['?code=x', '?code=x&state=never', '?error=access_denied']) {
    const { status, location } = await victim.get(address(`/api/auth/callback/company${query}`))
    assert.equal(status, 302)
    assert.match(`${location}`, new RegExp(`^${kinora.url}/sign-in\\?error=`))
  }
  const attacker = openBrowser()
  const started = await attacker.post(address('/api/auth/sign-in/social'), { provider: 'company', callbackURL: '/' })
  const state = new URL(JSON.parse(started.text).url).searchParams.get('state')
  const { location } = await victim.get(address(`/api/auth/callback/company?code=x&state=${state}`))
  assert.match(`${location}`, /\/sign-in\?error=/)
  assert.equal(await sessionOf(victim), null)
})
