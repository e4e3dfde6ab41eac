/**
 * Sets of generate requests and of steps: outcomes of one element never touch another, and repeats within a set are
 * decided in sequence.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { onePart } from '../../src/db/parts.ts'
import { applyAll, generateAll, openSetCalls } from '../../src/db/set-calls.ts'
import { videoBeginSubmit, videoComplete, videoGenerate } from '../../src/video/transitions.ts'
import { DAY_MS, later, openLedger, start } from '../support/ledger/open-ledger.ts'
import { videoClaim } from '../support/video-calls.ts'
import { newVideo, storedFilm } from '../support/video-row.ts'

const { sql, newUserId, grant, balance } = await openLedger(4)

const HASH = `\\x${'ab'.repeat(32)}`
const request = (userId: string, more: Record<string, unknown> = {}) => ({
  user_id: userId,
  id: randomUUID(),
  prompt: 'A paper boat',
  model: 'delta-1-5',
  duration_s: 4,
  mode: 'text-to-video',
  aspect_ratio: '16:9',
  quality: '720p',
  credits: 16,
  providers: ['provider-a'],
  usual_s: 30,
  deadline_at: later(DAY_MS),
  max_in_progress: 0,
  ...more,
})
const generate = async (...requests: ReturnType<typeof request>[]) => [
  ...(await generateAll(sql, JSON.stringify(requests), start)),
]
const outcomesOf = async (...requests: ReturnType<typeof request>[]) =>
  (await generate(...requests)).map(({ outcome }) => outcome)
async function user(credits: number): Promise<string> {
  const id = newUserId()
  if (credits > 0) await grant(id, credits, later(DAY_MS))
  return id
}
const videosOf = async (userId: string) => (await sql`select from kinora.video where user_id = ${userId}`).length

test('generate: a set of several accounts → an outcome for each, in sequence', async () => {
  const [ann, ben, cem] = [await user(32), await user(0), await user(16)]
  const requests = [request(ann), request(ben), request(cem), request(ann), request(ann), request(cem)]
  const rows = await generate(...requests)
  assert.deepEqual(
    rows.map(({ outcome, available, id }) => [outcome, available, id]),
    [
      ['created', 16, requests[0]?.id],
      ['insufficient', 0, null],
      ['created', 0, requests[2]?.id],
      ['created', 0, requests[3]?.id],
      ['insufficient', 0, null],
      ['insufficient', 0, null],
    ],
  )
  assert.deepEqual(await balance(ann), { available: 0, frozen: 32, used: 0, total: 32 })
})

test('generate: too expensive for what is left → refused, a cheaper one after it is created', async () => {
  const ann = await user(20)
  const requests = [request(ann), request(ann), request(ann, { credits: 4 }), request(ann, { credits: 1 })]
  assert.deepEqual(await outcomesOf(...requests), ['created', 'insufficient', 'created', 'insufficient'])
})

test('generate: the cap crossed within a set → too_many from there on, other accounts are not counted', async () => {
  const [ann, ben] = [await user(100), await user(100)]
  const capped = (userId: string) => request(userId, { max_in_progress: 2 })
  assert.deepEqual(await outcomesOf(capped(ann), capped(ben), capped(ann), capped(ann), capped(ben), capped(ann)), [
    'created',
    'created',
    'created',
    'too_many',
    'created',
    'too_many',
  ])
})

test('generate: the same id twice in a set → one video, the second is a replay', async () => {
  const ann = await user(100)
  const first = request(ann)
  const keyed = ['one', 'two'].map((key) => ({ ...first, key, request_hash: HASH }))
  const rows = await generate(first, request(ann), first, ...keyed)
  assert.deepEqual(
    rows.map(({ outcome }) => outcome),
    ['created', 'created', 'replayed', 'replayed', 'replayed'],
  )
  for (const row of rows.slice(2)) assert.equal(row.id, first.id)
  assert.equal((await balance(ann)).frozen, 32)
})

test('generate: the same key twice in a set → the first creates, the same request is a replay, another one is refused', async () => {
  const [ann, ben] = [await user(100), await user(100)]
  const keyed = (userId: string, hash = HASH) => request(userId, { key: 'key', request_hash: hash })
  const first = keyed(ann)
  const rows = await generate(first, keyed(ann), keyed(ann, `\\x${'cd'.repeat(32)}`), keyed(ben))
  assert.deepEqual(
    rows.map(({ outcome, id }) => [outcome, id === first.id]),
    [
      ['created', true],
      ['replayed', true],
      ['key_reused', true],
      ['created', false],
    ],
  )
  assert.equal(await videosOf(ann), 1)
})

test('generate: the first request with a key is refused → the next one with it is decided anew', async () => {
  const ann = await user(16)
  const keyed = (credits: number) => request(ann, { key: 'key', request_hash: HASH, credits })
  assert.deepEqual(await outcomesOf(keyed(17), keyed(16)), ['insufficient', 'created'])
})

test('generate: a start image that is gone or expired → that request is refused, its neighbours are created', async () => {
  const ann = await user(100)
  const image = { asset_ids: [randomUUID()], asset_due_at: later(DAY_MS), asset_link_expired: false }
  assert.deepEqual(
    await outcomesOf(
      request(ann),
      request(ann, image),
      request(ann, { ...image, asset_link_expired: true }),
      request(ann),
    ),
    ['created', 'asset_gone', 'asset_link_expired', 'created'],
  )
})

test('generate: 128 requests of 16 accounts → every account has its own, in the sequence of its requests', async () => {
  const users = await Promise.all(Array.from({ length: 16 }, () => user(1000)))
  const requests = Array.from({ length: 128 }, (_, n) => request(users[n % 16] ?? '', { credits: n + 1 }))
  assert.deepEqual(new Set(await outcomesOf(...requests)), new Set(['created']))
  const rows = await sql<{ videoId: string; n: number }[]>`
    select video_id, n from kinora.credit_transaction where user_id = ${users[3] ?? ''} and video_id is not null order by n
  `
  assert.deepEqual(
    rows.map(({ videoId }) => videoId),
    requests.filter(({ user_id }) => user_id === users[3]).map(({ id }) => id),
  )
})

test('generate: an element that violates a constraint → behind the combiner it alone fails', async () => {
  const { generate: combiner } = openSetCalls(onePart(sql))
  const users = await Promise.all(Array.from({ length: 8 }, () => user(100)))
  const results = await Promise.allSettled(
    users.map((userId, n) => combiner.add(userId, request(userId, n === 3 ? { credits: -1 } : {}), start)),
  )
  assert.deepEqual(
    results.map(({ status }) => status),
    users.map((_, n) => (n === 3 ? 'rejected' : 'fulfilled')),
  )
})

test('generate: a lone surrogate in the prompt → stored as U+FFFD', async () => {
  const ann = await user(100)
  const videoId = randomUUID()
  const video = newVideo({ userId: ann, videoId, now: start, prompt: 'half a \ud83d pair' })
  assert.equal((await videoGenerate(openSetCalls(onePart(sql)), video)).outcome, 'created')
  const [row] = await sql`select prompt from kinora.video where id = ${videoId}`
  assert.equal(row?.prompt, 'half a \ufffd pair')
})

async function claimed(userId: string): Promise<{ userId: string; videoId: string; lease: string; now: Date }> {
  const video = { userId, videoId: randomUUID(), now: start }
  assert.equal((await videoGenerate(sql, newVideo(video))).outcome, 'created')
  const lease = randomUUID()
  await videoClaim(sql, { videos: [{ userId, id: video.videoId }], lease, leaseUntil: later(60_000), now: start })
  return { ...video, lease }
}
const step = (name: string, { userId, videoId, lease }: Awaited<ReturnType<typeof claimed>>, more = {}) => ({
  step: name,
  user_id: userId,
  id: videoId,
  lease,
  ...more,
})
const apply = async (...steps: object[]) => await applyAll(sql, JSON.stringify(steps), start)
const film = { video_key: 'k', thumbnail_key: 't', size_bytes: 1, duration_s: 4, width: 1280, height: 720 }

test('apply: the whole life of one video in one set → each step sees the one before it, the log is in sequence', async () => {
  const ann = await user(16)
  const video = await claimed(ann)
  const due = { due_at: start, deadline_at: later(DAY_MS) }
  const outcomes = await apply(
    step('begin_submit', video),
    step('accept', video, { ...due, task_id: 'task' }),
    step('accept', video, { ...due, task_id: 'task' }),
    step('report_progress', video, { provider: 'provider-a', task_id: 'task', progress: 50 }),
    step('report_result', video, { provider: 'provider-a', task_id: 'task', url: 'https://films.example/1' }),
    step('report_result', video, { provider: 'provider-a', task_id: 'task', url: 'https://films.example/1' }),
    step('complete', video, film),
  )
  // The lease ended with the acceptance.
  assert.deepEqual(outcomes, ['begun', 'accepted', 'accepted', 'running', 'uploading', 'unchanged', 'stale'])
  const [row] = await sql`select status, progress from kinora.video where id = ${video.videoId}`
  assert.deepEqual({ ...row }, { status: 'UPLOADING', progress: 50 })
  const log = await sql`select entry from kinora.video_log where video_id = ${video.videoId} order by at, id`
  assert.deepEqual(
    log.map(({ entry }) => entry),
    ['accepted', 'result'],
  )
})

test('apply: steps of several accounts, some lost → each has its own outcome, status and credits move together', async () => {
  const [ann, ben, cem] = [await user(16), await user(16), await user(16)]
  const [a, b, c] = [await claimed(ann), await claimed(ben), await claimed(cem)]
  const outcomes = await apply(
    step('fail', a, { error_code: 'CONTENT_REFUSED', error: 'no', grace_s: 60 }),
    step('begin_submit', { ...b, lease: randomUUID() }),
    step('cancel', c, { error: 'cancelled', grace_s: 60 }),
    step('fail', a, { error_code: 'CONTENT_REFUSED', error: 'no', grace_s: 60 }),
    step('cancel', { ...c, videoId: randomUUID() }, { error: 'cancelled', grace_s: 60 }),
    step('delete', c),
  )
  assert.deepEqual(outcomes, ['failed', 'stale', 'cancelled', 'final', 'not_found', 'deleted'])
  assert.deepEqual(await balance(ann), { available: 16, frozen: 0, used: 0, total: 16 })
  assert.deepEqual(await balance(ben), { available: 0, frozen: 16, used: 0, total: 16 })
  assert.deepEqual(await balance(cem), { available: 16, frozen: 0, used: 0, total: 16 })
})

test('apply: the same call again, as after a lost connection → the same outcomes, nothing changes', async () => {
  const ann = await user(48)
  const [a, b, c] = [await claimed(ann), await claimed(ann), await claimed(ann)]
  await apply(step('report_result', b), step('begin_submit', b))
  const steps = [step('begin_submit', a), step('renew_lease', c, { lease_until: later(60_000) })]
  const first = await apply(...steps)
  const before = await sql`select * from kinora.video where user_id = ${ann} order by id`
  assert.deepEqual(await apply(...steps), first)
  assert.deepEqual(await sql`select * from kinora.video where user_id = ${ann} order by id`, before)
})

test('complete: the same files again → completed again; other files under a lost lease → stale', async () => {
  const ann = await user(16)
  const video = await claimed(ann)
  await videoBeginSubmit(sql, video)
  await apply(step('report_result', video, { provider: 'provider-a', url: 'https://films.example/1' }))
  await videoClaim(sql, {
    videos: [{ userId: ann, id: video.videoId }],
    lease: video.lease,
    leaseUntil: later(60_000),
    now: start,
  })
  assert.equal(await videoComplete(sql, { ...video, ...storedFilm }), 'completed')
  assert.equal(await videoComplete(sql, { ...video, ...storedFilm }), 'completed')
  assert.equal(await videoComplete(sql, { ...video, ...storedFilm, videoKey: 'other' }), 'stale')
  assert.deepEqual(await balance(ann), { available: 0, frozen: 0, used: 16, total: 16 })
})
