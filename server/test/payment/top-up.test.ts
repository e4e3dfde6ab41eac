// slow
/**
 * Automatic top-ups at payment-b: one charge at a time, once each, whatever dies or fails in between; the payer's
 * action; failures that pause it. Webhooks arrive when a test sends them.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eraseDeletedAccounts } from '../../src/account-data/erase.ts'
import { openBilling } from '../../src/payment/billing.ts'
import { topUps } from '../../src/payment/top-up.ts'
import { dispatchOnce } from '../../src/process/dispatch-loop.ts'
import type { Person } from '../support/harness.ts'
import { movesOf } from '../support/payment/payment-delivery.ts'
import { openReconciliation } from '../support/payment/reconcile-fixture.ts'
import { startProcess } from '../support/processes.ts'
import { randomOf } from '../support/random.ts'

const { kinora, gate, processorEnv, customersOf, act, deliverLate, foundAt } = await openReconciliation()
const { app } = kinora
const billing = openBilling(app)
after(() => billing.close())

type TopUp = {
  processor: string | null
  rule: { productId: string; below: number; maxPerMonth: number; paused: string | null } | null
  last: { state: string; url: string | null; reason: string | null } | null
  cardUrl: string | null
}
const body = { productId: 'pack-starter', below: 1000, maxPerMonth: 1 }
const call = async (method: 'GET' | 'PUT' | 'DELETE', as: Person, change: object = {}) => {
  const sent = method === 'PUT' ? { as, body: { ...body, ...change } } : { as }
  return await kinora.call<TopUp>(method, '/api/v1/billing/top-up', sent)
}
const read = async (as: Person) => (await call('GET', as)).data
const submit = (url: string, fields: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { accept: 'application/json' }, body: new URLSearchParams(fields) })
const run = () => dispatchOnce(topUps(app, billing), 20)
/** Replaces waiting for a lease or for the next question. */
const makeDue = ({ userId }: Person) =>
  app.sql`update kinora.top_up set due_at = now() - interval '1 minute' where user_id = ${userId} and due_at is not null`
const invoicesOf = async (as: Person) =>
  (await customersOf(as, 'payment-b'))
    .flatMap(({ payments }) => payments)
    .filter(({ reason }) => reason === 'invoice')
    .map(({ status }) => status)
const mailsOf = async ({ userId }: Person) => {
  const rows = await app.sql<{ data: { state: string; url: string | null } }[]>`
    select data from kinora.mail where user_id = ${userId} and kind = 'payment.top-up' order by id
  `
  return rows.map(({ data }) => data)
}

/** A user whose top-up is on, with a card: what becomes of charges of it. */
async function withCard(card: 'save-card' | 'save-card-that-declines' | 'save-card-that-asks', change: object = {}) {
  const ann = await kinora.person({ credits: 0 })
  await app.sql`update public."user" set "emailVerified" = true where id = ${ann.userId}`
  const { data } = await call('PUT', ann, change)
  assert.deepEqual([data.processor, data.rule?.paused], ['payment-b', 'no_card'])
  await run()
  assert.equal((await submit(`${data.cardUrl}/${card}`)).status, 200)
  assert.deepEqual(await invoicesOf(ann), [], 'nothing without a card')
  await deliverLate(ann, 'payment-b')
  assert.equal((await read(ann)).rule?.paused, null)
  return ann
}

test('top-up: card works, three workers at once → one pack, by its event and its webhook once; the month’s number is kept', async () => {
  const ann = await withCard('save-card')
  await Promise.all([run(), run(), run()])
  await run()
  assert.deepEqual(await invoicesOf(ann), ['paid'])
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 280'])
  const { rule, last } = await read(ann)
  assert.deepEqual([rule?.paused, last?.state], [null, 'paid'])
  await deliverLate(ann, 'payment-b')
  await foundAt('payment-b')
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 280'])
  assert.deepEqual(
    (await mailsOf(ann)).map(({ state }) => state),
    ['paid'],
  )
  await act(ann, 'payment-b', 'refund', 'invoice')
  await deliverLate(ann, 'payment-b')
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 280', 'ORDER_PAY -280'])
  await run()
  assert.deepEqual(await invoicesOf(ann), ['paid'])
  assert.equal((await call('PUT', ann, { maxPerMonth: 2 })).data.cardUrl, null)
  await run()
  assert.deepEqual(await invoicesOf(ann), ['paid', 'paid'])
})

test('top-up: balance above the threshold, or switched off → nothing is bought', async () => {
  const ann = await withCard('save-card', { below: 100 })
  await kinora.grant(ann, 100)
  await run()
  assert.deepEqual(await invoicesOf(ann), [])
  await call('PUT', ann, { below: 101 })
  assert.equal((await call('DELETE', ann)).data.rule, null)
  await run()
  assert.deepEqual(await invoicesOf(ann), [])
})

test('top-up: card declined → voided, paused with a mail, and tried again once it is switched on', async () => {
  const ann = await withCard('save-card-that-declines')
  await run()
  await run()
  const { rule, last } = await read(ann)
  assert.deepEqual([rule?.paused, last?.state, last?.reason], ['declined', 'failed', 'declined'])
  assert.deepEqual(await invoicesOf(ann), ['void'])
  assert.equal((await call('PUT', ann)).data.rule?.paused, null)
  await run()
  assert.deepEqual(await invoicesOf(ann), ['void', 'void'])
  assert.deepEqual(
    (await mailsOf(ann)).map(({ state }) => state),
    ['failed', 'failed'],
  )
  assert.deepEqual(await movesOf(kinora, ann), [])
})

test('top-up: the bank asks its owner → mail and link, no second charge; confirmed → paid once', async () => {
  const ann = await withCard('save-card-that-asks')
  await run()
  const { last } = await read(ann)
  assert.equal(last?.state, 'action')
  assert.deepEqual(await mailsOf(ann), [
    { state: 'action', reason: null, url: last?.url, product: 'Starter pack', credits: 280 },
  ])
  await makeDue(ann)
  await run()
  assert.deepEqual(await invoicesOf(ann), ['open'])
  const payment = last?.url?.split('/').at(-1) ?? ''
  assert.equal((await submit(last?.url ?? '', { do: 'confirm', payment })).status, 200)
  await deliverLate(ann, 'payment-b')
  assert.deepEqual([(await read(ann)).last?.state, (await read(ann)).last?.url], ['paid', null])
  await makeDue(ann)
  await run()
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 280'])
  const [row] = await app.sql<{ state: string }[]>`select state from kinora.top_up where user_id = ${ann.userId}`
  assert.equal(row?.state, 'paid')
})

for (const [name, end] of [
  ['switched off', (ann: Person) => call('DELETE', ann)],
  [
    'not confirmed for a day',
    ({ userId }: Person) =>
      app.sql`update kinora.top_up set created_at = now() - interval '1 day' where user_id = ${userId}`,
  ],
] as const) {
  test(`top-up: waits for its owner and is ${name} → voided`, async () => {
    const ann = await withCard('save-card-that-asks')
    await run()
    await end(ann)
    await makeDue(ann)
    await run()
    assert.deepEqual(await invoicesOf(ann), ['void'])
    assert.equal((await read(ann)).last?.reason, 'expired')
    await run()
    assert.deepEqual(await invoicesOf(ann), ['void'])
  })
}

test('top-up: no answer, then the account is deleted → voided, nothing is paid, and its rows are erased', async () => {
  const ann = await withCard('save-card')
  // The package of payment-b tries each call twice; the fourth call finalizes the invoice.
  gate.lost = { after: 5, times: 2 }
  await run()
  gate.lost = null
  assert.equal((await kinora.call('DELETE', '/api/v1/account', { as: ann, body: {} })).status, 200)
  await makeDue(ann)
  await run()
  assert.deepEqual(await invoicesOf(ann), ['void'])
  await eraseDeletedAccounts(app)
  const { userId } = ann
  const rows = await app.sql`
    select user_id from kinora.top_up where user_id = ${userId}
    union all
    select user_id from kinora.spending_rule where user_id = ${userId}
  `
  assert.equal(rows.length, 0)
})

for (const point of ['top-up.claimed', 'top-up.charged', 'top-up.applied']) {
  test(`top-up: the worker is killed at ${point} → one invoice, paid once, one package`, async () => {
    const ann = await withCard('save-card')
    const killed = await startProcess(kinora, 'worker', { ...processorEnv, KINORA_CRASH_AT: point })
    assert.equal(await killed.ended, 'SIGKILL')
    await makeDue(ann)
    await Promise.all([run(), run()])
    assert.deepEqual(await invoicesOf(ann), ['paid'])
    assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 280'])
    assert.equal((await read(ann)).last?.state, 'paid')
  })
}

test('top-up: answers are lost at any call → tried again with the same keys, one invoice that counts, one package', async () => {
  for (const lost of [2, 4, 6, 8]) {
    const ann = await withCard('save-card')
    // The package of payment-b tries each call twice.
    gate.lost = { after: lost, times: 2 }
    for (let n = 0; n < 4; n += 1) {
      await run()
      await makeDue(ann)
    }
    gate.lost = null
    await run()
    assert.deepEqual((await invoicesOf(ann)).filter((status) => status === 'paid').length, 1, `${lost}`)
    assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 280'], `${lost}`)
    await call('DELETE', ann)
  }
})

test('top-up: random order of workers, spending, failures, webhooks and switches → a package for each paid invoice, never two at once', async () => {
  const people = await Promise.all(
    (['save-card', 'save-card-that-asks', 'save-card-that-declines', 'save-card'] as const).map((card) =>
      withCard(card, { maxPerMonth: 3 }),
    ),
  )
  const random = randomOf(88)
  const steps: ((ann: Person) => Promise<unknown>)[] = [
    () => Promise.all([run(), run()]),
    (ann) => makeDue(ann),
    (ann) => call('PUT', ann, { maxPerMonth: 3 }),
    (ann) => call('DELETE', ann),
    (ann) => deliverLate(ann, 'payment-b'),
    async () => {
      gate.lost = { after: random.below(6), times: 2 }
    },
    async (ann) => {
      const { last } = await read(ann)
      if (last?.url) await submit(last.url, { do: 'confirm', payment: last.url.split('/').at(-1) ?? '' })
    },
  ]
  for (let n = 0; n < 120; n += 1) {
    const ann = random.of(people)
    await random.of(steps)(ann)
    const rows = await app.sql<{ n: number }[]>`
      select count(*)::int as n from kinora.top_up where due_at is not null group by user_id
    `
    assert.ok(rows.every((row) => row.n === 1))
  }
  gate.lost = null
  for (const ann of people) {
    await makeDue(ann)
    await run()
    await makeDue(ann)
    await run()
    await deliverLate(ann, 'payment-b')
    const paid = (await invoicesOf(ann)).filter((status) => status === 'paid').length
    assert.deepEqual(await movesOf(kinora, ann), Array(paid).fill('ORDER_PAY 280'))
    assert.ok(paid <= 3, `${paid}`)
  }
})

test('top-up: no pack, a member, no processor that charges a saved card → 400, 403, 409 with the reason', async () => {
  const ann = await kinora.person()
  assert.equal((await call('PUT', ann, { productId: 'pro-monthly' })).status, 400)
  const payments = { ...app.config.payments, 'payment-b': null }
  await kinora.withSettings({ payments }, async (url) => {
    const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/v1/billing/top-up`, { method: 'PUT', headers, body: JSON.stringify(body) })
    assert.equal(answer.status, 409)
    const shown = await fetch(`${url}/api/v1/billing/top-up`, { headers })
    assert.equal(((await shown.json()) as { data: TopUp }).data.processor, null)
  })
})
