/**
 * Makes a finished film of a prompt in one call, or those of a project's shots, or the one of the whole project. The
 * request has an idempotency key: however often it is sent, one video of each is made and paid for. A video is followed
 * by the event stream, and polled where there is none.
 */
import type { CallOptions, Calls, Schemas } from './calls.ts'
import type { Result } from './errors.ts'
import { newIdempotencyKey } from './idempotency-key.ts'
import { sleep, withRetry } from './retry.ts'
import type { SharedEvents } from './shared-events.ts'
import { isNewerTask, type Task } from './task.ts'

export type GenerateBody = Schemas['GenerateRequest']
export type UpscaleBody = Schemas['UpscaleRequest']
export type InputsBody = Schemas['InputsRequest']
/** Which shots of a project, and the sum that was quoted. */
export type GenerateProjectBody = NonNullable<CallOptions<'post', '/api/v1/project/{id}/generate'>['body']>
/** A video with all its fields. */
export type Video = Schemas['Video']

export type WaitOptions = {
  signal?: AbortSignal
  /** Called with the first status and with each change; `progress` is a whole number from 0 to 100 that never falls. */
  onProgress?: (task: Pick<Task, 'uuid' | 'status' | 'progress'>) => void
  /** The same key with the same body is the same video, even after a restart of the program. Default: a new key. */
  idempotencyKey?: string
}

const POLL_MS = 1_500
/** While the stream is open, polling only guards against a missed event. */
const POLL_BESIDE_STREAM_MS = 15_000

export async function generateAndWait(
  kinora: Calls,
  events: SharedEvents,
  body: Omit<GenerateBody, 'n'> | Omit<InputsBody, 'n'> | UpscaleBody,
  options: WaitOptions = {},
): Promise<Result<Video>> {
  const { signal, idempotencyKey = newIdempotencyKey() } = options
  const withSignal = signal ? { signal } : {}
  const created = await withRetry(signal, () =>
    kinora.POST('/api/v1/video/generate', {
      ...withSignal,
      body,
      params: { header: { 'idempotency-key': idempotencyKey } },
    }),
  )
  if (created.error) return created
  return waitForVideo(kinora, events, created.data.uuid, options)
}

/** @returns the films in the order of the shots, or the error of the first one that failed, once all have ended */
export async function generateProjectAndWait(
  kinora: Calls,
  events: SharedEvents,
  id: string,
  body: GenerateProjectBody = {},
  options: WaitOptions = {},
): Promise<Result<Video[]>> {
  const { signal, idempotencyKey = newIdempotencyKey() } = options
  const params = { path: { id }, header: { 'idempotency-key': idempotencyKey } }
  const created = await withRetry(signal, () =>
    kinora.POST('/api/v1/project/{id}/generate', { ...(signal ? { signal } : {}), body, params }),
  )
  if (created.error) return created
  const waits = created.data.videos.map(({ uuid }) => waitForVideo(kinora, events, uuid, options))
  const ended = await Promise.all(waits)
  const failed = ended.find(({ error }) => error)
  return failed?.error ? failed : { data: ended.flatMap(({ data }) => data ?? []), error: undefined }
}

/** @returns the cut: one film of the chosen takes */
export async function renderAndWait(
  kinora: Calls,
  events: SharedEvents,
  id: string,
  options: WaitOptions = {},
): Promise<Result<Video>> {
  const { signal, idempotencyKey = newIdempotencyKey() } = options
  const params = { path: { id }, header: { 'idempotency-key': idempotencyKey } }
  const created = await withRetry(signal, () =>
    kinora.POST('/api/v1/project/{id}/render', { ...(signal ? { signal } : {}), params }),
  )
  if (created.error) return created
  return waitForVideo(kinora, events, created.data.uuid, options)
}

/** Waits until a video is final. @returns the video, or VIDEO_FAILED */
export async function waitForVideo(
  kinora: Calls,
  events: SharedEvents,
  uuid: string,
  options: Omit<WaitOptions, 'idempotencyKey'> = {},
): Promise<Result<Video>> {
  const { signal } = options
  const end = await waitForFinalStatus(kinora, events, uuid, options)
  if (end.error) return end
  if (end.data.status === 'FAILED') return videoFailed(end.data)
  return withRetry(signal, () =>
    kinora.GET('/api/v1/video/{uuid}', { ...(signal ? { signal } : {}), params: { path: { uuid } } }),
  )
}

type Progress = Pick<Task, 'uuid' | 'status' | 'progress'>

/** Resolves when the video is COMPLETED or FAILED, or with the error of a poll that is not retryable. */
async function waitForFinalStatus(
  kinora: Calls,
  events: SharedEvents,
  uuid: string,
  { signal, onProgress }: WaitOptions,
): Promise<Result<Task>> {
  const wakeUp = openWakeUp()
  const report = progressReporter(onProgress)
  // Queued, and reported by the loop below: an exception of this caller's onProgress must not reach other subscribers.
  const queue: Progress[] = []
  let mustPoll = false
  const unsubscribe = events.subscribe((event) => {
    const concernsVideo = event === null || event.type === 'reset' || event.uuid === uuid
    if (!concernsVideo) return
    if (event?.type === 'video' && !isFinal(event)) queue.push(event)
    else mustPoll = true
    wakeUp.notify()
  })
  try {
    while (true) {
      mustPoll = false
      const task = await withRetry(signal, () =>
        kinora.GET('/api/v1/video/task', { ...(signal ? { signal } : {}), params: { query: { uuid } } }),
      )
      if (task.error) return task
      report(task.data)
      if (isFinal(task.data)) return task
      const nextPollMs = performance.now() + (events.isOpen() ? POLL_BESIDE_STREAM_MS : POLL_MS)
      while (!mustPoll && performance.now() < nextPollMs) {
        queue.splice(0).forEach(report)
        await wakeUp.wait(nextPollMs - performance.now(), signal)
      }
    }
  } finally {
    unsubscribe()
  }
}

/** Calls onProgress for changes only, and drops what is older than the last one. */
function progressReporter(onProgress: WaitOptions['onProgress']): (task: Progress) => void {
  let last: Progress | null = null
  return (task) => {
    if (last && !isNewerTask(task, last)) return
    const { uuid, status, progress } = task
    // A failed video may have a lower progress than the estimate before.
    last = { uuid, status, progress: Math.max(last?.progress ?? 0, progress) }
    onProgress?.(last)
  }
}

const isFinal = ({ status }: Progress): boolean => status === 'COMPLETED' || status === 'FAILED'

const videoFailed = ({ uuid, error }: Task): Result<never> => ({
  data: undefined,
  error: {
    code: 'VIDEO_FAILED',
    message: error ?? 'The video failed. Its credits are back.',
    status: 200,
    details: { uuid },
    requestId: null,
    retryAfterSeconds: null,
  },
})

/** An auto-reset event: `notify` ends the current wait, or the next one when none is pending. */
function openWakeUp() {
  let isNotified = false
  let wake = () => {}
  return {
    notify: () => {
      isNotified = true
      wake()
    },
    wait: async (ms: number, signal: AbortSignal | undefined) => {
      const waiting = new AbortController()
      wake = () => waiting.abort()
      signal?.addEventListener('abort', wake, { once: true })
      if (isNotified || signal?.aborted) wake()
      await sleep(ms, waiting.signal).catch(() => undefined)
      signal?.removeEventListener('abort', wake)
      signal?.throwIfAborted()
      isNotified = false
    },
  }
}
