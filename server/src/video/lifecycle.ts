/**
 * The life of a video, in the order it happens: generate, submit, hear (callback), ask (poll), and at the end complete
 * (collect.ts) or fail. Each step does its slow or foreign part first and then records the outcome by one call of a
 * function in server/sql/video.sql, which moves status and credits together or changes nothing.
 */
import type { App } from '../app.ts'
import { keyReused, requestHash } from '../credit/ledger.ts'
import { AppError } from '../errors.ts'
import { newId } from '../id.ts'
import { startImageForProvider } from '../image/start-image-link.ts'
import type { Callback, Submitted } from '../provider/provider.ts'
import { callbackUrl } from './callback-reference.ts'
import { catalogue, type Request } from './catalogue.ts'
import { collect } from './collect.ts'
import { firstAnswer, type Generated, holdImage, readOrder } from './generate-request.ts'
import { defer, fail, handBack, insist, type Step } from './outcome.ts'

/** Tries of one provider before the next one's turn. */
const SUBMITS_PER_PROVIDER = 4
const SUBMIT_BACKOFF_S = [1, 2, 4]
/** Before a provider's turn comes round again, after all of them have declined. */
const ROUND_PAUSE_S = 30
const RETRY_AFTER_MAX_S = 60
const FIRST_ASK_S = 3
const ASK_FACTOR = 1.4
const ASK_PAUSE_MAX_S = 60

/**
 * Makes a video: the request is checked, its price frozen, and the rest left to a worker.
 * @throws AppError 400 (see checkOrder), INSUFFICIENT_CREDITS, TOO_MANY_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED
 */
export async function generate(
  app: App,
  userId: string,
  request: Request,
  idempotencyKey: string | null,
): Promise<Generated> {
  const { config } = app
  const order = readOrder(app, userId, request)
  const { model, prompt, durationS, aspectRatio, quality, startImageUrl, credits } = order
  const at = app.now()
  const hash = idempotencyKey
    ? requestHash({ prompt, model: model.id, durationS, aspectRatio, quality, startImageUrl })
    : null
  const problem = await holdImage(app, userId, order)
  if (problem) {
    // A request that is sent again is answered as at first, even when its image can no longer be had.
    const first = idempotencyKey && hash ? await firstAnswer(app, userId, idempotencyKey, hash) : null
    if (!first) throw problem
    return first
  }
  const [row] = await app.sql<
    [{ outcome: string; available: number; id: string; model: string; credits: number; createdAt: Date }]
  >`
    select * from kinora.video_generate(
      ${userId}, ${newId(at)}, ${at}, ${prompt}, ${model.id}, ${durationS}, ${aspectRatio}, ${quality},
      ${startImageUrl}, ${credits}, ${model.providers}, ${model.usualSeconds}, ${after(at, model.deadlineSeconds)},
      ${config.maxInProgress}, ${idempotencyKey}, ${hash}
    )
  `
  app.crashPoint('generate.committed')
  switch (row.outcome) {
    case 'created':
      app.wake()
      break
    case 'insufficient':
      throw new AppError(
        'INSUFFICIENT_CREDITS',
        `This film costs ${credits} credits and you have ${row.available}; add credits or choose a shorter or smaller film.`,
        { details: { required: credits, available: row.available } },
      )
    case 'too_many':
      throw new AppError(
        'TOO_MANY_IN_PROGRESS',
        `You have ${config.maxInProgress} videos in progress, which is the most at a time; wait for one to finish.`,
        { details: { maxInProgress: config.maxInProgress }, retryAfterS: 10 },
      )
    case 'key_reused':
      throw keyReused()
  }
  return { uuid: row.id, status: 'PENDING', model: row.model, creditsUsed: row.credits, createdAt: row.createdAt }
}

/** Does what is due for a claimed video. */
export function step(app: App, work: Step): Promise<void> {
  switch (work.video.status) {
    case 'PENDING':
      return submit(app, work)
    case 'GENERATING':
      return ask(app, work)
    case 'UPLOADING':
      return collect(app, work)
    default:
      return Promise.resolve()
  }
}

/** PENDING: hands the task to the provider whose turn it is, at most once unless it was certainly not taken. */
async function submit(app: App, work: Step): Promise<void> {
  const { video, lease } = work
  const at = app.now()
  app.crashPoint('submit.claimed')
  if (at >= video.deadlineAt) {
    const error = video.submittedAt
      ? 'The provider never said whether it took the task.'
      : 'No provider could take the task in time.'
    return fail(app, work, 'NOT_TAKEN', error)
  }
  // A worker died between sending and recording, or the answer was lost. The provider may have the task and call back.
  if (video.submittedAt) return defer(app, work, video.deadlineAt, 'waiting for a callback', null)

  const provider = app.providers.get(providerOf(video))
  if (!provider) return notTaken(app, work, { reason: 'it has no settings any more', retryable: false })
  const [intended] = await app.sql`
    select * from kinora.video_submitting(${video.userId}, ${video.id}, ${lease}, ${at}) as ok where ok
  `
  if (!intended) return
  app.crashPoint('submit.intended')
  const answer = await provider.submit(
    {
      videoId: video.id,
      model: video.model,
      prompt: video.prompt,
      durationS: video.durationS,
      aspectRatio: video.aspectRatio,
      quality: video.quality,
      startImageUrl: startImageForProvider(app, video.startImageUrl),
      callbackUrl: callbackUrl(app.config, provider.name, { userId: video.userId, videoId: video.id }),
    },
    work.signal,
  )
  app.crashPoint('submit.answered')

  // Nobody could tell us the answer a second time.
  await insist(app, work, () => answered(app, work, provider.name, answer))
  app.crashPoint('submit.recorded')
}

async function answered(app: App, work: Step, provider: string, answer: Submitted): Promise<void> {
  const { video, lease } = work
  switch (answer.kind) {
    case 'accepted': {
      const now = app.now()
      const deadlineAt = after(now, deadlineS(video.model))
      await app.sql`
        select kinora.video_accepted(
          ${video.userId}, ${video.id}, ${lease}, ${answer.taskId}, ${after(now, FIRST_ASK_S)}, ${deadlineAt}, ${now}
        )
      `
      return
    }
    case 'refused':
      return fail(app, work, 'REFUSED', answer.message)
    case 'unknown':
      return defer(app, work, video.deadlineAt, 'no answer', `${provider}: ${answer.reason}`)
    case 'not_accepted':
      return notTaken(app, work, answer)
  }
}

async function notTaken(
  app: App,
  { video, lease }: Step,
  answer: { reason: string; retryable: boolean; retryAfterS?: number },
): Promise<void> {
  const now = app.now()
  const tried = video.attempt + 1
  const provider = providerOf(video)
  const again = answer.retryable && tried < SUBMITS_PER_PROVIDER
  const turn = again ? video.turn : (video.turn % video.providers.length) + 1
  const pauseS = again
    ? Math.min(answer.retryAfterS ?? SUBMIT_BACKOFF_S[video.attempt] ?? 4, RETRY_AFTER_MAX_S)
    : turn === 1
      ? ROUND_PAUSE_S
      : 0
  // What is not worth trying again there is for the operator to mend: the key, the account, the address.
  const level = answer.retryable ? 'warn' : 'error'
  app.log[level]({ video: video.id, provider, reason: answer.reason, turn, pauseS }, 'the provider did not take a task')
  await app.sql`
    select kinora.video_not_taken(
      ${video.userId}, ${video.id}, ${lease}, ${turn}, ${again ? tried : 0},
      ${earlier(after(now, pauseS), video.deadlineAt)}, ${`${provider}: ${answer.reason}`}, ${now}
    )
  `
}

/**
 * What a provider calls back with. Answers what became of it; the caller decides what to tell the provider.
 * `not_found` and `other_task` change nothing.
 */
export async function hear(
  app: App,
  provider: string,
  { userId, videoId }: { userId: string; videoId: string },
  { taskId, report }: Callback,
): Promise<'recorded' | 'other_task' | 'not_found'> {
  app.crashPoint('callback.received')
  const outcome = await record(app, provider, userId, videoId, taskId, report)
  app.crashPoint('callback.recorded')
  if (outcome === 'taken') app.wake()
  if (outcome === 'other_task' || outcome === 'not_found') return outcome
  return 'recorded'
}

/** The video of a provider's task, for a callback without a signed reference. */
export async function findTask({ sql }: App, provider: string, taskId: string) {
  const [row] = await sql<{ userId: string; videoId: string }[]>`
    select user_id, video_id from kinora.provider_task where provider = ${provider} and task_id = ${taskId}
  `
  return row ?? null
}

async function record(
  app: App,
  provider: string,
  userId: string,
  videoId: string,
  taskId: string | null,
  report: Callback['report'],
): Promise<string | null> {
  const now = app.now()
  switch (report.kind) {
    case 'completed': {
      const [row] = await app.sql<[{ outcome: string }]>`
        select kinora.video_result(${userId}, ${videoId}, ${provider}, ${taskId}, ${report.videoUrl}, ${now}) as outcome
      `
      return row.outcome
    }
    case 'failed': {
      const [row] = await app.sql<[{ outcome: string }]>`
        select kinora.video_failed(
          ${userId}, ${videoId}, null, ${provider}, ${taskId}, 'PROVIDER_FAILED', ${report.message},
          ${app.config.refundGraceS} * interval '1 second', ${now}
        ) as outcome
      `
      return row.outcome
    }
    case 'running': {
      if (report.note) app.log.warn({ video: videoId, provider, status: report.note }, 'unknown status of a task')
      const [row] = await app.sql<[{ outcome: string | null }]>`
        select kinora.video_reported(
          ${userId}, ${videoId}, ${provider}, ${taskId}, ${report.progress}, ${after(now, FIRST_ASK_S)}, ${now}
        ) as outcome
      `
      return row.outcome
    }
  }
}

/** GENERATING: asks the provider how far it is; at the deadline once more, and then it is over. */
async function ask(app: App, work: Step): Promise<void> {
  const { video, lease } = work
  const isLast = app.now() >= video.deadlineAt
  const name = providerOf(video)
  // A provider that the operator has taken away meanwhile cannot be asked; the deadline comes all the same.
  const report = video.providerTaskId ? await app.providers.get(name)?.ask(video.providerTaskId, work.signal) : null
  app.crashPoint('ask.answered')
  if (!report && work.signal.aborted) return handBack(app, work)
  if (report?.kind === 'completed' || report?.kind === 'failed') {
    const outcome = await record(app, name, video.userId, video.id, video.providerTaskId, report)
    app.crashPoint('ask.recorded')
    if (outcome === 'taken') app.wake()
    return
  }
  if (isLast) return fail(app, work, 'TIMED_OUT', 'The provider did not finish the film in time.')
  if (report?.note) app.log.warn({ video: video.id, provider: name, status: report.note }, 'unknown status of a task')

  const now = app.now()
  const pauseS = Math.min(FIRST_ASK_S * ASK_FACTOR ** video.attempt, ASK_PAUSE_MAX_S)
  await app.sql`
    select kinora.video_running(
      ${video.userId}, ${video.id}, ${lease}, ${report?.progress ?? null}, ${video.attempt + 1},
      ${earlier(after(now, pauseS), video.deadlineAt)}, ${now}
    )
  `
}

/** The name of the provider whose turn it is. */
const providerOf = (video: Step['video']): string => video.providers[video.turn - 1] ?? ''

/** A model that has left the catalogue while its videos run keeps the time of the longest. */
function deadlineS(model: string): number {
  const models = catalogue()
  return models.get(model)?.deadlineSeconds ?? Math.max(...[...models.values()].map((each) => each.deadlineSeconds))
}

const after = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000)
const earlier = (a: Date, b: Date): Date => (a < b ? a : b)
