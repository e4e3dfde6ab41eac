/**
 * verify() finds every kind of damage, and says where. Each damage is done inside a transaction that is rolled back, with
 * the constraints that would stop it dropped first; what the constraints stop is tried too.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, afterEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { expireDue } from '../src/credit/ledger.ts'
import { type Difference, verify } from '../src/credit/verify.ts'
import { openDb } from '../src/db.ts'
import { createDatabase } from './database.ts'
import { damages } from './ledger-damages.ts'
import { ANN, HOUR_MS, idOf, later, rolledBack, start, writeExample } from './ledger-example.ts'

const database = await createDatabase()
const sql = openDb(database.url, { connections: 4, name: 'kinora verify test' })
after(async () => {
  await sql.end()
  await database.drop()
})
afterEach(async () => assert.deepEqual(await verify({ sql }), [], 'the books must be right after every test'))

await writeExample(sql)

for (const damage of damages) {
  test(`found: ${damage.name}`, async () => {
    const differences = await rolledBack(sql, async (tx) => {
      await tx.unsafe(damage.sql).simple()
      return await tx<Difference[]>`select * from verify()`
    })
    assert.ok(differences)
    const named = differences.map(({ rule, subject, userId }) => {
      assert.equal(userId, ANN)
      return `${rule}: ${subject}`
    })
    for (const [rule, subject] of Object.entries(damage.found)) {
      const isNamed = (each: string) => each.startsWith(`${rule}: ${subject.replace('<of grace>', '')}`)
      assert.ok(named.some(isNamed), `"${rule}: ${subject}" is not named, but ${JSON.stringify(differences)}`)
    }
    const rules = new Set(differences.map((each) => each.rule))
    assert.deepEqual([...rules].sort(), Object.keys(damage.found).sort())
    for (const each of differences) assert.notEqual(each.expected, each.found)
  })
}

test('every rule of verify() is broken by one of these', async () => {
  const [source] = await sql`select pg_get_functiondef('kinora.verify'::regproc) as text`
  const sentences = [...String(source?.text).matchAll(/'([a-z][^']+ [^']+ [^']+[^' ])'/g)].map(
    (match) => match[1] ?? '',
  )
  const broken = new Set(damages.flatMap((damage) => Object.keys(damage.found)))
  assert.deepEqual(sentences.filter((rule) => !broken.has(rule)).sort(), [])
  assert.ok(sentences.length >= broken.size)
})

test('kinora verify: 0 when the books are right; 1, and the difference named, when they are not', async () => {
  assert.deepEqual(await runVerify(), { status: 0, output: 'The books are right.\n' })
  await sql`update kinora.credit_transaction set balance_after = balance_after + 7 where user_id = ${ANN} and n = 2`
  assert.deepEqual(await runVerify(), {
    status: 1,
    output: `user ${ANN}, transaction 2: balance after is the sum so far: expected 80, found 87\n1 differences.\n`,
  })
  await sql`update kinora.credit_transaction set balance_after = balance_after - 7 where user_id = ${ANN} and n = 2`
})

test('one user with wrong books does not keep the credits of others from expiring', async () => {
  const [bad, good] = [idOf(3), idOf(4)]
  for (const user of [bad, good]) {
    await sql`
      select from kinora.credit_grant(${user}, ${user}, 'x', 'ORDER_PAY', 10, ${later(HOUR_MS)}, ${start}, null, null)
    `
  }
  // The account has less than its package: writing that off would make it negative.
  await sql`update kinora.credit_account set available = 9, total = 9 where user_id = ${bad}`
  const app = { sql, now: () => later(6 * HOUR_MS), log: pino({ level: 'silent' }) }
  assert.equal(await expireDue(app), 1, 'one was done; were the other counted, the sweep would never end')
  const [account] = await sql`select available, expired from kinora.credit_account where user_id = ${good}`
  assert.deepEqual({ ...account }, { available: 0, expired: 10 })
  await sql`update kinora.credit_account set available = 10, total = 10 where user_id = ${bad}`
})

async function runVerify(): Promise<{ status: number | null; output: string }> {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, 'verify'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      AUTH_SECRET: 'a',
      AI_CALLBACK_SECRET: 'b',
      PROVIDER_A_URL: 'http://127.0.0.1:9',
      PROVIDER_B_URL: 'http://127.0.0.1:9',
      LOG_LEVEL: 'silent',
    },
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, output }
}
