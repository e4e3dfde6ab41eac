/** Mail of sign-in, through a real SMTP server: password reset, verification, change of address, new sign-in. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { mailOperations } from '../../src/http/sign-in/auth-mail-operations.ts'
import { dispatchMailOnce } from '../../src/mail/dispatcher.ts'
import { bearer, openAuthCalls } from '../support/auth-calls.ts'
import { linkIn, openMailServer, type ReceivedMail, tokenIn } from '../support/mail-server.ts'
import { waitFor } from '../support/video-row.ts'

const smtp = await openMailServer()
const { kinora, call, succeeded } = await openAuthCalls({
  SMTP_URL: smtp.url,
  MAIL_FROM: 'Kinora <no-reply@example.com>',
  RATE_LIMITS: 'on',
  TRUST_PROXY: 'on',
})
after(() => smtp.close())
const { app } = kinora
const password = 'a good and long password'
const other = 'quite another long password'

let people = 0
/** Each call comes from an address of its own, so that only the limits under test count. */
const from = () => ({ 'x-forwarded-for': `192.0.2.${++people}` })
const send = (operationId: string, body: unknown, headers: Record<string, string> = {}) =>
  call(operationId, body, { ...from(), ...headers })

async function signUp() {
  const email = `person-${++people}@example.com`
  const response = await send('signUp', { name: 'Ann', email, password })
  assert.equal(response.status, 200)
  const { token, user } = response.json as { token: string; user: { id: string } }
  return { email, token, userId: user.id }
}
const verified = async () => {
  const ann = await signUp()
  await app.sql`update public."user" set "emailVerified" = true where id = ${ann.userId}`
  return ann
}
/** Sends what is due, and returns the latest message to an address. */
async function latest(email: string): Promise<ReceivedMail> {
  await dispatchMailOnce(app)
  return smtp.to(email).at(-1) ?? assert.fail(`no mail to ${email}`)
}
const isSignedIn = async (token: string) =>
  (await kinora.call('GET', '/api/v1/credit/balance', { headers: bearer(token) })).status === 200
const verify = (token: string, headers: Record<string, string> = {}) =>
  call('verifyEmail', undefined, headers, `?token=${encodeURIComponent(token)}`)

test('password reset: link of the mail → new password, sessions end within a second, the link works once', async () => {
  const { email, token } = await signUp()
  assert.ok(await isSignedIn(token))
  await send('requestPasswordReset', { email })
  assert.equal((await send('requestPasswordReset', { email })).status, 200)
  await dispatchMailOnce(app)
  const [first, mail] = smtp.to(email).filter(({ text }) => text.includes('/new-password#'))
  assert.ok(first && mail)
  assert.ok(linkIn(mail).startsWith(`${kinora.url}/new-password#token=`))
  assert.equal(mail.headers.get('list-unsubscribe'), undefined)
  const common = await send('resetPassword', { token: tokenIn(mail), newPassword: email })
  assert.match(common.text, /PASSWORD_IS_EMAIL/)
  assert.equal((await send('resetPassword', { token: tokenIn(mail), newPassword: other })).status, 200)
  for (const used of [mail, first]) {
    const again = await send('resetPassword', { token: tokenIn(used), newPassword: password })
    assert.deepEqual([again.status, again.json.code], [400, 'INVALID_TOKEN'])
  }
  await waitFor('the session to be refused', async () => !(await isSignedIn(token)))
  assert.equal((await send('signIn', { email, password })).status, 401)
  assert.equal((await send('signIn', { email, password: other })).status, 200)
  assert.equal((await latest(email)).headers.get('subject'), 'Your Kinora password was changed')
})

test('change of password: with a wrong current one → refused, no mail; with the right one → one mail', async () => {
  const { email, token } = await signUp()
  const change = async (currentPassword: string) => {
    const { status } = await send('changePassword', { currentPassword, newPassword: other }, bearer(token))
    await dispatchMailOnce(app)
    return [status, smtp.to(email).filter(({ headers }) => headers.get('subject')?.endsWith('was changed')).length]
  }
  assert.deepEqual(
    [await change(other), await change(password)],
    [
      [400, 0],
      [200, 1],
    ],
  )
})

test('password reset: address without an account → the same response in the same time, and no mail', async () => {
  const { email } = await signUp()
  const timed = async (to: string) => {
    const startMs = performance.now()
    const { status, text } = await send('requestPasswordReset', { email: to })
    return { status, text, isSlow: performance.now() - startMs >= 249 }
  }
  const unknown = await timed('no-such-person@example.com')
  assert.deepEqual(await timed(email), unknown)
  assert.deepEqual(unknown, { status: 200, text: '{"status":true}', isSlow: true })
  await dispatchMailOnce(app)
  assert.deepEqual(smtp.to('no-such-person@example.com'), [])
})

test('429: more than five mails to an address within an hour, from any network → refused, known or not', async () => {
  for (const email of [(await signUp()).email, 'still-no-such-person@example.com']) {
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) statuses.push((await send('requestPasswordReset', { email })).status)
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
  }
})

test('verification: link of the mail → address verified, without a session of the reader', async () => {
  const { email, token, userId } = await signUp()
  await latest(email)
  assert.equal((await send('sendVerificationEmail', { email }, bearer(token))).status, 200)
  const mail = await latest(email)
  assert.equal(smtp.to(email).length, 2)
  assert.ok(linkIn(mail).startsWith(`${kinora.url}/verify-email#token=`))
  const response = await verify(tokenIn(mail))
  assert.deepEqual([response.status, response.text], [200, '{"status":true}'])
  assert.deepEqual(response.headers.getSetCookie(), [])
  const [user] = await app.sql<{ v: boolean }[]>`select "emailVerified" as v from public."user" where id = ${userId}`
  assert.equal(user?.v, true)
  assert.equal((await send('sendVerificationEmail', { email }, bearer(token))).status, 400)
  assert.equal((await verify(`${tokenIn(mail).slice(0, -3)}aaa`)).status, 401)
})

test('change of address: link to the present address, then link to the new one → changed; each needs a session of the user', async () => {
  const { email, token, userId } = await verified()
  const newEmail = `new-${email}`
  assert.equal((await send('changeEmail', { newEmail, password: 'wrong' }, bearer(token))).status, 400)
  assert.equal((await send('changeEmail', { newEmail, password }, bearer(token))).status, 200)
  const allow = await latest(email)
  assert.ok(allow.text.includes(`New address: ${newEmail}`))
  assert.equal((await verify(tokenIn(allow))).status, 401)
  assert.equal((await verify(tokenIn(allow), bearer(token))).status, 200)
  const confirm = await latest(newEmail)
  assert.equal((await verify(tokenIn(confirm))).status, 401)
  const emailOf = () => kinora.auth.emailOf(userId)
  assert.equal(await emailOf(), email)
  assert.equal((await verify(tokenIn(confirm), bearer(token))).status, 200)
  assert.equal(await emailOf(), newEmail)
})

test('sign-in: from a client that the account has not used → one mail; a known client or an unverified address → none', async () => {
  const { email } = await verified()
  const signIn = (headers: Record<string, string>) => call('signIn', { email, password }, headers)
  const program = { 'x-forwarded-for': '198.51.100.7', 'user-agent': 'Program/1 <b>bold</b>' }
  const { headers } = await signIn(program)
  await signIn(program)
  const cookie = headers.getSetCookie().find((each) => each.startsWith('kinora.device=')) ?? ''
  await signIn({ 'x-forwarded-for': '198.51.100.250', cookie: cookie.split(';')[0] ?? '' })
  const unverified = await signUp()
  await send('signIn', { email: unverified.email, password })
  const mail = await latest(email)
  const about = (to: string) => smtp.to(to).filter(({ headers }) => headers.get('subject')?.startsWith('New sign-in'))
  assert.deepEqual([about(email).length, about(unverified.email).length], [1, 0])
  assert.ok(mail.text.includes('IP address: 198.51.100.7\nBrowser or program: Program/1 <b>bold</b>'))
  assert.ok(!mail.html.includes('<b>') && mail.html.includes('&#60;b&#62;bold'))
})

test('401: wrong passwords from many addresses → the owner gets one mail that day; an unverified address none', async () => {
  const [ann, unverified] = [await verified(), await signUp()]
  const attempt = (email: string) => send('signIn', { email, password: other })
  for (const { email } of [ann, unverified]) {
    await Promise.all(Array.from({ length: 20 }, () => attempt(email)))
    for (const { status } of await Promise.all([attempt(email), attempt(email)])) assert.equal(status, 401)
  }
  const about = (to: string) => smtp.to(to).filter(({ headers }) => headers.get('subject')?.startsWith('Many failed'))
  await waitFor('the mail about the attempts', async () => {
    await dispatchMailOnce(app)
    return about(ann.email).length > 0
  })
  assert.deepEqual([about(ann.email).length, about(unverified.email).length], [1, 0])
})

// Each operation has returned 200 in this file.
after(() => {
  assert.deepEqual(
    mailOperations.map(({ operationId }) => operationId).filter((id) => !succeeded.has(id)),
    [],
  )
})
