/** Failed attempts to sign in: limited per account, without a lock-out that a stranger can cause. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openKinora } from '../support/harness.ts'

const kinora = await openKinora({ env: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' } })
const password = 'a good and long password'
const MINUTE_MS = 60_000

// Hashing passwords takes seconds on a loaded machine, in which pauses and windows would end.
beforeEach(() => kinora.holdClock())

type Attempt = { email: string; from: string; password?: string; cookie?: string }

async function signIn({ email, from, password = 'a wrong one', cookie = '' }: Attempt) {
  const response = await kinora.call('POST', '/api/auth/sign-in/email', {
    headers: { 'x-forwarded-for': from, ...(cookie ? { cookie } : {}) },
    body: { email, password },
  })
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return {
    status: response.status,
    retryAfterS: Number(response.headers.get('retry-after') ?? 0),
    message: response.error?.message ?? '',
    device: cookies.find((each) => each.startsWith('kinora.device=')) ?? '',
  }
}

let people = 0
/** Signs a new user up from an address of their own. */
async function signUp() {
  const email = `person-${++people}@example.com`
  const headers = { 'x-forwarded-for': `192.0.2.${people}` }
  const body = { name: 'Ann', email, password }
  assert.equal((await kinora.call('POST', '/api/auth/sign-up/email', { headers, body })).status, 200)
  return { email, home: headers['x-forwarded-for'] }
}

let strangers = 0
const stranger = () => `10.${Math.floor(++strangers / 250)}.${strangers % 250}.1`

/** More failed attempts than an account has before it is guarded, each from another address. */
async function attack(email: string): Promise<void> {
  const attempts = Array.from({ length: 20 }, () => signIn({ email, from: stranger() }))
  for (const { status } of await Promise.all(attempts)) assert.equal(status, 401)
}

test('401 then 429: account under attack → each address has one attempt, then pauses that double', async () => {
  const { email } = await signUp()
  await attack(email)
  const from = stranger()
  assert.equal((await signIn({ email, from })).status, 401)
  for (const pauseS of [30, 60, 120]) {
    const refused = await signIn({ email, from })
    assert.equal(refused.status, 429)
    assert.equal(refused.retryAfterS, pauseS)
    assert.match(refused.message, /^Too many attempts to sign in have failed; try again in \d+ (seconds?|minutes?)\.$/)
    kinora.turnClock(pauseS * 1000)
    assert.equal((await signIn({ email, from })).status, 401)
  }
})

test('200: account under attack → its owner signs in, from a new address too', async () => {
  const { email } = await signUp()
  await attack(email)
  assert.equal((await signIn({ email, from: stranger(), password })).status, 200)
})

test('200: device that has signed in before → neither the account nor the address of a stranger locks it out', async () => {
  const { email } = await signUp()
  const from = stranger()
  const { device } = await signIn({ email, from, password })
  assert.match(device, /^kinora\.device=/)
  await attack(email)
  for (let n = 0; n < 10; n++) await signIn({ email, from })
  assert.equal((await signIn({ email, from, password })).status, 429, 'without the cookie')
  const again = await signIn({ email, from, password, cookie: device })
  assert.equal(again.status, 200)
  assert.equal(again.device, '', 'it keeps its cookie')
})

test('429: device cookie → its own attempts are limited, and of other accounts those of its address', async () => {
  const [ann, bob] = [await signUp(), await signUp()]
  const from = stranger()
  const { device } = await signIn({ email: ann.email, from, password })
  // Ten a minute and device; the tenth failure begins the pauses.
  for (let n = 0; n < 10; n++) assert.equal((await signIn({ email: ann.email, from, cookie: device })).status, 401)
  assert.equal((await signIn({ email: ann.email, from, cookie: device })).status, 429)
  kinora.turnClock(MINUTE_MS)
  for (let n = 0; n < 5; n++) {
    const forged = device.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    assert.equal((await signIn({ email: bob.email, from, cookie: device })).status, 401)
    assert.equal((await signIn({ email: bob.email, from, cookie: forged })).status, 401)
  }
  assert.equal((await signIn({ email: bob.email, from, cookie: device })).status, 429)
  assert.equal((await signIn({ email: bob.email, from })).status, 429)
})

test('429: unknown account under attack → the same responses as of a known one', async () => {
  const email = 'no-such-user@example.com'
  await attack(email)
  const from = stranger()
  assert.equal((await signIn({ email, from })).status, 401)
  assert.equal((await signIn({ email, from })).status, 429)
  assert.equal((await signIn({ email: email.toUpperCase(), from })).status, 429, 'in any case')
})

test('401: attempts in parallel from one address → no more than ten reach the password', async () => {
  const { email } = await signUp()
  const from = stranger()
  const attempts = await Promise.all(Array.from({ length: 30 }, () => signIn({ email, from })))
  assert.equal(attempts.filter(({ status }) => status === 401).length, 10)
  assert.equal(attempts.filter(({ status }) => status === 429).length, 20)
})

test('401: addresses of one /64, and with ports of a proxy → counted as one', async () => {
  const email = 'ann@example.com'
  for (const [nth, other] of [
    [(n: number) => `2001:db8:1:1:${n}::1`, '2001:db8:1:2::1'],
    [(n: number) => `[2001:db8:2:1::${n}]:${4000 + n}`, '2001:db8:2:2::1'],
    [(n: number) => `::ffff:203.0.113.9${n > 5 ? '' : `%eth${n}`}`, '203.0.113.10'],
    [(n: number) => `203.0.113.11:${5000 + n}`, '203.0.113.12'],
    [(n: number) => `no address ${n}`, '203.0.113.13'],
  ] as const) {
    const account = `${nth(0).replaceAll(/\W/g, '')}@example.com`
    for (let n = 0; n < 10; n++) assert.equal((await signIn({ email: account, from: nth(n) })).status, 401, nth(n))
    assert.equal((await signIn({ email: account, from: nth(10) })).status, 429, nth(10))
    assert.equal((await signIn({ email, from: other })).status, 401)
  }
})
