/**
 * A user's videos as the API shows them: list, detail, task status, delete. A soft-deleted video is left out of all four; an
 * unknown uuid, another user's uuid and a deleted video get the same 404.
 */
import type { App } from '../app.ts'
import { readFilteredList, searchList } from '../db/filtered-pages.ts'
import { type ListRow, SKIP_MAX, videoJson } from '../db/pages.ts'
import { AppError, unknownCursor } from '../errors.ts'
import { isUuid } from '../id.ts'
import { signLink } from '../storage/link.ts'
import { startImageForOwner } from './start-image/start-image-link.ts'
import type { Status } from './status.ts'
import { videoDelete } from './transitions.ts'

export type ListItem = {
  uuid: string
  prompt: string
  model: string
  status: Status
  videoUrl: string | null
  thumbnailUrl: string | null
  /** Seconds: the requested duration until the film is stored, then the film's own. */
  duration: number
  aspectRatio: string
  creditsUsed: number
  /** ISO 8601 in UTC. */
  createdAt: string
  completedAt: string | null
}

export type Detail = ListItem & {
  provider: string
  startImageUrl: string | null
  resolution: string
  /** Bytes. */
  fileSize: number | null
  /** Seconds from acceptance by the provider to its result, one decimal. */
  generationTime: number | null
  error: string | null
}

export type TaskStatus = { uuid: string; status: Status; progress: number; error: string | null }

type Row = {
  item: string
  prompt: string
  quality: string
  startImageUrl: string | null
  provider: string
  acceptedAt: Date | null
  resultAt: Date | null
  error: string | null
  sizeBytes: number | null
  filmWidth: number | null
  filmHeight: number | null
}

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
 * whose cost does not grow with depth. `total` counts all matching videos; with `q` see searchList. `videos`: a JSON array of ListItem
 * as text.
 * @throws AppError INVALID_REQUEST for a malformed cursor
 */
export async function list(
  app: App,
  userId: string,
  query: ListQuery,
): Promise<{ videos: string; total: number; nextCursor: string | null }> {
  if (query.cursor !== undefined && !isUuid(query.cursor)) throw unknownCursor()
  const row = await readList(app, userId, query)
  return { videos: `[${withLinks(app, row.rows ?? '')}]`, total: row.total, nextCursor: row.nextCursor }
}

/** Only plain pages share a call with others: a filter has a plan of its own, and its text may be refused by the database. */
function readList(app: App, userId: string, query: ListQuery): Promise<ListRow> {
  const { page, pageSize, status = null, model = null, q = '', cursor: before = null } = query
  const skip = before === null ? (page - 1) * pageSize : 0
  if (status === null && model === null && q === '' && skip <= SKIP_MAX) {
    return app.calls.list.add(userId, { user_id: userId, before, skip, page_size: pageSize }, app.now())
  }
  const filter = { userId, status, model, before, skip, pageSize }
  return q === '' ? readFilteredList(app.sql, filter) : searchList(app.sql, filter, q)
}

/** @throws AppError NOT_FOUND */
export async function get(app: App, userId: string, videoId: string): Promise<Detail> {
  const { sql } = app
  const [row] = isUuid(videoId)
    ? await sql<Row[]>`
        select ${videoJson(sql)} as item, prompt, quality, start_image_url, providers[provider_index] as provider, accepted_at,
               result_at, error, size_bytes, film_width, film_height
        from kinora.video v
        where user_id = ${userId} and id = ${videoId} and deleted_at is null
      `
    : []
  if (!row) throw notFound()
  return {
    ...(JSON.parse(withLinks(app, row.item)) as ListItem),
    prompt: row.prompt,
    provider: row.provider,
    startImageUrl: startImageForOwner(app, row.startImageUrl),
    resolution: row.filmWidth && row.filmHeight ? resolutionOf(row.filmWidth, row.filmHeight) : row.quality,
    fileSize: row.sizeBytes,
    generationTime: row.acceptedAt && row.resultAt ? generationTimeS(row.acceptedAt, row.resultAt) : null,
    error: row.error,
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

/**
 * Replaces the storage keys in the JSON text of list items by signed links. No prompt can imitate a field: a quote within a JSON
 * string has a backslash before it.
 */
function withLinks({ config, now }: App, items: string): string {
  const time = { nowMs: now().getTime(), ttlS: config.fileUrlTtlS }
  return items.replace(
    /"(videoUrl|thumbnailUrl)":"([^"]+)"/g,
    (_, field: string, key: string) => `"${field}":${JSON.stringify(signLink(config, key, time))}`,
  )
}

/** `720p` and the like, from the shorter side in pixels. */
function resolutionOf(width: number, height: number): string {
  const short = Math.min(width, height)
  return short === 2160 ? '4k' : `${short}p`
}

const generationTimeS = (from: Date, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - from.getTime()) / 100) / 10)

export const notFound = () => new AppError('NOT_FOUND', 'There is no such video.')
