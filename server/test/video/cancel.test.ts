/**
 * `POST /api/v1/video/{uuid}/cancel`: cancels a video that no provider has, at once; of one that a provider is working
 * on the provider decides. Any other video runs on unchanged.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, type TestContext, test } from 'node:test'
import { providerHealth } from '../../src/admin/provider-health.ts'
import type { Provider } from '../../src/provider/provider.ts'
import { runStep } from '../../src/video/lifecycle.ts'
import { workOnce } from '../../src/worker/worker.ts'
import { forgetFailuresBeforeEach } from '../support/forget-failures.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { providersWith } from '../support/providers-with.ts'
import { accepted, refusal, startScriptedProvider, taskIdOf } from '../support/scripted-provider.ts'
import { claimVideo, logOf, readRow, runNextStep, runUntilFinal } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: { ...provider.env, MAX_IN_PROGRESS: '0' } })
const { app } = kinora
after(() => provider.close())
beforeEach(() => provider.reset())
forgetFailuresBeforeEach(kinora)

type Cancel = NonNullable<Provider['cancel']>
const ERROR = 'Cancelled before it began; your credits are back.'
const cancel = (as: Person, uuid: string) => kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as })

async function generateOne(credits = 16): Promise<{ ann: Person; uuid: string }> {
  const ann = await kinora.person({ credits })
  return { ann, uuid: (await kinora.generate(ann)).data.uuid }
}
async function balanceOf(as: Person) {
  const { available, frozen, used } = await kinora.balance(as)
  return { available, frozen, used }
}
const refundsOf = async (as: Person) =>
  (
    await kinora.call<{ transactions: { credits: number; remark: string; state: string }[] }>(
      'GET',
      '/api/v1/credit/history?transType=REFUND&pageSize=100',
      { as },
    )
  ).data.transactions

async function assertConflict(as: Person, uuid: string, message: RegExp): Promise<void> {
  const before = await readRow(kinora, uuid)
  const { status, error } = await cancel(as, uuid)
  assert.equal(status, 409)
  assert.equal(error?.code, 'CONFLICT')
  assert.match(error?.message ?? '', message)
  assert.deepEqual(await readRow(kinora, uuid), before)
}

test('200: PENDING video → FAILED, credits refunded in one row, never submitted', async () => {
  const { ann, uuid } = await generateOne()
  const { status, data } = await cancel(ann, uuid.toUpperCase())
  assert.equal(status, 200)
  const failure = { code: 'CANCELLED', message: ERROR, retryable: true }
  const none = { estimatedSeconds: null, queuePosition: null }
  assert.deepEqual(data, { uuid, status: 'FAILED', progress: 0, error: ERROR, message: ERROR, failure, ...none })
  assert.deepEqual(await balanceOf(ann), { available: 16, frozen: 0, used: 0 })
  const [refund, ...others] = await refundsOf(ann)
  assert.deepEqual([refund?.credits, refund?.remark, refund?.state, others], [16, ERROR, 'released', []])
  const detail = await kinora.call('GET', `/api/v1/video/${uuid}`, { as: ann })
  assert.deepEqual([detail.data.status, detail.data.creditsUsed, detail.data.completedAt], ['FAILED', 0, null])
  await workOnce(app)
  assert.equal(provider.submits.length, 0)
  assert.deepEqual(await logOf(kinora, uuid), ['cancelled'])
})

test('200: repeated and concurrent cancels → the same response, one refund', async () => {
  const { ann, uuid } = await generateOne()
  const responses = await Promise.all(Array.from({ length: 10 }, () => cancel(ann, uuid)))
  responses.push(await cancel(ann, uuid))
  for (const { status, data } of responses) {
    assert.equal(status, 200)
    assert.deepEqual(data, responses[0]?.data)
  }
  assert.equal((await refundsOf(ann)).length, 1)
  assert.deepEqual(await logOf(kinora, uuid), ['cancelled'])
})

test('200: submit that the provider did not accept → can be cancelled', async () => {
  const { ann, uuid } = await generateOne()
  provider.onSubmit = () => refusal(429)
  await workOnce(app)
  assert.equal(provider.submits.length, 1)
  assert.equal((await cancel(ann, uuid)).status, 200)
  assert.deepEqual(await balanceOf(ann), { available: 16, frozen: 0, used: 0 })
})

test('200: credits expired meanwhile → refunded with a grace period', async () => {
  const ann = await kinora.person({ credits: 0 })
  await kinora.grant(ann, 16, 1)
  const { data } = await kinora.generate(ann)
  kinora.turnClock(2 * 86_400_000)
  assert.equal((await cancel(ann, data.uuid)).status, 200)
  assert.deepEqual(await balanceOf(ann), { available: 16, frozen: 0, used: 0 })
})

test('200: worker with a lease but without a recorded submit → does not submit', async () => {
  const { ann, uuid } = await generateOne()
  const lease = randomUUID()
  const video = await claimVideo(kinora, ann.userId, uuid, lease)
  assert.ok(video)
  assert.equal((await cancel(ann, uuid)).status, 200)
  await runStep(app, { video, lease, signal: new AbortController().signal })
  assert.equal(provider.submits.length, 0)
  assert.equal((await readRow(kinora, uuid)).errorCode, 'CANCELLED')
})

test('409: submit in flight, accepted or COMPLETED → nothing changes', async () => {
  const { ann, uuid } = await generateOne()
  provider.onSubmit = async (submit) => {
    await assertConflict(ann, uuid, /may have this video and has not said so/)
    return accepted(submit, taskIdOf(submit))
  }
  await workOnce(app)
  assert.equal((await readRow(kinora, uuid)).status, 'GENERATING')
  await assertConflict(ann, uuid, /cannot stop it; wait/)
  provider.onAsk = (_name, taskId) => ({
    status: 200,
    body: {
      code: 200,
      data: { taskId, state: 'success', resultJson: JSON.stringify({ resultUrls: [provider.filmUrl] }) },
    },
  })
  assert.equal((await runUntilFinal(kinora, uuid)).status, 'COMPLETED')
  await assertConflict(ann, uuid, /over already/)
  assert.deepEqual(await balanceOf(ann), { available: 0, frozen: 0, used: 16 })
})

test('409: unknown outcome of the submit → nothing changes; refunded at the deadline', async () => {
  const { ann, uuid } = await generateOne()
  provider.onSubmit = () => 'reset'
  await workOnce(app)
  await assertConflict(ann, uuid, /may have this video/)
  assert.deepEqual(await balanceOf(ann), { available: 0, frozen: 16, used: 0 })
  assert.equal((await runUntilFinal(kinora, uuid)).status, 'FAILED')
  await assertConflict(ann, uuid, /over already/)
  assert.equal((await refundsOf(ann)).length, 1)
})

test('200, 409: 30 concurrent cancels and submits → exactly one of the two happens to each video', async () => {
  // Videos of other tests may be due.
  await workOnce(app)
  provider.reset()
  const ann = await kinora.person({ credits: 30 * 16 })
  const uuids = await Promise.all(Array.from({ length: 30 }, async () => (await kinora.generate(ann)).data.uuid))
  const [responses] = await Promise.all([
    Promise.all(uuids.map((uuid) => cancel(ann, uuid))),
    ...Array.from({ length: 3 }, () => workOnce(app)),
  ])
  await workOnce(app)
  const sent = provider.submits.map((submit) => taskIdOf(submit))
  assert.equal(new Set(sent).size, sent.length)
  const rows = await Promise.all(uuids.map((uuid) => readRow(kinora, uuid)))
  for (const [index, { status }] of responses.entries()) {
    const row = rows[index]
    if (status === 200) assert.deepEqual([row?.status, row?.errorCode, row?.submittedAt], ['FAILED', 'CANCELLED', null])
    else assert.deepEqual([status, row?.status, row?.submittedAt !== null], [409, 'GENERATING', true])
  }
  const cancelled = responses.filter(({ status }) => status === 200).length
  assert.equal(provider.submits.length, 30 - cancelled)
  assert.deepEqual(await balanceOf(ann), { available: 16 * cancelled, frozen: 16 * (30 - cancelled), used: 0 })
  assert.equal((await refundsOf(ann)).length, cancelled)
})

const DURING = 'Cancelled while it was being made; your credits are back.'
/** A video that a provider is working on, which answers to a cancel as `answer` says. */
async function generatingOne(t: TestContext, answer: Cancel) {
  const asked: string[] = []
  providersWith(t, app, {
    cancel: (handle) => {
      asked.push(handle.taskId)
      return answer(handle)
    },
  })
  const { ann, uuid } = await generateOne()
  await workOnce(app)
  assert.equal((await readRow(kinora, uuid)).status, 'GENERATING')
  const submit = provider.submits.at(-1)
  assert.ok(submit)
  return { ann, uuid, submit, asked }
}

test('200: provider says cancelled → FAILED with CANCELLED, credits back, one call, a late result is not charged', async (t) => {
  const { ann, uuid, submit, asked } = await generatingOne(t, async () => 'cancelled')
  const { status, data } = await cancel(ann, uuid)
  assert.equal(status, 200)
  assert.deepEqual([data.status, data.error, data.message], ['FAILED', DURING, DURING])
  assert.equal((await readRow(kinora, uuid)).errorCode, 'CANCELLED')
  assert.deepEqual(await balanceOf(ann), { available: 16, frozen: 0, used: 0 })
  assert.deepEqual((await cancel(ann, uuid)).data, data)
  assert.deepEqual(asked, [taskIdOf(submit)])
  assert.equal(await provider.callBack(submit, { taskId: taskIdOf(submit), videoUrl: provider.filmUrl }), 200)
  assert.deepEqual(await balanceOf(ann), { available: 16, frozen: 0, used: 0 })
  assert.deepEqual(await logOf(kinora, uuid), ['accepted', 'cancelled', 'late result'])
  const health = await providerHealth(app)
  assert.deepEqual(
    health.providers.filter(({ lastFailureReason }) => lastFailureReason === DURING),
    [],
  )
})

test('200: provider was asked and may finish → GENERATING, polled at once; the poll says cancelled → credits back', async (t) => {
  const { ann, uuid } = await generatingOne(t, async () => 'requested')
  const { status, data } = await cancel(ann, uuid)
  assert.equal(status, 200)
  assert.deepEqual([data.status, data.error], ['GENERATING', null])
  assert.match(String(data.message), /was asked to stop this film. It may finish it all the same/)
  const row = await readRow(kinora, uuid)
  assert.ok(row.dueAt && row.dueAt <= app.now())
  assert.equal((await cancel(ann, uuid)).status, 200)
  await runNextStep(kinora, uuid)
  assert.equal((await readRow(kinora, uuid)).status, 'GENERATING')
  assert.deepEqual(await balanceOf(ann), { available: 0, frozen: 16, used: 0 })
  providersWith(t, app, {
    poll: async () => ({ kind: 'failed', failure: { code: 'CANCELLED', message: 'client_cancelled' } }),
  })
  await runNextStep(kinora, uuid)
  const failed = await readRow(kinora, uuid)
  assert.deepEqual([failed.status, failed.errorCode, failed.error], ['FAILED', 'CANCELLED', DURING])
  assert.deepEqual(await balanceOf(ann), { available: 16, frozen: 0, used: 0 })
  assert.deepEqual(await logOf(kinora, uuid), ['accepted', 'cancel requested', 'cancelled'])
})

test('200: provider was asked, and then does not know the task → FAILED with CANCELLED, credits back', async (t) => {
  const { ann, uuid } = await generatingOne(t, async () => 'requested')
  assert.equal((await cancel(ann, uuid)).status, 200)
  providersWith(t, app, { poll: async () => ({ kind: 'lost' }) })
  assert.equal((await runUntilFinal(kinora, uuid)).errorCode, 'CANCELLED')
  assert.deepEqual(await balanceOf(ann), { available: 16, frozen: 0, used: 0 })
  assert.equal((await logOf(kinora, uuid)).at(-1), 'cancelled')
})

test('200, then COMPLETED: provider was asked and finishes all the same → the film is kept and paid for', async (t) => {
  const { ann, uuid, submit } = await generatingOne(t, async () => 'requested')
  assert.equal((await cancel(ann, uuid)).status, 200)
  await provider.callBack(submit, { taskId: taskIdOf(submit), videoUrl: provider.filmUrl })
  await assertConflict(ann, uuid, /is made, and is being stored/)
  assert.equal((await runUntilFinal(kinora, uuid)).status, 'COMPLETED')
  assert.deepEqual(await balanceOf(ann), { available: 0, frozen: 0, used: 16 })
})

test('409: provider says nothing, or that it is too late → the text tells which; too late: polled at once', async (t) => {
  let answer: 'too_late' | null = null
  const { ann, uuid } = await generatingOne(t, async () => answer)
  await assertConflict(ann, uuid, /did not answer, so this video is not cancelled/)
  answer = 'too_late'
  const { status, error } = await cancel(ann, uuid)
  assert.equal(status, 409)
  assert.match(error?.message ?? '', /too late: the provider has finished/)
  const row = await readRow(kinora, uuid)
  assert.ok(row.status === 'GENERATING' && row.dueAt && row.dueAt <= app.now())
  assert.deepEqual(await logOf(kinora, uuid), ['accepted'])
  assert.deepEqual(await balanceOf(ann), { available: 0, frozen: 16, used: 0 })
})

test('409: result arrives while the provider is asked → the film is kept', async (t) => {
  const { ann, uuid, submit } = await generatingOne(t, async ({ taskId }) => {
    await provider.callBack(submit, { taskId, videoUrl: provider.filmUrl })
    return 'cancelled'
  })
  const { status, error } = await cancel(ann, uuid)
  assert.deepEqual(
    [status, error?.message],
    [409, 'It is too late: the provider has finished this video, or can no longer stop it.'],
  )
  assert.equal((await readRow(kinora, uuid)).status, 'UPLOADING')
  assert.equal((await runUntilFinal(kinora, uuid)).status, 'COMPLETED')
})

test('compatible formats: a generating film is cancelled → each says so in its own words, the provider is asked', async (t) => {
  const { ann, uuid, asked } = await generatingOne(t, async () => 'requested')
  const { text } = await kinora.call('PUT', `/fal/kinora/delta-1-5/requests/${uuid}/cancel`, { as: ann })
  assert.deepEqual(JSON.parse(text), { status: 'CANCELLATION_REQUESTED' })
  const path = `/replicate/v1/predictions/${uuid}/cancel`
  assert.equal(JSON.parse((await kinora.call('POST', path, { as: ann })).text).status, 'processing')
  providersWith(t, app, { cancel: async () => 'cancelled' })
  assert.equal(JSON.parse((await kinora.call('POST', path, { as: ann })).text).status, 'canceled')
  assert.equal(asked.length, 2)
  const generation = await kinora.call('GET', `/api/v1/videos/${uuid}`, { as: ann })
  assert.equal(JSON.parse(generation.text).status, 'cancelled')

  const other = await generatingOne(t, async () => 'cancelled')
  assert.equal((await kinora.call('DELETE', `/v1/videos/${other.uuid}`, { as: other.ann })).status, 200)
  assert.deepEqual(await balanceOf(other.ann), { available: 16, frozen: 0, used: 0 })
})

test('200: ten simultaneous cancels, of which the provider confirms one → the same response, one refund', async (t) => {
  let confirmed = 0
  const { ann, uuid } = await generatingOne(t, async () => {
    confirmed += 1
    return confirmed === 1 ? 'cancelled' : 'too_late'
  })
  const first = await cancel(ann, uuid)
  const others = await Promise.all(Array.from({ length: 9 }, () => cancel(ann, uuid)))
  for (const { data } of others) assert.deepEqual(data, first.data)
  assert.equal((await refundsOf(ann)).length, 1)
})

test('200: no worker has recorded the provider’s answer (crash) → the poll reports it', async (t) => {
  const { ann, uuid } = await generatingOne(t, async () => 'cancelled')
  app.crashPoint = (name) => {
    if (name === 'cancel.answered') throw new Error('crashed')
  }
  t.after(() => {
    app.crashPoint = () => undefined
  })
  assert.equal((await cancel(ann, uuid)).status, 500)
  assert.equal((await readRow(kinora, uuid)).status, 'GENERATING')
  providersWith(t, app, { poll: async () => ({ kind: 'failed', failure: { code: 'CANCELLED', message: 'gone' } }) })
  await runNextStep(kinora, uuid)
  assert.deepEqual(await balanceOf(ann), { available: 16, frozen: 0, used: 0 })
})

test('404: unknown, another user’s or deleted video → nothing changes, no credit account is created (IDOR)', async () => {
  const { ann, uuid } = await generateOne(32)
  const eve = await kinora.person({ credits: 0 })
  const deleted = (await kinora.generate(ann)).data.uuid
  await kinora.call('DELETE', `/api/v1/video/${deleted}`, { as: ann })
  for (const [as, id] of [
    [eve, uuid],
    [ann, deleted],
    [ann, randomUUID()],
    [ann, 'none'],
  ] as const) {
    const { status, error } = await cancel(as, id)
    assert.equal(status, 404)
    assert.equal(error?.code, 'NOT_FOUND')
  }
  for (const id of [uuid, deleted]) assert.equal((await readRow(kinora, id)).status, 'PENDING')
  assert.deepEqual(await balanceOf(ann), { available: 0, frozen: 32, used: 0 })
  assert.equal((await app.sql`select from kinora.credit_account where user_id = ${eve.userId}`).length, 0)
})

test('401: no credential → refused', async () => {
  const { status, error } = await kinora.call('POST', `/api/v1/video/${randomUUID()}/cancel`)
  assert.equal(status, 401)
  assert.equal(error?.code, 'UNAUTHENTICATED')
})
