/** `POST /api/v1/video/generate` with `n`: several films of one request, all or none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateBody, noCredits, openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora({ simulator: true, env: { MAX_IN_PROGRESS: '6' } })

type Item = { uuid: string; status: string; model: string; creditsUsed: number; createdAt: string }
type Batch = Item & { videos: Item[] }
type Listed = { uuid: string; batchId: string | null; seed: number | null }

const send = (as: Person, change: object, key?: string) =>
  kinora.call<Batch>('POST', '/api/v1/video/generate', {
    as,
    body: { ...generateBody, ...change },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  })
const listOf = async (as: Person) =>
  (await kinora.call<{ videos: Listed[]; total: number }>('GET', '/api/v1/video/list', { as })).data

test('200: n of 3 → three films in progress and three times the price, one batch', async () => {
  const ann = await kinora.person({ credits: 60 })
  const { status, data } = await send(ann, { n: 3 })
  assert.equal(status, 200)
  assert.equal(data.creditsUsed, 48)
  assert.equal(data.videos.length, 3)
  assert.equal(data.videos[0]?.uuid, data.uuid)
  assert.deepEqual(
    data.videos.map(({ uuid: _, ...video }) => video),
    Array(3).fill({ status: 'PENDING', model: 'delta-1-5', creditsUsed: 16, createdAt: data.createdAt }),
  )
  assert.deepEqual(await kinora.balance(ann), { ...noCredits, available: 12, frozen: 48, total: 60 })
  const { videos, total } = await listOf(ann)
  assert.equal(total, 3)
  assert.deepEqual(
    videos.map(({ uuid, batchId }) => ({ uuid, batchId })),
    data.videos.map(({ uuid }) => ({ uuid, batchId: data.uuid })).reverse(),
  )
  for (const { uuid } of data.videos) assert.equal((await kinora.finish(ann, uuid)).status, 'COMPLETED')
  assert.deepEqual(await kinora.balance(ann), { ...noCredits, available: 12, used: 48, total: 60 })
})

test('200: n of 1 → one film without a batch, in `videos` too', async () => {
  const ann = await kinora.person({ credits: 60 })
  const { data } = await send(ann, { n: 1 })
  const { videos, ...video } = data
  assert.deepEqual(videos, [video])
  assert.equal((await listOf(ann)).videos[0]?.batchId, null)
})

test('200: a seed → the films have it and those after it; after the highest seed the lowest', async () => {
  const ann = await kinora.person({ credits: 120 })
  const seedsOf = async (seed: number) => {
    const { data } = await send(ann, { model: 'delta-1-5', n: 3, seed })
    const { videos } = await listOf(ann)
    return data.videos.map(({ uuid }) => videos.find((video) => video.uuid === uuid)?.seed)
  }
  assert.deepEqual(await seedsOf(41), [41, 42, 43])
  assert.deepEqual(await seedsOf(2 ** 31 - 2), [2 ** 31 - 2, 2 ** 31 - 1, 0])
})

test('402: credits for 3 of 4 films → none, nothing frozen', async () => {
  const ann = await kinora.person({ credits: 63 })
  for (const key of [undefined, 'k']) {
    const { status, error } = await send(ann, { n: 4 }, key)
    assert.equal(status, 402)
    assert.deepEqual(error?.details, { required: 64, available: 63 })
  }
  assert.deepEqual(await kinora.balance(ann), { ...noCredits, available: 63, total: 63 })
  assert.equal((await listOf(ann)).total, 0)
})

test('429: room for 3 of 4 films in progress → none', async () => {
  const ann = await kinora.person({ credits: 600 })
  assert.equal((await send(ann, { n: 3 })).status, 200)
  const { status, error } = await send(ann, { n: 4 })
  assert.equal(status, 429)
  assert.equal(error?.code, 'TOO_MANY_IN_PROGRESS')
  assert.equal((await listOf(ann)).total, 3)
  assert.equal((await send(ann, { n: 3 })).status, 200)
})

test('400: n that is no whole number from 1 to 4 → names the field', async () => {
  const ann = await kinora.person({ credits: 600 })
  for (const n of [0, 5, 1.5, '2', -1]) {
    const { status, error } = await send(ann, { n })
    assert.equal(status, 400, String(n))
    assert.match(JSON.stringify(error), /"path":"n"/, String(n))
  }
})

test('200: 50 requests with one key at once, n of 4 → the same four films in all', async () => {
  const ann = await kinora.person({ credits: 600 })
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(ann, { n: 4 }, 'four')))
  const [first] = answers
  assert.equal(first?.status, 200)
  assert.equal(new Set(first.data.videos.map(({ uuid }) => uuid)).size, 4)
  for (const { status, data } of answers) assert.deepEqual([status, data], [200, first.data])
  assert.equal((await listOf(ann)).total, 4)
  assert.deepEqual(await kinora.balance(ann), { ...noCredits, available: 536, frozen: 64, total: 600 })
  const other = await send(ann, { n: 3 }, 'four')
  assert.equal(other.error?.code, 'IDEMPOTENCY_KEY_REUSED')
})

test('200 and 429: ten requests of four films at once, with room for six → one of them', async () => {
  const ann = await kinora.person({ credits: 600 })
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(ann, { n: 4 })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(429)])
  assert.equal((await listOf(ann)).total, 4)
  assert.deepEqual(await kinora.balance(ann), { ...noCredits, available: 536, frozen: 64, total: 600 })
})

test('200: quote with n → the price of all films', async () => {
  const ann = await kinora.person({ credits: 60 })
  const { data } = await kinora.call('POST', '/api/v1/video/quote', { as: ann, body: { ...generateBody, n: 4 } })
  assert.deepEqual([data.credits, data.available, data.affordable], [64, 60, false])
})

test('200: webhookUrl and n → the final event of each film is sent to it', async () => {
  const ann = await kinora.person({ credits: 60 })
  const { data } = await send(ann, { n: 2, webhookUrl: 'https://93.184.215.14/hook' }, 'hooked')
  const rows = await kinora.app.sql<{ videoId: string }[]>`
    select video_id from kinora.webhook_of_video where user_id = ${ann.userId} order by video_id
  `
  assert.deepEqual(
    rows.map(({ videoId }) => videoId),
    data.videos.map(({ uuid }) => uuid),
  )
})

test('429: films count for the rate limit → n of a request are n', async () => {
  const limited = await openKinora({ env: { RATE_LIMITS: 'on' } })
  const ann = await limited.person({ credits: 6000 })
  const remaining = async (n: number) => {
    const { headers } = await limited.call('POST', '/api/v1/video/generate', { as: ann, body: { ...generateBody, n } })
    return Number(headers.get('x-ratelimit-remaining'))
  }
  const first = await remaining(1)
  assert.equal(await remaining(4), first - 4)
})
