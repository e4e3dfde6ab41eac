// slow
/** Rate limits: per user, and at sign-in per IP address. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { beforeEach, test } from 'node:test'
import { policies } from '../../src/rate-limit/policies.ts'
import { type Answer, generateBody, openKinora, type Person } from '../support/harness.ts'
import { addMember, openTeams } from '../support/teams.ts'

const kinora = await openKinora({ env: { RATE_LIMITS: 'on', MAX_IN_PROGRESS: '0' } })
const { newTeam, call } = openTeams(kinora)
let now = new Date()
kinora.app.now = () => now
// The clock stands still during a test, and no test meets the limits that another one has used up.
beforeEach(() => {
  now = new Date(now.getTime() + 2 * 3600_000)
})

async function send(count: number, one: () => Promise<Answer>): Promise<Answer[]> {
  const responses: Answer[] = []
  while (responses.length < count) {
    const concurrency = Math.min(50, count - responses.length)
    responses.push(...(await Promise.all(Array.from({ length: concurrency }, one))))
  }
  return responses
}

const count = (responses: Answer[], status: number) => responses.filter((response) => response.status === status).length

function assertLimited(response: Answer): void {
  assert.equal(response.status, 429)
  assert.equal(response.error?.code, 'RATE_LIMITED')
  const retryAfter = Number(response.headers.get('retry-after'))
  assert.ok(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60)
}

const generate = (as: Person) => kinora.call('POST', '/api/v1/video/generate', { as, body: generateBody })
const balance = (as: Person) => kinora.call('GET', '/api/v1/credit/balance', { as })

test('429: 61st generate of a user in a minute → Retry-After; other users and other routes are not limited', async () => {
  const [ann, bob] = [await kinora.person({ credits: 10_000 }), await kinora.person()]
  const first = await generate(ann)
  assert.deepEqual(
    ['ratelimit-policy', 'ratelimit', 'x-ratelimit-remaining'].map((name) => first.headers.get(name)),
    ['"generate";q=60;w=60', '"generate";r=59;t=60', '59'],
  )
  assert.equal(count(await send(59, () => generate(ann)), 200), 59)
  const refused = await generate(ann)
  assertLimited(refused)
  assert.match(refused.headers.get('ratelimit') ?? '', /^"generate";r=0;t=\d+$/)
  assert.equal((await balance(ann)).status, 200)
  assert.equal((await balance(ann)).data.frozen, 60 * 16)
  assert.equal((await generate(bob)).status, 200)
})

test('429: 61st generate after 60 invalid ones → refused requests count too', async () => {
  const ann = await kinora.person()
  const wrong = () => kinora.call('POST', '/api/v1/video/generate', { as: ann, body: {} })
  assert.equal(count(await send(60, wrong), 400), 60)
  assertLimited(await wrong())
})

test('429: 601st request of a user over all other routes → generate still has its own limit', async () => {
  const ann = await kinora.person()
  assert.equal(count(await send(599, () => balance(ann)), 200), 599)
  assert.equal((await kinora.call('GET', '/api/v1/video/list', { as: ann })).status, 200)
  assertLimited(await kinora.call('GET', '/api/v1/credit/history', { as: ann }))
  assert.equal((await generate(ann)).status, 200)
})

test('429: 61st check of a file from one IP address in a minute → Retry-After; other routes without a credential are not limited', async () => {
  const check = () => kinora.call('POST', '/api/v1/provenance/verify', { body: { sha256: '0'.repeat(64) } })
  assert.equal((await check()).headers.get('ratelimit-policy'), '"verify";q=60;w=60')
  assert.equal(count(await send(59, check), 200), 59)
  assertLimited(await check())
  assert.equal((await kinora.call('GET', '/api/v1/config/models')).status, 200)
})

const signIn = (headers: Record<string, string> = {}) => {
  const body = { email: 'ann@example.com', password: 'a wrong one' }
  return kinora.call('POST', '/api/auth/sign-in/email', { body, headers })
}
const useUpSignIns = async () => assert.equal(count(await send(10, () => signIn()), 401), 10)

test('429: 11th sign-in or sign-up from one IP address in a minute → no user is created', async () => {
  await useUpSignIns()
  assertLimited(await signIn())
  const body = { name: 'Ann', email: 'ann@example.com', password: 'a good password' }
  assertLimited(await kinora.call('POST', '/api/auth/sign-up/email', { body }))
  const users = await kinora.app.sql`select from public."user" where email = 'ann@example.com'`
  assert.equal(users.length, 0)
})

test('429: X-Forwarded-For from a client without a trusted proxy → ignored, the limit stays', async () => {
  await useUpSignIns()
  for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'x-kinora-address']) {
    assertLimited(await signIn({ [name]: '203.0.113.7' }))
  }
})

test('429: behind trusted proxies → the address that the proxy appended counts, not the one the client sent', async () => {
  const signInVia = (url: string, forwarded: string) =>
    fetch(`${url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
      body: JSON.stringify({ email: 'ann@example.com', password: 'a wrong one' }),
    })
  for (const [trustedProxies, seen] of [
    [1, '203.0.113.7'],
    [2, '203.0.113.7, 10.0.0.2'],
  ] as const) {
    await kinora.withSettings({ trustedProxies }, async (url) => {
      for (let n = 1; n <= 10; n++) assert.equal((await signInVia(url, `198.51.100.${n}, ${seen}`)).status, 401)
      assert.equal((await signInVia(url, `198.51.100.11, ${seen}`)).status, 429)
      assert.equal((await signInVia(url, seen.replace('113.7', '113.8'))).status, 401, 'another client')
    })
  }
})

/** Sends the path as it is, because fetch would normalize it. Returns the status. */
const post = (path: string, headers: Record<string, string> = {}) =>
  new Promise<number>((resolve, reject) => {
    const sent = request(
      kinora.url,
      { path, method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => resolve(response.resume().statusCode ?? 0),
    )
    sent.once('error', reject).end(JSON.stringify({ email: 'ann@example.com', password: 'a wrong one' }))
  })

test('400: path that normalizes to the sign-in route → does not reach it past the rate limit', async () => {
  for (const prefix of ['./', 'x/../', 'x/%2e%2e/', 'x/.%2E/', 'x\\..\\', '/', 'sign-up/../']) {
    const status = await post(`/api/auth/${prefix}sign-in/email`)
    assert.ok(status === 400 || status === 429, `${prefix}: ${status}`)
  }
  assert.equal(await post('/api/auth/sign-out', { host: '%%%' }), 200, 'the Host header is not used')
})

test('429: password check with a session (brute force) → counts towards the sign-in limit', async () => {
  const ann = await kinora.person()
  await useUpSignIns()
  const guess = () =>
    kinora.call('POST', '/api/auth/change-password', {
      as: ann,
      body: { currentPassword: 'a wrong one', newPassword: 'a better one' },
    })
  assertLimited(await guess())
  const verify = () => kinora.call('POST', '/api/auth/verify-password', { as: ann, body: { password: 'a wrong one' } })
  assertLimited(await verify())
})

test('200: get-session → does not count towards the sign-in limit', async () => {
  const ann = await kinora.person()
  const headers = { authorization: `Bearer ${ann.token}` }
  const responses = await send(30, () => kinora.call('GET', '/api/auth/get-session', { headers }))
  assert.equal(count(responses, 200), 30)
})

test('429: requests without a credential → 600 a minute and IPv6 /64, one after another; a user there is not limited', async () => {
  await kinora.withSettings({ trustedProxies: 1 }, async (url) => {
    const ann = await kinora.person()
    const get = (n: number, headers: Record<string, string> = {}) =>
      fetch(`${url}/api/v1/video/list`, {
        headers: { 'x-forwarded-for': `2001:db8:0:1::${n.toString(16)}`, ...headers },
      }).then(async (response) => ({ status: response.status, body: await response.json() }))
    for (let n = 0; n < 600; n += 50) {
      const responses = await Promise.all(Array.from({ length: 50 }, (_, i) => get(n + i)))
      assert.deepEqual([...new Set(responses.map(({ status }) => status))], [401])
    }
    assert.equal((await get(700)).status, 429)
    assert.equal((await get(701, { 'x-api-key': 'kin_unknown' })).status, 429, 'a credential that is not valid')
    assert.equal((await get(702, { authorization: `Bearer ${ann.token}` })).status, 200, 'a user')
    assert.equal((await get(703, { 'x-forwarded-for': '2001:db8:0:2::1' })).status, 401, 'another /64')
  })
})

test('429: refused requests → their bodies are not read', async () => {
  await kinora.withSettings({ trustedProxies: 1 }, async (url) => {
    const headers = { 'x-forwarded-for': '198.51.100.77', 'content-type': 'application/json' }
    const call = (path: string) =>
      new Promise<number>((resolve, reject) => {
        // The body never ends: a response before it means that it was not waited for.
        const sent = request(`${url}${path}`, { method: 'POST', headers: { ...headers, 'content-length': 1000 } })
        sent.once('response', (response) => {
          resolve(response.resume().statusCode ?? 0)
          sent.destroy()
        })
        sent.on('error', reject).write('{"')
      })
    for (let n = 0; n < 600; n += 50) {
      const callbacks = Array.from({ length: 50 }, () => call('/api/v1/video/callback/provider-a'))
      assert.deepEqual([...new Set(await Promise.all(callbacks))], [401])
    }
    assert.equal(await call('/api/v1/video/callback/provider-a'), 429)
    assert.equal(await call('/api/v1/video/generate'), 429)
    assert.equal(await call('/api/auth/sign-out'), 429)
    assert.equal(await call('/api/auth/admin/ban-user'), 429)
    assert.equal(await call('/nothing'), 429)
  })
})

test('429: webhooks that are not accepted → 600 a minute and address', async () => {
  await kinora.withSettings({ trustedProxies: 1 }, async (url) => {
    const send = (path: string) =>
      fetch(url + path, { method: 'POST', headers: { 'x-forwarded-for': '198.51.100.78' }, body: '{}' })
    for (let n = 0; n < 600; n += 50) {
      await Promise.all(Array.from({ length: 50 }, () => send('/api/webhooks/payment-b')))
    }
    assert.equal((await send('/api/webhooks/payment-b')).status, 429)
    assert.equal((await send('/api/auth/payment-a/webhook')).status, 429)
  })
})

test('429: 601st request of a user to /api/auth → the limit of all other routes', async () => {
  const ann = await kinora.person()
  const headers = { authorization: `Bearer ${ann.token}` }
  assert.equal(count(await send(600, () => kinora.call('GET', '/api/auth/get-session', { headers })), 200), 600)
  assertLimited(await kinora.call('GET', '/api/auth/get-session', { headers }))
  assertLimited(await balance(ann))
})

test('429: batches of 100 MCP messages → each message counts as a request of the user', async () => {
  const ann = await kinora.person()
  const batch = () =>
    kinora.call('POST', '/mcp', {
      as: ann,
      headers: { accept: 'application/json, text/event-stream' },
      body: Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
    })
  assert.equal(count(await send(6, batch), 200), 6)
  assert.equal((await batch()).status, 429)
  assertLimited(await balance(ann))
})

test('200: signed callbacks and health checks → not rate limited', async () => {
  await kinora.withSettings({ trustedProxies: 1 }, async (url) => {
    const headers = { 'x-callback-secret': kinora.app.config.callbackSecret, 'content-type': 'application/json' }
    const callback = () =>
      fetch(`${url}/api/v1/video/callback/provider-a`, { method: 'POST', headers, body: '{}' }).then(
        (response) => response.status,
      )
    for (let n = 0; n < 700; n += 50) {
      const statuses = await Promise.all(Array.from({ length: 50 }, callback))
      assert.deepEqual([...new Set(statuses)], [400])
    }
  })
  assert.equal(count(await send(700, () => kinora.call('GET', '/healthz')), 200), 700)
})

test('429: more invitations to teams in an hour than a member may send, or a team → refused, and no mail', async () => {
  const [one, two] = [await newTeam({ credits: 0 }), await newTeam({ credits: 0 })]
  const cleo = await kinora.person()
  for (const { id } of [one, two]) await addMember(kinora.app, id, cleo, 'admin')
  const invite = (as: Person, id: string, name: string) =>
    call(as, id, 'POST', '/api/v1/team/invitations', { email: `${name}@invited.example.com` })
  const { rateLimiter } = kinora.app
  for (let n = 0; n < policies.invite.max; n++) await rateLimiter.consume('invite', one.owner.userId)
  for (let n = 1; n < policies.invite.max; n++) await rateLimiter.consume('invite', two.id)
  const refused = await invite(one.owner, one.id, 'a')
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '3600'])
  assert.match(refused.error?.message ?? '', /^That is more than 50 invitations in an hour/)
  assert.equal((await invite(cleo, one.id, 'b')).status, 200)
  assert.equal((await invite(cleo, two.id, 'c')).status, 200)
  assert.equal((await invite(cleo, two.id, 'd')).status, 429)
  const mails = await kinora.app.sql<{ recipient: string }[]>`
    select recipient from kinora.mail where recipient like '%@invited.example.com' order by id
  `
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    ['b@invited.example.com', 'c@invited.example.com'],
  )
})

test('address that names its key sealed: request → counts for its user; another text → as without a key', async () => {
  const ann = await kinora.person()
  const initiated = await fetch(`${kinora.url}/fal`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
      'x-fal-target-url': 'https://rest.fal.ai/storage/upload/initiate',
    },
    body: '{}',
  })
  const { upload_url } = (await initiated.json()) as { upload_url: string }
  const policyOf = async (url: string) =>
    (await fetch(url, { method: 'PUT', body: 'no picture' })).headers.get('ratelimit-policy')
  assert.match((await policyOf(upload_url)) ?? '', /^"user";/)
  assert.match((await policyOf(`${kinora.url}/fal/upload/AAAA`)) ?? '', /^"anonymous";/)
})
