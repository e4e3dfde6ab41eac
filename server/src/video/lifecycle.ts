/**
 * The life of a video, in the order it happens: generate, submit, report (callback), poll, and at the end complete (collect.ts) or fail.
 * Each step does its slow or foreign part first, outside any transaction, and then records the outcome by one call of transitions.ts,
 * which moves status and credits together or changes nothing.
 */
import { keyBudgetExceeded, type Spender } from '../account/key/api-key.ts'
import type { App } from '../app.ts'
import { idempotencyKeyReused } from '../credit/idempotency.ts'
import { AppError } from '../errors.ts'
import { newId } from '../id.ts'
import type { OpenProvider } from '../provider/open.ts'
import type { Callback, Report, SubmitOutcome, Task } from '../provider/provider.ts'
import { mapRequest } from '../provider/request-mapping.ts'
import { openWebhookAccount } from '../webhook/endpoints.ts'
import { callbackUrl } from './callback-reference.ts'
import { CANCELLED } from './cancel.ts'
import { catalogue, type GenerateInput, modeOf, routeOf, servingProviders } from './catalogue.ts'
import { collect } from './collect.ts'
import { requestOf } from './fields.ts'
import {
  type GenerateRequest,
  insufficientCredits,
  parseGenerateRequest,
  startImageGone,
  startImageLinkExpired,
  tooManyInProgress,
} from './generate-request.ts'
import { defer, fail, idsOf, leased, logUnknownStatus, recordWithRetry, returnLease, type Step } from './outcome.ts'
import { findReplay, type Generated, hashOfRequest, toGenerated } from './replay.ts'
import { startImageDueAt } from './start-image/start-image.ts'
import { startImageToSubmit } from './start-image/start-image-step.ts'
import { pollTask, submitTask, traceStep } from './step-trace.ts'
import {
  type ReportedVideo,
  type ReportOutcome,
  videoAccept,
  videoBeginSubmit,
  videoGenerate,
  videoReportFailure,
  videoReportProgress,
  videoReportResult,
  videoReschedulePoll,
  videoRetrySubmit,
} from './transitions.ts'

/** Submits to one provider before the next provider in the model's list is tried. */
const SUBMITS_PER_PROVIDER = 4
const SUBMIT_BACKOFF_S = [1, 2, 4]
/** Pause before the first provider is tried again, after none of the list has accepted the task. */
const ROUND_PAUSE_S = 30
const RETRY_AFTER_MAX_S = 60
const FIRST_POLL_S = 3
const POLL_BACKOFF_FACTOR = 1.4
const POLL_PAUSE_MAX_S = 60
/** How long a task that is completed without a film or a reason is polled for one, and the pause between these polls. */
const NO_FILM_WINDOW_S = 30
const NO_FILM_PAUSE_S = 10

/**
 * Validates the request, freezes its price and creates the video, in one round trip; a worker does the rest. An idempotent replay
 * needs no validation.
 * @throws AppError 400 (see parseGenerateRequest), INVALID_REQUEST (start image gone), INSUFFICIENT_CREDITS,
 *   KEY_BUDGET_EXCEEDED, TOO_MANY_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED
 */
export async function generate(
  app: App,
  spender: Spender,
  request: GenerateInput,
  idempotencyKey: string | null,
): Promise<Generated> {
  const { userId, key } = spender
  let checked: GenerateRequest
  try {
    checked = await parseGenerateRequest(app, userId, request)
  } catch (refusal) {
    // It was valid when its video was created: the catalogue, the settings or a host's address have changed since.
    const replay =
      idempotencyKey && refusal instanceof AppError && (await findReplay(app, userId, request, idempotencyKey))
    if (replay) return replay
    throw refusal
  }
  const { model, startImage } = checked
  const now = app.now()
  if (checked.webhook) await openWebhookAccount(app, userId)
  const result = await videoGenerate(app.calls, {
    ...checked,
    userId,
    videoId: newId(now),
    now,
    model: model.id,
    startImage: startImage && { ...startImage, dueAt: startImageDueAt(now) },
    providers: servingProviders(model, app, modeOf(checked)),
    usualS: model.usualSeconds,
    deadlineAt: after(now, model.deadlineSeconds),
    maxInProgress: app.config.maxInProgress,
    apiKeyId: key?.id ?? null,
    idempotency: idempotencyKey ? { key: idempotencyKey, requestHash: hashOfRequest(app, request) } : null,
  })
  app.crashPoint('generate.committed')
  switch (result.outcome) {
    case 'created':
      app.tracing?.noteVideo({ id: result.id, isNew: true })
      app.wake()
      return toGenerated(result, true)
    case 'replayed':
      app.tracing?.noteVideo({ id: result.id, isNew: false })
      return toGenerated(result, false)
    case 'insufficient':
      throw insufficientCredits(checked.credits, result.available)
    case 'over_budget':
      throw await keyBudgetExceeded(app, spender, checked.credits)
    case 'too_many':
      throw tooManyInProgress(app.config.maxInProgress)
    case 'key_reused':
      throw idempotencyKeyReused()
    case 'image_link_expired':
      throw startImageLinkExpired()
    case 'image_gone':
      throw startImageGone()
  }
}

/** Runs the step that is due for a claimed video. */
export function runStep(app: App, step: Step): Promise<void> {
  return traceStep(app, step, (traced) => runDue(app, traced))
}

function runDue(app: App, step: Step): Promise<void> {
  switch (step.video.status) {
    case 'PENDING':
      return submit(app, step)
    case 'GENERATING':
      return poll(app, step)
    case 'UPLOADING':
      return collect(app, step)
    case 'COMPLETED':
    case 'FAILED':
      return Promise.resolve()
  }
}

/** PENDING: sends the task to the provider in use, at most once unless it was certainly not accepted. */
async function submit(app: App, step: Step): Promise<void> {
  const { video } = step
  app.crashPoint('submit.claimed')
  if (app.now() >= video.deadlineAt) {
    const error = video.submittedAt
      ? 'The provider never said whether it took the task.'
      : 'No provider could take the task in time.'
    return fail(app, step, 'NOT_ACCEPTED', error)
  }
  // A worker crashed between sending and recording, or the response was lost. The provider may have the task and call back.
  if (video.submittedAt) return defer(app, step, video.deadlineAt, 'waiting for a callback', null)

  const id = providerOf(video)
  const provider = await app.providers.open(id)
  if (!provider) return retrySubmit(app, step, { reason: 'it has no settings any more', retryable: false })
  const startImageUrl = await startImageToSubmit(app, step, id, provider)
  if (startImageUrl === 'not_ready') return
  if (typeof startImageUrl === 'object' && startImageUrl) return recordSubmitOutcome(app, step, id, startImageUrl)
  const task = await taskOf(app, step, provider, startImageUrl)
  if ((await videoBeginSubmit(app.calls, leased(app, step))) === 'stale') return
  app.crashPoint('submit.intended')
  const outcome = await submitTask(step, id, provider, task)
  app.crashPoint('submit.answered')

  // Only this process has the provider's response, so recording it is retried.
  await recordWithRetry(app, step, () => recordSubmitOutcome(app, step, id, outcome))
  app.crashPoint('submit.recorded')
}

/** The task of a video, as the provider in use takes it. */
async function taskOf(
  app: App,
  { video }: Step,
  { adapter }: OpenProvider,
  startImageUrl: string | null,
): Promise<Task> {
  const { userId, id: videoId } = video
  const account = providerOf(video)
  const mode = modeOf({ startImageUrl })
  const { model, input = adapter.input ?? {} } = routeOf(video.model, account, mode)
  return {
    videoId,
    callbackUrl: callbackUrl(app.config, account, { userId, videoId }),
    model,
    input: await mapRequest(input, { ...requestOf({ ...video, startImageUrl }), mode }),
  }
}

async function recordSubmitOutcome(app: App, step: Step, provider: string, outcome: SubmitOutcome): Promise<void> {
  const { video } = step
  switch (outcome.kind) {
    case 'accepted': {
      const { userId, videoId, now } = leased(app, step)
      const times = { now, dueAt: after(now, FIRST_POLL_S), deadlineAt: after(now, deadlineS(video.model)) }
      await videoAccept(app.calls, { userId, videoId, taskId: outcome.handle.taskId, ...times })
      return
    }
    case 'refused':
      return fail(app, step, 'REFUSED', outcome.failure.message)
    case 'unknown':
      return defer(app, step, video.deadlineAt, 'no answer', `${provider}: ${outcome.reason}`)
    case 'not_accepted':
      return retrySubmit(app, step, outcome)
    default:
      return outcome satisfies never
  }
}

/** Schedules the next submit: to the same provider with backoff, then to the next one in the model's list. */
async function retrySubmit(
  app: App,
  step: Step,
  failure: { reason: string; retryable: boolean; retryAfterS?: number },
): Promise<void> {
  const { video } = step
  const now = app.now()
  const attempts = video.attempt + 1
  const provider = providerOf(video)
  const isSameProvider = failure.retryable && attempts < SUBMITS_PER_PROVIDER
  const providerIndex = isSameProvider ? video.providerIndex : (video.providerIndex % video.providers.length) + 1
  const pauseS = isSameProvider
    ? Math.min(failure.retryAfterS ?? SUBMIT_BACKOFF_S[video.attempt] ?? 4, RETRY_AFTER_MAX_S)
    : providerIndex === 1
      ? ROUND_PAUSE_S
      : 0
  // A failure that no retry can change is an error for the operator: the API key, the account or the URL is wrong.
  const level = failure.retryable ? 'warn' : 'error'
  const fields = { ...idsOf(app, video), provider, reason: failure.reason, providerIndex, pauseS }
  app.log[level](fields, 'the provider did not accept a task')
  await videoRetrySubmit(app.calls, {
    ...leased(app, step),
    providerIndex,
    attempt: isSameProvider ? attempts : 0,
    dueAt: earlier(after(now, pauseS), video.deadlineAt),
    reason: `${provider}: ${failure.reason}`,
  })
}

/** Records a provider's callback; the caller decides how to respond. `not_found` and `other_task` change nothing. */
export async function recordCallback(
  app: App,
  provider: string,
  { userId, videoId }: { userId: string; videoId: string },
  callback: Extract<Callback, { kind: 'report' | 'poll' }>,
): Promise<'recorded' | 'other_task' | 'not_found'> {
  app.crashPoint('callback.received')
  app.tracing?.noteVideo({ id: videoId, isNew: false })
  const report = callback.kind === 'report' ? callback.report : ({ kind: 'running', progress: null } as const)
  if (report.kind === 'lost') return 'recorded'
  const taskId = callback.handle?.taskId ?? null
  const outcome = await recordReport(app, { userId, videoId, provider, taskId, now: app.now() }, report)
  app.crashPoint('callback.recorded')
  return outcome === 'other_task' || outcome === 'not_found' ? outcome : 'recorded'
}

/** Records a report, from a callback or from a poll. */
async function recordReport(
  app: App,
  video: ReportedVideo,
  report: Exclude<Report, { kind: 'no_film' | 'lost' }>,
): Promise<ReportOutcome> {
  switch (report.kind) {
    case 'completed': {
      const outcome = await videoReportResult(app.calls, { ...video, url: report.result })
      if (outcome === 'uploading') app.wake()
      return outcome
    }
    case 'failed': {
      const { code, message } = report.failure
      const failure =
        code === 'CANCELLED' ? { errorCode: code, error: CANCELLED } : { errorCode: 'PROVIDER_FAILED', error: message }
      return videoReportFailure(app.calls, { ...video, ...failure, graceS: app.config.refundGraceS })
    }
    case 'running':
      logUnknownStatus(app, { id: video.videoId, userId: video.userId }, video.provider, report)
      return videoReportProgress(app.calls, {
        ...video,
        progress: report.progress,
        dueAt: after(video.now, FIRST_POLL_S),
      })
  }
}

/** GENERATING: polls the provider; after the deadline once more, and then the video fails. */
async function poll(app: App, step: Step): Promise<void> {
  const { video } = step
  const isLast = app.now() >= video.deadlineAt
  const provider = providerOf(video)
  // A provider that the operator has removed cannot be polled; the deadline ends the video all the same.
  const { poll: ask } = (await app.providers.open(provider)) ?? {}
  const report =
    ask && video.providerTaskId ? await pollTask(step, provider, ask, { taskId: video.providerTaskId }) : null
  app.crashPoint('poll.answered')
  if (!report && step.signal.aborted) return returnLease(app, step)
  if (report?.kind === 'completed' || report?.kind === 'failed') {
    const { userId, videoId, now } = leased(app, step)
    await recordReport(app, { userId, videoId, provider, taskId: video.providerTaskId, now }, report)
    app.crashPoint('poll.recorded')
    return
  }
  const isFinished = report?.kind === 'no_film'
  if (isFinished) {
    app.log.warn({ ...idsOf(app, video), provider }, 'the provider reports a task as completed, without a film')
    const isOver = video.resultAt !== null && app.now() >= after(video.resultAt, NO_FILM_WINDOW_S)
    if (isLast || isOver) return fail(app, step, 'PROVIDER_FAILED', 'The provider finished without a film.')
  }
  if (isLast) return fail(app, step, 'TIMED_OUT', 'The provider did not finish the film in time.')
  if (report?.kind === 'running') logUnknownStatus(app, video, provider, report)

  const backoffS = Math.min(FIRST_POLL_S * POLL_BACKOFF_FACTOR ** video.attempt, POLL_PAUSE_MAX_S)
  const pauseS = isFinished ? NO_FILM_PAUSE_S : backoffS
  const reported = leased(app, step)
  await videoReschedulePoll(app.calls, {
    ...reported,
    progress: report?.kind === 'running' ? report.progress : null,
    // A poll without an answer says nothing of whether the task is finished.
    isFinished: isFinished || (report === null && video.resultAt !== null),
    attempt: video.attempt + 1,
    dueAt: earlier(after(reported.now, pauseS), video.deadlineAt),
  })
}

/** The name of the provider in use. */
const providerOf = (video: Step['video']): string => video.providers[video.providerIndex - 1] ?? ''

/** A model that has left the catalogue while its videos run gets the longest deadline of those that remain. */
function deadlineS(model: string): number {
  const models = catalogue()
  return models.get(model)?.deadlineSeconds ?? Math.max(...[...models.values()].map((each) => each.deadlineSeconds))
}

const after = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000)
const earlier = (a: Date, b: Date): Date => (a < b ? a : b)
