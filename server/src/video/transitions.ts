/**
 * One typed function for each step of a video: generate (server/sql/video_generate.sql) and the steps of
 * video_steps.sql; the worker's claims are in claim.ts, the files to remove in film-transitions.ts. Each is idempotent
 * and returns its outcome as a union, so that a `switch` over it is exhaustive. The outcomes are explained where they
 * are decided: in the SQL.
 *
 * The SQL takes sets. A function is called with the set calls of the process (app.calls), which combine it with what
 * other requests do at the same time, or with a connection: a set of one.
 */

import type { GenerateRequest, Steps } from '../db/bindings.ts'
import { call, type NoOthers } from '../db/call.ts'
import { withColumnNames, withEveryColumn } from '../db/columns.ts'
import type { Query } from '../db/db.ts'
import { applyAll, type GenerateRow, generateAll, type SetCalls } from '../db/set-calls.ts'
import type { Failure } from '../film/failure.ts'
import type { Parameters, Row } from '../film/fields.ts'
import type { Metadata } from '../film/limits.ts'
import { pickParameters } from '../film/parameters.ts'
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
    /** The user's assets among the inputs; they are then kept until `dueAt` at least. */
    assets: { ids: string[]; isLinkExpired: boolean; dueAt: Date } | null
    /** The price in whole credits, or the most where it follows what is made. */
    credits: number
    /** Then credits for a second of film; null: it does not. */
    secondRate: number | null
    /** Providers in order of preference. */
    providers: string[]
    usualS: number
    deadlineAt: Date
    /** 0: no cap. */
    maxInProgress: number
    /**
     * Of a request for several films what each has of its own: its seed, or all that it is made from. The first id is
     * `videoId`. All or none are created.
     */
    batch?: ({ id: string; seed: number | null } | FilmOfBatch)[] | null
    /** The shot of which it is a take. */
    shot?: ShotOf | null
    /** Whether it waits for a place where the cap is reached. */
    mayWait?: boolean
    idempotency: { key: string; requestHash: Buffer } | null
    /** Whether the same request without an idempotency key returns it until its end was read. */
    isReplayable?: boolean
    apiKeyId?: string | null
    token?: { id: string; subject: string } | null
    /** The member for whom a program of a team makes the video, whose budget counts as well. */
    memberId?: string | null
    metadata?: Metadata | null
    webhook?: { url: string; origin: string; format?: string; events?: string[] | null } | null
  }

/** `takeId`: the take that the shot has chosen, when the film may wait: with another one it is not created. */
type ShotOf = { projectId: string; shotId: string; takeId?: string | null }
/** A film of a batch whose films differ. */
export type FilmOfBatch = { id: string; shot: ShotOf } & Pick<
  NewVideo,
  keyof Parameters | 'credits' | 'secondRate' | 'providers' | 'usualS' | 'deadlineAt'
>

const filmRecord = ({ id, shot, credits, secondRate, providers, usualS, deadlineAt, ...film }: FilmOfBatch) =>
  withEveryColumn({
    id,
    ...pickParameters(film),
    ...{ takeId: null, ...shot },
    credits,
    secondRate,
    providers,
    usualS,
    deadlineAt,
  })

/** The parts of `video` as the attributes of kinora.generate_request. */
const generateRecord = (video: NewVideo): GenerateRequest => ({
  userId: video.userId,
  id: video.videoId,
  // A parameter without an attribute would pass unchecked in a spread.
  ...(pickParameters(video) satisfies Pick<GenerateRequest, keyof Parameters>),
  batchId: video.batch ? video.videoId : null,
  batch: video.batch?.map((film) => ('shot' in film ? filmRecord(film) : film)) ?? null,
  projectId: video.shot?.projectId ?? null,
  shotId: video.shot?.shotId ?? null,
  takeId: video.shot?.takeId ?? null,
  mayWait: video.mayWait ?? null,
  assetIds: video.assets?.ids ?? null,
  assetLinkExpired: video.assets?.isLinkExpired ?? null,
  assetDueAt: video.assets?.dueAt ?? null,
  credits: video.credits,
  secondRate: video.secondRate,
  providers: video.providers,
  usualS: video.usualS,
  deadlineAt: video.deadlineAt,
  maxInProgress: video.maxInProgress,
  key: video.idempotency?.key ?? null,
  requestHash: video.idempotency?.requestHash ?? null,
  isReplayable: video.isReplayable || null,
  keyId: video.apiKeyId ?? null,
  tokenId: video.token?.id ?? video.memberId ?? null,
  subject: video.token?.subject ?? null,
  metadata: video.metadata ?? null,
  webhookUrl: video.webhook?.url ?? null,
  webhookOrigin: video.webhook?.origin ?? null,
  webhookFormat: video.webhook?.format ?? null,
  webhookEvents: video.webhook?.events ?? null,
})

export type CreatedVideo = {
  outcome: 'created' | 'replayed'
  id: string
  model: string
  credits: number
  createdAt: Date
  /** Of a batch. */
  ids: string[] | null
}
export type GenerateOutcome =
  | CreatedVideo
  | { outcome: 'insufficient'; available: number }
  | { outcome: 'over_budget' | 'too_many' | 'key_reused' | 'asset_link_expired' | 'asset_gone' | 'shot_gone' }

/** Creates a PENDING video, or those of a batch, and freezes their credits. `credits` are of each. */
export async function videoGenerate(calls: Calls, video: NewVideo): Promise<GenerateOutcome> {
  const request = withColumnNames(generateRecord(video))
  const row = isSetCalls(calls)
    ? await calls.generate.add(video.userId, request, video.now)
    : (await generateAll(calls, JSON.stringify([request]), video.now))[0]
  return row as GenerateRow & GenerateOutcome
}

/**
 * Creates a cut, as videoGenerate does a film; not combined with other requests. `busy`: the user has one in progress.
 */
export async function cutCreate(sql: Query, video: NewVideo): Promise<GenerateOutcome | { outcome: 'busy' }> {
  const request = withColumnNames(generateRecord(video))
  const [row] = await call(sql, 'cut_create', { request, now: video.now })
  const { model, credits, now: createdAt } = video
  return { ...row, model, credits, createdAt, ids: null } as unknown as GenerateOutcome | { outcome: 'busy' }
}

/** Applies the step of server/sql/video_steps.sql. An attribute that is null there is null here. */
async function apply<Step extends keyof Steps, Given extends Steps[Step]['args']>(
  calls: Calls,
  step: Step,
  { userId, videoId, now }: VideoAt,
  args: NoOthers<Given, Steps[Step]['args']>,
): Promise<Steps[Step]['outcome']> {
  const request = withColumnNames({ step, userId, id: videoId, ...args })
  const outcome = isSetCalls(calls)
    ? await calls.apply.add(userId, request, now)
    : (await applyAll(calls, JSON.stringify([request]), now))[0]
  return outcome as Steps[Step]['outcome']
}

const noteArguments = ({ queuePosition = null, expectedAt = null, cost }: TaskNotes) => ({
  queuePosition,
  expectedAt,
  costAmount: cost?.amount ?? null,
  costUnit: cost?.unit ?? null,
  costStage: cost?.stage ?? null,
  unitUsd: cost?.unitUsd ?? null,
})

const isSetCalls = (calls: Calls): calls is SetCalls => typeof calls !== 'function'

export const videoRenewLease = (calls: Calls, video: LeasedVideo & { leaseUntil: Date }) =>
  apply(calls, 'renew_lease', video, { lease: video.lease, leaseUntil: video.leaseUntil })

/** Of a cut: renews the lease too. */
export const videoRender = (
  calls: Calls,
  {
    lease,
    leaseUntil,
    progress,
    isFinished,
    ...video
  }: LeasedVideo & {
    leaseUntil: Date
    progress: number | null
    isFinished: boolean
  },
) => apply(calls, 'render', video, { lease, leaseUntil, progress, isFinished })

/** @param video `log`: the entry for the video's log, null for none */
export const videoDefer = (
  calls: Calls,
  video: LeasedVideo & { attempt: number; dueAt: Date; log: { entry: string; detail: string | null } | null },
) =>
  apply(calls, 'defer', video, {
    lease: video.lease,
    attempt: video.attempt,
    dueAt: video.dueAt,
    entry: video.log?.entry ?? null,
    detail: video.log?.detail ?? null,
  })

/** The accounts of a video in another order; `providerIndex`: the one in use, from 1. */
export type Accounts = { providers: readonly string[]; providerIndex: number }

/**
 * @param video `route`: the provider's model name, the catalogue's cost (null: unknown), what units are worth, and the
 * accounts
 */
export const videoBeginSubmit = (
  calls: Calls,
  video: LeasedVideo & {
    route?: { model: string; usd: number | null; unitRates?: Record<string, number> } & Accounts
  },
) =>
  apply(calls, 'begin_submit', video, {
    lease: video.lease,
    routeModel: video.route?.model ?? null,
    catalogueUsd: video.route?.usd ?? null,
    unitRates: video.route?.unitRates ?? null,
    providers: video.route?.providers ?? null,
    providerIndex: video.route?.providerIndex ?? null,
  })

export const videoRetrySubmit = (
  calls: Calls,
  video: LeasedVideo & { providers?: readonly string[] } & Pick<Accounts, 'providerIndex'> & {
      attempt: number
      dueAt: Date
      reason: string
    },
) =>
  apply(calls, 'retry_submit', video, {
    lease: video.lease,
    providers: video.providers ?? null,
    providerIndex: video.providerIndex,
    attempt: video.attempt,
    dueAt: video.dueAt,
    detail: video.reason,
  })

export const videoAccept = (
  calls: Calls,
  video: VideoAt & StoredTask<string> & TaskNotes & { progress?: number | null; dueAt: Date; deadlineAt: Date },
) =>
  apply(calls, 'accept', video, {
    taskId: video.taskId,
    handle: video.handle ?? null,
    ...noteArguments(video),
    progress: video.progress ?? null,
    dueAt: video.dueAt,
    deadlineAt: video.deadlineAt,
  })

/**
 * @param video `progress`: 0..100, null when the provider reports none; `isFinished`: the provider has finished,
 * without a film so far;
 *   `isLost`: it does not know the task
 */
export const videoReschedulePoll = (
  calls: Calls,
  video: LeasedVideo &
    TaskNotes & { progress: number | null; isFinished: boolean; isLost?: boolean; attempt: number; dueAt: Date },
) =>
  apply(calls, 'reschedule_poll', video, {
    lease: video.lease,
    ...noteArguments(video),
    progress: video.progress,
    isFinished: video.isFinished,
    isLost: video.isLost ?? false,
    attempt: video.attempt,
    dueAt: video.dueAt,
  })

/** Outcomes of a report that is not about this video's task, or that comes when the video is final. */
export type IgnoredReport = 'final' | 'other_task' | 'not_found'
export type ReportOutcome = 'uploading' | 'failed' | 'cancelled' | 'running' | 'unchanged' | IgnoredReport

export const videoReportProgress = (
  calls: Calls,
  video: ReportedVideo & TaskNotes & { progress: number | null; dueAt: Date },
) =>
  apply(calls, 'report_progress', video, {
    provider: video.provider,
    taskId: video.taskId,
    handle: video.handle ?? null,
    ...noteArguments(video),
    progress: video.progress,
    dueAt: video.dueAt,
  })

export const videoReportResult = (calls: Calls, video: ReportedVideo & TaskNotes & { url: string }) =>
  apply(calls, 'report_result', video, {
    provider: video.provider,
    taskId: video.taskId,
    handle: video.handle ?? null,
    ...noteArguments(video),
    url: video.url,
  })

/** Makes a task due for a poll at once. @param video `entry`: for the video's log, null for none */
export const videoPollNow = (calls: Calls, video: ReportedVideo & { entry: string | null }) =>
  apply(calls, 'poll_now', video, {
    provider: video.provider,
    taskId: video.taskId,
    handle: video.handle ?? null,
    ...noteArguments({}),
    progress: null,
    dueAt: video.now,
    entry: video.entry,
    detail: null,
  })

/** `graceS`: life in whole seconds of the package that replaces an expired one. */
export const videoReportFailure = (
  calls: Calls,
  video: ReportedVideo & TaskNotes & { failure: Failure; graceS: number },
) =>
  apply(calls, 'report_failure', video, {
    provider: video.provider,
    taskId: video.taskId,
    ...noteArguments(video),
    errorCode: video.failure.code,
    error: video.failure.message,
    graceS: video.graceS,
  })

/** @param video `isRetryable`: whether the link in use may work later; `reason` is for the log */
export const videoSwitchLink = (
  calls: Calls,
  video: LeasedVideo & { isRetryable: boolean; dueAt: Date; reason: string },
) =>
  apply(calls, 'switch_link', video, {
    lease: video.lease,
    isRetryable: video.isRetryable,
    dueAt: video.dueAt,
    detail: video.reason,
  })

/** Keys in storage of a film and its thumbnail. */
/** `manifestKey`: of a manifest beside the film; left out or null: there is none. */
export type FilmKeys = { videoKey: string; thumbnailKey: string; manifestKey?: string | null }

/** @param video `dueAt`: when the sweep may remove the files of a worker that did not complete the video */
export const videoBeginStore = (calls: Calls, video: LeasedVideo & FilmKeys & { dueAt: Date }) =>
  apply(calls, 'begin_store', video, {
    lease: video.lease,
    videoKey: video.videoKey,
    thumbnailKey: video.thumbnailKey,
    manifestKey: video.manifestKey ?? null,
    dueAt: video.dueAt,
  })

/** A row of kinora.video_provenance; `due_at`: when the film is signed. Hashes are in hexadecimal. */
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

/** `graceS`: as of a failure, for the credits that the film did not cost. */
export const videoComplete = (
  calls: Calls,
  video: LeasedVideo & StoredFilm & Pick<TaskNotes, 'cost'> & { graceS: number },
) =>
  apply(calls, 'complete', video, {
    lease: video.lease,
    ...noteArguments({ cost: video.cost }),
    videoKey: video.videoKey,
    thumbnailKey: video.thumbnailKey,
    manifestKey: video.manifestKey ?? null,
    provenance: video.provenance ?? null,
    sizeBytes: video.sizeBytes,
    durationS: video.durationS,
    width: video.width,
    height: video.height,
    graceS: video.graceS,
  })

export const videoFail = (calls: Calls, video: LeasedVideo & { failure: Failure; graceS: number }) =>
  apply(calls, 'fail', video, {
    lease: video.lease,
    errorCode: video.failure.code,
    error: video.failure.message,
    graceS: video.graceS,
  })

export const videoCancel = (calls: Calls, video: VideoAt & { error: string; graceS: number }) =>
  apply(calls, 'cancel', video, {
    error: video.error,
    graceS: video.graceS,
  })

export const videoDelete = (calls: Calls, video: VideoAt) => apply(calls, 'delete', video, {})

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
  return await call(sql, 'video_arrange', {
    userId: change.userId,
    ids: change.videoIds,
    favourite: change.favourite,
    moves: change.moves,
    folderId: change.folderId,
    now: change.now,
  })
}
