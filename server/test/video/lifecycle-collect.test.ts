// slow
/**
 * UPLOADING: the worker downloads, inspects, stores and settles a film exactly once, through failures of the provider,
 * of storage and of competing workers; no file remains of a film that is not paid for.
 */
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { workOnce } from '../../src/worker/worker.ts'
import { greyFilm } from '../support/films.ts'
import { openUploading, type UploadingVideo } from '../support/uploading-video.ts'
import { advanceClockTo, filesOf, logOf, readRow, runNextStep, runUntilFinal, waitFor } from '../support/video-row.ts'

const { provider, kinora, storage, createUploadingVideo, creditsOf, assertPaid, assertFailed } = await openUploading()
const { app } = kinora
const HOUR_MS = 3600_000

const rejectStorageCall = (): Promise<void> => Promise.reject(new Error('the disk is on fire'))

test('download: 404, 500, 403 and 429 in turn → retried after 2, 5, 15 and 30 s, then COMPLETED', async () => {
  kinora.holdClock()
  const video = await createUploadingVideo()
  const statuses = [404, 500, 403, 429]
  provider.onFilm = () => ({ status: statuses.shift() ?? 418 })
  const delaysS: number[] = []
  for (let tries = 0; tries < 4; tries++) {
    const { dueAt } = await runNextStep(kinora, video.uuid)
    delaysS.push(((dueAt?.getTime() ?? 0) - app.now().getTime()) / 1000)
  }
  assert.deepEqual(delaysS, [2, 5, 15, 30])
  provider.reset()
  await runUntilFinal(kinora, video.uuid)
  await assertPaid(video)
})

test('download: 404 for an hour → FAILED and credits released, no sooner', async () => {
  kinora.holdClock()
  const video = await createUploadingVideo()
  provider.onFilm = () => ({ status: 404 })
  const startMs = app.now().getTime()
  await runUntilFinal(kinora, video.uuid)
  assert.equal(Math.round((app.now().getTime() - startMs) / 60_000), 60)
  await assertFailed(video, /^The provider's film could not be used: .* status 404\.$/)
})

for (const [name, film] of [
  ['HTML', Buffer.from('<!doctype html><p>Please sign in')],
  ['zeros', Buffer.alloc(10_000)],
] as const) {
  test(`download: ${name} → FAILED at once, without a retry`, async () => {
    const video = await createUploadingVideo()
    provider.onFilm = () => film
    assert.equal((await runNextStep(kinora, video.uuid)).status, 'FAILED')
    await assertFailed(video, /^The provider's film could not be used: [A-Z].*\.$/)
  })
}

test('download: 202, 204, an empty and half a film in turn → retried, then COMPLETED', async () => {
  kinora.holdClock()
  const video = await createUploadingVideo()
  const whole = await provider.onFilm()
  const half = Buffer.isBuffer(whole) ? whole.subarray(0, whole.length / 2) : assert.fail()
  const replies = [{ status: 202 }, { status: 204 }, Buffer.alloc(0), half]
  provider.onFilm = () => replies.shift() ?? whole
  for (let tries = 0; tries < 4; tries++) assert.equal((await runNextStep(kinora, video.uuid)).status, 'UPLOADING')
  await runUntilFinal(kinora, video.uuid)
  await assertPaid(video)
})

for (const [name, isHalf] of [
  ['an empty file', false],
  ['half a film', true],
] as const) {
  test(`download: ${name} for five minutes → FAILED and credits released, no sooner`, async () => {
    kinora.holdClock()
    const video = await createUploadingVideo()
    const whole = await provider.onFilm()
    const sent = isHalf && Buffer.isBuffer(whole) ? whole.subarray(0, whole.length / 2) : Buffer.alloc(0)
    provider.onFilm = () => sent
    const startMs = app.now().getTime()
    await runUntilFinal(kinora, video.uuid)
    assert.equal(Math.round((app.now().getTime() - startMs) / 60_000), 5)
    await assertFailed(video, /^The provider's film could not be used: [A-Z1-9].*\.$/)
  })
}

for (const [name, film, error] of [
  ['a second of four', () => greyFilm(640, 360, 1), /It has 1 s where 4 s were ordered\.$/],
  ['320×180 of 720p', () => greyFilm(320, 180, 4), /It has 320×180 pixels where 720 on the short side were ordered\.$/],
] as const) {
  test(`download: ${name} → FAILED at once, NOT_AS_ORDERED`, async () => {
    const video = await createUploadingVideo()
    const sent = await film()
    provider.onFilm = () => sent
    assert.equal((await runNextStep(kinora, video.uuid)).status, 'FAILED')
    await assertFailed(video, error)
    const [row] = await app.sql`select error_code from kinora.video where id = ${video.uuid}`
    assert.equal(row?.errorCode, 'NOT_AS_ORDERED')
  })

  test(`download: ${name}, then another link → COMPLETED with the film of that link`, async () => {
    const video = await createUploadingVideo()
    const [sent, whole] = [await film(), await provider.onFilm()]
    assert.equal(await provider.callBack(provider.submits[0], { videoUrl: `${provider.filmUrl}?2` }), 200)
    provider.onFilm = (query) => (query === '?2' ? whole : sent)
    await runUntilFinal(kinora, video.uuid)
    await assertPaid(video)
  })
}

test('download: 9:16 where 16:9 was ordered → COMPLETED, every view shows the film’s own shape', async () => {
  const video = await createUploadingVideo()
  const sent = await greyFilm(360, 640, 2)
  provider.onFilm = () => sent
  await runUntilFinal(kinora, video.uuid)
  await assertPaid(video)
  const read = async (path: string) => (await kinora.call<Record<string, unknown>>('GET', path, { as: video.ann })).data
  assert.equal((await read(`/api/v1/video/${video.uuid}`)).aspectRatio, '9:16')
  const { videos } = await read('/api/v1/video/list')
  assert.equal(Array.isArray(videos) && videos[0].aspectRatio, '9:16')
})

test('download: 410 → FAILED at once, without a retry', async () => {
  const video = await createUploadingVideo()
  provider.onFilm = () => ({ status: 410 })
  assert.equal((await runNextStep(kinora, video.uuid)).status, 'FAILED')
  await assertFailed(video, /status 410/)
})

test('storage: put fails three times → retried, then COMPLETED and paid', async () => {
  const video = await createUploadingVideo()
  app.storage.put = rejectStorageCall
  for (let tries = 0; tries < 3; tries++) assert.equal((await runNextStep(kinora, video.uuid)).status, 'UPLOADING')
  assert.deepEqual(filesOf(kinora, video.ann.userId, video.uuid), { stored: [], temporary: [] })
  Object.assign(app.storage, storage)
  await runUntilFinal(kinora, video.uuid)
  await assertPaid(video)
})

test('storage: the film is stored and its thumbnail never → FAILED after an hour, the film is removed', async () => {
  const video = await createUploadingVideo()
  app.storage.put = (key, file, type) => (key.endsWith('.jpg') ? rejectStorageCall() : storage.put(key, file, type))
  await runNextStep(kinora, video.uuid)
  assert.deepEqual(filesOf(kinora, video.ann.userId, video.uuid).stored, [])
  kinora.turnClock(HOUR_MS)
  await runUntilFinal(kinora, video.uuid)
  await assertFailed(video, /^The provider's film could not be used: The film could not be stored\.$/)
})

test('storage: put and remove fail for an hour → FAILED and credits released', async () => {
  const video = await createUploadingVideo()
  app.storage.put = rejectStorageCall
  app.storage.remove = rejectStorageCall
  assert.equal((await runNextStep(kinora, video.uuid)).status, 'UPLOADING')
  kinora.turnClock(HOUR_MS)
  await runUntilFinal(kinora, video.uuid)
  await assertFailed(video, /The film could not be stored\.$/)
})

test('storage: the user’s folder cannot be written → retried, then COMPLETED and paid', async () => {
  const video = await createUploadingVideo()
  const folder = path.join(app.config.dataDir, 'files/video', video.ann.userId)
  await mkdir(path.dirname(folder), { recursive: true })
  await writeFile(folder, 'a file where a folder should be')
  assert.equal((await runNextStep(kinora, video.uuid)).status, 'UPLOADING')
  await rm(folder)
  await runUntilFinal(kinora, video.uuid)
  await assertPaid(video)
})

test('download: the folder for temporary files cannot be written → retried, not FAILED', async () => {
  const video = await createUploadingVideo()
  const temporaryFiles = path.join(app.config.dataDir, 'tmp')
  await rm(temporaryFiles, { recursive: true, force: true })
  await writeFile(temporaryFiles, '')
  assert.equal((await runNextStep(kinora, video.uuid)).status, 'UPLOADING')
  await rm(temporaryFiles)
  await runUntilFinal(kinora, video.uuid)
  await assertPaid(video)
})

test('lease: eight workers at one due video → one downloads, stores and settles', async () => {
  const video = await createUploadingVideo()
  const eightTimes = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, work))
  // Open eight connections first: otherwise the first worker is done before the others are connected.
  await eightTimes(async () => app.sql`select pg_sleep(0.1)`)
  await eightTimes(() => workOnce(app))
  await assertPaid(video)
  assert.equal(provider.fetches, 1)
})

/** Stalls one worker in its download until its lease has expired and another worker has completed the video. */
async function completeDuringStall(video: UploadingVideo, lateReply: Buffer | { status: number }): Promise<void> {
  const { onFilm } = provider
  const download = Promise.withResolvers<void>()
  provider.onFilm = async () => {
    if (provider.fetches > 1) return onFilm()
    await download.promise
    return lateReply
  }
  const stalledWorker = workOnce(app)
  await waitFor('the first download', () => provider.fetches === 1)
  advanceClockTo(kinora, (await readRow(kinora, video.uuid)).dueAt ?? app.now())
  await workOnce(app)
  assert.equal((await readRow(kinora, video.uuid)).status, 'COMPLETED')
  // Also past the hour for which an unreachable film is retried.
  kinora.turnClock(2 * HOUR_MS)
  download.resolve()
  await stalledWorker
}

for (const [name, film] of [
  ['HTML', Buffer.from('<html>')],
  ['404', { status: 404 }],
  ['410', { status: 410 }],
] as const) {
  test(`lease: it expires during a download that then yields ${name} → the video stays COMPLETED and paid`, async () => {
    const video = await createUploadingVideo()
    await completeDuringStall(video, film)
    await assertPaid(video)
    assert.deepEqual(await logOf(kinora, video.uuid), ['accepted', 'result', 'completed'])
  })
}

test('lease: it expires during a download that then yields the film → settled once', async () => {
  const video = await createUploadingVideo()
  await completeDuringStall(video, await provider.onFilm())
  await assertPaid(video)
})

test('download: callbacks arrive meanwhile → a contradiction and another link are logged, the film is stored', async () => {
  const video = await createUploadingVideo()
  const [submit] = provider.submits
  const { onFilm } = provider
  provider.onFilm = async () => {
    assert.equal(await provider.callBack(submit, { error: 'No.' }), 200)
    assert.equal(await provider.callBack(submit, { videoUrl: 'http://127.0.0.1:1/another.mp4' }), 200)
    assert.equal(await provider.callBack(submit, {}), 200)
    return onFilm()
  }
  await runNextStep(kinora, video.uuid)
  await assertPaid(video)
  assert.deepEqual(await logOf(kinora, video.uuid), [
    'accepted',
    'result',
    'contradicted',
    'another result',
    'completed',
  ])
})

test('404: the video is deleted while UPLOADING → it completes and is paid, but stays hidden', async () => {
  const { ann, uuid } = await createUploadingVideo()
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${uuid}`, { as: ann })).status, 200)
  await runUntilFinal(kinora, uuid)
  assert.deepEqual(await creditsOf(ann), { available: 0, frozen: 0, used: 24 })
  assert.equal((await kinora.call('GET', `/api/v1/video/${uuid}`, { as: ann })).status, 404)
})
