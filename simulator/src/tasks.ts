/**
 * The tasks of the providers, and the wire format in which a provider takes, shows and reports them: one record per task, and one per
 * video with its number of submits. Every change is on disk before it is acted on or returned, so that a process killed at any
 * instruction carries on from there.
 */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context as Call } from 'hono'
import { deliver, type Message, postJson, SLEEP_MS_MAX } from './deliveries.ts'
import type { FilmRequest } from './film-request.ts'
import type { Films } from './films.ts'
import { openRecords } from './records.ts'
import { readSentinels, type Sentinels, slowMs } from './sentinels.ts'
import type { Context, ProviderName } from './settings.ts'

type Callback = Message & { kind: 'result' | 'opposite' | 'garbage' }
/** Times are milliseconds since 1970. */
export type Task = {
  id: string
  provider: ProviderName
  /** The client's name for the video, the same at both providers. */
  video: string
  idempotencyKey: string | null
  request: FilmRequest
  callbackUrl: string | null
  createdAt: number
  startsAt: number
  finishesAt: number
  endedAt: number | null
  error: string | null
  outbox: Callback[]
}

type Submitted = Pick<Task, 'id' | 'provider' | 'video' | 'idempotencyKey' | 'request' | 'callbackUrl'>

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
/** 422: refused for its content. */
export type Refusal = 400 | 401 | 404 | 422 | 500 | 503

/** How a provider spells requests, responses and callbacks. */
export type WireFormat = {
  /** Whether a repeated `Idempotency-Key` finds the task of the first. */
  isIdempotent: boolean
  submitPath: string
  /** With `taskId` as a parameter of the path or of the query. */
  pollPath: string
  readSubmit: (body: Record<string, unknown>) => Submit
  accepted: (task: Task, filmUrl: string) => object
  polled: (task: Task, filmUrl: string) => object
  refuse: (c: Call, status: Refusal, message: string) => Response
  /** The body of a callback. `error`: the reason of a failure, null for a film. */
  callback: (task: Task, error: string | null, filmUrl: string) => object
  /** Headers that sign a callback, where the provider does so. */
  signature?: (taskId: string, key: string) => Record<string, string>
}

/** `submits`: how many, at both providers together. */
type Video = { id: string; createdAt: number; submits: number }

export type Tasks = ReturnType<typeof openTasks>

const WAITING_MS = 500
const GENERATING_MS = { min: 3_000, spread: 2_000 }
/** Delays before further attempts of a callback; then the provider gives up. */
const RETRY_AFTER_S = [1, 2, 4]
const CALLBACK_TIMEOUT_MS = 15_000
const garbage = ['{"taskId":"', '{"status":"completed"}', '[]', '{"code":200,"data":null}', 'upstream connect error']

export function openTasks(context: Context, films: Films, formats: Record<ProviderName, WireFormat>) {
  const { settings, baseUrl, log } = context
  const { dataDir, pace, webhookKey } = settings
  const { all, save } = openRecords<Task>(path.join(dataDir, 'tasks'), films.remove)
  const videos = openRecords<Video>(path.join(dataDir, 'videos'))
  const videoOf = (name: string): Video => {
    // A client chooses the name, and a file name must not follow it.
    const id = createHash('sha256').update(name).digest('hex')
    return videos.all.get(id) ?? { id, createdAt: Date.now(), submits: 0 }
  }

  /** Generates, and then calls back; a task that was read back carries on. Resolves after the first attempt of each callback. */
  async function run(task: Task): Promise<void> {
    const sentinels = readSentinels(task.request.prompt)
    if (task.endedAt === null) {
      if (sentinels.has('silent')) return
      const rendered = films.render(task.id, task.request, sentinels).then(
        () => null,
        (error: Error) => `The simulator could not render this film: ${error.message}.`,
      )
      await sleep(Math.min(SLEEP_MS_MAX, Math.max(0, task.finishesAt - Date.now())))
      const error = sentinels.has('fail') ? sentinels.get('fail') || 'The generation failed.' : await rendered
      save(Object.assign(task, { error, outbox: task.callbackUrl ? callbacksOf(sentinels) : [], endedAt: Date.now() }))
      log(`${task.provider} ${task.id} ${stateOf(task)}`)
    }
    const route = {
      retryAfterS: RETRY_AFTER_S,
      pace,
      post: async (callback: Callback) => {
        const { kind } = callback
        const format = formats[task.provider]
        const opposite = task.error === null ? 'The result was withdrawn.' : null
        const body = format.callback(task, kind === 'opposite' ? opposite : task.error, filmUrl(task))
        const text = kind === 'garbage' ? garbage[task.outbox.indexOf(callback)] : JSON.stringify(body)
        const headers = (webhookKey && format.signature?.(task.id, webhookKey)) || {}
        const status = await postJson(task.callbackUrl ?? '', text ?? '', headers, CALLBACK_TIMEOUT_MS)
        // The callback's URL carries a signature and appears in no log.
        log(`${task.provider} ${task.id} called back (${kind}): ${status ?? 'no response'}`)
        return status
      },
      isReceived: (status: number | null, { kind }: Callback) =>
        kind === 'garbage' || (status !== null && status >= 200 && status < 300),
      save: () => save(task),
    }
    await deliver(task.outbox, route)
  }

  const filmUrl = (task: Task): string => `${baseUrl()}/films/${task.id}.mp4`

  /** A task without the query of its callback URL, which carries a signature. */
  const describe = (task: Task) => {
    const { id: taskId, callbackUrl, request, outbox, createdAt: acceptedAt, video, ...rest } = task
    const callbacks = outbox.flatMap(({ kind, deliveries }) => deliveries.map((each) => ({ ...each, kind })))
    const callbacksLeft = outbox.filter(({ state }) => state === 'waiting').length
    const shown = { callbackUrl: callbackUrl?.split('?')[0] ?? null, callbacks, callbacksLeft }
    const [state, progress, { submits }] = [stateOf(task), progressOf(task), videoOf(video)]
    return { ...rest, ...request, ...shown, taskId, submits, acceptedAt, state, progress }
  }

  return {
    all,
    run,
    filmUrl,
    /** Stores a task and starts it. Resolves at once; with `[early]`, after its callbacks. */
    accept: async (submitted: Submitted): Promise<Task> => {
      const { provider, id, request } = submitted
      const sentinels = readSentinels(request.prompt)
      const isEarly = sentinels.has('early')
      const task = newTask(submitted, isEarly ? 0 : pace, slowMs(sentinels))
      save(task)
      const { model, durationS, quality, aspectRatio } = request
      log(`${provider} ${id} accepted: ${model}, ${durationS} s, ${quality}, ${aspectRatio}`)
      const calledBack = run(task)
      if (isEarly) await calledBack
      return task
    },
    promptOf: (id: string) => all.get(id)?.request.prompt,
    list: () => [...all.values()].map(describe),
    /** @returns how many submits of this video there were before */
    countSubmit: (name: string): number => {
      const video = videoOf(name)
      videos.save({ ...video, submits: video.submits + 1 })
      return video.submits
    },
  }
}

function newTask(submitted: Submitted, pace: number, slowMs: number | null): Task {
  const createdAt = Date.now()
  const startsAt = createdAt + WAITING_MS * pace
  const generatingMs = slowMs ?? (GENERATING_MS.min + Math.random() * GENERATING_MS.spread) * pace
  const finishesAt = Math.round(startsAt + generatingMs)
  return { ...submitted, createdAt, startsAt, finishesAt, endedAt: null, error: null, outbox: [] }
}

function callbacksOf(sentinels: Sentinels): Callback[] {
  if (sentinels.has('lost')) return []
  const kinds: Callback['kind'][] = sentinels.has('garbage') ? garbage.map(() => 'garbage') : []
  kinds.push('result')
  if (sentinels.has('twice')) kinds.push('result')
  if (sentinels.has('contradict')) kinds.push('opposite')
  return kinds.map((kind) => ({ kind, state: 'waiting', deliveries: [] }))
}
