/**
 * UPLOADING: a film with more than one link, and a film that more than one worker stores. The links are tried in turn,
 * no worker overwrites the file of another, and files that no video was completed with are removed.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweepOrphans } from '../../src/video/film-files.ts'
import { workOnce } from '../../src/worker/worker.ts'
import { greyFilm } from '../support/films.ts'
import { openUploading, type UploadingVideo } from '../support/uploading-video.ts'
import { advanceClockTo, filesOf, readRow, runNextStep, runUntilFinal, waitFor } from '../support/video-row.ts'

const { provider, kinora, storage, createUploadingVideo, assertPaid, assertFailed } = await openUploading()
const { app } = kinora
const HOUR_MS = 3600_000

const recordsOf = ({ uuid }: UploadingVideo) => app.sql`select due_at from kinora.video_file where video_id = ${uuid}`

/** Stores under a lease, loses it meanwhile, and stores the rest after another worker has completed the video. */
async function completeDuringStore(video: UploadingVideo, film: Buffer): Promise<void> {
  const { onFilm } = provider
  const store = Promise.withResolvers<void>()
  let puts = 0
  app.storage.put = async (key, file, type) => {
    if (++puts === 1) await store.promise
    return storage.put(key, file, type)
  }
  const stalledWorker = workOnce(app)
  await waitFor('the first put', () => puts === 1)
  advanceClockTo(kinora, (await readRow(kinora, video.uuid)).dueAt ?? app.now())
  provider.onFilm = () => film
  await workOnce(app)
  assert.equal((await readRow(kinora, video.uuid)).status, 'COMPLETED')
  provider.onFilm = onFilm
  store.resolve()
  await stalledWorker
}

test('lease: it expires while the film is being stored → the file of the next worker is not overwritten', async () => {
  const video = await createUploadingVideo()
  const film = await greyFilm(640, 360, 2)
  await completeDuringStore(video, film)
  const { data } = await kinora.call<{ videoUrl: string }>('GET', `/api/v1/video/${video.uuid}`, { as: video.ann })
  // Its manifest is embedded in front of the pictures, which are as the provider sent them.
  const stored = Buffer.from(await (await fetch(data.videoUrl)).arrayBuffer())
  assert.ok(stored.includes(film.subarray(film.indexOf('mdat'))))
  // The worker without a lease removes what it has stored.
  await assertPaid(video)
  assert.equal((await recordsOf(video)).length, 0)
})

test('sweep: files of a worker that lost its lease and cannot remove them → removed after an hour, the film stays', async () => {
  const video = await createUploadingVideo()
  app.storage.remove = () => Promise.reject(new Error('the disk is on fire'))
  await completeDuringStore(video, await greyFilm(640, 360, 2))
  const names = ['jpg', 'jpg', 'mp4', 'mp4'].map((extension) => `${video.uuid}.${extension}`)
  assert.deepEqual(filesOf(kinora, video.ann.userId, video.uuid).stored, names)
  await sweepOrphans(app)
  assert.equal((await recordsOf(video)).length, 1)
  kinora.turnClock(HOUR_MS)
  await sweepOrphans(app)
  assert.deepEqual(filesOf(kinora, video.ann.userId, video.uuid).stored, names)
  Object.assign(app.storage, storage)
  await sweepOrphans(app)
  assert.equal((await recordsOf(video)).length, 1)
  kinora.turnClock(HOUR_MS)
  await sweepOrphans(app)
  await assertPaid(video)
  assert.equal((await recordsOf(video)).length, 0)
})

test('sweep: a worker with a valid lease is storing for more than an hour → its files stay', async () => {
  const video = await createUploadingVideo()
  app.storage.put = async (key, file, type) => {
    await storage.put(key, file, type)
    await app.sql`update kinora.video_file set due_at = ${app.now()} where video_id = ${video.uuid}`
    assert.equal(await sweepOrphans(app), 0)
  }
  await runNextStep(kinora, video.uuid)
  await assertPaid(video)
})

test('sweep: the video was completed with the files of a record → they stay, the record goes', async () => {
  const video = await createUploadingVideo()
  await runUntilFinal(kinora, video.uuid)
  await app.sql`
    insert into kinora.video_file (user_id, video_id, lease_id, video_key, thumbnail_key, due_at)
    select user_id, id, gen_random_uuid(), video_key, thumbnail_key, ${app.now()} from kinora.video where id = ${video.uuid}
  `
  assert.equal(await sweepOrphans(app), 1)
  await assertPaid(video)
  assert.equal((await recordsOf(video)).length, 0)
})

const reportLink = async (query: string) =>
  assert.equal(await provider.callBack(provider.submits[0], { videoUrl: provider.filmUrl + query }), 200)

test('links: the first yields 404, another is reported → tried at once, COMPLETED and paid', async () => {
  kinora.holdClock()
  const video = await createUploadingVideo()
  const { onFilm } = provider
  provider.onFilm = (query) => (query === '?2' ? onFilm(query) : { status: 404 })
  assert.equal((await runNextStep(kinora, video.uuid)).status, 'UPLOADING')
  await reportLink('?2')
  assert.equal(await workOnce(app), 1)
  await assertPaid(video)
})

for (const [name, first] of [
  ['404', { status: 404 }],
  ['410', { status: 410 }],
  ['HTML', Buffer.from('<html>')],
] as const) {
  test(`links: another is reported during the download of the first, which yields ${name} → COMPLETED and paid`, async () => {
    const video = await createUploadingVideo()
    const { onFilm } = provider
    provider.onFilm = async (query) => {
      if (query === '?2') return onFilm(query)
      await reportLink('?2')
      return first
    }
    await runNextStep(kinora, video.uuid)
    await runNextStep(kinora, video.uuid)
    await assertPaid(video)
    assert.equal(provider.fetches, 2)
  })
}

test('links: the first yields 503, another 410 → the first is tried again, COMPLETED and paid', async () => {
  const video = await createUploadingVideo()
  const { onFilm } = provider
  provider.onFilm = () => ({ status: 503 })
  await runNextStep(kinora, video.uuid)
  await reportLink('?2')
  provider.onFilm = (query) => (query === '?2' ? { status: 410 } : onFilm(query))
  await runNextStep(kinora, video.uuid)
  await runNextStep(kinora, video.uuid)
  await assertPaid(video)
})

test('links: another is reported during the download of the first, 503; it yields 410 → the first is tried again', async () => {
  const video = await createUploadingVideo()
  const { onFilm } = provider
  provider.onFilm = async () => {
    await reportLink('?2')
    return { status: 503 }
  }
  await runNextStep(kinora, video.uuid)
  provider.onFilm = (query) => (query === '?2' ? { status: 410 } : onFilm(query))
  await runNextStep(kinora, video.uuid)
  await runNextStep(kinora, video.uuid)
  await assertPaid(video)
})

test('links: both unusable → FAILED and credits released', async () => {
  const video = await createUploadingVideo()
  provider.onFilm = async () => {
    if (provider.fetches === 1) await reportLink('?2')
    return { status: 410 }
  }
  await runUntilFinal(kinora, video.uuid)
  assert.equal(provider.fetches, 2)
  await assertFailed(video, /status 410/)
})

test('links: a new one with every download → FAILED after an hour', async () => {
  kinora.holdClock()
  const video = await createUploadingVideo()
  provider.onFilm = async () => {
    await reportLink(`?${provider.fetches + 1}`)
    return { status: 410 }
  }
  const startMs = app.now().getTime()
  await runUntilFinal(kinora, video.uuid)
  assert.equal(Math.round((app.now().getTime() - startMs) / 60_000), 60)
  await assertFailed(video, /status 410/)
})
