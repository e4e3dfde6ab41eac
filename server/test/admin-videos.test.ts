/** `GET /api/v1/admin/videos`: what is unfinished, for whom, who has the next move, and why it takes so long. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openKinora, type Person, pathsOf } from './harness.ts'
import { advanceClockTo } from './video-row.ts'

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
  const answer = await kinora.call<Page>('GET', `/api/v1/admin/videos${query}`, { as: root })
  assert.equal(answer.status, 200, answer.text)
  return answer.data
}
const { sql } = kinora.app
beforeEach(() => kinora.holdClock())

async function made(by?: Person): Promise<{ uuid: string; by: Person }> {
  const person = by ?? (await kinora.person({ credits: 1000 }))
  return { uuid: (await kinora.generate(person)).data.uuid, by: person }
}

/** The video as it would be listed with its row changed like this; other videos are out of the way. */
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
/** As times stand in the sentences. */
const T = String.raw`(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d UTC`

test('200: unfinished videos of all users, oldest first, page by page', async () => {
  const all = [await made(), await made(), await made()]
  const oldest = all.map(({ uuid }) => uuid).sort()
  const first = await videos('?pageSize=2')
  assert.deepEqual(
    first.videos.map(({ uuid }) => uuid),
    oldest.slice(0, 2),
  )
  assert.equal(first.total, 3)
  assert.deepEqual(first.counts, { inProgress: 3, overdue: 0 })
  const second = await videos(`?pageSize=2&cursor=${first.nextCursor}`)
  assert.deepEqual(
    second.videos.map(({ uuid }) => uuid),
    oldest.slice(2),
  )
  assert.equal(second.nextCursor, null)
  const owner = all.find(({ uuid }) => uuid === first.videos[0]?.uuid)?.by
  assert.deepEqual([first.videos[0]?.userId, first.videos[0]?.email], [owner?.userId, owner?.email])
})

test('200: one user’s, one provider’s; final videos are not listed', async () => {
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

test('200: overdue is what has been due for more than a minute in nobody’s hands', async () => {
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

const soon = () => ({ due_at: later(30_000) })
const sent = () => ({ submitted_at: later(-5000) })
const taken = () => ({ ...sent(), status: 'GENERATING', provider_task_id: 't1', accepted_at: later(-4000) })
const finished = () => ({ ...taken(), status: 'UPLOADING', result_at: later(-1000), result_url: 'https://x.example/f' })
const sentences: [
  title: string,
  change: () => Record<string, unknown>,
  words: string,
  event?: [string, string | null],
][] = [
  ['new', () => ({ attempt: 0 }), 'Waiting for a worker to send it to provider-b\\.'],
  ['in hand', () => ({ lease_until: later(9000), due_at: later(9000) }), 'A worker is sending it to provider-b\\.'],
  [
    'not taken',
    () => ({ ...soon(), attempt: 1 }),
    `It was not taken \\(provider-b: it is busy\\); provider-b is tried at ${T}, given up at ${T}\\.`,
    ['not taken', 'provider-b: it is busy'],
  ],
  [
    'not answered',
    () => ({ ...sent(), due_at: later(600_000), deadline_at: later(600_000) }),
    `provider-b was sent the task and did not answer \\(provider-b: reset\\): waiting for its callback until ${T}, then the credits go back\\.`,
    ['no answer', 'provider-b: reset'],
  ],
  [
    'a worker died',
    () => ({ ...sent(), ...soon() }),
    `It was sent to provider-b and no answer is recorded; a worker looks at it at ${T}\\.`,
  ],
  [
    'generating',
    () => ({ ...taken(), ...soon(), progress: 42 }),
    `Waiting for provider-b \\(42 %\\); asked again at ${T}, given up at ${T}\\.`,
  ],
  [
    'generating, due',
    () => ({ ...taken(), due_at: later(-10), progress: 42 }),
    'Waiting for provider-b \\(42 %\\); asked again any moment, .*',
  ],
  [
    'slow',
    () => ({ ...taken(), ...soon(), accepted_at: later(-3000_000), progress: 42 }),
    'Waiting for provider-b \\(42 %, slower than its usual \\d+ s\\); .*',
  ],
  [
    'being asked',
    () => ({ ...taken(), attempt: 3, lease_until: later(9000), due_at: later(9000) }),
    'A worker is asking provider-b how far it is\\.',
  ],
  [
    'finished',
    () => ({ ...finished(), due_at: later(-10) }),
    'provider-b has finished; waiting for a worker to fetch the film\\.',
  ],
  [
    'being fetched',
    () => ({ ...finished(), attempt: 2, lease_until: later(9000), due_at: later(9000) }),
    'A worker is fetching and checking the film \\(try 3\\)\\.',
  ],
  [
    'not fetched',
    () => ({ ...finished(), ...soon(), attempt: 3 }),
    `The film could not be fetched or stored \\(3 tries\\) \\(the address does not answer\\); next try at ${T}, given up at ${T}\\.`,
    ['not collected yet', 'the address does not answer'],
  ],
]
for (const [title, change, words, event] of sentences) {
  test(`200: why: ${title}`, async () => {
    assert.match(await whyWith(change(), event), new RegExp(`^${words}$`))
  })
}

test('200: why, of videos that real steps have brought there', async () => {
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
  // Nobody listens where this test's providers are.
  assert.equal(video?.lastEvent?.event, 'not taken')
  assert.match(video?.why ?? '', /^It was not taken \(provider-b: .+\); provider-b is tried at /)
})

test('400: a state, a user or a cursor that there cannot be', async () => {
  for (const [query, path] of [
    ['?state=final', 'state'],
    ['?userId=ann', 'userId'],
    ['?cursor=ann', 'cursor'],
    ['?pageSize=101', 'pageSize'],
  ]) {
    const answer = await kinora.call('GET', `/api/v1/admin/videos${query}`, { as: root })
    assert.equal(answer.status, 400)
    assert.deepEqual([...new Set(pathsOf(answer))], [path])
  }
})

test('401: nobody; 403: a user', async () => {
  const { by } = await made()
  for (const path of ['/api/v1/admin/videos', '/api/v1/admin/providers']) {
    assert.equal((await kinora.call('GET', path)).status, 401)
    assert.equal((await kinora.call('GET', path, { as: by })).status, 403)
  }
})
