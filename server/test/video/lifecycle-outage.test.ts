// slow
/**
 * The worker's loop through outages: the database refuses connections in the middle of a step, or the worker is
 * stopped. Every video still reaches a final status, and the next worker takes over at once.
 */
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { startWorker, type Worker } from '../../src/worker/worker.ts'
import { withoutDatabase } from '../support/database-outage.ts'
import { forgetFailuresBeforeEach } from '../support/forget-failures.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { accepted, startScriptedProvider, taskIdOf } from '../support/scripted-provider.ts'
import { advanceClockTo, filesOf, logOf, readRow, waitFor } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: { ...provider.env, PROVIDER_TIMEOUT: '30s' } })
const { app } = kinora
const { crashPoint } = app
const storage = { ...app.storage }
let worker: Worker | null = null
after(async () => {
  await worker?.stop()
  provider.close()
})
beforeEach(() => provider.reset())
forgetFailuresBeforeEach(kinora)
afterEach(async () => {
  await worker?.stop()
  worker = null
  app.crashPoint = crashPoint
  Object.assign(app.storage, storage)
})

async function createVideo(): Promise<{ ann: Person; uuid: string }> {
  const ann = await kinora.person({ credits: 24 })
  return { ann, uuid: (await kinora.generate(ann, { model: 'alpha-2' })).data.uuid }
}
const statusOf = async (uuid: string) => (await readRow(kinora, uuid)).status
const waitForStatus = (uuid: string, status: string) => waitFor(status, async () => (await statusOf(uuid)) === status)
const usedCredits = async (ann: Person) => (await kinora.balance(ann)).used

/** Watches the log; the returned function returns whether a message with `text` was logged at `level` since. */
function watchLog(level: 'warn' | 'error', text: string): () => boolean {
  const originalLog = app.log[level]
  let isLogged = false
  app.log[level] = (_facts: unknown, message?: string) => {
    isLogged ||= message?.includes(text) ?? false
    if (isLogged) app.log[level] = originalLog
  }
  return () => isLogged
}
/** A closed gate: `pass` waits until `open` is called; `reached` resolves at the first `pass`. */
function gate(): { reached: Promise<void>; pass: () => Promise<void>; open: () => void } {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pass = () => {
    reached.resolve()
    return opened.promise
  }
  return { reached: reached.promise, pass, open: opened.resolve }
}
/**
 * Resolves when the next `steps` steps have inspected their films. An inspection is a process of low priority, which
 * takes any time on a busy machine: what is timed here begins behind it.
 */
function inspected(steps = 1): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = steps
  app.crashPoint = (name) => {
    crashPoint(name)
    if (name !== 'collect.inspected') return
    left -= 1
    if (left === 0) resolve()
  }
  return promise
}
const reportCompleted = () => {
  provider.onAsk = (_name, id) => ({ status: 200, body: { id, status: 'completed', results: [provider.filmUrl] } })
}
/** The next poll reports a film; waits until it is collected. */
async function collectFilm(uuid: string): Promise<void> {
  reportCompleted()
  const isInspected = inspected()
  advanceClockTo(kinora, (await readRow(kinora, uuid)).dueAt ?? app.now())
  await isInspected
  await waitForStatus(uuid, 'COMPLETED')
}

test('database outage: between steps → the worker resumes when it is back', async () => {
  worker = startWorker(app)
  const { ann, uuid } = await createVideo()
  await waitForStatus(uuid, 'GENERATING')
  const isClaimFailed = watchLog('error', 'provider steps: none could be claimed')
  await withoutDatabase(kinora, () => waitFor('a claim that fails', isClaimFailed))
  await collectFilm(uuid)
  assert.equal(await usedCredits(ann), 24)
})

test('database outage: while a provider accepts a submit → recorded when it is back, submitted once', async () => {
  const submitGate = gate()
  provider.onSubmit = async (submit) => {
    await submitGate.pass()
    return accepted(submit, taskIdOf(submit))
  }
  worker = startWorker(app)
  const { ann, uuid } = await createVideo()
  await submitGate.reached
  const isRecordingFailed = watchLog('warn', 'could not be recorded')
  await withoutDatabase(kinora, async () => {
    submitGate.open()
    await waitFor('a first attempt to record it, which fails', isRecordingFailed)
  })
  await waitForStatus(uuid, 'GENERATING')
  await collectFilm(uuid)
  assert.equal(await usedCredits(ann), 24)
  assert.equal(provider.submits.length, 1)
})

test('database outage: after the download → retried when the lease expires', async () => {
  reportCompleted()
  const downloadGate = gate()
  const { onFilm } = provider
  provider.onFilm = async () => {
    if (provider.fetches === 1) await downloadGate.pass()
    return onFilm()
  }
  worker = startWorker(app)
  const { ann, uuid } = await createVideo()
  await waitForStatus(uuid, 'GENERATING')
  advanceClockTo(kinora, (await readRow(kinora, uuid)).dueAt ?? app.now())
  await downloadGate.reached
  await withoutDatabase(kinora, async () => {
    const isInspected = inspected()
    downloadGate.open()
    await isInspected
    await waitFor('the step to end', () => filesOf(kinora, ann.userId, uuid).temporary.length === 0)
  })
  assert.equal(await statusOf(uuid), 'UPLOADING')
  const isInspected = inspected()
  kinora.turnClock(60_000)
  await isInspected
  await waitForStatus(uuid, 'COMPLETED')
  assert.equal(await usedCredits(ann), 24)
  assert.equal(filesOf(kinora, ann.userId, uuid).stored.length, 2)
})

test('503: the database refuses connections → Retry-After; 200 again when it is back', async () => {
  const ann = await kinora.person()
  const read = () => kinora.call('GET', '/api/v1/credit/balance', { as: ann })
  await withoutDatabase(kinora, async () => {
    const { status, headers } = await read()
    assert.deepEqual([status, Number(headers.get('retry-after')) > 0], [503, true])
  })
  await waitFor('the balance', async () => (await read()).status === 200)
})

test('graceful shutdown: three steps in progress → one finishes, one hands back its lease, one is abandoned', async () => {
  // One upload to storage ends in time, one cannot be aborted, and one download never ends.
  const uploads = [gate(), gate()]
  const download = gate()
  const { onFilm } = provider
  provider.onFilm = async () => {
    if (provider.fetches === 1) await download.pass()
    return onFilm()
  }
  const videos = [await createVideo(), await createVideo(), await createVideo()]
  let puts = 0
  app.storage.put = async (...put) => {
    puts++
    await uploads[puts - 1]?.pass()
    return storage.put(...put)
  }
  worker = startWorker(app)
  for (const { uuid } of videos) await waitForStatus(uuid, 'GENERATING')
  reportCompleted()
  kinora.turnClock(10_000)
  await Promise.all([download, ...uploads].map(({ reached }) => reached))

  const stopping = worker.stop()
  uploads[0]?.open()
  await stopping
  worker = null
  const statuses = await Promise.all(videos.map(({ uuid }) => statusOf(uuid)))
  assert.deepEqual(statuses.sort(), ['COMPLETED', 'UPLOADING', 'UPLOADING'])
  for (const { uuid } of videos) {
    const { dueAt, leaseId } = await readRow(kinora, uuid)
    assert.equal(leaseId, null)
    assert.ok(dueAt === null || dueAt <= app.now(), 'due at once')
  }

  const areInspected = inspected(2)
  worker = startWorker(app)
  await areInspected
  for (const { uuid } of videos) await waitForStatus(uuid, 'COMPLETED')
  // The abandoned upload ends after another worker has completed its video.
  uploads[1]?.open()
  download.open()
  for (const { ann, uuid } of videos) {
    assert.equal(await usedCredits(ann), 24)
    assert.deepEqual((await logOf(kinora, uuid)).filter((entry) => entry === 'completed').length, 1)
  }
})
