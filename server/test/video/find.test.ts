/**
 * A submit of which it is unknown whether it arrived, at a provider that can be asked: accepted when it has the task,
 * sent again when it certainly has not, asked again otherwise. Never two tasks that are paid.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Provider, Report, SubmitOutcome } from '../../src/provider/provider.ts'
import { callbackUrl } from '../../src/video/callback-reference.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { providersWith } from '../support/providers-with.ts'
import { advanceClockTo, logOf, readRow } from '../support/video-row.ts'
import { workOn } from '../support/work-until.ts'

const kinora = await openKinora()
const { app } = kinora

type Find = NonNullable<Provider['find']>
type Video = { ann: Person; uuid: string }

async function createVideo(): Promise<Video> {
  const ann = await kinora.person({ credits: 16 })
  return { ann, uuid: (await kinora.generate(ann)).data.uuid }
}
async function runNextStep({ ann, uuid }: Video) {
  const { dueAt } = await readRow(kinora, uuid)
  if (dueAt) advanceClockTo(kinora, dueAt)
  await workOn(app, ann.userId, uuid)
  return readRow(kinora, uuid)
}
const handle = { taskId: 'found-1', path: '/tasks/1' }
const unknown: SubmitOutcome = { kind: 'unknown', reason: 'the connection broke' }

/** Every submit is unknown. @returns the submits, and when the provider was asked, in seconds after the first */
function useUnknownSubmits(t: TestContext, find: Find) {
  const seen = { submits: 0, askedS: [] as number[] }
  let firstMs = 0
  providersWith(t, app, {
    submit: async () => {
      if (seen.submits++ === 0) firstMs = app.now().getTime()
      return unknown
    },
    find: async (...args) => {
      seen.askedS.push(Math.round((app.now().getTime() - firstMs) / 1000))
      return find(...args)
    },
    poll: async () => ({ kind: 'running', progress: null }),
  })
  return seen
}

test('find: the provider has the task → GENERATING with its handle, sent once', async (t) => {
  kinora.holdClock()
  const seen = useUnknownSubmits(t, async ({ videoId, model, callbackUrl }) => {
    assert.ok(callbackUrl?.includes(videoId) && model === 'delta-1-5')
    return { kind: 'found', handle }
  })
  const video = await createVideo()
  assert.equal((await runNextStep(video)).status, 'PENDING')
  const row = await runNextStep(video)
  assert.deepEqual([row.status, row.providerTaskId, seen.submits, seen.askedS], ['GENERATING', 'found-1', 1, [5]])
  assert.deepEqual(await logOf(kinora, video.uuid), ['no answer', 'accepted'])
})

test('find: the task is found with its result → UPLOADING', async (t) => {
  const report = { kind: 'completed', result: 'https://films.example/1.mp4' } as const
  useUnknownSubmits(t, async () => ({ kind: 'found', handle: { taskId: 'found-2' }, report }))
  const video = await createVideo()
  await runNextStep(video)
  assert.equal((await runNextStep(video)).status, 'UPLOADING')
})

test('find: none → asked again with backoff, and sent again only when it can no longer arrive', async (t) => {
  kinora.holdClock()
  const seen = useUnknownSubmits(t, async () => ({ kind: 'none' }))
  const video = await createVideo()
  while (seen.submits < 2) await runNextStep(video)
  const last = seen.askedS.at(-1) ?? 0
  assert.ok(last >= 600 && last < 700, String(seen.askedS))
  assert.deepEqual(seen.askedS.slice(0, 3), [5, 15, 35])
  assert.ok(seen.askedS.filter((second) => second < 600).length < 20)
  assert.deepEqual(await logOf(kinora, video.uuid), ['no answer', 'not accepted', 'no answer'])
})

test('find: no answer until the deadline → FAILED, credits released, sent once', async (t) => {
  const seen = useUnknownSubmits(t, async () => null)
  const video = await createVideo()
  let row = await runNextStep(video)
  while (row.dueAt) row = await runNextStep(video)
  assert.deepEqual([row.status, row.errorCode, seen.submits], ['FAILED', 'NOT_ACCEPTED', 1])
  assert.equal((await kinora.balance(video.ann)).available, 16)
})

test('find: a worker died between the record of the submit and the request → the task is found to be none and sent again', async (t) => {
  const seen = useUnknownSubmits(t, async () => ({ kind: 'none' }))
  const video = await createVideo()
  await app.sql`update kinora.video set submitted_at = ${app.now()} where id = ${video.uuid}`
  while (seen.submits < 1) await runNextStep(video)
  assert.equal(seen.submits, 1)
})

for (const point of ['find.answered', 'find.recorded']) {
  test(`find: worker killed at ${point} → the next one accepts the same task`, async (t) => {
    const taskId = `killed-at-${point}`
    useUnknownSubmits(t, async () => ({ kind: 'found', handle: { taskId } }))
    const video = await createVideo()
    await runNextStep(video)
    const { crashPoint } = app
    app.crashPoint = (name) => {
      if (name === point) throw new Error('killed')
    }
    await runNextStep(video)
    app.crashPoint = crashPoint
    const row = await runNextStep(video)
    assert.deepEqual([row.status, row.providerTaskId], ['GENERATING', taskId])
    assert.deepEqual(await logOf(kinora, video.uuid), ['no answer', 'accepted'])
  })
}

test('find: a callback arrives while the provider is asked → its result stays, for any answer', async (t) => {
  for (const found of [{ kind: 'none' } as const, { kind: 'found', handle: { taskId: 'crossing' } } as const]) {
    const video = await createVideo()
    useUnknownSubmits(t, async () => {
      // Whichever is healthy: the tests before this one were failures of the first.
      const row = await readRow(kinora, video.uuid)
      await app.calls.apply.add(
        video.ann.userId,
        {
          step: 'report_result',
          user_id: video.ann.userId,
          id: video.uuid,
          provider: row.provider,
          task_id: 'crossing',
          url: 'https://films.example/1.mp4',
        },
        app.now(),
      )
      return found
    })
    await runNextStep(video)
    await app.sql`update kinora.video set submitted_at = ${new Date(app.now().getTime() - 700_000)} where id = ${video.uuid}`
    const row = await runNextStep(video)
    assert.deepEqual([row.status, row.providerTaskId], ['UPLOADING', 'crossing'])
    await app.sql`delete from kinora.provider_task where task_id = 'crossing'`
  }
})

test('submit: a worker that was paused before it sent → sends nothing after its minute', async (t) => {
  let mayStillSend: boolean | undefined
  providersWith(t, app, {
    submit: async (_task, options) => {
      assert.equal(options?.maySend?.(), true)
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
      mayStillSend = options?.maySend?.()
      t.mock.timers.reset()
      return { kind: 'not_accepted', reason: 'it was too late to send it', retryable: true }
    },
  })
  const video = await createVideo()
  await runNextStep(video)
  assert.equal(mayStillSend, false)
})

test('callback: it says failed while the provider still makes the film → the film goes on, and ends by the poll', async (t) => {
  let state: Report = { kind: 'running', progress: 40 }
  const { adapter } = (await app.providers.open('provider-b')) ?? assert.fail()
  const { failsByCallback: _, ...capabilities } = adapter.capabilities
  const failed = { kind: 'failed', failure: { code: 'PROVIDER_ERROR', message: 'It broke' } } as const
  providersWith(t, app, {
    adapter: { ...adapter, capabilities },
    submit: async () => ({ kind: 'accepted', handle }),
    readCallback: async () => ({ kind: 'report', handle, report: failed }),
    poll: async () => state,
  })
  const video = await createVideo()
  const { provider } = await runNextStep(video)
  const url = callbackUrl(app.config, provider, { userId: video.ann.userId, videoId: video.uuid })
  const report = async () => (await kinora.call('POST', url.slice(kinora.url.length), { body: {} })).status
  assert.equal(await report(), 200)
  assert.equal((await runNextStep(video)).status, 'GENERATING')
  state = failed
  assert.equal(await report(), 200)
  const row = await runNextStep(video)
  assert.deepEqual([row.status, row.errorCode], ['FAILED', 'PROVIDER_ERROR'])
  assert.equal((await kinora.balance(video.ann)).available, 16)
})
