/** Requests with two credentials: an API key beside a session, or two sessions. One authenticates, alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, type Headers_, openAuthCalls, PASSWORD } from '../support/auth-calls.ts'

const { kinora, call, signUp } = await openAuthCalls()
const { sql } = kinora.app
const origin = kinora.url

/** The session cookie of a sign-in just now, `name=value`. */
async function cookieOf(email: string): Promise<string> {
  const { headers } = await call('signIn', { email, password: PASSWORD })
  const cookie = headers.getSetCookie().find((each) => each.startsWith('kinora.session_token='))
  assert.ok(cookie)
  return cookie.split(';')[0] ?? ''
}

const stateOf = async (id: string) =>
  (await sql`select scopes, budget from kinora.api_key where id = ${id}`).map(({ scopes, budget }) => ({
    scopes,
    budget,
  }))
const expiryOf = async (id: string) => (await sql`select "expiresAt" from public.apikey where id = ${id}`)[0]?.expiresAt

test('401: API key or old session beside a fresh session of another user → the key keeps its scopes, budget and expiry', async () => {
  const [bob, eve] = [await signUp(), await signUp()]
  const limits = { scopes: ['read'], budget: { credits: 5, period: 'day' }, expiresIn: 2 * 86_400 }
  const { id: keyId, key } = (await call('createApiKey', { name: 'server', ...limits }, bob.headers)).json
  const [before, expiry] = [await stateOf(keyId), await expiryOf(keyId)]
  const [hers, his] = [await cookieOf(eve.email), await cookieOf(bob.email)]
  await sql`update public.session set "createdAt" = now() - interval '1 hour' where "userId" = ${bob.userId}`
  const change = { keyId, scopes: ['read', 'generate', 'account'], budget: null, expiresIn: null }
  const twice: Record<string, Headers_> = {
    'x-api-key and cookie': { origin, cookie: hers, 'x-api-key': key },
    'x-api-key and bearer': { ...eve.headers, 'x-api-key': key },
    'bearer key and cookie': { origin, cookie: hers, authorization: `Bearer ${key}` },
    'bearer session and cookie': { origin, cookie: hers, ...bob.headers },
    'two cookies': { origin, cookie: `${hers.replace('=', ' =')}; ${his}` },
  }
  for (const [name, headers] of Object.entries(twice)) {
    const { status } = await call('updateApiKey', change, headers)
    assert.deepEqual([await stateOf(keyId), await expiryOf(keyId)], [before, expiry], name)
    assert.ok([401, 403].includes(status), `${name}: ${status}`)
  }
})

test('403: change of a key from another site’s page → the key keeps its scopes', async () => {
  const bob = await signUp()
  const { id: keyId } = (await call('createApiKey', { name: 'server', scopes: ['read'] }, bob.headers)).json
  const headers = { origin: 'https://evil.example', cookie: await cookieOf(bob.email) }
  const before = await stateOf(keyId)
  assert.equal((await call('updateApiKey', { keyId, scopes: ['account'] }, headers)).status, 403)
  assert.deepEqual(await stateOf(keyId), before)
})

test('401: an API key that is not valid beside a session → no password and no code is checked', async () => {
  const bob = await signUp()
  for (const session of [bob.headers, { origin, cookie: await cookieOf(bob.email) }]) {
    for (const junk of [{ 'x-api-key': 'x' }, { 'x-api-key': 'kin_unknown' }]) {
      const headers = { ...session, ...junk }
      for (const password of [PASSWORD, 'a wrong password']) {
        const { status, json } = await call('verifyPassword', { password }, headers)
        assert.deepEqual([status, json.code], [401, 'UNAUTHENTICATED'])
      }
      // Operations that take a session or none, such as the code of the second factor, find none.
      assert.equal((await call('getSession', undefined, headers)).json, null)
    }
    assert.equal((await call('verifyPassword', { password: PASSWORD }, session)).status, 200)
  }
})

test('403: API key of a user without a password beside a fresh session of another user → the account stays', async () => {
  const [bob, eve] = [await kinora.person(), await signUp()]
  const { key } = (await call('createApiKey', { name: 'server' }, bearer(bob.token))).json
  await sql`update public.session set "createdAt" = now() - interval '1 hour' where "userId" = ${bob.userId}`
  const hers = await cookieOf(eve.email)
  for (const headers of [
    { origin, cookie: hers, 'x-api-key': key },
    { ...eve.headers, 'x-api-key': key },
    { origin, cookie: hers, authorization: `Bearer ${key}` },
    { origin, cookie: hers, ...bearer(bob.token) },
  ]) {
    const { status, error } = await kinora.call('DELETE', '/api/v1/account', { headers, body: {} })
    assert.deepEqual([status, error?.code], [403, 'FORBIDDEN'])
  }
  assert.equal((await kinora.balance(bob)).available, 60)
})
