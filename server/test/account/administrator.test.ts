/** ADMIN_EMAIL and ADMIN_PASSWORD: the administrator is created or updated at start-up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ensureAdministrator } from '../../src/operator/administrator.ts'
import { openKinora } from '../support/harness.ts'

const kinora = await openKinora()
const { app, auth } = kinora

async function signIn(email: string, password: string) {
  const response = await kinora.call('POST', '/api/auth/sign-in/email', { body: { email, password } })
  return { status: response.status, json: JSON.parse(response.text) as { token?: string } }
}

/** The step of start-up that applies these settings. */
async function start(email: string, password: string): Promise<void> {
  app.config.admin = { email, password }
  await ensureAdministrator(app, auth)
}

async function mayGrant(token: string | undefined): Promise<boolean> {
  const { status } = await kinora.call('POST', '/api/v1/admin/credits/add', {
    body: { credits: 1 },
    headers: { authorization: `Bearer ${token}` },
  })
  return status === 200
}

const usersWith = async (email: string) => (await app.sql`select from public."user" where email = ${email}`).length

test('start-up: no such user → the administrator is created and may grant credits', async () => {
  await start('Root@Example.com', 'first password')
  const { status, json } = await signIn('root@example.com', 'first password')
  assert.equal(status, 200)
  assert.ok(await mayGrant(json.token))
})

test('start-up: same settings again → nothing changes', async () => {
  const accounts = () => app.sql`select * from public.account order by id`
  await start('same@example.com', 'first password')
  const before = await accounts()
  await start('same@example.com', 'first password')
  assert.deepEqual(await accounts(), before)
  assert.equal(await usersWith('same@example.com'), 1)
})

test('start-up: another ADMIN_PASSWORD → replaces the old password', async () => {
  await start('changed@example.com', 'first password')
  await start('changed@example.com', 'second password')
  assert.equal((await signIn('changed@example.com', 'second password')).status, 200)
  assert.equal((await signIn('changed@example.com', 'first password')).status, 401)
})

test('start-up: ADMIN_PASSWORD too short, common or the address → refused, the old one stays', async () => {
  await start('kept@example.com', 'first password')
  for (const password of ['too short', 'password1234', 'kept@example.com']) {
    await assert.rejects(start('kept@example.com', password), /ADMIN_PASSWORD is refused: PASSWORD_/)
    await assert.rejects(
      start('other@example.com', password === 'kept@example.com' ? 'other@example.com' : password),
      /ADMIN_PASSWORD/,
    )
  }
  assert.equal((await signIn('kept@example.com', 'first password')).status, 200)
  assert.equal(await usersWith('other@example.com'), 0)
})

test('start-up: existing user with ADMIN_EMAIL → becomes administrator, with one audit entry', async () => {
  const body = { name: 'Eve', email: 'eve@example.com', password: 'her own password' }
  await kinora.call('POST', '/api/auth/sign-up/email', { body })
  await start('eve@example.com', 'her own password')
  assert.ok(await mayGrant((await signIn('eve@example.com', 'her own password')).json.token))
  await start('eve@example.com', 'her own password')
  const entries = await app.sql`
    select a.actor_id, a.action, a.before, a.after, a.reason
    from kinora.audit a
    join public."user" u on u.id = a.user_id::text and u.email = 'eve@example.com'
    where a.action = 'user.set-role'
  `
  assert.deepEqual(
    entries.map(({ before, after, ...entry }) => ({ ...entry, roles: [before.role, after.role] })),
    [
      {
        actorId: '00000000-0000-0000-0000-000000000000',
        action: 'user.set-role',
        reason: 'ADMIN_EMAIL',
        roles: ['user', 'admin'],
      },
    ],
  )
})

test('start-up: two nodes at once → one administrator', async () => {
  app.config.admin = { email: 'two@example.com', password: 'a good password' }
  await Promise.all([ensureAdministrator(app, auth), ensureAdministrator(app, auth)])
  assert.equal(await usersWith('two@example.com'), 1)
  assert.ok(await mayGrant((await signIn('two@example.com', 'a good password')).json.token))
})

test('start-up: without the settings → no user is created', async () => {
  const [before] = await app.sql`select count(*) from public."user"`
  app.config.admin = null
  await ensureAdministrator(app, auth)
  assert.deepEqual((await app.sql`select count(*) from public."user"`)[0], before)
})
