/** Sign-in refuses beyond better-auth: guessable passwords, keys without the password, lasting impersonation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, openAuthCalls, PASSWORD } from '../support/auth-calls.ts'

const { kinora, call, signUp, signIn, balanceStatus, openAdministrator } = await openAuthCalls()
const root = await openAdministrator()
const MINUTE_MS = 60_000

const codeOf = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code]

const passwords: [password: string, code: string][] = [
  ['nine char', 'PASSWORD_TOO_SHORT'],
  ['x'.repeat(129), 'PASSWORD_TOO_LONG'],
  ['1234567890', 'PASSWORD_TOO_COMMON'],
  ['qwertyuiop', 'PASSWORD_TOO_COMMON'],
  ['PassWord123', 'PASSWORD_TOO_COMMON'],
  ['ｐassword123', 'PASSWORD_TOO_COMMON'],
  ['maximilian@example.com', 'PASSWORD_IS_EMAIL'],
  ['Maximilian@Example.com', 'PASSWORD_IS_EMAIL'],
  ['maximilian', 'PASSWORD_IS_EMAIL'],
]
test('400: short, common or the e-mail address as password → refused at sign-up, change and by an administrator', async () => {
  const email = 'maximilian@example.com'
  const { json } = await call('signUp', { name: 'Max', email, password: PASSWORD })
  const headers = bearer(json.token)
  for (const [password, code] of passwords) {
    const sent = { email: email.replace('.com', `.${passwords.length}.com`), name: 'Max', password }
    const own =
      code === 'PASSWORD_IS_EMAIL' ? { ...sent, password: password.replace(/(@.*)?\.com$/i, '$1.9.com') } : sent
    assert.deepEqual(codeOf(await call('signUp', own)), [400, code], password)
    assert.deepEqual(codeOf(await call('createUser', own, root.headers)), [400, code], password)
    const change = { currentPassword: PASSWORD, newPassword: password }
    assert.deepEqual(codeOf(await call('changePassword', change, headers)), [400, code], password)
    const set = { userId: json.user.id, newPassword: password }
    assert.deepEqual(codeOf(await call('setUserPassword', set, root.headers)), [400, code], password)
  }
  await signIn(email)
})

test('200: sign-in with a password from before the present minimum → still accepted', async () => {
  const { email, userId } = await signUp()
  const context = await kinora.auth.context()
  await context.internalAdapter.updatePassword(userId, await context.password.hash('12345678'))
  const headers = await signIn(email, '12345678')
  const change = { currentPassword: '12345678', newPassword: 'a longer password' }
  assert.equal((await call('changePassword', change, headers)).status, 200)
})

test('403: API key 10 minutes after the sign-in without the password → SESSION_NOT_FRESH; with it → created', async () => {
  const { headers, email } = await signUp()
  kinora.holdClock()
  kinora.turnClock(11 * MINUTE_MS)
  assert.deepEqual(codeOf(await call('createApiKey', { name: 'server' }, headers)), [403, 'FORBIDDEN'])
  const wrong = await call('createApiKey', { name: 'server', password: 'a wrong password' }, headers)
  assert.deepEqual(codeOf(wrong), [400, 'INVALID_PASSWORD'])
  const { json } = await call('createApiKey', { name: 'server', password: PASSWORD }, headers)
  assert.equal(await balanceStatus({ 'x-api-key': json.key }), 200)
  kinora.turnClock(-11 * MINUTE_MS)
  assert.equal((await call('createApiKey', { name: 'laptop' }, await signIn(email))).status, 200)
})

test('400: wrong password with a fresh sign-in → no key is created', async () => {
  const { headers } = await signUp()
  const wrong = await call('createApiKey', { name: 'server', password: 'a wrong password' }, headers)
  assert.deepEqual(codeOf(wrong), [400, 'INVALID_PASSWORD'])
  assert.equal((await call('listApiKeys', undefined, headers)).json.total, 0)
})

test('403: impersonation → reads what the user sees, but makes no key and changes nothing of the account', async () => {
  const ann = await signUp()
  const { id: keyId } = (await call('createApiKey', { name: 'server' }, ann.headers)).json
  // An administrator could set the password, so that knowing it proves nothing.
  await call('setUserPassword', { userId: ann.userId, newPassword: 'chosen by the administrator' }, root.headers)
  const password = 'chosen by the administrator'
  const { session } = (await call('impersonateUser', { userId: ann.userId }, root.headers)).json
  const headers = bearer(session.token)
  for (const [operationId, body] of [
    ['createApiKey', { name: 'back door' }],
    ['createApiKey', { name: 'back door', password }],
    ['updateApiKey', { keyId, enabled: false }],
    ['deleteApiKey', { keyId }],
    ['changePassword', { currentPassword: password, newPassword: 'another long password' }],
    ['verifyPassword', { password }],
    ['updateUser', { name: 'Eve' }],
    ['revokeSession', { token: ann.token }],
    ['revokeOtherSessions', undefined],
    ['revokeSessions', undefined],
  ] as const) {
    assert.deepEqual(codeOf(await call(operationId, body, headers)), [403, 'FORBIDDEN'], operationId)
    // Neither does the session beside an API key, which better-auth does not read.
    const both = { ...headers, 'x-api-key': 'kin_unknown' }
    assert.deepEqual(codeOf(await call(operationId, body, both)), [401, 'UNAUTHENTICATED'], operationId)
  }
  const removal = await kinora.call('DELETE', '/api/v1/account', { headers, body: { password } })
  assert.deepEqual([removal.status, removal.error?.code], [403, 'FORBIDDEN'])

  assert.equal(await balanceStatus(headers), 200)
  assert.equal((await call('listApiKeys', undefined, headers)).json.total, 1)
  assert.equal((await call('listSessions', undefined, headers)).status, 200)
  assert.equal((await call('stopImpersonating', undefined, headers)).status, 200)
  assert.equal((await call('getSession', undefined, ann.headers)).json.user.name, 'Ann')
  await signIn(ann.email, password)
})
