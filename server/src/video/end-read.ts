/**
 * Films that were made without an idempotency key, by a client that may repeat its request without a mark: the same
 * request returns such a film only until its end has been read (compatible/repeated-request.ts). Invariant: that is
 * stored before a response that shows the end is whole, so that no later request gets the old film, on any node.
 */
import type { Reader } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import { isFinal, type Status } from '../film/fields.ts'

type Shown = { uuid: string; status: Status; isReplayable: boolean | null }

/**
 * Notes the ends among the videos that a response shows. One statement for those that are new, and none for others. A
 * sign-in, such as the studio's, notes its own films alone: the program whose key made the others has not seen them.
 * @returns the uuids whose ends were new
 */
export async function noteEndsRead(app: Pick<App, 'sql'>, reader: Reader, videos: readonly Shown[]): Promise<string[]> {
  const ids = videos.flatMap(({ uuid, status, isReplayable }) => (isReplayable && isFinal(status) ? [uuid] : []))
  if (ids.length === 0) return []
  const { userId, key } = reader
  const ofAll = key !== null && !key.isMember
  return await call(app.sql, 'video_note_ends_read', { userId, ids, ofAll, madeBy: key?.id ?? null })
}

/** Notes ends as unread again: the response that showed them was not sent whole. */
export async function noteEndsUnread({ sql }: Pick<App, 'sql'>, { userId }: Reader, ids: readonly string[]) {
  if (ids.length > 0) await call(sql, 'video_note_ends_unread', { userId, ids })
}
