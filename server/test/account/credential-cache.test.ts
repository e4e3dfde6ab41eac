// slow
/** The cache of credentials: what strangers send takes no memory, and reads of one tick are one query. */
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { openCredentials } from '../../src/account/credential/credential.ts'
import { newId } from '../../src/id.ts'
import { holdMonotonicClock } from '../support/expire-credential-cache.ts'
import { retainedMemory } from '../support/garbage.ts'
import { openKinora } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()

const heapBytes = () => retainedMemory().heapUsed

/** Sends a request over node:http, whose memory is released at once, and returns its status. */
function statusOf(headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    httpRequest(`${kinora.url}/api/v1/credit/balance`, { headers }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
    })
      .once('error', reject)
      .end()
  })
}

const long = (i: number) => `${i}`.padEnd(15_000, 'x')
const short = (i: number) => `${i}`.padEnd(32, 'x')
const presented: Record<string, (i: number) => Record<string, string>> = {
  'bearer of 15 kB': (i) => ({ authorization: `Bearer ${long(i)}` }),
  'API key of 15 kB': (i) => ({ 'x-api-key': `kin_${long(i)}` }),
  'cookie of 15 kB': (i) => ({ cookie: `kinora.session_token=${long(i)}.${short(i)}` }),
  'bearer beside 15 kB of other headers': (i) => ({ authorization: `Bearer ${short(i)}`, 'x-more': long(i) }),
}
for (const [what, headersOf] of Object.entries(presented)) {
  test(`401: 1,000 anonymous requests, each with another ${what} → the heap grows by less than 5 MB`, async () => {
    const send = async (from: number, count: number) => {
      const numbers = Array.from({ length: count }, (_, i) => from + i)
      for (const status of await Promise.all(numbers.map((i) => statusOf(headersOf(i))))) assert.equal(status, 401)
    }
    await send(0, 100)
    const before = heapBytes()
    for (let from = 100; from < 1_100; from += 100) await send(from, 100)
    const grownBytes = heapBytes() - before
    assert.ok(grownBytes < 5_000_000, `grew by ${Math.round(grownBytes / 1000)} kB`)
  })
}

const SESSION = {
  isTeam: false,
  keyId: null,
  scopes: null,
  keyPrefix: null,
  role: null,
  expiresAt: null,
  isStale: null,
  isSuspended: false,
  impersonatedBy: null,
  impersonationReason: null,
  hasSecondFactor: null,
  maxRequests: null,
}
/** The cache over a table of sessions whose look-ups answer what `userOf` does. */
function openedWith(userOf: () => Promise<string | null>) {
  const { app } = kinora
  const credential = { add: async () => ({ userId: await userOf(), ...SESSION }) }
  return openCredentials({ ...app, calls: { ...app.calls, credential } })
}

test('credential cache: 30,000 unknown credentials → the heap grows by less than 6 MB', async () => {
  const credentials = openedWith(async () => null)
  const before = heapBytes()
  for (let i = 0; i < 30_000; i += 1) {
    const authorization = `Bearer ${short(i)}`
    assert.equal(await credentials.authenticate({ headers: { authorization }, ip: '::1' }), null)
  }
  const grownBytes = heapBytes() - before
  assert.ok(grownBytes < 6_000_000, `grew by ${Math.round(grownBytes / 1000)} kB`)
  credentials.close()
})

test('credential cache: 30,000 known credentials, each presented in three headers → the heap grows by less than 26 MB', async () => {
  const credentials = openedWith(async () => newId(new Date()))
  const present = (authorization: string) => credentials.authenticate({ headers: { authorization }, ip: '::1' })
  // The first poll of revocations lets nothing be cached that was looked up before it.
  await present(`Bearer ${short(0)}`)
  await waitFor('a cached credential', () => !(present(`Bearer ${short(0)}`) instanceof Promise))
  const before = heapBytes()
  for (let i = 0; i < 30_000; i += 1) {
    for (const scheme of ['Bearer ', 'bearer ', 'Bearer'.padEnd(300)]) await present(`${scheme}${short(i)}`)
  }
  const grownBytes = heapBytes() - before
  assert.ok(grownBytes < 26_000_000, `grew by ${Math.round(grownBytes / 1000)} kB`)
  credentials.close()
})

test('200, 401: text that has authenticated as one header → sent as another header it does not authenticate', async () => {
  const { token } = await kinora.person()
  const authorization = `Bearer ${token}`
  const balance = (headers: Record<string, string>) => kinora.call('GET', '/api/v1/credit/balance', { headers })
  for (let i = 0; i < 3; i += 1) assert.equal((await balance({ authorization })).status, 200)
  assert.equal((await balance({ 'x-api-key': authorization })).status, 401)
  assert.equal((await balance({ cookie: authorization })).status, 401)
  assert.equal((await balance({ cookie: `kinora.session_token=${token}` })).status, 401)
  assert.equal((await balance({ authorization, 'x-api-key': 'kin_none' })).status, 401)
})

test('200, 401: many credentials at once → each gets its own user', async () => {
  const people = await Promise.all([16, 32, 48].map((credits) => kinora.person({ credits })))
  const responses = await Promise.all(
    people.flatMap((as) => [
      kinora.call('GET', '/api/v1/credit/balance', { as }),
      kinora.call('GET', '/api/v1/credit/balance', { headers: { authorization: `Bearer ${short(0)}` } }),
    ]),
  )
  assert.deepEqual(
    responses.map(({ status, data }) => data.available ?? status),
    [16, 401, 32, 401, 48, 401],
  )
})

const request = { headers: { authorization: `Bearer ${short(0)}` }, ip: '::1' }

test('credential cache: an unknown credential begins to count → authenticates within a second of the look-up, however long that took', async (t) => {
  const turn = holdMonotonicClock(t)
  const found = Promise.withResolvers<string | null>()
  const answers = [found.promise, Promise.resolve(newId(new Date()))]
  const credentials = openedWith(async () => (await answers.shift()) ?? null)
  const first = credentials.authenticate(request)
  turn(500)
  found.resolve(null)
  assert.equal(await first, null)
  assert.equal(credentials.authenticate(request), null, 'cached')
  turn(499)
  assert.ok(await credentials.authenticate(request))
  credentials.close()
})

test('credential cache: look-up that hangs, then the credential is revoked → a request a second later gets an answer of its own', async (t) => {
  const turn = holdMonotonicClock(t)
  const found = Promise.withResolvers<string | null>()
  const answers = [found.promise, Promise.resolve(null)]
  const credentials = openedWith(async () => (await answers.shift()) ?? null)
  const [first, joined] = [credentials.authenticate(request), credentials.authenticate(request)]
  turn(999)
  assert.equal(await credentials.authenticate(request), null)
  found.resolve(newId(new Date()))
  assert.ok(await first)
  assert.equal(await joined, await first)
  credentials.close()
})

test('credential cache: revocation during a look-up → a stream that opens afterwards gets an answer of its own', async () => {
  const userId = newId(new Date())
  const found = Promise.withResolvers<string | null>()
  const answers = [found.promise, Promise.resolve(null)]
  const credentials = openedWith(async () => (await answers.shift()) ?? null)
  let polls = 0
  const unsubscribe = credentials.onRevoked(userId, () => {
    polls += 1
  })
  await waitFor('the first poll', () => polls === 1)
  const first = credentials.authenticate(request)
  await kinora.app.sql`insert into kinora.credential_revocation (user_id) values (${userId})`
  await waitFor('the revocation', () => polls === 2)
  assert.equal(await credentials.recheck(request), null)
  found.resolve(userId)
  assert.ok(await first)
  unsubscribe()
  credentials.close()
})
