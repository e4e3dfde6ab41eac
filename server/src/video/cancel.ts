/** Cancels a video that no provider can have: one for which no worker has recorded the start of a submit. */
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'
import { notFound, type TaskStatus, taskStatus } from './library.ts'
import { videoCancel } from './transitions.ts'

const CANCELLED = 'Cancelled before it began; your credits are back.'

/**
 * FAILED and the credits released, at once. Idempotent: a second call returns the same.
 * @throws AppError CONFLICT when it was submitted or is final; NOT_FOUND
 */
export async function cancel(app: App, userId: string, videoId: string): Promise<TaskStatus> {
  const { calls, config } = app
  if (!isUuid(videoId)) throw notFound()
  const graceS = config.refundGraceS
  switch (await videoCancel(calls, { userId, videoId, now: app.now(), error: CANCELLED, graceS })) {
    case 'cancelled':
      return taskStatus(app, userId, videoId)
    case 'submitted':
      throw new AppError(
        'CONFLICT',
        'The provider has this video or may have it, so it can no longer be cancelled; wait for it to finish.',
      )
    case 'final':
      throw new AppError('CONFLICT', 'This video is over already, so there is nothing to cancel.')
    case 'not_found':
      throw notFound()
  }
}
