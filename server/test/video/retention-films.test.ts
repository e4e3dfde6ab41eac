/**
 * Retention of films: those of deleted videos and, with KEEP_FILMS, of all videos are removed from storage; rows and
 * books stay. The worker's sweep removes them, and nothing when its clock is wrong.
 */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { balance } from '../../src/credit/ledger.ts'
import { newId } from '../../src/id.ts'
import { sweepFilms } from '../../src/video/film-files.ts'
import { sweepOldRows } from '../../src/worker/retention.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { acceptAnyTime, restoreClockLimit } from '../support/database.ts'
import * as finished from '../support/finished-video.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { logOf, waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true })
const { app } = kinora
const { sql, storage } = app
const retention = { ...app.config.retention }
const remove = storage.remove
afterEach(() => {
  Object.assign(app.config.retention, retention)
  storage.remove = remove
})
const HOUR_S = 3600
const DAY_S = 86_400
const DAY_MS = DAY_S * 1000

const finishedVideo = () => finished.finishedVideo(kinora)
const deleteVideo = (video: finished.FinishedVideo) => finished.deleteVideo(kinora, video)
const storedOf = (video: finished.FinishedVideo) => finished.storedOf(kinora, video)
const both = ({ uuid }: finished.FinishedVideo) => [`${uuid}.jpg`, `${uuid}.mp4`]
const ago = (s: number) => new Date(app.now().getTime() - s * 1000)
const verificationsOf = async (id: string) => (await sql`select from public."verification" where "id" = ${id}`).length

test('DELETED_KEPT: 30 days by default → then film and thumbnail are removed once, logged; row and cost stay', async () => {
  const [deleted, other] = [await finishedVideo(), await finishedVideo()]
  await deleteVideo(deleted)
  kinora.turnClock(30 * DAY_MS - 60_000)
  await sweepFilms(app)
  assert.deepEqual(storedOf(deleted), both(deleted))
  kinora.turnClock(60_000)
  await sweepFilms(app)
  await sweepFilms(app)
  assert.deepEqual(storedOf(deleted), [])
  assert.deepEqual(storedOf(other), both(other))
  assert.deepEqual((await logOf(kinora, deleted.uuid)).slice(-2), ['completed', 'files removed'])
  const [row] = await sql`select status, credits from kinora.video where id = ${deleted.uuid}`
  assert.deepEqual({ ...row }, { status: 'COMPLETED', credits: 16 })
  const audited = await sql`
    select actor_id, action, subject, reason, before->>'videoKey' as key
    from kinora.audit where user_id = ${deleted.ann.userId} and action like 'video.%'
  `
  assert.equal(audited.length, 1)
  const { key, ...entry } = audited[0] ?? {}
  assert.deepEqual(entry, {
    actorId: '00000000-0000-0000-0000-000000000000',
    action: 'video.remove-files',
    subject: deleted.uuid,
    reason: 'DELETED_KEPT',
  })
  assert.match(key, /^video\/.*\.mp4$/)
  // The session has expired with the film.
  assert.equal((await balance(app, deleted.ann.userId)).used, 16)
})

test('DELETED_KEPT: 0 → the next sweep removes the files, also when two workers sweep', async () => {
  app.config.retention.deletedS = 0
  const deleted = await finishedVideo()
  await sweepFilms(app)
  assert.deepEqual(storedOf(deleted), both(deleted))
  await deleteVideo(deleted)
  await Promise.all([sweepFilms(app), sweepFilms(app), sweepFilms(app)])
  assert.deepEqual(storedOf(deleted), [])
  assert.deepEqual((await logOf(kinora, deleted.uuid)).filter((entry) => entry === 'files removed').length, 1)
})

test('DELETED_KEPT: the video is deleted while it is made → its files are removed after it is completed', async () => {
  app.config.retention.deletedS = 0
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann)
  await deleteVideo({ ann, uuid: data.uuid })
  await sweepFilms(app)
  await kinora.workUntil(async () => (await kinora.balance(ann)).used === 16)
  assert.deepEqual(storedOf({ ann, uuid: data.uuid }).length, 2)
  await sweepFilms(app)
  assert.deepEqual(storedOf({ ann, uuid: data.uuid }), [])
})

test('KEEP_FILMS: for ever by default; 90 days → older films are removed, their videos stay without links', async () => {
  const video = await finishedVideo()
  kinora.turnClock(1000 * DAY_MS)
  const as = await renew(video.ann)
  const { videoUrl } = (await kinora.call<Record<string, unknown>>('GET', `/api/v1/video/${video.uuid}`, { as })).data
  await sweepFilms(app)
  assert.deepEqual(storedOf(video), both(video))
  app.config.retention.filmsS = 1001 * DAY_S
  await sweepFilms(app)
  assert.deepEqual(storedOf(video), both(video))
  app.config.retention.filmsS = 90 * DAY_S
  await sweepFilms(app)
  assert.deepEqual(storedOf(video), [])
  const [row] = await sql`select files_removed_at from kinora.video where id = ${video.uuid}`
  assert.ok(row?.filesRemovedAt)
  const after = await kinora.call<Record<string, unknown>>('GET', '/api/v1/video/list', { as })
  const [listed] = after.data.videos as Record<string, unknown>[]
  assert.deepEqual([listed?.status, listed?.videoUrl, listed?.thumbnailUrl], ['COMPLETED', null, null])
  assert.equal((await fetch(String(videoUrl))).status, 404)
})

/** The session of a person ends while a test moves the clock. */
async function renew(as: Person): Promise<Person> {
  const token = newId(app.now())
  await sql`
    insert into public."session" ("id", "token", "userId", "expiresAt", "updatedAt")
    values (${token}, ${token}, ${as.userId}, ${new Date(app.now().getTime() + DAY_MS)}, ${app.now()})
  `
  return { ...as, token }
}

test('sweep: the files of one film cannot be removed → those of the others are; tried again by the next sweep', async () => {
  app.config.retention.deletedS = 0
  const [first, second] = [await finishedVideo(), await finishedVideo()]
  await deleteVideo(first)
  await deleteVideo(second)
  storage.remove = (key) => (key.includes(first.uuid) ? Promise.reject(new Error('the disk is on fire')) : remove(key))
  await sweepFilms(app)
  assert.deepEqual(storedOf(first), both(first))
  assert.deepEqual(storedOf(second), [])
  assert.deepEqual((await logOf(kinora, first.uuid)).at(-1), 'completed')
  storage.remove = remove
  await sweepFilms(app)
  assert.deepEqual(storedOf(first), [])
})

test('sweep: more films than one batch → all are removed, in batches of 100 rows', async () => {
  app.config.retention.deletedS = 0
  const { ann, uuid } = await finishedVideo()
  await sql`
    insert into kinora.video
    select (jsonb_populate_record(v, jsonb_build_object('id', gen_random_uuid(), 'deleted_at', ${app.now()}::timestamptz))).*
    from kinora.video v, generate_series(1, 250) where v.id = ${uuid}
  `
  await sql`
    insert into kinora.credit_hold
    select (jsonb_populate_record(h, jsonb_build_object('id', v.id))).*
    from kinora.credit_hold h join kinora.video v on v.user_id = h.user_id and v.id <> h.id where h.id = ${uuid}
  `
  let removed = 0
  storage.remove = async (key) => {
    if (key.includes(ann.userId) && !key.endsWith('.c2pa')) removed++
  }
  await sweepFilms(app)
  assert.equal(removed, 500)
  await sql`delete from kinora.credit_hold where user_id = ${ann.userId} and id <> ${uuid}`
  await sql`delete from kinora.video where user_id = ${ann.userId} and id <> ${uuid}`
})

test('sweep: the clock of the process is a year ahead → nothing is removed', async () => {
  const deleted = await finishedVideo()
  await deleteVideo(deleted)
  await sql`insert into public."verification" ("id", "identifier", "value", "expiresAt") values ('alive', 'x', 'x', ${ago(-HOUR_S)})`
  const aheadMs = new Date(Date.now() + 365 * DAY_MS).getTime() - app.now().getTime()
  kinora.turnClock(aheadMs)
  const database = { url: kinora.databaseUrl }
  await restoreClockLimit(database)
  const isRefused = (error: { code?: string }) => error.code === 'KN001'
  await assert.rejects(sweepFilms(app), isRefused)
  await assert.rejects(sweepOldRows(app), isRefused)
  await acceptAnyTime(database)
  assert.deepEqual(storedOf(deleted), both(deleted))
  assert.equal(await verificationsOf('alive'), 1)
})

test('worker: its sweep → removes films, files of dead workers and old rows, without being called', async () => {
  app.config.retention.deletedS = 0
  const [deleted, kept] = [await finishedVideo(), await finishedVideo()]
  await deleteVideo(deleted)
  const orphan = `video/${kept.ann.userId}/${kept.uuid}.${newId(app.now())}`
  await storage.put(`${orphan}.mp4`, import.meta.filename, 'video/mp4')
  await sql`
    insert into kinora.video_file (user_id, video_id, lease_id, video_key, thumbnail_key, due_at)
    values (${kept.ann.userId}, ${kept.uuid}, gen_random_uuid(), ${`${orphan}.mp4`}, ${`${orphan}.jpg`}, ${app.now()})
  `
  await sql`insert into public."verification" ("id", "identifier", "value", "expiresAt") values ('dead', 'x', 'x', ${ago(30 * DAY_S)})`
  const worker = startWorker(app)
  await waitFor('the sweep', async () => (await verificationsOf('dead')) === 0)
  await worker.stop()
  assert.deepEqual(storedOf(deleted), [])
  assert.deepEqual(storedOf(kept), both(kept))
})
