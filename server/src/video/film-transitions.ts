/** One typed function for each SQL function of server/sql/video_film.sql: the files of films that are to be removed. */
import type { Query } from '../db/db.ts'
import type { FilmKeys, VideoAt } from './transitions.ts'

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

export async function videoFilesRemoved(
  sql: Query,
  video: VideoAt & { reason: 'DELETED_KEPT' | 'KEEP_FILMS' | 'ACCOUNT_DELETED' },
): Promise<'recorded' | 'unchanged'> {
  const [row] = await sql<[{ outcome: 'recorded' | 'unchanged' }]>`
    select kinora.video_files_removed(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_reason => ${video.reason}, p_now => ${video.now}
    ) as outcome
  `
  return row.outcome
}
