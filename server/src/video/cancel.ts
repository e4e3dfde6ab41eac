/**
 * Calling a video off before a provider took it. Whether one may have it is what its row says: a worker records that the
 * task is about to leave before it sends it, and from then on only the provider's word counts.
 */
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'
import { notFound, type TaskStatus, taskStatus } from './library.ts'

const CANCELLED = 'Cancelled before it began; your credits are back.'

/**
 * FAILED and the credits released, at once. Called again it answers the same.
 * @throws AppError CONFLICT when a provider has it or may have it, or when it is over; NOT_FOUND
 */
export async function cancel(app: App, userId: string, videoId: string): Promise<TaskStatus> {
  const { sql, config } = app
  const [row] = isUuid(videoId)
    ? await sql<{ outcome: 'cancelled' | 'taken' | 'final' | null }[]>`
        select kinora.video_cancelled(
          ${userId}, ${videoId}, ${CANCELLED}, ${config.refundGraceS} * interval '1 second', ${app.now()}
        ) as outcome
      `
    : []
  switch (row?.outcome) {
    case 'cancelled':
      return taskStatus(app, userId, videoId)
    case 'taken':
      throw new AppError(
        'CONFLICT',
        'The provider has this video or may have it, so it can no longer be cancelled; wait for it to finish.',
      )
    case 'final':
      throw new AppError('CONFLICT', 'This video is over already, so there is nothing to cancel.')
    default:
      throw notFound()
  }
}
