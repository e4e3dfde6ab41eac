/** `POST /api/v1/admin/ledger/check`: everything is recomputed, one at a time and not for ever. */
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

test('200: the books are right', async () => {
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

test('200: what differs is named, with whose it is', async () => {
  const ann = await kinora.person({ credits: 60 })
  const shift = (by: number) =>
    kinora.app
      .sql`update kinora.credit_transaction set balance_after = balance_after + ${by} where user_id = ${ann.userId}`
  await shift(7)
  const { data } = await check()
  await shift(-7)
  assert.deepEqual(data.differences, [
    {
      userId: ann.userId,
      subject: 'transaction 1',
      rule: 'balance after is the sum so far',
      expected: '60',
      found: '67',
    },
  ])
  assert.equal(data.total, 1)
})

test('409: while another one runs; afterwards 200', async () => {
  const other = openDb(kinora.databaseUrl, { connections: 1, name: 'kinora another check' })
  await other`select pg_advisory_lock(${LEDGER_CHECK_LOCK})`
  const { status, error, headers } = await check()
  assert.equal(status, 409)
  assert.equal(error?.message, 'A check of the books is running already; wait for it to end.')
  assert.ok(headers.get('retry-after'))
  await other.end()
  // The connection that held the lock goes a moment after it was told to.
  await waitFor('a check that is let', async () => (await check()).status === 200)
})

test('503: one that takes too long is stopped, and the next one is not hindered', async () => {
  const other = openDb(kinora.databaseUrl, { connections: 1, name: 'kinora in the way' })
  await other`begin`
  await other`lock table kinora.credit_hold in access exclusive mode`
  const stopped = { code: 'UNAVAILABLE', message: /^The check took longer than 1 seconds? .*"kinora verify"/ }
  await assert.rejects(checkLedger(kinora.app, 1000), stopped)
  await other`rollback`
  await other.end()
  await waitFor('a check that is let', async () => (await check()).status === 200)
})

test('no connection is left behind', async () => {
  await check()
  const open = async () =>
    (
      await kinora.app
        .sql`select from pg_stat_activity where datname = current_database() and application_name like 'kinora ledger%'`
    ).length
  await waitFor('the connections to go', async () => (await open()) === 0)
})

test('401: nobody; 403: a user', async () => {
  const ann = await kinora.person()
  assert.equal((await kinora.call('POST', '/api/v1/admin/ledger/check')).status, 401)
  assert.equal((await kinora.call('POST', '/api/v1/admin/ledger/check', { as: ann })).status, 403)
})
