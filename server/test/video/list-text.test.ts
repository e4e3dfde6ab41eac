/** `GET /api/v1/video/list?q=`: search in prompts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'

const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0' } })

type Page = { videos: { uuid: string; prompt: string }[]; total: number; nextCursor: string | null }
const list = (as: Person, query: Record<string, string>) =>
  kinora.call<Page>('GET', `/api/v1/video/list?${new URLSearchParams(query)}`, { as })

const prompts = [
  'A paper boat in a rain gutter',
  'Two BOATS at dawn',
  'Fifty % of a cake',
  'a_b and a\\b',
  'Ärger über der Straße',
  `${'far '.repeat(200)}needle`,
]
const ann = await kinora.person({ credits: 1000 })
for (const prompt of prompts) {
  await kinora.generate(ann, { prompt, model: prompt.includes('boat') ? 'alpha-2' : 'delta-1-5' })
  kinora.turnClock(1000)
}
const eve = await kinora.person({ credits: 100 })
await kinora.generate(eve, { prompt: 'The boat of Eve' })

const cases: [q: string, found: number[]][] = [
  ['boat', [1, 0]],
  ['BoAt', [1, 0]],
  ['boats', [1]],
  [' boat ', [0]],
  ['%', [2]],
  ['y % o', [2]],
  ['_', [3]],
  ['a_b', [3]],
  ['\\', [3]],
  ["'", []],
  ['ÄRGER', [4]],
  ['ÜBER', [4]],
  ['needle', [5]],
  ['b%t', []],
  ['b.*t', []],
  ['', [5, 4, 3, 2, 1, 0]],
]
for (const [q, found] of cases) {
  test(`200: q="${q}" → ${found.length} found`, async () => {
    const { status, data } = await list(ann, { q })
    assert.equal(status, 200)
    // The list shows the beginning of a long prompt.
    const expected = found.map((index) => prompts[index]?.slice(0, 20))
    assert.deepEqual(
      data.videos.map(({ prompt }) => prompt.slice(0, 20)),
      expected,
    )
    assert.equal(data.total, found.length)
  })
}

test('200: q with filters, pages and cursors → their intersection, without deleted videos', async () => {
  const bob = await kinora.person({ credits: 1000 })
  const made: string[] = []
  for (const prompt of ['kite 1', 'boat', 'kite 2', 'kite 3']) {
    made.push((await kinora.generate(bob, { prompt })).data.uuid)
    kinora.turnClock(1000)
  }
  const first = await list(bob, { q: 'kite', pageSize: '2' })
  assert.deepEqual([first.data.videos.map(({ uuid }) => uuid), first.data.total], [[made[3], made[2]], 3])
  const second = await list(bob, { q: 'kite', pageSize: '2', cursor: String(first.data.nextCursor) })
  assert.deepEqual([second.data.videos.map(({ uuid }) => uuid), second.data.nextCursor], [[made[0]], null])
  assert.deepEqual((await list(bob, { q: 'kite', pageSize: '2', page: '2' })).data.videos, second.data.videos)
  assert.equal((await list(bob, { q: 'kite', status: 'COMPLETED' })).data.total, 0)
  assert.equal((await list(ann, { q: 'boat', model: 'alpha-2' })).data.total, 1)
  await kinora.call('DELETE', `/api/v1/video/${made[0]}`, { as: bob })
  assert.equal((await list(bob, { q: 'kite' })).data.total, 2)
})

test('200, 400: q of 100 and of 101 code points → accepted, refused', async () => {
  assert.equal((await list(ann, { q: '🚤'.repeat(100) })).status, 200)
  const response = await list(ann, { q: 'x'.repeat(101) })
  assert.equal(response.status, 400)
  assert.equal(response.error?.code, 'INVALID_REQUEST')
  assert.deepEqual(pathsOf(response), ['q'])
})

test('400: null character or a repeated filter → refused', async () => {
  for (const query of ['q=%00', 'q=a&q=b']) {
    const { status, error } = await kinora.call('GET', `/api/v1/video/list?${query}`, { as: ann })
    assert.equal(status, 400, query)
    assert.equal(error?.code, 'INVALID_REQUEST')
  }
})
