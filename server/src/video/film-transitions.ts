/** One typed function for each SQL function of server/sql/video_film.sql: the stored files of a film. */
import type { Query } from '../db.ts'
import { type LeasedVideo, outcomeOf, type VideoAt } from './transitions.ts'

/** Keys in storage of a film and its thumbnail. */
export type FilmKeys = { videoKey: string; thumbnailKey: string }

export function videoBeginStore(
  sql: Query,
  video: Omit<LeasedVideo, 'now'> & FilmKeys & { dueAt: Date },
): Promise<'begun' | 'stale'> {
  return outcomeOf(sql`
    select kinora.video_begin_store(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_lease => ${video.lease},
      p_video_key => ${video.videoKey}, p_thumbnail_key => ${video.thumbnailKey}, p_due_at => ${video.dueAt}
    ) as outcome
  `)
}

/** The files that a worker has recorded under its lease. */
export type RecordedFiles = { userId: string; videoId: string; leaseId: string } & FilmKeys

export async function videoFilesDue(
  sql: Query,
  due: { now: Date; retryAt: Date; limit: number },
): Promise<(RecordedFiles & { isOrphan: boolean })[]> {
  return [
    ...(await sql<(RecordedFiles & { isOrphan: boolean })[]>`
      select user_id, video_id, lease_id, video_key, thumbnail_key, is_orphan
      from kinora.video_files_due(p_now => ${due.now}, p_retry_at => ${due.retryAt}, p_limit => ${due.limit})
    `),
  ]
}

export function videoFilesRemoved(
  sql: Query,
  video: VideoAt & { reason: 'DELETED_KEPT' | 'KEEP_FILMS' | 'ACCOUNT_DELETED' },
): Promise<'recorded' | 'unchanged'> {
  return outcomeOf(sql`
    select kinora.video_files_removed(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_reason => ${video.reason}, p_now => ${video.now}
    ) as outcome
  `)
}
