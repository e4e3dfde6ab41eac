/**
 * A user's videos as the API shows them: list, detail, task status, arrange, delete. A soft-deleted video is left out
 * of all; an unknown uuid, another user's uuid and a deleted video get the same 404, or are named as not found where a
 * request has several.
 */
import type { App } from '../app.ts'
import type { Mode } from '../catalogue/model-file.ts'
import { videoColumns } from '../db/columns.ts'
import { LAST_ID, type ListFilter, readFilteredList, searchList } from '../db/filtered-pages.ts'
import { type ListRow, SKIP_MAX } from '../db/pages.ts'
import { unknownCursor } from '../errors.ts'
import type { Row, Status } from '../film/fields.ts'
import type { Metadata } from '../film/limits.ts'
import { revive } from '../film/rows.ts'
import { firstIdOf, isUuid, NIL_UUID } from '../id.ts'
import { signLink } from '../storage/link.ts'
import { folderNotFound } from './folders.ts'
import { type Changer, isReached, notFound, type Reader, requireMade, requireReached, subjectOf } from './made-by.ts'
import { imagesForOwner } from './start-image/start-image-link.ts'
import { videoArrange, videoDelete } from './transitions.ts'

export type TaskStatus = Row<'task'>

export type ListQuery = {
  page: number
  pageSize: number
  status?: Status
  model?: string
  mode?: Mode
  favourite?: boolean
  /** The id of a folder, or UNFILED. */
  folder?: string
  /** A member of the team, or an API key. */
  madeBy?: string
  subject?: string
  metadata?: Metadata
  /** RFC 3339: requested then or later, and before. */
  from?: string
  to?: string
  /** Substring of the prompt, case-insensitive. */
  q?: string
  sort?: 'newest' | 'oldest'
  cursor?: string
}

/** In the place of a folder: the videos in none. */
export const UNFILED = 'none'

/**
 * Newest first, unless `sort` says otherwise. Offset pagination by `page` (from 1), or keyset pagination by `cursor`,
 * the `nextCursor` of the page before, whose cost does not grow with depth. `total` counts all matching videos; see
 * readFilteredList, and searchList for `q`.
 * @throws AppError INVALID_REQUEST for a malformed cursor
 */
export async function list(app: App, reader: Reader, query: ListQuery) {
  if (query.cursor !== undefined && !isUuid(query.cursor)) throw unknownCursor()
  const subject = subjectOf(reader) ?? query.subject
  const row = await readList(app, reader.userId, subject === undefined ? query : { ...query, subject })
  const videos = (row.rows ?? []).map((item) => withLinks(app, revive('list', item)))
  return { videos, total: row.total, nextCursor: row.nextCursor }
}

/** Only plain pages share a call with others: a filter has a plan of its own, and the database may refuse it. */
function readList(app: App, userId: string, query: ListQuery): Promise<ListRow> {
  const { page, pageSize, q = '', cursor = null } = query
  const skip = cursor === null ? (page - 1) * pageSize : 0
  const filters = [
    query.status,
    query.model,
    query.mode,
    query.favourite,
    query.folder,
    query.madeBy,
    query.subject,
    query.metadata,
    query.from,
    query.to,
  ]
  const isPlain = filters.every((each) => each === undefined) && q === '' && query.sort !== 'oldest'
  if (isPlain && skip <= SKIP_MAX) {
    return app.calls.list.add(userId, { user_id: userId, before: cursor, skip, page_size: pageSize }, app.now())
  }
  const filter = filterOf(userId, query, skip, app.now())
  // No index has metadata in the order of a list.
  const isInSequence = q === '' && query.metadata === undefined
  return isInSequence ? readFilteredList(app.sql, filter) : searchList(app.sql, filter, q)
}

function filterOf(userId: string, query: ListQuery, skip: number, now: Date): ListFilter {
  const {
    status = null,
    model = null,
    mode = null,
    favourite = null,
    folder,
    madeBy = null,
    subject = null,
    metadata = null,
    from,
    to,
    cursor = null,
  } = query
  const isUnfiled = folder === UNFILED ? true : null
  return {
    userId,
    filter: {
      status,
      model,
      mode,
      favourite,
      folderId: isUnfiled ? null : (folder ?? null),
      isUnfiled,
      madeBy,
      subject,
      metadata,
    },
    after: from === undefined ? NIL_UUID : firstIdOf(new Date(from)),
    before: to === undefined ? LAST_ID : firstIdOf(new Date(to)),
    cursor: cursor?.toLowerCase() ?? null,
    isOldestFirst: query.sort === 'oldest',
    skip,
    pageSize: query.pageSize,
    now,
  }
}

/** @throws AppError NOT_FOUND */
export async function get(app: App, reader: Reader, videoId: string) {
  const { sql, now } = app
  const [row] = isUuid(videoId)
    ? await sql<Row<'detail'>[]>`
        select ${videoColumns(sql, 'detail', now())} from kinora.video v
        where v.user_id = ${reader.userId} and ${isReached(sql, reader)} and v.id = ${videoId} and v.deleted_at is null
      `
    : []
  if (!row) throw notFound()
  return {
    ...withLinks(app, row),
    ...imagesForOwner(app, row),
    resolution: row.quality,
    provenance: row.provenance && { ...row.provenance, manifestUrl: fileLink(app, row.manifestKey) },
  }
}

/** Status and progress, for task polling. @throws AppError NOT_FOUND */
export async function taskStatus(app: App, reader: Reader, videoId: string): Promise<TaskStatus> {
  const { calls, now } = app
  const { userId } = reader
  if (subjectOf(reader) !== null) await requireReached(app, reader, [videoId])
  const row = isUuid(videoId) ? await calls.task.add(userId, { user_id: userId, id: videoId }, now()) : null
  if (!row?.uuid) throw notFound()
  return row as TaskStatus
}

/** Soft delete: rows stay, and a running generation continues. @throws AppError NOT_FOUND; those of requireMade */
export async function remove(app: App, by: Changer, videoId: string): Promise<void> {
  const { calls, now } = app
  const { userId } = by
  await requireMade(app, by, [videoId])
  const outcome = isUuid(videoId) ? await videoDelete(calls, { userId, videoId, now: now() }) : 'not_found'
  if (outcome === 'not_found') throw notFound()
}

/** What a request about several videos did: the uuids that it found, and those of no video of the user. */
export type BulkOutcome = { uuids: string[]; notFound: string[] }

/** Deletes as remove does. */
export async function removeAll(app: App, by: Changer, videoIds: string[]): Promise<BulkOutcome> {
  const { calls, now } = app
  const { userId } = by
  await requireMade(app, by, videoIds)
  const ids = uniqueIds(videoIds)
  const outcomes = await Promise.all(
    ids.map((videoId) => (isUuid(videoId) ? videoDelete(calls, { userId, videoId, now: now() }) : 'not_found')),
  )
  return bulkOutcome(ids, (_, i) => outcomes[i] === 'deleted')
}

/** What arranging changes: each that is left out stays. `folderId` null: out of the folder. */
export type Arrangement = { favourite?: boolean; folderId?: string | null }

/** @throws AppError NOT_FOUND for a folder that the user has not; those of requireMade */
export async function arrange(
  app: App,
  by: Changer,
  videoIds: string[],
  { favourite, folderId }: Arrangement,
): Promise<BulkOutcome> {
  if (typeof folderId === 'string' && !isUuid(folderId)) throw folderNotFound()
  const { sql, now } = app
  const { userId } = by
  await requireMade(app, by, videoIds)
  const ids = uniqueIds(videoIds)
  const found = await videoArrange(sql, {
    userId,
    videoIds: ids.filter(isUuid),
    favourite: favourite ?? null,
    moves: folderId !== undefined,
    folderId: folderId ?? null,
    now: now(),
  })
  if (found === null) throw folderNotFound()
  return bulkOutcome(ids, (id) => found.includes(id))
}

const uniqueIds = (videoIds: string[]): string[] => [...new Set(videoIds.map((id) => id.toLowerCase()))]
const bulkOutcome = (ids: string[], isFound: (id: string, i: number) => boolean): BulkOutcome => {
  const found = new Set(ids.filter(isFound))
  return { uuids: [...found], notFound: ids.filter((id) => !found.has(id)) }
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
