/** The files of a video: film and thumbnail, their keys in storage, and whether they may be served. */
import type { App } from '../app.ts'
import { isUuid } from '../id.ts'

/**
 * Whether the file of a storage key may be served: that of a film whose video is not deleted. Read from the row for every
 * request, so that a deleted video's links stop working at once. The file of a start image is removed with its row.
 */
export async function isFileShown({ sql }: App, key: string): Promise<boolean> {
  if (key.startsWith('image/')) return true
  const [, userId = '', videoId = ''] = /^video\/([^/.]+)\/([^/.]+)\./.exec(key) ?? []
  if (!isUuid(userId) || !isUuid(videoId)) return false
  const rows = await sql`
    select from kinora.video
    where user_id = ${userId} and id = ${videoId} and ${key} in (video_key, thumbnail_key)
      and deleted_at is null and files_removed_at is null
  `
  return rows.length > 0
}
