/** A submit in either wire format: validated, rejected or refused by a sentinel, or stored as a task before the response. */
import { createHash, randomUUID } from 'node:crypto'
import { type FilmRequest, filmSize } from './film-request.ts'
import { downSubmits, readSentinels, type Sentinels, slowMs } from './sentinels.ts'
import type { ProviderName } from './settings.ts'
import type { TaskRunner } from './task-runner.ts'
import type { Task, Tasks } from './tasks.ts'

/** The fields of a request body as received, not yet validated. */
export type Submit = { provider: ProviderName; idempotencyKey: string | null; callbackUrl: unknown } & Record<
  'model' | 'prompt' | 'aspectRatio' | 'duration' | 'quality' | 'imageUrls',
  unknown
>

export type SubmitOutcome =
  | { kind: 'accepted'; task: Task }
  /** `[hang]`: the request gets no response. */
  | { kind: 'no response' }
  | { kind: 'invalid' | 'refused' | 'unavailable' | 'error'; message: string }

export type ProviderContext = {
  tasks: Tasks
  runner: TaskRunner
  filmUrl: (task: Task) => string
  pace: number
  log: (line: string) => void
}

const WAITING_MS = 500
const GENERATING_MS = { min: 3_000, spread: 2_000 }
const DURATION_S_MAX = 60
const PROMPT_CHARACTERS_MAX = 10_000

/** With `[early]` it resolves only after the callback. */
export async function takeSubmit(context: ProviderContext, submit: Submit): Promise<SubmitOutcome> {
  const request = readRequest(submit)
  if (typeof request === 'string') return { kind: 'invalid', message: request }
  const sentinels = readSentinels(request.prompt)
  const callbackUrl = typeof submit.callbackUrl === 'string' ? URL.parse(submit.callbackUrl) : null

  // `[down]` counts the submits of one video at both providers, and only the callback's `ref` is the same at both.
  const promptHash = createHash('sha256').update(request.prompt).digest('hex')
  const name = callbackUrl?.searchParams.get('ref') ?? submit.idempotencyKey ?? `prompt ${promptHash}`
  const { videos } = context.tasks
  const video = videos.all.get(name) ?? { name, createdAt: Date.now(), submits: 0, rejected: 0 }
  const isDown = video.rejected < downSubmits(sentinels)
  videos.save({ ...video, submits: video.submits + 1, rejected: video.rejected + (isDown ? 1 : 0) })
  if (isDown) return { kind: 'unavailable', message: 'Try again later.' }
  if (sentinels.has('refuse')) {
    return { kind: 'refused', message: sentinels.get('refuse') || 'The prompt was refused for its content.' }
  }

  const known = submit.idempotencyKey && context.tasks.byIdempotencyKey(submit.idempotencyKey)
  const task = known || startTask(context, submit, { request, sentinels, callbackUrl, video: name })
  if (sentinels.has('early') && task.endedAt === null) await context.runner.afterCallback(task.taskId)
  if (sentinels.has('hang')) return { kind: 'no response' }
  if (sentinels.has('vague')) return { kind: 'error', message: 'Something went wrong.' }
  return { kind: 'accepted', task }
}

function startTask(
  context: ProviderContext,
  { provider, idempotencyKey }: Submit,
  read: { request: FilmRequest; sentinels: Sentinels; callbackUrl: URL | null; video: string },
): Task {
  const createdAt = Date.now()
  const pace = read.sentinels.has('early') ? 0 : context.pace
  const startsAt = createdAt + WAITING_MS * pace
  const generatingMs = (GENERATING_MS.min + Math.random() * GENERATING_MS.spread) * pace
  const task: Task = {
    taskId: provider === 'provider-a' ? `task-${randomUUID()}` : randomUUID().replaceAll('-', ''),
    provider,
    video: read.video,
    idempotencyKey,
    request: read.request,
    callbackUrl: read.callbackUrl?.href ?? null,
    createdAt,
    startsAt,
    finishesAt: Math.round(startsAt + (slowMs(read.sentinels) ?? generatingMs)),
    endedAt: null,
    state: 'waiting',
    error: null,
    outbox: [],
    callbacks: [],
  }
  context.tasks.tasks.save(task)
  const { model, durationS, quality, aspectRatio } = task.request
  context.log(`${provider} ${task.taskId} accepted: ${model}, ${durationS} s, ${quality}, ${aspectRatio}`)
  context.runner.run(task)
  return task
}

/** @returns the request, or what is wrong with it */
function readRequest(submit: Submit): FilmRequest | string {
  const { model, prompt, aspectRatio, quality = '720p', imageUrls = [] } = submit
  if (typeof model !== 'string' || !model) return 'model is missing.'
  if (typeof prompt !== 'string' || !prompt.trim()) return 'prompt is missing.'
  if (prompt.length > PROMPT_CHARACTERS_MAX) return `prompt is over ${PROMPT_CHARACTERS_MAX} characters.`
  const durationS = Number(submit.duration)
  if (!(durationS >= 1 && durationS <= DURATION_S_MAX)) return `duration must be 1 to ${DURATION_S_MAX} seconds.`
  if (typeof aspectRatio !== 'string' || typeof quality !== 'string' || !filmSize(aspectRatio, quality)) {
    return `aspect_ratio ${String(aspectRatio)} in quality ${String(quality)} is not on offer.`
  }
  if (!Array.isArray(imageUrls)) return 'image_urls must be a list.'
  const imageUrl: unknown = imageUrls[0] ?? null
  if (imageUrl !== null && (typeof imageUrl !== 'string' || !/^https?:/.test(imageUrl))) {
    return 'image_urls must hold http(s) addresses.'
  }
  return { prompt, model, aspectRatio, quality, durationS, imageUrl }
}
