/** What a provider says of a task beside its status: handle, cost, queue, time left, failure; odd callbacks. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { FAILURES } from '../../src/film/failure.ts'
import type { Callback, Handle, Provider, Report } from '../../src/provider/provider.ts'
import { callbackUrl } from '../../src/video/callback-reference.ts'
import { completedVideo } from '../support/completed-video.ts'
import { greyFilm } from '../support/films.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { providersWith } from '../support/providers-with.ts'
import { advanceClockTo, readRow, waitFor } from '../support/video-row.ts'
import { workOn } from '../support/work-until.ts'

const kinora = await openKinora()
const { app } = kinora

let tasks = 0
/** Accepts every task under an id of its own, with `more` in the handle. */
const accepting =
  (more: Record<string, string> = {}): Provider['submit'] =>
  async () => ({ kind: 'accepted', handle: { taskId: `own-${++tasks}`, ...more } })
const useProvider = (t: TestContext, calls: Partial<Provider>) =>
  providersWith(t, app, { submit: accepting(), ...calls })

type Video = { ann: Person; uuid: string }

async function createVideo(): Promise<Video> {
  const ann = await kinora.person({ credits: 100 })
  return { ann, uuid: (await kinora.generate(ann)).data.uuid }
}
/** Runs the next step of this video alone: those of other tests are still in progress. */
async function runNextStep({ ann, uuid }: Video) {
  const { dueAt } = await readRow(kinora, uuid)
  if (dueAt) advanceClockTo(kinora, dueAt)
  await workOn(app, ann.userId, uuid)
  return readRow(kinora, uuid)
}
const taskOf = async (as: Person, uuid: string) =>
  (await kinora.call('GET', `/api/v1/video/task?uuid=${uuid}`, { as })).data
const costOf = async (uuid: string) => {
  const [row] =
    await app.sql`select reserved_cost, final_cost, cost_unit, unit_usd from kinora.video where id = ${uuid}`
  return [row?.reservedCost, row?.finalCost, row?.costUnit, row?.unitUsd]
}
const running = (more: object = {}): Report => ({ kind: 'running', progress: null, ...more })
/** Answers polls one after another, the last one for ever. */
const answers = (...reports: (Report | null)[]) => {
  let n = -1
  return async () => {
    n = Math.min(n + 1, reports.length - 1)
    return reports[n] ?? null
  }
}
const callBack = async ({ ann, uuid }: Video) => {
  const url = callbackUrl(app.config, 'provider-b', { userId: ann.userId, videoId: uuid })
  const { pathname, search } = new URL(url)
  return kinora.call('POST', pathname + search, { body: '{}' })
}

test('handle: more than a task id → sealed in the row, the same for the poll; after a change of AUTH_SECRET the id alone', async (t) => {
  const handles: Handle[] = []
  const poll = async (handle: Handle) => {
    handles.push(handle)
    return running()
  }
  useProvider(t, { submit: accepting({ statusUrl: 'https://vendor.example/status/secret' }), poll })
  const video = await createVideo()
  const { uuid } = video
  await runNextStep(video)
  const [row] = await app.sql`select provider_task_id, provider_handle from kinora.video where id = ${uuid}`
  assert.ok(!row?.providerHandle.toString('latin1').includes('vendor.example'))
  await runNextStep(video)
  const { authSecret } = app.config
  app.config.authSecret = 'another auth secret of thirty-two bytes'
  await runNextStep(video)
  app.config.authSecret = authSecret
  const taskId = row?.providerTaskId
  assert.deepEqual(handles, [{ taskId, statusUrl: 'https://vendor.example/status/secret' }, { taskId }])
})

test('handle: longer than 4 kB → the task id alone', async (t) => {
  const poll = async (handle: Handle) => (Object.keys(handle).length === 1 ? running({ progress: 7 }) : null)
  useProvider(t, { submit: accepting({ secret: 'x'.repeat(5000) }), poll })
  const video = await createVideo()
  await runNextStep(video)
  assert.equal((await runNextStep(video)).progress, 7)
})

test('200: queue position and seconds left as the provider says → in the task; a poll without an answer keeps them', async (t) => {
  kinora.holdClock()
  useProvider(t, { poll: answers(running({ queuePosition: 3, remainingS: 100 }), null, running()) })
  const video = await createVideo()
  const { ann, uuid } = video
  await runNextStep(video)
  const shown = async () => {
    const { queuePosition, estimatedSeconds } = await taskOf(ann, uuid)
    return [queuePosition, estimatedSeconds]
  }
  assert.deepEqual(await shown(), [null, 60])
  await runNextStep(video)
  assert.deepEqual(await shown(), [3, 100])
  await runNextStep(video)
  const [queuePosition, estimatedSeconds] = await shown()
  assert.ok(queuePosition === 3 && Number(estimatedSeconds) < 100 && Number(estimatedSeconds) > 90)
  await runNextStep(video)
  assert.equal((await shown())[0], null)
  kinora.turnClock(3600_000)
  assert.deepEqual(await shown(), [null, null])
})

test('cost: reserved, then final, then reserved again → final stays; never said → null', async (t) => {
  const reserved = { amount: '0.30', unit: 'USD', stage: 'reserved' } as const
  const final = { amount: '0.2512345678', unit: 'USD', stage: 'final' } as const
  useProvider(t, {
    submit: async () => ({ kind: 'accepted', handle: { taskId: 'costly' }, cost: reserved }),
    poll: answers(running({ cost: final }), running({ cost: reserved }), running()),
  })
  const video = await createVideo()
  const { uuid } = video
  assert.deepEqual(await costOf(uuid), [null, null, null, null])
  await runNextStep(video)
  assert.deepEqual(await costOf(uuid), ['0.30', null, 'USD', '1'])
  for (let polls = 0; polls < 3; polls++) {
    await runNextStep(video)
    assert.deepEqual(await costOf(uuid), ['0.30', '0.2512345678', 'USD', '1'])
  }
})

test('cost: unit with a value of its account → stored with it; final cost in another unit → the reserved one goes', async (t) => {
  const account = app.config.providers['provider-b'] ?? assert.fail()
  account.unitUsd = { credits: 0.005 }
  t.after(() => delete account.unitUsd)
  useProvider(t, {
    submit: async () => ({
      kind: 'accepted',
      handle: { taskId: 'in-credits' },
      cost: { amount: '60', unit: 'credits', stage: 'reserved' },
    }),
    poll: answers(running({ cost: { amount: '7', unit: 'units', stage: 'final' } })),
  })
  const video = await createVideo()
  await runNextStep(video)
  assert.deepEqual(await costOf(video.uuid), ['60', null, 'credits', '0.005'])
  await runNextStep(video)
  assert.deepEqual(await costOf(video.uuid), [null, '7', 'units', null])
})

test('cost: film that costs more than the catalogue says, by more than a tenth → logged once a day for its route', async (t) => {
  const bytes = await greyFilm(1280, 720, 4, { framesPerSecond: 1 })
  let amount = '0.6'
  useProvider(t, {
    submit: async () => ({
      kind: 'accepted',
      handle: { taskId: `stated-${++tasks}` },
      report: { kind: 'completed', result: 'own', cost: { amount, unit: 'USD', stage: 'final' } },
    }),
    openResult: async () => ({ kind: 'bytes', bytes }),
  })
  const lines: unknown[] = []
  const warn = app.log.warn
  app.log.warn = ((fields: Record<string, unknown>) => lines.push(fields)) as typeof warn
  t.after(() => {
    app.log.warn = warn
  })
  const makeFilm = async () => {
    const video = await createVideo()
    await runNextStep(video)
    await app.sql`update kinora.video set catalogue_usd = 0.5 where user_id = ${video.ann.userId} and id = ${video.uuid}`
    assert.equal((await runNextStep(video)).status, 'COMPLETED')
    return video
  }
  const { ann, uuid } = await makeFilm()
  await makeFilm()
  const route = { model: 'delta-1-5', account: 'provider-b' }
  assert.deepEqual(lines, [{ video: uuid, userId: ann.userId, ...route, expectedUsd: 0.5, foundUsd: 0.6 }])
  kinora.turnClock(86_400_000)
  amount = '0.55'
  await makeFilm()
  assert.equal(lines.length, 1)
  amount = '0.4'
  await makeFilm()
  assert.equal(lines.length, 2)
})

test('submit: accepted with its result → UPLOADING at once; with its failure → FAILED', async (t) => {
  const submits: Report[] = [
    { kind: 'completed', result: 'https://films.example/1.mp4' },
    { kind: 'failed', failure: { code: 'CONTENT_REFUSED', message: 'Too dark.' } },
  ]
  const submit = async () => ({
    kind: 'accepted' as const,
    handle: { taskId: `at-once-${submits.length}` },
    report: submits.shift() ?? assert.fail(),
  })
  useProvider(t, { submit })
  const [first, second] = [await createVideo(), await createVideo()]
  await Promise.all([runNextStep(first), runNextStep(second)])
  const rows = [await readRow(kinora, first.uuid), await readRow(kinora, second.uuid)]
  assert.deepEqual(rows.map(({ status }) => status).sort(), ['FAILED', 'UPLOADING'])
})

for (const [step, code, retryable] of [
  ['submit', 'PARAMETERS_REFUSED', false],
  ['poll', 'CONTENT_REFUSED', false],
  ['poll', 'PROVIDER_BUSY', true],
] as const) {
  test(`200: ${step} fails with ${code} → failure in task, detail and list, retryable ${retryable}`, async (t) => {
    const failure = { code, message: 'Not this one.' }
    useProvider(t, {
      submit: step === 'submit' ? async () => ({ kind: 'refused', failure }) : accepting(),
      poll: async () => ({ kind: 'failed', failure }),
    })
    const video = await createVideo()
    const { ann, uuid } = video
    await runNextStep(video)
    if (step === 'poll') await runNextStep(video)
    const { data: detail } = await kinora.call('GET', `/api/v1/video/${uuid}`, { as: ann })
    const { data: list } = await kinora.call<{ videos: { failure: unknown }[] }>('GET', '/api/v1/video/list', {
      as: ann,
    })
    const shown = [await taskOf(ann, uuid), detail, list.videos[0]].map((each) => each?.failure)
    assert.deepEqual(shown, Array(3).fill({ ...failure, retryable }))
    assert.equal((await kinora.balance(ann)).available, 100)
  })
}

test('poll: lost for a minute → FAILED, LOST; for less, and then running → goes on', async (t) => {
  kinora.holdClock()
  const lost: Report = { kind: 'lost' }
  useProvider(t, { poll: answers(lost, null, lost) })
  const gone = await createVideo()
  await runNextStep(gone)
  await runNextStep(gone)
  const sinceMs = app.now().getTime()
  while ((await readRow(kinora, gone.uuid)).status === 'GENERATING') await runNextStep(gone)
  assert.equal((await readRow(kinora, gone.uuid)).errorCode, 'LOST')
  const lastedS = (app.now().getTime() - sinceMs) / 1000
  assert.ok(lastedS >= 60 && lastedS < 75, `${lastedS} s`)

  useProvider(t, { poll: answers(lost, running(), lost, running()) })
  const back = await createVideo()
  for (let step = 0; step < 5; step++) assert.equal((await runNextStep(back)).status, 'GENERATING')
})

test('poll: the adapter throws → no answer; the deadline ends the film', async (t) => {
  kinora.holdClock()
  let polls = 0
  const poll = () => {
    polls += 1
    return Promise.reject(new TypeError('a bug of the adapter'))
  }
  useProvider(t, { poll })
  const video = await createVideo()
  await runNextStep(video)
  let row = await runNextStep(video)
  assert.deepEqual([row.status, row.attempt, row.leaseId], ['GENERATING', 1, null])
  while (row.status === 'GENERATING') row = await runNextStep(video)
  assert.deepEqual([row.status, row.errorCode, polls > 5], ['FAILED', 'TIMED_OUT', true])
  assert.equal((await kinora.balance(video.ann)).available, 100)
})

test('poll: queue position and seconds that no row can have → without them', async (t) => {
  for (const number of [1e300, -1, 0.5, Number.NaN]) {
    useProvider(t, { poll: answers(running({ queuePosition: number, remainingS: number, progress: 5 })) })
    const video = await createVideo()
    await runNextStep(video)
    const { status, progress } = await runNextStep(video)
    assert.ok(status === 'GENERATING' && Number(progress) >= 5, String(number))
  }
})

test('submit: the response has the film → its result is the first that is recorded, so that no crash loses it', async (t) => {
  const statuses: string[] = []
  for (const report of [
    { kind: 'completed', result: 'https://vendor.example/film.mp4' },
    { kind: 'failed', failure: { code: 'CONTENT_REFUSED', message: 'No boats.' } },
  ] as const) {
    const video = await createVideo()
    const apply = app.calls.apply.add
    let isAnswered = false
    providersWith(t, app, {
      poll: undefined,
      submit: async () => {
        isAnswered = true
        return { kind: 'accepted', handle: { taskId: `whole-${++tasks}` }, report }
      },
    })
    app.calls.apply.add = async (userId, request, now) => {
      const outcome = await apply(userId, request, now)
      if (isAnswered) statuses.push((await readRow(kinora, video.uuid)).status)
      isAnswered = false
      return outcome
    }
    await runNextStep(video)
    app.calls.apply.add = apply
  }
  assert.deepEqual(statuses, ['UPLOADING', 'FAILED'])
})

test('callback: a hint → polled at once; while the answer to the submit is outstanding, accepted with its handle', async (t) => {
  kinora.holdClock()
  const readCallback = async (): Promise<Callback> => ({ kind: 'poll', handle: null })
  useProvider(t, { poll: answers(running()), readCallback })
  const video = await createVideo()
  await runNextStep(video)
  assert.ok(((await readRow(kinora, video.uuid)).dueAt ?? app.now()) > app.now())
  assert.equal((await callBack(video)).status, 200)
  assert.deepEqual((await readRow(kinora, video.uuid)).dueAt, app.now())

  const handle = { taskId: 'hinted', secret: 's' }
  const handles: Handle[] = []
  useProvider(t, {
    submit: async () => ({ kind: 'unknown', reason: 'no answer' }),
    poll: async (given) => {
      handles.push(given)
      return running()
    },
    readCallback: async () => ({ kind: 'poll', handle }),
  })
  const unknown = await createVideo()
  await runNextStep(unknown)
  assert.equal((await readRow(kinora, unknown.uuid)).status, 'PENDING')
  assert.equal((await callBack(unknown)).status, 200)
  assert.equal((await readRow(kinora, unknown.uuid)).status, 'GENERATING')
  await runNextStep(unknown)
  assert.deepEqual(handles, [handle])
})

for (const [name, callback, status, text] of [
  ['a reply that is text', { kind: 'report', handle: null, report: running(), reply: 'ok' }, 200, /^ok$/],
  ['a reply that is JSON', { kind: 'poll', handle: null, reply: { code: 0 } }, 200, /^\{"code":0\}$/],
  ['no reply', { kind: 'report', handle: null, report: { kind: 'lost' } }, 200, /"received":true/],
  ['a challenge', { kind: 'challenge', reply: { challenge: 'x' } }, 200, /^\{"challenge":"x"\}$/],
  ['keys that cannot be read', { kind: 'try_later' }, 503, /UNAVAILABLE/],
  ['a forgery', { kind: 'forged' }, 401, /UNAUTHENTICATED/],
  ['nothing readable', { kind: 'unreadable' }, 400, /INVALID_REQUEST/],
] as [string, Callback, number, RegExp][]) {
  test(`${status}: callback with ${name} → ${text.source}`, async (t) => {
    useProvider(t, { readCallback: async () => callback })
    const video = await createVideo()
    await runNextStep(video)
    const { ann, uuid } = video
    const url = new URL(callbackUrl(app.config, 'provider-b', { userId: ann.userId, videoId: uuid }))
    const response = await fetch(kinora.url + url.pathname + url.search, { method: 'POST', body: '{}' })
    assert.equal(response.status, status)
    assert.match(await response.text(), text)
  })
}

test('docs/api.md: codes of failures → as they are, with the same word on a retry', () => {
  const text = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| (yes|no) \|/gm)].map(([, code, word]) => [code, word === 'yes'])
  assert.deepEqual(rows, Object.entries(FAILURES))
})

test('200: no word of the provider, ten films that took 20 s → the next one is estimated at 20 s', async () => {
  const ann = await kinora.person({ credits: 1000 })
  for (let films = 0; films < 10; films++) await completedVideo(kinora, ann)
  await app.sql`update kinora.video set accepted_at = result_at - interval '20 seconds' where user_id = ${ann.userId}`
  kinora.turnClock(6 * 60_000)
  await waitFor('the medians', async () => {
    const { data } = await kinora.generate(ann)
    return (await taskOf(ann, data.uuid)).estimatedSeconds === 20
  })
})
