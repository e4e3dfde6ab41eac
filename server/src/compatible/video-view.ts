/**
 * A user's videos with all that the compatible APIs show of them: one by its id, and pages in either sequence. library.ts has
 * what the native API shows. An unknown uuid, another user's and a deleted video get the same 404.
 */
import type { App } from '../app.ts'
import { isUuid } from '../id.ts'
import { signLink } from '../storage/link.ts'
import { DEFAULT_QUALITY, type GenerateInput } from '../video/catalogue.ts'
import { notFound } from '../video/library.ts'
import type { Generated } from '../video/replay.ts'
import type { Status } from '../video/status.ts'

export type VideoView = {
  uuid: string
  prompt: string
  model: string
  status: Status
  /** 0 to 100; never falls. */
  progress: number
  /** Seconds, as requested. */
  durationS: number
  aspectRatio: string
  quality: string
  startImageUrl: string | null
  /** The film of which it is a remix. */
  remixedFrom: string | null
  /** The price; 0 once released. */
  creditsUsed: number
  createdAt: Date
  /** When a provider accepted the task. */
  acceptedAt: Date | null
  completedAt: Date | null
  failedAt: Date | null
  /** Why it failed, for programs: CANCELLED, REFUSED, TIMED_OUT and the like. */
  errorCode: string | null
  /** Why it failed, for people. */
  error: string | null
  /** Storage keys; null until the film is stored, and once it is removed. */
  videoKey: string | null
  thumbnailKey: string | null
}

const columns = (sql: App['sql'], now: Date) => sql`
  v.id as uuid, v.prompt, v.model, v.status, kinora.video_progress(p_video => v, p_now => ${now}) as progress, v.duration_s, v.aspect_ratio,
  v.quality, v.start_image_url, v.remixed_from, case when v.status = 'FAILED' then 0 else v.credits end as credits_used, v.created_at,
  v.accepted_at, case when v.status = 'COMPLETED' then v.completed_at end as completed_at,
  case when v.status = 'FAILED' then v.updated_at end as failed_at, v.error_code, v.error,
  case when v.files_removed_at is null then v.video_key end as video_key,
  case when v.files_removed_at is null then v.thumbnail_key end as thumbnail_key
`

/** @throws AppError NOT_FOUND */
export async function viewVideo({ sql, now }: App, userId: string, uuid: string): Promise<VideoView> {
  const [row] = isUuid(uuid)
    ? await sql<VideoView[]>`
        select ${columns(sql, now())} from kinora.video v
        where v.user_id = ${userId} and v.id = ${uuid} and v.deleted_at is null
      `
    : []
  if (!row) throw notFound()
  return row
}

/**
 * Keyset pagination by the uuid of the last video of the page before.
 * @throws AppError NOT_FOUND when `after` is not a uuid
 */
export async function viewVideos(
  { sql, now }: App,
  userId: string,
  { after, limit, order }: { after: string | undefined; limit: number; order: 'asc' | 'desc' },
): Promise<{ videos: VideoView[]; hasMore: boolean }> {
  if (after !== undefined && !isUuid(after)) throw notFound()
  const isAscending = order === 'asc'
  const rows = await sql<VideoView[]>`
    select ${columns(sql, now())} from kinora.video v
    where v.user_id = ${userId} and v.deleted_at is null
      ${after === undefined ? sql`` : isAscending ? sql`and v.id > ${after}` : sql`and v.id < ${after}`}
    order by v.id ${isAscending ? sql`asc` : sql`desc`}
    limit ${limit + 1}
  `
  return { videos: rows.slice(0, limit), hasMore: rows.length > limit }
}

/** A video as it was created, without reading its row; its texts are as they are stored. An idempotent replay gets the same. */
export function viewOfNew(request: GenerateInput, { uuid, creditsUsed, createdAt }: Generated): VideoView {
  return {
    uuid,
    prompt: request.prompt.trim().toWellFormed(),
    model: request.model,
    status: 'PENDING',
    progress: 0,
    durationS: request.duration,
    aspectRatio: request.aspectRatio,
    quality: request.quality ?? DEFAULT_QUALITY,
    startImageUrl: request.startImageUrl?.toWellFormed() ?? null,
    remixedFrom: null,
    creditsUsed,
    createdAt,
    acceptedAt: null,
    completedAt: null,
    failedAt: null,
    errorCode: null,
    error: null,
    videoKey: null,
    thumbnailKey: null,
  }
}

/** A signed link to a file of a video; null without a file. */
export function fileLink({ config, now }: App, key: string | null): string | null {
  const time = { nowMs: now().getTime(), ttlS: config.fileUrlTtlS }
  return key === null ? null : signLink(config, key, time)
}
