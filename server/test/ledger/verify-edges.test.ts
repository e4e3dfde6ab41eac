/**
 * verify() reports the damages at the ledger's edges: payments, refunds, corrections, the audit log, grace, the hash
 * chain, due times; each is rolled back. In ranges it reports the same; it writes nothing and takes no row lock.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTcpProxy } from '../../../proofs/chaos/tcp-proxy.ts'
import { adviceOf } from '../../src/credit/advice.ts'
import { creditRedeem } from '../../src/credit/redemption.ts'
import { type Difference, type UserRange, verify, verifyInRanges } from '../../src/credit/verify.ts'
import { openDb } from '../../src/db/db.ts'
import { onePart } from '../../src/db/parts.ts'
import { NIL_UUID } from '../../src/id.ts'
import { notDistributed } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { forgeries } from '../support/ledger/forgeries.ts'
import { creditGrant } from '../support/ledger/ledger-calls.ts'
import { corruptions } from '../support/ledger/ledger-corruptions.ts'
import { edgeCorruptions } from '../support/ledger/ledger-edge-corruptions.ts'
import { BOB, OTHER, ROOT, TEAM, writeEdgeFixture } from '../support/ledger/ledger-edge-fixture.ts'
import { idOf, rolledBack, writeFixture } from '../support/ledger/ledger-fixture.ts'
import { transferCorruptions } from '../support/ledger/ledger-transfer-corruptions.ts'
import { textOf } from '../support/sources.ts'
import { waitFor } from '../support/video-row.ts'

const database = await createDatabase()
const sql = openDb(database.url, { connections: 4, name: 'kinora verify test' })
after(async () => {
  await sql.end()
  await database.drop()
})
// Each shard has the same rules.
const ofOnePostgres = notDistributed('the tables of a shard have other names than the corruptions')
if (ofOnePostgres.skip === undefined) await writeEdgeFixture(sql)

for (const corruption of [...edgeCorruptions, ...transferCorruptions]) {
  test(`verify: ${corruption.name} → reported`, ofOnePostgres, async () => {
    const differences = await rolledBack(sql, async (tx) => {
      await tx.unsafe(corruption.sql).simple()
      return await tx<Difference[]>`select * from verify()`
    })
    assert.ok(differences)
    const rules = new Set(differences.map(({ rule }) => rule))
    assert.deepEqual([...rules].sort(), [...corruption.rules].sort(), JSON.stringify(differences))
    for (const { userId, expected, found } of differences) {
      assert.ok([BOB, ROOT, OTHER, TEAM].includes(userId))
      assert.notEqual(expected, found)
    }
  })
}

test('verify: every rule → is broken by a corruption, and has advice', async () => {
  const unions = textOf('server/sql/verify.sql') + textOf('server/sql/verify_payment.sql')
  const called = [
    ...new Set(
      [...unions.matchAll(/select \* from kinora\.(verify_\w+)\(p_from, p_to\)/g)].map(([, name = '']) => name),
    ),
  ]
  const sources = await sql<{ text: string }[]>`
    select pg_get_functiondef(oid) as text from pg_proc
    where pronamespace = 'kinora'::regnamespace and proname = any(${called})
  `
  assert.ok(called.length > 0 && sources.length === called.length)
  const text = sources.map((source) => source.text).join('\n')
  const rules = [...text.matchAll(/'([a-z][^':%]+ [^':%]+ [^':%]+ [^':%]+[^' ,:])'/g)].map((match) => match[1] ?? '')
  const broken = new Set([
    ...corruptions.flatMap(({ found }) => Object.keys(found)),
    ...[...edgeCorruptions, ...transferCorruptions, ...forgeries].flatMap((corruption) => corruption.rules),
  ])
  for (const rule of broken) {
    assert.ok(text.includes(`'${rule}'`), rule)
    assert.notEqual(adviceOf(rule), '', rule)
  }
  const unknown = rules.filter((rule) => !broken.has(rule))
  assert.deepEqual([...new Set(unknown)], [])
})

test(
  'verify: ranges of users → together report what one statement reports, each user once',
  ofOnePostgres,
  async () => {
    await writeFixture(sql)
    for (let n = 201; n <= 220; n++) {
      const facts = { source: 'x', transType: 'ORDER_PAY', credits: 10, orderNo: null, remark: null }
      const times = { now: new Date('2035-01-01'), expiresAt: new Date('2040-01-01') }
      await creditGrant(sql, { userId: idOf(n), packageId: idOf(n), ...facts, ...times })
    }
    for (const userId of [idOf(201), idOf(220)]) {
      const redemption = {
        code: 'ACODE1',
        limits: null,
        requestId: null,
        collectsOwed: false,
        now: new Date('2035-01-01T04:00Z'),
      }
      assert.equal((await creditRedeem(sql, { userId, ...redemption })).outcome, 'redeemed')
    }
    const damage = async (by: number) => {
      await sql`
        update kinora.credit_account set open_holds = open_holds + ${by}
        where user_id in (${BOB}, ${idOf(201)}, ${idOf(207)}, ${idOf(220)})
      `
      await sql`update kinora.redemption_code set uses = uses + ${by}`
    }
    await damage(1)
    try {
      const whole = await verify(onePart(sql))
      assert.equal(whole.length, 5)
      for (const [rowsPerRange, connections] of [
        [1, 1],
        [3, 2],
        [7, 3],
        [1000, 1],
      ] as const) {
        const found: Difference[] = []
        let users = 0
        const rest = await verifyInRanges(onePart(sql), {
          rowsPerRange,
          connections,
          onRange: (range) => {
            found.push(...range.differences)
            users += range.users
          },
        })
        assert.deepEqual(rest, [])
        assert.equal(users, 22)
        assert.deepEqual(found.map(({ userId }) => userId).sort(), whole.map(({ userId }) => userId).sort())
      }
    } finally {
      await damage(-1)
    }
  },
)

test(
  'verify: aborted, and the database accepts no connection for the cancel → the statement ends by itself',
  ofOnePostgres,
  async () => {
    const url = new URL(database.url)
    const port = Number(url.port)
    const refused = Promise.withResolvers<void>()
    let isAccepting = true
    const proxy = await openTcpProxy(() => {
      if (isAccepting) return port
      refused.resolve()
      return null
    })
    url.host = `127.0.0.1:${proxy.port}`
    const checking = openDb(url.href, { connections: 1, name: 'kinora verify cancel' })
    const abort = new AbortController()
    let rest: ReturnType<typeof verifyInRanges> | undefined
    await sql.begin(async (tx) => {
      await tx`lock table kinora.credit_hold in access exclusive mode`
      rest = verifyInRanges(onePart(checking), { signal: abort.signal, onRange: () => assert.fail('it was aborted') })
      await waitFor('the check to wait for the lock', async () => {
        const [row] = await sql`
        select from pg_stat_activity where application_name = 'kinora verify cancel' and wait_event_type = 'Lock'
      `
        return row !== undefined
      })
      isAccepting = false
      abort.abort()
      await refused.promise
    })
    // The statement had ended with its rows, which an aborted check does not read on from.
    assert.deepEqual(await rest, [{ from: NIL_UUID, to: null }])
    await checking.end()
    proxy.close()
  },
)

test('verify: aborted → returns the users who are not checked: each user is checked once', ofOnePostgres, async () => {
  for (const [connections, ranges] of [
    [1, 4],
    [3, 5],
  ] as const) {
    const abort = new AbortController()
    const checked: UserRange[] = []
    const onRange = ({ from, to }: UserRange) => {
      checked.push({ from, to })
      if (checked.length === ranges) abort.abort()
    }
    const rest = await verifyInRanges(onePart(sql), { rowsPerRange: 3, connections, signal: abort.signal, onRange })
    assert.ok(rest.length > 0)
    assert.deepEqual(await verifyInRanges(onePart(sql), { only: rest, rowsPerRange: 3, connections, onRange }), [])
    const counts = await sql`
      select count(r) as times
      from kinora.credit_account a
      left join jsonb_to_recordset(${sql.json(checked)}) r ("from" uuid, "to" uuid)
        on a.user_id >= r."from" and (r."to" is null or a.user_id < r."to")
      group by a.user_id
    `
    assert.deepEqual(
      counts.map(({ times }) => Number(times)),
      Array(22).fill(1),
    )
  }
})

test('verify: rows of a user without an account → reported by the range around them', ofOnePostgres, async () => {
  await sql`insert into kinora.credit_hold (user_id, id, credits, package_ids, package_credits, state, created_at, closed_at)
    values (${idOf(205.5 * 2)}, ${OTHER}, 5, '{}', '{}', 'released', now(), now())`
  const found: Difference[] = []
  await verifyInRanges(onePart(sql), { rowsPerRange: 1, onRange: ({ differences }) => void found.push(...differences) })
  assert.ok(found.some(({ rule }) => rule === 'slices add up to the hold'))
  await sql`delete from kinora.credit_hold where user_id = ${idOf(411)}`
  assert.deepEqual(await verify(onePart(sql)), [])
})

test('verify: read-only sessions, as of a standby → runs', ofOnePostgres, async () => {
  const url = new URL(database.url)
  url.searchParams.set('options', '-c default_transaction_read_only=on')
  const standby = openDb(url.href, { connections: 2, name: 'kinora verify standby' })
  const [setting] = await standby`show default_transaction_read_only`
  assert.equal(setting?.defaultTransactionReadOnly, 'on')
  let users = 0
  await verifyInRanges(onePart(standby), {
    connections: 2,
    rowsPerRange: 5,
    onRange: (range) => {
      users += range.users
    },
  })
  assert.equal(users, 22)
  await standby.end()
})
