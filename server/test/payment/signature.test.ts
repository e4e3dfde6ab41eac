/** Webhooks of payment-b alone: the time in its signature, several signatures of one event, and thin notifications. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import Stripe from 'stripe'
import { openKinora } from '../support/harness.ts'
import { deliver, hmac, paymentEnv, secrets, signed, webhooks } from '../support/payment/payment-delivery.ts'
import { eventB, newName, sessionB } from '../support/payment/payment-events.ts'

const kinora = await openKinora({ env: paymentEnv })
const buyer = await kinora.person({ credits: 0 })
const secret = secrets['payment-b']

/** A purchase that is granted if its signature is accepted. */
const purchase = (): string => JSON.stringify(eventB('checkout.session.completed', sessionB(buyer.userId)))

const post = (body: string, headers: Record<string, string>) =>
  fetch(kinora.url + webhooks['payment-b'], {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })

const stored = async (): Promise<number> =>
  (await kinora.app.sql<[{ n: number }]>`select count(*)::int as n from kinora.payment_event`)[0].n

async function assertRefused(title: string, body: string, headers: Record<string, string>) {
  const before = await stored()
  assert.equal((await post(body, headers)).status, 401, title)
  assert.equal(await stored(), before, `${title}: nothing is stored`)
}

test('401: payment-b signature without a time, of two, or of another scheme → nothing stored', async () => {
  const t = Math.floor(Date.now() / 1000)
  const body = purchase()
  const v1 = hmac(secret, `${t}.${body}`)
  for (const [title, header] of Object.entries({
    'of another secret': `t=${t},v1=${hmac('another', `${t}.${body}`)}`,
    'of another time': `t=${t - 1},v1=${v1}`,
    'of no time': `v1=${v1}`,
    'of no scheme': `t=${t},${v1}`,
    'of another scheme': `t=${t},v0=${v1}`,
    'without the time in it': `t=${t},v1=${hmac(secret, body)}`,
    'of no bytes': `t=${t},v1=`,
    'of no bytes and no time': 't=,v1=',
    'of a time that is no number': `t=soon,v1=${hmac(secret, `NaN.${body}`)}`,
    'of two times': `t=${t + 9999},t=${t},v1=${v1}`,
  })) {
    await assertRefused(title, body, { 'stripe-signature': header })
  }
  assert.equal((await kinora.balance(buyer)).available, 0)
})

test('401: payment-b signature 301 s old, or over 300 s ahead; a few seconds less → 200', async () => {
  const body = purchase()
  await assertRefused('stale', body, signed('payment-b', body, Date.now() - 301_000))
  await assertRefused('ahead', body, signed('payment-b', body, Date.now() + 310_000))
  await assertRefused('years ahead', body, signed('payment-b', body, Date.now() + 1e11))
  const ahead = purchase()
  assert.equal((await post(ahead, signed('payment-b', ahead, Date.now() + 290_000))).status, 200)
  assert.equal((await post(body, signed('payment-b', body, Date.now() - 295_000))).status, 200)
})

test('200: signature of the official package, or one valid signature of several → accepted', async () => {
  const { webhooks: official } = new Stripe('key')
  const body = purchase()
  const header = official.generateTestHeaderString({ payload: body, secret })
  assert.equal((await post(body, { 'stripe-signature': header })).status, 200)

  const another = purchase()
  const t = Math.floor(Date.now() / 1000)
  const wrong = hmac('the secret before', `${t}.${another}`)
  const right = hmac(secret, `${t}.${another}`)
  const rotated = { 'stripe-signature': `t=${t},v1=${wrong},v1=${right},v0=${wrong}` }
  assert.equal((await post(another, rotated)).status, 200)
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
