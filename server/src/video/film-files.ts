/**
 * The files of a video: film and thumbnail, their keys in storage, whether they may be served, and their removal.
 * Invariant: a row names the keys before the files exist and until they are removed, so no file is orphaned for ever.
 */
import type { App } from '../app.ts'
import type { Fragment } from '../db/db.ts'
import { fromEach, inEach } from '../db/parts.ts'
import { applyAll } from '../db/set-calls.ts'
import { isUuid, keyOwnerOf } from '../id.ts'
import type { InspectedFilm } from '../media/film/inspect.ts'
import { type RecordedFiles, videoFilesDue, videoFilesRemoved } from './film-transitions.ts'
import { idsOf, type Step } from './outcome.ts'
import type { FilmKeys } from './transitions.ts'

/** When the sweep checks whether a video was completed with the files. A running step's lease protects them. */
export const STORE_WINDOW_MS = 3600_000
const BATCH = 100

/** The lease in the keys separates the attempts: none overwrites the files of another. */
export function filmKeys(
  { video, lease }: Pick<Step, 'video' | 'lease'>,
  extension: InspectedFilm['extension'],
): FilmKeys {
  const name = `video/${video.userId}/${video.id}.${lease}`
  return { videoKey: `${name}.${extension}`, thumbnailKey: `${name}.jpg` }
}

/** The key of a manifest beside a film. */
export const manifestKeyOf = (videoKey: string): string => videoKey.replace(/\.\w+$/, '.c2pa')

/** The keys to remove. A worker puts a stored film's manifest before the row names it, and may die between. */
export const keysOf = ({ videoKey, thumbnailKey }: FilmKeys): string[] => [
  videoKey,
  thumbnailKey,
  manifestKeyOf(videoKey),
]

/** SQL condition on a video `v` without files to serve: it is hidden (takedown.ts), and they are kept for now. */
export const isHidden = (sql: App['sql'], now: Date) => sql`
  exists (
    select from kinora.video_file f
    where f.user_id = v.user_id and f.video_id = v.id and f.due_at > ${now}::timestamptz + interval '2 hours'
  )
`

/** `key`: of the file; `manifestKey`: of the manifest beside it. Null: it may not be served. */
type Shown = { key: string; manifestKey: string | null } | null

/** In the place of a film's key in a link for administrators, which works while the film is hidden from all others. */
export const reviewKeyOf = (key: string): string => REVIEW + key
const REVIEW = 'review/'

/**
 * Which file of a storage key may be served: that of a film whose video is not deleted. Read from the row for every
 * request, so that the links of a deleted video or account stop working at once; requests for the same file that arrive
 * during a query share the next one. The file of an asset is removed with its row.
 */
export function openShownFiles(app: App): (key: string) => Promise<Shown> {
  const underWay = new Map<string, { found: Promise<Shown>; next: Promise<Shown> | null }>()
  const read = (key: string) => {
    const found = readShownFile(app, key)
    const entry = { found, next: null as Promise<Shown> | null }
    underWay.set(key, entry)
    const end = () => {
      if (!entry.next) underWay.delete(key)
    }
    found.then(end, end)
    return found
  }
  return (key) => {
    const entry = underWay.get(key)
    if (!entry) return read(key)
    const next = () => read(key)
    entry.next ??= entry.found.then(next, next)
    return entry.next
  }
}

async function readShownFile({ sql }: App, key: string): Promise<Shown> {
  if (key.startsWith('asset/')) return { key, manifestKey: null }
  if (key.startsWith(REVIEW)) return { key: key.slice(REVIEW.length), manifestKey: null }
  const [, userId = '', videoId = ''] = /^video\/([^/.]+)\/([^/.]+)\./.exec(key) ?? []
  if (!isUuid(userId) || !isUuid(videoId)) return null
  const [file] = await sql<[{ manifestKey: string | null }?]>`
    select case when video_key = ${key} then manifest_key end as manifest_key from kinora.video
    where user_id = ${userId} and id = ${videoId} and ${key} in (video_key, thumbnail_key, manifest_key)
      and deleted_at is null and files_removed_at is null
      and not exists (select from kinora.deleted_account d where d.user_id = ${keyOwnerOf(userId)})
  `
  return file ? { key, ...file } : null
}

/**
 * Removes files that no video is completed with, and their record. A storage failure is logged and not thrown: the
 * record stays, and the sweep tries again.
 */
export async function removeStoredFiles(app: App, files: RecordedFiles): Promise<void> {
  const { userId, videoId, leaseId, videoKey } = files
  try {
    for (const key of keysOf(files)) await app.storage.remove(key)
  } catch (err) {
    app.log.error(
      { err, ...idsOf(app, { id: videoId, userId }), videoKey },
      'an orphaned file could not be removed; the sweep tries again',
    )
    return
  }
  await deleteRecord(app, { userId, videoId, leaseId })
}

/** Sweeps due records: removes files of workers that died or lost their lease. @returns how many records were due */
export async function sweepOrphans(app: App): Promise<number> {
  const now = app.now()
  const retryAt = new Date(now.getTime() + STORE_WINDOW_MS)
  const due = await fromEach(app, app.database.parts(), (sql) => videoFilesDue(sql, { now, retryAt, limit: BATCH }))
  for (const { isOrphan, ...files } of due) {
    if (isOrphan) await removeStoredFiles(app, files)
    else await deleteRecord(app, files)
  }
  return due.length
}

/**
 * Sweeps films that retention does not keep: those of videos that were deleted DELETED_KEPT ago, those of all videos
 * that were completed KEEP_FILMS ago, and those of test keys, which are deleted. A file that cannot be removed is
 * logged and tried again by the next sweep.
 * @throws when the clock of this process is ahead of the database's: nothing is removed
 */
export async function sweepFilms(app: App, signal?: AbortSignal): Promise<void> {
  const { deletedS, filmsS, testFilmsS } = app.config.retention
  // The check comes before the first file is removed: no file is restored when the row then refuses a wrong clock.
  await app.sql`select kinora.check_clock(${app.now()})`
  const sweepPart = async (sql: App['sql']) => {
    const part = { ...app, sql }
    const [deleted, completed] = [sql`deleted_at`, sql`completed_at`]
    if (deletedS !== null)
      await sweepOlderFilms(part, { reason: 'DELETED_KEPT', since: deleted, keptS: deletedS }, signal)
    if (filmsS !== null) await sweepOlderFilms(part, { reason: 'KEEP_FILMS', since: completed, keptS: filmsS }, signal)
    if (testFilmsS !== null) await sweepTests(part, testFilmsS, signal)
  }
  for await (const _ of inEach(app, app.database.parts(), sweepPart));
}

/** Deletes the films of test keys, with their files, and lets what they uploaded go. */
async function sweepTests(app: App, keptS: number, signal?: AbortSignal): Promise<void> {
  const { sql } = app
  const now = app.now()
  const before = new Date(now.getTime() - keptS * 1000)
  while (!signal?.aborted) {
    const old = await sql<{ userId: string; id: string }[]>`
      select user_id, id
      from kinora.video
      where kinora.is_test(user_id) and deleted_at is null and due_at is null and completed_at <= ${before}
      order by completed_at
      limit ${BATCH}
    `
    const steps = old.map(({ userId, id }) => ({ step: 'delete', user_id: userId, id }))
    if (steps.length > 0) await applyAll(sql, JSON.stringify(steps), now)
    if (old.length < BATCH) break
  }
  const isTest = sql`kinora.is_test(user_id)`
  await sweepOlderFilms(app, { reason: 'KEEP_TEST_FILMS', since: sql`deleted_at`, keptS: 0, isOf: isTest }, signal)
  await sql`
    update kinora.asset set name = null, due_at = ${now}
    where kinora.is_test(user_id) and state = 'kept' and created_at <= ${before} and due_at > ${now}
  `
}

type Older = {
  reason: 'DELETED_KEPT' | 'KEEP_FILMS' | 'KEEP_TEST_FILMS'
  /** The column of the time from which on they are kept. */
  since: Fragment
  keptS: number
  isOf?: Fragment
}

async function sweepOlderFilms(app: App, { reason, since, keptS, isOf }: Older, signal?: AbortSignal): Promise<void> {
  const { sql } = app
  const failed: string[] = []
  const before = new Date(app.now().getTime() - keptS * 1000)
  // A full batch of failures: storage is away.
  while (failed.length < BATCH && !signal?.aborted) {
    const old = await sql<({ userId: string; id: string } & FilmKeys)[]>`
      select user_id, id, video_key, thumbnail_key
      from kinora.video
      where ${since} <= ${before} and video_key is not null and files_removed_at is null and id <> all(${failed}::uuid[])
        and ${isOf ?? sql`true`}
      order by ${since}
      limit ${BATCH}
    `
    for (const { userId, id, ...files } of old) {
      try {
        // The row is changed last: a worker that dies before it leaves the removal to the next sweep.
        for (const key of keysOf(files)) await app.storage.remove(key)
        await videoFilesRemoved(sql, { userId, videoId: id, reason, now: app.now() })
      } catch (err) {
        failed.push(id)
        app.log.error(
          { err, ...idsOf(app, { id, userId }), videoKey: files.videoKey },
          'a film could not be removed; the next sweep tries again',
        )
      }
    }
    if (old.length < BATCH) return
  }
}

async function deleteRecord({ sql }: App, { userId, videoId, leaseId }: Omit<RecordedFiles, keyof FilmKeys>) {
  await sql`
    delete from kinora.video_file where user_id = ${userId} and video_id = ${videoId} and lease_id = ${leaseId}
  `
}
