/**
 * What every payment processor of the registry must do: its signature, and the effects of what a payer, a subscriber,
 * the operator and time do at it. The simulator has its API and its events, so that nothing here knows a wire format.
 */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import type { PaymentSettings } from '../../src/config/config.ts'
import { processorNames } from '../../src/config/processors.ts'
import { withUnreachableDatabase } from '../support/database-outage.ts'
import type { Person } from '../support/harness.ts'
import {
  deliver,
  movesOf,
  type Processor,
  recordOf,
  secrets,
  signed,
  stateOf,
  storedAs,
  webhooks,
} from '../support/payment/payment-delivery.ts'
import { newName } from '../support/payment/payment-events.ts'
import { openReconciliation } from '../support/payment/reconcile-fixture.ts'

const { kinora, buy, act, customersOf, deliverLate, foundAt } = await openReconciliation()

const post = (processor: Processor, body: string, headers: Record<string, string>, url = kinora.url) =>
  fetch(url + webhooks[processor], {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body)),
    headers: { 'content-type': 'application/json', ...headers },
  })

/** A purchase of a pack whose webhook has not come: it is granted if its signature is accepted. */
async function purchase(processor: Processor): Promise<{ buyer: Person; body: string }> {
  const buyer = await kinora.person({ credits: 0 })
  await buy(buyer, processor, 'pack-starter')
  const [event] = (await customersOf(buyer, processor)).flatMap(({ events }) => events)
  return { buyer, body: event?.body ?? assert.fail('the simulator sent no event') }
}

/** A key of live mode at each processor. */
const liveKeys: Record<Processor, string> = { 'payment-a': 'creem_1', 'payment-b': 'rk_live_1' }
const changed = (processor: Processor, change: Partial<PaymentSettings>) => ({
  ...kinora.app.config.payments,
  [processor]: { ...(kinora.app.config.payments[processor] ?? assert.fail()), ...change },
})

/** An event in the envelope of every processor. */
const eventOf = (type: string, padding = 0) => ({
  ...{ id: newName('evt'), type, eventType: type, object: { id: 'x' }, data: { object: { id: 'x' } } },
  padding: 'x'.repeat(padding),
})

const stored = async (): Promise<number> =>
  (await kinora.app.sql<[{ n: number }]>`select count(*)::int as n from kinora.payment_event`)[0].n

/** Deeds at a processor in order, and what is left. `ends`: statuses that the record may have then. */
const lives: {
  name: string
  product: string
  choice?: Record<string, string>
  acts: string[]
  moves: string[]
  ends: string[]
  isEnding?: boolean
}[] = [
  { name: 'pack', product: 'pack-starter', acts: [], moves: ['ORDER_PAY 280'], ends: [] },
  { name: 'free pack', product: 'pack-starter', choice: { free: 'on' }, acts: [], moves: ['ORDER_PAY 280'], ends: [] },
  {
    name: 'pack, refunded',
    product: 'pack-starter',
    acts: ['refund'],
    moves: ['ORDER_PAY 280', 'ORDER_PAY -280'],
    ends: [],
  },
  {
    name: 'pack, a half refunded',
    product: 'pack-starter',
    acts: ['refund-half'],
    moves: ['ORDER_PAY 280', 'ORDER_PAY -140'],
    ends: [],
  },
  {
    name: 'pack, refunded in two halves',
    product: 'pack-starter',
    acts: ['refund-half', 'refund-half'],
    moves: ['ORDER_PAY 280', 'ORDER_PAY -140', 'ORDER_PAY -140'],
    ends: [],
  },
  {
    name: 'pack, refunded, and the refund comes back',
    product: 'pack-starter',
    acts: ['refund', 'refund-fails'],
    moves: ['ORDER_PAY 280', 'ORDER_PAY -280', 'ORDER_PAY 280'],
    ends: [],
  },
  {
    name: 'pack, disputed',
    product: 'pack-starter',
    acts: ['dispute'],
    moves: ['ORDER_PAY 280', 'ORDER_PAY -280'],
    ends: [],
  },
  { name: 'plan', product: 'pro-monthly', acts: [], moves: ['SUBSCRIPTION 960'], ends: ['active'] },
  {
    name: 'yearly plan',
    product: 'basic-yearly',
    acts: [],
    moves: ['SUBSCRIPTION 3360'],
    ends: ['active'],
  },
  {
    name: 'plan, renewed',
    product: 'pro-monthly',
    acts: ['next-period'],
    moves: ['SUBSCRIPTION 960', 'SUBSCRIPTION 960'],
    ends: ['active'],
  },
  {
    name: 'plan whose renewal fails',
    product: 'pro-monthly',
    acts: ['next-period-fails'],
    moves: ['SUBSCRIPTION 960'],
    ends: ['past_due'],
  },
  {
    name: 'plan whose renewal fails and is paid',
    product: 'pro-monthly',
    acts: ['next-period-fails', 'pay-open'],
    moves: ['SUBSCRIPTION 960', 'SUBSCRIPTION 960'],
    ends: ['active'],
  },
  {
    name: 'plan to end with its period',
    product: 'pro-monthly',
    acts: ['cancel-at-period-end'],
    moves: ['SUBSCRIPTION 960'],
    ends: ['active'],
    isEnding: true,
  },
  {
    name: 'plan to end with its period, resumed',
    product: 'pro-monthly',
    acts: ['cancel-at-period-end', 'resume'],
    moves: ['SUBSCRIPTION 960'],
    ends: ['active'],
  },
  {
    name: 'plan that has ended with its period',
    product: 'pro-monthly',
    acts: ['cancel-at-period-end', 'period-ends'],
    moves: ['SUBSCRIPTION 960'],
    ends: ['cancelled', 'expired'],
  },
  {
    name: 'plan, cancelled',
    product: 'pro-monthly',
    acts: ['cancel-now'],
    moves: ['SUBSCRIPTION 960'],
    ends: ['cancelled'],
  },
]

for (const processor of processorNames) {
  for (const { name, product, choice, acts, moves, ends, isEnding = false } of lives) {
    test(`${processor}: ${name} → ${moves.join(', ')}; the same twice, in reverse, and by its account`, async () => {
      const ann = await kinora.person({ credits: 0 })
      await buy(ann, processor, product, choice)
      for (const each of acts) await act(ann, processor, each, ends.length > 0 ? 'first period' : 'purchase')
      await deliverLate(ann, processor)
      assert.deepEqual(await movesOf(kinora, ann), moves)
      const record = await recordOf(kinora, ann)
      assert.equal(record !== null, ends.length > 0)
      if (record) {
        assert.ok(ends.includes(record.status), record.status)
        assert.deepEqual([record.processor, record.plan, record.cancelAtPeriodEnd], [processor, product, isEnding])
      }
      const events = (await customersOf(ann, processor)).flatMap((customer) => customer.events)
      for (const { body } of events.toReversed()) assert.equal((await deliver(kinora, processor, body)).status, 200)
      assert.deepEqual(await movesOf(kinora, ann), moves)
      assert.deepEqual(await recordOf(kinora, ann), record)
      // Reconciliation may find a total that is known.
      await foundAt(processor)
      assert.deepEqual(await movesOf(kinora, ann), moves)
      assert.deepEqual(await recordOf(kinora, ann), record)
    })
  }

  test(`${processor}: portal and second checkout → of the customer who has paid`, async () => {
    const ann = await kinora.person({ credits: 0 })
    const portal = () => kinora.call<{ url: string }>('POST', '/api/v1/billing/portal', { as: ann })
    assert.equal((await portal()).status, 409)
    await buy(ann, processor, 'pro-monthly')
    await deliverLate(ann, processor)
    const [customer] = await customersOf(ann, processor)
    assert.equal((await portal()).data.url.endsWith(new URL(customer?.portalUrl ?? '').pathname), true)
    await buy(ann, processor, 'pack-starter')
    assert.equal((await customersOf(ann, processor)).length, 1)
  })

  test(`${processor}: 401: signature missing, wrong, by another secret, or over other bytes → nothing stored`, async () => {
    const [{ buyer, body }, another] = [await purchase(processor), await purchase(processor)]
    const [[name = '', good = ''] = []] = Object.entries(signed(processor, body))
    const other = signed(processor, another.body)[name] ?? ''
    const refused: [title: string, body: string, signature: string | null][] = [
      ['missing', body, null],
      ['empty', body, ''],
      ['no hex', body, 'x'.repeat(64)],
      ['as many letters, more bytes', body, 'é'.repeat(good.length)],
      ['of another body', body, other],
      ['one space more', `${body} `, good],
      ['upper case', body, good.replace(/[a-f]/g, (letter) => letter.toUpperCase())],
      ['cut short', body, good.slice(0, -1)],
      ['of no bytes', '', good],
      ['of another secret', body, signed(processor, body, Date.now(), 'another secret')[name] ?? ''],
      ...processorNames
        .filter((each) => each !== processor)
        .map((each): (typeof refused)[number] => [
          `of the secret of ${each}`,
          body,
          signed(processor, body, Date.now(), secrets[each])[name] ?? '',
        ]),
    ]
    const before = await stored()
    for (const [title, sent, signature] of refused) {
      const answer = await post(processor, sent, signature === null ? {} : { [name]: signature })
      const { success, data, error } = (await answer.json()) as {
        success: boolean
        data: object
        error: { code: string }
      }
      assert.equal(answer.status, 401, title)
      assert.deepEqual([success, data, error.code], [false, {}, 'UNAUTHENTICATED'], title)
    }
    await kinora.withSettings({ payments: { ...kinora.app.config.payments, [processor]: null } }, async (url) => {
      assert.equal((await post(processor, body, { [name]: good }, url)).status, 401, 'not set up')
    })
    assert.equal(await stored(), before)
    assert.equal((await kinora.balance(buyer)).available, 0)
    await kinora.withSettings({ payments: changed(processor, { webhookSecret: 'the secret after' }) }, async (url) => {
      assert.equal((await post(processor, body, { [name]: good }, url)).status, 401, 'of the secret before')
      const renewed = signed(processor, body, Date.now(), 'the secret after')
      assert.equal((await post(processor, body, renewed, url)).status, 200)
    })
    assert.equal((await kinora.balance(buyer)).available, 280)
  })

  test(`${processor}: 200: unusual JSON formatting or content type → signature over the raw bytes is accepted`, async () => {
    const { buyer, body } = await purchase(processor)
    const sent = JSON.stringify({ ...JSON.parse(body), note: 'Zoë – 映画 🎬' }, null, 2).replace('映', '\\u6620')
    for (const type of ['application/json; charset=utf-8', 'text/plain', 'application/octet-stream', '', 'json']) {
      const answer = await post(processor, sent, { ...signed(processor, sent), 'content-type': type })
      assert.equal(answer.status, 200, type)
    }
    // The request has no Content-Type, which fetch would add.
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const options = { method: 'POST', headers: signed(processor, sent) }
      const raw = request(kinora.url + webhooks[processor], options)
      raw.once('response', (answer) => resolve(answer.resume().statusCode)).once('error', reject)
      raw.end(sent)
    })
    assert.equal(status, 200)
    assert.deepEqual(await movesOf(kinora, buyer), ['ORDER_PAY 280'])
  })

  test(`${processor}: 400: valid signature, body is not an event → processor retries`, async () => {
    const before = await stored()
    const long = `{"id":"${'e'.repeat(4000)}","type":"x","eventType":"x","object":{},"data":{"object":{}}}`
    const bodies = [
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '{}',
      '{"id":"evt_1"}',
      '{"id":"","type":"x","eventType":"x"}',
      long,
    ]
    for (const body of bodies) {
      const { status, text } = await deliver(kinora, processor, body)
      assert.deepEqual([status, JSON.parse(text).error.code], [400, 'INVALID_REQUEST'], body.slice(0, 60))
    }
    assert.equal(await stored(), before)
  })

  test(`${processor}: 200, 413, 503: unknown type; body over 1 MiB; database unavailable → ignored, refused, retried`, async () => {
    for (const type of ['customer.created', 'constructor', 'subscription.constructor', '__proto__', 'subscription.']) {
      const event = eventOf(type)
      assert.equal((await deliver(kinora, processor, event)).status, 200, type)
      assert.equal(await stateOf(kinora, event), 'ignored', type)
    }
    assert.equal((await deliver(kinora, processor, eventOf('x', 2 ** 20 - 400))).status, 200)
    assert.equal((await deliver(kinora, processor, eventOf('x', 2 ** 20))).status, 413)
    await withUnreachableDatabase(kinora, async (url) => {
      const answer = await deliver(kinora, processor, eventOf('x'), url)
      assert.deepEqual([answer.status, JSON.parse(answer.text).error.code], [503, 'UNAVAILABLE'])
    })
  })

  test(`${processor}: test event at a key of live mode → ignored with a reason; at a key whose mode does not show → applied`, async () => {
    const { buyer, body } = await purchase(processor)
    await kinora.withSettings({ payments: changed(processor, { apiKey: liveKeys[processor] }) }, async (url) => {
      assert.equal((await deliver(kinora, processor, body, url)).status, 200)
    })
    const stored = await storedAs(kinora, JSON.parse(body))
    assert.equal(stored?.state, 'ignored')
    assert.match(String(stored?.reason), /is an event of test mode, and the API key is of live mode/)
    assert.equal((await deliver(kinora, processor, body)).status, 200)
    assert.deepEqual(await movesOf(kinora, buyer), ['ORDER_PAY 280'])
  })
}
