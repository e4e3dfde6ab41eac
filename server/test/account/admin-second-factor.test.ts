/** ADMIN_SECOND_FACTOR=required: an administrator without a second factor has a user's rights, and can set one up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { databaseChecks } from '../../src/operator/doctor-checks.ts'
import { openAuthCalls } from '../support/auth-calls.ts'
import { waitFor } from '../support/video-row.ts'

const { kinora, call, openAdministrator } = await openAuthCalls({ ADMIN_SECOND_FACTOR: 'required' })
const { sql } = kinora.app

const users = (headers: Record<string, string>) => kinora.call('GET', '/api/v1/admin/users', { headers })
const isAdmitted = async (headers: Record<string, string>) => (await users(headers)).status === 200
const addPasskey = (userId: string) => sql`
  insert into public."passkey" ("id", "publicKey", "userId", "credentialID", "counter", "deviceType", "backedUp")
  values (${userId}, 'key', ${userId}, ${userId}, 0, 'singleDevice', false)
`

test('403: administrator without a second factor → no operation of an administrator, and an error that says what to do', async () => {
  const { headers, userId } = await openAdministrator()
  const ann = await kinora.person()
  const { status, error } = await users(headers)
  assert.deepEqual([status, error?.code, error?.details], [403, 'FORBIDDEN', { reason: 'second_factor_missing' }])
  assert.match(error?.message ?? '', /set up an app with codes in Account/)
  const sent: [string, object][] = [
    ['setRole', { userId: ann.userId, role: 'admin' }],
    ['impersonateUser', { userId: ann.userId }],
    ['listUserSessions', { userId }],
  ]
  for (const [operationId, body] of sent) {
    const refused = await call(operationId, body, headers)
    assert.deepEqual([refused.status, refused.json.code], [403, 'FORBIDDEN'], operationId)
  }
  assert.equal((await kinora.call('GET', '/api/v1/credit/balance', { headers })).status, 200)
  assert.equal((await call('getSession', undefined, headers)).json.user.id, userId)
})

test('200: administrator whose factor is set up → has the rights within a second, and loses them with it', async () => {
  const { headers, userId } = await openAdministrator()
  assert.equal(await isAdmitted(headers), false)
  await sql`update public."user" set "twoFactorEnabled" = true where id = ${userId}`
  await waitFor('the rights', () => isAdmitted(headers))
  await sql`update public."user" set "twoFactorEnabled" = false where id = ${userId}`
  await waitFor('the loss of the rights', async () => !(await isAdmitted(headers)))
})

test('200: administrator with a passkey → has the rights in a session that it began, not in one of the password', async () => {
  const { headers, userId } = await openAdministrator()
  await addPasskey(userId)
  assert.equal(await isAdmitted(headers), false)
  await sql`update public."session" set "withPasskey" = true, "expiresAt" = "expiresAt" - interval '1 second' where "userId" = ${userId}`
  await waitFor('the rights', () => isAdmitted(headers))
})

test('403: API key of an administrator → needs the factor too', async () => {
  const { headers, userId } = await openAdministrator()
  const { json } = await call('createApiKey', { name: 'server' }, headers)
  const key = { 'x-api-key': String(json.key) }
  assert.equal(await isAdmitted(key), false)
  await addPasskey(userId)
  await waitFor('the rights', () => isAdmitted(key))
})

test('doctor: administrators without a second factor → named, with the remedy', async () => {
  const lacking = await openAdministrator()
  const config = readConfig(
    { DATABASE_URL: kinora.databaseUrl, ADMIN_SECOND_FACTOR: 'required', AUTH_SECRET: 'x'.repeat(32) },
    [],
  )
  const finding = (await databaseChecks(config)).find(({ what }) => what === 'administrators')
  assert.ok(finding?.state.includes(lacking.email), JSON.stringify(finding))
  assert.match(finding?.remedy ?? '', /set one up in Account/)
})
