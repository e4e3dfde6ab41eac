// slow
/** Concurrent events in two processes, and connections lost between any two statements. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cut } from '../support/database-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { openKinora } from '../support/harness.ts'
import {
  deliver,
  deliverAll,
  movesOf,
  type Processor,
  paymentEnv,
  stateOf,
} from '../support/payment/payment-delivery.ts'
import {
  chargeB,
  checkoutA,
  DAY_MS,
  type Event,
  eventA,
  eventB,
  invoiceB,
  newName,
  sessionB,
  startOfToday,
  subscriptionA,
} from '../support/payment/payment-events.ts'
import { startProcess } from '../support/processes.ts'
import { withProxies } from '../support/proxied-service.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ env: paymentEnv })
const start = startOfToday()
const end = start + 31 * DAY_MS
const pro = { price: 'price_pro_monthly', start, end, amount: 2990 }

/** A second API process. */
async function withOther(work: (urls: [own: string, other: string]) => Promise<void>): Promise<void> {
  const port = await freePort()
  const other = await startProcess(kinora, 'api', { ...paymentEnv, PORT: String(port) })
  try {
    await work([kinora.url, `http://127.0.0.1:${port}`])
  } finally {
    await other.stop()
  }
}

/** Delivers all concurrently, alternating between the processes. */
async function atOnce(urls: string[], processor: Processor, events: Event[]): Promise<void> {
  const answers = await Promise.all(events.map((event, i) => deliver(kinora, processor, event, urls[i % urls.length])))
  assert.deepEqual(
    answers.map(({ status, text }) => (status === 200 ? 200 : text)),
    events.map(() => 200),
  )
}

test('200: same event in two processes concurrently → one grant', async () => {
  await withOther(async (urls) => {
    for (let round = 0; round < 50; round += 1) {
      const ann = await kinora.person({ credits: 0 })
      const event = eventB('checkout.session.completed', sessionB(ann.userId))
      await atOnce(urls, 'payment-b', [event, event])
      assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960'], 'the same event')
    }
    for (let round = 0; round < 5; round += 1) {
      const ann = await kinora.person({ credits: 0 })
      const session = sessionB(ann.userId)
      const ten = Array.from({ length: 10 }, () => eventB('checkout.session.completed', session))
      await atOnce(urls, 'payment-b', ten)
      assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 960'], 'ten events of one payment')

      const bob = await kinora.person({ credits: 0 })
      const id = newName('sub')
      const types = ['created', 'active', 'paid', 'updated', 'update']
      const period = [...types, ...types].map((type) =>
        eventA(`subscription.${type}`, subscriptionA(id, bob.userId, { start, end })),
      )
      await atOnce(urls, 'payment-a', period)
      assert.deepEqual(await movesOf(kinora, bob), ['SUBSCRIPTION 960'], 'ten events of one period')
    }
    for (let round = 0; round < 20; round += 1) {
      const people = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
      const session = sessionB(null)
      const events = people.map(({ userId }) =>
        eventB('checkout.session.completed', { ...session, client_reference_id: userId }),
      )
      await atOnce(urls, 'payment-b', events)
      const moves = await Promise.all(people.map((person) => movesOf(kinora, person)))
      assert.deepEqual(moves.flat(), ['ORDER_PAY 960'], 'one payment whose events name two users')
    }
  })
})

test('200: event without a user and event that links it, concurrently → both applied', async () => {
  await withOther(async (urls) => {
    for (let round = 0; round < 50; round += 1) {
      const ann = await kinora.person({ credits: 0 })
      const subscription = newName('sub')
      const invoice = eventB('invoice.payment_succeeded', invoiceB('new', null, { subscription, lines: [pro] }))
      const session = eventB('checkout.session.completed', sessionB(ann.userId, { mode: 'subscription', subscription }))
      await atOnce(urls, 'payment-b', round % 2 ? [invoice, session] : [session, invoice])
      assert.equal(await stateOf(kinora, invoice), 'applied', `round ${round}`)
      assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'])
    }
  })
})

test('200: race: waiting events are read just before the other commits → both applied', async () => {
  const ann = await kinora.person({ credits: 0 })
  const subscription = newName('sub')
  const invoice = eventB('invoice.payment_succeeded', invoiceB('new', null, { subscription, lines: [pro] }))
  const session = eventB('checkout.session.completed', sessionB(ann.userId, { mode: 'subscription', subscription }))
  // The invoice's transaction is paused between the lookup of its user and the insert.
  await kinora.app.sql.unsafe(`
    create function waits() returns trigger language plpgsql set lock_timeout = 0
    as 'begin perform pg_advisory_xact_lock_shared(1); return new; end';
    create trigger waits before update on kinora.payment_event for each row
    when (new.external_id = '${invoice.id}' and new.state = 'unmatched') execute function waits();
  `)
  const holder = await kinora.app.sql.reserve()
  await holder`select pg_advisory_lock(1)`
  const delivering = deliver(kinora, 'payment-b', invoice)
  await waitFor('the invoice to wait', async () => {
    const waiting = await kinora.app.sql`
      select from pg_locks
      where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())
    `
    return waiting.length > 0
  })
  await deliverAll(kinora, 'payment-b', session)
  assert.deepEqual(await movesOf(kinora, ann), [])
  await holder`select pg_advisory_unlock(1)`
  holder.release()
  assert.equal((await delivering).status, 200)
  assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'])
  await kinora.app.sql`drop trigger waits on kinora.payment_event`
})

test('200: refund during generate requests → claws back the remainder, ledger consistent', async () => {
  for (let round = 0; round < 5; round += 1) {
    const ann = await kinora.person({ credits: 0 })
    const session = sessionB(ann.userId)
    await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', session))
    const refund = eventB('charge.refunded', chargeB(String(session.payment_intent), 3990, 3990))
    const [videos] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => kinora.generate(ann))),
      deliverAll(kinora, 'payment-b', refund, refund),
    ])
    const frozen = 16 * videos.filter(({ status }) => status === 200).length
    const balance = await kinora.balance(ann)
    assert.deepEqual([balance.available, balance.frozen, balance.total], [0, frozen, 960])
    assert.ok((await movesOf(kinora, ann)).includes(`ORDER_PAY ${frozen - 960}`) || frozen === 960)
  }
})

test('503: connection lost before or after the statement → redelivered event is applied once', async () => {
  let seen: string[] = []
  let cuts: Cut[] = []
  await withProxies(kinora, { databaseConnections: 1 }, async (url, proxy) => {
    proxy.onStatement = (text) => {
      // A process with a distributed database first asks whose event it is, to choose the shard; every one reads what
      // ids were first paid at.
      if (!/kinora(_shard_\d+)?\.payment/.test(text) || /payment_find_user\(|from kinora\.payment_price/.test(text))
        return null
      seen.push(text)
      return cuts.shift() ?? null
    }
    const receive = /^select kinora(_shard_\d+)?\.payment_receive\(/
    const look = /^select id, body\s+from kinora\.payment_find_unmatched\(/
    const assertSeen = (title: string, ...expected: RegExp[]) => {
      assert.equal(seen.length, expected.length, `${title}: ${seen.join(' ; ')}`)
      for (const [i, pattern] of expected.entries()) assert.match(seen[i] ?? '', pattern, title)
      seen = []
    }
    const statusOf = async (processor: Processor, event: Event) => (await deliver(kinora, processor, event, url)).status

    for (const processor of ['payment-a', 'payment-b'] as const) {
      const purchase = (userId: string) =>
        processor === 'payment-a'
          ? eventA('checkout.completed', checkoutA(userId))
          : eventB('checkout.session.completed', sessionB(userId))
      const credits = processor === 'payment-a' ? 280 : 960
      for (const cut of [null, 'before', 'after'] as const) {
        const ann = await kinora.person({ credits: 0 })
        const event = purchase(ann.userId)
        seen = []
        cuts = [cut]
        const status = await statusOf(processor, event)
        assert.equal(status, cut ? 503 : 200)
        assertSeen(`${processor}, cut ${cut}`, receive, ...(cut ? [] : [look]))
        const expected = cut === 'before' ? [undefined, []] : ['applied', [`ORDER_PAY ${credits}`]]
        assert.deepEqual([await stateOf(kinora, event), await movesOf(kinora, ann)], expected, `cut ${cut}`)
        assert.equal(await statusOf(processor, event), 200)
        assert.deepEqual(
          [await stateOf(kinora, event), await movesOf(kinora, ann)],
          ['applied', [`ORDER_PAY ${credits}`]],
        )
      }
    }

    // Waiting events are applied by a second and third statement; the process may die before either.
    for (const diesAt of [
      [null, 'before'],
      [null, 'after'],
      [null, null, 'before'],
      [null, null, 'after'],
    ] as Cut[][]) {
      const ann = await kinora.person({ credits: 0 })
      const subscription = newName('sub')
      const invoice = eventB('invoice.payment_succeeded', invoiceB('old', null, { subscription, lines: [pro] }))
      const session = eventB('checkout.session.completed', sessionB(ann.userId, { mode: 'subscription', subscription }))
      assert.equal(await statusOf('payment-b', invoice), 200)
      assert.equal(await stateOf(kinora, invoice), 'unmatched')
      seen = []
      cuts = [...diesAt]
      assert.equal(await statusOf('payment-b', session), 503)
      assertSeen(diesAt.join(), ...[receive, look, receive].slice(0, diesAt.length))
      assert.equal(await statusOf('payment-b', session), 200)
      assert.equal(await stateOf(kinora, invoice), 'applied')
      assert.deepEqual(await movesOf(kinora, ann), ['SUBSCRIPTION 960'])
    }
  })
})
