/** `GET /api/v1/limits`: what is left, for a user, a team, an API key and a browser token; its headers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateBody, openKinora, type Person } from '../support/harness.ts'
import { addMember, openTeams } from '../support/teams.ts'

const PRICE = 16
const kinora = await openKinora({ env: { RATE_LIMITS: 'on', MAX_IN_PROGRESS: '5' } })
const { app } = kinora
const { newTeam, call, generate } = openTeams(kinora)

type Limits = {
  rates: { name: string; limit: number; windowSeconds: number; left: number; resetAt: string | null }[]
  inProgress: { limit: number | null; now: number }
  budgets: { of: string; credits: number; left: number; resetAt: string | null }[]
  sizes: Record<string, number>
}
type Sent = { as?: Person; headers?: Record<string, string> }
const read = (sent: Sent, url?: string) => kinora.call<Limits>('GET', url ?? '/api/v1/limits', sent)
const leftOf = ({ rates }: Limits) => Object.fromEntries(rates.map(({ name, left }) => [name, left]))

async function keyOf(as: Person, limits: object = {}): Promise<string> {
  const { text } = await kinora.call('POST', '/api/auth/api-key/create', { as, body: { name: 'k', ...limits } })
  return (JSON.parse(text) as { key: string }).key
}

test('200: a user who has made films → what is left of each rate, and the films in progress', async () => {
  kinora.holdClock()
  const ann = await kinora.person({ credits: 100 })
  for (let n = 0; n < 2; n++) await kinora.generate(ann)
  const { data } = await read({ as: ann })
  assert.deepEqual(leftOf(data), { user: 599, generate: 58, image: 30, redeem: 20 })
  const [user, , image] = data.rates
  assert.deepEqual([user?.limit, user?.windowSeconds, image?.resetAt], [600, 60, null])
  assert.equal(Date.parse(user?.resetAt ?? ''), app.now().getTime() + 60_000)
  assert.deepEqual([data.inProgress, data.budgets], [{ limit: 5, now: 2 }, []])
  assert.equal(data.sizes.promptCharacters, 5000)
  assert.equal(data.sizes.assetsBytes, app.config.assetBytes)
})

test('200: limits read twice → one less of user alone', async () => {
  const ann = await kinora.person()
  const first = (await read({ as: ann })).data
  const second = (await read({ as: ann })).data
  assert.deepEqual(leftOf(second), { ...leftOf(first), user: (leftOf(first).user ?? 0) - 1 })
})

test('200: limits of a test key → its own rates and films, beside those of its user', async () => {
  kinora.holdClock()
  const ann = await kinora.person({ credits: 100 })
  await kinora.generate(ann)
  const headers = { 'x-api-key': await keyOf(ann, { test: true, scopes: ['read', 'generate'] }) }
  for (let n = 0; n < 2; n++) await kinora.call('POST', '/api/v1/video/generate', { headers, body: generateBody })
  const { data } = await read({ headers })
  assert.deepEqual(leftOf(data), { user: 599, generate: 58, image: 30 })
  assert.equal(data.inProgress.now, 2)
  const own = (await read({ as: ann })).data
  assert.deepEqual([leftOf(own).generate, own.inProgress.now], [59, 1])
})

test('headers: limits of a key → every figure of the answer is in RateLimit-Policy and RateLimit', async () => {
  kinora.holdClock()
  const ann = await kinora.person({ credits: 100 })
  const key = await keyOf(ann, { scopes: ['read', 'generate'], budget: { credits: 50, period: 'day' } })
  await kinora.call('POST', '/api/v1/video/generate', { headers: { 'x-api-key': key }, body: generateBody })
  const { data, headers } = await read({ headers: { 'x-api-key': key } })
  const [budget] = data.budgets
  assert.deepEqual(
    [budget?.of, budget?.credits, budget?.left, typeof budget?.resetAt],
    ['API key', 50, 50 - PRICE, 'string'],
  )
  const policies = headers.get('ratelimit-policy')?.split(', ') ?? []
  assert.deepEqual(policies, [
    ...data.rates.map(({ name, limit, windowSeconds }) => `"${name}";q=${limit};w=${windowSeconds}`),
    '"in-progress";q=5;qu="concurrent-requests"',
    '"budget of API key";q=50;qu="credits"',
  ])
  const left = headers.get('ratelimit')?.split(', ') ?? []
  for (const { name, left: r } of data.rates) assert.ok(left.some((each) => each.startsWith(`"${name}";r=${r};t=`)))
  assert.ok(left.includes('"in-progress";r=4'))
  assert.match(left.at(-1) ?? '', new RegExp(`^"budget of API key";r=${50 - PRICE};t=\\d+$`))
})

test('200: a browser token → its own budget and the films of its subject, and no rate that it cannot use', async () => {
  const ann = await kinora.person({ credits: 200 })
  const key = await keyOf(ann)
  const tokens = await Promise.all(
    ['ann', 'ben'].map(async (subject) => {
      const body = { subject, scopes: ['read', 'generate'], budget: 2 * PRICE }
      const made = await kinora.call<{ token: string }>('POST', '/api/v1/key/token', {
        headers: { 'x-api-key': key },
        body,
      })
      return { authorization: `Bearer ${made.data.token}` }
    }),
  )
  const [mine = {}, other = {}] = tokens
  await kinora.generate(ann)
  await kinora.call('POST', '/api/v1/video/generate', { headers: mine, body: generateBody })
  const { data } = await read({ headers: mine })
  assert.deepEqual(Object.keys(leftOf(data)), ['user', 'generate', 'image'])
  assert.deepEqual(data.inProgress, { limit: 5, now: 1 })
  assert.deepEqual(data.budgets, [{ of: 'token', credits: 2 * PRICE, left: PRICE, resetAt: null }])
  assert.equal((await read({ headers: other })).data.inProgress.now, 0)
})

test('200: a member with a budget for a team → the team’s films and the member’s budget', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const ben = await addMember(app, id, await kinora.person({ credits: 0 }))
  await call(owner, id, 'PATCH', `/api/v1/team/members/${ben.userId}`, { budget: { credits: 40, period: 'month' } })
  await generate(owner, id)
  await generate(ben, id)
  const { data } = await read({ as: ben, headers: { 'x-team': id } })
  assert.equal(data.inProgress.now, 2)
  assert.deepEqual(
    data.budgets.map(({ of, credits, left }) => ({ of, credits, left })),
    [{ of: 'member', credits: 40, left: 40 - PRICE }],
  )
  assert.deepEqual((await read({ as: ben })).data.inProgress, { limit: 5, now: 0 })
})

test('200: a service without rate limits and cap → no rates, any number in progress', async () => {
  const ann = await kinora.person()
  await kinora.withSettings({ rateLimits: false, maxInProgress: 0 }, async (url) => {
    const response = await fetch(`${url}/api/v1/limits`, { headers: { authorization: `Bearer ${ann.token}` } })
    const { data } = (await response.json()) as { data: Limits }
    assert.deepEqual([data.rates, data.inProgress], [[], { limit: null, now: 0 }])
  })
})
