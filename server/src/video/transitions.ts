/**
 * One typed function for each step of a video: generate (server/sql/video_generate.sql) and the steps of video_steps.sql;
 * the worker's claims are in claim.ts, the files to remove in film-transitions.ts. Each is idempotent and
 * returns its outcome as a union, so that a `switch` over it is exhaustive. The outcomes are explained where they are decided: in the
 * SQL.
 *
 * The SQL takes sets. A function is called with the set calls of the process (app.calls), which combine it with what other
 * requests do at the same time, or with a connection: a set of one.
 */

import { withColumnNames } from '../db/columns.ts'
import type { Query } from '../db/db.ts'
import { applyAll, type GenerateRow, generateAll, type SetCalls, type StepOutcome } from '../db/set-calls.ts'
import type { Failure } from '../film/failure.ts'
import { type Parameters, pickParameters, type Row } from '../film/fields.ts'
import type { Metadata } from '../film/limits.ts'
import type { Cost } from '../provider/provider.ts'

export type Calls = SetCalls | Query

/** What a run step reads of a claimed row. */
export type ClaimedVideo = Row<'claim'>

/** A video and the time of the call, by the clock of the process. */
export type VideoAt = { userId: string; videoId: string; now: Date }
/** A worker's report is recorded only while `lease` is valid. */
export type LeasedVideo = VideoAt & { lease: string }
/** A provider's task: its id, null when a callback does not carry one, and the rest of its handle, sealed. */
export type StoredTask<TaskId = string | null> = { taskId: TaskId; handle?: Buffer | null }
/** `unitUsd`: what one of the unit is worth; null when that is unknown. */
export type PricedCost = Cost & { unitUsd: number | null }
/** What a provider says of a task beside its state. */
export type TaskNotes = { queuePosition?: number | null; expectedAt?: Date | null; cost?: PricedCost | undefined }
/** A provider's report. */
export type ReportedVideo = VideoAt & StoredTask & { provider: string }

export type NewVideo = VideoAt &
  Parameters & {
    /** The user's uploaded image that `startImageUrl` names; it is then kept until `dueAt` at least. */
    startImage: { id: string; isLinkExpired: boolean; dueAt: Date } | null
    /** The price in whole credits. */
    credits: number
    /** Providers in order of preference. */
    providers: string[]
    usualS: number
    deadlineAt: Date
    /** 0: no cap. */
    maxInProgress: number
    /** Of a request for several films: id and seed of each, the first one's id is `videoId`. All or none are created. */
    batch?: { id: string; seed: number | null }[] | null
    idempotency: { key: string; requestHash: Buffer } | null
    apiKeyId?: string | null
    token?: { id: string; subject: string } | null
    /** The member for whom a program of a team makes the video, whose budget counts as well. */
    memberId?: string | null
    metadata?: Metadata | null
    webhook?: { url: string; origin: string; format?: string; events?: string[] | null } | null
  }

/** A request with the attributes of kinora.generate_request, all of them, which a test compares with the database's. */
export const generateRecord = (video: NewVideo) => ({
  userId: video.userId,
  id: video.videoId,
  ...pickParameters(video),
  batchId: video.batch ? video.videoId : null,
  batch: video.batch ?? null,
  startImageId: video.startImage?.id ?? null,
  startImageLinkExpired: video.startImage?.isLinkExpired ?? null,
  startImageDueAt: video.startImage?.dueAt ?? null,
  credits: video.credits,
  providers: video.providers,
  usualS: video.usualS,
  deadlineAt: video.deadlineAt,
  maxInProgress: video.maxInProgress,
  key: video.idempotency?.key ?? null,
  requestHash: video.idempotency ? `\\x${video.idempotency.requestHash.toString('hex')}` : null,
  keyId: video.apiKeyId ?? null,
  tokenId: video.token?.id ?? video.memberId ?? null,
  subject: video.token?.subject ?? null,
  metadata: video.metadata ?? null,
  webhookUrl: video.webhook?.url ?? null,
  webhookOrigin: video.webhook?.origin ?? null,
  webhookFormat: video.webhook?.format ?? null,
  webhookEvents: video.webhook?.events ?? null,
})

export type GenerateOutcome =
  | {
      outcome: 'created' | 'replayed'
      id: string
      model: string
      credits: number
      createdAt: Date
      /** Of a batch. */
      ids: string[] | null
    }
  | { outcome: 'insufficient'; available: number }
  | { outcome: 'over_budget' | 'too_many' | 'key_reused' | 'image_link_expired' | 'image_gone' }

/** Creates a PENDING video, or those of a batch, and freezes their credits. `credits` are of each. */
export async function videoGenerate(calls: Calls, video: NewVideo): Promise<GenerateOutcome> {
  const request = withColumnNames(generateRecord(video))
  const row = isSetCalls(calls)
    ? await calls.generate.add(video.userId, request, video.now)
    : (await generateAll(calls, JSON.stringify([request]), video.now))[0]
  return row as GenerateRow & GenerateOutcome
}

/** The attributes of kinora.video_step: the arguments of a step, as JSON. */
type StepArguments = {
  lease?: string
  lease_until?: Date
  provider?: string
  provider_index?: number
  task_id?: string | null
  handle?: string | null
  progress?: number | null
  queue_position?: number | null
  expected_at?: Date | null
  cost_amount?: string
  cost_unit?: string
  cost_stage?: string
  unit_usd?: number | null
  route_model?: string
  catalogue_usd?: number | null
  attempt?: number
  due_at?: Date
  deadline_at?: Date
  url?: string
  is_retryable?: boolean
  is_finished?: boolean
  is_lost?: boolean
  error_code?: string
  error?: string
  grace_s?: number
  entry?: string | null
  detail?: string | null
  video_key?: string
  thumbnail_key?: string
  manifest_key?: string | null
  provenance?: FilmProvenance | null
  size_bytes?: number
  duration_s?: number
  width?: number
  height?: number
}

/** @param step the function video_step_<step> of server/sql/video_steps.sql */
async function apply<Outcome extends StepOutcome>(
  calls: Calls,
  step: string,
  { userId, videoId, now }: VideoAt,
  args: StepArguments,
): Promise<Outcome> {
  const request = { step, user_id: userId, id: videoId, ...args }
  const outcome = isSetCalls(calls)
    ? await calls.apply.add(userId, request, now)
    : (await applyAll(calls, JSON.stringify([request]), now))[0]
  return outcome as Outcome
}

const taskArguments = ({ taskId, handle = null }: StoredTask) => ({
  task_id: taskId,
  handle: handle && `\\x${handle.toString('hex')}`,
})

const noteArguments = ({ queuePosition = null, expectedAt = null, cost }: TaskNotes) => ({
  queue_position: queuePosition,
  expected_at: expectedAt,
  ...(cost && { cost_amount: cost.amount, cost_unit: cost.unit, cost_stage: cost.stage, unit_usd: cost.unitUsd }),
})

const isSetCalls = (calls: Calls): calls is SetCalls => typeof calls !== 'function'

export const videoRenewLease = (calls: Calls, video: LeasedVideo & { leaseUntil: Date }) =>
  apply<'renewed' | 'stale'>(calls, 'renew_lease', video, { lease: video.lease, lease_until: video.leaseUntil })

/** @param video `log`: the entry for the video's log, null for none */
export const videoDefer = (
  calls: Calls,
  video: LeasedVideo & { attempt: number; dueAt: Date; log: { entry: string; detail: string | null } | null },
) =>
  apply<'deferred' | 'stale'>(calls, 'defer', video, {
    lease: video.lease,
    attempt: video.attempt,
    due_at: video.dueAt,
    ...video.log,
  })

/** The accounts of a video in another order; `providerIndex`: the one in use, from 1. */
export type Accounts = { providers: readonly string[]; providerIndex: number }

/** @param video `route`: the provider's name of the model, what the film costs by the catalogue, null when that is unknown, and the accounts */
export const videoBeginSubmit = (
  calls: Calls,
  video: LeasedVideo & { route?: { model: string; usd: number | null } & Accounts },
) =>
  apply<'begun' | 'stale'>(calls, 'begin_submit', video, {
    lease: video.lease,
    ...(video.route && {
      route_model: video.route.model,
      catalogue_usd: video.route.usd,
      providers: video.route.providers,
      provider_index: video.route.providerIndex,
    }),
  })

export const videoRetrySubmit = (
  calls: Calls,
  video: LeasedVideo & { providers?: readonly string[] } & Pick<Accounts, 'providerIndex'> & {
      attempt: number
      dueAt: Date
      reason: string
    },
) =>
  apply<'scheduled' | 'stale'>(calls, 'retry_submit', video, {
    lease: video.lease,
    ...(video.providers && { providers: video.providers }),
    provider_index: video.providerIndex,
    attempt: video.attempt,
    due_at: video.dueAt,
    detail: video.reason,
  })

export const videoAccept = (
  calls: Calls,
  video: VideoAt & StoredTask<string> & TaskNotes & { progress?: number | null; dueAt: Date; deadlineAt: Date },
) =>
  apply<'accepted' | 'recorded' | 'not_found'>(calls, 'accept', video, {
    ...taskArguments(video),
    ...noteArguments(video),
    progress: video.progress ?? null,
    due_at: video.dueAt,
    deadline_at: video.deadlineAt,
  })

/**
 * @param video `progress`: 0..100, null when the provider reports none; `isFinished`: the provider has finished, without a film so far;
 *   `isLost`: it does not know the task
 */
export const videoReschedulePoll = (
  calls: Calls,
  video: LeasedVideo &
    TaskNotes & { progress: number | null; isFinished: boolean; isLost?: boolean; attempt: number; dueAt: Date },
) =>
  apply<'scheduled' | 'stale'>(calls, 'reschedule_poll', video, {
    lease: video.lease,
    ...noteArguments(video),
    progress: video.progress,
    is_finished: video.isFinished,
    is_lost: video.isLost ?? false,
    attempt: video.attempt,
    due_at: video.dueAt,
  })

/** Outcomes of a report that is not about this video's task, or that comes when the video is final. */
export type IgnoredReport = 'final' | 'other_task' | 'not_found'
export type ReportOutcome = 'uploading' | 'failed' | 'cancelled' | 'running' | 'unchanged' | IgnoredReport

export const videoReportProgress = (
  calls: Calls,
  video: ReportedVideo & TaskNotes & { progress: number | null; dueAt: Date },
) =>
  apply<'running' | 'unchanged' | IgnoredReport>(calls, 'report_progress', video, {
    provider: video.provider,
    ...taskArguments(video),
    ...noteArguments(video),
    progress: video.progress,
    due_at: video.dueAt,
  })

export const videoReportResult = (calls: Calls, video: ReportedVideo & TaskNotes & { url: string }) =>
  apply<'uploading' | 'unchanged' | IgnoredReport>(calls, 'report_result', video, {
    provider: video.provider,
    ...taskArguments(video),
    ...noteArguments(video),
    url: video.url,
  })

/** Makes a task due for a poll at once. @param video `entry`: for the video's log, null for none */
export const videoPollNow = (calls: Calls, video: ReportedVideo & { entry: string | null }) =>
  apply<'scheduled' | 'running' | 'unchanged' | IgnoredReport>(calls, 'poll_now', video, {
    provider: video.provider,
    ...taskArguments(video),
    due_at: video.now,
    entry: video.entry,
  })

/** `graceS`: life in whole seconds of the package that replaces an expired one. */
export const videoReportFailure = (
  calls: Calls,
  video: ReportedVideo & TaskNotes & { failure: Failure; graceS: number },
) =>
  apply<'failed' | 'cancelled' | 'unchanged' | IgnoredReport>(calls, 'report_failure', video, {
    provider: video.provider,
    ...taskArguments(video),
    ...noteArguments(video),
    error_code: video.failure.code,
    error: video.failure.message,
    grace_s: video.graceS,
  })

/** @param video `isRetryable`: whether the link in use may work later; `reason` is for the log */
export const videoSwitchLink = (
  calls: Calls,
  video: LeasedVideo & { isRetryable: boolean; dueAt: Date; reason: string },
) =>
  apply<'switched' | 'no_other' | 'stale'>(calls, 'switch_link', video, {
    lease: video.lease,
    is_retryable: video.isRetryable,
    due_at: video.dueAt,
    detail: video.reason,
  })

/** Keys in storage of a film and its thumbnail. */
/** `manifestKey`: of a manifest beside the film; left out or null: there is none. */
export type FilmKeys = { videoKey: string; thumbnailKey: string; manifestKey?: string | null }

/** @param video `dueAt`: when the sweep may remove the files of a worker that did not complete the video */
export const videoBeginStore = (calls: Calls, video: LeasedVideo & FilmKeys & { dueAt: Date }) =>
  apply<'recorded' | 'stale'>(calls, 'begin_store', video, {
    lease: video.lease,
    video_key: video.videoKey,
    thumbnail_key: video.thumbnailKey,
    manifest_key: video.manifestKey ?? null,
    due_at: video.dueAt,
  })

/** A row of kinora.video_provenance; `due_at`: when the film is signed, which it is not yet. Hashes are in hexadecimal. */
export type FilmProvenance =
  | {
      film_sha256: string
      thumbnail_sha256?: string
      manifest_id: string
      signer: string
      signed_at: Date
      is_labelled: boolean
    }
  | { due_at: Date }

/** A stored film: its keys, size in bytes, duration in seconds, width and height in pixels. */
export type StoredFilm = FilmKeys & {
  provenance?: FilmProvenance | null
  sizeBytes: number
  durationS: number
  width: number
  height: number
}

export const videoComplete = (calls: Calls, video: LeasedVideo & StoredFilm) =>
  apply<'completed' | 'stale'>(calls, 'complete', video, {
    lease: video.lease,
    video_key: video.videoKey,
    thumbnail_key: video.thumbnailKey,
    manifest_key: video.manifestKey ?? null,
    provenance: video.provenance ?? null,
    size_bytes: video.sizeBytes,
    duration_s: video.durationS,
    width: video.width,
    height: video.height,
  })

export const videoFail = (calls: Calls, video: LeasedVideo & { failure: Failure; graceS: number }) =>
  apply<'failed' | 'final' | 'stale' | 'not_found'>(calls, 'fail', video, {
    lease: video.lease,
    error_code: video.failure.code,
    error: video.failure.message,
    grace_s: video.graceS,
  })

export const videoCancel = (calls: Calls, video: VideoAt & { error: string; graceS: number }) =>
  apply<'cancelled' | 'submitted' | 'final' | 'not_found'>(calls, 'cancel', video, {
    error: video.error,
    grace_s: video.graceS,
  })

export const videoDelete = (calls: Calls, video: VideoAt) => apply<'deleted' | 'not_found'>(calls, 'delete', video, {})

/**
 * Marks videos and moves them to a folder, or out of one; not a step, because neither changes what becomes of them.
 * @param change `favourite` null: the mark stays; `moves`: whether they go to `folderId`, null being none
 * @returns the ids of the videos that the user has; null: the user has no such folder
 */
export async function videoArrange(
  sql: Query,
  change: {
    userId: string
    videoIds: string[]
    favourite: boolean | null
    moves: boolean
    folderId: string | null
    now: Date
  },
): Promise<string[] | null> {
  const [row] = await sql<[{ ids: string[] | null }]>`
    select kinora.video_arrange(
      p_user_id => ${change.userId}, p_ids => ${change.videoIds}::uuid[], p_favourite => ${change.favourite},
      p_moves => ${change.moves}, p_folder_id => ${change.folderId}, p_now => ${change.now}
    ) as ids
  `
  return row.ids
}
