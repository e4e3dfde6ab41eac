/**
 * PENDING: a task is handed to a provider at most once unless it was certainly not taken, whatever the provider answers,
 * whoever calls back meanwhile, and whichever worker reports late.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { runStep } from '../src/video/lifecycle.ts'
import type { ClaimedVideo } from '../src/video/transitions.ts'
import { workOnce } from '../src/worker.ts'
import { openKinora, type Person } from './harness.ts'
import { useHastyProviders } from './hasty-providers.ts'
import { accepted, type Reply, refusal, type Submit, startScriptedProvider, taskIdOf } from './scripted-provider.ts'
import { claimVideo, eventsOf, liveToTheEnd, nextStep, type Row, readRow, turnTo, waitFor } from './video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
const { app } = kinora
after(() => provider.close())
beforeEach(() => provider.reset())

async function begin(change = {}): Promise<{ ann: Person; uuid: string }> {
  const ann = await kinora.person({ credits: 24 })
  const made = await kinora.generate(ann, { model: 'alpha-2', ...change })
  return { ann, uuid: made.data.uuid }
}
const booksOf = async (ann: Person) => {
  const { available, frozen, used } = await kinora.balance(ann)
  return { available, frozen, used }
}
const paid = { available: 0, frozen: 0, used: 24 }
const givenBack = { available: 24, frozen: 0, used: 0 }
/** How long after this step the next one is due, while the clock is held. */
const pauseS = ({ dueAt }: Row) => ((dueAt?.getTime() ?? 0) - app.now().getTime()) / 1000
const turns = () => provider.submits.map((submit) => submit.provider.at(-1)).join('')
/** Holds an answer back until it is let go. */
function held(): { until: Promise<void>; letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { until: promise, letGo: resolve }
}

test('three backoffs at one provider, then the next one, and after a pause round again', async () => {
  kinora.holdClock()
  const { ann, uuid } = await begin()
  provider.onSubmit = () => refusal(503)
  const pausesS: number[] = []
  for (let step = 0; step < 9; step++) pausesS.push(pauseS(await nextStep(kinora, uuid)))
  assert.equal(turns(), 'aaaabbbba')
  assert.deepEqual(pausesS, [1, 2, 4, 0, 1, 2, 4, 30, 1])
  provider.onSubmit = (submit) => accepted(submit, 't')
  assert.equal((await nextStep(kinora, uuid)).status, 'GENERATING')
  assert.deepEqual(await booksOf(ann), { available: 0, frozen: 24, used: 0 })
})

test('a provider that never takes it: released at the deadline, with a reason', async () => {
  const { ann, uuid } = await begin()
  provider.onSubmit = () => refusal(429, { 'retry-after': '60' })
  const { status, error } = await liveToTheEnd(kinora, uuid)
  assert.deepEqual({ status, error }, { status: 'FAILED', error: 'No provider could take the task in time.' })
  assert.deepEqual(await booksOf(ann), givenBack)
})

for (const status of [401, 402, 403, 404]) {
  test(`${status} is about our account: the next provider at once, and an error in the log`, async () => {
    const { uuid } = await begin()
    const levels: string[] = []
    const { warn, error } = app.log
    app.log.error = () => levels.push('error')
    app.log.warn = () => levels.push('warn')
    provider.onSubmit = (submit) =>
      submit.provider === 'provider-a' ? refusal(status) : accepted(submit, `t${status}`)
    await workOnce(app)
    await workOnce(app)
    Object.assign(app.log, { warn, error })
    assert.equal(turns(), 'ab')
    assert.deepEqual(levels, ['error'])
    assert.equal((await readRow(kinora, uuid)).provider, 'provider-b')
  })
}

test('Retry-After is kept to, up to a minute', async () => {
  kinora.holdClock()
  for (const [asked, seconds] of [
    ['7', 7],
    ['3600', 60],
    ['-5', 1],
  ] as const) {
    const { ann, uuid } = await begin()
    provider.onSubmit = () => refusal(429, { 'retry-after': asked })
    assert.equal(pauseS(await nextStep(kinora, uuid)), seconds, asked)
    // It is not to be sent in the middle of a later test.
    assert.equal((await kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as: ann })).status, 200)
  }
})

const ambiguous: [string, Reply][] = [
  ['a reset', 'reset'],
  ['a 500', { status: 500, body: {} }],
  ['a 200 without a task', { status: 200, body: {} }],
  ['silence', 'silence'],
]
for (const [name, reply] of ambiguous) {
  test(`after ${name} it is never sent again: released at the deadline`, async (t) => {
    const { ann, uuid } = await begin()
    provider.onSubmit = () => reply
    if (reply === 'silence') await useHastyProviders(t, kinora)
    await workOnce(app)
    const { dueAt, deadlineAt } = await readRow(kinora, uuid)
    assert.deepEqual(dueAt, deadlineAt)
    const { status, error } = await liveToTheEnd(kinora, uuid)
    assert.deepEqual(
      { status, error },
      { status: 'FAILED', error: 'The provider never said whether it took the task.' },
    )
    assert.equal(turns(), 'a')
    assert.deepEqual(await booksOf(ann), givenBack)
  })
}

test('after a reset a callback tells that it was taken: the film is collected and paid', async () => {
  const { ann, uuid } = await begin()
  provider.onSubmit = () => 'reset'
  await workOnce(app)
  assert.equal(await provider.callBack(provider.submits[0], { taskId: 't-reset', videoUrl: provider.filmUrl }), 200)
  const row = await liveToTheEnd(kinora, uuid)
  assert.deepEqual([row.status, row.providerTaskId], ['COMPLETED', 't-reset'])
  assert.deepEqual(await booksOf(ann), paid)
})

test('after a reset a callback "still at it" names the task: from then on it is asked for', async () => {
  const { ann, uuid } = await begin()
  provider.onSubmit = () => 'reset'
  await workOnce(app)
  assert.equal(await provider.callBack(provider.submits[0], { taskId: 't-at-it' }), 200)
  const row = await readRow(kinora, uuid)
  assert.deepEqual([row.status, row.providerTaskId], ['GENERATING', 't-at-it'])
  provider.onAsk = (_name, id) => ({ status: 200, body: { id, status: 'completed', results: [provider.filmUrl] } })
  assert.equal((await liveToTheEnd(kinora, uuid)).status, 'COMPLETED')
  assert.deepEqual(await booksOf(ann), paid)
  assert.equal(turns(), 'a')
})

/** Runs a submit whose answer is held back while something else happens. */
async function duringSubmit(reply: (submit: Submit) => Reply, happens: (submit: Submit) => Promise<unknown>) {
  const answer = held()
  provider.onSubmit = async (submit) => {
    await answer.until
    return reply(submit)
  }
  const working = workOnce(app)
  await waitFor('the submit', () => provider.submits.length > 0)
  const [submit] = provider.submits
  if (submit) await happens(submit)
  answer.letGo()
  await working
}

test('an early callback, then the same task as answer: collected once, paid once', async () => {
  const { ann, uuid } = await begin()
  await duringSubmit(
    (submit) => accepted(submit, taskIdOf(submit)),
    async (submit) => {
      assert.equal(await provider.callBack(submit, { taskId: taskIdOf(submit), videoUrl: provider.filmUrl }), 200)
      assert.equal((await readRow(kinora, uuid)).status, 'UPLOADING')
    },
  )
  assert.equal((await liveToTheEnd(kinora, uuid)).status, 'COMPLETED')
  assert.deepEqual(await eventsOf(kinora, uuid), ['result', 'accepted', 'completed'])
  assert.deepEqual(await booksOf(ann), paid)
  assert.equal(provider.fetches, 1)
})

test('an early callback, then another task as answer: the first is kept, the other is noted and not heard', async () => {
  const { ann, uuid } = await begin()
  await duringSubmit(
    (submit) => accepted(submit, 'another-task'),
    (submit) => provider.callBack(submit, { taskId: 'first-task', videoUrl: provider.filmUrl }),
  )
  assert.equal(await provider.callBack(provider.submits[0], { taskId: 'another-task', error: 'Broken.' }), 409)
  const row = await liveToTheEnd(kinora, uuid)
  assert.deepEqual([row.status, row.providerTaskId], ['COMPLETED', 'first-task'])
  assert.deepEqual(await eventsOf(kinora, uuid), ['result', 'accepted as another task', 'completed'])
  assert.deepEqual(await booksOf(ann), paid)
})

const opposites: [string, (submit: Submit) => Reply, string][] = [
  ['refused', () => refusal(400), 'COMPLETED'],
  ['not taken', () => refusal(503), 'COMPLETED'],
  ['unknown', () => 'reset', 'COMPLETED'],
]
for (const [name, reply, end] of opposites) {
  test(`an early result, then "${name}" as answer: the result counts`, async () => {
    const { ann, uuid } = await begin()
    await duringSubmit(reply, (submit) =>
      provider.callBack(submit, { taskId: `e-${name}`, videoUrl: provider.filmUrl }),
    )
    assert.equal((await liveToTheEnd(kinora, uuid)).status, end)
    assert.deepEqual(await booksOf(ann), paid)
    assert.equal(turns(), 'a')
  })
}

test('an early failure, then "accepted" as answer: FAILED, and the task is on record', async () => {
  const { ann, uuid } = await begin()
  await duringSubmit(
    (submit) => accepted(submit, 'early-failed'),
    (submit) => provider.callBack(submit, { error: 'Too dark.' }),
  )
  const row = await readRow(kinora, uuid)
  assert.deepEqual([row.status, row.error, row.providerTaskId], ['FAILED', 'Too dark.', 'early-failed'])
  assert.deepEqual(await booksOf(ann), givenBack)
})

test('an answer that comes after the lease has passed on still counts, and is asked after in time', async () => {
  const { uuid } = await begin()
  await duringSubmit(
    (submit) => accepted(submit, 'late-answer'),
    async () => {
      turnTo(kinora, (await readRow(kinora, uuid)).dueAt ?? app.now())
      await workOnce(app)
      assert.equal((await readRow(kinora, uuid)).status, 'PENDING')
    },
  )
  const row = await readRow(kinora, uuid)
  assert.equal(row.status, 'GENERATING')
  assert.ok((row.dueAt?.getTime() ?? 0) - app.now().getTime() <= 3000)
  assert.equal(turns(), 'a')
})

test('an answer while another worker has just taken the row up: asked after in time all the same', async () => {
  const { ann, uuid } = await begin()
  const lease = randomUUID()
  let taken: ClaimedVideo | undefined
  await duringSubmit(
    (submit) => accepted(submit, 'crossing'),
    async () => {
      turnTo(kinora, (await readRow(kinora, uuid)).dueAt ?? app.now())
      taken = await claimVideo(kinora, ann.userId, uuid, lease)
    },
  )
  await runStep(app, { video: taken ?? assert.fail(), lease, signal: new AbortController().signal })
  const row = await readRow(kinora, uuid)
  assert.equal(row.status, 'GENERATING')
  assert.ok((row.dueAt?.getTime() ?? 0) - app.now().getTime() <= 3000)
})

test('a provider that has lost its settings is passed over', async () => {
  const { uuid } = await begin()
  const [name, gone] = ['provider-a', app.providers.get('provider-a')]
  app.providers.delete(name)
  await workOnce(app)
  if (gone) app.providers.set(name, gone)
  await workOnce(app)
  assert.equal(turns(), 'b')
  assert.equal((await readRow(kinora, uuid)).status, 'GENERATING')
})
