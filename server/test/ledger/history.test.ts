/** `GET /api/v1/credit/history`: changes of the available credits, newest first. Invariant: rows sum to the balance. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeVideo } from '../support/completed-video.ts'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'

const kinora = await openKinora({ simulator: true, env: { MAX_IN_PROGRESS: '0' } })
const DAY_MS = 86_400_000

type Row = {
  id: string
  transNo: string
  transType: string
  credits: number
  balanceAfter: number
  videoUuid: string | null
  prompt: string | null
  orderNo: string | null
  remark: string | null
  state: string | null
  madeBy: string | null
  createdAt: string
}
type Page = { transactions: Row[]; total: number; page: number; pageSize: number; nextCursor: string | null }
const history = (as: Person, query = '') => kinora.call<Page>('GET', `/api/v1/credit/history${query}`, { as })
const rowsOf = async (as: Person) => (await history(as, '?pageSize=100')).data.transactions

/** Each row's balanceAfter is that of the row before plus its credits, starting at 0; the latest equals the balance. */
async function assertAddsUp(as: Person): Promise<void> {
  const rows = await rowsOf(as)
  let balance = 0
  for (const row of rows.toReversed()) {
    balance += row.credits
    assert.equal(row.balanceAfter, balance)
  }
  assert.equal((await kinora.balance(as)).available, balance)
}

test('200: completed video → one VIDEO_CONSUME row, first frozen, then settled', async () => {
  const ann = await kinora.person({ credits: 60 })
  const { data } = await kinora.generate(ann)
  const [frozen, grant] = await rowsOf(ann)
  assert.deepEqual(
    { ...frozen, id: '', transNo: '', createdAt: '', hash: '' },
    {
      n: 2,
      packageId: null,
      source: null,
      expiresAt: null,
      graces: null,
      prompt: null,
      actorId: null,
      hash: '',
      id: '',
      transNo: '',
      transType: 'VIDEO_CONSUME',
      credits: -16,
      balanceAfter: 44,
      videoUuid: data.uuid,
      orderNo: null,
      remark: 'delta-1-5, 4 s',
      state: 'frozen',
      madeBy: null,
      createdAt: '',
    },
  )
  assert.equal(grant?.transType, 'SYSTEM_ADJUST')
  assert.equal(grant?.credits, 60)
  assert.equal(grant?.state, null)
  assert.equal(grant?.videoUuid, null)

  await completeVideo(kinora, ann, data.uuid)
  assert.deepEqual(await rowsOf(ann), [{ ...frozen, state: 'settled' }, grant], 'settling writes no row')
  await assertAddsUp(ann)
})

test('200: prompts → rows of films have the first 200 characters, with and without a filter; a deleted film has none', async () => {
  const ann = await kinora.person({ credits: 60 })
  const { data } = await kinora.generate(ann, { prompt: '影"片'.repeat(100) })
  await completeVideo(kinora, ann, data.uuid)
  for (const query of ['?prompts=true', '?prompts=true&transType=VIDEO_CONSUME'])
    assert.equal((await history(ann, query)).data.transactions[0]?.prompt, '影"片'.repeat(67).slice(0, 200))
  await kinora.call('DELETE', `/api/v1/video/${data.uuid}`, { as: ann })
  assert.equal((await history(ann, '?prompts=true')).data.transactions[0]?.prompt, null)
})

test('200: failed video → a REFUND row; both rows are released', async () => {
  const ann = await kinora.person({ credits: 60 })
  const { data } = await kinora.generate(ann, { prompt: '[fail: the boat sank]' })
  await kinora.finish(ann, data.uuid)
  const [refund, consumed] = await rowsOf(ann)
  assert.equal(refund?.transType, 'REFUND')
  assert.equal(refund?.credits, 16)
  assert.equal(refund?.balanceAfter, 60)
  assert.equal(refund?.remark, 'the boat sank')
  for (const row of [refund, consumed]) {
    assert.equal(row?.videoUuid, data.uuid)
    assert.equal(row?.state, 'released')
  }
  await assertAddsUp(ann)
})

test('200: expired credits → reading writes one EXPIRED row, without a sweep', async () => {
  const ann = await kinora.person({ credits: 0 })
  await kinora.grant(ann, 30, 1)
  await kinora.grant(ann, 50, 2)
  await kinora.generate(ann)
  kinora.turnClock(DAY_MS)
  const rows = await rowsOf(ann)
  assert.deepEqual(
    rows.map(({ transType, credits, balanceAfter }) => [transType, credits, balanceAfter]),
    [
      ['EXPIRED', -14, 50],
      ['VIDEO_CONSUME', -16, 64],
      ['SYSTEM_ADJUST', 50, 80],
      ['SYSTEM_ADJUST', 30, 30],
    ],
  )
  assert.equal(rows[0]?.state, null)
  assert.deepEqual(await rowsOf(ann), rows)
  await assertAddsUp(ann)
  kinora.turnClock(-DAY_MS)
})

test('200: transNo → unique over all users, without ambiguous letters', async () => {
  const ann = await kinora.person({ credits: 10_000 })
  for (let count = 0; count < 30; count++) await kinora.generate(ann)
  const others = await Promise.all(Array.from({ length: 30 }, () => kinora.person({ credits: 1 })))
  const rows = [...(await rowsOf(ann)), ...(await Promise.all(others.map(rowsOf))).flat()]
  assert.equal(rows.length, 61)
  assert.equal(new Set(rows.map(({ transNo }) => transNo)).size, 61)
  assert.equal(new Set(rows.map(({ id }) => id)).size, 61)
  // Ten characters without I, L, O and U, which look or sound like others.
  for (const { transNo } of rows)
    assert.match(transNo, /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{2}$/)
})

test('200: default → newest first, 20 per page, each row on one page', async () => {
  const ann = await kinora.person({ credits: 10_000 })
  for (let count = 0; count < 24; count++) await kinora.generate(ann)
  const first = await history(ann)
  assert.deepEqual(Object.keys(first.data), ['transactions', 'makers', 'total', 'page', 'pageSize', 'nextCursor'])
  const { total, page, pageSize, transactions } = first.data
  assert.deepEqual(
    { total, page, pageSize, shown: transactions.length },
    { total: 25, page: 1, pageSize: 20, shown: 20 },
  )
  const walked: Row[] = []
  for (const page of [1, 2, 3, 4]) walked.push(...(await history(ann, `?page=${page}&pageSize=7`)).data.transactions)
  assert.deepEqual(walked, await rowsOf(ann))
  const balances = walked.map(({ balanceAfter }) => balanceAfter)
  assert.deepEqual(
    balances,
    balances.toSorted((a, b) => a - b),
  )
  const beyond = await history(ann, '?page=5&pageSize=7')
  assert.deepEqual(beyond.data, { transactions: [], makers: [], total: 25, page: 5, pageSize: 7, nextCursor: null })
  const last = Number.MAX_SAFE_INTEGER
  for (const [filter, total] of [
    ['', 25],
    ['&transType=VIDEO_CONSUME', 24],
  ] as const) {
    const { status, data } = await history(ann, `?page=${last}&pageSize=100${filter}`)
    assert.deepEqual(
      [status, data],
      [200, { transactions: [], makers: [], total, page: last, pageSize: 100, nextCursor: null }],
    )
  }
})

test('200: history → only the caller’s rows; empty without any', async () => {
  const [ann, eve] = [await kinora.person(), await kinora.person({ credits: 0 })]
  assert.equal((await history(ann)).data.total, 1)
  assert.deepEqual((await history(eve)).data, {
    transactions: [],
    makers: [],
    total: 0,
    page: 1,
    pageSize: 20,
    nextCursor: null,
  })
})

for (const query of ['?page=0', '?page=1.5', '?page=two', '?pageSize=0', '?pageSize=101', '?pageSize=']) {
  test(`400: history${query} → names the field`, async () => {
    const { status, error } = await history(await kinora.person(), query)
    assert.equal(status, 400)
    assert.equal(error?.code, 'INVALID_REQUEST')
    assert.deepEqual(pathsOf({ error }), [query.slice(1).split('=')[0]])
  })
}

test('401: no credential → refused', async () => {
  const { status, error } = await kinora.call('GET', '/api/v1/credit/history')
  assert.equal(status, 401)
  assert.equal(error?.code, 'UNAUTHENTICATED')
})
