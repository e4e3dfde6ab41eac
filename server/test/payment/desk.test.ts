/**
 * What administrators do with a payment: refund it at its processor, read its disputes and the attempts that failed,
 * and export the movements of money.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRefunds } from '../../src/payment/refund.ts'
import { readCsv } from '../../src/text/csv.ts'
import type { Person } from '../support/harness.ts'
import type { Processor } from '../support/payment/payment-delivery.ts'
import { openReconciliation } from '../support/payment/reconcile-fixture.ts'

const { kinora, gate, simulator, buy, act, submit, customersOf, deliverLate } = await openReconciliation()
const { app } = kinora
const root = await kinora.person({ role: 'admin', credits: 0 })
const other = await kinora.person({ role: 'admin', credits: 0 })

type Notice = { about: string; status: string; reason: string; tried: string; dueAt: string; url: string }
type Detail = {
  payment: { id: string; userId: string; credits: number; returned: number }
  paid: number
  left: number
  refund: { hindrance: string | null; takesPart: boolean }
  refunds: { state: string; cents: number; externalId: string | null; answer: string | null; actorEmail: string }[]
  returns: { kind: string; cents: number; state: string }[]
  notices: Notice[]
}
const pathOf = (id: string) => `/api/v1/admin/payments/${encodeURIComponent(id)}`
const detail = async (id: string) => (await kinora.call<Detail>('GET', pathOf(id), { as: root })).data
const refund = (id: string, body: object = {}, as = root, headers = {}) =>
  kinora.call<Detail>('POST', `${pathOf(id)}/refund`, { as, headers, body: { reason: 'Bought by mistake', ...body } })

/** A user who has bought it, and the id of the payment. */
async function bought(processor: Processor, product = 'pack-starter'): Promise<{ ann: Person; id: string }> {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, processor, product)
  await deliverLate(ann, processor)
  const query = new URLSearchParams({ q: ann.userId })
  const { data } = await kinora.call<{ payments: { id: string }[] }>('GET', `/api/v1/admin/payments?${query}`, {
    as: root,
  })
  return { ann, id: data.payments[0]?.id ?? assert.fail('nothing was paid') }
}
const made = async (ann: Person, processor: Processor) =>
  (await customersOf(ann, processor)).flatMap(({ payments }) => payments.flatMap(({ refunds }) => refunds))
const available = async (ann: Person) => (await kinora.balance(ann)).available

for (const [processor, product, credits] of [
  ['payment-a', 'pack-starter', 280],
  ['payment-b', 'pack-starter', 280],
  ['payment-a', 'pro-monthly', 960],
  ['payment-b', 'pro-monthly', 960],
] as const)
  test(`refund, ${processor}, ${product}: of all → the processor has made it; its event takes the credits; nothing is left`, async () => {
    const { ann, id } = await bought(processor, product)
    const { status, data, text } = await refund(id)
    assert.equal(status, 200, text)
    assert.deepEqual([data.refunds[0]?.state, data.refunds[0]?.actorEmail], ['accepted', root.email])
    assert.deepEqual([data.left, data.refund.hindrance], [0, 'nothing_left'])
    assert.equal(await available(ann), credits)
    await deliverLate(ann, processor)
    assert.equal(await available(ann), 0)
    const after = await detail(id)
    assert.deepEqual([after.left, after.returns.at(-1)?.state], [0, 'taken'])
    assert.equal((await refund(id)).status, 409)
    assert.equal((await made(ann, processor)).length, 1)
  })

test('refund, payment-b: of a part, then of more than is left, then of the rest → its share of the credits; CONFLICT; all', async () => {
  const { ann, id } = await bought('payment-b')
  assert.equal((await refund(id, { cents: 745 })).status, 200)
  assert.equal((await refund(id, { cents: 746 })).status, 409)
  await deliverLate(ann, 'payment-b')
  assert.equal(await available(ann), 140)
  assert.equal((await detail(id)).left, 745)
  assert.equal((await refund(id)).data.left, 0)
  await deliverLate(ann, 'payment-b')
  assert.equal(await available(ann), 0)
  assert.deepEqual(
    (await made(ann, 'payment-b')).map(({ cents }) => cents),
    [745, 745],
  )
})

test('refund, payment-a: of a part → CONFLICT that says why, and nothing is asked for', async () => {
  const { id } = await bought('payment-a')
  const { status, error } = await refund(id, { cents: 745 })
  assert.equal(status, 409)
  assert.match(error?.message ?? '', /as a whole alone/)
  assert.deepEqual([(await detail(id)).refund.takesPart, (await detail(id)).refunds.length], [false, 0])
})

for (const processor of ['payment-a', 'payment-b'] as const)
  test(`refund, ${processor}: by two administrators at once → one of them; the other has a CONFLICT`, async () => {
    const { ann, id } = await bought(processor)
    const answers = await Promise.all([refund(id), refund(id, {}, other)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await made(ann, processor)).length, 1)
  })

for (const processor of ['payment-a', 'payment-b'] as const)
  test(`refund, ${processor}: the answer is lost → open; the worker asks again with the same key, and it is made once`, async () => {
    const { ann, id } = await bought(processor)
    gate.lostPosts = 1
    const { data } = await refund(id)
    assert.deepEqual([data.refunds[0]?.state, data.refund.hindrance], ['open', 'in_progress'])
    assert.equal((await refund(id, {}, other)).status, 409)
    assert.equal(await sendRefunds(app), 0)
    kinora.turnClock(61_000)
    assert.equal(await sendRefunds(app), 1)
    assert.equal((await detail(id)).refunds[0]?.state, 'accepted')
    assert.equal((await made(ann, processor)).length, 1)
    await deliverLate(ann, processor)
    assert.equal(await available(ann), 0)
  })

test('refund: the same Idempotency-Key again → the same refund, said to be a replay', async () => {
  const { ann, id } = await bought('payment-b')
  const headers = { 'idempotency-key': `refund ${id}` }
  assert.equal((await refund(id, { cents: 100 }, root, headers)).status, 200)
  const again = await refund(id, { cents: 100 }, root, headers)
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true'])
  assert.equal((await made(ann, 'payment-b')).length, 1)
})

test('refund: the processor refuses → refused, with its words; another one is possible', async () => {
  const { id } = await bought('payment-b')
  Object.assign(gate, { status: 400, failures: 1 })
  const { data } = await refund(id)
  Object.assign(gate, { status: 0 })
  assert.deepEqual([data.refunds[0]?.state, data.refunds[0]?.answer], ['refused', 'no'])
  assert.equal(data.refund.hindrance, null)
  assert.equal((await refund(id)).data.refunds[0]?.state, 'accepted')
})

test('refund: no answer within 20 hours → given up, and the administrator is told where to look', async () => {
  const { id } = await bought('payment-b')
  gate.lostPosts = 1
  await refund(id)
  kinora.turnClock(20 * 3600_000 + 61_000)
  await sendRefunds(app)
  const [first] = (await detail(id)).refunds
  assert.equal(first?.state, 'refused')
  assert.match(first?.answer ?? '', /Look in the account/)
})

test('refund: of a disputed payment → CONFLICT; the dispute has its reason, its deadline and a link', async () => {
  const { ann, id } = await bought('payment-b')
  await act(ann, 'payment-b', 'dispute', 'purchase')
  await deliverLate(ann, 'payment-b')
  const { refund: can, notices } = await detail(id)
  assert.equal(can.hindrance, 'disputed')
  assert.partialDeepStrictEqual(notices, [{ about: 'dispute', status: 'needs_response', reason: 'fraudulent' }])
  assert.ok(Date.parse(notices[0]?.dueAt ?? '') > Date.now())
  const page = await fetch((notices[0]?.url ?? '').replace(/^http:\/\/[^/]+/, simulator.url))
  assert.match(await page.text(), new RegExp(ann.email))
  assert.equal((await refund(id)).status, 409)
  await act(ann, 'payment-b', 'dispute-won', 'purchase')
  await deliverLate(ann, 'payment-b')
  assert.equal((await detail(id)).refund.hindrance, null)
  type Listed = { events: { type: string; notice: Notice }[]; total: number }
  const { data } = await kinora.call<Listed>('GET', '/api/v1/admin/payments/events?about=dispute', { as: root })
  assert.partialDeepStrictEqual(data.events, [{ type: 'charge.dispute.created', notice: { status: 'won' } }])
})

test('failed payments: a card without funds → its words, the method, and what was tried', async () => {
  const ann = await kinora.person({ credits: 0 })
  const body = { productId: 'pack-starter', processor: 'payment-b' }
  const { data: checkout } = await kinora.call<{ url: string }>('POST', '/api/v1/billing/checkout', { as: ann, body })
  const response = await submit(`${checkout.url}/decline`, { email: ann.email })
  const { events } = (await response.json()) as { events: { type: string; id: string }[] }
  assert.equal(events[0]?.type, 'payment_intent.payment_failed')
  await submit(`${checkout.url}/pay`, { email: ann.email })
  await deliverLate(ann, 'payment-b')
  type Listed = { events: { userId: string; notice: Notice }[] }
  const { data } = await kinora.call<Listed>('GET', '/api/v1/admin/payments/events?about=failure', { as: root })
  const found = data.events.find(({ userId }) => userId === ann.userId)
  assert.partialDeepStrictEqual(found?.notice, {
    about: 'failure',
    reason: 'Your card has insufficient funds. (insufficient_funds)',
    tried: 'card visa 9995',
  })
})

test('404, 403: a payment that there is not; a user’s credential → refused', async () => {
  const { ann, id } = await bought('payment-b')
  for (const wrong of ['payment-b:in_nothing', 'x', 'payment-c:y'])
    assert.deepEqual(
      [(await refund(wrong)).status, (await kinora.call('GET', pathOf(wrong), { as: root })).status],
      [404, 404],
    )
  assert.equal((await refund(id, {}, ann)).status, 403)
})

test('audit: a refund → its administrator, its reason and its amount', async () => {
  const { id } = await bought('payment-a')
  await refund(id, { reason: 'Twice by mistake' })
  type Entries = { entries: Record<string, unknown>[] }
  const { data } = await kinora.call<Entries>('GET', '/api/v1/admin/audit?action=payment.refund', { as: root })
  assert.partialDeepStrictEqual(data.entries, [
    { actorId: root.userId, subject: id, reason: 'Twice by mistake', after: { cents: 1490, currency: 'USD' } },
  ])
})

/** The file, which has no envelope. */
async function movements() {
  const headers = { authorization: `Bearer ${root.token}` }
  const response = await fetch(`${kinora.url}/api/v1/admin/books/movements.csv`, { headers })
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') ?? '' }
}

test('movements: payments, refunds and disputes as CSV → one line each, whose sums are those of the processor’s report', async () => {
  const { ann, id } = await bought('payment-b')
  await act(ann, 'payment-b', 'refund-half', 'purchase')
  const { ann: ben } = await bought('payment-b', 'pro-monthly')
  await act(ben, 'payment-b', 'dispute')
  const { ann: cat } = await bought('payment-a')
  await act(cat, 'payment-a', 'refund', 'purchase')
  for (const [who, processor] of [
    [ann, 'payment-b'],
    [ben, 'payment-b'],
    [cat, 'payment-a'],
  ] as const)
    await deliverLate(who, processor)
  const { status, text, type } = await movements()
  assert.equal(status, 200, text)
  assert.match(type, /^text\/csv/)
  const [head = [], ...lines] = readCsv(text)
  const rows = lines.map((line) => Object.fromEntries(line.map((cell, n) => [head[n] ?? '', cell])))
  const report = await fetch(`${simulator.url}/v1/balance_transactions?limit=100`, {
    headers: { authorization: 'Bearer key-b' },
  })
  const { data: moved } = (await report.json()) as { data: { amount: number; fee: number; net: number }[] }
  const ofB = rows.filter(({ processor }) => processor === 'payment-b')
  const sum = (column: string) => Math.round(ofB.reduce((all, row) => all + Number(row[column]) * 100, 0))
  assert.equal(ofB.length, moved.length)
  assert.deepEqual(
    [sum('gross'), sum('fee'), sum('net')],
    (['amount', 'fee', 'net'] as const).map((name) => moved.reduce((all, each) => all + each[name], 0)),
  )
  const half = rows.find(({ order, kind }) => kind === 'refund' && id.endsWith(order ?? '-'))
  assert.partialDeepStrictEqual(half, {
    gross: '-7.45',
    currency: 'USD',
    country: 'DE',
    user: ann.userId,
    product: 'Starter pack',
  })
  assert.match(half?.payout ?? '', /^po_/)
  const ofDispute = rows.find(({ user, kind }) => user === ben.userId && kind === 'dispute')
  assert.partialDeepStrictEqual(ofDispute, { gross: '-29.90', fee: '15.00', net: '-44.90' })
  const ofA = rows.filter(({ user }) => user === cat.userId)
  assert.deepEqual(
    ofA.map(({ kind, gross, fee, country }) => [kind, gross, fee, country]),
    [
      ['payment', '14.90', '', 'DE'],
      ['refund', '-14.90', '', 'DE'],
    ],
  )
})

test('movements: pages of one, and a processor that stops answering → every movement; an error instead of half a file', async () => {
  const all = await movements()
  gate.pageSize = 1
  const paged = await movements()
  gate.pageSize = null
  assert.deepEqual(paged.text.split('\r\n').sort(), all.text.split('\r\n').sort())
  Object.assign(gate, { status: 401, failures: 1 })
  const { status } = await movements()
  Object.assign(gate, { status: 0 })
  assert.equal(status, 503)
})

test('books: a user’s credential → 403; an administrator’s → what is owed of the packs that were bought here', async () => {
  const { ann } = await bought('payment-b')
  assert.equal((await kinora.call('GET', '/api/v1/admin/books', { as: ann })).status, 403)
  type Books = { zone: string; months: { currency: string | null; owedCents: number }[] }
  const { data } = await kinora.call<Books>('GET', '/api/v1/admin/books', { as: root })
  assert.equal(data.zone, 'UTC')
  assert.ok(data.months.some(({ currency, owedCents }) => currency === 'USD' && owedCents >= 1490))
})
