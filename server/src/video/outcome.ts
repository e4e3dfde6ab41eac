/** A run step (one claimed video in one worker) and every step's outcomes: deferred, handed back, failed. */
import { setTimeout } from 'node:timers/promises'
import type { App } from '../app.ts'
import type { Failure } from '../film/failure.ts'
import { rootSpanOf } from '../tracing/trace-context.ts'
import type { Span } from '../tracing/tracing.ts'
import { noteFailure } from './route-health.ts'
import { type ClaimedVideo, type LeasedVideo, videoDefer, videoFail, videoRenewLease } from './transitions.ts'

/** A step's outcome is recorded only while `lease` is valid. `signal` aborts the step. `span`: none without tracing. */
export type Step = { video: ClaimedVideo; lease: string; signal: AbortSignal; span?: Span | null }

/** The fields of a log line that find the video, its user and its trace. */
export const idsOf = ({ tracing }: Pick<App, 'tracing'>, { id, userId }: { id: string; userId: string }) => ({
  video: id,
  userId,
  ...(tracing && { traceId: rootSpanOf(id).traceId }),
})

/** @param report of a provider; `note`: a status word that no adapter knows */
export function logUnknownStatus(
  app: App,
  video: { id: string; userId: string },
  provider: string,
  report: { note?: string },
): void {
  if (report.note) app.log.warn({ ...idsOf(app, video), provider, status: report.note }, 'unknown status of a task')
}

/** How long a claim lasts; the worker renews it while the step runs. */
export const LEASE_MS = 60_000

/** The video of a step, as the functions of transitions.ts take it. */
export const leased = (app: App, { video, lease }: Pick<Step, 'video' | 'lease'>): LeasedVideo => ({
  userId: video.userId,
  videoId: video.id,
  lease,
  now: app.now(),
})

/** Renews the lease. Returns false when it has passed on or the video is final: the step must then stop. */
export async function renewLease(app: App, step: Pick<Step, 'video' | 'lease'>): Promise<boolean> {
  const leaseUntil = new Date(app.now().getTime() + LEASE_MS)
  return (await videoRenewLease(app.calls, { ...leased(app, step), leaseUntil })) === 'renewed'
}

/** Ends the lease and makes the video due again at `dueAt`. `entry` and `detail` go to the video's log. */
export async function defer(
  app: App,
  step: Step,
  dueAt: Date,
  entry: string | null,
  detail: string | null,
): Promise<void> {
  const log = entry === null ? null : { entry, detail }
  await videoDefer(app.calls, { ...leased(app, step), attempt: step.video.attempt + 1, dueAt, log })
}

/** Ends the lease of a step not begun or interrupted; the next worker starts it anew, by default at once. */
export async function returnLease(app: App, step: Pick<Step, 'video' | 'lease'>, dueAt = app.now()): Promise<void> {
  const video = leased(app, step)
  await videoDefer(app.calls, { ...video, attempt: step.video.attempt, dueAt, log: null })
}

/**
 * FAILED and the credits released, unless the lease has passed on.
 * @param reason a finer code than that of the failure, for the operator's log
 */
export async function fail(app: App, step: Step, failure: Failure, reason?: string): Promise<void> {
  app.crashPoint('fail.decided')
  const { refundGraceS: graceS } = app.config
  const outcome = await videoFail(app.calls, { ...leased(app, step), failure, graceS })
  step.span?.set({ 'kinora.error_code': failure.code })
  const { code, message: error } = failure
  app.log.info({ ...idsOf(app, step.video), code, reason, error, outcome }, 'video failed')
  const { video } = step
  const account = video.providers[video.providerIndex - 1] ?? ''
  noteFailure(app, { account, model: video.model })
  app.crashPoint('fail.recorded')
}

/**
 * Records an outcome that cannot be fetched again: retries with backoff while the database is away, for as long as
 * the lease lasts and until the step is aborted.
 * @throws the last error, when it could not be recorded
 */
export async function recordWithRetry(app: App, { video, signal }: Step, record: () => Promise<void>): Promise<void> {
  for (const pauseMs of RECORD_BACKOFF_MS) {
    try {
      return await record()
    } catch (err) {
      app.log.warn({ err, ...idsOf(app, video), pauseMs }, 'an outcome could not be recorded; trying again')
    }
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) break
  }
  return record()
}
const RECORD_BACKOFF_MS = [100, 400, 1000, 2000, 5000, 10_000, 10_000, 10_000]
