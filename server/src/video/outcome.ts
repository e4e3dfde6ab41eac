/**
 * A claimed video and the two outcomes that every step may have: to be tried again later, or over.
 */
import type { App } from '../app.ts'

/** The columns of a claimed row that steps look at. */
export type ClaimedVideo = {
  userId: string
  id: string
  status: 'PENDING' | 'GENERATING' | 'UPLOADING' | 'COMPLETED' | 'FAILED'
  prompt: string
  model: string
  durationS: number
  aspectRatio: string
  quality: string
  startImageUrl: string | null
  providers: string[]
  turn: number
  providerTaskId: string | null
  submittedAt: Date | null
  resultAt: Date | null
  resultUrl: string | null
  deadlineAt: Date
  attempt: number
}

/** One step in hand: what is reported under the lease counts only while it is held. The signal ends it early. */
export type Step = { video: ClaimedVideo; lease: string; signal: AbortSignal }

/** Hands the video back, due again at `dueAt`; what happened is noted for whoever asks why. */
export async function defer(
  app: App,
  { video, lease }: Step,
  dueAt: Date,
  event: string | null,
  detail: string | null,
): Promise<void> {
  await app.sql`
    select kinora.video_defer(
      ${video.userId}, ${video.id}, ${lease}, ${video.attempt + 1}, ${dueAt}, ${event}, ${detail}, ${app.now()}
    )
  `
}

/** FAILED and the credits released. `error` is shown to the user. */
export async function fail(app: App, { video, lease }: Step, code: string, error: string): Promise<void> {
  app.crashPoint('fail.decided')
  await app.sql`
    select kinora.video_failed(
      ${video.userId}, ${video.id}, ${lease}, null, ${video.providerTaskId}, ${code}, ${error},
      ${app.config.refundGraceS} * interval '1 second', ${app.now()}
    )
  `
  app.log.info({ video: video.id, code, error }, 'video failed')
  app.crashPoint('fail.recorded')
}
