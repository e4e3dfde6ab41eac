/** CAPTCHA at sign-up, against a verification server of this test. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { openCaptchaVerifier } from '../support/captcha-verifier.ts'
import { openKinora } from '../support/harness.ts'

const verifier = await openCaptchaVerifier()
const kinora = await openKinora({ env: verifier.env })

const email = (name: string) => `${name}@example.com`
async function signUp(name: string, captcha?: string) {
  const body = { name, email: email(name), password: 'a paper boat at dawn' }
  const headers = captcha === undefined ? {} : { 'x-captcha-response': captcha }
  const { status, text, headers: received } = await kinora.call('POST', '/api/auth/sign-up/email', { body, headers })
  const { code, error } = JSON.parse(text) as { code?: string; error?: { code: string } }
  const retryAfter = received.get('retry-after')
  return { status, code: code ?? error?.code, ...(retryAfter === null ? {} : { retryAfter }) }
}
const accountsOf = async (name: string) =>
  (await kinora.app.sql`select from public."user" where email = ${email(name)}`).length

test('200: sign-up with a solved CAPTCHA → an account; the provider gets the secret and the address', async () => {
  assert.deepEqual(await signUp('ann', 'solved'), { status: 200, code: undefined })
  const sent = { secret: 'captcha secret', response: 'solved', remoteip: '127.0.0.1' }
  assert.deepEqual(verifier.received.at(-1), sent)
  assert.equal(await accountsOf('ann'), 1)
})

test('400, 403, 503: no response, a wrong one, a provider that is away → no account', async () => {
  assert.deepEqual(await signUp('eve'), { status: 400, code: 'MISSING_RESPONSE' })
  assert.deepEqual(await signUp('eve', 'guessed'), { status: 403, code: 'VERIFICATION_FAILED' })
  verifier.isAway = true
  assert.deepEqual(await signUp('eve', 'solved'), { status: 503, code: 'UNAVAILABLE', retryAfter: '10' })
  verifier.isAway = false
  assert.equal(await accountsOf('eve'), 0)
})

test('200: sign-in → asks for none; the settings → the site key without the secret', async () => {
  assert.equal((await signUp('bob', 'solved')).status, 200)
  const body = { email: email('bob'), password: 'a paper boat at dawn' }
  assert.equal((await kinora.call('POST', '/api/auth/sign-in/email', { body })).status, 200)
  const { data, text } = await kinora.call('GET', '/api/v1/config/sign-in')
  assert.deepEqual(data.captcha, { provider: 'cloudflare-turnstile', siteKey: 'site-key' })
  assert.ok(!text.includes('captcha secret'))
})

test('settings: a CAPTCHA without its secret, of an unknown provider → start-up names each problem', () => {
  const read = (env: Record<string, string>) => () => readConfig(env, [])
  assert.throws(read({ CAPTCHA_PROVIDER: 'turnstile' }), /CAPTCHA_PROVIDER must be one of.*CAPTCHA_SECRET is not set/s)
})
