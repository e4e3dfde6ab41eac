/**
 * One typed function for each SQL function of server/sql/video.sql and video_row.sql that changes a video; those of
 * video_film.sql are in film-transitions.ts. Each is one round trip and one transaction, idempotent, and returns its outcome
 * as a union, so that a `switch` over it is exhaustive. The outcomes are explained where they are decided: in the SQL.
 */
import type { Row } from 'postgres'
import type { Query } from '../db.ts'
import type { Status } from './status.ts'

/** The columns of a claimed row that a run step reads. */
export type ClaimedVideo = {
  userId: string
  id: string
  status: Status
  prompt: string
  model: string
  durationS: number
  aspectRatio: string
  quality: string
  startImageUrl: string | null
  providers: string[]
  /** Position in `providers`, from 1, of the provider in use. */
  providerIndex: number
  providerTaskId: string | null
  submittedAt: Date | null
  resultAt: Date | null
  resultUrl: string | null
  deadlineAt: Date
  attempt: number
}

/** A video and the time of the call, by the clock of the process. */
export type VideoAt = { userId: string; videoId: string; now: Date }
/** A worker's report is recorded only while `lease` is valid. */
export type LeasedVideo = VideoAt & { lease: string }
/** A provider's report. `taskId`: the provider's id of the task, null when a callback does not carry one. */
export type ReportedVideo = VideoAt & { provider: string; taskId: string | null }

export type NewVideo = VideoAt & {
  prompt: string
  model: string
  durationS: number
  aspectRatio: string
  quality: string
  startImageUrl: string | null
  /** The user's uploaded image that `startImageUrl` names; it is then kept until `dueAt` at least. */
  startImage: { id: string; isLinkExpired: boolean; dueAt: Date } | null
  /** The price in whole credits. */
  credits: number
  /** In order of preference. */
  providers: string[]
  usualS: number
  deadlineAt: Date
  /** 0: no cap. */
  maxInProgress: number
  idempotency: { key: string; requestHash: Buffer } | null
}

export type GenerateOutcome =
  | { outcome: 'created' | 'replayed'; id: string; model: string; credits: number; createdAt: Date }
  | { outcome: 'insufficient'; available: number }
  | { outcome: 'too_many' | 'key_reused' | 'image_link_expired' | 'image_gone' }

/** Creates a PENDING video and freezes its credits. */
export async function videoGenerate(sql: Query, video: NewVideo): Promise<GenerateOutcome> {
  const { startImage, idempotency } = video
  const [row] = await sql<[GenerateOutcome]>`
    select outcome, available, id, model, credits, created_at from kinora.video_generate(
      p_user_id => ${video.userId},
      p_id => ${video.videoId},
      p_now => ${video.now},
      p_prompt => ${video.prompt},
      p_model => ${video.model},
      p_duration_s => ${video.durationS},
      p_aspect_ratio => ${video.aspectRatio},
      p_quality => ${video.quality},
      p_start_image_url => ${video.startImageUrl},
      p_start_image_id => ${startImage?.id ?? null},
      p_start_image_link_expired => ${startImage?.isLinkExpired ?? null},
      p_start_image_due_at => ${startImage?.dueAt ?? null},
      p_credits => ${video.credits},
      p_providers => ${video.providers},
      p_usual_s => ${video.usualS},
      p_deadline_at => ${video.deadlineAt},
      p_max_in_progress => ${video.maxInProgress},
      p_key => ${idempotency?.key ?? null},
      p_request_hash => ${idempotency?.requestHash ?? null}
    )
  `
  return row
}

/** Claims those of the given videos, which the caller has sorted by id, that are still due. */
export async function videoClaim(
  sql: Query,
  claim: { videos: { userId: string; id: string }[]; lease: string; leaseUntil: Date; now: Date },
): Promise<ClaimedVideo[]> {
  const { videos, lease, leaseUntil, now } = claim
  return [
    ...(await sql<ClaimedVideo[]>`
      select user_id, id, status, prompt, model, duration_s, aspect_ratio, quality, start_image_url, providers, provider_index,
             provider_task_id, submitted_at, result_at, result_url, deadline_at, attempt
      from kinora.video_claim(
        p_user_ids => ${videos.map((video) => video.userId)},
        p_ids => ${videos.map((video) => video.id)},
        p_lease => ${lease},
        p_lease_until => ${leaseUntil},
        p_now => ${now}
      )
    `),
  ]
}

export function videoRenewLease(
  sql: Query,
  video: Omit<LeasedVideo, 'now'> & { leaseUntil: Date },
): Promise<'renewed' | 'stale'> {
  return outcomeOf(sql`
    select kinora.video_renew_lease(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_lease => ${video.lease},
      p_lease_until => ${video.leaseUntil}
    ) as outcome
  `)
}

/** @param video `log`: the entry for the video's log, null for none */
export function videoDefer(
  sql: Query,
  video: LeasedVideo & { attempt: number; dueAt: Date; log: { entry: string; detail: string | null } | null },
): Promise<'deferred' | 'stale'> {
  return outcomeOf(sql`
    select kinora.video_defer(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_lease => ${video.lease},
      p_attempt => ${video.attempt}, p_due_at => ${video.dueAt}, p_entry => ${video.log?.entry ?? null},
      p_detail => ${video.log?.detail ?? null}, p_now => ${video.now}
    ) as outcome
  `)
}

export function videoBeginSubmit(sql: Query, video: LeasedVideo): Promise<'begun' | 'stale'> {
  return outcomeOf(sql`
    select kinora.video_begin_submit(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_lease => ${video.lease}, p_now => ${video.now}
    ) as outcome
  `)
}

export function videoRetrySubmit(
  sql: Query,
  video: LeasedVideo & { providerIndex: number; attempt: number; dueAt: Date; reason: string },
): Promise<'scheduled' | 'stale'> {
  return outcomeOf(sql`
    select kinora.video_retry_submit(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_lease => ${video.lease},
      p_provider_index => ${video.providerIndex}, p_attempt => ${video.attempt}, p_due_at => ${video.dueAt},
      p_reason => ${video.reason}, p_now => ${video.now}
    ) as outcome
  `)
}

export function videoAccept(
  sql: Query,
  video: VideoAt & { taskId: string; dueAt: Date; deadlineAt: Date },
): Promise<'accepted' | 'recorded' | 'not_found'> {
  return outcomeOf(sql`
    select kinora.video_accept(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_task_id => ${video.taskId},
      p_due_at => ${video.dueAt}, p_deadline_at => ${video.deadlineAt}, p_now => ${video.now}
    ) as outcome
  `)
}

/** @param video `progress`: 0..100, null when the provider reports none */
export function videoReschedulePoll(
  sql: Query,
  video: LeasedVideo & { progress: number | null; attempt: number; dueAt: Date },
): Promise<'scheduled' | 'stale'> {
  return outcomeOf(sql`
    select kinora.video_reschedule_poll(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_lease => ${video.lease},
      p_progress => ${video.progress}, p_attempt => ${video.attempt}, p_due_at => ${video.dueAt}, p_now => ${video.now}
    ) as outcome
  `)
}

/** Outcomes of a report that is not about this video's task, or that comes when the video is final. */
export type IgnoredReport = 'final' | 'other_task' | 'not_found'

export function videoReportProgress(
  sql: Query,
  video: ReportedVideo & { progress: number | null; dueAt: Date },
): Promise<'running' | 'unchanged' | IgnoredReport> {
  return outcomeOf(sql`
    select kinora.video_report_progress(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_provider => ${video.provider},
      p_task_id => ${video.taskId}, p_progress => ${video.progress}, p_due_at => ${video.dueAt}, p_now => ${video.now}
    ) as outcome
  `)
}

export function videoReportResult(
  sql: Query,
  video: ReportedVideo & { url: string },
): Promise<'uploading' | 'unchanged' | IgnoredReport> {
  return outcomeOf(sql`
    select kinora.video_report_result(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_provider => ${video.provider},
      p_task_id => ${video.taskId}, p_url => ${video.url}, p_now => ${video.now}
    ) as outcome
  `)
}

/** `error` is shown to the user; `graceS`: life in seconds of the package that replaces an expired one. */
export function videoReportFailure(
  sql: Query,
  video: ReportedVideo & { error: string; graceS: number },
): Promise<'failed' | 'unchanged' | IgnoredReport> {
  return outcomeOf(sql`
    select kinora.video_report_failure(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_provider => ${video.provider},
      p_task_id => ${video.taskId}, p_error => ${video.error}, p_grace => ${video.graceS} * interval '1 second',
      p_now => ${video.now}
    ) as outcome
  `)
}

/** A stored film: keys in storage, size in bytes, duration in seconds, width and height in pixels. */
export type StoredFilm = {
  videoKey: string
  thumbnailKey: string
  sizeBytes: number
  durationS: number
  width: number
  height: number
}

export function videoComplete(sql: Query, video: LeasedVideo & StoredFilm): Promise<'completed' | 'stale'> {
  return outcomeOf(sql`
    select kinora.video_complete(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_lease => ${video.lease},
      p_video_key => ${video.videoKey}, p_thumbnail_key => ${video.thumbnailKey}, p_size_bytes => ${video.sizeBytes},
      p_duration_s => ${video.durationS}, p_width => ${video.width}, p_height => ${video.height}, p_now => ${video.now}
    ) as outcome
  `)
}

/** `errorCode` is for the log, `error` is shown to the user. */
export function videoFail(
  sql: Query,
  video: LeasedVideo & { errorCode: string; error: string; graceS: number },
): Promise<'failed' | 'final' | 'stale' | 'not_found'> {
  return outcomeOf(sql`
    select kinora.video_fail(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_lease => ${video.lease},
      p_error_code => ${video.errorCode}, p_error => ${video.error}, p_grace => ${video.graceS} * interval '1 second',
      p_now => ${video.now}
    ) as outcome
  `)
}

export function videoCancel(
  sql: Query,
  video: VideoAt & { error: string; graceS: number },
): Promise<'cancelled' | 'submitted' | 'final' | 'not_found'> {
  return outcomeOf(sql`
    select kinora.video_cancel(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_error => ${video.error},
      p_grace => ${video.graceS} * interval '1 second', p_now => ${video.now}
    ) as outcome
  `)
}

export function videoDelete(sql: Query, video: VideoAt): Promise<'deleted' | 'not_found'> {
  return outcomeOf(sql`
    select kinora.video_delete(
      p_user_id => ${video.userId}, p_id => ${video.videoId}, p_now => ${video.now}
    ) as outcome
  `)
}

/** The outcome of a function that returns one text. */
export async function outcomeOf<Outcome extends string>(query: PromiseLike<readonly Row[]>): Promise<Outcome> {
  const [row] = await query
  return row?.outcome
}
