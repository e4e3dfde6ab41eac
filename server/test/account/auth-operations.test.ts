/** The operations of `/api/auth` for users: responses match openapi.json, errors are sentences that say what to do. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { userOperations } from '../../src/http/sign-in/auth-operations.ts'
import { bearer, type Headers_, openAuthCalls, PASSWORD } from '../support/auth-calls.ts'
import { assertRefusedWithinASecond, expireCredentialCache } from '../support/expire-credential-cache.ts'

const { kinora, call, signUp, signIn, balanceStatus, succeeded } = await openAuthCalls()

test('200: sign-up, rename, sign-out, sign-in → get-session follows each', async () => {
  const { headers, email, userId } = await signUp()
  assert.equal((await call('updateUser', { name: 'Anna' }, headers)).status, 200)
  const { json } = await call('getSession', undefined, headers)
  assert.equal(json.user.name, 'Anna')
  assert.equal(json.user.id, userId)
  assert.equal(json.credits.available, 60)
  assert.equal((await call('signOut', undefined, headers)).json.success, true)
  assert.equal((await call('getSession', undefined, headers)).json, null)
  const again = await call('signIn', { email, password: PASSWORD, rememberMe: false })
  assert.equal(again.json.user.id, userId)
})

test('200: sessions listed and revoked, one or all others → refused within a second', async () => {
  const { headers, email } = await signUp()
  const [second, third, fourth] = [await signIn(email), await signIn(email), await signIn(email)]
  for (const each of [headers, second, third, fourth]) assert.equal(await balanceStatus(each), 200)
  assert.equal((await call('listSessions', undefined, headers)).json.length, 4)
  const token = String(second.authorization).slice('Bearer '.length)
  assert.equal((await call('revokeSession', { token }, headers)).status, 200)
  const left = (await call('listSessions', undefined, headers)).json as { token: string }[]
  assert.ok(left.length === 3 && !left.some((each) => each.token === token))
  assert.equal((await call('revokeOtherSessions', undefined, headers)).status, 200)
  assert.equal((await call('listSessions', undefined, headers)).json.length, 1)
  for (const each of [second, third, fourth]) await assertRefusedWithinASecond(() => balanceStatus(each))
  assert.equal(await balanceStatus(headers), 200)
})

test('200: revoke-session with another user’s token → same response as an unknown one, the session stays (IDOR)', async (context) => {
  const ann = await signUp()
  const eve = await signUp()
  const foreign = await call('revokeSession', { token: ann.token }, eve.headers)
  const unknown = await call('revokeSession', { token: 'none' }, eve.headers)
  assert.deepEqual([foreign.status, foreign.json], [unknown.status, unknown.json])
  expireCredentialCache(context)
  assert.equal(await balanceStatus(ann.headers), 200)
})

test('200: list-sessions with a session of 5 days → no fresh sign-in needed', async () => {
  const { headers, token } = await signUp()
  await kinora.app
    .sql`update public.session set "createdAt" = now() - interval '5 days' where token = public.stored_token(${token})`
  assert.equal((await call('listSessions', undefined, headers)).status, 200)
})

test('200: change-password with revokeOtherSessions → old password and old sessions are refused within a second', async () => {
  const { headers, email } = await signUp()
  const other = await signIn(email)
  assert.equal(await balanceStatus(other), 200)
  const kept = await call('changePassword', { currentPassword: PASSWORD, newPassword: 'second horse' }, headers)
  assert.equal(kept.json.token, null)
  const change = { currentPassword: 'second horse', newPassword: 'third horse', revokeOtherSessions: true }
  const { json } = await call('changePassword', change, headers)
  for (const each of [other, headers]) await assertRefusedWithinASecond(() => balanceStatus(each))
  assert.equal(await balanceStatus(bearer(json.token)), 200)
  assert.equal((await call('signIn', { email, password: PASSWORD })).status, 401)
  assert.equal((await call('signIn', { email, password: 'third horse' })).status, 200)
})

test('200: API key created, listed, deleted → shown once, refused within a second of its deletion', async () => {
  const { headers } = await signUp()
  const first = (await call('createApiKey', { name: 'server' }, headers)).json
  const second = (await call('createApiKey', { name: 'laptop', expiresIn: 30 * 86_400 }, headers)).json
  assert.equal(first.expiresAt, null)
  assert.equal(Math.round((Date.parse(second.expiresAt) - Date.now()) / 86_400_000), 30)
  assert.equal(await balanceStatus({ 'x-api-key': first.key }), 200)
  const { json, text } = await call('listApiKeys', undefined, headers, '?sortBy=createdAt&sortDirection=desc')
  assert.deepEqual(
    json.apiKeys.map((each: { name: string; start: string }) => [each.name, each.start]),
    [second, first].map((each) => [each.name, each.key.slice(0, 10)]),
  )
  assert.equal(json.total, 2)
  assert.ok(json.apiKeys[1].lastRequest && !json.apiKeys[0].lastRequest)
  assert.ok(!text.includes(first.key) && !('key' in json.apiKeys[0]))
  assert.equal((await call('listApiKeys', undefined, headers, '?limit=1')).json.apiKeys.length, 1)
  assert.equal((await call('deleteApiKey', { keyId: first.id }, headers)).json.success, true)
  await assertRefusedWithinASecond(() => balanceStatus({ 'x-api-key': first.key }))
  assert.equal(await balanceStatus({ 'x-api-key': second.key }), 200)
})

test('200, 401: API key renamed, disabled and enabled → refused while it is disabled', async (context) => {
  const { headers } = await signUp()
  const { id, key } = (await call('createApiKey', { name: 'server' }, headers)).json
  const disabled = await call('updateApiKey', { keyId: id, name: 'old server', enabled: false }, headers)
  assert.deepEqual([disabled.json.name, disabled.json.enabled], ['old server', false])
  assert.equal(await balanceStatus({ 'x-api-key': key }), 401)
  assert.equal((await call('updateApiKey', { keyId: id, enabled: true }, headers)).status, 200)
  expireCredentialCache(context)
  assert.equal(await balanceStatus({ 'x-api-key': key }), 200)
})

test('200, 400: verify-password → whether it is the password of the caller', async () => {
  const { headers } = await signUp()
  assert.equal((await call('verifyPassword', { password: PASSWORD }, headers)).json.status, true)
  const wrong = await call('verifyPassword', { password: 'wrong' }, headers)
  assert.deepEqual([wrong.status, wrong.json.code], [400, 'INVALID_PASSWORD'])
})

test('200: revoke-sessions → all sessions of the caller end, this one too', async (context) => {
  const { headers, email } = await signUp()
  const other = await signIn(email)
  assert.equal((await call('revokeSessions', undefined, other)).status, 200)
  expireCredentialCache(context)
  for (const each of [headers, other]) assert.equal(await balanceStatus(each), 401)
})

test('404: deleting another user’s API key → same response as an unknown one, the key stays (IDOR)', async () => {
  const ann = await signUp()
  const eve = await signUp()
  const { id, key } = (await call('createApiKey', { name: 'server' }, ann.headers)).json
  const foreign = await call('deleteApiKey', { keyId: id }, eve.headers)
  const unknown = await call('deleteApiKey', { keyId: 'none' }, eve.headers)
  assert.equal(foreign.status, 404)
  assert.deepEqual([foreign.json.code, foreign.json.message], [unknown.json.code, unknown.json.message])
  assert.equal(await balanceStatus({ 'x-api-key': key }), 200)
})

const { headers, email } = await signUp()
const account = { name: 'Ann', email: 'new@example.com', password: PASSWORD }
const errors: [status: number, operationId: string, body: unknown, as: Headers_, message: RegExp][] = [
  [400, 'signUp', { ...account, password: 'short' }, {}, /^A password has at least 10 characters\.$/],
  [400, 'signUp', { ...account, email: 'ann' }, {}, /^This is not an e-mail address\.$/],
  [400, 'signUp', { ...account, name: ' ' }, {}, /^A name has 1 to 100 characters: /],
  [400, 'signUp', { ...account, name: 'x'.repeat(101) }, {}, /^A name has/],
  [400, 'signUp', { ...account, name: 'a\0' }, {}, /^A name has/],
  [400, 'signUp', { email: 'new@example.com', password: PASSWORD }, {}, /^Check name: missing/],
  [422, 'signUp', { ...account, email }, {}, /^There is an account with this e-mail address already\. Sign in/],
  [400, 'signIn', {}, {}, /^Check email and password: missing/],
  [400, 'signIn', undefined, {}, /^The body must be a JSON object\.$/],
  [401, 'signIn', { email, password: 'wrong' }, {}, /^The e-mail address or the password is wrong\.$/],
  [403, 'signIn', { email, password: PASSWORD }, { origin: 'https://evil.example' }, /Open the service at http:/],
  [415, 'signIn', 'x', {}, /^Send the body as application\/json\.$/],
  [400, 'updateUser', {}, headers, /^No fields to update\.$/],
  [400, 'updateUser', { name: null }, headers, /^A name has/],
  [400, 'updateUser', { name: 7 }, headers, /^A name has/],
  [400, 'updateUser', { name: '' }, headers, /^A name has/],
  [400, 'updateUser', { role: 'admin' }, headers, /^Role is not allowed to be set\.$/],
  [401, 'updateUser', { name: 'x' }, {}, /^You are not signed in, or your session has ended\. Sign in again\.$/],
  [
    400,
    'changePassword',
    { currentPassword: 'wrong', newPassword: PASSWORD },
    headers,
    /^This is not your current password\.$/,
  ],
  [400, 'changePassword', { currentPassword: PASSWORD, newPassword: 'x' }, headers, /^A password has at least/],
  [401, 'changePassword', { currentPassword: PASSWORD, newPassword: PASSWORD }, {}, /^You are not signed in/],
  [401, 'listSessions', undefined, {}, /^You are not signed in/],
  [401, 'listSessions', undefined, bearer('none'), /^You are not signed in/],
  [400, 'revokeSession', {}, headers, /^Check token: missing/],
  [401, 'revokeSession', { token: 'x' }, {}, /^You are not signed in/],
  [401, 'revokeOtherSessions', undefined, {}, /^You are not signed in/],
  [400, 'createApiKey', {}, headers, /^Give the key a name\.$/],
  [400, 'createApiKey', { name: 'x'.repeat(33) }, headers, /^The name of a key has 1 to 32 characters: /],
  [400, 'createApiKey', { name: 'x', expiresIn: 60 }, headers, /^A key is good for at least a day\.$/],
  [400, 'createApiKey', { name: 'x', expiresIn: 366 * 86_400 }, headers, /^A key is good for at most 365 days/],
  [400, 'createApiKey', { name: 'x', remaining: 7 }, headers, /^A key has a name, expiresIn, scopes and a budget/],
  [401, 'createApiKey', { name: 'x' }, {}, /^You are not signed in/],
  [401, 'listApiKeys', undefined, {}, /^You are not signed in/],
  [400, 'deleteApiKey', {}, headers, /^Check keyId: missing/],
  [404, 'deleteApiKey', { keyId: 'none' }, headers, /^You have no such key\.$/],
  [401, 'deleteApiKey', { keyId: 'none' }, {}, /^You are not signed in/],
]
for (const [status, operationId, body, as, message] of errors) {
  test(`${status}: ${operationId} ${JSON.stringify(body)?.slice(0, 60)} → a code and a sentence`, async () => {
    const response = await call(operationId, body, as)
    assert.equal(response.status, status, response.text)
    assert.match(response.json.code, /^[A-Z_]+$/)
    assert.match(response.json.message, message)
    const { code, message: told, requestId } = response.json.error
    assert.deepEqual([code, told], [response.json.code, response.json.message])
    assert.equal(requestId, response.headers.get('x-request-id'))
  })
}

test('401, 403: expired session or locked account → the message says which', async () => {
  const { headers, email, token, userId } = await signUp()
  await kinora.app
    .sql`update public.session set "expiresAt" = now() - interval '1 minute' where token = public.stored_token(${token})`
  const ended = await call('listSessions', undefined, headers)
  assert.equal(ended.status, 401)
  assert.match(ended.json.message, /your session has ended\. Sign in again\.$/)
  await kinora.app.sql`update public."user" set banned = true where id = ${userId}`
  const locked = await call('signIn', { email, password: PASSWORD })
  assert.equal(locked.status, 403)
  assert.match(locked.json.message, /^This account is locked\./)
})

test('404: unknown path under /api/auth → NOT_FOUND', async () => {
  const response = await kinora.call('GET', '/api/auth/nothing')
  assert.equal(response.status, 404)
  assert.equal(JSON.parse(response.text).code, 'NOT_FOUND')
})

// Each operation has returned 200 in this file.
after(() => {
  const untested = userOperations.map(({ operationId }) => operationId).filter((id) => !succeeded.has(id))
  assert.deepEqual(untested, [])
})
