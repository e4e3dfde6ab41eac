/** Browser tokens: what stands for an API key on a page, with fewer scopes, a budget of its own and ten minutes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweepOldRows } from '../../src/worker/retention.ts'
import { assertRefusedWithinASecond } from '../support/expire-credential-cache.ts'
import { generateBody, openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0' } })
const PRICE = 16

async function keyOf(as: Person, limits: object = {}): Promise<{ id: string; key: string }> {
  const { text, status } = await kinora.call('POST', '/api/auth/api-key/create', { as, body: { name: 'k', ...limits } })
  assert.equal(status, 200, text)
  return JSON.parse(text)
}
const callWith = (credential: string, method: string, path: string, body?: object) =>
  kinora.call<{ uuid: string; token: string; expiresAt: string; available: number; affordable: boolean }>(
    method,
    path,
    {
      body,
      headers: { authorization: `Bearer ${credential}` },
    },
  )
const generateWith = (credential: string) => callWith(credential, 'POST', '/api/v1/video/generate', generateBody)
async function tokenOf(key: string, limits: object = {}): Promise<string> {
  const { data, status, text } = await callWith(key, 'POST', '/api/v1/key/token', limits)
  assert.equal(status, 200, text)
  return data.token
}

test('200: token with scopes and a budget → does what they allow, and nothing of its key beyond them', async () => {
  const ann = await kinora.person()
  const { key } = await keyOf(ann)
  const token = await tokenOf(key, { scopes: ['read', 'generate'], budget: 2 * PRICE })
  assert.equal((await callWith(token, 'POST', '/api/v1/video/quote', generateBody)).data.available, 2 * PRICE)
  const { data } = await generateWith(token)
  assert.equal((await callWith(token, 'GET', `/api/v1/video/task?uuid=${data.uuid}`)).status, 200)
  assert.equal((await callWith(token, 'GET', '/api/v1/webhook/endpoints')).error?.code, 'INSUFFICIENT_SCOPE')
  assert.equal((await callWith(token, 'GET', '/api/v1/credit/balance')).error?.code, 'FORBIDDEN')
  assert.equal((await callWith(token, 'POST', '/api/v1/key/token', {})).status, 403)
  const reader = await tokenOf(key)
  assert.equal((await callWith(reader, 'GET', '/api/v1/video/list')).status, 200)
  assert.equal((await generateWith(reader)).error?.code, 'INSUFFICIENT_SCOPE')
})

test('403: token whose key has lost the scope generate since → reads, and makes nothing', async () => {
  const ann = await kinora.person()
  const { key, id } = await keyOf(ann)
  const token = await tokenOf(key, { scopes: ['read', 'generate'], budget: PRICE })
  const update = { as: ann, body: { keyId: id, scopes: ['read'] } }
  assert.equal((await kinora.call('POST', '/api/auth/api-key/update', update)).status, 200)
  assert.equal((await callWith(token, 'GET', '/api/v1/video/list')).status, 200)
  assert.equal((await generateWith(token)).error?.code, 'INSUFFICIENT_SCOPE')
})

test('402: twelve films at once with a budget of three → three, exactly, also from two tokens of a key with a budget', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const scopes = ['read', 'generate']
  const { key } = await keyOf(ann, { scopes, budget: { credits: 5 * PRICE, period: 'day' } })
  const tokens = [
    await tokenOf(key, { scopes, budget: 3 * PRICE }),
    await tokenOf(key, { scopes, budget: 100 * PRICE }),
  ]
  const made = await Promise.all(Array.from({ length: 12 }, () => generateWith(tokens[0] ?? '')))
  assert.equal(made.filter(({ status }) => status === 200).length, 3)
  const refused = made.find(({ status }) => status === 402)
  assert.deepEqual(
    [refused?.error?.code, refused?.error?.details],
    ['KEY_BUDGET_EXCEEDED', { required: PRICE, budget: 3 * PRICE, used: 3 * PRICE }],
  )
  const rest = await Promise.all(Array.from({ length: 12 }, () => generateWith(tokens[1] ?? '')))
  assert.equal(rest.filter(({ status }) => status === 200).length, 2)
  assert.equal((await kinora.balance(ann)).frozen, 5 * PRICE)
})

test('402: key or account that cannot pay for a token → the token is told of its own budget alone, by quote too', async () => {
  const ann = await kinora.person({ credits: 3 * PRICE })
  const scopes = ['read', 'generate']
  const { key: limited } = await keyOf(ann, { scopes, budget: { credits: PRICE, period: 'day' } })
  const { key: whole } = await keyOf(ann, { scopes })
  const tokens = [await tokenOf(limited, { scopes, budget: 7000 }), await tokenOf(whole, { scopes, budget: 7000 })]
  for (const [token, used] of [
    [tokens[0] ?? '', PRICE],
    [tokens[1] ?? '', 2 * PRICE],
  ] as const) {
    while ((await generateWith(token)).status === 200);
    const { error, status, text } = await generateWith(token)
    const { data } = await callWith(token, 'POST', '/api/v1/video/quote', generateBody)
    assert.deepEqual(
      [status, error?.code, error?.details],
      [402, 'KEY_BUDGET_EXCEEDED', { required: PRICE, budget: 7000, used }],
      text,
    )
    assert.match(
      error?.message ?? '',
      /^This costs 16 credits, and the site that gave this token cannot pay for it now/,
    )
    assert.deepEqual([data.available, data.affordable], [7000 - used, false])
  }
})

test('402: film of a token fails → its credits go to account and key, and not to the token', async () => {
  const ann = await kinora.person()
  const { key } = await keyOf(ann, { budget: { credits: PRICE, period: 'day' } })
  const token = await tokenOf(key, { scopes: ['generate'], budget: PRICE })
  const { data } = await generateWith(token)
  assert.equal((await callWith(token, 'POST', `/api/v1/video/${data.uuid}/cancel`)).status, 200)
  assert.equal((await generateWith(token)).status, 402)
  assert.equal((await generateWith(key)).status, 200)
})

test('401: token that has ended, whose key was deleted or disabled, or that is forged → authenticates nothing', async () => {
  const ann = await kinora.person()
  const { key, id } = await keyOf(ann)
  const [short, long] = [await tokenOf(key, { seconds: 30 }), await tokenOf(key)]
  const read = async (token: string) => (await callWith(token, 'GET', '/api/v1/video/list')).status
  assert.deepEqual([await read(short), await read(long)], [200, 200])
  kinora.turnClock(31_000)
  assert.deepEqual([await read(short), await read(long)], [401, 200])
  const other = (long.at(-5) === 'A' ? 'B' : 'A') + long.slice(-4)
  assert.deepEqual(
    [await read(long.slice(0, -5) + other), await read('kint_'), await read(`${long}A`)],
    [401, 401, 401],
  )
  const { status } = await kinora.call('POST', '/api/auth/api-key/delete', { as: ann, body: { keyId: id } })
  assert.equal(status, 200)
  await assertRefusedWithinASecond(() => read(long))
})

test('403, 404, 400: more than the key may, a session, wrong values → no token', async () => {
  const ann = await kinora.person()
  const { key } = await keyOf(ann, { scopes: ['read'] })
  const make = (body: object) => callWith(key, 'POST', '/api/v1/key/token', body)
  assert.equal((await make({ scopes: ['generate'], budget: 1 })).error?.code, 'INSUFFICIENT_SCOPE')
  assert.equal((await callWith(ann.token, 'POST', '/api/v1/key/token', {})).status, 404)
  for (const body of [
    { scopes: ['account'] },
    { scopes: [] },
    { seconds: 601 },
    { seconds: 0 },
    { budget: -1 },
    { a: 1 },
    { subject: '' },
    { subject: 'a'.repeat(65) },
    { subject: 'token:1' },
    { subject: '-1' },
    { subject: 'a b' },
    { subject: 'a\n' },
  ])
    assert.equal((await make(body)).status, 400, JSON.stringify(body))
})

test('sweep: token that ended an hour ago → its row is gone; one that counts stays', async () => {
  const ann = await kinora.person()
  const { key } = await keyOf(ann)
  await tokenOf(key, { seconds: 1 })
  kinora.turnClock(3_602_000)
  await tokenOf(key)
  await sweepOldRows(kinora.app)
  const rows = await kinora.app.sql`select from kinora.key_token where user_id = ${ann.userId}`
  assert.equal(rows.length, 1)
})
