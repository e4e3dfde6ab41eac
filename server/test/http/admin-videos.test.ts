/** `GET /api/v1/admin/videos`: unfinished videos of all users, and what each waits for. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'
import { advanceClockTo } from '../support/video-row.ts'

const kinora = await openKinora()
const root = await kinora.person({ role: 'admin', credits: 0 })
const MINUTE_MS = 60_000

type Video = {
  uuid: string
  userId: string
  email: string
  status: string
  provider: string
  attempt: number
  dueAt: string
  leaseUntil: string | null
  deadlineAt: string
  isOverdue: boolean
  why: string
  lastEvent: { event: string; detail: string | null } | null
}
type Page = {
  videos: Video[]
  total: number
  counts: { inProgress: number; overdue: number }
  nextCursor: string | null
}
const videos = async (query = '') => {
  const response = await kinora.call<Page>('GET', `/api/v1/admin/videos${query}`, { as: root })
  assert.equal(response.status, 200, response.text)
  return response.data
}
const { sql } = kinora.app
beforeEach(() => kinora.holdClock())

async function made(by?: Person): Promise<{ uuid: string; by: Person }> {
  const person = by ?? (await kinora.person({ credits: 1000 }))
  return { uuid: (await kinora.generate(person)).data.uuid, by: person }
}

/** Returns the `why` of a video whose row is changed as given; other videos are not due. */
async function whyWith(
  change: Record<string, unknown>,
  event?: [event: string, detail: string | null],
): Promise<string> {
  const { uuid, by } = await made()
  await sql`update kinora.video set ${sql(change)} where id = ${uuid}`
  if (event) {
    await sql`
      insert into kinora.video_log (user_id, video_id, id, entry, detail, at)
      values (${by.userId}, ${uuid}, gen_random_uuid(), ${event[0]}, ${event[1]}, ${kinora.app.now()})
    `
  }
  const [video] = (await videos(`?userId=${by.userId}`)).videos
  await sql`update kinora.video set lease_until = null where id = ${uuid}`
  return video?.why ?? ''
}
const now = () => kinora.app.now().getTime()
const later = (ms: number) => new Date(now() + ms)
/** Pattern of the times in the sentences. */
const T = String.raw`(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d UTC`

test('200: unfinished videos of all users → oldest first, keyset pagination', async () => {
  const before = await videos('?pageSize=50')
  const all = [await made(), await made(), await made()]
  const oldest = [...before.videos, ...all].map(({ uuid }) => uuid).sort()
  const pageSize = before.total + 2
  const first = await videos(`?pageSize=${pageSize}`)
  assert.deepEqual(
    first.videos.map(({ uuid }) => uuid),
    oldest.slice(0, pageSize),
  )
  assert.equal(first.total, before.total + 3)
  assert.deepEqual(first.counts, { ...before.counts, inProgress: before.counts.inProgress + 3 })
  const second = await videos(`?pageSize=${pageSize}&cursor=${first.nextCursor}`)
  assert.deepEqual(
    second.videos.map(({ uuid }) => uuid),
    oldest.slice(pageSize),
  )
  assert.equal(second.nextCursor, null)
  const [newest] = second.videos
  const owner = all.find(({ uuid }) => uuid === newest?.uuid)?.by
  assert.deepEqual([newest?.userId, newest?.email], [owner?.userId, owner?.email])
})

test('200: filters userId and provider → only those; final videos are not listed', async () => {
  const { by, uuid } = await made()
  await made()
  assert.deepEqual(
    (await videos(`?userId=${by.userId}`)).videos.map((each) => each.uuid),
    [uuid],
  )
  const ofB = await videos('?provider=provider-b')
  assert.ok(ofB.total >= 2 && ofB.videos.every(({ provider }) => provider === 'provider-b'))
  assert.equal((await videos('?provider=none')).total, 0)
  await kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as: by })
  const { total, videos: left } = await videos(`?userId=${by.userId}`)
  assert.deepEqual([total, left], [0, []])
})

test('200: state=overdue → videos due for over a minute without a lease, each with the reason', async () => {
  const { by, uuid } = await made()
  const other = await made()
  await sql`update kinora.video set due_at = ${later(3600_000)} where id <> ${uuid} and due_at is not null`
  await sql`update kinora.video set due_at = ${later(-MINUTE_MS)} where id = ${uuid}`
  assert.equal((await videos('?state=overdue')).total, 0)
  await sql`update kinora.video set due_at = ${later(-5 * MINUTE_MS)} where id = ${uuid}`
  const { videos: overdue, total, counts } = await videos('?state=overdue')
  assert.deepEqual([overdue.map((each) => each.uuid), total, counts.overdue], [[uuid], 1, 1])
  assert.equal(overdue[0]?.isOverdue, true)
  assert.match(
    overdue[0]?.why ?? '',
    new RegExp(`^Overdue: no worker has looked at it since ${T}\\. Is a worker running\\?`),
  )
  await sql`update kinora.video set lease_until = ${later(-5 * MINUTE_MS)} where id = ${uuid}`
  assert.match((await videos('?state=overdue')).videos[0]?.why ?? '', /when the one that had it stopped\. Is a worker/)
  await sql`update kinora.video set lease_until = ${later(MINUTE_MS)} where id = ${other.uuid}`
  assert.match((await videos('?state=overdue')).videos[0]?.why ?? '', /although workers are busy with others\./)
  await sql`update kinora.video set lease_until = null, due_at = ${later(3600_000)} where due_at is not null`
  assert.equal((await videos(`?userId=${by.userId}`)).videos[0]?.isOverdue, false)
})

const dueSoon = () => ({ due_at: later(30_000) })
const submittedRow = () => ({ submitted_at: later(-5000) })
const acceptedRow = () => ({
  ...submittedRow(),
  status: 'GENERATING',
  provider_task_id: 't1',
  accepted_at: later(-4000),
})
const uploadingRow = () => ({
  ...acceptedRow(),
  status: 'UPLOADING',
  result_at: later(-1000),
  result_url: 'https://x.example/f',
})
const sentences: [
  title: string,
  change: () => Record<string, unknown>,
  pattern: string,
  event?: [string, string | null],
][] = [
  ['new', () => ({ attempt: 0 }), 'Waiting for a worker to send it to provider-b\\.'],
  [
    'leased, submitting',
    () => ({ lease_until: later(9000), due_at: later(9000) }),
    'A worker is sending it to provider-b\\.',
  ],
  [
    'not accepted',
    () => ({ ...dueSoon(), attempt: 1 }),
    `It was not accepted \\(provider-b: it is busy\\); provider-b is tried at ${T}, given up at ${T}\\.`,
    ['not accepted', 'provider-b: it is busy'],
  ],
  [
    'no response to the submit',
    () => ({ ...submittedRow(), due_at: later(600_000), deadline_at: later(600_000) }),
    `provider-b was sent the task and did not answer \\(provider-b: reset\\): waiting for its callback until ${T}, then the credits go back\\.`,
    ['no answer', 'provider-b: reset'],
  ],
  [
    'lease expired during the submit',
    () => ({ ...submittedRow(), ...dueSoon() }),
    `It was sent to provider-b and no answer is recorded; a worker looks at it at ${T}\\.`,
  ],
  [
    'generating',
    () => ({ ...acceptedRow(), ...dueSoon(), progress: 42 }),
    `Waiting for provider-b \\(42 %\\); asked again at ${T}, given up at ${T}\\.`,
  ],
  [
    'generating, due',
    () => ({ ...acceptedRow(), due_at: later(-10), progress: 42 }),
    'Waiting for provider-b \\(42 %\\); asked again any moment, .*',
  ],
  [
    'slower than usual',
    () => ({ ...acceptedRow(), ...dueSoon(), accepted_at: later(-3000_000), progress: 42 }),
    'Waiting for provider-b \\(42 %, slower than its usual \\d+ s\\); .*',
  ],
  [
    'leased, polling the provider',
    () => ({ ...acceptedRow(), attempt: 3, lease_until: later(9000), due_at: later(9000) }),
    'A worker is asking provider-b how far it is\\.',
  ],
  [
    'provider finished',
    () => ({ ...uploadingRow(), due_at: later(-10) }),
    'provider-b has finished; waiting for a worker to fetch the film\\.',
  ],
  [
    'leased, fetching the film',
    () => ({ ...uploadingRow(), attempt: 2, lease_until: later(9000), due_at: later(9000) }),
    'A worker is fetching and checking the film \\(try 3\\)\\.',
  ],
  [
    'film not fetched',
    () => ({ ...uploadingRow(), ...dueSoon(), attempt: 3 }),
    `The film could not be fetched or stored \\(3 tries\\) \\(the address does not answer\\); next try at ${T}, given up at ${T}\\.`,
    ['not collected yet', 'the address does not answer'],
  ],
]
for (const [title, change, pattern, event] of sentences) {
  test(`200: video in state "${title}" → why names what it waits for`, async () => {
    assert.match(await whyWith(change(), event), new RegExp(`^${pattern}$`))
  })
}

test('200: video after a real failed step → why names the attempt', async () => {
  const { by, uuid } = await made()
  await sql`update kinora.video set due_at = ${later(3600_000)} where id <> ${uuid} and due_at is not null`
  const step = async () => {
    const [video] = (await videos(`?userId=${by.userId}`)).videos
    assert.ok(video)
    advanceClockTo(kinora, new Date(video.dueAt))
    await kinora.workUntil(async () => (await videos(`?userId=${by.userId}`)).videos[0]?.dueAt !== video.dueAt)
    return (await videos(`?userId=${by.userId}`)).videos[0]
  }
  const video = await step()
  // No server listens at this test's provider URLs.
  assert.equal(video?.lastEvent?.event, 'not accepted')
  assert.match(video?.why ?? '', /^It was not accepted \(provider-b: .+\); provider-b is tried at /)
})

test('400: invalid state, userId, cursor or pageSize → names the field', async () => {
  for (const [query, path] of [
    ['?state=final', 'state'],
    ['?userId=ann', 'userId'],
    [`?userId=urn:uuid:${root.userId}`, 'userId'],
    ['?cursor=ann', 'cursor'],
    ['?pageSize=101', 'pageSize'],
  ]) {
    const response = await kinora.call('GET', `/api/v1/admin/videos${query}`, { as: root })
    assert.equal(response.status, 400)
    assert.deepEqual([...new Set(pathsOf(response))], [path])
  }
})

test('401, 403: no credential, or a user’s → refused', async () => {
  const { by } = await made()
  for (const path of ['/api/v1/admin/videos', '/api/v1/admin/providers']) {
    assert.equal((await kinora.call('GET', path)).status, 401)
    assert.equal((await kinora.call('GET', path, { as: by })).status, 403)
  }
})
