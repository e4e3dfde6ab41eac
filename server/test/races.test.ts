/** Many requests at one moment, over HTTP and by several workers: what holds for one holds for all of them. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { creditFreeze, creditGrant, expireDue, grantGift } from '../src/credit/ledger.ts'
import { newId } from '../src/id.ts'
import { callbackUrl } from '../src/video/callback-reference.ts'
import {
  videoAccept,
  videoBeginSubmit,
  videoComplete,
  videoFail,
  videoRenewLease,
  videoReportResult,
} from '../src/video/transitions.ts'
import { type Answer, openKinora, type Person } from './harness.ts'
import { claimVideo } from './video-row.ts'

const kinora = await openKinora({ simulator: true })
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
const statuses = (answers: Answer<unknown>[]) => tally(answers.map((answer) => answer.status))

async function historyOf(userId: string): Promise<string[]> {
  const rows = await sql<{ transType: string; credits: number }[]>`
    select trans_type, credits from kinora.credit_transaction where user_id = ${userId} order by n
  `
  return rows.map((row) => `${row.transType} ${row.credits}`)
}

// First, because workers take up whatever is due, what other tests left over too.
test('4 workers at one heap of due videos: each is submitted once, and all are finished', async () => {
  const people = await times(4, () => kinora.person({ credits: 160 }))
  const userIds = people.map((as) => as.userId)
  // One film each; the others fail at the provider, which is quicker and is claimed and submitted just the same.
  const promptOf = (index: number) => (index === 0 ? 'A kite' : '[fail: no clouds today]')
  await Promise.all(people.map((as) => times(10, (index) => kinora.generate(as, { prompt: promptOf(index) }))))
  const unfinished = async () =>
    (await sql`select from kinora.video where user_id = any(${userIds}) and due_at is not null`).length
  await times(4, () => kinora.workUntil(async () => (await unfinished()) === 0, 60_000))
  const videos = await sql<{ id: string; status: string; accepted: number }[]>`
    select v.id, v.status,
           (select count(*) from kinora.video_log l where l.video_id = v.id and l.entry = 'accepted') as accepted
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

test('50 generates at once with credit for exactly 3: 3 are made, 47 are 402', async () => {
  const ann = await kinora.person({ credits: 48 })
  assert.deepEqual(statuses(await times(50, () => kinora.generate(ann))), { 200: 3, 402: 47 })
  const { available, frozen } = await kinora.balance(ann)
  assert.deepEqual({ available, frozen }, { available: 0, frozen: 48 })
})

test('40 generates at once and room for 20 in progress: exactly 20, then 20 again when they are over', async () => {
  const ann = await kinora.person({ credits: 640 })
  assert.deepEqual(statuses(await times(40, () => kinora.generate(ann))), { 200: 20, 429: 20 })
  const open = await sql<{ id: string }[]>`select id from kinora.credit_hold where user_id = ${ann.userId}`
  await Promise.all(open.map(({ id }) => fail(ann, id)))
  assert.deepEqual(statuses(await times(40, () => kinora.generate(ann))), { 200: 20, 429: 20 })
})

test('8 requests with one Idempotency-Key: one video and eight equal answers', async () => {
  const ann = await kinora.person({ credits: 160 })
  const answers = await times(8, () => kinora.generate(ann, {}, { 'idempotency-key': 'the same' }))
  assert.deepEqual(statuses(answers), { 200: 8 })
  for (const { data } of answers) assert.deepEqual(data, answers[0]?.data)
  assert.equal((await kinora.balance(ann)).frozen, 16)
})

test('20 sign-ins at once of a user whose account was never opened: one gift', async () => {
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
  const answers = await times(20, () => kinora.call('POST', '/api/auth/sign-in/email', { body: { email, password } }))
  assert.deepEqual(statuses(answers), { 200: 20 })
  assert.deepEqual(await historyOf(userId), ['NEW_USER 60'])
})

test('40 welcomes at once, of users with and without an account: one gift each', async () => {
  const opened = await kinora.person({ credits: 5 })
  const never = await kinora.person({ credits: 0 })
  await times(40, (index) => grantGift(app, [opened, never][index % 2]?.userId ?? ''))
  assert.deepEqual(await historyOf(opened.userId), ['SYSTEM_ADJUST 5', 'NEW_USER 60'])
  assert.deepEqual(await historyOf(never.userId), ['NEW_USER 60'])
})

test('one admin grant sent 10 times at once under one key is given once; another amount under it is 422', async () => {
  const admin = await kinora.person({ credits: 0, role: 'admin' })
  const ann = await kinora.person({ credits: 0 })
  const add = (credits: number, key: string) =>
    kinora.call<{ credits: number }>('POST', '/api/v1/admin/credits/add', {
      as: admin,
      body: { credits, userId: ann.userId },
      headers: { 'idempotency-key': key },
    })
  const same = await times(10, () => add(100, 'one'))
  assert.deepEqual(statuses(same), { 200: 10 })
  for (const { data } of same) assert.deepEqual(data, same[0]?.data)

  const mixed = await times(10, (index) => add(index % 2 === 0 ? 7 : 11, 'two'))
  assert.deepEqual(statuses(mixed), { 200: 5, 422: 5 })
  const given = new Set(mixed.filter((answer) => answer.status === 200).map((answer) => answer.data.credits))
  assert.equal(given.size, 1)
  assert.deepEqual(await historyOf(ann.userId), ['SYSTEM_ADJUST 100', `SYSTEM_ADJUST ${[...given]}`])
})

test('completed and failed, 10 callbacks of each at once: one of them is the truth, and the books follow it', async () => {
  const ann = await kinora.person({ credits: 160 })
  const videos = await times(10, () => accepted(ann))
  await times(10, async (index) => {
    const { id, taskId } = videos[index] ?? { id: '', taskId: '' }
    const url = callbackUrl(app.config, 'provider-a', { userId: ann.userId, videoId: id }).slice(kinora.url.length)
    const answers = await times(20, (turn) => {
      // Which of them leaves first differs from video to video.
      const end =
        (turn + index) % 2 === 0 ? { status: 'failed', error: 'no' } : { status: 'completed', videoUrl: NOWHERE }
      return kinora.call('POST', url, { body: { taskId, ...end } })
    })
    assert.deepEqual(statuses(answers), { 200: 20 })
  })
  const heard = await sql<{ status: string; results: number; failures: number }[]>`
    select v.status,
           (select count(*) from kinora.video_log l where l.video_id = v.id and l.entry = 'result') as results,
           (select count(*) from kinora.video_log l where l.video_id = v.id and l.entry = 'failed') as failures
    from kinora.video v
    where v.user_id = ${ann.userId}
  `
  for (const { status, results, failures } of heard) {
    const expected = status === 'FAILED' ? { results: 0, failures: 1 } : { results: 1, failures: 0 }
    assert.deepEqual({ results, failures }, expected, status)
  }
  const uploading = heard.filter((video) => video.status === 'UPLOADING').length
  assert.equal((await kinora.balance(ann)).frozen, uploading * 16)
  await Promise.all(videos.map(({ id }) => kinora.finish(ann, id)))
  assert.deepEqual(await balanceOf(ann), { available: 160, frozen: 0, used: 0 })
})

test('video_completed against video_failed under one lease: the first wins, status and credits agree', async () => {
  const ann = await kinora.person({ credits: 320 })
  const videos = await times(20, () => accepted(ann))
  const outcomes = await times(20, async (index) => {
    const { id, taskId } = videos[index] ?? { id: '', taskId: '' }
    await reportResult(ann, id, taskId)
    const lease = await claim(ann, id)
    const ends = [0, 1, 2, 3].map((turn) =>
      (turn + index) % 2 === 0 ? complete(ann, id, lease) : fail(ann, id, lease),
    )
    return tally(await Promise.all(ends))
  })
  for (const outcome of outcomes) {
    const completed = { completed: 1, stale: 1, final: 2 }
    const failed = { failed: 1, final: 1, stale: 2 }
    assert.deepEqual(outcome, outcome.completed ? completed : failed)
  }
  const used = outcomes.filter((outcome) => outcome.completed).length * 16
  assert.deepEqual(await balanceOf(ann), { available: 320 - used, frozen: 0, used })
})

test('a worker whose lease has passed on can neither complete nor fail the video, nor keep it', async () => {
  const ann = await kinora.person({ credits: 16 })
  const { id, taskId } = await accepted(ann)
  await reportResult(ann, id, taskId)
  const lost = await claim(ann, id)
  kinora.turnClock(61_000)
  const held = await claim(ann, id)
  assert.equal(await complete(ann, id, lost), 'stale')
  assert.equal(await fail(ann, id, lost), 'stale')
  const renewal = { userId: ann.userId, videoId: id, lease: lost, leaseUntil: app.now() }
  assert.equal(await videoRenewLease(sql, renewal), 'stale')
  assert.deepEqual(await balanceOf(ann), { available: 0, frozen: 16, used: 0 })
  assert.equal(await complete(ann, id, held), 'completed')
  assert.deepEqual(await balanceOf(ann), { available: 0, frozen: 0, used: 16 })
})

test('the sweep against generate at the moment of expiry: the credit is frozen or expired, never both', async () => {
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
    assert.equal(after, 'insufficient', 'at the moment of expiry it is gone')
    const last = before === 'frozen' ? 'VIDEO_CONSUME -16' : 'EXPIRED -16'
    assert.deepEqual(await historyOf(userId), ['ORDER_PAY 16', last])
  }
})

// Nobody listens there, and the fetcher may not go there: a video "completed" with it fails when it is collected.
const NOWHERE = 'http://127.0.0.1:9/film.mp4'

async function balanceOf(as: Person) {
  const { available, frozen, used } = await kinora.balance(as)
  return { available, frozen, used }
}

/** A video that provider-a has accepted, without its having been sent to one. */
async function accepted(as: Person): Promise<{ id: string; taskId: string }> {
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
  videoReportResult(sql, { userId, videoId, provider: 'provider-a', taskId, url: NOWHERE, now: app.now() })

async function claim(as: Person, id: string): Promise<string> {
  const lease = randomUUID()
  assert.ok(await claimVideo(kinora, as.userId, id, lease))
  return lease
}

const complete = ({ userId }: Person, videoId: string, lease: string) => {
  const film = { videoKey: 'key', thumbnailKey: 'thumbnail', sizeBytes: 1, durationS: 4, width: 1280, height: 720 }
  return videoComplete(sql, { userId, videoId, lease, ...film, now: app.now() })
}

async function fail(as: Person, videoId: string, lease: string | null = null) {
  const failure = { errorCode: 'TEST', error: 'It failed.', graceS: 86_400 }
  const held = lease ?? (await claim(as, videoId))
  return videoFail(sql, { userId: as.userId, videoId, lease: held, ...failure, now: app.now() })
}

const freezeAt = async (now: Date, userId: string) =>
  (await creditFreeze(sql, { userId, holdId: randomUUID(), credits: 16, now, remark: null })).outcome
