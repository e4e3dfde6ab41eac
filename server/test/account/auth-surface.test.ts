/** Every endpoint of better-auth is documented or off, so that a new version adds none unnoticed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditedActions } from '../../src/account/audited-operations.ts'
import { adminOperations } from '../../src/http/sign-in/auth-admin-operations.ts'
import { authOperations } from '../../src/http/sign-in/auth-operations.ts'
import { newPassword as NewPassword } from '../../src/http/sign-in/auth-schemas.ts'
import { openKinora } from '../support/harness.ts'

const kinora = await openKinora()
const root = await kinora.person({ role: 'admin', credits: 0 })

/** Endpoints of better-auth that no request reaches, and why. */
const off: Record<string, string> = {
  'POST /callback/:id': 'no provider responds with a form',
  'POST /refresh-token': 'tokens of providers are not stored',
  'POST /get-access-token': 'tokens of providers are not stored',
  'GET /account-info': 'tokens of providers are not stored',
  'POST /two-factor/get-totp-uri': 'the secret is shown once',
  'POST /two-factor/send-otp': 'no codes are sent',
  'POST /two-factor/verify-otp': 'no codes are sent',
  'POST /passkey/update-passkey': 'a passkey is deleted and added again',
  'GET /reset-password/:token': 'the link of the mail leads to the studio',
  'POST /delete-user': 'DELETE /api/v1/account',
  'GET /delete-user/callback': 'DELETE /api/v1/account',
  'POST /update-session': 'sessions have no fields that a user may set',
  'GET /api-key/get': 'GET /api/auth/api-key/list',
  'GET /admin/get-user': 'GET /api/v1/admin/users/{id}',
  'GET /admin/list-users': 'GET /api/v1/admin/users',
  'POST /admin/remove-user': 'DELETE /api/v1/admin/users/{id}',
  'POST /oauth2/authorize': 'an authorization is a navigation',
  'POST /oauth2/consent': 'the form of /oauth/consent',
  'GET /ok': '/healthz',
  'GET /error': 'a page for redirects of OAuth',
}
const webhook = 'POST /payment-a/webhook'
/** Redirects (http/sign-in/auth.ts): a browser arrives there, no program calls them. */
const redirects = ['GET /callback/:id']
/** OAuth (http/sign-in/oauth.ts): the protocol documents them. */
const oauth = ['GET /oauth2/authorize', 'POST /oauth2/token', 'POST /oauth2/revoke', 'POST /oauth2/register']

/** Every endpoint with a path, also those that better-auth marks as internal. */
const registered = Object.values(kinora.auth.api as Record<string, { path?: string; options?: { method?: unknown } }>)
  .flatMap(({ path, options }) => (path ? [options?.method ?? '*'].flat().map((method) => `${method} ${path}`) : []))
  .sort()
const documented = authOperations.map(({ method, path }) => `${method.toUpperCase()} ${path.slice('/api/auth'.length)}`)

test('endpoints: each that better-auth registers → is documented or off', () => {
  assert.deepEqual(
    registered,
    [...new Set([...documented, ...Object.keys(off), ...redirects, ...oauth, webhook])].sort(),
  )
})

test('endpoints: each one that is off → is not documented', () => {
  assert.deepEqual(
    documented.filter((each) => each in off),
    [],
  )
})

for (const [endpoint, reason] of Object.entries(off)) {
  test(`404: ${endpoint} (${reason}) → NOT_FOUND, also for an administrator`, async () => {
    const [method = '', path = ''] = endpoint.split(' ')
    const target = `/api/auth${path.replace(/:\w+/, 'x')}`
    const body = method === 'POST' ? { userId: root.userId, email: root.email, password: 'x', keyId: 'x' } : undefined
    for (const variant of [target, `${target}/`, `${target}?callbackURL=/`]) {
      const response = await kinora.call(method, variant, { as: root, body })
      assert.equal(response.status, 404, variant)
      assert.deepEqual(Object.keys(JSON.parse(response.text)), ['success', 'data', 'error', 'code', 'message'])
      assert.equal(JSON.parse(response.text).code, 'NOT_FOUND')
    }
  })
}

test('404: other method of a documented path → the envelope, and what better-auth’s client reads', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const response = await kinora.call(method, '/api/auth/sign-in/email')
    assert.equal(response.status, 404, method)
    assert.deepEqual(Object.keys(JSON.parse(response.text)), ['success', 'data', 'error', 'code', 'message'])
  }
})

test('audit: each operation of an administrator that changes something → has an action', () => {
  const reads = ['list-user-sessions', 'has-permission']
  const changes = adminOperations.map(({ path }) => path.slice('/api/auth'.length))
  assert.deepEqual(
    changes.filter((path) => !reads.some((read) => path.endsWith(read))).sort(),
    Object.keys(auditedActions).sort(),
  )
})

/** An optional field is a copy of the schema, so schemas are compared by their description. */
const descriptionOf = (schema: object) => ('description' in schema ? schema.description : undefined)

test('policy: each operation → states the session that it needs and its limit, and whose password a new one is', () => {
  for (const { operationId, session, limit, newPassword, body } of authOperations) {
    assert.ok(
      session === 'none' || session === 'any' || session === 'recent' || session.recentFor.length > 0,
      operationId,
    )
    const { properties = {} } = (body ?? {}) as { properties?: Record<string, object> }
    const isNew = ([, schema]: [string, object]) => descriptionOf(schema) === descriptionOf(NewPassword)
    assert.equal(newPassword?.field, Object.entries(properties).find(isNew)?.[0], operationId)
    const secrets = ['password', 'currentPassword', 'code'].filter((name) => name in properties)
    const checksSecret = secrets.some((name) => name !== newPassword?.field) || session === 'recent'
    if (checksSecret) assert.equal(limit, 'password', operationId)
  }
})
