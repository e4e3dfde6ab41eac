/**
 * verify() reports every kind of corruption, with its subject. Each corruption runs in a transaction that is rolled
 * back, which first drops the constraints that would reject it; constraints.test.ts tests those.
 */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { pino } from 'pino'
import { expireDue } from '../../src/credit/ledger.ts'
import { type Difference, verify } from '../../src/credit/verify.ts'
import { onePart } from '../../src/db/parts.ts'
import { notDistributed, openTestDatabase } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { creditGrant } from '../support/ledger/ledger-calls.ts'
import { corruptions } from '../support/ledger/ledger-corruptions.ts'
import { ANN, HOUR_MS, idOf, later, rolledBack, start, writeFixture } from '../support/ledger/ledger-fixture.ts'
import { runOn } from '../support/processes.ts'

const database = await createDatabase()
const books = await openTestDatabase(database.url, { connections: 4, name: 'kinora verify test' })
const { sql } = books
after(async () => {
  await books.close()
  await database.drop()
})
afterEach(async () => assert.deepEqual(await verify(books), [], 'the ledger must be consistent after every test'))

await writeFixture(sql)

// Each shard has the same rules.
const ofOnePostgres = notDistributed('the tables of a shard have other names than the corruptions')

for (const corruption of corruptions) {
  test(`verify: ${corruption.name} → reported`, ofOnePostgres, async () => {
    const differences = await rolledBack(sql, async (tx) => {
      await tx.unsafe(corruption.sql).simple()
      return await tx<Difference[]>`select * from verify()`
    })
    assert.ok(differences)
    const reported = differences.map(({ rule, subject, userId }) => {
      assert.equal(userId, ANN)
      return `${rule}: ${subject}`
    })
    for (const [rule, subject] of Object.entries(corruption.found)) {
      const isMatch = (each: string) => each.startsWith(`${rule}: ${subject.replace('<grace>', '')}`)
      assert.ok(reported.some(isMatch), `"${rule}: ${subject}" is not reported, but ${JSON.stringify(differences)}`)
    }
    const rules = new Set(differences.map((each) => each.rule))
    assert.deepEqual([...rules].sort(), Object.keys(corruption.found).sort())
    for (const each of differences) assert.notEqual(each.expected, each.found)
  })
}

test('kinora verify: a consistent ledger → exit 0; a wrong balance → exit 1 and the difference', async () => {
  assert.deepEqual(await runOn(database.url, ['verify']), { status: 0, output: 'The books are right.\n' })
  await sql`update kinora.credit_transaction set balance_after = balance_after + 7 where user_id = ${ANN} and n = 2`
  assert.deepEqual(await runOn(database.url, ['verify']), {
    status: 1,
    output: await differenceLines(),
  })
  const lines = await differenceLines()
  assert.match(lines, /transaction 2: balance after is the sum so far: expected 80, found 87\n/)
  assert.match(
    lines,
    /transaction 2: a row continues the hash chain: expected [0-9a-f]{64}, found [0-9a-f]{64}\n2 differences/,
  )
  await sql`update kinora.credit_transaction set balance_after = balance_after - 7 where user_id = ${ANN} and n = 2`
})

test('expiry sweep: one user’s ledger is corrupt → the credits of the others still expire', async () => {
  const [bad, good] = [idOf(3), idOf(4)]
  for (const user of [bad, good]) {
    const facts = { source: 'x', transType: 'ORDER_PAY', orderNo: null, remark: null }
    await creditGrant(sql, {
      userId: user,
      packageId: user,
      ...facts,
      credits: 10,
      expiresAt: later(HOUR_MS),
      now: start,
    })
  }
  // The account has less than its package: writing that off would make it negative.
  await sql`update kinora.credit_account set available = 9, total = 9 where user_id = ${bad}`
  const app = { database: books, now: () => later(6 * HOUR_MS), log: pino({ level: 'silent' }) }
  assert.equal(await expireDue(app, 1), 1, 'the failed user fills no batch and is not counted')
  const [account] = await sql`select available, expired from kinora.credit_account where user_id = ${good}`
  assert.deepEqual({ ...account }, { available: 0, expired: 10 })
  await sql`update kinora.credit_account set available = 10, total = 10 where user_id = ${bad}`
})

async function differenceLines(): Promise<string> {
  const differences = await verify(books)
  const lines = differences.map(
    (each) => `user ${each.userId}, ${each.subject}: ${each.rule}: expected ${each.expected}, found ${each.found}\n`,
  )
  const advice = differences.map((each) => `${each.rule} (1): ${each.advice}\n`)
  const total = `${differences.length} differences. Leave the rows as they are until the cause is known.\n`
  return [...lines, total, ...advice].join('')
}

test('verify: 200,000 differences → all are returned', async () => {
  const row = { userId: ANN, subject: 'a hold', rule: 'hold_without_video', expected: 'a video', found: 'none' }
  const rows = Array.from({ length: 200_000 }, () => row)
  const damaged = (async () => rows) as unknown as typeof sql
  assert.equal((await verify(onePart(damaged))).length, rows.length)
})
