// slow
/** Who may sign up (SIGN_UP), and invitations, over HTTP: with a password and at an OpenID provider. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { admitNewUser } from '../../src/account/invitation.ts'
import { openAuthCalls, PASSWORD } from '../support/auth-calls.ts'
import type { Person } from '../support/harness.ts'
import { openBrowser, startOpenIdProvider } from '../support/open-id-provider.ts'
import { runCommand } from '../support/processes.ts'

const provider = await startOpenIdProvider()
const { kinora, openAdministrator } = await openAuthCalls({ ...provider.env, SIGN_UP: 'invite' })
const { app } = kinora
const { sql } = app
const root = await openAdministrator()
const address = (path: string) => `${kinora.url}${path}`
const DAY_MS = 86_400_000

type Made = { id: string; link: string }
const post = (path: string, body: unknown) => kinora.call<Made>('POST', path, { body, headers: root.headers })
async function invite(body: object = {}) {
  const { status, data, text } = await post('/api/v1/admin/invitations', body)
  assert.equal(status, 200, text)
  return { id: data.id, token: data.link.split('#invitation=')[1] ?? '' }
}
type Browser = ReturnType<typeof openBrowser>
const open = async (token: string, browser: Browser = openBrowser()) => {
  const { status } = await browser.post(address('/api/v1/invitation'), { token })
  return { browser, status }
}
const signUp = (browser: Browser, email = `${randomUUID()}@example.com`) =>
  browser.post(address('/api/auth/sign-up/email'), { name: 'Ann', email, password: PASSWORD })
const signUpAtProvider = async (browser: Browser, login: string) => {
  const body = { provider: 'company', callbackURL: '/library' }
  const started = await browser.post(address('/api/auth/sign-in/social'), body)
  return browser.authorize(JSON.parse(started.text).url, login)
}
const userOf = (text: string): string => JSON.parse(text).user.id
const historyOf = (userId: string) => sql`
  select trans_type, credits::int, remark from kinora.credit_transaction where user_id = ${userId} order by n
`

test('403: sign-up without an invitation → refused; the options say so', async () => {
  const refused = await signUp(openBrowser())
  assert.deepEqual([refused.status, JSON.parse(refused.text).code], [403, 'INVITATION_NEEDED'])
  const { data } = await kinora.call<{ signUp: string }>('GET', '/api/v1/config/sign-in')
  assert.equal(data.signUp, 'invite')
})

test('302: a new user of a provider without an invitation → no account, back at the sign-in page', async () => {
  const end = await signUpAtProvider(openBrowser(), 'ivy')
  assert.equal(new URL(end).pathname, '/sign-in')
  assert.equal(new URL(end).searchParams.get('error'), 'INVITATION_NEEDED')
  assert.equal((await sql`select from public."user" where email = 'ivy@example.com'`).length, 0)
})

test('302: a new user of a provider with an invitation → an account with both gifts, and a later sign-in needs none', async () => {
  const { token, id } = await invite({ credits: 25 })
  const { browser } = await open(token)
  assert.equal(await signUpAtProvider(browser, 'jan'), address('/library'))
  const session = JSON.parse((await browser.get(address('/api/auth/get-session'))).text)
  assert.equal(session.credits.available, 85)
  assert.equal(await signUpAtProvider(openBrowser(), 'jan'), address('/library'))
  const [row] = await sql<{ usedBy: string }[]>`select used_by from kinora.invitation where id = ${id}`
  assert.equal(row?.usedBy, session.user.id)
})

test('200: an invitation with a gift instead of the new-user gift → that alone, once, in the ledger and the audit log', async () => {
  const { token, id } = await invite({ credits: 25, replacesGift: true })
  const { browser } = await open(token)
  const email = `${randomUUID()}@example.com`
  const made = await signUp(browser, email)
  assert.equal(made.status, 200, made.text)
  const userId = userOf(made.text)
  await sql`update public."user" set "emailVerified" = true where id = ${userId}`
  for (let i = 0; i < 2; i += 1) {
    const signedIn = await openBrowser().post(address('/api/auth/sign-in/email'), { email, password: PASSWORD })
    assert.equal(signedIn.status, 200, signedIn.text)
  }
  assert.deepEqual([...(await historyOf(userId))], [{ transType: 'SYSTEM_ADJUST', credits: 25, remark: 'Invitation' }])
  const entries = await sql`select action from kinora.audit where subject = ${id} order by action`
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['credits.add', 'invitation.create'],
  )
})

test('403, 404: a used invitation → neither opened nor taken again, also after the deletion of its account', async () => {
  const { token, id } = await invite()
  const [first, second] = [await open(token), await open(token)]
  const made = await signUp(first.browser)
  assert.equal(made.status, 200, made.text)
  assert.equal((await signUp(second.browser)).status, 403)
  assert.equal((await open(token)).status, 404)
  const revoked = await kinora.call('DELETE', `/api/v1/admin/invitations/${id}`, { headers: root.headers })
  assert.equal(revoked.status, 409)
  const removed = await first.browser.remove(address('/api/v1/account'), { password: PASSWORD })
  assert.equal(removed.status, 200, removed.text)
  kinora.turnClock(2 * 60_000)
  assert.equal((await signUp(second.browser)).status, 403)
})

test('403: an invitation for another address → refused, and still open for its own', async () => {
  const email = `${randomUUID()}@example.com`
  const { token } = await invite({ email: email.toUpperCase() })
  const { browser } = await open(token)
  assert.equal((await signUp(browser)).status, 403)
  assert.equal((await signUp(browser, email)).status, 200)
})

test('404: an open invitation for the address of an account that is deleted → revoked, and not open for any address', async () => {
  const email = `${randomUUID()}@example.com`
  const [taken, left] = [await invite({ email }), await invite({ email })]
  const { browser } = await open(taken.token)
  assert.equal((await signUp(browser, email)).status, 200)
  const removed = await browser.remove(address('/api/v1/account'), { password: PASSWORD })
  assert.equal(removed.status, 200, removed.text)
  assert.equal((await open(left.token)).status, 404)
})

test('403, 404: a revoked and an expired invitation → neither opened nor taken', async () => {
  const [revoked, expired] = [await invite(), await invite({ days: 1 })]
  const { browser } = await open(revoked.token)
  const remove = () => kinora.call('DELETE', `/api/v1/admin/invitations/${revoked.id}`, { headers: root.headers })
  assert.deepEqual([(await remove()).status, (await remove()).status], [200, 200])
  assert.equal((await signUp(browser)).status, 403)
  assert.equal((await open(revoked.token)).status, 404)
  kinora.turnClock(DAY_MS)
  assert.equal((await open(expired.token)).status, 404)
})

for (const [what, withdraw] of Object.entries({
  demoted: ({ userId }: Person) => post('/api/auth/admin/set-role', { userId, role: 'user' }),
  locked: ({ userId }: Person) => post('/api/auth/admin/ban-user', { userId }),
  deleted: ({ userId }: Person) =>
    kinora.call('DELETE', `/api/v1/admin/users/${userId}`, { headers: root.headers, body: { reason: 'Left' } }),
})) {
  test(`403, 404: the administrator who invited is ${what} → the invitation is neither opened nor taken, and listed as revoked`, async () => {
    const ann = await kinora.person({ role: 'admin' })
    const made = await kinora.call<Made>('POST', '/api/v1/admin/invitations', { as: ann, body: {} })
    const token = made.data.link.split('#invitation=')[1] ?? ''
    const { browser, status } = await open(token)
    assert.equal(status, 200)
    const withdrawn = await withdraw(ann)
    assert.equal(withdrawn.status, 200, withdrawn.text)
    assert.equal((await signUp(browser)).status, 403)
    assert.equal((await open(token)).status, 404)
    const { data } = await kinora.call<{ invitations: { id: string; state: string }[] }>(
      'GET',
      '/api/v1/admin/invitations',
      {
        headers: root.headers,
      },
    )
    assert.equal(data.invitations.find(({ id }) => id === made.data.id)?.state, 'revoked')
  })
}

test('invitation: 20 sign-ups at once → one account', async () => {
  const { token } = await invite()
  const cookie = `kinora.invitation=${token}`
  const admissions = await Promise.all(
    Array.from({ length: 20 }, (_, i) => admitNewUser(app, `racer-${i}@example.com`, cookie)),
  )
  assert.equal(admissions.filter((each) => 'id' in each).length, 1)
})

test('invitation: a sign-up that came to nothing → can be used after a minute', async () => {
  const { token } = await invite()
  const admit = () => admitNewUser(app, 'late@example.com', `kinora.invitation=${token}`)
  assert.ok('id' in (await admit()))
  assert.ok('refusal' in (await admit()))
  kinora.turnClock(61_000)
  assert.ok('id' in (await admit()))
})

test('200: the list → the states of invitations, newest first, by pages', async () => {
  const { id } = await invite({ email: 'kim@example.com' })
  type Page = { invitations: { id: string; state: string; email: string | null }[]; nextCursor: string | null }
  const read = (query: string) =>
    kinora.call<Page>('GET', `/api/v1/admin/invitations?${query}`, { headers: root.headers })
  const { data } = await read('pageSize=1')
  assert.partialDeepStrictEqual(data.invitations, [{ id, state: 'open', email: 'kim@example.com' }])
  const rest = await read(`cursor=${data.nextCursor}`)
  assert.ok(rest.data.invitations.some(({ state }) => state === 'used'))
  assert.ok(rest.data.invitations.some(({ state }) => state === 'revoked'))
})

test('SIGN_UP: closed → no invitation counts; an administrator makes an account', async () => {
  const { token } = await invite()
  const closed = { ...app, config: { ...app.config, signIn: { ...app.config.signIn, signUp: 'closed' as const } } }
  const admission = await admitNewUser(closed, 'lea@example.com', `kinora.invitation=${token}`)
  assert.deepEqual(admission, { refusal: 'SIGN_UP_CLOSED' })
  const made = await post('/api/auth/admin/create-user', {
    ...{ email: `${randomUUID()}@example.com`, password: PASSWORD, name: 'Lea' },
  })
  assert.equal(made.status, 200, made.text)
})

test('kinora invite: made, listed, revoked → a link that opens until then, with the service as the actor; a mistake → status 2', async () => {
  const { output } = await runCommand(kinora, ['invite', '--credits', '30', '--email', 'mia@example.com'])
  const token = /\/sign-up#invitation=([\w-]{43})/.exec(output)?.[1] ?? assert.fail(output)
  assert.equal((await open(token)).status, 200)
  const list = await runCommand(kinora, ['invite', '--list'])
  const [, id = ''] = /^(\S+) open, .*30 credits, mia@example\.com$/m.exec(list.output) ?? assert.fail(list.output)
  assert.equal((await runCommand(kinora, ['invite', '--revoke', id])).status, 0)
  assert.equal((await open(token)).status, 404)
  const entries = await sql`select actor_id from kinora.audit where subject = ${id}`
  assert.deepEqual(new Set(entries.map(({ actorId }) => actorId)), new Set(['00000000-0000-0000-0000-000000000000']))
  assert.equal((await runCommand(kinora, ['invite', '--days', '0'])).status, 2)
})
