/** CAPTCHA at sign-up, against a verification server of this test. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { openKinora } from './harness.ts'

/** What was verified; `solved` is a response that counts. */
const received: Record<string, unknown>[] = []
let isAway = false
const verifier = http.createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Record<string, unknown>
  received.push(body)
  if (isAway) return response.destroy()
  const success = body.response === 'solved' && body.secret === 'captcha secret'
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ success }))
})
verifier.listen(0, '127.0.0.1')
await once(verifier, 'listening')
after(() => verifier.close())

const kinora = await openKinora({
  env: {
    CAPTCHA_PROVIDER: 'cloudflare-turnstile',
    CAPTCHA_SECRET: 'captcha secret',
    CAPTCHA_SITE_KEY: 'site-key',
    CAPTCHA_VERIFY_URL: `http://127.0.0.1:${(verifier.address() as AddressInfo).port}/siteverify`,
  },
})

const email = (name: string) => `${name}@example.com`
async function signUp(name: string, captcha?: string) {
  const body = { name, email: email(name), password: 'a paper boat at dawn' }
  const headers = captcha === undefined ? {} : { 'x-captcha-response': captcha }
  const { status, text } = await kinora.call('POST', '/api/auth/sign-up/email', { body, headers })
  const { code, error } = JSON.parse(text) as { code?: string; error?: { code: string } }
  return { status, code: code ?? error?.code }
}
const accounts = async () => (await kinora.app.sql`select from public."user"`).length

test('200: sign-up with a solved CAPTCHA → an account; the provider gets the secret and the address', async () => {
  assert.deepEqual(await signUp('ann', 'solved'), { status: 200, code: undefined })
  assert.deepEqual(received, [{ secret: 'captcha secret', response: 'solved', remoteip: '127.0.0.1' }])
  assert.equal(await accounts(), 1)
})

test('400, 403, 503: no response, a wrong one, a provider that is away → no account', async () => {
  assert.deepEqual(await signUp('eve'), { status: 400, code: 'MISSING_RESPONSE' })
  assert.deepEqual(await signUp('eve', 'guessed'), { status: 403, code: 'VERIFICATION_FAILED' })
  isAway = true
  assert.deepEqual(await signUp('eve', 'solved'), { status: 503, code: 'UNAVAILABLE' })
  isAway = false
  assert.equal(await accounts(), 1)
})

test('200: sign-in → asks for none; the settings → the site key without the secret', async () => {
  const body = { email: email('ann'), password: 'a paper boat at dawn' }
  assert.equal((await kinora.call('POST', '/api/auth/sign-in/email', { body })).status, 200)
  const { data, text } = await kinora.call('GET', '/api/v1/config/sign-in')
  assert.deepEqual(data.captcha, { provider: 'cloudflare-turnstile', siteKey: 'site-key' })
  assert.ok(!text.includes('captcha secret'))
})

test('settings: a CAPTCHA without its secret, of an unknown provider → start-up names each problem', () => {
  const read = (env: Record<string, string>) => () => readConfig(env, [])
  assert.throws(read({ CAPTCHA_PROVIDER: 'turnstile' }), /CAPTCHA_PROVIDER must be one of.*CAPTCHA_SECRET is not set/s)
})
