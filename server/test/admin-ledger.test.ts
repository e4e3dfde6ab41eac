/** `POST /api/v1/admin/ledger/check`: recomputes the ledger; one check at a time, with a time limit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLedger, LEDGER_CHECK_LOCK } from '../src/admin/ledger-check.ts'
import { openDb } from '../src/db.ts'
import { openKinora } from './harness.ts'
import { waitFor } from './video-row.ts'

const kinora = await openKinora()
const root = await kinora.person({ role: 'admin', credits: 0 })

type Check = {
  users: number
  differences: { userId: string; subject: string; rule: string; expected: string; found: string }[]
  total: number
  checkedAt: string
  durationMs: number
}
const check = () => kinora.call<Check>('POST', '/api/v1/admin/ledger/check', { as: root })

test('200: correct ledger → no differences', async () => {
  await kinora.generate(await kinora.person())
  const { status, data } = await check()
  assert.equal(status, 200)
  const [row] = await kinora.app.sql<{ users: number }[]>`select count(*) as users from kinora.credit_account`
  assert.deepEqual(
    { ...data, checkedAt: null, durationMs: null },
    { users: row?.users, differences: [], total: 0, checkedAt: null, durationMs: null },
  )
  assert.ok(Number.isInteger(data.durationMs) && Math.abs(Date.now() - Date.parse(data.checkedAt)) < 60_000)
})

test('200: corrupted row → the difference with its user, expected and found values', async () => {
  const ann = await kinora.person({ credits: 60 })
  const shift = (by: number) =>
    kinora.app
      .sql`update kinora.credit_transaction set balance_after = balance_after + ${by} where user_id = ${ann.userId}`
  await shift(7)
  const { data } = await check()
  await shift(-7)
  assert.deepEqual(data.differences[0], {
    userId: ann.userId,
    subject: 'transaction 1',
    rule: 'balance after is the sum so far',
    expected: '60',
    found: '67',
  })
  assert.equal(data.differences[1]?.rule, 'a row continues the hash chain')
  assert.equal(data.total, 2)
})

test('409: another check running → refused until it ends', async () => {
  const other = openDb(kinora.databaseUrl, { connections: 1, name: 'kinora another check' })
  await other`select pg_advisory_lock(${LEDGER_CHECK_LOCK})`
  const { status, error, headers } = await check()
  assert.equal(status, 409)
  assert.equal(error?.message, 'A check of the books is running already; wait for it to end.')
  assert.ok(headers.get('retry-after'))
  await other.end()
  // PostgreSQL releases the lock a moment after the client has closed the connection.
  await waitFor('a check to succeed', async () => (await check()).status === 200)
})

test('503: check over its time limit → stopped; the next one succeeds', async () => {
  const other = openDb(kinora.databaseUrl, { connections: 1, name: 'kinora in the way' })
  await other`begin`
  await other`lock table kinora.credit_hold in access exclusive mode`
  const stopped = { code: 'UNAVAILABLE', message: /^The check took longer than 1 seconds? .*"kinora verify"/ }
  await assert.rejects(checkLedger(kinora.app, 1000), stopped)
  await other`rollback`
  await other.end()
  await waitFor('a check to succeed', async () => (await check()).status === 200)
})

test('connections: after a check → its own connection is closed', async () => {
  await check()
  const open = async () =>
    (
      await kinora.app
        .sql`select from pg_stat_activity where datname = current_database() and application_name like 'kinora ledger%'`
    ).length
  await waitFor('the connection to close', async () => (await open()) === 0)
})

test('401, 403: no credential, or a user’s → refused', async () => {
  const ann = await kinora.person()
  assert.equal((await kinora.call('POST', '/api/v1/admin/ledger/check')).status, 401)
  assert.equal((await kinora.call('POST', '/api/v1/admin/ledger/check', { as: ann })).status, 403)
})
