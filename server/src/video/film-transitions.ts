/** One typed function for each SQL function of server/sql/video_film.sql: the files of films that are to be removed. */
import { call } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { NIL_UUID } from '../id.ts'
import type { ClaimedVideo, FilmKeys, FilmProvenance, VideoAt } from './transitions.ts'

/** The files that a worker has recorded under its lease. */
export type RecordedFiles = { userId: string; videoId: string; leaseId: string } & FilmKeys

export async function videoFilesDue(
  sql: Query,
  due: { now: Date; retryAt: Date; limit: number },
): Promise<(RecordedFiles & { isOrphan: boolean })[]> {
  return (await call(sql, 'video_files_due', due)) as (RecordedFiles & { isOrphan: boolean })[]
}

export async function videoFilesRemoved(
  sql: Query,
  video: VideoAt & { reason: 'DELETED_KEPT' | 'KEEP_FILMS' | 'KEEP_TEST_FILMS' | 'ACCOUNT_DELETED' | 'SUBJECT_ERASED' },
) {
  return await call(sql, 'video_files_removed', {
    userId: video.userId,
    id: video.videoId,
    reason: video.reason,
    now: video.now,
  })
}

/** A stored film that is to be signed, what it was made from, and the id of its manifest. */
export type FilmToSign = FilmKeys &
  Pick<ClaimedVideo, 'userId' | 'id' | 'model' | 'madeOf'> & {
    madeAt: Date
    manifestId: string
  }

/** Claims up to `limit` films that are due to be signed, the longest due first. */
export async function videosToSign(sql: Query, due: { now: Date; limit: number }): Promise<FilmToSign[]> {
  return (await call(sql, 'videos_to_sign', due)) as FilmToSign[]
}

/** @param after the last video of the call before; null at the beginning. @returns `last` null: no more videos */
export async function videosMarkUnsigned(
  sql: Query,
  { after, limit, now }: { after: VideoKey | null; limit: number; now: Date },
): Promise<{ films: number; last: VideoKey | null }> {
  const { userId, id } = after ?? { userId: NIL_UUID, id: NIL_UUID }
  const [marked] = await call(sql, 'videos_mark_unsigned', { afterUserId: userId, afterId: id, limit, now })
  const last = marked?.userId && marked.id ? { userId: marked.userId, id: marked.id } : null
  return { films: marked?.films ?? 0, last }
}
type VideoKey = { userId: string; id: string }

export async function videoSigned(
  sql: Query,
  video: VideoAt & { sizeBytes: number; manifestKey: string | null; provenance: FilmProvenance },
) {
  return await call(sql, 'video_signed', {
    userId: video.userId,
    id: video.videoId,
    sizeBytes: video.sizeBytes,
    manifestKey: video.manifestKey,
    provenance: video.provenance,
    now: video.now,
  })
}
