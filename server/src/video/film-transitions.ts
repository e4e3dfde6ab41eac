/** One typed function for each SQL function of server/sql/video_film.sql: the files of films that are to be removed. */
import type { Query } from '../db/db.ts'
import { NIL_UUID } from '../id.ts'
import type { ClaimedVideo, FilmKeys, FilmProvenance, VideoAt } from './transitions.ts'

/** The files that a worker has recorded under its lease. */
export type RecordedFiles = { userId: string; videoId: string; leaseId: string } & FilmKeys

export async function videoFilesDue(
  sql: Query,
  due: { now: Date; retryAt: Date; limit: number },
): Promise<(RecordedFiles & { isOrphan: boolean })[]> {
  return [
    ...(await sql<(RecordedFiles & { isOrphan: boolean })[]>`
      select user_id, video_id, lease_id, video_key, thumbnail_key, manifest_key, is_orphan
      from kinora.video_files_due(p_now => ${due.now}, p_retry_at => ${due.retryAt}, p_limit => ${due.limit})
    `),
  ]
}

export async function videoFilesRemoved(
  sql: Query,
  video: VideoAt & { reason: 'DELETED_KEPT' | 'KEEP_FILMS' | 'ACCOUNT_DELETED' | 'SUBJECT_ERASED' },
): Promise<'recorded' | 'unchanged'> {
  const [row] = await sql<[{ outcome: 'recorded' | 'unchanged' }]>`
    select kinora.video_files_removed(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_reason => ${video.reason}, p_now => ${video.now}
    ) as outcome
  `
  return row.outcome
}

/** A stored film that is to be signed, what it was made from, and the id of its manifest. */
export type FilmToSign = FilmKeys &
  Pick<
    ClaimedVideo,
    'userId' | 'id' | 'model' | 'startImageUrl' | 'endImageUrl' | 'referenceImageUrls' | 'extendedFrom' | 'upscaledFrom'
  > & {
    madeAt: Date
    manifestId: string
  }

/** Claims up to `limit` films that are due to be signed, the longest due first. */
export async function videosToSign(sql: Query, due: { now: Date; limit: number }): Promise<FilmToSign[]> {
  return [
    ...(await sql<FilmToSign[]>`
      select user_id, id, model, start_image_url, end_image_url, reference_image_urls, extended_from, upscaled_from, video_key,
             thumbnail_key, manifest_key, made_at, manifest_id
      from kinora.videos_to_sign(p_now => ${due.now}, p_limit => ${due.limit})
    `),
  ]
}

/** @param after the last video of the call before; null at the beginning. @returns `last` null: there are no more videos */
export async function videosMarkUnsigned(
  sql: Query,
  { after, limit, now }: { after: VideoKey | null; limit: number; now: Date },
): Promise<{ films: number; last: VideoKey | null }> {
  const { userId, id } = after ?? { userId: NIL_UUID, id: NIL_UUID }
  const [row] = await sql<[{ films: number; userId: string | null; id: string | null }]>`
    select films, user_id, id
    from kinora.videos_mark_unsigned(p_after_user_id => ${userId}, p_after_id => ${id}, p_limit => ${limit}, p_now => ${now})
  `
  return { films: row.films, last: row.userId && row.id ? { userId: row.userId, id: row.id } : null }
}
type VideoKey = { userId: string; id: string }

export async function videoSigned(
  sql: Query,
  video: VideoAt & { sizeBytes: number; manifestKey: string | null; provenance: FilmProvenance },
): Promise<'recorded' | 'gone'> {
  const [row] = await sql<[{ outcome: 'recorded' | 'gone' }]>`
    select kinora.video_signed(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_size_bytes => ${video.sizeBytes},
      p_manifest_key => ${video.manifestKey}, p_provenance => ${JSON.stringify(video.provenance)}::text::jsonb,
      p_now => ${video.now}
    ) as outcome
  `
  return row.outcome
}
