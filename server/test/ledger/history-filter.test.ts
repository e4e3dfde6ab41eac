/** `GET /api/v1/credit/history`: filter by type, and keyset pagination. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'

const kinora = await openKinora({ simulator: true, env: { MAX_IN_PROGRESS: '0' } })
const DAY_MS = 86_400_000

type Row = { id: string; transType: string; credits: number; videoUuid: string | null; state: string | null }
type Page = { transactions: Row[]; total: number; page: number; pageSize: number; nextCursor: string | null }
const history = (as: Person, query = '') => kinora.call<Page>('GET', `/api/v1/credit/history${query}`, { as })

/** Follows the cursors from the first page to the last, running `between` after each page. */
async function walk(as: Person, query: string, between: () => Promise<unknown> = async () => {}): Promise<Row[][]> {
  const pages: Row[][] = []
  let cursor: string | null = null
  do {
    const { status, data }: { status: number; data: Page } = await history(
      as,
      `?${query}${cursor ? `&cursor=${cursor}` : ''}`,
    )
    assert.equal(status, 200)
    pages.push(data.transactions)
    cursor = data.nextCursor
    await between()
  } while (cursor && pages.length < 50)
  return pages
}

/** Two grants and seven videos, two of which fail and are released: eleven rows of mixed types. */
async function mixed(): Promise<Person> {
  const as = await kinora.person({ credits: 200 })
  await kinora.grant(as, 5, 1)
  for (const prompt of ['a', '[fail: no]', 'b', 'c', '[fail: no]', 'd', 'e']) {
    const { data } = await kinora.generate(as, { prompt })
    if (prompt.startsWith('[')) await kinora.finish(as, data.uuid)
  }
  return as
}

const ann = await mixed()
const all = (await history(ann, '?pageSize=100')).data.transactions

test('200: filter transType → matching rows, newest first, counted; pages and cursors return the same rows', async () => {
  assert.equal(all.length, 11)
  for (const transType of ['VIDEO_CONSUME', 'REFUND', 'SYSTEM_ADJUST', 'EXPIRED', 'NEW_USER']) {
    const expected = all.filter((row) => row.transType === transType)
    const { data } = await history(ann, `?transType=${transType}`)
    const counted = { total: expected.length, page: 1, pageSize: 20, nextCursor: null }
    assert.deepEqual(data, { transactions: expected, makers: [], ...counted })
    const pages = await walk(ann, `transType=${transType}&pageSize=2`)
    assert.deepEqual(pages.flat(), expected, transType)
    assert.equal(pages.length, Math.max(1, Math.ceil(expected.length / 2)), transType)
    const second = await history(ann, `?transType=${transType}&pageSize=2&page=2`)
    assert.deepEqual(second.data.transactions, expected.slice(2, 4))
    assert.equal(second.data.total, expected.length)
  }
  const refund = (await history(ann, '?transType=REFUND')).data.transactions[0]
  assert.deepEqual([refund?.credits, refund?.state, refund?.videoUuid !== null], [16, 'released', true])
})

test('200: keyset pagination without a filter → all rows, null cursor after the last', async () => {
  for (const pageSize of [1, 3, 10, 11, 12]) {
    const pages = await walk(ann, `pageSize=${pageSize}`)
    assert.deepEqual(pages.flat(), all, String(pageSize))
    assert.equal(pages.length, Math.ceil(11 / pageSize), String(pageSize))
  }
  const { data } = await history(ann, '?pageSize=4&page=3')
  assert.deepEqual([data.transactions.length, data.nextCursor], [3, null])
  assert.deepEqual((await history(ann, '?cursor=999999999999999&pageSize=100')).data.transactions, all)
  assert.deepEqual((await history(ann, '?cursor=1')).data.transactions, [])
})

test('200: filter EXPIRED → expired credits are written off before the read', async () => {
  const bob = await kinora.person({ credits: 0 })
  await kinora.grant(bob, 7, 1)
  assert.equal((await history(bob, '?transType=EXPIRED')).data.total, 0)
  kinora.turnClock(DAY_MS)
  const { data } = await history(bob, '?transType=EXPIRED')
  kinora.turnClock(-DAY_MS)
  assert.deepEqual([data.total, data.transactions[0]?.credits], [1, -7])
})

test('200: any cursor → only the caller’s rows', async () => {
  const eve = await kinora.person({ credits: 1 })
  for (const query of ['?transType=SYSTEM_ADJUST&cursor=9', '?cursor=9']) {
    const { data } = await history(eve, query)
    assert.deepEqual([data.total, data.transactions.map(({ credits }) => credits)], [1, [1]])
  }
})

const refused: [query: string, path: string][] = [
  ['?transType=refund', 'transType'],
  ['?transType=', 'transType'],
  ['?transType=FREEZE', 'transType'],
  ['?cursor=', 'cursor'],
  ['?cursor=0', 'cursor'],
  ['?cursor=-3', 'cursor'],
  ['?cursor=1.5', 'cursor'],
  ['?cursor=none', 'cursor'],
  ['?cursor=9999999999999999', 'cursor'],
]
for (const [query, path] of refused) {
  test(`400: history${query} → names the field`, async () => {
    const { status, error } = await history(ann, query)
    assert.equal(status, 400)
    assert.equal(error?.code, 'INVALID_REQUEST')
    assert.deepEqual(pathsOf({ error }), [path])
  })
}
