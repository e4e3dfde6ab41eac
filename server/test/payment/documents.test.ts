/** Invoices, receipts, previews of plan changes, and portals by processor; and mails about spending. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processorNames } from '../../src/config/processors.ts'
import { notifySpending } from '../../src/credit/notices.ts'
import { openReconciliation } from '../support/payment/reconcile-fixture.ts'

const { kinora, gate, buy, act, customersOf, deliverLate } = await openReconciliation()
type Document = { processor: string; status: string; amount: number; currency: string; url: string | null }
type Preview = { preview: { amount: number; credited: number; currency: string; at: string } | null }

for (const processor of processorNames) {
  test(`${processor}: plan, renewal and pack → an invoice or receipt of each, the newest first; its portal`, async () => {
    const ann = await kinora.person({ credits: 0 })
    const read = async () =>
      (await kinora.call<{ invoices: Document[] }>('GET', '/api/v1/billing/invoices', { as: ann })).data.invoices
    assert.deepEqual(await read(), [])
    await buy(ann, processor, 'pro-monthly')
    await deliverLate(ann, processor)
    await buy(ann, processor, 'pack-starter')
    await act(ann, processor, 'next-period')
    await deliverLate(ann, processor)
    const documents = await read()
    assert.deepEqual(documents.map(({ amount }) => amount).sort(), [1490, 2990, 2990])
    assert.deepEqual(
      documents.map((each) => [each.processor, each.currency, each.url !== null]),
      Array(3).fill([processor, 'USD', processor === 'payment-b']),
    )
    for (const { url } of documents) if (url) assert.equal((await fetch(url)).status, 200)
    const portal = await kinora.call<{ url: string }>('POST', `/api/v1/billing/portal?processor=${processor}`, {
      as: ann,
    })
    assert.match(portal.data.url, new RegExp(`/${processor}/portal/`))
    const other = processorNames.find((each) => each !== processor)
    assert.equal((await kinora.call('POST', `/api/v1/billing/portal?processor=${other}`, { as: ann })).status, 409)
    const ben = await kinora.person()
    const { data } = await kinora.call<{ invoices: Document[] }>('GET', '/api/v1/billing/invoices', { as: ben })
    assert.deepEqual(data.invoices, [])
  })
}

test('preview: payment-b → what the change then costs; payment-a → null; no plan, the same one, a pack → 409, 409, 400', async () => {
  const ann = await kinora.person({ credits: 0 })
  const preview = (plan: string, as = ann) =>
    kinora.call<Preview>('GET', `/api/v1/billing/preview?plan=${plan}`, { as })
  assert.equal((await preview('ultimate-monthly')).status, 409)
  await buy(ann, 'payment-b', 'pro-monthly')
  await deliverLate(ann, 'payment-b')
  assert.equal((await preview('pro-monthly')).status, 409)
  assert.equal((await preview('pack-starter')).status, 400)
  const dearer = (await preview('ultimate-monthly')).data.preview
  assert.deepEqual([dearer?.amount, dearer?.credited, dearer?.currency], [5000, 0, 'USD'])
  const cheaper = (await preview('basic-monthly')).data.preview
  assert.deepEqual([cheaper?.amount, cheaper?.credited], [0, 2000])
  const [customer] = await customersOf(ann, 'payment-b')
  assert.equal(customer?.payments.length, 1, 'nothing was changed')
  const { data } = await kinora.call<{ url: string }>('POST', '/api/v1/billing/portal?plan=ultimate-monthly', {
    as: ann,
  })
  assert.match(data.url, /payment-b\/portal/)

  const ben = await kinora.person({ credits: 0 })
  await buy(ben, 'payment-a', 'pro-monthly')
  await deliverLate(ben, 'payment-a')
  assert.deepEqual((await preview('ultimate-monthly', ben)).data, { preview: null })
})

test('invoices: the processor does not answer → 503 with Retry-After', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 'payment-b', 'pack-starter')
  await deliverLate(ann, 'payment-b')
  Object.assign(gate, { status: 500, failures: 10 })
  const answer = await kinora.call('GET', '/api/v1/billing/invoices', { as: ann })
  Object.assign(gate, { status: 0, failures: 0 })
  assert.equal(answer.status, 503)
  assert.ok(answer.headers.get('retry-after'))
})

test('spending: films of a day reach a number → one mail a period and number, none below it', async () => {
  const ann = await kinora.person({ credits: 1000 })
  await kinora.app.sql`update public."user" set "emailVerified" = true where id = ${ann.userId}`
  const set = (body: object) => kinora.call('PUT', '/api/v1/credit/alert', { as: ann, body })
  const mails = async () => {
    await notifySpending(kinora.app)
    const rows = await kinora.app.sql<{ data: { period: string; limit: number; credits: number } }[]>`
      select data from kinora.mail where user_id = ${ann.userId} and kind = 'credit.spent' order by id
    `
    return rows.map(({ data }) => `${data.period} ${data.limit} ${data.credits}`)
  }
  const { data } = await set({ below: null, day: 32, week: 48 })
  assert.deepEqual(data, { below: null, day: 32, week: 48 })
  await kinora.generate(ann)
  assert.deepEqual(await mails(), [])
  await kinora.generate(ann)
  assert.deepEqual(await mails(), ['day 32 32'])
  await kinora.generate(ann)
  assert.deepEqual(await mails(), ['day 32 32', 'week 48 48'])
  await kinora.generate(ann)
  assert.deepEqual(await mails(), ['day 32 32', 'week 48 48'])
  assert.deepEqual((await set({ below: 10 })).data, { below: 10, day: 32, week: 48 })
  await set({ below: 10, day: 64, week: null })
  assert.deepEqual(await mails(), ['day 32 32', 'week 48 48', 'day 64 64'])
})
