/**
 * `/api/v1/admin/ledger/check`: starts a check of the ledger in the background, one at a time over all processes;
 * reports its progress and the last result.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerCheckProgress, openLedgerChecks, recordRun, startRun } from '../../src/admin/ledger-check.ts'
import type { Difference } from '../../src/credit/verify.ts'
import { openKinora } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()
const root = await kinora.person({ role: 'admin', credits: 0 })
const { sql } = kinora.app

type Run = {
  id: string
  state: string
  startedAt: string
  finishedAt: string | null
  usersTotal: number
  users: number
  differences: Difference[]
  total: number
  error: string | null
}
const start = () => kinora.call<Run>('POST', '/api/v1/admin/ledger/check', { as: root })
const read = () =>
  kinora.call<{ running: Run | null; last: Run | null }>('GET', '/api/v1/admin/ledger/check', { as: root })
/** Starts a check and returns it when it has ended. */
async function check(): Promise<Run> {
  const { status, data } = await start()
  assert.equal(status, 200)
  let last: Run | null = null
  await waitFor('the check to end', async () => {
    last = (await read()).data.last
    return last?.id === data.id
  })
  assert.ok(last)
  return last
}

test('200: no check yet → null', async () => {
  assert.deepEqual((await read()).data, { running: null, last: null })
})

test('200: correct ledger → finished, no differences', async () => {
  await kinora.generate(await kinora.person())
  const run = await check()
  const [row] = await sql<{ users: number }[]>`select count(*) as users from kinora.credit_account`
  assert.ok(run.finishedAt && run.finishedAt >= run.startedAt)
  const { state, users, usersTotal, differences, total, error } = run
  assert.deepEqual(
    { state, users, usersTotal, differences, total, error },
    { state: 'finished', users: row?.users, usersTotal: row?.users, differences: [], total: 0, error: null },
  )
})

test('200: corrupted row → the difference with its user, expected and found values, and advice', async () => {
  const ann = await kinora.person({ credits: 60 })
  const shift = (by: number) =>
    sql`update kinora.credit_account set open_holds = open_holds + ${by} where user_id = ${ann.userId}`
  await shift(7)
  const run = await check()
  await shift(-7)
  const [difference] = run.differences
  assert.match(difference?.advice ?? '', /^Compare the account with its packages/)
  assert.deepEqual(
    { ...difference, advice: '' },
    { userId: ann.userId, subject: 'account', rule: 'open holds are counted', expected: '0', found: '7', advice: '' },
  )
  assert.equal(run.total, 1)
})

test('409: another process’s check running → refused; its progress is shown; ended → allowed', async () => {
  const run = await startRun(sql, null)
  const { status, error, headers } = await start()
  assert.equal(status, 409)
  assert.equal(error?.message, 'A check of the books is running already; wait for it to end.')
  assert.ok(headers.get('retry-after'))
  assert.equal((await read()).data.running?.id, run.id)
  assert.deepEqual(await recordRun(kinora.app.database, run), [])
  assert.equal((await read()).data.running, null)
  assert.equal((await read()).data.last?.id, run.id)
  await check()
})

test('200: a check whose process died → abandoned after a minute, the next one starts', async () => {
  const run = await startRun(sql, null)
  await sql`update kinora.ledger_check_run set updated_at = now() - interval '61 seconds' where id = ${run.id}`
  assert.equal((await read()).data.running, null)
  await check()
  const [row] = await sql`select state from kinora.ledger_check_run where id = ${run.id}`
  assert.equal(row?.state, 'abandoned')
  // The process was only slow: it finds its lease lost and records nothing.
  await recordRun(kinora.app.database, run)
  const [after] = await sql`select state, users from kinora.ledger_check_run where id = ${run.id}`
  assert.deepEqual({ ...after }, { state: 'abandoned', users: 0 })
})

test('200: no connection for the check → the run has failed with the reason, and the process goes on', async () => {
  const { config } = kinora.app
  // A port at which nothing listens.
  const unreachable = { databaseUrl: 'postgres://kinora@127.0.0.1:1/kinora' }
  const checks = openLedgerChecks({ ...kinora.app, config: { ...config, ...unreachable } })
  const { id } = await checks.start(root.userId)
  await checks.stop()
  const { running, last } = (await read()).data
  assert.deepEqual([running, last?.id, last?.state], [null, id, 'failed'])
  assert.match(last?.error ?? '', /ECONNREFUSED/)
  await check()
})

test('verify: 1,200 differences → all counted, the first 500 stored', async () => {
  const { id } = await startRun(sql, null)
  const differences = Array.from({ length: 600 }, (_, n) => ({ subject: `${n}` }))
  for (let i = 0; i < 2; i++) await ledgerCheckProgress(sql, { id, users: 1, differences, state: 'running' })
  await ledgerCheckProgress(sql, { id, users: 0, differences: [], state: 'stopped' })
  const [row] = await sql`
    select total, jsonb_array_length(differences) as stored from kinora.ledger_check_run where id = ${id}
  `
  assert.deepEqual({ ...row }, { total: 1200, stored: 500 })
})

test('401, 403: no credential, or a user’s → refused', async () => {
  const ann = await kinora.person()
  for (const method of ['GET', 'POST']) {
    assert.equal((await kinora.call(method, '/api/v1/admin/ledger/check')).status, 401)
    assert.equal((await kinora.call(method, '/api/v1/admin/ledger/check', { as: ann })).status, 403)
  }
})
