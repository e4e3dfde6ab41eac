/** `/api/auth/*`: registration, sign-in, and everything that tells the service who is asking. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { getMigrations } from 'better-auth/db/migration'
import { openKinora } from './harness.ts'

const kinora = await openKinora()
const DAY_MS = 86_400_000
const PASSWORD = 'correct horse battery'
// What better-auth takes for its own site.
const origin = kinora.url

type Headers_ = Record<string, string>

/** Calls /api/auth, whose answers have better-auth's own shapes. */
async function auth(method: string, path: string, body?: unknown, headers: Headers_ = {}) {
  const answer = await kinora.call(method, `/api/auth/${path}`, { body, headers: { origin, ...headers } })
  return { ...answer, json: answer.text ? JSON.parse(answer.text) : null }
}

let emails = 0
async function signUp(more: Record<string, unknown> = {}) {
  const email = `ann-${++emails}@example.com`
  const answer = await auth('POST', 'sign-up/email', { name: 'Ann', email, password: PASSWORD, ...more })
  return { ...answer, email, token: String(answer.json?.token), userId: String(answer.json?.user?.id) }
}

const signIn = (email: string, password = PASSWORD) => auth('POST', 'sign-in/email', { email, password })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const balanceStatus = async (headers: Headers_) =>
  (await kinora.call('GET', '/api/v1/credit/balance', { headers })).status

/** Lets what is remembered of a credential grow 5 s old, which is as long as a revocation may take. */
function passFiveSeconds(context: TestContext): void {
  const { now } = performance
  context.mock.method(performance, 'now', () => now.call(performance) + 5_001)
}

const cookieOf = (answer: { headers: Headers }) =>
  answer.headers
    .getSetCookie()
    .find((each) => each.startsWith('kinora.session_token='))
    ?.split(';')[0] ?? ''

test('200: sign-up makes a user with 60 credits for 30 days, and signs in', async () => {
  const { status, json, token, userId, email } = await signUp()
  assert.equal(status, 200)
  assert.match(userId, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.equal(json.user.email, email)
  const headers = bearer(token)
  const { data: balance } = await kinora.call('GET', '/api/v1/credit/balance', { headers })
  assert.deepEqual(balance, { available: 60, frozen: 0, used: 0, total: 60, expiringSoon: 0 })
  const { data } = await kinora.call<{ transactions: Record<string, unknown>[] }>('GET', '/api/v1/credit/history', {
    headers,
  })
  assert.deepEqual(
    data.transactions.map(({ transType, credits }) => [transType, credits]),
    [['NEW_USER', 60]],
  )
  const [gift] = await kinora.app.sql`
    select expires_at - created_at = interval '30 days' as is_right from kinora.credit_package where user_id = ${userId}
  `
  assert.equal(gift?.isRight, true)
})

test('200: the gift comes once, whatever happens', async () => {
  const { email, token, userId } = await signUp()
  await signIn(email)
  await auth('POST', 'sign-out', {}, bearer(token))
  await signIn(email)
  const [row] = await kinora.app.sql`select total from kinora.credit_account where user_id = ${userId}`
  assert.equal(row?.total, 60)
})

test('200: 20 sign-ins at once after a registration that was cut short give one gift', async () => {
  const { email, userId } = await signUp()
  // As it is when the process dies between making the user and giving the gift.
  for (const table of ['credit_transaction', 'credit_package', 'credit_account']) {
    await kinora.app.sql`delete from ${kinora.app.sql(`kinora.${table}`)} where user_id = ${userId}`
  }
  const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(email)))
  for (const { status } of answers) assert.equal(status, 200)
  const rows = await kinora.app.sql`select trans_type from kinora.credit_transaction where user_id = ${userId}`
  assert.deepEqual([...rows], [{ transType: 'NEW_USER' }])
})

test('200: no gift where the operator gives none', async () => {
  kinora.app.config.newUserCredits = 0
  const { token, userId } = await signUp()
  kinora.app.config.newUserCredits = 60
  assert.equal(await balanceStatus(bearer(token)), 200)
  const rows = await kinora.app.sql`select from kinora.credit_package where user_id = ${userId}`
  assert.equal(rows.length, 0)
})

test('422: an address that is taken; of two sign-ups at once one is good', async () => {
  const { email } = await signUp()
  assert.equal((await signUp({ email })).status, 422)
  assert.equal((await signUp({ email: email.toUpperCase() })).status, 422)
  const twice = await Promise.all([signUp({ email: 'bob@example.com' }), signUp({ email: 'bob@example.com' })])
  assert.equal(twice.filter(({ status }) => status === 200).length, 1)
  const [row] = await kinora.app.sql`select count(*) from public."user" where email = 'bob@example.com'`
  assert.equal(row?.count, 1)
})

test('400: a password that is too short or too long, or no address', async () => {
  assert.equal((await signUp({ password: '1234567' })).status, 400)
  assert.equal((await signUp({ password: 'x'.repeat(129) })).status, 400)
  assert.equal((await signUp({ email: 'ann' })).status, 400)
})

test('401: a wrong password and an unknown address look alike', async () => {
  const { email } = await signUp()
  const wrong = await signIn(email, 'wrong horse battery')
  const unknown = await signIn('nobody@example.com')
  assert.equal(wrong.status, 401)
  assert.equal(unknown.status, 401)
  assert.deepEqual(unknown.json, wrong.json)
})

test('200: the token of the answer, the signed one of the header, and the cookie are good; 401: changed ones', async () => {
  const { email } = await signUp()
  const answer = await signIn(email)
  const signedToken = answer.headers.get('set-auth-token') ?? ''
  const cookie = cookieOf(answer)
  assert.ok(answer.json.token && signedToken.startsWith(answer.json.token) && cookie)
  const attributes = answer.headers.getSetCookie().find((each) => each.startsWith('kinora.session_token=')) ?? ''
  assert.match(attributes, /HttpOnly/i)
  assert.match(attributes, /SameSite=Lax/i)
  for (const headers of [bearer(answer.json.token), bearer(signedToken), { cookie: `other=1; ${cookie}` }]) {
    assert.equal(await balanceStatus(headers), 200)
  }

  const flipped = (text: string, at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
  const dot = signedToken.indexOf('.')
  const value = cookie.indexOf('=') + 1
  const changed: Headers_[] = [
    bearer(flipped(answer.json.token, 3)),
    bearer(flipped(signedToken, 3)),
    bearer(flipped(signedToken, dot + 3)),
    bearer(signedToken.slice(0, dot + 1)),
    { cookie: flipped(cookie, value + 3) },
    { cookie: `kinora.session_token=${answer.json.token}` },
    { authorization: answer.json.token },
    { 'x-api-key': answer.json.token },
  ]
  for (const headers of changed) assert.equal(await balanceStatus(headers), 401, JSON.stringify(headers))
})

test('200: behind https the cookie is for https alone; 401: one of the other name', async () => {
  await kinora.withSettings({ publicUrl: 'https://kinora.example' }, async (url) => {
    const answer = await fetch(`${url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://kinora.example' },
      body: JSON.stringify({ name: 'Ann', email: 'https@example.com', password: PASSWORD }),
    })
    const cookie = answer.headers.getSetCookie().find((each) => each.startsWith('__Secure-kinora.session_token=')) ?? ''
    assert.match(cookie, /; Secure/i)
    const pair = cookie.split(';')[0] ?? ''
    const status = async (sent: string) =>
      (await fetch(`${url}/api/v1/credit/balance`, { headers: { cookie: sent } })).status
    assert.equal(await status(pair), 200)
    assert.equal(await status(pair.replace('__Secure-', '')), 401)
    assert.equal(await status(`${pair.replace('__Secure-', '')}; ${pair}`), 200)
  })
})

test('200: get-session answers session, user and credits; null to nobody', async () => {
  const { token, userId, email } = await signUp()
  const { json, text } = await auth('GET', 'get-session', undefined, bearer(token))
  assert.deepEqual(Object.keys(json).sort(), ['credits', 'session', 'user'])
  assert.equal(json.user.id, userId)
  assert.equal(json.user.email, email)
  assert.equal(json.session.userId, userId)
  assert.deepEqual(json.credits, { available: 60, frozen: 0, used: 0, total: 60, expiringSoon: 0 })
  assert.doesNotMatch(text, /password/i)
  assert.equal((await auth('GET', 'get-session')).json, null)
})

test('401: after a sign-out, within 5 s', async (context) => {
  const { token } = await signUp()
  assert.equal(await balanceStatus(bearer(token)), 200)
  assert.equal((await auth('POST', 'sign-out', {}, bearer(token))).status, 200)
  passFiveSeconds(context)
  assert.equal(await balanceStatus(bearer(token)), 401)
})

test('401: a session that has ended, after 30 days', async () => {
  const { token } = await signUp()
  kinora.turnClock(30 * DAY_MS + 1000)
  assert.equal(await balanceStatus(bearer(token)), 401)
  kinora.turnClock(-30 * DAY_MS - 1000)
})

test('401: a banned user, within 5 s; and no new session', async (context) => {
  const admin = await kinora.person({ role: 'admin', credits: 0 })
  const { token, userId, email } = await signUp()
  assert.equal(await balanceStatus(bearer(token)), 200)
  assert.equal((await auth('POST', 'admin/ban-user', { userId }, bearer(token))).status, 403)
  assert.equal((await auth('POST', 'admin/ban-user', { userId }, bearer(admin.token))).status, 200)
  passFiveSeconds(context)
  assert.equal(await balanceStatus(bearer(token)), 401)
  assert.equal((await signIn(email)).status, 403)
})

test('403: nobody makes himself an administrator', async () => {
  const refused = await signUp({ role: 'admin' })
  assert.equal(refused.status, 400)
  const { token, userId } = await signUp()
  await auth('POST', 'update-user', { role: 'admin' }, bearer(token))
  assert.equal((await auth('POST', 'admin/set-role', { userId, role: 'admin' }, bearer(token))).status, 403)
  const answer = await kinora.call('POST', '/api/v1/admin/credits/add', {
    body: { credits: 1 },
    headers: bearer(token),
  })
  assert.equal(answer.status, 403)
})

test('403: a page of another site cannot use the cookie', async () => {
  const { email } = await signUp()
  const cookie = cookieOf(await signIn(email))
  const answer = await auth('POST', 'sign-out', {}, { cookie, origin: 'https://evil.example' })
  assert.equal(answer.status, 403)
  assert.equal(await balanceStatus({ cookie }), 200)
})

test('200: a program signs in without an Origin; 403: a form of another site does not', async () => {
  const { email } = await signUp()
  const path = '/api/auth/sign-in/email'
  const body = { email, password: PASSWORD }
  assert.equal((await kinora.call('POST', path, { body })).status, 200)
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  assert.equal((await kinora.call('POST', path, { body, headers })).status, 403)
  const evil = { ...headers, origin: 'https://evil.example' }
  assert.equal((await kinora.call('POST', path, { body, headers: evil })).status, 403)
})

test('better-auth would change nothing in the tables of our migrations', async () => {
  const { toBeCreated, toBeAdded, toBeAddedIndexes, unsafeChanges, schemaProblems } = await getMigrations(
    kinora.auth.options,
  )
  assert.deepEqual(
    { toBeCreated, toBeAdded, toBeAddedIndexes, unsafeChanges, schemaProblems },
    { toBeCreated: [], toBeAdded: [], toBeAddedIndexes: [], unsafeChanges: [], schemaProblems: [] },
  )
})
