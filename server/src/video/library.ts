/**
 * A user's videos as the API shows them: list, detail, task status, delete. A soft-deleted video is left out of all four; an
 * unknown uuid, another user's uuid and a deleted video get the same 404.
 */
import type { App } from '../app.ts'
import { AppError, unknownCursor } from '../errors.ts'
import { isUuid } from '../id.ts'
import { startImageForOwner } from '../image/start-image-link.ts'
import { signLink } from '../storage/link.ts'
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
  createdAt: Date
  completedAt: Date | null
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

type ListRow = {
  id: string
  status: Status
  prompt: string
  model: string
  durationS: number
  aspectRatio: string
  credits: number
  /** Null also once the files are removed, as is `thumbnailKey`. */
  videoKey: string | null
  thumbnailKey: string | null
  filmDurationS: number | null
  createdAt: Date
  completedAt: Date | null
}

type Row = ListRow & {
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

const LIST_PROMPT_CHARACTERS = 120

const listColumns = (sql: App['sql']) => sql`
  id, status, model, duration_s, aspect_ratio, credits, film_duration_s, created_at, completed_at,
  case when files_removed_at is null then video_key end as video_key,
  case when files_removed_at is null then thumbnail_key end as thumbnail_key
`

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
 * whose cost does not grow with depth. `total` counts all matching videos.
 * @throws AppError INVALID_REQUEST for a malformed cursor
 */
export async function list(
  app: App,
  userId: string,
  { page, pageSize, status, model, q, cursor }: ListQuery,
): Promise<{ videos: ListItem[]; total: number; nextCursor: string | null }> {
  const { sql } = app
  if (cursor !== undefined && !isUuid(cursor)) throw unknownCursor()
  const matching = sql`
    user_id = ${userId} and deleted_at is null
    ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${model === undefined ? sql`` : sql`and model = ${model}`}
    ${q === undefined ? sql`` : sql`and strpos(lower(prompt), lower(${q})) > 0`}
  `
  // The count comes with the page: one statement, which returns one row with nulls when the page is empty.
  const result = await sql<(ListRow & { total: number })[]>`
    select count.total, v.*
    from (select count(*) as total from kinora.video where ${matching}) count
    left join lateral (
      select ${listColumns(sql)}, left(prompt, ${LIST_PROMPT_CHARACTERS + 1}) as prompt
      from kinora.video
      where ${matching} ${cursor === undefined ? sql`` : sql`and id < ${cursor}`}
      order by id desc
      limit ${pageSize + 1} offset ${cursor === undefined ? (page - 1) * pageSize : 0}
    ) v on true
    order by v.id desc
  `
  const rows = result.filter(({ id }) => id !== null)
  const shown = rows.slice(0, pageSize)
  return {
    videos: shown.map((row) => toListItem(app, row)),
    total: result[0]?.total ?? 0,
    nextCursor: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null,
  }
}

/** @throws AppError NOT_FOUND */
export async function get(app: App, userId: string, videoId: string): Promise<Detail> {
  const { sql } = app
  const [row] = isUuid(videoId)
    ? await sql<Row[]>`
        select ${listColumns(sql)}, prompt, quality, start_image_url, providers[provider_index] as provider, accepted_at, result_at,
               error, size_bytes, film_width, film_height
        from kinora.video
        where user_id = ${userId} and id = ${videoId} and deleted_at is null
      `
    : []
  if (!row) throw notFound()
  return {
    ...toListItem(app, row),
    prompt: row.prompt,
    provider: row.provider,
    startImageUrl: startImageForOwner(app, row.startImageUrl),
    resolution: row.filmWidth && row.filmHeight ? resolutionOf(row.filmWidth, row.filmHeight) : row.quality,
    fileSize: row.sizeBytes,
    generationTime: row.acceptedAt && row.resultAt ? generationTimeS(row.acceptedAt, row.resultAt) : null,
    error: row.error,
  }
}

/** The columns of a `TaskStatus`, from the row `v` of kinora.video. Task polling and the event stream both use them. */
export const taskColumns = (sql: App['sql'], at: Date) => sql`
  v.id as uuid, v.status, kinora.video_progress(v, ${at}) as progress, v.error
`

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

function toListItem({ config, now }: App, row: ListRow): ListItem {
  const link = (key: string | null) =>
    key === null
      ? null
      : signLink({ publicUrl: config.publicUrl, authSecret: config.authSecret }, key, {
          nowMs: now().getTime(),
          ttlS: config.fileUrlTtlS,
        })
  return {
    uuid: row.id,
    prompt: abbreviated(row.prompt),
    model: row.model,
    status: row.status,
    videoUrl: link(row.videoKey),
    thumbnailUrl: link(row.thumbnailKey),
    duration: row.filmDurationS === null ? row.durationS : Math.round(row.filmDurationS * 100) / 100,
    aspectRatio: row.aspectRatio,
    creditsUsed: row.status === 'FAILED' ? 0 : row.credits,
    createdAt: row.createdAt,
    completedAt: row.status === 'COMPLETED' ? row.completedAt : null,
  }
}

function abbreviated(prompt: string): string {
  const characters = [...prompt]
  return characters.length > LIST_PROMPT_CHARACTERS
    ? `${characters.slice(0, LIST_PROMPT_CHARACTERS).join('')}…`
    : prompt
}

/** `720p` and the like, from the shorter side in pixels. */
function resolutionOf(width: number, height: number): string {
  const short = Math.min(width, height)
  return short === 2160 ? '4k' : `${short}p`
}

const generationTimeS = (from: Date, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - from.getTime()) / 100) / 10)

export const notFound = () => new AppError('NOT_FOUND', 'There is no such video.')
