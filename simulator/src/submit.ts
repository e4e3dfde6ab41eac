/**
 * What happens to a submit, in whichever format it came: judged, turned away, refused, or taken as a task that is
 * on disk before anybody hears of it. The provider files put the outcome into their own words.
 */
import { createHash, randomUUID } from 'node:crypto'
import { filmSize } from './film.ts'
import type { Life } from './life.ts'
import { downSubmits, readSentinels, type Sentinels, slowMs } from './sentinels.ts'
import type { ProviderName } from './settings.ts'
import type { Task, TaskStore } from './task.ts'

export type Submit = {
  provider: ProviderName
  model: unknown
  prompt: unknown
  aspectRatio: unknown
  duration: unknown
  quality: unknown
  imageUrls: unknown
  callbackUrl: unknown
  idempotencyKey: string | null
}

export type Outcome =
  | { kind: 'taken'; task: Task; answer: 'normal' | 'never' | 'error' }
  | { kind: 'invalid'; message: string }
  | { kind: 'refused'; message: string }
  | { kind: 'down' }

export type Desk = { store: TaskStore; life: Life; pace: number; log: (line: string) => void }

const WAITING_MS = 500
const GENERATING_MS = { min: 3_000, spread: 2_000 }
const DURATION_S_MAX = 60
const PROMPT_CHARACTERS_MAX = 10_000

/** Resolves as late as the prompt asks for: with `[early]` only after the callback. */
export async function takeSubmit(desk: Desk, submit: Submit): Promise<Outcome> {
  const read = readOrder(submit)
  if ('problem' in read) return { kind: 'invalid', message: read.problem }
  const { order } = read
  const sentinels = readSentinels(order.prompt)
  const callbackUrl = typeof submit.callbackUrl === 'string' ? URL.parse(submit.callbackUrl) : null

  // Both providers must name one video alike, and only the callback's `ref` is the same at both.
  const name = callbackUrl?.searchParams.get('ref') ?? submit.idempotencyKey ?? `prompt ${sha256(order.prompt)}`
  const video = { ...desk.store.videoOf(name) }
  video.submits++
  const down = video.turnedAway < downSubmits(sentinels)
  if (down) video.turnedAway++
  desk.store.saveVideo(video)
  if (down) return { kind: 'down' }
  if (sentinels.has('refuse')) {
    return { kind: 'refused', message: sentinels.get('refuse') || 'The prompt was refused for its content.' }
  }

  const known = submit.idempotencyKey && desk.store.findByKey(submit.idempotencyKey)
  const task = known || newTask(desk, submit, { order, sentinels, callbackUrl, video: name })
  if (sentinels.has('early') && task.endedAt === null) await desk.life.calledBack(task.taskId)
  const answer = sentinels.has('hang') ? 'never' : sentinels.has('vague') ? 'error' : 'normal'
  return { kind: 'taken', task, answer }
}

function newTask(
  desk: Desk,
  { provider, idempotencyKey }: Submit,
  read: { order: Task['order']; sentinels: Sentinels; callbackUrl: URL | null; video: string },
): Task {
  const now = Date.now()
  const pace = read.sentinels.has('early') ? 0 : desk.pace
  const startsAt = now + WAITING_MS * pace
  const generatingMs = (GENERATING_MS.min + Math.random() * GENERATING_MS.spread) * pace
  const task: Task = {
    taskId: provider === 'provider-a' ? `task-${randomUUID()}` : randomUUID().replaceAll('-', ''),
    provider,
    video: read.video,
    idempotencyKey,
    order: read.order,
    callbackUrl: read.callbackUrl?.href ?? null,
    acceptedAt: now,
    startsAt,
    finishesAt: Math.round(startsAt + (slowMs(read.sentinels) ?? generatingMs)),
    endedAt: null,
    state: 'waiting',
    error: null,
    outbox: [],
    callbacks: [],
  }
  desk.store.save(task)
  const { model, durationS, quality, aspectRatio } = task.order
  desk.log(`${provider} ${task.taskId} accepted: ${model}, ${durationS} s, ${quality}, ${aspectRatio}`)
  desk.life.begin(task)
  return task
}

function readOrder(submit: Submit): { order: Task['order'] } | { problem: string } {
  const { model, prompt, aspectRatio, quality = '720p', imageUrls = [] } = submit
  if (typeof model !== 'string' || !model) return { problem: 'model is missing.' }
  if (typeof prompt !== 'string' || !prompt.trim()) return { problem: 'prompt is missing.' }
  if (prompt.length > PROMPT_CHARACTERS_MAX) return { problem: `prompt is over ${PROMPT_CHARACTERS_MAX} characters.` }
  const durationS = Number(submit.duration)
  if (!(durationS >= 1 && durationS <= DURATION_S_MAX)) {
    return { problem: `duration must be 1 to ${DURATION_S_MAX} seconds.` }
  }
  if (typeof aspectRatio !== 'string' || typeof quality !== 'string' || !filmSize(aspectRatio, quality)) {
    return { problem: `aspect_ratio ${String(aspectRatio)} in quality ${String(quality)} is not on offer.` }
  }
  if (!Array.isArray(imageUrls)) return { problem: 'image_urls must be a list.' }
  const imageUrl: unknown = imageUrls[0] ?? null
  if (imageUrl !== null && (typeof imageUrl !== 'string' || !/^https?:/.test(imageUrl))) {
    return { problem: 'image_urls must hold http(s) addresses.' }
  }
  return { order: { prompt, model, aspectRatio, quality, durationS, imageUrl } }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
