/** Limits of a provider's account: tasks at a time, and submits in a time, over all workers. */
import assert from 'node:assert/strict'
import { after, beforeEach, type TestContext, test } from 'node:test'
import type { Query } from '../../src/db/db.ts'
import type { Limits } from '../../src/video/provider-slot.ts'
import { workOnce } from '../../src/worker/worker.ts'
import { addModel, models } from '../support/changed-models.ts'
import { forgetFailuresBeforeEach } from '../support/forget-failures.ts'
import { openKinora } from '../support/harness.ts'
import { providersWith } from '../support/providers-with.ts'
import { refusal, startScriptedProvider, taskIdOf } from '../support/scripted-provider.ts'
import { readRow, runNextStep } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: { ...provider.env, MAX_IN_PROGRESS: '0' } })
const { app } = kinora
addModel('one-route', { routes: [{ account: 'provider-a' }] })
after(() => {
  models().delete('one-route')
  provider.close()
})
beforeEach(() => provider.reset())
forgetFailuresBeforeEach(kinora)

/** Films of a model of one provider, whose account has limits. */
async function films(t: TestContext, limits: Limits, count: number): Promise<string[]> {
  kinora.holdClock()
  await app.sql`truncate kinora.provider_slot`
  await app.sql`update kinora.video set due_at = ${new Date(app.now().getTime() + 86_400_000)} where due_at is not null`
  providersWith(t, app, { limits })
  const ann = await kinora.person({ credits: count * 16 })
  const made = await Promise.all(Array.from({ length: count }, () => kinora.generate(ann, { model: 'one-route' })))
  return made.map(({ data }) => data.uuid)
}
const atWork = (uuids: string[]) =>
  Promise.all(uuids.map(async (uuid) => (await readRow(kinora, uuid)).status === 'GENERATING')).then(
    (each) => each.filter(Boolean).length,
  )
/** Four workers at once. */
const workTogether = () => Promise.all(Array.from({ length: 4 }, () => workOnce(app, ['PENDING'])))
/** Takes the first slot of the submits, in a transaction that is still open. */
const takeFirst = (other: Query, count: number) => other`
  select kinora.provider_take_slot(
    p_account => 'provider-a', p_holder => 'another', p_concurrency => null, p_count => ${count}, p_seconds => 10, p_now => ${app.now()}
  )
`
async function workFor(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    kinora.turnClock(1000)
    await workTogether()
  }
}

test('concurrency: ten films, two tasks at a time → two at the provider; the next when one has ended', async (t) => {
  const uuids = await films(t, { concurrency: 2 }, 10)
  await workTogether()
  assert.deepEqual([await atWork(uuids), provider.submits.length], [2, 2])
  await workFor(10)
  assert.equal(provider.submits.length, 2)
  const [first] = provider.submits
  assert.ok(first)
  await provider.callBack(first, { taskId: taskIdOf(first), error: 'no luck' })
  // The slot may be looked at two minutes after it was taken, and a film that waits comes at least every minute.
  await workFor(180)
  assert.deepEqual([await atWork(uuids), provider.submits.length], [2, 3])
})

test('concurrency: task that was not accepted → its slot is its own at the next try, and free when it has ended', async (t) => {
  const [uuid = ''] = await films(t, { concurrency: 1 }, 1)
  provider.onSubmit = () => refusal(429)
  await workTogether()
  assert.equal((await readRow(kinora, uuid)).attempt, 1)
  provider.reset()
  await runNextStep(kinora, uuid)
  assert.equal(await atWork([uuid]), 1)
  const slots = await app.sql`select from kinora.provider_slot where holder is not null`
  assert.equal(slots.length, 1)
})

test('submits: eight films, three submits in ten seconds → no window of ten seconds has more, and none is left', async (t) => {
  const uuids = await films(t, { submitsPer: { count: 3, seconds: 10 } }, 8)
  const times: number[] = []
  const { onSubmit } = provider
  provider.onSubmit = (submit) => {
    times.push(app.now().getTime())
    return onSubmit(submit)
  }
  await workTogether()
  assert.equal(times.length, 3)
  await workFor(40)
  assert.equal(await atWork(uuids), 8)
  for (const [n, time] of times.entries()) assert.ok(time - (times[n - 3] ?? 0) >= 10_000, String(times))
})

test('submits: slot that another worker holds without taking it → the film is sent when it comes again', async (t) => {
  const [uuid = ''] = await films(t, { submitsPer: { count: 1, seconds: 10 } }, 1)
  const isUndone = app.sql.begin(async (other) => {
    await takeFirst(other, 1)
    await workTogether()
    throw new Error('rolled back')
  })
  await assert.rejects(isUndone, /rolled back/)
  assert.equal(await atWork([uuid]), 0)
  await workFor(2)
  assert.equal(await atWork([uuid]), 1)
})

test('submits: first slot that another transaction is taking → the film takes the second one without waiting', async (t) => {
  const [uuid = ''] = await films(t, { submitsPer: { count: 2, seconds: 10 } }, 1)
  await app.sql.begin(async (other) => {
    await takeFirst(other, 2)
    await workTogether()
    assert.equal(await atWork([uuid]), 1)
  })
})

test('both limits: no submit in time → no task slot is taken', async (t) => {
  await films(t, { concurrency: 5, submitsPer: { count: 1, seconds: 60 } }, 4)
  await workTogether()
  assert.equal(provider.submits.length, 1)
  assert.equal((await app.sql`select from kinora.provider_slot where kind = 'task' and holder is not null`).length, 1)
})

test('no limits: films are submitted → no slot is asked for', async (t) => {
  await films(t, {}, 2)
  await workTogether()
  assert.equal(provider.submits.length, 2)
  assert.equal((await app.sql`select from kinora.provider_slot`).length, 0)
})
