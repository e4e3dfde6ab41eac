/** Webhook authentication: an HMAC over the raw body with the shared secret, for payment-b with a recent timestamp. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { test } from 'node:test'
import Stripe from 'stripe'
import { withUnreachableDatabase } from '../support/database-outage.ts'
import { openKinora } from '../support/harness.ts'
import {
  deliver,
  hmac,
  type Processor,
  paymentEnv,
  secrets,
  signed,
  stateOf,
  webhooks,
} from '../support/payment/payment-delivery.ts'
import { checkoutA, eventA, eventB, newName, sessionB } from '../support/payment/payment-events.ts'

const kinora = await openKinora({ env: paymentEnv })
const processors: Processor[] = ['payment-a', 'payment-b']
const buyer = await kinora.person({ credits: 0 })

/** A purchase that is granted if its signature is accepted. */
const purchase = (processor: Processor): string =>
  JSON.stringify(
    processor === 'payment-a'
      ? eventA('checkout.completed', checkoutA(buyer.userId))
      : eventB('checkout.session.completed', sessionB(buyer.userId)),
  )

const post = (processor: Processor, body: string | Buffer, headers: Record<string, string>, url = kinora.url) =>
  fetch(url + webhooks[processor], {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body)),
    headers: { 'content-type': 'application/json', ...headers },
  })

const stored = async (): Promise<number> =>
  (await kinora.app.sql<[{ n: number }]>`select count(*)::int as n from kinora.payment_event`)[0].n

async function assertRefused(title: string, processor: Processor, body: string, headers: Record<string, string>) {
  const before = await stored()
  const answer = await post(processor, body, headers)
  const { success, data, error } = (await answer.json()) as { success: boolean; data: object; error: { code: string } }
  assert.equal(answer.status, 401, `${processor}, ${title}`)
  assert.deepEqual([success, data, error.code], [false, {}, 'UNAUTHENTICATED'], title)
  assert.equal(await stored(), before, `${processor}, ${title}: nothing is stored`)
}

test('401: signature missing, wrong, by another secret, or over other bytes → nothing stored', async () => {
  for (const processor of processors) {
    const body = purchase(processor)
    const [[name = '', good = ''] = []] = Object.entries(signed(processor, body))
    const other = signed(processor, purchase(processor))
    await assertRefused('missing', processor, body, {})
    await assertRefused('empty', processor, body, { [name]: '' })
    await assertRefused('no hex', processor, body, { [name]: 'x'.repeat(64) })
    await assertRefused('as many letters, more bytes', processor, body, { [name]: 'é'.repeat(good.length) })
    await assertRefused('of another body', processor, body, other)
    await assertRefused('one space more', processor, `${body} `, { [name]: good })
    await assertRefused('upper case', processor, body, {
      [name]: good.replace(/[a-f]/g, (letter) => letter.toUpperCase()),
    })
    await assertRefused('cut short', processor, body, { [name]: good.slice(0, -1) })
    await assertRefused('of no bytes', processor, '', { [name]: good })
  }
  await assertRefused('of another secret', 'payment-a', '{}', { 'creem-signature': hmac('another secret', '{}') })
  await assertRefused("of payment-b's secret", 'payment-a', '{}', {
    'creem-signature': hmac(secrets['payment-b'], '{}'),
  })
  const t = Math.floor(Date.now() / 1000)
  const body = purchase('payment-b')
  const v1 = hmac(secrets['payment-b'], `${t}.${body}`)
  for (const [title, header] of Object.entries({
    'of another secret': `t=${t},v1=${hmac('another', `${t}.${body}`)}`,
    'of another time': `t=${t - 1},v1=${v1}`,
    'of no time': `v1=${v1}`,
    'of no scheme': `t=${t},${v1}`,
    'of another scheme': `t=${t},v0=${v1}`,
    'without the time in it': `t=${t},v1=${hmac(secrets['payment-b'], body)}`,
    'of no bytes': `t=${t},v1=`,
    'of no bytes and no time': 't=,v1=',
    'of a time that is no number': `t=soon,v1=${hmac(secrets['payment-b'], `NaN.${body}`)}`,
    'of two times': `t=${t + 9999},t=${t},v1=${v1}`,
  })) {
    await assertRefused(title, 'payment-b', body, { 'stripe-signature': header })
  }
  assert.equal((await kinora.balance(buyer)).available, 0)
})

test('401: payment-b signature 301 s old, or over 300 s ahead; a few seconds less → 200', async () => {
  const body = purchase('payment-b')
  await assertRefused('stale', 'payment-b', body, signed('payment-b', body, Date.now() - 301_000))
  await assertRefused('ahead', 'payment-b', body, signed('payment-b', body, Date.now() + 310_000))
  await assertRefused('years ahead', 'payment-b', body, signed('payment-b', body, Date.now() + 1e11))
  const ahead = purchase('payment-b')
  assert.equal((await post('payment-b', ahead, signed('payment-b', ahead, Date.now() + 290_000))).status, 200)
  assert.equal((await post('payment-b', body, signed('payment-b', body, Date.now() - 295_000))).status, 200)
})

test('200: signature of the official package, or one valid signature of several → accepted', async () => {
  const { webhooks: official } = new Stripe('key')
  const body = purchase('payment-b')
  const header = official.generateTestHeaderString({ payload: body, secret: secrets['payment-b'] })
  assert.equal((await post('payment-b', body, { 'stripe-signature': header })).status, 200)

  const another = purchase('payment-b')
  const t = Math.floor(Date.now() / 1000)
  const wrong = hmac('the secret before', `${t}.${another}`)
  const right = hmac(secrets['payment-b'], `${t}.${another}`)
  const rotated = { 'stripe-signature': `t=${t},v1=${wrong},v1=${right},v0=${wrong}` }
  assert.equal((await post('payment-b', another, rotated)).status, 200)
})

test('200: unusual JSON formatting or content type → signature over the raw bytes is accepted', async () => {
  const person = await kinora.person({ credits: 0 })
  const event = eventA('checkout.completed', checkoutA(person.userId, { note: 'Zoë – 映画 🎬' }))
  const body = JSON.stringify(event, null, 2).replace('映', '\\u6620')
  const bodyB = purchase('payment-b')
  for (const type of ['application/json; charset=utf-8', 'text/plain', 'application/octet-stream', '', 'json']) {
    for (const [processor, sent] of [
      ['payment-a', body],
      ['payment-b', bodyB],
    ] as const) {
      const answer = await post(processor, sent, { ...signed(processor, sent), 'content-type': type })
      assert.equal(answer.status, 200, `${processor} ${type}`)
    }
  }
  // The request has no Content-Type, which fetch would add.
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(kinora.url + webhooks['payment-a'], { method: 'POST', headers: signed('payment-a', body) })
    sent.once('response', (answer) => resolve(answer.resume().statusCode)).once('error', reject)
    sent.end(body)
  })
  assert.equal(status, 200)
  assert.equal((await kinora.balance(person)).available, 280)
})

test('400: valid signature, body is not an event → processor retries', async () => {
  for (const processor of processors) {
    const before = await stored()
    const bodies = ['', '{', 'null', '[]', '"text"', '{}', '{"id":"evt_1"}', '{"id":"","type":"x","eventType":"x"}']
    for (const body of [
      ...bodies,
      `{"id":"${'e'.repeat(4000)}","type":"x","eventType":"x","object":{},"data":{"object":{}}}`,
    ]) {
      const answer = await deliver(kinora, processor, body)
      assert.equal(answer.status, 400, `${processor} ${body.slice(0, 60)}: ${answer.text}`)
      assert.equal(JSON.parse(answer.text).error.code, 'INVALID_REQUEST')
    }
    assert.equal(await stored(), before)
  }
})

test('400: payment-b thin notification → names the setting to change, as the set-up steps do', async () => {
  const before = await stored()
  const { status, text } = await deliver(kinora, 'payment-b', {
    id: newName('evt'),
    object: 'v2.core.event',
    type: 'v1.invoice.paid',
    created: new Date().toISOString(),
    livemode: true,
    related_object: { id: 'in_1', type: 'invoice', url: '/v1/invoices/in_1' },
  })
  const { code, message } = JSON.parse(text).error
  assert.deepEqual([status, code], [400, 'INVALID_REQUEST'])
  assert.match(
    message,
    /^This is a thin notification, .*: set the payload style of the event destination .* to "snapshot"\.$/,
  )
  assert.equal(await stored(), before)
  const steps = readFileSync(new URL('../../src/payment/README.md', import.meta.url), 'utf8').split(
    'behind payment-b',
  )[1]
  assert.match(String(steps), /event destination.*payload style \*snapshot\*/s)
})

test('200: unknown event type, also "constructor" → stored and ignored', async () => {
  for (const type of ['customer.created', 'constructor', 'subscription.constructor', '__proto__', 'subscription.']) {
    const events = { 'payment-a': eventA(type, { id: 'x' }), 'payment-b': eventB(type, { id: 'x' }) }
    for (const processor of processors) {
      assert.equal((await deliver(kinora, processor, events[processor])).status, 200, type)
      assert.equal(await stateOf(kinora, events[processor]), 'ignored', type)
    }
  }
})

test('413: body over 1 MiB; just below → accepted', async () => {
  for (const processor of processors) {
    const event = (size: number) => {
      const id = newName('evt')
      return JSON.stringify({
        id,
        eventType: 'x',
        type: 'x',
        object: {},
        data: { object: {} },
        padding: 'x'.repeat(size),
      })
    }
    assert.equal((await deliver(kinora, processor, event(2 ** 20 - 200))).status, 200)
    assert.equal((await deliver(kinora, processor, event(2 ** 20))).status, 413)
  }
})

test('401: processor not configured → every event is rejected', async () => {
  await kinora.withSettings({ payments: { 'payment-a': null, 'payment-b': null } }, async (url) => {
    for (const processor of processors) {
      const body = purchase(processor)
      assert.equal((await post(processor, body, signed(processor, body), url)).status, 401)
      assert.equal((await post(processor, body, {}, url)).status, 401)
    }
  })
})

test('503: database unavailable → processor retries', async () => {
  await withUnreachableDatabase(kinora, async (url) => {
    for (const processor of processors) {
      const body = purchase(processor)
      const answer = await post(processor, body, signed(processor, body), url)
      assert.equal(answer.status, 503)
      assert.ok(Number(answer.headers.get('retry-after')) > 0)
    }
  })
})
