/**
 * A user's videos as the API shows them: list, detail, task status, delete. A soft-deleted video is left out of all four; an
 * unknown uuid, another user's uuid and a deleted video get the same 404.
 */
import type { App } from '../app.ts'
import { videoColumns } from '../db/columns.ts'
import { readFilteredList, searchList } from '../db/filtered-pages.ts'
import { type ListRow, SKIP_MAX } from '../db/pages.ts'
import { AppError, unknownCursor } from '../errors.ts'
import { isUuid } from '../id.ts'
import { signLink } from '../storage/link.ts'
import { revive } from './fields/rows.ts'
import type { Row, Status } from './fields.ts'
import { imagesForOwner } from './start-image/start-image-link.ts'
import { videoDelete } from './transitions.ts'

export type TaskStatus = Row<'task'>

export type ListQuery = {
  page: number
  pageSize: number
  status?: Status
  model?: string
  /** Substring of the prompt, case-insensitive. */
  q?: string
  cursor?: string
}

/**
 * Newest first. Offset pagination by `page` (from 1), or keyset pagination by `cursor`, the `nextCursor` of the page before,
 * whose cost does not grow with depth. `total` counts all matching videos; with `q` see searchList.
 * @throws AppError INVALID_REQUEST for a malformed cursor
 */
export async function list(app: App, userId: string, query: ListQuery) {
  if (query.cursor !== undefined && !isUuid(query.cursor)) throw unknownCursor()
  const row = await readList(app, userId, query)
  const videos = (row.rows ?? []).map((item) => withLinks(app, revive('list', item)))
  return { videos, total: row.total, nextCursor: row.nextCursor }
}

/** Only plain pages share a call with others: a filter has a plan of its own, and its text may be refused by the database. */
function readList(app: App, userId: string, query: ListQuery): Promise<ListRow> {
  const { page, pageSize, status = null, model = null, q = '', cursor: before = null } = query
  const skip = before === null ? (page - 1) * pageSize : 0
  if (status === null && model === null && q === '' && skip <= SKIP_MAX) {
    return app.calls.list.add(userId, { user_id: userId, before, skip, page_size: pageSize }, app.now())
  }
  const filter = { userId, status, model, before, skip, pageSize, now: app.now() }
  return q === '' ? readFilteredList(app.sql, filter) : searchList(app.sql, filter, q)
}

/** @throws AppError NOT_FOUND */
export async function get(app: App, userId: string, videoId: string) {
  const { sql, now } = app
  const [row] = isUuid(videoId)
    ? await sql<Row<'detail'>[]>`
        select ${videoColumns(sql, 'detail', now())} from kinora.video v
        where v.user_id = ${userId} and v.id = ${videoId} and v.deleted_at is null
      `
    : []
  if (!row) throw notFound()
  return {
    ...withLinks(app, row),
    ...imagesForOwner(app, row),
    resolution: row.quality,
  }
}

/** Status and progress, for task polling. @throws AppError NOT_FOUND */
export async function taskStatus({ calls, now }: App, userId: string, videoId: string): Promise<TaskStatus> {
  const row = isUuid(videoId) ? await calls.task.add(userId, { user_id: userId, id: videoId }, now()) : null
  if (!row?.uuid) throw notFound()
  return row as TaskStatus
}

/** Soft delete: record, status and ledger rows stay, and a running generation continues. @throws AppError NOT_FOUND */
export async function remove({ calls, now }: App, userId: string, videoId: string): Promise<void> {
  const outcome = isUuid(videoId) ? await videoDelete(calls, { userId, videoId, now: now() }) : 'not_found'
  if (outcome === 'not_found') throw notFound()
}

type Keys = { videoKey: string | null; thumbnailKey: string | null }

/** Signed links in the place of storage keys. */
const withLinks = <Item extends Keys>(app: App, { videoKey, thumbnailKey, ...item }: Item) => ({
  ...item,
  videoUrl: fileLink(app, videoKey),
  thumbnailUrl: fileLink(app, thumbnailKey),
})

/** A signed link to a file of a video; null without a file. */
export function fileLink({ config, now }: App, key: string | null): string | null {
  const time = { nowMs: now().getTime(), ttlS: config.fileUrlTtlS }
  return key === null ? null : signLink(config, key, time)
}

export const notFound = () => new AppError('NOT_FOUND', 'There is no such video.')
