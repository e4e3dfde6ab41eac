/** What an API key may do and spend, over HTTP: scopes, budget, expiry, usage, and what a key reads about itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireCredentialCache } from '../support/expire-credential-cache.ts'
import { generateBody, openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora()

type Key = {
  id: string
  key: string
  scopes: string[]
  budget: { credits: number; period: string; used: number; resetAt: string } | null
  used: { day: number; week: number; month: number }
}

async function create(as: Person, limits: object = {}): Promise<Key> {
  const { text, status } = await kinora.call('POST', '/api/auth/api-key/create', { as, body: { name: 'k', ...limits } })
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

/** A request with a key. */
const callWith = (key: string, method: string, path: string, body?: object, headers = {}) =>
  kinora.call<{ uuid: string; id: string }>(method, path, { body, headers: { 'x-api-key': key, ...headers } })
const generateWith = (key: string, headers = {}) =>
  callWith(key, 'POST', '/api/v1/video/generate', generateBody, headers)

test('200: key without limits → all scopes, no budget, in the response, the list and GET /api/v1/key', async () => {
  const ann = await kinora.person()
  const made = await create(ann)
  assert.deepEqual(
    [made.scopes, made.budget, made.used],
    [['read', 'generate', 'account'], null, { day: 0, week: 0, month: 0 }],
  )
  await generateWith(made.key)
  const { data } = await callWith(made.key, 'GET', '/api/v1/key')
  const { key: _, ...shown } = made
  assert.deepEqual(data, {
    ...Object.fromEntries(
      ['id', 'name', 'test', 'start', 'scopes', 'budget', 'createdAt'].map((each) => [each, shown[each as 'id']]),
    ),
    used: { day: 16, week: 16, month: 16 },
    expiresAt: null,
  })
  const { text } = await kinora.call('GET', '/api/auth/api-key/list', { as: ann })
  assert.deepEqual(JSON.parse(text).apiKeys[0].used, { day: 16, week: 16, month: 16 })
})

test('401: key whose limits are not stored → authenticates nothing', async () => {
  const ann = await kinora.person()
  const { id, key } = await create(ann, { scopes: ['read'] })
  await kinora.app.sql`delete from kinora.api_key where id = ${id}`
  assert.equal((await generateWith(key)).status, 401)
  assert.equal((await callWith(key, 'GET', '/api/v1/webhook/endpoints')).status, 401)
})

const video = '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'
/** A route of each kind, in each API that takes keys. */
const routes: [scope: string, method: string, path: string, body?: object][] = [
  ['generate', 'POST', '/api/v1/video/generate', generateBody],
  ['generate', 'POST', `/api/v1/video/${video}/cancel`],
  ['generate', 'DELETE', `/api/v1/video/${video}`],
  ['generate', 'POST', '/api/v1/video/image'],
  ['read', 'POST', '/api/v1/video/quote', generateBody],
  ['read', 'GET', '/api/v1/video/list'],
  ['read', 'GET', `/api/v1/video/${video}`],
  ['read', 'GET', '/api/v1/video/events'],
  ['read', 'GET', '/api/v1/credit/balance'],
  ['read', 'GET', '/api/v1/credit/history'],
  ['account', 'PUT', '/api/v1/credit/alert', { threshold: 5 }],
  ['account', 'GET', '/api/v1/webhook/endpoints'],
  ['account', 'POST', '/api/v1/webhook/secret'],
  ['account', 'GET', '/api/v1/account/export'],
  ['generate', 'PUT', '/api/v1/video/consent', { version: 'one' }],
  ['account', 'GET', '/api/v1/admin/users'],
  ['account', 'GET', '/metrics'],
  ['generate', 'POST', '/v1/videos', { prompt: 'boat' }],
  ['generate', 'DELETE', `/v1/videos/${video}`],
  ['read', 'GET', '/v1/videos'],
  ['read', 'GET', '/v1/models'],
  ['generate', 'POST', '/api/v1/videos', { model: 'delta-1-5', prompt: 'boat' }],
  ['read', 'GET', `/api/v1/videos/${video}`],
  ['generate', 'POST', '/replicate/v1/models/kinora/delta-1-5/predictions', { input: { prompt: 'boat' } }],
  ['generate', 'POST', `/replicate/v1/predictions/${video}/cancel`],
  ['read', 'GET', '/replicate/v1/predictions'],
  ['read', 'GET', '/replicate/v1/files'],
  ['read', 'GET', `/replicate/v1/files/${video}`],
  ['generate', 'DELETE', `/replicate/v1/files/${video}`],
  ['generate', 'POST', '/fal/kinora/delta-1-5', { prompt: 'boat' }],
  ['generate', 'PUT', `/fal/kinora/delta-1-5/requests/${video}/cancel`],
  ['read', 'GET', `/fal/kinora/delta-1-5/requests/${video}`],
  ['generate', 'POST', '/ai-gateway/video-model/start', { prompt: 'boat' }],
  ['read', 'POST', '/ai-gateway/video-model/status', { operation: { uuid: video } }],
  ['generate', 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'generate_video' } }],
  ['generate', 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'delete_video' } }],
  ['read', 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_credits' } }],
]

test('403: a route of every API with a key that lacks its scope → the error names the scope that it needs', async () => {
  const root = await kinora.person({ role: 'admin' })
  const others: Record<string, string> = {}
  for (const scope of ['read', 'generate', 'account']) {
    others[scope] = (
      await create(root, { scopes: ['read', 'generate', 'account'].filter((each) => each !== scope) })
    ).key
  }
  for (const [scope, method, path, body] of routes) {
    const headers = { accept: 'application/json, text/event-stream', 'x-api-key': others[scope] ?? '' }
    const response = await fetch(kinora.url + path, {
      method,
      headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    assert.equal(response.status, 403, `${method} ${path}: ${text}`)
    assert.match(text, new RegExp(`needs an API key with the scope ${scope};`), `${method} ${path}`)
    if (path === '/mcp') {
      assert.match(response.headers.get('www-authenticate') ?? '', new RegExp(`insufficient_scope", scope="${scope}"`))
    }
  }
  const { error } = await callWith(others.generate ?? '', 'POST', '/api/v1/video/generate', generateBody)
  assert.deepEqual(
    [error?.code, error?.details],
    ['INSUFFICIENT_SCOPE', { scope: 'generate', scopes: ['read', 'account'] }],
  )
})

test('200: key with one scope → does what it is for, and reads about itself', async () => {
  const ann = await kinora.person()
  const [reader, maker] = [await create(ann, { scopes: ['read'] }), await create(ann, { scopes: ['generate'] })]
  const { data } = await generateWith(maker.key)
  assert.equal((await callWith(reader.key, 'GET', `/api/v1/video/${data.uuid}`)).status, 200)
  assert.equal((await callWith(maker.key, 'POST', `/api/v1/video/${data.uuid}/cancel`)).status, 200)
  for (const { key, id } of [reader, maker]) {
    assert.equal((await callWith(key, 'GET', '/api/v1/key')).data.id, id)
  }
  assert.equal((await kinora.call('GET', '/api/v1/key', { as: ann })).status, 404)
})

test('402: request beyond the budget → KEY_BUDGET_EXCEEDED with budget, used and resetAt; a session and a replay go on', async () => {
  const ann = await kinora.person({ credits: 200 })
  const { key, id } = await create(ann, { scopes: ['generate', 'read'], budget: { credits: 40, period: 'day' } })
  const first = await generateWith(key, { 'idempotency-key': 'one' })
  assert.equal((await generateWith(key)).status, 200)
  const refused = await generateWith(key)
  const today = kinora.app.now().toISOString().slice(0, 10)
  const resetAt = new Date(Date.parse(today) + 86_400_000).toISOString()
  assert.equal(refused.status, 402)
  assert.deepEqual(
    [refused.error?.code, refused.error?.details],
    ['KEY_BUDGET_EXCEEDED', { required: 16, budget: 40, used: 32, period: 'day', resetAt }],
  )
  assert.match(refused.error?.message ?? '', /used 32 of its 40 today; its budget begins anew at .* 00:00 UTC\.$/)
  assert.equal((await generateWith(key, { 'idempotency-key': 'one' })).data.uuid, first.data.uuid)
  assert.equal((await kinora.generate(ann)).status, 200)
  const quote = await kinora.call<{ affordable: boolean; available: number }>('POST', '/api/v1/video/quote', {
    headers: { 'x-api-key': key },
    body: generateBody,
  })
  assert.deepEqual([quote.data.affordable, quote.data.available], [false, 8])

  await callWith(key, 'POST', `/api/v1/video/${first.data.uuid}/cancel`)
  const shown = (await callWith(key, 'GET', '/api/v1/key')).data as unknown as Key
  assert.deepEqual([shown.id, shown.budget], [id, { credits: 40, period: 'day', used: 16, resetAt }])
  assert.equal((await generateWith(key)).status, 200)
})

test('503: budget is removed between the refusal and its report → the client sends the request again', async (context) => {
  const ann = await kinora.person()
  const { id, key } = await create(ann, { budget: { credits: 1, period: 'day' } })
  const { generate } = kinora.app.calls
  const { add } = generate
  context.mock.method(generate, 'add', async (...args: Parameters<typeof add>) => {
    const refused = await add(...args)
    await kinora.app.sql`update kinora.api_key set budget = null, budget_period = null where id = ${id}`
    return refused
  })
  const refused = await generateWith(key)
  assert.deepEqual([refused.status, refused.error?.code], [503, 'UNAVAILABLE'])
  assert.equal((await generateWith(key)).status, 200)
})

test('402: requests beyond the budget through the other APIs → each has its own shape', async () => {
  const ann = await kinora.person({ credits: 200 })
  const { key } = await create(ann, { budget: { credits: 1, period: 'month' } })
  const post = async (path: string, body: object, headers = {}) => {
    const response = await fetch(kinora.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) }
  }
  const openAi = await post('/v1/videos', { prompt: 'boat', model: 'delta-1-5', size: '1280x720' })
  assert.deepEqual(
    [openAi.status, openAi.json.error.type, openAi.json.error.code],
    [402, 'insufficient_quota', 'insufficient_quota'],
  )
  assert.equal(openAi.headers.get('x-should-retry'), 'false')
  const openRouter = await post('/api/v1/videos', { prompt: 'boat', model: 'delta-1-5' })
  assert.deepEqual([openRouter.status, openRouter.json.error.code], [402, 402])
  assert.equal(openRouter.json.error.metadata.details.budget, 1)
  const replicate = await post('/replicate/v1/models/kinora/delta-1-5/predictions', { input: { prompt: 'boat' } })
  assert.deepEqual([replicate.status, replicate.json.title], [402, 'KEY_BUDGET_EXCEEDED'])
  const gateway = await post('/ai-gateway/video-model/start', { prompt: 'boat' }, { 'ai-model-id': 'delta-1-5' })
  assert.deepEqual([gateway.status, gateway.json.error.code], [402, 'KEY_BUDGET_EXCEEDED'])
  assert.deepEqual((await kinora.balance(ann)).available, 200)
})

test('402: 20 requests at once with a budget for three → three videos', async () => {
  const ann = await kinora.person({ credits: 400 })
  const { key } = await create(ann, { budget: { credits: 50, period: 'week' } })
  const responses = await Promise.all(Array.from({ length: 20 }, () => generateWith(key)))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [
    200,
    200,
    200,
    ...Array.from({ length: 17 }, () => 402),
  ])
})

test('400: scopes that do not exist, none, or a budget without a period → refused, no key is created', async () => {
  const ann = await kinora.person()
  for (const wrong of [
    { scopes: [] },
    { scopes: ['write'] },
    { scopes: 'read' },
    { budget: { credits: 5 } },
    { budget: { credits: 0, period: 'day' } },
    { budget: { credits: 5, period: 'year' } },
  ]) {
    const { status } = await kinora.call('POST', '/api/auth/api-key/create', { as: ann, body: { name: 'k', ...wrong } })
    assert.equal(status, 400, JSON.stringify(wrong))
  }
  const { text } = await kinora.call('GET', '/api/auth/api-key/list', { as: ann })
  assert.equal(JSON.parse(text).total, 0)
})

test('200: key renamed → keeps scopes and budget', async (context) => {
  const ann = await kinora.person()
  const { id, key } = await create(ann, { scopes: ['read'], budget: { credits: 5, period: 'week' } })
  const { text } = await kinora.call('POST', '/api/auth/api-key/update', {
    as: ann,
    body: { keyId: id, name: 'other' },
  })
  const updated = JSON.parse(text)
  assert.deepEqual([updated.name, updated.scopes, updated.budget.credits], ['other', ['read'], 5])
  expireCredentialCache(context)
  assert.equal((await generateWith(key)).status, 403)
})
