/** When reconciliation runs: the worker's timer, the lease for one process at a time, and the metrics. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reconcile } from '../../src/payment/reconcile.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { movesOf } from '../support/payment/payment-delivery.ts'
import { openReconciliation } from '../support/payment/reconcile-fixture.ts'
import { startProcess } from '../support/processes.ts'
import { waitFor } from '../support/video-row.ts'

const { buy, gate, kinora, processorEnv } = await openReconciliation()

const { app } = kinora
const { sql } = app
const INTERVAL_MS = 6 * 3600_000
const LEASE_MS = 120_000
const root = await kinora.person({ role: 'admin', credits: 0 })

const runDue = () => reconcile(app, { due: true, pauseMs: 1 })
const errorsOf = (reports: Awaited<ReturnType<typeof runDue>>) => reports.map(({ error }) => error)

/** The lines of kinora_reconcile_* as { 'name{labels}': value }. */
async function metrics(): Promise<Record<string, number>> {
  const { status, text } = await kinora.call('GET', '/metrics', { as: root })
  assert.equal(status, 200)
  const lines = text.split('\n').filter((line) => line.startsWith('kinora_reconcile_'))
  return Object.fromEntries(
    lines.map((line) => [
      line.slice('kinora_reconcile_'.length, line.lastIndexOf(' ')),
      Number(line.split(' ').at(-1)),
    ]),
  )
}

test('timer: new processor → due after the interval, not earlier; then again after the interval', async () => {
  kinora.holdClock()
  const startMs = app.now().getTime()
  assert.deepEqual(await runDue(), [])
  kinora.turnClock(INTERVAL_MS - 1)
  assert.deepEqual(await runDue(), [])
  assert.equal(gate.requests, 0)
  kinora.turnClock(1)
  assert.deepEqual(errorsOf(await runDue()), [null, null])
  assert.ok(gate.requests > 0)
  assert.deepEqual(await runDue(), [])
  const rows = await sql<{ nextAt: Date; lastSuccessAt: Date }[]>`
    select next_at, last_success_at from kinora.reconcile_state order by processor
  `
  for (const { nextAt, lastSuccessAt } of rows) {
    assert.equal(lastSuccessAt.getTime(), startMs + INTERVAL_MS)
    assert.equal(nextAt.getTime(), startMs + 2 * INTERVAL_MS)
  }
  assert.equal(rows.length, 2)
  kinora.turnClock(-INTERVAL_MS)
})

test('timer: worker starts when a run is due → asks the processors and applies what is missing', async () => {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann, 'payment-a', 'pack-starter')
  await sql`update kinora.reconcile_state set next_at = ${new Date(app.now().getTime() + INTERVAL_MS)}`
  kinora.turnClock(INTERVAL_MS)
  const worker = startWorker(app)
  await waitFor('the purchase', async () => (await movesOf(kinora, ann)).length > 0)
  await worker.stop()
  kinora.turnClock(-INTERVAL_MS)
  assert.deepEqual(await movesOf(kinora, ann), ['ORDER_PAY 280'])
})

test('reconciliation lease: two processes → one runs; it is killed → the other takes over when the lease ends, not earlier', async () => {
  const ben = await kinora.person({ credits: 0 })
  await buy(ben, 'payment-b', 'pack-starter')
  await sql`update kinora.reconcile_state set next_at = now() - interval '1 hour'`
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  Object.assign(gate, { held, requests: 0 })
  const other = await startProcess(kinora, 'worker', processorEnv)
  await waitFor('the other process to ask', () => gate.requests === 1)
  const processor = 'payment-a'
  assert.equal((await sql`select from kinora.reconcile_state where lease is not null`).count, 1)
  other.child.kill('SIGKILL')
  await other.ended
  Object.assign(gate, { held: null, requests: 0 })
  release()

  const busy = 'Another process reconciles it now; try again in some minutes.'
  assert.deepEqual(errorsOf(await reconcile(app, { pauseMs: 1 })), [busy, null])
  const [row] = await sql<{ leaseUntil: Date }[]>`
    select lease_until from kinora.reconcile_state where processor = ${processor}
  `
  const leaseUntilMs = row?.leaseUntil.getTime() ?? 0
  kinora.holdClock()
  kinora.turnClock(leaseUntilMs - 1 - app.now().getTime())
  assert.deepEqual(await runDue(), [])
  kinora.turnClock(1)
  const reports = await runDue()
  assert.deepEqual([reports.map((report) => report.processor), errorsOf(reports)], [[processor], [null]])
  assert.deepEqual(await movesOf(kinora, ben), ['ORDER_PAY 280'])
})

test('lease: taken over while a run waits for the processor → the run ends with an error and applies nothing', async () => {
  const cleo = await kinora.person({ credits: 0 })
  await buy(cleo, 'payment-a', 'pack-starter')
  const start = async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    Object.assign(gate, { held, requests: 0 })
    const run = reconcile(app, { pauseMs: 1 })
    await waitFor('the first request', () => gate.requests === 1)
    return { run, release }
  }
  const slow = await start()
  kinora.turnClock(LEASE_MS)
  const next = await start()
  gate.held = null
  slow.release()
  const [report] = await slow.run
  assert.deepEqual([report?.error, report?.differences], ['Another process has taken over.', []])
  assert.deepEqual(await movesOf(kinora, cleo), [])
  next.release()
  assert.deepEqual(errorsOf(await next.run), [null, null])
  assert.deepEqual(await movesOf(kinora, cleo), ['ORDER_PAY 280'])
})

test('metrics: runs that find differences, succeed or fail → counters by kind, the time of the last success, and a gauge of failure', async () => {
  const dora = await kinora.person({ credits: 0 })
  const label = '{processor="payment-b"}'
  const purchases = 'differences{processor="payment-b",kind="purchase"}'
  const before = await metrics()
  await buy(dora, 'payment-b', 'pack-starter')
  Object.assign(gate, { status: 403, failures: 100 })
  await reconcile(app, { pauseMs: 1 })
  gate.status = 0
  const failed = await metrics()
  assert.equal(failed[`failing${label}`], 1)
  assert.equal(failed[purchases], before[purchases])
  assert.equal(failed[`last_success_timestamp_seconds${label}`], before[`last_success_timestamp_seconds${label}`])
  kinora.holdClock()
  await reconcile(app, { pauseMs: 1 })
  const right = await metrics()
  assert.equal(right[`failing${label}`], 0)
  assert.equal(right[purchases], (before[purchases] ?? 0) + 1)
  assert.equal(right[`last_success_timestamp_seconds${label}`], app.now().getTime() / 1000)
})
