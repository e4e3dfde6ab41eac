/** `POST /api/v1/video/generate`: the video it creates, its price, and that a refused request writes no rows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateBody, noCredits, openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora({ simulator: true, env: { MAX_IN_PROGRESS: '3' } })

const send = (options: { as?: Person; body?: unknown; headers?: Record<string, string> }) =>
  kinora.call('POST', '/api/v1/video/generate', options)

/** Asserts that a refused request wrote no rows and changed no credits. */
async function assertNothingWritten(as: Person, available: number): Promise<void> {
  const [row] = await kinora.app.sql`
    select (select count(*) from kinora.video where user_id = ${as.userId}) as videos,
           (select count(*) from kinora.credit_hold where user_id = ${as.userId}) as holds,
           (select count(*) from kinora.idempotency_key where user_id = ${as.userId}) as keys,
           (select count(*) from kinora.credit_transaction where user_id = ${as.userId}) as transactions
  `
  assert.deepEqual(row, { videos: 0, holds: 0, keys: 0, transactions: available > 0 ? 1 : 0 })
  const balance = await kinora.balance(as)
  assert.deepEqual(balance, { ...noCredits, available, total: available })
}

test('200: valid request → 16 credits frozen, then COMPLETED and 16 credits used', async () => {
  const ann = await kinora.person({ credits: 60 })
  const created = await kinora.generate(ann)
  assert.equal(created.status, 200)
  assert.deepEqual(Object.keys(created.data), ['uuid', 'status', 'model', 'creditsUsed', 'createdAt'])
  assert.deepEqual(await kinora.balance(ann), { ...noCredits, available: 44, frozen: 16, total: 60 })

  const task = await kinora.finish(ann, created.data.uuid)
  const none = { error: null, failure: null, estimatedSeconds: null, queuePosition: null }
  assert.deepEqual(task, { uuid: created.data.uuid, status: 'COMPLETED', progress: 100, ...none })
  assert.deepEqual(await kinora.balance(ann), { ...noCredits, available: 44, used: 16, total: 60 })
})

test('200: valid request → PENDING with a UUIDv7, the price and createdAt', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.call<Record<string, unknown>>('POST', '/api/v1/video/generate', {
    as: ann,
    body: generateBody,
  })
  assert.match(String(data.uuid), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(
    { ...data, uuid: '', createdAt: '' },
    {
      uuid: '',
      status: 'PENDING',
      model: 'delta-1-5',
      creditsUsed: 16,
      createdAt: '',
    },
  )
  assert.match(String(data.createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('200: the provider reports a failure → FAILED with the reason, no credits used', async () => {
  const ann = await kinora.person({ credits: 16 })
  const { data } = await kinora.generate(ann, { prompt: '[fail: the paper boat sank]' })
  const task = await kinora.finish(ann, data.uuid)
  assert.equal(task.status, 'FAILED')
  assert.equal(task.error, 'the paper boat sank')
  assert.deepEqual(await kinora.balance(ann), { ...noCredits, available: 16, total: 16 })
})

const prices: [model: string, duration: number, quality: string | undefined, credits: number][] = [
  ['alpha-2', 4, undefined, 24],
  ['alpha-2', 10, undefined, 60],
  ['alpha-2', 10, '480p', 60],
  ['alpha-2', 10, '720p', 60],
  ['alpha-2', 15, '1080p', 90],
  ['beta-3-1', 4, undefined, 13],
  ['beta-3-1', 4, '720p', 13],
  ['beta-3-1', 8, '720p', 13],
  ['beta-3-1', 8, '1080p', 13],
  ['beta-3-1', 4, '4k', 37],
  ['beta-3-1', 8, '4k', 37],
  ['delta-1-5', 4, undefined, 16],
  ['delta-1-5', 10, '720p', 40],
  ['delta-1-5', 12, '720p', 48],
  ['delta-1-5', 4, '1080p', 32],
  ['delta-1-5', 12, '1080p', 96],
]
for (const [model, duration, quality, credits] of prices) {
  test(`200: ${model}, ${duration} s, ${quality ?? 'no quality'} → ${credits} credits`, async () => {
    const ann = await kinora.person({ credits: 100 })
    const { data } = await kinora.generate(ann, { model, duration, ...(quality ? { quality } : {}) })
    assert.equal((data as { creditsUsed?: number }).creditsUsed, credits)
    const { available, frozen } = await kinora.balance(ann)
    assert.deepEqual({ available, frozen }, { available: 100 - credits, frozen: credits })
    const { data: detail } = await kinora.call('GET', `/api/v1/video/${data.uuid}`, { as: ann })
    assert.equal(detail.resolution, quality ?? '720p')
  })
}

test('401: no valid credential → UNAUTHENTICATED, also for a malformed body', async () => {
  const bodies: [unknown, Record<string, string>][] = [
    [generateBody, {}],
    [{}, {}],
    ['{"prompt":', { 'content-type': 'application/json' }],
    ['prompt', { 'content-type': 'text/plain' }],
    [undefined, {}],
    [generateBody, { authorization: 'Bearer wrong' }],
    [generateBody, { authorization: 'Basic YTpi' }],
    [generateBody, { 'x-api-key': 'kin_wrong' }],
    [generateBody, { cookie: 'kinora.session_token=wrong.signature' }],
  ]
  for (const [body, headers] of bodies) {
    const { status, error } = await send({ body, headers })
    assert.equal(status, 401)
    assert.equal(error?.code, 'UNAUTHENTICATED')
  }
})

test('402: one credit short → no rows are written', async () => {
  const ann = await kinora.person({ credits: 15 })
  const { status, error } = await kinora.generate(ann)
  assert.equal(status, 402)
  assert.equal(error?.code, 'INSUFFICIENT_CREDITS')
  assert.deepEqual(error?.details, { required: 16, available: 15 })
  await assertNothingWritten(ann, 15)
})

test('402: the user never had credits → no rows are written', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { status, error } = await kinora.generate(ann)
  assert.equal(status, 402)
  assert.deepEqual(error?.details, { required: 16, available: 0 })
  await assertNothingWritten(ann, 0)
})

test('402: the remaining credits are frozen → refused; the last available credit can be spent', async () => {
  const ann = await kinora.person({ credits: 32 })
  assert.equal((await kinora.generate(ann)).status, 200)
  assert.equal((await kinora.generate(ann, { duration: 5 })).status, 402)
  assert.equal((await kinora.generate(ann)).status, 200)
  const refused = await kinora.generate(ann)
  assert.equal(refused.status, 402)
  assert.deepEqual(refused.error?.details, { required: 16, available: 0 })
})

test('402: the credits have just expired → refused, available is 0', async () => {
  const ann = await kinora.person({ credits: 0 })
  await kinora.grant(ann, 60, 1)
  kinora.turnClock(86_400_000)
  const refused = await kinora.generate(ann)
  kinora.turnClock(-86_400_000)
  assert.equal(refused.status, 402)
  assert.deepEqual(refused.error?.details, { required: 16, available: 0 })
})

test('429: three videos in progress → TOO_MANY_IN_PROGRESS with Retry-After, until one is final', async () => {
  const ann = await kinora.person({ credits: 100 })
  const first = await kinora.generate(ann, { prompt: '[fail: over]' })
  for (let count = 2; count <= 3; count++) assert.equal((await kinora.generate(ann)).status, 200)

  const { status, error, headers } = await kinora.generate(ann)
  assert.equal(status, 429)
  assert.equal(error?.code, 'TOO_MANY_IN_PROGRESS')
  assert.deepEqual(error?.details, { maxInProgress: 3 })
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  const { available, frozen } = await kinora.balance(ann)
  assert.deepEqual({ available, frozen }, { available: 52, frozen: 48 })
  assert.equal((await kinora.generate(await kinora.person())).status, 200, 'the cap is per user')

  await kinora.finish(ann, first.data.uuid)
  assert.equal((await kinora.generate(ann)).status, 200)
})

test('429: 12 requests at once, limit 3 → exactly 3 accepted', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const responses = await Promise.all(Array.from({ length: 12 }, () => kinora.generate(ann)))
  const statuses = responses.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array(3).fill(200), ...Array(9).fill(429)])
})
