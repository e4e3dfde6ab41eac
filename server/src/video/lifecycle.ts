/**
 * The life of a video after generate.ts, in the order it happens: wait, submit, report (callback), poll, and at the end
 * complete (collect.ts) or fail. Each step does its slow or foreign part first, outside any transaction, and then
 * records the outcome by one call of transitions.ts, which moves status and credits together or changes nothing.
 */
import type { App } from '../app.ts'
import { everyModel } from '../catalogue/catalogue.ts'
import { call } from '../db/call.ts'
import type { Failure } from '../film/failure.ts'
import { CUT } from '../film/mode.ts'
import { openSendWindow } from '../net/http-client.ts'
import type { OpenProvider } from '../provider/open.ts'
import type { Callback, Report, SubmitOutcome } from '../provider/provider.ts'
import { CANCELLED, stoppedReport } from './cancel.ts'
import { collect } from './collect.ts'
import { runCut } from './cut.ts'
import { handleOf, storedHandle } from './handle.ts'
import { inputsToFind, inputsToSubmit, noteLostFilm } from './input-step.ts'
import { defer, fail, idsOf, leased, logUnknownStatus, recordWithRetry, returnLease, type Step } from './outcome.ts'
import { type Route, takeRoute } from './provider-slot.ts'
import { taskOf } from './provider-task.ts'
import { noteFailure, setModelUnknown } from './route-health.ts'
import { findTask, pollTask, submitTask, traceStep } from './step-trace.ts'
import { notesOf } from './task-notes.ts'
import {
  type ReportedVideo,
  type ReportOutcome,
  videoAccept,
  videoBeginSubmit,
  videoPollNow,
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
/** How long after the record of a submit its request may be sent. */
const SEND_WINDOW_S = 60
/**
 * Since when a provider that has no task will have none: the time to send it, four minutes by which the clocks of two
 * workers may differ (kinora.check_clock), and five for what is on its way through the network and the provider.
 */
const CERTAIN_AFTER_S = 600
/** Between questions for the task of an unknown submit, with exponential backoff. */
const FIND_PAUSE_S = 5
const FIND_PAUSE_MAX_S = 60
const FIRST_POLL_S = 3
const POLL_BACKOFF_FACTOR = 1.4
const POLL_PAUSE_MAX_S = 60
/** How long a task that is completed without a film or a reason is polled for one. */
const NO_FILM_WINDOW_S = 30
/** How long an unknown task is polled: a replica may lag, or a gateway have no route for a while. */
const LOST_WINDOW_S = 60
/** The pause between the polls of such a task. */
const REPEATED_POLL_PAUSE_S = 10

/** Runs the step that is due for a claimed video. */
export function runStep(app: App, step: Step): Promise<void> {
  return traceStep(app, step, (traced) => runDue(app, traced))
}

function runDue(app: App, step: Step): Promise<void> {
  if (step.video.model === CUT) return runCut(app, step)
  switch (step.video.status) {
    case 'PENDING':
      return step.video.isWaiting ? begin(app, step) : submit(app, step)
    case 'GENERATING':
      return poll(app, step)
    case 'UPLOADING':
      return collect(app, step)
    case 'COMPLETED':
    case 'FAILED':
      return Promise.resolve()
  }
}

/** Gives the first waiting videos of the user a place, this one or others, as far as there are any. */
async function begin(app: App, step: Step): Promise<void> {
  app.crashPoint('begin.claimed')
  const { maxInProgress } = app.config
  const { userId, videoId: id, lease, now } = leased(app, step)
  if ((await call(app.sql, 'video_begin_waiting', { userId, id, lease, maxInProgress, now })) > 0) app.wake()
  app.crashPoint('begin.recorded')
}

/** PENDING: sends the task to the provider in use, at most once unless it was certainly not accepted. */
async function submit(app: App, step: Step): Promise<void> {
  const { video } = step
  app.crashPoint('submit.claimed')
  if (app.now() >= video.deadlineAt) {
    const error = video.submittedAt
      ? 'The provider never said whether it took the task.'
      : 'No provider could take the task in time.'
    return fail(app, step, { code: 'NOT_ACCEPTED', message: error })
  }
  if (video.submittedAt) return resolveSubmit(app, step, video.submittedAt)

  const route = await takeRoute(app, step)
  if (route) await submitTo(app, route)
}

async function submitTo(app: App, { step, account: id, provider }: Route): Promise<void> {
  if (!provider) return retrySubmit(app, step, { reason: 'it has no settings any more', retryable: false })
  const media = await inputsToSubmit(app, step, id, provider)
  if (media === 'not_ready') return
  if ('kind' in media) return recordSubmitOutcome(app, step, id, media)
  const made = await taskOf(app, step, id, provider, media)
  if ('problem' in made) return retrySubmit(app, step, { reason: made.problem, retryable: false })
  const { task, usd, unitRates } = made
  const maySend = openSendWindow(SEND_WINDOW_S * 1000)
  const route = { ...step.video, model: task.model, usd, unitRates }
  if ((await videoBeginSubmit(app.calls, { ...leased(app, step), route })) === 'stale') return
  app.crashPoint('submit.intended')
  const answer = await untilDeadline(app, step, provider, (limited) => submitTask(limited, id, provider, task, maySend))
  app.crashPoint('submit.answered')
  const isOfNoUse = 'isFilmLost' in answer && noteLostFilm(step.video, id, media) === 'of no use'
  const outcome: SubmitOutcome = isOfNoUse ? { kind: 'refused', failure: FILM_LOST } : answer
  // Only this process has the provider's response, so recording it is retried.
  await recordWithRetry(app, step, () => recordSubmitOutcome(app, step, id, outcome))
  app.crashPoint('submit.recorded')
}

/** Ends a submit that returns the film at the video's deadline; its lease is renewed meanwhile. */
async function untilDeadline<Outcome>(
  app: App,
  step: Step,
  { adapter }: OpenProvider,
  submitWith: (step: Step) => Promise<Outcome>,
): Promise<Outcome> {
  if (adapter.capabilities.submit !== 'synchronous') return submitWith(step)
  const deadline = new AbortController()
  const leftMs = step.video.deadlineAt.getTime() - app.now().getTime()
  const timer = setTimeout(() => deadline.abort(new Error('no film in time')), leftMs)
  try {
    return await submitWith({ ...step, signal: AbortSignal.any([step.signal, deadline.signal]) })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * A submit of which it is unknown whether it arrived: its worker crashed between sending and recording, or the response
 * was lost. The provider may have the task and call back. Where it can be asked, a task that it has is accepted, and
 * one that it certainly has not is sent again.
 */
async function resolveSubmit(app: App, step: Step, sentAt: Date): Promise<void> {
  const { video } = step
  const id = providerOf(video)
  const provider = await app.providers.open(id)
  const find = provider?.find
  if (!find) return defer(app, step, video.deadlineAt, 'waiting for a callback', null)
  const made = await taskOf(app, step, id, provider, await inputsToFind(app, step, id, provider))
  if ('problem' in made) return defer(app, step, video.deadlineAt, `waiting for a callback: ${made.problem}`, null)
  const found = await findTask(step, id, find, made.task, sentAt)
  app.crashPoint('find.answered')
  if (!found && step.signal.aborted) return returnLease(app, step)
  const now = app.now()
  if (found?.kind === 'found') {
    await recordAccepted(app, step, found)
  } else if (found?.kind === 'none' && now >= after(sentAt, CERTAIN_AFTER_S)) {
    await retrySubmit(app, step, { reason: 'it has not got the task', retryable: true })
  } else {
    const pauseS = Math.min(FIND_PAUSE_S * 2 ** video.attempt, FIND_PAUSE_MAX_S)
    await defer(app, step, earlier(after(now, pauseS), video.deadlineAt), null, null)
  }
  app.crashPoint('find.recorded')
}

async function recordSubmitOutcome(app: App, step: Step, provider: string, outcome: SubmitOutcome): Promise<void> {
  const { video } = step
  switch (outcome.kind) {
    case 'accepted':
      return recordAccepted(app, step, outcome)
    case 'refused':
      return fail(app, step, outcome.failure)
    case 'unknown': {
      const canFind = (await app.providers.open(provider))?.find !== undefined
      const dueAt = canFind ? earlier(after(app.now(), FIND_PAUSE_S), video.deadlineAt) : video.deadlineAt
      return defer(app, step, dueAt, 'no answer', `${provider}: ${outcome.reason}`)
    }
    case 'not_accepted':
      return retrySubmit(app, step, outcome)
    default:
      return outcome satisfies never
  }
}

/** The response may tell more than that the task is accepted: even its result. */
async function recordAccepted(
  app: App,
  step: Step,
  { handle, report, cost }: Pick<Extract<SubmitOutcome, { kind: 'accepted' }>, 'handle' | 'report' | 'cost'>,
): Promise<void> {
  const { video } = step
  const { userId, videoId, now } = leased(app, step)
  const task = storedHandle(app, video, handle)
  const known = report && { ...report, ...(cost && { cost }) }
  if (known?.kind === 'completed' || known?.kind === 'failed') {
    // Its end says that it was accepted; between two records a crash would lose a film that cannot be polled.
    const outcome = await recordReport(app, { userId, videoId, now, ...task, provider: providerOf(video) }, known)
    if (outcome !== 'other_task') return
  }
  await videoAccept(app.calls, {
    ...{ userId, videoId, now, ...task, ...notesOf(app, providerOf(video), { ...report, ...(cost && { cost }) }, now) },
    progress: report?.kind === 'running' ? report.progress : null,
    dueAt: after(now, FIRST_POLL_S),
    deadlineAt: after(now, deadlineS(video.model)),
  })
}

/**
 * Schedules the next submit: to the same provider with backoff, then to the next one in the model's list. One that does
 * not know the model leaves the list; the film fails when it was the only one left.
 */
async function retrySubmit(
  app: App,
  step: Step,
  failure: Omit<Extract<SubmitOutcome, { kind: 'not_accepted' }>, 'kind'>,
): Promise<void> {
  const { video } = step
  const { reason, isModelUnknown = false } = failure
  const now = app.now()
  const attempts = video.attempt + 1
  const provider = providerOf(video)
  if (isModelUnknown) await setModelUnknown(app, { account: provider, model: video.model, reason })
  const providers = video.providers.filter((_, i) => !isModelUnknown || i !== video.providerIndex - 1)
  if (providers.length === 0) {
    return fail(app, step, { code: 'ACCOUNT', message: `The provider does not know this model: ${reason}` })
  }
  const isSameProvider = failure.retryable && attempts < SUBMITS_PER_PROVIDER
  const next = video.providerIndex + (isSameProvider || isModelUnknown ? 0 : 1)
  const isNewRound = next > providers.length
  const providerIndex = isNewRound ? 1 : next
  const pauseS = isSameProvider
    ? Math.min(failure.retryAfterS ?? SUBMIT_BACKOFF_S[video.attempt] ?? 4, RETRY_AFTER_MAX_S)
    : isNewRound
      ? ROUND_PAUSE_S
      : 0
  // A failure that no retry can change is an error for the operator: the API key, the account or the URL is wrong.
  const level = failure.retryable ? 'warn' : 'error'
  const fields = { ...idsOf(app, video), provider, reason, providerIndex, pauseS }
  app.log[level](fields, 'the provider did not accept a task')
  await videoRetrySubmit(app.calls, {
    ...leased(app, step),
    providers,
    providerIndex,
    attempt: isSameProvider ? attempts : 0,
    dueAt: earlier(after(now, pauseS), video.deadlineAt),
    reason: `${provider}: ${reason}`,
  })
  if (!isSameProvider) noteFailure(app, { account: provider, model: video.model })
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
  const now = app.now()
  const task = callback.handle ? storedHandle(app, { userId, id: videoId }, callback.handle) : NO_HANDLE
  const video = { userId, videoId, now, provider, ...task }
  const outcome =
    callback.kind === 'report' && callback.report.kind !== 'lost'
      ? await recordReport(app, video, callback.report)
      : await recordHint(app, video)
  app.crashPoint('callback.recorded')
  return outcome === 'other_task' || outcome === 'not_found' ? outcome : 'recorded'
}

/** Records a report, from a callback or from a poll. */
async function recordReport(
  app: App,
  video: ReportedVideo,
  report: Exclude<Report, { kind: 'no_film' | 'lost' }>,
): Promise<ReportOutcome> {
  const reported = { ...video, ...notesOf(app, video.provider, report, video.now) }
  switch (report.kind) {
    case 'completed': {
      const outcome = await videoReportResult(app.calls, { ...reported, url: report.result })
      if (outcome === 'uploading') app.wake()
      return outcome
    }
    case 'failed': {
      const { failure } = report
      const shown = failure.code === 'CANCELLED' ? CANCELLED : failure
      const outcome = await videoReportFailure(app.calls, {
        ...reported,
        failure: shown,
        graceS: app.config.refundGraceS,
      })
      noteFailure(app, { account: video.provider })
      return outcome
    }
    case 'running':
      logUnknownStatus(app, { id: video.videoId, userId: video.userId }, video.provider, report)
      return videoReportProgress(app.calls, {
        ...reported,
        progress: report.progress,
        dueAt: after(video.now, FIRST_POLL_S),
      })
  }
}

/** Has the task polled at once. Polls alone tell that a task is lost: the provider may not have written it yet. */
async function recordHint(app: App, video: ReportedVideo) {
  const outcome = await videoPollNow(app.calls, { ...video, entry: null })
  if (outcome === 'scheduled' || outcome === 'running') app.wake()
  return outcome
}

/** GENERATING: polls the provider; after the deadline once more, and then the video fails. */
async function poll(app: App, step: Step): Promise<void> {
  const { video } = step
  const isLast = app.now() >= video.deadlineAt
  const provider = providerOf(video)
  // A provider that the operator has removed cannot be polled; the deadline ends the video all the same.
  const { poll: ask } = (await app.providers.open(provider)) ?? {}
  const handle = handleOf(app, video)
  const report = ask && handle ? await pollTask(step, provider, ask, handle).catch(logBug(app, video)) : null
  app.crashPoint('poll.answered')
  if (!report && step.signal.aborted) return returnLease(app, step)
  const reported = leased(app, step)
  const failure = report && failureOfPoll(app, step, report, isLast)
  const end = (failure === LOST && (await stoppedReport(app, video))) || report
  if (end?.kind === 'completed' || end?.kind === 'failed') {
    const { userId, videoId, now } = reported
    await recordReport(app, { userId, videoId, provider, taskId: video.providerTaskId, handle: null, now }, end)
    app.crashPoint('poll.recorded')
    return
  }
  if (failure) return fail(app, step, failure)
  if (isLast) return fail(app, step, TIMED_OUT)
  if (report?.kind === 'running') logUnknownStatus(app, video, provider, report)

  const isRepeatedSoon = report?.kind === 'no_film' || report?.kind === 'lost'
  const backoffS = Math.min(FIRST_POLL_S * POLL_BACKOFF_FACTOR ** video.attempt, POLL_PAUSE_MAX_S)
  await videoReschedulePoll(app.calls, {
    ...reported,
    // A poll without an answer says nothing of the task, so that all stays as it was.
    ...(report
      ? notesOf(app, provider, report, reported.now)
      : { queuePosition: video.queuePosition, expectedAt: video.expectedAt }),
    progress: report?.kind === 'running' ? report.progress : null,
    isFinished: report ? report.kind === 'no_film' : video.resultAt !== null,
    isLost: report ? report.kind === 'lost' : video.lostAt !== null,
    attempt: video.attempt + 1,
    dueAt: earlier(after(reported.now, isRepeatedSoon ? REPEATED_POLL_PAUSE_S : backoffS), video.deadlineAt),
  })
}

/** An adapter throws by a bug alone. It counts as no answer, so that the deadline ends the film. */
const logBug = (app: App, video: Step['video']) => (err: unknown) => {
  app.log.error({ err, ...idsOf(app, video), provider: providerOf(video) }, 'the adapter of a provider failed')
  return null
}

/** What ends a film whose provider has said, for a while, that there is none. Null: it is polled on. */
function failureOfPoll(app: App, { video }: Step, { kind }: Report, isLast: boolean): Failure | null {
  const log = (message: string) => app.log.warn({ ...idsOf(app, video), provider: providerOf(video) }, message)
  switch (kind) {
    case 'no_film': {
      log('the provider reports a task as completed, without a film')
      const isOver = video.resultAt !== null && app.now() >= after(video.resultAt, NO_FILM_WINDOW_S)
      return isLast || isOver ? NO_FILM : null
    }
    case 'lost':
      log('the provider does not know a task any more')
      return isLast || (video.lostAt !== null && app.now() >= after(video.lostAt, LOST_WINDOW_S)) ? LOST : null
    default:
      return null
  }
}

const FILM_LOST: Failure = {
  code: 'INPUT_REFUSED',
  message: 'The provider does not keep the film any more; choose one that it made lately.',
}
const NO_FILM: Failure = { code: 'PROVIDER_ERROR', message: 'The provider finished without a film.' }
const LOST: Failure = { code: 'LOST', message: 'The provider has lost this film.' }
const TIMED_OUT: Failure = { code: 'TIMED_OUT', message: 'The provider did not finish the film in time.' }
const NO_HANDLE = { taskId: null, handle: null }

const providerOf = (video: Step['video']): string => video.providers[video.providerIndex - 1] ?? ''

/** A model that has left the catalogue while its videos run gets the longest deadline of those that remain. */
function deadlineS(model: string): number {
  const models = everyModel()
  return models.get(model)?.deadlineSeconds ?? Math.max(...[...models.values()].map((each) => each.deadlineSeconds))
}

const after = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000)
const earlier = (a: Date, b: Date): Date => (a < b ? a : b)
