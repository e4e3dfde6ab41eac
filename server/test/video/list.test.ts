/** `GET /api/v1/video/list`: the caller's videos, newest first, with numbered pages or keyset pagination. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'
import { leftOut } from '../support/sample-parameters.ts'

const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0' }, simulator: true })

type Item = Record<string, unknown> & { uuid: string; prompt: string; status: string; model: string }
type Page = { videos: Item[]; total: number; page: number; pageSize: number; nextCursor: string | null }

const list = (as: Person, query = '') => kinora.call<Page>('GET', `/api/v1/video/list${query}`, { as })

/** Generates videos one second apart and returns their ids, newest first. */
async function makeVideos(as: Person, count: number, change: Record<string, unknown> = {}): Promise<string[]> {
  const uuids: string[] = []
  for (let made = 0; made < count; made++) {
    uuids.unshift((await kinora.generate(as, change)).data.uuid)
    kinora.turnClock(1000)
  }
  return uuids
}

const uuidsOf = (page: { data: Page }) => page.data.videos.map(({ uuid }) => uuid)

const ann = await kinora.person({ credits: 10_000 })
const newestFirst = await makeVideos(ann, 25)

test('200: default → newest first, 20 per page', async () => {
  const first = await list(ann)
  assert.equal(first.status, 200)
  assert.deepEqual(Object.keys(first.data), ['videos', 'makers', 'total', 'page', 'pageSize', 'nextCursor'])
  const { total, page, pageSize } = first.data
  assert.deepEqual({ total, page, pageSize }, { total: 25, page: 1, pageSize: 20 })
  assert.deepEqual(uuidsOf(first), newestFirst.slice(0, 20))
  const createdAt = first.data.videos.map((video) => String(video.createdAt))
  assert.deepEqual(createdAt, createdAt.toSorted().reverse())
})

test('200: numbered pages → contiguous; empty past the last one', async () => {
  assert.deepEqual(uuidsOf(await list(ann, '?page=2')), newestFirst.slice(20))
  assert.deepEqual(uuidsOf(await list(ann, '?page=3&pageSize=10')), newestFirst.slice(20))
  assert.deepEqual(uuidsOf(await list(ann, '?page=25&pageSize=1')), newestFirst.slice(24))
  const beyond = await list(ann, '?page=26&pageSize=1')
  assert.deepEqual(beyond.data, { videos: [], makers: [], total: 25, page: 26, pageSize: 1, nextCursor: null })
  for (const filter of ['', '&status=PENDING', '&model=delta-1-5', '&q=boat']) {
    const last = await list(ann, `?page=${Number.MAX_SAFE_INTEGER}&pageSize=100${filter}`)
    const { videos, total, page } = last.data
    assert.deepEqual(
      { status: last.status, videos, total, page },
      { status: 200, videos: [], total: 25, page: Number.MAX_SAFE_INTEGER },
    )
  }
  assert.deepEqual(uuidsOf(await list(ann, '?pageSize=100')), newestFirst)
})

test('200: videos of one millisecond → newest first', async () => {
  const bob = await kinora.person({ credits: 10_000 })
  kinora.holdClock()
  const made: string[] = []
  for (let count = 0; count < 12; count++) made.unshift((await kinora.generate(bob)).data.uuid)
  assert.deepEqual(uuidsOf(await list(bob)), made)
})

test('200: an item → every field, null while unknown', async () => {
  const { data } = await list(ann, '?pageSize=1')
  const [item] = data.videos
  assert.match(String(item?.createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(item, {
    ...leftOut('list'),
    usedIn: null,
    waiting: false,
    mode: 'text-to-video',
    uuid: newestFirst[0],
    prompt: 'A paper boat in a rain gutter',
    model: 'delta-1-5',
    status: 'PENDING',
    videoUrl: null,
    thumbnailUrl: null,
    duration: 4,
    aspectRatio: '16:9',
    creditsUsed: 16,
    createdAt: item?.createdAt,
    completedAt: null,
    favourite: false,
    isPublished: false,
    folderId: null,
    madeBy: null,
    failure: null,
    metadata: null,
    subject: null,
  })
})

test('200: prompt over 120 characters → abbreviated', async () => {
  const bob = await kinora.person({ credits: 10_000 })
  const prompts: [given: string, shown: string][] = [
    ['x'.repeat(120), 'x'.repeat(120)],
    ['y'.repeat(121), `${'y'.repeat(120)}…`],
    ['🚤'.repeat(121), `${'🚤'.repeat(120)}…`],
  ]
  for (const [given, shown] of prompts) {
    const [uuid = ''] = await makeVideos(bob, 1, { prompt: given })
    assert.equal((await list(bob, '?pageSize=1')).data.videos[0]?.prompt, shown)
    assert.equal((await kinora.call('GET', `/api/v1/video/${uuid}`, { as: bob })).data.prompt, given)
  }
})

test('200: filters status and model → only matching videos, counted in total', async () => {
  const bob = await kinora.person({ credits: 10_000 })
  const [failed = ''] = await makeVideos(bob, 1, { prompt: '[fail: no]', model: 'alpha-2' })
  await kinora.finish(bob, failed)
  const [waiting = ''] = await makeVideos(bob, 1, { model: 'alpha-2' })
  const [other = ''] = await makeVideos(bob, 1, { model: 'beta-3-1' })

  const cases: [query: string, uuids: string[]][] = [
    ['?status=FAILED', [failed]],
    ['?status=PENDING', [other, waiting]],
    ['?model=alpha-2', [waiting, failed]],
    ['?status=PENDING&model=alpha-2', [waiting]],
    ['?status=COMPLETED', []],
    ['?model=omega-9', []],
    ['?model=%27%20or%20true--', []],
  ]
  for (const [query, uuids] of cases) {
    const response = await list(bob, query)
    assert.equal(response.status, 200, query)
    assert.deepEqual(uuidsOf(response), uuids, query)
    assert.equal(response.data.total, uuids.length, query)
  }
  const first = await list(bob, '?model=alpha-2&pageSize=1')
  const next = await list(bob, `?model=alpha-2&pageSize=1&cursor=${first.data.nextCursor}`)
  assert.deepEqual([...uuidsOf(first), ...uuidsOf(next)], [waiting, failed])
  assert.equal((await list(bob, '?status=FAILED')).data.videos[0]?.creditsUsed, 0)
})

test('400: status that is none → the message names those that are', async () => {
  const { status, error } = await list(await kinora.person(), '?status=DONE')
  assert.equal(status, 400)
  assert.equal(
    error?.message,
    'The query is not valid: status must be one of PENDING, GENERATING, UPLOADING, COMPLETED, FAILED.',
  )
})

test('200: list → neither another user’s nor deleted videos', async () => {
  const [bob, eve] = [await kinora.person({ credits: 100 }), await kinora.person()]
  const [kept = '', deleted = ''] = await makeVideos(bob, 2)
  await kinora.call('DELETE', `/api/v1/video/${deleted}`, { as: bob })
  const his = await list(bob)
  assert.deepEqual(uuidsOf(his), [kept])
  assert.equal(his.data.total, 1)
  assert.deepEqual((await list(eve)).data, {
    videos: [],
    makers: [],
    total: 0,
    page: 1,
    pageSize: 20,
    nextCursor: null,
  })
  assert.deepEqual(uuidsOf(await list(eve, `?cursor=${kept}`)), [])
})

test('200: pages of several users at once → each user gets their own, of the size asked for', async () => {
  const users = await Promise.all([3, 1, 0, 2].map((count) => kinora.person({ credits: 1_000 + count })))
  const made = await Promise.all(users.map((user, i) => makeVideos(user, [3, 1, 0, 2][i] ?? 0)))
  const read = users.flatMap((user, i) => [1, 2, 20].map((size) => ({ user, size, uuids: made[i]?.slice(0, size) })))
  const pages = await Promise.all(read.map(({ user, size }) => list(user, `?pageSize=${size}`)))
  assert.deepEqual(
    pages.map(uuidsOf),
    read.map(({ uuids }) => uuids),
  )
})

test('200: prompt with quotes and names of fields → shown as it is, no link is made of it', async () => {
  const bob = await kinora.person({ credits: 100 })
  const prompt = '","videoUrl":"video/a.mp4","thumbnailUrl":"b" \\ "videoUrl":"video/c.mp4" \u2028 \t'.trim()
  await makeVideos(bob, 1, { prompt })
  const [item] = (await list(bob)).data.videos
  assert.deepEqual([item?.prompt, item?.videoUrl, item?.thumbnailUrl], [prompt, null, null])
})

const bounds: [query: string, path: string][] = [
  ['?page=0', 'page'],
  ['?page=-1', 'page'],
  ['?page=1.5', 'page'],
  ['?page=two', 'page'],
  ['?page=', 'page'],
  ['?page=9007199254740992', 'page'],
  ['?page=1&page=2', 'page'],
  // Numbers for JavaScript, and so for Ajv's coercion, too.
  ...['0x10', '1e2', '%203', '3%20', '+3', '%2B3', '1.0', '01', '1_0', '%0A3', 'Infinity', 'true', 'null'].map(
    (page): [string, string] => [`?page=${page}`, 'page'],
  ),
  ['?pageSize=0x10', 'pageSize'],
  ['?pageSize=1e1', 'pageSize'],
  ['?pageSize=0', 'pageSize'],
  ['?pageSize=101', 'pageSize'],
  ['?pageSize=-20', 'pageSize'],
  ['?pageSize=all', 'pageSize'],
  ['?status=pending', 'status'],
  ['?status=DONE', 'status'],
  ['?cursor=', 'cursor'],
  ['?cursor=2', 'cursor'],
]
for (const [query, path] of bounds) {
  test(`400: list${query} → names the field`, async () => {
    const { status, error } = await list(ann, query)
    assert.equal(status, 400)
    assert.equal(error?.code, 'INVALID_REQUEST')
    assert.deepEqual(pathsOf({ error }), [path])
  })
}

test('400: null character in a filter → refused', async () => {
  assert.equal((await list(ann, '?model=%00')).status, 400)
})

test('401: no credential → refused before the query is validated', async () => {
  for (const query of ['', '?page=0']) {
    const { status, error } = await kinora.call('GET', `/api/v1/video/list${query}`)
    assert.equal(status, 401)
    assert.equal(error?.code, 'UNAUTHENTICATED')
  }
})
