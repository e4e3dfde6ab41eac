/** Races: concurrent HTTP requests, concurrent workers, and concurrent calls of the SQL functions that end a video. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { grantGift } from '../../src/credit/gift.ts'
import { expireDue } from '../../src/credit/ledger.ts'
import { newId } from '../../src/id.ts'
import { callbackUrl } from '../../src/video/callback-reference.ts'
import {
  videoAccept,
  videoBeginSubmit,
  videoComplete,
  videoFail,
  videoRenewLease,
  videoReportResult,
} from '../../src/video/transitions.ts'
import { type Answer, openKinora, type Person } from '../support/harness.ts'
import { creditFreeze, creditGrant } from '../support/ledger/ledger-calls.ts'
import { addVideosToHolds } from '../support/ledger/ledger-fixture.ts'
import { claimVideo } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true })
await addVideosToHolds(kinora.app.sql)
const { app } = kinora
const { sql } = app
const HOUR_MS = 3_600_000

const times = <T>(count: number, each: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => each(index)))

/** How often each value occurs: `{ 200: 3, 402: 47 }`. */
function tally(values: (string | number | boolean | null)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1
  return counts
}
const statuses = (responses: Answer<unknown>[]) => tally(responses.map((response) => response.status))

async function transactionsOf(userId: string): Promise<string[]> {
  const rows = await sql<{ transType: string; credits: number }[]>`
    select trans_type, credits from kinora.credit_transaction where user_id = ${userId} order by n
  `
  return rows.map((row) => `${row.transType} ${row.credits}`)
}

// This test comes first: workers claim every due video, also those that other tests leave behind.
test('worker: 4 at once, 40 due videos → each submitted once, all final', async () => {
  const people = await times(4, () => kinora.person({ credits: 160 }))
  const userIds = people.map((as) => as.userId)
  // One film per user; the others fail at the provider, which is faster and is claimed and submitted in the same way.
  const promptOf = (index: number) => (index === 0 ? 'A kite' : '[fail: no clouds today]')
  await Promise.all(people.map((as) => times(10, (index) => kinora.generate(as, { prompt: promptOf(index) }))))
  const unfinished = async () =>
    (await sql`select from kinora.video where user_id = any(${userIds}) and due_at is not null`).length
  await times(4, () => kinora.workUntil(async () => (await unfinished()) === 0, 60_000))
  const videos = await sql<{ id: string; status: string; accepted: number }[]>`
    select v.id, v.status,
           (select count(*) from kinora.video_log l where l.user_id = v.user_id and l.video_id = v.id and l.entry = 'accepted') as accepted
    from kinora.video v
    where v.user_id = any(${userIds})
  `
  const once = { 'COMPLETED, accepted once': 4, 'FAILED, accepted once': 36 }
  assert.deepEqual(
    tally(videos.map((video) => `${video.status}, accepted ${video.accepted === 1 ? 'once' : 'again'}`)),
    once,
  )
  const submits = (await kinora.simulator?.tasks())?.map((task) => task.submits)
  assert.deepEqual(tally(submits ?? []), { 1: 40 })
  for (const as of people) assert.deepEqual(await balanceOf(as), { available: 144, frozen: 0, used: 16 })
})

test('402: 50 generates at once, credits for 3 → 3 accepted, 47 refused', async () => {
  const ann = await kinora.person({ credits: 48 })
  assert.deepEqual(statuses(await times(50, () => kinora.generate(ann))), { 200: 3, 402: 47 })
  const { available, frozen } = await kinora.balance(ann)
  assert.deepEqual({ available, frozen }, { available: 0, frozen: 48 })
})

test('429: 40 generates at once, at most 20 in progress → 20 accepted, and 20 more when those are final', async () => {
  const ann = await kinora.person({ credits: 640 })
  assert.deepEqual(statuses(await times(40, () => kinora.generate(ann))), { 200: 20, 429: 20 })
  const open = await sql<{ id: string }[]>`select id from kinora.credit_hold where user_id = ${ann.userId}`
  await Promise.all(open.map(({ id }) => fail(ann, id)))
  assert.deepEqual(statuses(await times(40, () => kinora.generate(ann))), { 200: 20, 429: 20 })
})

test('200: 8 generates at once with one Idempotency-Key → one video, 8 equal responses', async () => {
  const ann = await kinora.person({ credits: 160 })
  const responses = await times(8, () => kinora.generate(ann, {}, { 'idempotency-key': 'the same' }))
  assert.deepEqual(statuses(responses), { 200: 8 })
  for (const { data } of responses) assert.deepEqual(data, responses[0]?.data)
  assert.equal((await kinora.balance(ann)).frozen, 16)
})

test('200: 20 first sign-ins of one user at once → one new-user gift', async () => {
  const email = `${randomUUID()}@example.com`
  const password = 'correct horse battery'
  const signUp = { name: 'First', email: `first-${email}`, password }
  assert.equal((await kinora.call('POST', '/api/auth/sign-up/email', { body: signUp })).status, 200)
  const [first] = await sql`
    select a.password from public.account a join public."user" u on u.id = a."userId" where u.email = ${signUp.email}
  `
  const userId = newId(app.now())
  await sql`
    insert into public."user" (id, name, email, "emailVerified") values (${userId}, 'Second', ${email}, false)
  `
  await sql`
    insert into public.account (id, "accountId", "providerId", "userId", password, "updatedAt")
    values (${newId(app.now())}, ${userId}, 'credential', ${userId}, ${first?.password}, now())
  `
  const responses = await times(20, () => kinora.call('POST', '/api/auth/sign-in/email', { body: { email, password } }))
  assert.deepEqual(statuses(responses), { 200: 20 })
  assert.deepEqual(await transactionsOf(userId), ['NEW_USER 60'])
})

test('gift: 40 grants at once, users with and without a credit account → one gift each', async () => {
  const withAccount = await kinora.person({ credits: 5 })
  const withoutAccount = await kinora.person({ credits: 0 })
  await times(40, (index) => grantGift(app, [withAccount, withoutAccount][index % 2]?.userId ?? '', null))
  assert.deepEqual(await transactionsOf(withAccount.userId), ['SYSTEM_ADJUST 5', 'NEW_USER 60'])
  assert.deepEqual(await transactionsOf(withoutAccount.userId), ['NEW_USER 60'])
})

const addCredits = (admin: Person, to: Person, credits: number, key: string) =>
  kinora.call<{ credits: number }>('POST', '/api/v1/admin/credits/add', {
    as: admin,
    body: { credits, userId: to.userId },
    headers: { 'idempotency-key': key },
  })

test('200: 10 equal admin grants at once with one Idempotency-Key → granted once, 10 equal responses', async () => {
  const admin = await kinora.person({ credits: 0, role: 'admin' })
  const ann = await kinora.person({ credits: 0 })
  const responses = await times(10, () => addCredits(admin, ann, 100, 'one'))
  assert.deepEqual(statuses(responses), { 200: 10 })
  for (const { data } of responses) assert.deepEqual(data, responses[0]?.data)
  assert.deepEqual(await transactionsOf(ann.userId), ['SYSTEM_ADJUST 100'])
})

test('422: admin grants of two amounts at once with one Idempotency-Key → one amount granted, the other refused', async () => {
  const admin = await kinora.person({ credits: 0, role: 'admin' })
  const ann = await kinora.person({ credits: 0 })
  const responses = await times(10, (index) => addCredits(admin, ann, index % 2 === 0 ? 7 : 11, 'two'))
  assert.deepEqual(statuses(responses), { 200: 5, 422: 5 })
  const granted = new Set(
    responses.filter((response) => response.status === 200).map((response) => response.data.credits),
  )
  assert.equal(granted.size, 1)
  assert.deepEqual(await transactionsOf(ann.userId), [`SYSTEM_ADJUST ${[...granted]}`])
})

test('200: 10 completed and 10 failed callbacks at once → the first decides status and credits', async () => {
  const ann = await kinora.person({ credits: 160 })
  const videos = await times(10, () => createAcceptedVideo(ann))
  await times(10, async (index) => {
    const { id, taskId } = videos[index] ?? { id: '', taskId: '' }
    const url = callbackUrl(app.config, 'provider-a', { userId: ann.userId, videoId: id }).slice(kinora.url.length)
    const responses = await times(20, (n) => {
      // The report that is sent first alternates from video to video.
      const end =
        (n + index) % 2 === 0 ? { status: 'failed', error: 'no' } : { status: 'completed', videoUrl: UNREACHABLE_URL }
      return kinora.call('POST', url, { body: { taskId, ...end } })
    })
    assert.deepEqual(statuses(responses), { 200: 20 })
  })
  const rows = await sql<{ status: string; results: number; failures: number }[]>`
    select v.status,
           (select count(*) from kinora.video_log l where l.video_id = v.id and l.entry = 'result') as results,
           (select count(*) from kinora.video_log l where l.video_id = v.id and l.entry = 'failed') as failures
    from kinora.video v
    where v.user_id = ${ann.userId}
  `
  for (const { status, results, failures } of rows) {
    const expected = status === 'FAILED' ? { results: 0, failures: 1 } : { results: 1, failures: 0 }
    assert.deepEqual({ results, failures }, expected, status)
  }
  const uploading = rows.filter((video) => video.status === 'UPLOADING').length
  assert.equal((await kinora.balance(ann)).frozen, uploading * 16)
  await Promise.all(videos.map(({ id }) => kinora.finish(ann, id)))
  assert.deepEqual(await balanceOf(ann), { available: 160, frozen: 0, used: 0 })
})

test('video_complete, video_fail: both under one lease at once → the first decides status and credits', async () => {
  const ann = await kinora.person({ credits: 320 })
  const videos = await times(20, () => createAcceptedVideo(ann))
  const outcomes = await times(20, async (index) => {
    const { id, taskId } = videos[index] ?? { id: '', taskId: '' }
    await reportResult(ann, id, taskId)
    const lease = await claim(ann, id)
    const ends = [0, 1, 2, 3].map((n) => ((n + index) % 2 === 0 ? complete(ann, id, lease) : fail(ann, id, lease)))
    return tally(await Promise.all(ends))
  })
  for (const outcome of outcomes) {
    // The same files again: an idempotent replay.
    const completed = { completed: 2, final: 2 }
    const failed = { failed: 1, final: 1, stale: 2 }
    assert.deepEqual(outcome, outcome.completed ? completed : failed)
  }
  const used = outcomes.filter((outcome) => outcome.completed).length * 16
  assert.deepEqual(await balanceOf(ann), { available: 320 - used, frozen: 0, used })
})

test('lease: expired and claimed by another worker → cannot complete, fail or renew', async () => {
  const ann = await kinora.person({ credits: 16 })
  const { id, taskId } = await createAcceptedVideo(ann)
  await reportResult(ann, id, taskId)
  const lost = await claim(ann, id)
  kinora.turnClock(61_000)
  const held = await claim(ann, id)
  assert.equal(await complete(ann, id, lost), 'stale')
  assert.equal(await fail(ann, id, lost), 'stale')
  const renewal = { userId: ann.userId, videoId: id, lease: lost, leaseUntil: app.now(), now: app.now() }
  assert.equal(await videoRenewLease(sql, renewal), 'stale')
  assert.deepEqual(await balanceOf(ann), { available: 0, frozen: 16, used: 0 })
  assert.equal(await complete(ann, id, held), 'completed')
  assert.deepEqual(await balanceOf(ann), { available: 0, frozen: 0, used: 16 })
})

test('freeze, expiry sweep: both at the moment of expiry → credits are frozen or expired, never both', async () => {
  const people = await times(20, () => kinora.person({ credits: 0 }))
  const expiresAt = new Date(app.now().getTime() + HOUR_MS)
  for (const { userId } of people) {
    const facts = { source: 'test', transType: 'ORDER_PAY', orderNo: null, remark: null }
    await creditGrant(sql, { userId, packageId: randomUUID(), ...facts, credits: 16, expiresAt, now: app.now() })
  }
  kinora.turnClock(HOUR_MS - 2)
  const late = { ...app, now: () => expiresAt }
  const swept = times(4, () => expireDue(late))
  const early = { ...app, now: () => new Date(expiresAt.getTime() - 1) }
  const frozen = await Promise.all(
    people.flatMap(({ userId }) => [freezeAt(early.now(), userId), freezeAt(late.now(), userId)]),
  )
  await swept
  await expireDue(late)
  for (const [index, { userId }] of people.entries()) {
    const [before, after] = [frozen[index * 2], frozen[index * 2 + 1]]
    assert.equal(after, 'insufficient', 'expired at the moment of expiry')
    const last = before === 'frozen' ? 'VIDEO_CONSUME -16' : 'EXPIRED -16'
    assert.deepEqual(await transactionsOf(userId), ['ORDER_PAY 16', last])
  }
})

// No server listens there, and the SSRF guard rejects it: a video "completed" with this URL fails when it is collected.
const UNREACHABLE_URL = 'http://127.0.0.1:9/film.mp4'

async function balanceOf(as: Person) {
  const { available, frozen, used } = await kinora.balance(as)
  return { available, frozen, used }
}

/** Creates a video and records its acceptance by provider-a without sending it there. */
async function createAcceptedVideo(as: Person): Promise<{ id: string; taskId: string }> {
  const { data } = await kinora.generate(as, { model: 'delta-1-5' })
  const id = data.uuid
  const taskId = `task-${id}`
  await sql`update kinora.video set providers = array['provider-a'] where id = ${id}`
  const lease = await claim(as, id)
  const now = app.now()
  const video = { userId: as.userId, videoId: id, now }
  await videoBeginSubmit(sql, { ...video, lease })
  const later = new Date(now.getTime() + HOUR_MS)
  await videoAccept(sql, { ...video, taskId, dueAt: later, deadlineAt: later })
  return { id, taskId }
}

const reportResult = ({ userId }: Person, videoId: string, taskId: string) =>
  videoReportResult(sql, { userId, videoId, provider: 'provider-a', taskId, url: UNREACHABLE_URL, now: app.now() })

async function claim(as: Person, id: string): Promise<string> {
  const lease = randomUUID()
  assert.ok(await claimVideo(kinora, as.userId, id, lease))
  return lease
}

const complete = ({ userId }: Person, videoId: string, lease: string) => {
  const film = {
    videoKey: 'key',
    thumbnailKey: 'thumbnail',
    sizeBytes: 1,
    durationS: 4,
    width: 1280,
    height: 720,
    graceS: 86_400,
  }
  return videoComplete(sql, { userId, videoId, lease, ...film, now: app.now() })
}

async function fail(as: Person, videoId: string, lease: string | null = null) {
  const failure = { failure: { code: 'PROVIDER_ERROR', message: 'It failed.' }, graceS: 86_400 } as const
  const held = lease ?? (await claim(as, videoId))
  return videoFail(sql, { userId: as.userId, videoId, lease: held, ...failure, now: app.now() })
}

const freezeAt = async (now: Date, userId: string) =>
  (await creditFreeze(sql, { userId, holdId: randomUUID(), credits: 16, now, remark: null })).outcome
