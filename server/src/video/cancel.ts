/**
 * Cancels a video. While no worker has recorded the start of a submit it is FAILED at once; while a provider is working
 * on it the provider is asked, and its answer decides. Between the answer and its record nothing is lost: a poll
 * reports the task as cancelled.
 */

import type { Reader } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { videoColumns } from '../db/columns.ts'
import { AppError } from '../errors.ts'
import type { Failure } from '../film/failure.ts'
import { isUuid } from '../id.ts'
import { handleOf } from './handle.ts'
import { type TaskStatus, taskStatus } from './library.ts'
import { type Changer, notFound, requireMade } from './made-by.ts'
import { idsOf } from './outcome.ts'
import { cancelTask } from './step-trace.ts'
import { type ClaimedVideo, videoCancel, videoPollNow, videoReportFailure } from './transitions.ts'

const BEFORE_IT_BEGAN = 'Cancelled before it began; your credits are back.'
/** Of a task that the provider has cancelled. */
export const CANCELLED: Failure = {
  code: 'CANCELLED',
  message: 'Cancelled while it was being made; your credits are back.',
}
/** The entry of a video's log. */
const ASKED_TO_STOP = 'cancel requested'
const REQUESTED =
  'The provider was asked to stop this film. It may finish it all the same; then you keep the film, and pay for it.'

/** `message`: what has become of the video, for the user. */
export type Cancelled = TaskStatus & { message: string }

/**
 * FAILED and the credits released; or still GENERATING, when the provider was asked to stop and does not say whether it
 * will. Idempotent.
 * @throws AppError CONFLICT when it cannot be cancelled, with the reason; NOT_FOUND; those of requireMade
 */
export async function cancel(app: App, by: Changer, videoId: string): Promise<Cancelled> {
  const { userId } = by
  if (!isUuid(videoId)) throw notFound()
  await requireMade(app, by, [videoId])
  if (await cancelUnsent(app, userId, videoId)) return statusOf(app, by, videoId)
  const video = await readGenerating(app, userId, videoId)
  const handle = handleOf(app, video)
  const provider = video.providers[video.providerIndex - 1] ?? ''
  const { cancel: ask } = (await app.providers.open(provider)) ?? {}
  if (!ask || !handle) throw conflict('The provider of this video cannot stop it; wait for it to finish.')

  app.tracing?.noteVideo({ id: videoId, isNew: false })
  const answer = await cancelTask(app, video, provider, ask, handle)
  app.log.info({ ...idsOf(app, video), provider, answer }, 'the provider was asked to cancel a task')
  app.crashPoint('cancel.answered')
  const reported = { userId, videoId, provider, taskId: handle.taskId, now: app.now() }
  if (answer === 'cancelled') {
    await videoReportFailure(app.calls, { ...reported, failure: CANCELLED, graceS: app.config.refundGraceS })
    app.crashPoint('cancel.recorded')
  }
  if (answer === 'requested' || answer === 'too_late') {
    // Too late is also the answer to a repetition, when the one that cancelled was lost: a poll tells.
    const entry = answer === 'requested' ? ASKED_TO_STOP : null
    const isScheduled = (await videoPollNow(app.calls, { ...reported, entry })) === 'scheduled'
    if (isScheduled) app.wake()
    if (isScheduled && answer === 'requested') return statusOf(app, by, videoId, REQUESTED)
  }
  // Of simultaneous calls the provider tells the first that it has cancelled, and the others that it is too late.
  if (await cancelUnsent(app, userId, videoId)) return statusOf(app, by, videoId)
  throw answer === null
    ? conflict('The provider did not answer, so this video is not cancelled; try again.')
    : conflict('It is too late: the provider has finished this video, or can no longer stop it.')
}

/**
 * The report of a task that its provider does not know any more.
 * @returns null: it was not asked to stop it; else it has removed it, and its answer was lost
 */
export async function stoppedReport({ sql }: App, { userId, id }: Pick<ClaimedVideo, 'userId' | 'id'>) {
  const found = await sql`
    select from kinora.video_log where user_id = ${userId} and video_id = ${id} and entry = ${ASKED_TO_STOP} limit 1
  `
  return found.length > 0 ? { kind: 'failed' as const, failure: CANCELLED } : null
}

/** Returns whether the video is cancelled, now or before; false: a provider has it or may have it. @throws AppError */
async function cancelUnsent(app: App, userId: string, videoId: string): Promise<boolean> {
  const graceS = app.config.refundGraceS
  switch (await videoCancel(app.calls, { userId, videoId, now: app.now(), error: BEFORE_IT_BEGAN, graceS })) {
    case 'cancelled':
      return true
    case 'submitted':
      return false
    case 'final':
      throw conflict('This video is over already, so there is nothing to cancel.')
    case 'not_found':
      throw notFound()
  }
}

/** @throws AppError CONFLICT for a video that no provider is working on */
async function readGenerating({ sql, now }: App, userId: string, videoId: string): Promise<ClaimedVideo> {
  const [video] = await sql<ClaimedVideo[]>`
    select ${videoColumns(sql, 'claim', now())} from kinora.video v where v.user_id = ${userId} and v.id = ${videoId}
  `
  if (video?.status === 'GENERATING') return video
  throw video?.status === 'PENDING'
    ? conflict('A provider may have this video and has not said so yet; it can be cancelled once it is GENERATING.')
    : conflict('It is too late: this video is made, and is being stored.')
}

async function statusOf(app: App, reader: Reader, videoId: string, message?: string): Promise<Cancelled> {
  const status = await taskStatus(app, reader, videoId)
  return { ...status, message: message ?? status.error ?? '' }
}

const conflict = (message: string) => new AppError('CONFLICT', message)
