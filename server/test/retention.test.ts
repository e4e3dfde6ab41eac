/**
 * Retention: how long films of deleted videos, all films, and rows that no page shows are kept. The books stay: after every
 * sweep the ledger is verified.
 * One file although it is long: the sweeps share one service whose clock moves for all of them.
 */
import assert from 'node:assert/strict'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, test } from 'node:test'
import { ConfigError, readConfig } from '../src/config.ts'
import { newId } from '../src/id.ts'
import { sweepOldRows } from '../src/retention.ts'
import { removeStaleTemporaryFiles } from '../src/storage/temporary-files.ts'
import { sweepFilms } from '../src/video/film-files.ts'
import { startWorker } from '../src/worker.ts'
import { openKinora, type Person } from './harness.ts'
import { filesOf, logOf, waitFor } from './video-row.ts'

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

type Finished = { ann: Person; uuid: string }
async function finishedVideo(): Promise<Finished> {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann)
  assert.equal((await kinora.finish(ann, data.uuid)).status, 'COMPLETED')
  return { ann, uuid: data.uuid }
}
const deleteVideo = async ({ ann, uuid }: Finished) =>
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${uuid}`, { as: ann })).status, 200)
const storedOf = ({ ann, uuid }: Finished) => filesOf(kinora, ann.userId, uuid).stored
const both = ({ uuid }: Finished) => [`${uuid}.jpg`, `${uuid}.mp4`]

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
  assert.equal((await kinora.balance(deleted.ann)).used, 16)
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
  const detail = async () =>
    (await kinora.call<Record<string, unknown>>('GET', `/api/v1/video/${video.uuid}`, { as: video.ann })).data
  const { videoUrl } = await detail()
  kinora.turnClock(1000 * DAY_MS)
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
  const after = await kinora.call<Record<string, unknown>>('GET', '/api/v1/video/list', { as: await renew(video.ann) })
  const [listed] = after.data.videos as Record<string, unknown>[]
  assert.deepEqual([listed?.status, listed?.videoUrl, listed?.thumbnailUrl], ['COMPLETED', null, null])
  assert.equal((await fetch(String(videoUrl))).status, 404)
})

/** The session of a person ends while a test turns the clock. */
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
  storage.remove = async () => {
    removed++
  }
  await sweepFilms(app)
  assert.equal(removed, 500)
  await sql`delete from kinora.credit_hold where user_id = ${ann.userId} and id <> ${uuid}`
  await sql`delete from kinora.video where user_id = ${ann.userId} and id <> ${uuid}`
})

const countOf = async (query: PromiseLike<readonly Record<string, unknown>[]>) => (await query)[0]?.count
const ago = (s: number) => new Date(app.now().getTime() - s * 1000)

/** Sweeps and returns how many rows of each table were removed. */
const sweepRows = async (batch?: number) => Object.fromEntries(await sweepOldRows(app, { batch }))

test('KEEP_SESSIONS: sessions that ended more than 7 days ago → deleted; the others stay', async () => {
  const ann = await kinora.person({ credits: 0 })
  const session = (name: string, expiresAt: Date) => sql`
    insert into public."session" ("id", "token", "userId", "expiresAt", "updatedAt")
    values (${name}, ${name}, ${ann.userId}, ${expiresAt}, ${ago(40 * DAY_S)})
  `
  await session(`old ${ann.userId}`, ago(7 * DAY_S + HOUR_S))
  await session(`young ${ann.userId}`, ago(7 * DAY_S - HOUR_S))
  await sweepRows()
  const rows = await sql<{ id: string }[]>`select "id" from public."session" where "userId" = ${ann.userId}`
  assert.deepEqual(
    rows.filter(({ id }) => /old|young/.test(id)).map(({ id }) => id.split(' ')[0]),
    ['young'],
  )
  assert.equal(rows.length, 2)
})

test('KEEP_VERIFICATIONS: verifications that ended more than a day ago → deleted', async () => {
  for (const [name, endedS] of [
    ['old', DAY_S + HOUR_S],
    ['young', DAY_S - HOUR_S],
  ] as const) {
    await sql`
      insert into public."verification" ("id", "identifier", "value", "expiresAt") values (${name}, 'x', 'x', ${ago(endedS)})
    `
  }
  assert.equal((await sweepRows()).verifications, 1)
  assert.deepEqual(
    (await sql`select "id" from public."verification"`).map(({ id }) => id),
    ['young'],
  )
})

test('KEEP_PROVIDER_TASKS: tasks of final videos after 90 days → deleted; of a video in progress → kept', async () => {
  const { uuid } = await finishedVideo()
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, { prompt: '[silent]' })
  await kinora.workUntil(
    async () => (await countOf(sql`select count(*) from kinora.provider_task where video_id = ${data.uuid}`)) === 1,
  )
  const age = (s: number) => sql`update kinora.provider_task set created_at = ${ago(s)}`
  await age(90 * DAY_S - HOUR_S)
  assert.equal((await sweepRows()).providerTasks, 0)
  await age(90 * DAY_S + HOUR_S)
  await sweepRows()
  const left = await sql`select video_id from kinora.provider_task where video_id in (${uuid}, ${data.uuid})`
  assert.deepEqual(
    left.map(({ videoId }) => videoId),
    [data.uuid],
  )
  await kinora.call('DELETE', `/api/v1/video/${data.uuid}`, { as: ann })
})

test('KEEP_VIDEO_LOGS: entries older than 180 days → deleted', async () => {
  const { uuid } = await finishedVideo()
  await sql`update kinora.video_log set at = ${ago(180 * DAY_S - HOUR_S)} where video_id = ${uuid}`
  await sql`update kinora.video_log set at = ${ago(180 * DAY_S + HOUR_S)} where video_id = ${uuid} and entry = 'accepted'`
  await sweepRows()
  assert.deepEqual(await logOf(kinora, uuid), ['result', 'completed'])
})

test('KEEP_PAYMENT_BODIES: bodies of applied and ignored events after 400 days → emptied; the events stay', async () => {
  const event = (id: string, state: string, receivedS: number) => sql`
    insert into kinora.payment_event (processor, external_id, id, type, state, body, received_at)
    values ('payment-a', ${id}, gen_random_uuid(), 'test', ${state}, '{"id":1}', ${ago(receivedS)})
  `
  const old = 400 * DAY_S + HOUR_S
  for (const state of ['applied', 'ignored', 'unmatched', 'failed']) await event(`old ${state}`, state, old)
  await event('young applied', 'applied', old - 2 * HOUR_S)
  assert.equal((await sweepRows()).paymentBodies, 2)
  const rows = await sql`select external_id, body from kinora.payment_event order by external_id`
  assert.deepEqual(
    rows.map(({ externalId, body }) => [externalId, body]),
    [
      ['old applied', ''],
      ['old failed', '{"id":1}'],
      ['old ignored', ''],
      ['old unmatched', '{"id":1}'],
      ['young applied', '{"id":1}'],
    ],
  )
  const root = await kinora.person({ role: 'admin' })
  const listed = await kinora.call<{ events: { body: string }[] }>('GET', '/api/v1/admin/payments/events', { as: root })
  assert.equal(listed.status, 200)
  await sql`delete from kinora.payment_event`
})

test('sweep: 25 rows and batches of 10 → all are deleted, none in one statement', async () => {
  await sql`
    insert into public."verification" ("id", "identifier", "value", "expiresAt")
    select 'many ' || n, 'x', 'x', ${ago(30 * DAY_S)} from generate_series(1, 25) n
  `
  await sql`create table statement_size (rows bigint)`
  await sql`
    create function note_size() returns trigger language plpgsql as
    $$ begin insert into statement_size select count(*) from gone; return null; end $$
  `
  await sql`
    create trigger note_size after delete on public."verification" referencing old table as gone
    for each statement execute function note_size()
  `
  const { verifications } = await sweepRows(10)
  await sql`drop trigger note_size on public."verification"`
  assert.equal(verifications, 25)
  const sizes = await sql<{ rows: number }[]>`select rows from statement_size where rows > 0`
  assert.deepEqual(
    sizes.map(({ rows }) => rows),
    [10, 10, 5],
  )
})

test('sweep: idempotency keys → kept for two days, whatever the settings', async () => {
  const ann = await kinora.person({ credits: 0 })
  const key = (name: string, s: number) => sql`
    insert into kinora.idempotency_key (user_id, operation, key, request_hash, subject_user_id, subject_id, created_at)
    values (${ann.userId}, 'video.generate', ${name}, '', ${ann.userId}, ${ann.userId}, ${ago(s)})
  `
  await key('old', 2 * DAY_S + HOUR_S)
  await key('young', 2 * DAY_S - HOUR_S)
  await sweepRows()
  const keys = await sql<{ key: string }[]>`select key from kinora.idempotency_key where user_id = ${ann.userId}`
  assert.deepEqual(
    keys.map(({ key: name }) => name),
    ['young'],
  )
})

test('sweep: the clock of the process is a year ahead → nothing is removed', async () => {
  const deleted = await finishedVideo()
  await deleteVideo(deleted)
  await sql`insert into public."verification" ("id", "identifier", "value", "expiresAt") values ('alive', 'x', 'x', ${ago(-HOUR_S)})`
  const aheadMs = new Date(Date.now() + 365 * DAY_MS).getTime() - app.now().getTime()
  kinora.turnClock(aheadMs)
  const limit = (interval: string) =>
    sql.unsafe(
      `create or replace function kinora.clock_limit() returns interval language sql immutable return interval '${interval}'`,
    )
  await limit('2 minutes')
  const isRefused = (error: { code?: string }) => error.code === 'KN001'
  await assert.rejects(sweepFilms(app), isRefused)
  await assert.rejects(sweepOldRows(app), isRefused)
  await limit('1000 years')
  assert.deepEqual(storedOf(deleted), both(deleted))
  assert.equal(await countOf(sql`select count(*) from public."verification" where "id" = 'alive'`), 1)
  kinora.turnClock(-aheadMs)
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
  await waitFor(
    'the sweep',
    async () => (await countOf(sql`select count(*) from public."verification" where "id" = 'dead'`)) === 0,
  )
  await worker.stop()
  assert.deepEqual(storedOf(deleted), [])
  assert.deepEqual(storedOf(kept), both(kept))
})

test('settings: retention → durations, 0 where it means at once, "forever"; anything else is refused', () => {
  const read = (env: Record<string, string>) => {
    const required = { DATABASE_URL: 'postgres://x', AUTH_SECRET: 'x', AI_CALLBACK_SECRET: 'x' }
    return readConfig({ ...required, ...env }, []).retention
  }
  assert.deepEqual(read({}), {
    deletedS: 30 * DAY_S,
    filmsS: null,
    sessionsS: 7 * DAY_S,
    verificationsS: DAY_S,
    providerTasksS: 90 * DAY_S,
    paymentBodiesS: 400 * DAY_S,
    videoLogsS: 180 * DAY_S,
  })
  assert.equal(read({ DELETED_KEPT: '0' }).deletedS, 0)
  assert.equal(read({ DELETED_KEPT: '12h' }).deletedS, 12 * HOUR_S)
  assert.equal(read({ DELETED_KEPT: 'forever' }).deletedS, null)
  assert.equal(read({ KEEP_FILMS: '365d' }).filmsS, 365 * DAY_S)
  assert.equal(read({ KEEP_FILMS: 'forever' }).filmsS, null)
  assert.equal(read({ KEEP_VIDEO_LOGS: 'forever' }).videoLogsS, null)
  // A slip of the keyboard must not delete every film.
  for (const [name, value] of [
    ['KEEP_FILMS', '0'],
    ['KEEP_FILMS', 'never'],
    ['DELETED_KEPT', '-1d'],
    ['KEEP_SESSIONS', '0'],
  ] as const) {
    assert.throws(
      () => read({ [name]: value }),
      (error) => error instanceof ConfigError && error.message.includes(name),
    )
  }
})

test('temporary files: those of older versions in DATA_DIR/parts → removed when they are an hour old', async () => {
  const parts = path.join(app.config.dataDir, 'parts')
  await mkdir(path.join(parts, 'old'), { recursive: true })
  await writeFile(path.join(parts, 'old', 'film'), '')
  await writeFile(path.join(parts, 'young'), '')
  const longAgo = new Date(Date.now() - 2 * HOUR_S * 1000)
  await utimes(path.join(parts, 'old'), longAgo, longAgo)
  await removeStaleTemporaryFiles(app.config.dataDir)
  assert.deepEqual(await readdir(parts), ['young'])
})
