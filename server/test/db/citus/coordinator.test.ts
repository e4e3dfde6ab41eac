/**
 * What only the coordinator of a distributed database knows of all shards: the payments that the books are compared
 * with, and which keys an administrator's requests have used. On a Citus cluster of its own; skipped where PostgreSQL
 * has no Citus (docs/distributed.md).
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { type Difference, verify, verifyInRanges } from '../../../src/credit/verify.ts'
import { readPlacement } from '../../../src/db/citus/placement.ts'
import type { Sql } from '../../../src/db/db.ts'
import { sweepOldRows } from '../../../src/worker/retention.ts'
import { findCitus, type Server } from '../../support/citus/cluster.ts'
import { coordinatorOf } from '../../support/citus/database.ts'
import { openOnCluster, peopleOf } from '../../support/citus/load.ts'
import type { Kinora, Person } from '../../support/harness.ts'
import { BOB, OTHER, writeEdgeFixture } from '../../support/ledger/ledger-edge-fixture.ts'
import { deliver } from '../../support/payment/payment-delivery.ts'
import { checkoutA, eventA, newName } from '../../support/payment/payment-events.ts'
import { runCommand } from '../../support/processes.ts'
import { waitFor } from '../../support/video-row.ts'

const binDir = findCitus()
const skip = binDir === null && 'no PostgreSQL of this machine has Citus'
const cluster = binDir === null ? null : await openOnCluster(binDir)
const opened = () => cluster ?? assert.fail()
if (cluster) await writeEdgeFixture(cluster.kinora.app.sql)
const DAY_MS = 86_400_000
/** More than a user of these tests has. */
const TOO_MANY = 1_000_000

/**
 * Corruptions of the edges' fixture (ledger-edge-fixture.ts), each with its repair, in the tables that the rules of
 * payments compare: on a distributed database they are in two places. Each with the rules that verify() must report,
 * and no others.
 */
type PaymentCorruption = {
  name: string
  /** Keys of the coordinator's tables. */
  coordinator?: [change: string, repair: string]
  /** Keys of the shard's tables. */
  shard?: [change: (sql: Sql) => PromiseLike<unknown>, repair: (sql: Sql) => PromiseLike<unknown>]
  rules: string[]
}

const paymentCorruptions: PaymentCorruption[] = [
  {
    name: 'payment: more granted than its packages bring',
    coordinator: [
      `update kinora.payment set granted = granted + 1 where source = 'payment-a:tran_1'`,
      `update kinora.payment set granted = granted - 1 where source = 'payment-a:tran_1'`,
    ],
    rules: [
      'a payment is claimed back as far as it was returned',
      'the packages of a payment bring what was granted for it',
    ],
  },
  {
    name: 'payment: what was paid changed',
    coordinator: [
      `update kinora.payment set paid = paid + 1 where source = 'payment-a:tran_1'`,
      `update kinora.payment set paid = paid - 1 where source = 'payment-a:tran_1'`,
    ],
    rules: ['a payment is as its event brought it'],
  },
  {
    name: 'payment: kept whole, although a part was returned',
    coordinator: [
      `update kinora.payment set kept = 1 where source = 'payment-b:cs_1'`,
      `update kinora.payment set kept = 0.75 where source = 'payment-b:cs_1'`,
    ],
    rules: ['a payment keeps the share that was not returned'],
  },
  {
    name: 'refund claim: the one of a plan change undone',
    shard: [
      (sql) =>
        sql`update kinora.credit_refund_claim set part = part / 2 where user_id = ${BOB} and key = 'plan change'`,
      (sql) =>
        sql`update kinora.credit_refund_claim set part = part * 2 where user_id = ${BOB} and key = 'plan change'`,
    ],
    rules: ['a payment is claimed back as far as it was returned', 'refund_claimed is the sum of the refund claims'],
  },
  {
    name: 'payment event: applied without its payment',
    coordinator: [
      `update kinora.payment_event set facts = facts || '{payment-b:cs_9 0}' where external_id = 'evt_2'`,
      `update kinora.payment_event set facts = array_remove(facts, 'payment-b:cs_9 0') where external_id = 'evt_2'`,
    ],
    rules: ['an applied payment event has its effects'],
  },
  {
    name: 'payment: of fewer packages than it has',
    coordinator: [
      `update kinora.payment set packages = 1 where source = 'payment-a:tran_3'`,
      `update kinora.payment set packages = 2 where source = 'payment-a:tran_3'`,
    ],
    rules: [
      'a package was paid for, given or granted by an administrator',
      'the packages of a payment bring what was granted for it',
    ],
  },
  {
    name: 'code: redeemed for another number of credits',
    coordinator: [
      `update kinora.redemption_code set credits = credits + 1`,
      `update kinora.redemption_code set credits = credits - 1`,
    ],
    rules: ['a redeemed code has brought its credits'],
  },
  {
    name: 'code: a use that does not count',
    coordinator: [`update kinora.redemption_code set uses = 0`, `update kinora.redemption_code set uses = 1`],
    rules: ['a code counts the users who redeemed it'],
  },
  {
    name: 'payment event: other facts of a refund',
    coordinator: [
      `update kinora.payment_event set facts = array(select f || '0' from unnest(facts) f) where external_id = 'evt_2'`,
      `update kinora.payment_event set facts = array(select left(f, -1) from unnest(facts) f) where external_id = 'evt_2'`,
    ],
    rules: ['a refund or dispute is as its event brought it'],
  },
  {
    name: 'refund: stored under another key',
    coordinator: [
      `update kinora.payment_return set key = key || 'x' where key = 're_1'`,
      `update kinora.payment_return set key = 're_1' where key = 're_1x'`,
    ],
    rules: [
      'a payment is claimed back as far as it was returned',
      'a refund or dispute is as its event brought it',
      'a refund or dispute that took credits is known',
      'an applied payment event has its effects',
    ],
  },
  {
    name: 'price: of no payment',
    coordinator: [
      `insert into kinora.payment_price (processor, sold_as, user_id, cents, currency, credits, first_paid_at)
       values ('payment-a', 'prod_x', '${BOB}', 100, 'USD', 10, now())`,
      `delete from kinora.payment_price where sold_as = 'prod_x'`,
    ],
    rules: ['a price is as its event brought it'],
  },
  {
    name: 'code: open for longer than it was made for',
    coordinator: [
      `update kinora.redemption_code set expires_at = expires_at + interval '1 day'`,
      `update kinora.redemption_code set expires_at = expires_at - interval '1 day'`,
    ],
    rules: ['a code is as the audit log says'],
  },
  {
    name: 'code: ended without an actor',
    coordinator: [
      `update kinora.redemption_code set ended_at = created_at`,
      `update kinora.redemption_code set ended_at = null`,
    ],
    rules: ['a code has ended as the audit log says'],
  },
  {
    name: 'package: of an invitation that no administrator made',
    shard: [
      (sql) => sql`
        update kinora.credit_package set source = 'invitation:' || id where user_id = ${BOB} and source = 'adjust:' || id
      `,
      (sql) => sql`
        update kinora.credit_package set source = 'adjust:' || id where user_id = ${BOB} and source = 'invitation:' || id
      `,
    ],
    rules: ['a package is as the row of its addition says', 'the credits of an invitation are as the audit log says'],
  },
]

for (const { name, coordinator, shard, rules } of paymentCorruptions) {
  test(`verify: ${name} → reported by the whole check and in ranges`, { skip }, async () => {
    const { app } = opened().kinora
    const run = async (which: 0 | 1) => {
      if (coordinator) await coordinatorOf(app.database).unsafe(coordinator[which])
      await shard?.[which](app.sql)
    }
    await run(0)
    try {
      const inRanges: Difference[] = []
      await verifyInRanges(app.database, {
        rowsPerRange: 1,
        onRange: ({ differences }) => void inRanges.push(...differences),
      })
      for (const found of [await verify(app.database), inRanges]) {
        assert.deepEqual([...new Set(found.map(({ rule }) => rule))].sort(), rules)
        for (const { userId, advice } of found) assert.ok([BOB, OTHER].includes(userId) && advice !== '')
      }
    } finally {
      await run(1)
    }
  })
}

test('verify: every rule of payments → is broken by a corruption here', () => {
  const text = readFileSync(new URL('../../../sql/verify_payment.sql', import.meta.url), 'utf8')
  const rules = [...text.matchAll(/'([a-z][^':%]+ [^':%]+ [^':%]+ [^':%]+[^' ,:])'/g)].map(([, rule = '']) => rule)
  assert.equal(new Set(rules).size, 14)
  const broken = new Set(paymentCorruptions.flatMap((corruption) => corruption.rules))
  assert.deepEqual(
    rules.filter((rule) => !broken.has(rule)),
    [],
  )
})

test('kinora verify, the administrators’ check: a payment is changed by hand → the user and the rule', {
  skip,
}, async () => {
  const { kinora } = opened()
  const coordinator = coordinatorOf(kinora.app.database)
  const root = await kinora.person({ role: 'admin', credits: 0 })
  const change = (by: number) => coordinator`
    update kinora.payment set granted = granted + ${by} where source = 'payment-b:cs_1'
  `
  await change(1)
  const found = await runCommand(kinora, ['verify'])
  const recorded = await checkOf(kinora, root)
  await change(-1)
  assert.equal(found.status, 1)
  const rule = 'the packages of a payment bring what was granted for it'
  assert.match(
    found.output,
    new RegExp(`^user ${BOB}, payment payment-b:cs_1: ${rule}: expected 101 in 1, found 100 in 1$`, 'm'),
  )
  assert.ok(recorded.differences.some((difference) => difference.rule === rule))
  assert.equal((await runCommand(kinora, ['verify'])).status, 0)
  assert.deepEqual((await checkOf(kinora, root)).differences, [])
})

async function checkOf(kinora: Kinora, root: Person) {
  type Run = { id: string; state: string; differences: Difference[] }
  const path = '/api/v1/admin/ledger/check'
  const started = await kinora.call<Run>('POST', path, { as: root })
  let last: Run | null = null
  await waitFor('the check to end', async () => {
    last = (await kinora.call<{ last: Run | null }>('GET', path, { as: root })).data.last
    return last?.id === started.data.id
  })
  const run = (last ?? assert.fail()) as Run
  assert.equal(run.state, 'finished')
  return run
}

test('verify: a refund is committed on its shard and prepared on the coordinator → waits for its end, no difference', {
  skip,
}, async () => {
  const { kinora, coordinator } = opened()
  const { sql } = kinora.app
  const claim = (part: number) => sql`
    update kinora.credit_refund_claim set part = ${part} where user_id = ${BOB} and key = 're_1'
  `
  const placement = (await readPlacement(sql)) ?? assert.fail()
  const table = placement.nameOfShared.get('payment_return')
  const state = (cents: number) => `update kinora.${table} set amounts = '{"USD": ${cents}}' where key = 're_1'`
  const database = new URL(kinora.databaseUrl).pathname.slice(1)
  const session = postgres(coordinator.url(database), { max: 1, onnotice: () => {} })
  const gid = `citus_test_${randomUUID()}`
  await session.unsafe(`begin; ${state(500)}; prepare transaction '${gid}'`).simple()
  let isCommitted = false
  try {
    await claim(0.5)
    const checked = verify(kinora.app.database).then((found) => ({ found, isAfter: isCommitted }))
    await sleep(2000)
    isCommitted = true
    await session.unsafe(`commit prepared '${gid}'`)
    const { found, isAfter } = await checked
    assert.ok(isAfter)
    assert.ok(!found.some(({ rule }) => rule === 'a payment is claimed back as far as it was returned'))
  } finally {
    if (!isCommitted) await session.unsafe(`rollback prepared '${gid}'`)
    await claim(0.25)
    await session.unsafe(state(250))
    await session.end()
  }
})

test('verify: while payments and refunds are applied → no difference', { skip }, async () => {
  const { kinora, nodes } = opened()
  const people = (await Promise.all(nodes.map((node) => peopleOf(kinora, node)))).flat()
  const pay = async ({ userId }: Person) => {
    for (let n = 0; n < 10; n++) {
      const checkout = checkoutA(userId)
      for (const event of [
        eventA('checkout.completed', checkout),
        eventA('refund.created', { id: newName('ref'), order: checkout.order }),
      ])
        assert.equal((await deliver(kinora, 'payment-a', event)).status, 200)
    }
  }
  let isPaid = false
  const paid = Promise.all(people.map(pay)).finally(() => {
    isPaid = true
  })
  let checks = 0
  for (; !isPaid; checks++) assert.deepEqual(await verify(kinora.app.database), [])
  await paid
  assert.ok(checks > 1)
})

test('422: administrator’s Idempotency-Key again for a user of another node → refused, nothing changed; same user → replay', {
  skip,
}, async () => {
  const { root, ann, bob, post, available } = await administration()
  for (const [path, body] of [
    ['add', { credits: 10 }],
    ['take', { credits: 10, reason: 'by mistake' }],
  ] as const) {
    const key = randomUUID()
    const before = [await available(ann), await available(bob)]
    const send = (to: Person, change = {}) => post(root, path, { userId: to.userId, ...body, ...change }, key)
    const first = await send(ann)
    assert.equal(first.status, 200)
    for (const change of path === 'take' ? [{}, { dryRun: true }, { credits: TOO_MANY }] : [{}]) {
      const { status, error } = await send(bob, change)
      assert.deepEqual([status, error?.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
    }
    const again = await send(ann)
    assert.deepEqual([again.status, again.data], [200, first.data])
    const by = path === 'add' ? 10 : -10
    assert.deepEqual([await available(ann), await available(bob)], [(before[0] ?? 0) + by, before[1]])
  }
})

test('409, 200: key of a taking that was refused, for a user of another node → not used up', { skip }, async () => {
  const { root, ann, bob, post } = await administration()
  const key = randomUUID()
  const take = (to: Person, credits: number) =>
    post(root, 'take', { userId: to.userId, credits, reason: 'by mistake' }, key)
  assert.equal((await take(ann, TOO_MANY)).status, 409)
  assert.equal((await take(bob, 1)).status, 200)
})

test('200, 422: concurrent requests with one key about users of two nodes → exactly one is done', {
  skip,
}, async () => {
  const { root, ann, bob, post, available } = await administration()
  for (const [path, body, by] of [
    ['add', { credits: 7 }, 7],
    ['take', { credits: 7, reason: 'by mistake' }, -7],
  ] as const) {
    for (let round = 0; round < 8; round++) {
      const key = randomUUID()
      const before = (await available(ann)) + (await available(bob))
      const people = round % 2 ? [ann, bob] : [bob, ann]
      const responses = await Promise.all(people.map(({ userId }) => post(root, path, { userId, ...body }, key)))
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 422])
      assert.equal((await available(ann)) + (await available(bob)), before + by)
    }
  }
})

test('retention: an administrator’s key after a month → gone, and may be used for another user', {
  skip,
}, async () => {
  const { kinora } = opened()
  const { root, ann, bob, post } = await administration()
  const key = randomUUID()
  assert.equal((await post(root, 'add', { userId: ann.userId, credits: 1 }, key)).status, 200)
  const removed = async () => (await sweepOldRows(kinora.app)).get('administratorKeys') ?? 0
  assert.equal(await removed(), 0)
  kinora.turnClock(31 * DAY_MS)
  assert.ok((await removed()) > 0)
  kinora.turnClock(-31 * DAY_MS)
  assert.equal((await post(root, 'add', { userId: bob.userId, credits: 1 }, key)).status, 200)
})

/** An administrator, and a user of each node. */
async function administration() {
  const { kinora, nodes } = opened()
  const root = await kinora.person({ role: 'admin', credits: 0 })
  const [ann, bob] = await Promise.all(
    (nodes as [Server, Server]).map(async (node) => (await peopleOf(kinora, node))[0]),
  )
  const post = (as: Person, path: string, body: Record<string, unknown>, key: string) =>
    kinora.call('POST', `/api/v1/admin/credits/${path}`, { as, body, headers: { 'idempotency-key': key } })
  return {
    root,
    ann: ann ?? assert.fail(),
    bob: bob ?? assert.fail(),
    post,
    available: async (of: Person) => (await kinora.balance(of)).available,
  }
}
