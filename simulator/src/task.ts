/** A task of a provider, and the wire format in which a provider takes, shows and reports it. */
import type { Context } from 'hono'
import type { Message } from './deliveries.ts'
import type { FilmRequest } from './film-request.ts'
import type { ProviderName } from './settings.ts'

export type Callback = Message & { kind: 'result' | 'opposite' | 'garbage' }
export type Task = ReturnType<typeof newTask>
type Submitted = {
  id: string
  provider: ProviderName
  /** The client's name for the video, the same at both providers. */
  video: string
  idempotencyKey: string | null
  request: FilmRequest
  callbackUrl: string | null
}

const WAITING_MS = 500
const GENERATING_MS = { min: 3_000, spread: 2_000 }

/** Times are milliseconds since 1970. */
export function newTask(submitted: Submitted, pace: number, slowMs: number | null) {
  const createdAt = Date.now()
  const startsAt = createdAt + WAITING_MS * pace
  const generatingMs = slowMs ?? (GENERATING_MS.min + Math.random() * GENERATING_MS.spread) * pace
  const finishesAt = Math.round(startsAt + generatingMs)
  const [endedAt, error]: [number | null, string | null] = [null, null]
  return { ...submitted, createdAt, startsAt, finishesAt, endedAt, error, outbox: [] as Callback[] }
}

export function stateOf({ startsAt, endedAt, error }: Task): 'waiting' | 'generating' | 'completed' | 'failed' {
  if (endedAt !== null) return error === null ? 'completed' : 'failed'
  return Date.now() < startsAt ? 'waiting' : 'generating'
}

/** Whole per cent, rising with the clock; 100 only at the end. */
export function progressOf(task: Task): number {
  if (stateOf(task) === 'completed') return 100
  const share = ((task.endedAt ?? Date.now()) - task.startsAt) / Math.max(1, task.finishesAt - task.startsAt)
  return Math.max(0, Math.min(99, Math.round(share * 100)))
}

/** A submitted video as received, not yet validated. */
export type Submit = Partial<
  Record<'model' | 'prompt' | 'aspect_ratio' | 'duration' | 'quality' | 'image_urls' | 'callbackUrl', unknown>
>
export type Refusal = 'invalid' | 'unauthorized' | 'unknown' | 'refused' | 'unavailable' | 'error'

/** How a provider spells requests, responses and callbacks. */
export type WireFormat = {
  /** Whether a repeated `Idempotency-Key` finds the task of the first. */
  isIdempotent: boolean
  submitPath: string
  /** With `taskId` as a parameter of the path or of the query. */
  pollPath: string
  callbackTimeoutMs: number
  newTaskId: () => string
  readSubmit: (body: Record<string, unknown>) => Submit
  accepted: (task: Task, filmUrl: string) => object
  polled: (task: Task, filmUrl: string) => object
  refuse: (c: Context, kind: Refusal, message: string) => Response
  /** The body of a callback. `error`: the reason of a failure, null for a film. */
  callback: (task: Task, error: string | null, filmUrl: string) => object
  /** Headers that sign a callback, where the provider does so. */
  signature?: (taskId: string, key: string) => Record<string, string>
}
