/**
 * PENDING: at-most-once submission. A task is submitted again only after a provider has certainly not accepted it, for
 * every reply of a provider, every early callback, and every worker whose result arrives after its lease has expired.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { openProviders } from '../../src/provider/open.ts'
import { runStep } from '../../src/video/lifecycle.ts'
import type { ClaimedVideo } from '../../src/video/transitions.ts'
import { workOnce } from '../../src/worker/worker.ts'
import { forgetFailuresBeforeEach } from '../support/forget-failures.ts'
import { openKinora, type Person } from '../support/harness.ts'
import {
  accepted,
  type Reply,
  refusal,
  type Submit,
  startScriptedProvider,
  taskIdOf,
} from '../support/scripted-provider.ts'
import { useShortTimeouts } from '../support/short-timeout-providers.ts'
import {
  advanceClockTo,
  claimVideo,
  logOf,
  type Row,
  readRow,
  runNextStep,
  runUntilFinal,
  waitFor,
} from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
const { app } = kinora
after(() => provider.close())
beforeEach(() => provider.reset())
forgetFailuresBeforeEach(kinora)

async function createVideo(change = {}): Promise<{ ann: Person; uuid: string }> {
  const ann = await kinora.person({ credits: 24 })
  const created = await kinora.generate(ann, { model: 'alpha-2', ...change })
  return { ann, uuid: created.data.uuid }
}
const creditsOf = async (ann: Person) => {
  const { available, frozen, used } = await kinora.balance(ann)
  return { available, frozen, used }
}
const paid = { available: 0, frozen: 0, used: 24 }
const released = { available: 24, frozen: 0, used: 0 }
/** Seconds until the next step is due; exact while the clock is held. */
const delayS = ({ dueAt }: Row) => ((dueAt?.getTime() ?? 0) - app.now().getTime()) / 1000
/** The providers submitted to, in order, by the last letter of their names. */
const submitSequence = () => provider.submits.map((submit) => submit.provider.at(-1)).join('')

test('submit: 429 every time → three retries with backoff, the next provider, and after 30 s the first again', async () => {
  kinora.holdClock()
  const { ann, uuid } = await createVideo()
  provider.onSubmit = () => refusal(429)
  const delaysS: number[] = []
  for (let step = 0; step < 9; step++) delaysS.push(delayS(await runNextStep(kinora, uuid)))
  assert.equal(submitSequence(), 'aaaabbbba')
  assert.deepEqual(delaysS, [1, 2, 4, 0, 1, 2, 4, 30, 1])
  provider.onSubmit = (submit) => accepted(submit, 't')
  assert.equal((await runNextStep(kinora, uuid)).status, 'GENERATING')
  assert.deepEqual(await creditsOf(ann), { available: 0, frozen: 24, used: 0 })
})

test('submit: 429 until the deadline → FAILED with a reason, credits released', async () => {
  const { ann, uuid } = await createVideo()
  provider.onSubmit = () => refusal(429, { 'retry-after': '60' })
  const { status, error } = await runUntilFinal(kinora, uuid)
  assert.deepEqual({ status, error }, { status: 'FAILED', error: 'No provider could take the task in time.' })
  assert.deepEqual(await creditsOf(ann), released)
})

for (const status of [401, 402, 403, 404]) {
  test(`submit: ${status} (a fault of the operator’s account) → the next provider at once, one error in the log`, async () => {
    const { uuid } = await createVideo()
    const levels: string[] = []
    const { warn, error } = app.log
    app.log.error = () => levels.push('error')
    app.log.warn = () => levels.push('warn')
    provider.onSubmit = (submit) =>
      submit.provider === 'provider-a' ? refusal(status) : accepted(submit, `t${status}`)
    await workOnce(app)
    await workOnce(app)
    Object.assign(app.log, { warn, error })
    assert.equal(submitSequence(), 'ab')
    assert.deepEqual(levels, ['error'])
    assert.equal((await readRow(kinora, uuid)).provider, 'provider-b')
  })
}

test('submit: 429 with Retry-After → retried after that time, 1 to 60 s', async () => {
  kinora.holdClock()
  for (const [retryAfter, seconds] of [
    ['7', 7],
    ['3600', 60],
    ['-5', 1],
  ] as const) {
    const { ann, uuid } = await createVideo()
    provider.onSubmit = () => refusal(429, { 'retry-after': retryAfter })
    assert.equal(delayS(await runNextStep(kinora, uuid)), seconds, retryAfter)
    // Cancel it, so that no later test submits it.
    assert.equal((await kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as: ann })).status, 200)
  }
})

const ambiguous: [string, Reply][] = [
  ['a connection reset', 'reset'],
  ['status 500', { status: 500, body: {} }],
  ['status 200 without a task id', { status: 200, body: {} }],
  ['no reply', 'silence'],
]
for (const [name, reply] of ambiguous) {
  test(`submit: ${name} (outcome unknown) → never submitted again, FAILED at the deadline`, async (t) => {
    const { ann, uuid } = await createVideo()
    provider.onSubmit = () => reply
    if (reply === 'silence') await useShortTimeouts(t, kinora)
    await workOnce(app)
    const { dueAt, deadlineAt } = await readRow(kinora, uuid)
    assert.deepEqual(dueAt, deadlineAt)
    const { status, error } = await runUntilFinal(kinora, uuid)
    assert.deepEqual(
      { status, error },
      { status: 'FAILED', error: 'The provider never said whether it took the task.' },
    )
    assert.equal(submitSequence(), 'a')
    assert.deepEqual(await creditsOf(ann), released)
  })
}

test('outcome unknown: a callback reports completed → COMPLETED and paid', async () => {
  const { ann, uuid } = await createVideo()
  provider.onSubmit = () => 'reset'
  await workOnce(app)
  assert.equal(await provider.callBack(provider.submits[0], { taskId: 't-reset', videoUrl: provider.filmUrl }), 200)
  const row = await runUntilFinal(kinora, uuid)
  assert.deepEqual([row.status, row.providerTaskId], ['COMPLETED', 't-reset'])
  assert.deepEqual(await creditsOf(ann), paid)
})

test('outcome unknown: a callback reports running → GENERATING, and polled by its taskId', async () => {
  const { ann, uuid } = await createVideo()
  provider.onSubmit = () => 'reset'
  await workOnce(app)
  assert.equal(await provider.callBack(provider.submits[0], { taskId: 't-at-it' }), 200)
  const row = await readRow(kinora, uuid)
  assert.deepEqual([row.status, row.providerTaskId], ['GENERATING', 't-at-it'])
  provider.onAsk = (_name, id) => ({ status: 200, body: { id, status: 'completed', results: [provider.filmUrl] } })
  assert.equal((await runUntilFinal(kinora, uuid)).status, 'COMPLETED')
  assert.deepEqual(await creditsOf(ann), paid)
  assert.equal(submitSequence(), 'a')
})

/** Runs a submit and calls `action` after the provider has received it and before it replies. */
async function duringSubmit(reply: (submit: Submit) => Reply, action: (submit: Submit) => Promise<unknown>) {
  const gate = Promise.withResolvers<void>()
  provider.onSubmit = async (submit) => {
    await gate.promise
    return reply(submit)
  }
  const submitting = workOnce(app)
  await waitFor('the submit', () => provider.submits.length > 0)
  const [submit] = provider.submits
  if (submit) await action(submit)
  gate.resolve()
  await submitting
}

test('early callback: completed, then the submit is accepted with the same taskId → collected and paid once', async () => {
  const { ann, uuid } = await createVideo()
  await duringSubmit(
    (submit) => accepted(submit, taskIdOf(submit)),
    async (submit) => {
      assert.equal(await provider.callBack(submit, { taskId: taskIdOf(submit), videoUrl: provider.filmUrl }), 200)
      assert.equal((await readRow(kinora, uuid)).status, 'UPLOADING')
    },
  )
  assert.equal((await runUntilFinal(kinora, uuid)).status, 'COMPLETED')
  assert.deepEqual(await logOf(kinora, uuid), ['result', 'accepted', 'completed'])
  assert.deepEqual(await creditsOf(ann), paid)
  assert.equal(provider.fetches, 1)
})

test('early callback: completed, then the submit is accepted with another taskId → the first taskId is kept', async () => {
  const { ann, uuid } = await createVideo()
  await duringSubmit(
    (submit) => accepted(submit, 'another-task'),
    (submit) => provider.callBack(submit, { taskId: 'first-task', videoUrl: provider.filmUrl }),
  )
  assert.equal(await provider.callBack(provider.submits[0], { taskId: 'another-task', error: 'Broken.' }), 409)
  const row = await runUntilFinal(kinora, uuid)
  assert.deepEqual([row.status, row.providerTaskId], ['COMPLETED', 'first-task'])
  assert.deepEqual(await logOf(kinora, uuid), ['result', 'accepted as another task', 'completed'])
  assert.deepEqual(await creditsOf(ann), paid)
})

const contradictoryReplies: [string, (submit: Submit) => Reply, string][] = [
  ['refused', () => refusal(400), 'COMPLETED'],
  ['not accepted', () => refusal(503), 'COMPLETED'],
  ['unknown', () => 'reset', 'COMPLETED'],
]
for (const [name, reply, end] of contradictoryReplies) {
  test(`early callback: completed, then the submit’s outcome is ${name} → COMPLETED and paid`, async () => {
    const { ann, uuid } = await createVideo()
    await duringSubmit(reply, (submit) =>
      provider.callBack(submit, { taskId: `e-${name}`, videoUrl: provider.filmUrl }),
    )
    assert.equal((await runUntilFinal(kinora, uuid)).status, end)
    assert.deepEqual(await creditsOf(ann), paid)
    assert.equal(submitSequence(), 'a')
  })
}

test('early callback: failed, then the submit is accepted → FAILED, and the taskId is recorded', async () => {
  const { ann, uuid } = await createVideo()
  await duringSubmit(
    (submit) => accepted(submit, 'early-failed'),
    (submit) => provider.callBack(submit, { error: 'Too dark.' }),
  )
  const row = await readRow(kinora, uuid)
  assert.deepEqual([row.status, row.error, row.providerTaskId], ['FAILED', 'Too dark.', 'early-failed'])
  assert.deepEqual(await creditsOf(ann), released)
})

test('submit: accepted after the lease expired → GENERATING, polled within 3 s', async () => {
  const { uuid } = await createVideo()
  await duringSubmit(
    (submit) => accepted(submit, 'late-answer'),
    async () => {
      advanceClockTo(kinora, (await readRow(kinora, uuid)).dueAt ?? app.now())
      await workOnce(app)
      assert.equal((await readRow(kinora, uuid)).status, 'PENDING')
    },
  )
  const row = await readRow(kinora, uuid)
  assert.equal(row.status, 'GENERATING')
  assert.ok((row.dueAt?.getTime() ?? 0) - app.now().getTime() <= 3000)
  assert.equal(submitSequence(), 'a')
})

test('submit: accepted after another worker has claimed the video → GENERATING, polled within 3 s', async () => {
  const { ann, uuid } = await createVideo()
  const lease = randomUUID()
  let claimedVideo: ClaimedVideo | undefined
  await duringSubmit(
    (submit) => accepted(submit, 'crossing'),
    async () => {
      advanceClockTo(kinora, (await readRow(kinora, uuid)).dueAt ?? app.now())
      claimedVideo = await claimVideo(kinora, ann.userId, uuid, lease)
    },
  )
  await runStep(app, { video: claimedVideo ?? assert.fail(), lease, signal: new AbortController().signal })
  const row = await readRow(kinora, uuid)
  assert.equal(row.status, 'GENERATING')
  assert.ok((row.dueAt?.getTime() ?? 0) - app.now().getTime() <= 3000)
})

test('submit: a provider is no longer configured → skipped', async () => {
  const { uuid } = await createVideo()
  const configured = app.providers
  const { 'provider-a': _removed, ...others } = app.config.providers
  app.providers = openProviders(others)
  await workOnce(app)
  app.providers = configured
  await workOnce(app)
  assert.equal(submitSequence(), 'b')
  assert.equal((await readRow(kinora, uuid)).status, 'GENERATING')
})
