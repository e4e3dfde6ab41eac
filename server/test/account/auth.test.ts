/** `/api/auth/*`: sign-up, sign-in, sessions, and authentication by token or cookie. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getMigrations } from 'better-auth/db/migration'
import { assertRefusedWithinASecond } from '../support/expire-credential-cache.ts'
import { noCredits, openKinora } from '../support/harness.ts'

const kinora = await openKinora()
const DAY_MS = 86_400_000
const PASSWORD = 'correct horse battery'
// The Origin that better-auth trusts.
const origin = kinora.url

type Headers_ = Record<string, string>

/** Calls /api/auth, whose responses have better-auth's own shapes. */
async function auth(method: string, path: string, body?: unknown, headers: Headers_ = {}) {
  const response = await kinora.call(method, `/api/auth/${path}`, { body, headers: { origin, ...headers } })
  return { ...response, json: response.text ? JSON.parse(response.text) : null }
}

let emails = 0
async function signUp(more: Record<string, unknown> = {}) {
  const email = `ann-${++emails}@example.com`
  const response = await auth('POST', 'sign-up/email', { name: 'Ann', email, password: PASSWORD, ...more })
  return { ...response, email, token: String(response.json?.token), userId: String(response.json?.user?.id) }
}

const signIn = (email: string, password = PASSWORD) => auth('POST', 'sign-in/email', { email, password })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const balanceStatus = async (headers: Headers_) =>
  (await kinora.call('GET', '/api/v1/credit/balance', { headers })).status

const cookieOf = (response: { headers: Headers }) =>
  response.headers
    .getSetCookie()
    .find((each) => each.startsWith('kinora.session_token='))
    ?.split(';')[0] ?? ''

test('200: sign-up → signed in, with 60 credits for 30 days', async () => {
  const { status, json, token, userId, email } = await signUp()
  assert.equal(status, 200)
  assert.match(userId, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.equal(json.user.email, email)
  const headers = bearer(token)
  const { data: balance } = await kinora.call('GET', '/api/v1/credit/balance', { headers })
  assert.deepEqual(balance, { ...noCredits, available: 60, total: 60 })
  const { data } = await kinora.call<{ transactions: Record<string, unknown>[] }>('GET', '/api/v1/credit/history', {
    headers,
  })
  assert.deepEqual(
    data.transactions.map(({ transType, credits }) => [transType, credits]),
    [['NEW_USER', 60]],
  )
  const [granted] = await kinora.app.sql`
    select expires_at - created_at = interval '30 days' as is_right from kinora.credit_package where user_id = ${userId}
  `
  assert.equal(granted?.isRight, true)
})

test('200: repeated sign-in → the credits for a new user are granted once', async () => {
  const { email, token, userId } = await signUp()
  await signIn(email)
  await auth('POST', 'sign-out', {}, bearer(token))
  await signIn(email)
  const [row] = await kinora.app.sql`select total from kinora.credit_account where user_id = ${userId}`
  assert.equal(row?.total, 60)
})

test('200: 20 concurrent sign-ins after an interrupted sign-up → the credits are granted once', async () => {
  const { email, userId } = await signUp()
  // The state after a crash between the creation of the user and the grant.
  for (const table of ['credit_transaction', 'transaction_count', 'credit_package', 'credit_account']) {
    await kinora.app.sql`delete from ${kinora.app.sql(`kinora.${table}`)} where user_id = ${userId}`
  }
  await kinora.app.sql`delete from kinora.gift_address`
  const responses = await Promise.all(Array.from({ length: 20 }, () => signIn(email)))
  for (const { status } of responses) assert.equal(status, 200)
  const rows = await kinora.app.sql`select trans_type from kinora.credit_transaction where user_id = ${userId}`
  assert.deepEqual([...rows], [{ transType: 'NEW_USER' }])
})

test('200: sign-up with NEW_USER_CREDITS=0 → no package', async () => {
  kinora.app.config.newUserCredits = 0
  const { token, userId } = await signUp()
  kinora.app.config.newUserCredits = 60
  assert.equal(await balanceStatus(bearer(token)), 200)
  const rows = await kinora.app.sql`select from kinora.credit_package where user_id = ${userId}`
  assert.equal(rows.length, 0)
})

test('422: sign-up with a taken e-mail address → refused, also in another case and concurrently', async () => {
  const { email } = await signUp()
  assert.equal((await signUp({ email })).status, 422)
  assert.equal((await signUp({ email: email.toUpperCase() })).status, 422)
  const twice = await Promise.all([signUp({ email: 'bob@example.com' }), signUp({ email: 'bob@example.com' })])
  assert.equal(twice.filter(({ status }) => status === 200).length, 1)
  const [row] = await kinora.app.sql`select count(*) from public."user" where email = 'bob@example.com'`
  assert.equal(row?.count, 1)
})

test('400: password too short or too long, or a malformed e-mail address → refused', async () => {
  assert.equal((await signUp({ password: 'nine char' })).status, 400)
  assert.equal((await signUp({ password: 'x'.repeat(129) })).status, 400)
  assert.equal((await signUp({ email: 'ann' })).status, 400)
})

test('401: wrong password or unknown e-mail address → the same response (no user enumeration)', async () => {
  const { email } = await signUp()
  const wrong = await signIn(email, 'wrong horse battery')
  const unknown = await signIn('unknown@example.com')
  assert.equal(wrong.status, 401)
  assert.equal(unknown.status, 401)
  const said = ({ json }: typeof wrong) => ({ ...json, error: { ...json.error, requestId: null } })
  assert.deepEqual(said(unknown), said(wrong))
})

test('200, 401: bare token, signed token and cookie → accepted; any altered one → refused', async () => {
  const { email } = await signUp()
  const response = await signIn(email)
  const signedToken = response.headers.get('set-auth-token') ?? ''
  const cookie = cookieOf(response)
  assert.ok(response.json.token && signedToken.startsWith(response.json.token) && cookie)
  const attributes = response.headers.getSetCookie().find((each) => each.startsWith('kinora.session_token=')) ?? ''
  assert.match(attributes, /HttpOnly/i)
  assert.match(attributes, /SameSite=Lax/i)
  for (const headers of [bearer(response.json.token), bearer(signedToken), { cookie: `other=1; ${cookie}` }]) {
    assert.equal(await balanceStatus(headers), 200)
  }

  const flipped = (text: string, at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
  const dot = signedToken.indexOf('.')
  const value = cookie.indexOf('=') + 1
  const changed: Headers_[] = [
    bearer(flipped(response.json.token, 3)),
    bearer(flipped(signedToken, 3)),
    bearer(flipped(signedToken, dot + 3)),
    bearer(signedToken.slice(0, dot + 1)),
    { cookie: flipped(cookie, value + 3) },
    { cookie: `kinora.session_token=${response.json.token}` },
    { authorization: response.json.token },
    { 'x-api-key': response.json.token },
  ]
  for (const headers of changed) assert.equal(await balanceStatus(headers), 401, JSON.stringify(headers))
})

test('200, 401: https PUBLIC_URL → only the __Host- cookie authenticates (session fixation)', async () => {
  await kinora.withSettings({ publicUrl: 'https://kinora.example' }, async (url) => {
    const response = await fetch(`${url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://kinora.example' },
      body: JSON.stringify({ name: 'Ann', email: 'https@example.com', password: PASSWORD }),
    })
    const cookie = response.headers.getSetCookie().find((each) => each.startsWith('__Host-kinora.session_token=')) ?? ''
    // What a browser requires of a cookie with this prefix.
    assert.match(cookie, /; Secure/i)
    assert.match(cookie, /; Path=\/(;|$)/i)
    assert.doesNotMatch(cookie, /; Domain/i)
    const pair = cookie.split(';')[0] ?? ''
    const status = async (sent: string) =>
      (await fetch(`${url}/api/v1/credit/balance`, { headers: { cookie: sent } })).status
    assert.equal(await status(pair), 200)
    // One without prefix is set by an attacker on the network, one with __Secure- by another subdomain.
    for (const prefix of ['', '__Secure-']) {
      const planted = pair.replace('__Host-', prefix)
      assert.equal(await status(planted), 401)
      assert.equal(await status(`${planted.replace(/=.*/, '=x.y')}; ${pair}`), 200)
      const session = await fetch(`${url}/api/auth/get-session`, { headers: { cookie: planted } })
      assert.equal(await session.text(), 'null')
    }
  })
})

test('200: get-session → session, user and credits; null without a session', async () => {
  const { token, userId, email } = await signUp()
  const { json, text } = await auth('GET', 'get-session', undefined, bearer(token))
  assert.deepEqual(Object.keys(json).sort(), ['credits', 'session', 'user'])
  assert.equal(json.user.id, userId)
  assert.equal(json.user.email, email)
  assert.equal(json.session.userId, userId)
  assert.deepEqual(json.credits, { ...noCredits, available: 60, total: 60 })
  assert.doesNotMatch(text, /password/i)
  assert.equal((await auth('GET', 'get-session')).json, null)
})

test('401: token after sign-out → refused within a second', async () => {
  const { token } = await signUp()
  assert.equal(await balanceStatus(bearer(token)), 200)
  assert.equal((await auth('POST', 'sign-out', {}, bearer(token))).status, 200)
  await assertRefusedWithinASecond(() => balanceStatus(bearer(token)))
})

test('401: session after 30 days → expired', async () => {
  const { token } = await signUp()
  kinora.turnClock(30 * DAY_MS + 1000)
  assert.equal(await balanceStatus(bearer(token)), 401)
})

test('401, 403: banned user → sessions refused within a second, no new sign-in', async () => {
  const admin = await kinora.person({ role: 'admin', credits: 0 })
  const { token, userId, email } = await signUp()
  assert.equal(await balanceStatus(bearer(token)), 200)
  assert.equal((await auth('POST', 'admin/ban-user', { userId }, bearer(token))).status, 403)
  assert.equal((await auth('POST', 'admin/ban-user', { userId }, bearer(admin.token))).status, 200)
  await assertRefusedWithinASecond(() => balanceStatus(bearer(token)))
  assert.equal((await signIn(email)).status, 403)
})

test('403: user setting the own role to admin → stays a user (privilege escalation)', async () => {
  const refused = await signUp({ role: 'admin' })
  assert.equal(refused.status, 400)
  const { token, userId } = await signUp()
  await auth('POST', 'update-user', { role: 'admin' }, bearer(token))
  assert.equal((await auth('POST', 'admin/set-role', { userId, role: 'admin' }, bearer(token))).status, 403)
  const response = await kinora.call('POST', '/api/v1/admin/credits/add', {
    body: { credits: 1 },
    headers: bearer(token),
  })
  assert.equal(response.status, 403)
})

test('403: cross-site sign-out with the cookie → the session stays', async () => {
  const { email } = await signUp()
  const cookie = cookieOf(await signIn(email))
  const response = await auth('POST', 'sign-out', {}, { cookie, origin: 'https://evil.example' })
  assert.equal(response.status, 403)
  assert.equal(await balanceStatus({ cookie }), 200)
})

test('200, 403: sign-in without Origin by a program → accepted; by a cross-site form → refused (login CSRF)', async () => {
  const { email } = await signUp()
  const path = '/api/auth/sign-in/email'
  const body = { email, password: PASSWORD }
  assert.equal((await kinora.call('POST', path, { body })).status, 200)
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  assert.equal((await kinora.call('POST', path, { body, headers })).status, 403)
  const evil = { ...headers, origin: 'https://evil.example' }
  assert.equal((await kinora.call('POST', path, { body, headers: evil })).status, 403)
})

test('migrations: better-auth’s own schema check → no change needed', async () => {
  const { toBeCreated, toBeAdded, toBeAddedIndexes, unsafeChanges, schemaProblems } = await getMigrations(
    kinora.auth.options,
  )
  assert.deepEqual(
    { toBeCreated, toBeAdded, toBeAddedIndexes, unsafeChanges, schemaProblems },
    { toBeCreated: [], toBeAdded: [], toBeAddedIndexes: [], unsafeChanges: [], schemaProblems: [] },
  )
})
