/**
 * From a prompt to the finished film in one call. Money is at stake, so the request carries a key of its own: however often
 * it has to be sent, one video is made. The video is followed by the event stream, and asked after where that is missing.
 */
import type { DataOf, Kinora } from './client.ts'
import type { Answer } from './errors.ts'
import { newKey } from './idempotency-key.ts'
import type { paths } from './openapi.ts'
import { sleep, withPatience } from './retry.ts'
import type { SharedEvents } from './shared-events.ts'

export type GenerateBody = paths['/api/v1/video/generate']['post']['requestBody']['content']['application/json']
/** One video with all its facts. */
export type Video = DataOf<'get', '/api/v1/video/{uuid}'>
/** Status and progress of one video. */
export type Task = DataOf<'get', '/api/v1/video/task'>

export type WaitOptions = {
  signal?: AbortSignal
  /** Told at the first status and at each change; `progress` is a whole number from 0 to 100 that never falls. */
  onProgress?: (task: Pick<Task, 'uuid' | 'status' | 'progress'>) => void
  /** The same key with the same body is the same video, also in a program that was started again. Left out: one is made. */
  idempotencyKey?: string
}

const POLL_MS = 1_500
/** While the stream is open the video is asked after only to be sure. */
const POLL_BESIDE_STREAM_MS = 15_000

export async function generateAndWait(
  kinora: Kinora,
  events: SharedEvents,
  body: GenerateBody,
  options: WaitOptions = {},
): Promise<Answer<Video>> {
  const { signal, idempotencyKey = newKey() } = options
  const withSignal = signal ? { signal } : {}
  const made = await withPatience(signal, () =>
    kinora.POST('/api/v1/video/generate', {
      ...withSignal,
      body,
      params: { header: { 'idempotency-key': idempotencyKey } },
    }),
  )
  if (made.error) return made
  const { uuid } = made.data
  const end = await followToEnd(kinora, events, uuid, options)
  if (end.error) return end
  if (end.data.status === 'FAILED') return videoFailed(end.data)
  return withPatience(signal, () => kinora.GET('/api/v1/video/{uuid}', { ...withSignal, params: { path: { uuid } } }))
}

type Progress = Pick<Task, 'uuid' | 'status' | 'progress'>

/** Answers when the video is COMPLETED or FAILED. */
async function followToEnd(
  kinora: Kinora,
  events: SharedEvents,
  uuid: string,
  { signal, onProgress }: WaitOptions,
): Promise<Answer<Task>> {
  const bell = openBell()
  const report = onChange(onProgress)
  // Reported by the loop below and not where they arrive: what a caller's function throws is the caller's alone.
  const arrived: Progress[] = []
  let mustAsk = false
  const unlisten = events.listen((event) => {
    const isOurs = event === null || event.type === 'reset' || event.uuid === uuid
    if (!isOurs) return
    if (event?.type === 'video' && !isFinal(event)) arrived.push(event)
    else mustAsk = true
    bell.ring()
  })
  try {
    while (true) {
      mustAsk = false
      const task = await withPatience(signal, () =>
        kinora.GET('/api/v1/video/task', { ...(signal ? { signal } : {}), params: { query: { uuid } } }),
      )
      if (task.error) return task
      report(task.data)
      if (isFinal(task.data)) return task
      const askAt = performance.now() + (events.isOpen() ? POLL_BESIDE_STREAM_MS : POLL_MS)
      while (!mustAsk && performance.now() < askAt) {
        arrived.splice(0).forEach(report)
        await bell.wait(askAt - performance.now(), signal)
      }
    }
  } finally {
    unlisten()
  }
}

const ORDER = ['PENDING', 'GENERATING', 'UPLOADING', 'COMPLETED', 'FAILED'] as const

/** Tells what is new. What was asked for and what the stream says may cross; the older of the two is dropped. */
function onChange(onProgress: WaitOptions['onProgress']): (task: Progress) => void {
  let last: Progress | null = null
  return ({ uuid, status, progress }) => {
    const shown = last?.progress ?? 0
    const steps = last ? ORDER.indexOf(status) - ORDER.indexOf(last.status) : 1
    if (steps < 0 || (steps === 0 && progress <= shown)) return
    // A video that failed may know less of its progress than was estimated before.
    last = { uuid, status, progress: Math.max(shown, progress) }
    onProgress?.(last)
  }
}

const isFinal = ({ status }: Progress): boolean => status === 'COMPLETED' || status === 'FAILED'

const videoFailed = ({ uuid, error }: Task): Answer<never> => ({
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

/** Wakes whoever waits; a ring while nobody does is kept for the next. */
function openBell() {
  let hasRung = false
  let wake = () => {}
  return {
    ring: () => {
      hasRung = true
      wake()
    },
    wait: async (ms: number, signal: AbortSignal | undefined) => {
      const waiting = new AbortController()
      wake = () => waiting.abort()
      signal?.addEventListener('abort', wake, { once: true })
      if (hasRung || signal?.aborted) wake()
      await sleep(ms, waiting.signal).catch(() => undefined)
      signal?.removeEventListener('abort', wake)
      signal?.throwIfAborted()
      hasRung = false
    },
  }
}
