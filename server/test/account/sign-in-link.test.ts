/** A mailed link that signs in, through a real SMTP server: once, for users who exist, and with the second factor. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dispatchMailOnce } from '../../src/mail/dispatcher.ts'
import { bearer, openAuthCalls, PASSWORD } from '../support/auth-calls.ts'
import { openMailServer } from '../support/mail-server.ts'

const smtp = await openMailServer()
const { kinora, call, signUp, balanceStatus } = await openAuthCalls({
  SMTP_URL: smtp.url,
  MAIL_FROM: 'Kinora <no-reply@example.com>',
})
after(() => smtp.close())
const { app } = kinora

/** Asks for a link. @returns the token of the mail; undefined when none came */
async function tokenFor(email: string): Promise<string | undefined> {
  assert.equal((await call('mailSignInLink', { email })).status, 200)
  await dispatchMailOnce(app)
  const mail = smtp.to(email).findLast(({ text }) => text.includes('/sign-in#link='))
  return /\/sign-in#link=([A-Za-z]+)/.exec(mail?.text ?? '')?.[1]
}
const use = (token: string, headers: Record<string, string> = {}) =>
  call('signInWithLink', undefined, headers, `?token=${token}`)

test('200: link of a mail → a hashed session, a verified address and the gift that waited; the link works once', async () => {
  const ann = await signUp()
  assert.equal(
    (await kinora.call<{ state: string }>('GET', '/api/v1/credit/gift', { headers: ann.headers })).data.state,
    'waiting',
  )
  const token = (await tokenFor(ann.email)) ?? assert.fail('no mail')
  const rows = await app.sql`select from public.verification where identifier like ${`%${token}%`}`
  assert.equal(rows.length, 0, 'the token is stored as a hash')
  const { status, json } = await use(token)
  assert.equal(status, 200)
  assert.equal(json.user.emailVerified, true)
  assert.equal(await balanceStatus(bearer(json.token)), 200)
  const { json: session } = await call('getSession', undefined, bearer(json.token))
  assert.equal(session.credits.available, 60)
  const again = await use(token)
  assert.deepEqual([again.status, again.json.code], [400, 'INVALID_TOKEN'])
})

test('200: address without an account → the same response, and no mail', async () => {
  assert.equal(await tokenFor('no-such-person@example.com'), undefined)
})

test('403: another site’s page opens the link in a user’s browser → no session (login CSRF)', async () => {
  const eve = await signUp()
  const token = (await tokenFor(eve.email)) ?? assert.fail('no mail')
  for (const site of ['cross-site', 'same-site', 'none']) {
    const refused = await use(token, { 'sec-fetch-site': site })
    assert.equal(refused.status, 403)
    assert.deepEqual(refused.headers.getSetCookie(), [])
  }
  assert.equal((await use(token, { 'sec-fetch-site': 'same-origin' })).status, 200)
})

test('200: link of a user with a second factor → asked for the code, and no session', async () => {
  const bob = await signUp()
  await app.sql`update public."user" set "emailVerified" = true, "twoFactorEnabled" = true where id = ${bob.userId}`
  const token = (await tokenFor(bob.email)) ?? assert.fail('no mail')
  const { json, headers } = await use(token)
  assert.deepEqual(json, { twoFactorRedirect: true })
  const leaked = headers.get('set-auth-token')
  if (leaked) assert.equal(await balanceStatus(bearer(leaked)), 401)
})

test('200: link to an address whose password was set before it was verified → that password and its sessions end', async () => {
  const squatter = await signUp()
  const token = (await tokenFor(squatter.email)) ?? assert.fail('no mail')
  const owner = await use(token)
  assert.equal(owner.status, 200)
  assert.equal((await call('signIn', { email: squatter.email, password: PASSWORD })).status, 401)
})
