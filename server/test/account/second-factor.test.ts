/** TOTP with recovery codes: every method of sign-in asks for the second factor, and no request bypasses it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOTP } from '@better-auth/utils/otp'
import { requireSecondFactor } from '../../src/account/second-factor.ts'
import { bearer, openAuthCalls, PASSWORD } from '../support/auth-calls.ts'
import { assertRefusedWithinASecond } from '../support/expire-credential-cache.ts'
import { openBrowser, startOpenIdProvider } from '../support/open-id-provider.ts'

const provider = await startOpenIdProvider()
const { kinora, call, balanceStatus, openAdministrator } = await openAuthCalls(provider.env)
const { sql } = kinora.app
const address = (path: string) => `${kinora.url}/api/auth/${path}`
type Browser = ReturnType<typeof openBrowser>

const post = async (browser: Browser, path: string, body: unknown = {}) => {
  const { status, text } = await browser.post(address(path), body)
  return { status, json: JSON.parse(text) }
}
const isSignedIn = async (browser: Browser) => (await browser.get(`${kinora.url}/api/v1/credit/balance`)).status === 200
const stepNow = () => Math.floor(Date.now() / 30_000)
const codeOf = (secret: string, step = stepNow()) => createOTP(secret, { digits: 6, period: 30 }).hotp(step)
/** Accepted as that of a clock that is ahead: the present code has set the factor up. */
const nextCodeOf = (secret: string) => codeOf(secret, stepNow() + 1)

/** A user whose second factor is set up, with the browser of the set-up. */
async function register(login: string) {
  const browser = openBrowser()
  const email = `${login}@example.com`
  const signedUp = await post(browser, 'sign-up/email', { name: 'Ann', email, password: PASSWORD })
  assert.equal(signedUp.status, 200)
  const { json } = await post(browser, 'two-factor/enable', { password: PASSWORD })
  const base32 = new URL(json.totpURI).searchParams.get('secret') ?? ''
  const secret = Buffer.from(decode(base32)).toString()
  return {
    browser,
    email,
    secret,
    codes: json.backupCodes as string[],
    userId: signedUp.json.user.id as string,
    token: signedUp.json.token as string,
  }
}
async function withFactor(login: string) {
  const user = await register(login)
  assert.equal((await post(user.browser, 'two-factor/verify-totp', { code: await codeOf(user.secret) })).status, 200)
  return user
}
const signIn = async (email: string) => {
  const browser = openBrowser()
  return { browser, ...(await post(browser, 'sign-in/email', { email, password: PASSWORD })) }
}
/** RFC 4648. */
function decode(base32: string): number[] {
  const bits = [...base32].map((each) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0'))
  return (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
}

test('200: set-up → counts only after a code; then a new session, and the one of before is refused', async () => {
  const user = await register('ann')
  assert.equal(
    (await signIn(user.email)).json.twoFactorRedirect,
    undefined,
    'a set-up that is not finished locks no user out',
  )
  assert.equal((await post(user.browser, 'two-factor/verify-totp', { code: '000000' })).status, 401)
  assert.equal((await post(user.browser, 'two-factor/verify-totp', { code: await codeOf(user.secret) })).status, 200)
  await assertRefusedWithinASecond(() => balanceStatus(bearer(user.token)))
  assert.ok(await isSignedIn(user.browser))
  const rows = await sql<{ row: string }[]>`select t::text as row from public."twoFactor" t`
  assert.ok(
    rows.every(({ row }) => !row.includes(user.secret) && !user.codes.some((code) => row.includes(code))),
    'encrypted',
  )
})

test('200: password of a user with a second factor → no session and no token until the code', async () => {
  const user = await withFactor('bob')
  const response = await kinora.call('POST', '/api/auth/sign-in/email', {
    body: { email: user.email, password: PASSWORD },
  })
  assert.deepEqual(JSON.parse(response.text), { twoFactorRedirect: true, twoFactorMethods: ['totp'] })
  const leaked = response.headers.get('set-auth-token')
  if (leaked) assert.equal(await balanceStatus(bearer(leaked)), 401)
  for (const cookie of response.headers.getSetCookie()) {
    assert.equal(
      (await kinora.call('GET', '/api/v1/credit/balance', { headers: { cookie: cookie.split(';', 1)[0] ?? '' } }))
        .status,
      401,
    )
    assert.doesNotMatch(cookie, /kinora\.device=/, 'a device is known after the second factor')
  }
  const { browser } = await signIn(user.email)
  assert.equal(await isSignedIn(browser), false)
  assert.equal((await post(browser, 'two-factor/verify-totp', { code: '000000' })).json.code, 'INVALID_CODE')
  assert.equal(await isSignedIn(browser), false)
  const done = await post(browser, 'two-factor/verify-totp', { code: await nextCodeOf(user.secret) })
  assert.equal(done.status, 200)
  assert.ok(await isSignedIn(browser))
  const [row] = await sql<
    { token: string }[]
  >`select token from public.session where token = public.stored_token(${done.json.token})`
  assert.match(`${row?.token}`, /^sha256:/)
})

test('401: challenge without the cookie, or used again → refused', async () => {
  const user = await withFactor('carl')
  assert.equal(
    (await post(openBrowser(), 'two-factor/verify-totp', { code: await nextCodeOf(user.secret) })).status,
    401,
  )
  const { browser } = await signIn(user.email)
  const copy = openBrowser()
  for (const [name, value] of browser.cookiesOf(kinora.url)) copy.cookiesOf(kinora.url).set(name, value)
  assert.equal((await post(browser, 'two-factor/verify-totp', { code: await nextCodeOf(user.secret) })).status, 200)
  assert.equal((await post(copy, 'two-factor/verify-totp', { code: await nextCodeOf(user.secret) })).status, 401)
})

test('400: five wrong codes → the sign-in begins again, also with the right code', async () => {
  const user = await withFactor('dora')
  const { browser } = await signIn(user.email)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    assert.equal((await post(browser, 'two-factor/verify-totp', { code: `00000${attempt}` })).status, 401)
  }
  const late = await post(browser, 'two-factor/verify-totp', { code: await nextCodeOf(user.secret) })
  assert.equal(late.json.code, 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE')
  assert.equal(await isSignedIn(browser), false)
})

test('401: code used before, at the same time, or older than it → refused; a wrong one uses up no code', async () => {
  const user = await withFactor('dirk')
  const verify = async (code: string) => {
    const { browser } = await signIn(user.email)
    const { status, json } = await post(browser, 'two-factor/verify-totp', { code })
    assert.equal(await isSignedIn(browser), status === 200)
    return status === 200 ? 200 : json.code
  }
  assert.equal(await verify('000000'), 'INVALID_CODE')
  const code = await nextCodeOf(user.secret)
  assert.deepEqual((await Promise.all([verify(code), verify(code), verify(code)])).sort(), [
    200,
    'INVALID_CODE',
    'INVALID_CODE',
  ])
  assert.equal(await verify(code), 'INVALID_CODE')
  assert.equal(await verify(await codeOf(user.secret)), 'INVALID_CODE')
  await sql`update public."twoFactor" set "lastStep" = ${stepNow() - 1} where "userId" = ${user.userId}`
  assert.equal(await verify(await codeOf(user.secret)), 200)
})

test('200: recovery code → a session, once; new ones replace the rest', async () => {
  const user = await withFactor('eve')
  const use = async (code: string | undefined) => {
    const { browser } = await signIn(user.email)
    return (await post(browser, 'two-factor/verify-backup-code', { code: code ?? '' })).status
  }
  assert.equal(await use(user.codes[0]), 200)
  assert.equal(await use(user.codes[0]), 401)
  const renewed = await post(user.browser, 'two-factor/generate-backup-codes', { password: PASSWORD })
  assert.equal(renewed.status, 200)
  assert.equal(await use(user.codes[1]), 401)
  assert.equal(await use(renewed.json.backupCodes[0]), 200)
})

test('302: sign-in by a provider of a user with a second factor → asked for the code, and no session before', async () => {
  const user = await withFactor('finn')
  await sql`update public."user" set "emailVerified" = true where id = ${user.userId}`
  const browser = openBrowser()
  const started = await post(browser, 'sign-in/social', { provider: 'company', callbackURL: '/library' })
  const end = await browser.authorize(started.json.url, 'finn')
  assert.equal(end, `${kinora.url}/sign-in?second-factor=totp`)
  assert.equal(await isSignedIn(browser), false)
  assert.equal((await post(browser, 'two-factor/verify-totp', { code: await nextCodeOf(user.secret) })).status, 200)
  assert.ok(await isSignedIn(browser))
})

test('403: a session that begins on any other path → refused for a user with a second factor (default deny)', async () => {
  const user = await withFactor('gus')
  const other = await kinora.person({ credits: 0 })
  for (const path of [undefined, '/sign-in/email-otp', '/one-time-token/verify']) {
    await assert.rejects(
      requireSecondFactor(kinora.app, user, path),
      ({ body }: { body?: { code: string } }) => body?.code === 'SECOND_FACTOR_REQUIRED',
    )
    await requireSecondFactor(kinora.app, other, path)
  }
})

test('200: API key of a user with a second factor → still accepted; disabling takes the password', async () => {
  const user = await withFactor('hal')
  const { json } = await post(user.browser, 'api-key/create', { name: 'server', password: PASSWORD })
  assert.equal(await balanceStatus({ 'x-api-key': json.key }), 200)
  assert.equal(
    (await post(user.browser, 'two-factor/disable', { password: 'something else' })).json.code,
    'INVALID_PASSWORD',
  )
  assert.equal((await post(user.browser, 'two-factor/disable', { password: PASSWORD })).status, 200)
  assert.equal((await signIn(user.email)).json.twoFactorRedirect, undefined)
})

test('403: impersonating administrator, or an old session without the password → no change of the ways to sign in', async () => {
  const user = await register('ina')
  const admin = await openAdministrator()
  const { json } = await call('impersonateUser', { userId: user.userId }, admin.headers)
  const as = bearer(json.session.token)
  assert.equal((await call('enableTwoFactor', { password: PASSWORD }, as)).json.code, 'FORBIDDEN')
  assert.equal((await call('linkProvider', { provider: 'company', callbackURL: '/' }, as)).json.code, 'FORBIDDEN')
  await sql`update public.session set "createdAt" = now() - interval '11 minutes' where "userId" = ${user.userId}`
  const old = bearer(user.token)
  assert.equal((await call('enableTwoFactor', {}, old)).json.code, 'FORBIDDEN')
  assert.equal((await call('linkProvider', { provider: 'company', callbackURL: '/' }, old)).json.code, 'FORBIDDEN')
  assert.equal(
    (await call('linkProvider', { provider: 'company', callbackURL: '/', password: PASSWORD }, old)).status,
    200,
  )
})
