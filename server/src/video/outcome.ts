/**
 * A claimed video and the two outcomes that every step may have: to be tried again later, or over.
 */
import { setTimeout } from 'node:timers/promises'
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

/** How long a claimed video is left to its worker; renewed while the step at it goes on. */
export const LEASE_MS = 60_000

/** Renews the lease. Answers false when it has passed on or the video is final: then the step is no longer ours. */
export async function keepLease(app: App, { video, lease }: Pick<Step, 'video' | 'lease'>): Promise<boolean> {
  const until = new Date(app.now().getTime() + LEASE_MS)
  const [row] = await app.sql<[{ held: boolean | null }]>`
    select kinora.video_renew(${video.userId}, ${video.id}, ${lease}, ${until}) as held
  `
  return row.held === true
}

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

/** Hands the video back as it was, due at once: the step was interrupted, and whoever is next begins it anew. */
export async function handBack(app: App, { video, lease }: Pick<Step, 'video' | 'lease'>): Promise<void> {
  const now = app.now()
  await app.sql`
    select kinora.video_defer(${video.userId}, ${video.id}, ${lease}, ${video.attempt}, ${now}, null, null, ${now})
  `
}

/** FAILED and the credits released, unless the lease has passed on. `error` is shown to the user. */
export async function fail(app: App, { video, lease }: Step, code: string, error: string): Promise<void> {
  app.crashPoint('fail.decided')
  const [row] = await app.sql<[{ outcome: string }]>`
    select kinora.video_failed(
      ${video.userId}, ${video.id}, ${lease}, null, ${video.providerTaskId}, ${code}, ${error},
      ${app.config.refundGraceS} * interval '1 second', ${app.now()}
    ) as outcome
  `
  app.log.info({ video: video.id, code, error, outcome: row.outcome }, 'video failed')
  app.crashPoint('fail.recorded')
}

/**
 * Records what cannot be learnt a second time: while the database is away it is tried again, for as long as the lease of
 * the step and until it is interrupted.
 * @throws the last error, when it could not be recorded
 */
export async function insist(app: App, { video, signal }: Step, record: () => Promise<void>): Promise<void> {
  for (const pauseMs of RECORD_PAUSES_MS) {
    try {
      return await record()
    } catch (err) {
      app.log.warn({ err, video: video.id, pauseMs }, 'an outcome could not be recorded; trying again')
    }
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) break
  }
  return record()
}
const RECORD_PAUSES_MS = [100, 400, 1000, 2000, 5000, 10_000, 10_000, 10_000]
