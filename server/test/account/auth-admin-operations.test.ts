/** The administrators' operations of `/api/auth/admin`: responses match openapi.json, changes have audit entries. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { adminOperations } from '../../src/http/sign-in/auth-admin-operations.ts'
import { bearer, type Headers_, openAuthCalls, PASSWORD } from '../support/auth-calls.ts'
import { expireCredentialCache } from '../support/expire-credential-cache.ts'

const { kinora, call, signUp, signIn, balanceStatus, succeeded, openAdministrator } = await openAuthCalls()
const root = await openAdministrator()

const lastAction = async (userId: string) => {
  const [entry] = await kinora.app.sql<{ action: string }[]>`
    select action from kinora.audit where user_id = ${userId} order by id desc limit 1
  `
  return entry?.action
}

test('200: user created with a password → may sign in; renamed and with another address → both are stored', async () => {
  const email = 'cara@example.com'
  const { user } = (await call('createUser', { email, name: 'Cara', password: PASSWORD }, root.headers)).json
  assert.equal(user.role, 'user')
  assert.equal(await lastAction(user.id), 'user.create')
  await signIn(email)
  const data = { name: 'Clara', email: 'clara@example.com' }
  const changed = (await call('updateUserAsAdmin', { userId: user.id, data }, root.headers)).json
  assert.deepEqual([changed.name, changed.email], ['Clara', 'clara@example.com'])
  await signIn('clara@example.com')
})

test('200: role, ban and password set by an administrator → they take effect, with an audit entry each', async (context) => {
  const { userId, headers, email } = await signUp()
  await call('setRole', { userId, role: 'admin' }, root.headers)
  assert.equal((await call('hasPermission', { permissions: { user: ['ban'] } }, headers)).json.success, true)
  await call('setRole', { userId, role: 'user' }, root.headers)
  assert.equal((await call('hasPermission', { permissions: { user: ['ban'] } }, headers)).json.success, false)
  const ban = await call('banUser', { userId, banReason: 'Chargebacks', banExpiresIn: 3600 }, root.headers)
  assert.ok(Math.abs(Date.parse(ban.json.user.banExpires) - Date.now() - 3_600_000) < 60_000)
  expireCredentialCache(context)
  assert.equal(await balanceStatus(headers), 401)
  assert.equal((await call('signIn', { email, password: PASSWORD })).status, 403)
  await call('unbanUser', { userId }, root.headers)
  await call('setUserPassword', { userId, newPassword: 'a second horse' }, root.headers)
  assert.equal(await lastAction(userId), 'user.set-password')
  await signIn(email, 'a second horse')
})

test('200: sessions of a user → listed by a hash, and revoked by it, one or all', async (context) => {
  const { userId, headers, email } = await signUp()
  const second = await signIn(email)
  const { sessions } = (await call('listUserSessions', { userId }, root.headers)).json
  assert.equal(sessions.length, 2)
  await call('revokeUserSession', { sessionToken: sessions[0].token }, root.headers)
  assert.equal((await call('listUserSessions', { userId }, root.headers)).json.sessions.length, 1)
  await call('revokeUserSessions', { userId }, root.headers)
  expireCredentialCache(context)
  for (const each of [headers, second]) assert.equal(await balanceStatus(each), 401)
})

test('200: impersonation by a program → ends with stop-impersonating, which shows no session', async (context) => {
  const { userId } = await signUp()
  const { session } = (await call('impersonateUser', { userId }, root.headers)).json
  assert.equal(session.impersonatedBy, root.userId)
  const headers = bearer(session.token)
  assert.equal((await call('getSession', undefined, headers)).json.user.id, userId)
  assert.deepEqual((await call('stopImpersonating', undefined, headers)).json, { session: null, user: null })
  expireCredentialCache(context)
  assert.equal(await balanceStatus(headers), 401)
  assert.equal(await balanceStatus(root.headers), 200)
  const [entry] = await kinora.app
    .sql`select actor_id, action from kinora.audit where user_id = ${userId} order by id desc`
  assert.deepEqual({ ...entry }, { actorId: root.userId, action: 'user.stop-impersonating' })
})

test('200: impersonation in a browser → stop-impersonating returns to the administrator’s session, sign-out ends both', async () => {
  const { userId, email } = await signUp()
  const boss = await signUp()
  await kinora.app.sql`update public."user" set role = 'admin' where id = ${boss.userId}`
  const origin = { origin: kinora.url }
  const cookies = new Map<string, string>()
  const keep = ({ headers }: { headers: Headers }) => {
    for (const cookie of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    return { ...origin, cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }
  }
  let headers = keep(await call('signIn', { email: boss.email, password: PASSWORD }, origin))
  headers = keep(await call('impersonateUser', { userId }, headers))
  assert.equal((await call('getSession', undefined, headers)).json.user.email, email)
  const stopped = await call('stopImpersonating', undefined, headers)
  assert.equal(stopped.json.user.id, boss.userId)
  headers = keep(stopped)
  assert.equal((await call('getSession', undefined, headers)).json.user.id, boss.userId)
  const again = await call('stopImpersonating', undefined, headers)
  assert.deepEqual([again.status, again.json.code], [400, 'NOT_IMPERSONATING'])

  headers = keep(await call('impersonateUser', { userId }, headers))
  keep(await call('signOut', undefined, headers))
  assert.equal(cookies.get('kinora.admin_session'), '')
  const left = await kinora.app.sql`select from public.session where "userId" = ${boss.userId}`
  assert.equal(left.length, 1, 'that of the sign-up, which is of another browser')
})

const ann = await signUp()
const { userId } = ann
const refused: [status: number, operationId: string, body: unknown, as: Headers_, code: string][] = [
  [400, 'banUser', { userId: root.userId }, root.headers, 'YOU_CANNOT_BAN_YOURSELF'],
  [400, 'banUser', { userId, banExpiresIn: 1e300 }, root.headers, 'INVALID_REQUEST'],
  [400, 'banUser', { userId, banExpiresIn: -1 }, root.headers, 'INVALID_REQUEST'],
  [400, 'banUser', { userId: { id: userId } }, root.headers, 'INVALID_REQUEST'],
  [400, 'banUser', { userId: 'ann' }, root.headers, 'INVALID_REQUEST'],
  [400, 'banUser', { userId, banReason: 'a\0b' }, root.headers, 'INVALID_REQUEST'],
  [404, 'banUser', { userId: '01939b1e-1111-7aaa-8bbb-00000000dead' }, root.headers, 'USER_NOT_FOUND'],
  [403, 'banUser', { userId: root.userId }, ann.headers, 'YOU_ARE_NOT_ALLOWED_TO_BAN_USERS'],
  [401, 'banUser', { userId }, {}, 'UNAUTHENTICATED'],
  [400, 'hasPermission', {}, root.headers, 'INVALID_REQUEST'],
  [400, 'hasPermission', { permissions: { constructor: ['x'] } }, root.headers, 'INVALID_REQUEST'],
  [400, 'hasPermission', { permissions: { user: 'ban' } }, root.headers, 'INVALID_REQUEST'],
  [400, 'hasPermission', { permissions: null }, root.headers, 'INVALID_REQUEST'],
  [401, 'hasPermission', { permissions: { user: ['ban'] } }, {}, 'UNAUTHENTICATED'],
  [400, 'setRole', { userId, role: 'root' }, root.headers, 'INVALID_REQUEST'],
  [400, 'setRole', { userId, role: ['admin'] }, root.headers, 'INVALID_REQUEST'],
  [403, 'setRole', { userId, role: 'admin' }, ann.headers, 'YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE'],
  [400, 'updateUserAsAdmin', { userId, data: { role: 'admin' } }, root.headers, 'INVALID_REQUEST'],
  [400, 'updateUserAsAdmin', { userId, data: {} }, root.headers, 'NO_FIELDS_TO_UPDATE'],
  [400, 'updateUserAsAdmin', { userId, data: { email: 'ann' } }, root.headers, 'INVALID_EMAIL'],
  [400, 'createUser', { email: ann.email, name: 'Ann' }, root.headers, 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL'],
  [400, 'impersonateUser', { userId: 7 }, root.headers, 'INVALID_REQUEST'],
  [403, 'impersonateUser', { userId: root.userId }, root.headers, 'YOU_CANNOT_IMPERSONATE_ADMINS'],
  [403, 'revokeUserSession', { sessionToken: 'x' }, ann.headers, 'YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS'],
  [400, 'stopImpersonating', undefined, ann.headers, 'NOT_IMPERSONATING'],
]
for (const [status, operationId, body, as, code] of refused) {
  test(`${status}: ${operationId} ${JSON.stringify(body)?.slice(0, 60)} → ${code}`, async () => {
    const response = await call(operationId, body, as)
    assert.deepEqual([response.status, response.json.code], [status, code], response.text)
    assert.match(response.json.message, /^[A-Z].*\.$/)
  })
}

// Each operation has returned 200 in this file.
after(() => {
  const untested = adminOperations.map(({ operationId }) => operationId).filter((id) => !succeeded.has(id))
  assert.deepEqual(untested, [])
})
