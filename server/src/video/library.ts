/**
 * A user's videos as the API shows them: list, detail, task status, arrange, delete. A soft-deleted video is left out
 * of all; an unknown uuid, another user's uuid and a deleted video get the same 404, or are named as not found where a
 * request has several.
 */

import { type Reader, subjectOf } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { videoColumns } from '../db/columns.ts'
import { isPlain } from '../db/filter.ts'
import { type ListFilter, readFilteredList } from '../db/filtered-pages.ts'
import { ascending, by, keysetOf, type PageQuery } from '../db/page.ts'
import { type ListRow, SKIP_MAX } from '../db/pages.ts'
import { type VideoQuery, videoFilters } from '../db/video-filters.ts'
import type { Row } from '../film/fields.ts'
import { revive } from '../film/rows.ts'
import { isUuid } from '../id.ts'
import { signLink } from '../storage/link.ts'
import { noteEndsRead } from './end-read.ts'
import { folderNotFound } from './folders.ts'
import { picturesForOwner, shownInputs } from './inputs.ts'
import { type Changer, isReached, notFound, requireMade, requireReached } from './made-by.ts'
import { videoArrange, videoDelete } from './transitions.ts'

export type TaskStatus = Row<'task'>

export type ListQuery = VideoQuery & PageQuery & { sort?: 'newest' | 'oldest' }

/**
 * Newest first, unless `sort` says otherwise. Offset pagination by `page` (from 1), or keyset pagination by `cursor`,
 * the `nextCursor` of the page before, whose cost does not grow with depth. `total` counts all matching videos; see
 * readFilteredList.
 * @throws AppError INVALID_REQUEST for a malformed cursor
 */
export async function list(app: App, reader: Reader, { q, kind = 'film', ...rest }: ListQuery) {
  const subject = subjectOf(reader) ?? rest.subject
  const query = { ...rest, ...(q ? { q } : {}), ...(subject === undefined ? {} : { subject }) }
  const isOldestFirst = query.sort === 'oldest'
  const keyset = keysetOf(isOldestFirst ? ascending(byId) : byId, query)
  const row = await readList(app, { userId: reader.userId, query, keyset, isOldestFirst, now: app.now() }, kind)
  const rows = (row.rows ?? []).map((item) => revive('list', item))
  await noteEndsRead(app, reader, rows)
  const videos = rows.map(({ isReplayable: _, ...item }) => withLinks(app, item))
  return { videos, total: row.total, nextCursor: keyset.nextCursor(videos.at(-1), row.isFollowed) }
}
const byId = by('v.id', 'uuid')

/**
 * Only plain pages share a call with others: a filter has a plan of its own, and its text may be refused by the
 * database.
 */
async function readList(app: App, list: ListFilter, kind: NonNullable<ListQuery['kind']>): Promise<ListRow> {
  const { userId, query, keyset, isOldestFirst, now } = list
  const { skip, limit } = keyset
  if (kind === 'cut' || !isPlain(videoFilters, query) || isOldestFirst || skip > SKIP_MAX)
    return await readFilteredList(app.sql, { ...list, query: { ...query, kind } })
  const before = keyset.last?.[0] ?? null
  return await app.calls.list.add(userId, { user_id: userId, before, skip, page_size: limit - 1 }, now)
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
  await noteEndsRead(app, reader, [row])
  return {
    ...withLinks(app, row),
    ...picturesForOwner(app, row.madeOf),
    inputs: shownInputs(app, row.madeOf),
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
  const status = row as TaskStatus
  await noteEndsRead(app, reader, [status])
  return status
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
export const withLinks = <Item extends Keys>(app: App, { videoKey, thumbnailKey, ...item }: Item) => ({
  ...item,
  videoUrl: fileLink(app, videoKey),
  thumbnailUrl: fileLink(app, thumbnailKey),
})

/** A signed link to a file of a video; null without a file. */
export function fileLink({ config, now }: App, key: string | null): string | null {
  const time = { nowMs: now().getTime(), ttlS: config.fileUrlTtlS }
  return key === null ? null : signLink(config, key, time)
}
