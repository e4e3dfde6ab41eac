/**
 * The tasks of the providers: one record per task, and one per video with its number of submits. Every change is on disk before it
 * is acted on or returned, so that a process killed at any instruction carries on from there.
 */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { attempt, type Message, newMessage, postJson, retry, sleepUntil } from './deliveries.ts'
import type { FilmRequest } from './film-request.ts'
import type { Films } from './films.ts'
import { openRecords } from './records.ts'
import { readSentinels, type Sentinels } from './sentinels.ts'
import type { ProviderName } from './settings.ts'

type Callback = Message & { kind: 'result' | 'opposite' | 'garbage' }
export type Task = {
  id: string
  provider: ProviderName
  /** The client's name for the video, the same at both providers. */
  video: string
  idempotencyKey: string | null
  request: FilmRequest
  callbackUrl: string | null
  /** Times are milliseconds since 1970. */
  createdAt: number
  startsAt: number
  finishesAt: number
  endedAt: number | null
  /** Why it failed. */
  error: string | null
  /** The callbacks to send, in order. */
  outbox: Callback[]
}
/** `rejected` counts the submits that `[down]` answered with HTTP 503. */
type Video = { id: string; createdAt: number; submits: number; rejected: number }

export type Tasks = ReturnType<typeof openTasks>

const RECORDS_MAX = 5_000
/** Delays before further attempts of a callback; then the provider gives up. */
const RETRY_AFTER_S = [1, 2, 4]
const garbage = ['{"taskId":"', '{"status":"completed"}', '[]', '{"code":200,"data":null}', 'upstream connect error']

export function openTasks(context: {
  dataDir: string
  films: Films
  /** The callback that reports the outcome, or its opposite. */
  callback: (task: Task, isOpposite: boolean) => { body: object; headers: Record<string, string>; timeoutMs: number }
  pace: number
  log: (line: string) => void
}) {
  const { dataDir, films, pace, log } = context
  const { all, save } = openRecords<Task>(path.join(dataDir, 'tasks'), RECORDS_MAX)
  const videos = openRecords<Video>(path.join(dataDir, 'videos'), RECORDS_MAX)
  const videoOf = (name: string): Video => {
    // A client chooses the name, and a file name must not follow it.
    const id = createHash('sha256').update(name).digest('hex')
    return videos.all.get(id) ?? { id, createdAt: Date.now(), submits: 0, rejected: 0 }
  }

  /** Generates, and then calls back; a task that was read back carries on. Resolves after the first attempt of each callback. */
  async function run(task: Task): Promise<void> {
    const sentinels = readSentinels(task.request.prompt)
    if (task.endedAt === null) {
      if (sentinels.has('silent')) return
      const rendered = films.render(task, sentinels).then(
        () => null,
        (error: Error) => `The simulator could not render this film: ${error.message}.`,
      )
      await sleepUntil(task.finishesAt)
      const error = sentinels.has('fail') ? sentinels.get('fail') || 'The generation failed.' : await rendered
      save(Object.assign(task, { error, outbox: task.callbackUrl ? callbacksOf(sentinels) : [], endedAt: Date.now() }))
      log(`${task.provider} ${task.id} ${stateOf(task)}`)
    }
    const route = {
      retryAfterS: RETRY_AFTER_S,
      pace,
      post: async (callback: Callback) => {
        const { kind } = callback
        const { body, ...options } = context.callback(task, kind === 'opposite')
        const text = kind === 'garbage' ? garbage[task.outbox.indexOf(callback)] : JSON.stringify(body)
        const status = await postJson(task.callbackUrl ?? '', text ?? '', options)
        // The callback's URL carries a signature and appears in no log.
        log(`${task.provider} ${task.id} called back (${kind}): ${status ?? 'no response'}`)
        return status
      },
      isReceived: (status: number | null, { kind }: Callback) =>
        kind === 'garbage' || (status !== null && status >= 200 && status < 300),
      save: () => save(task),
    }
    for (const callback of task.outbox) if (callback.deliveries.length === 0) await attempt(callback, route)
    for (const callback of task.outbox) retry(callback, route)
  }

  return {
    all,
    run,
    save,
    submitsOf: (name: string): number => videoOf(name).submits,
    /** @param down how many submits of a video are rejected. @returns whether this one is */
    countSubmit: (name: string, down: number): boolean => {
      const { submits, rejected, ...video } = videoOf(name)
      const isDown = rejected < down
      videos.save({ ...video, submits: submits + 1, rejected: rejected + (isDown ? 1 : 0) })
      return isDown
    },
  }
}

function callbacksOf(sentinels: Sentinels): Callback[] {
  if (sentinels.has('lost')) return []
  const kinds: Callback['kind'][] = [
    ...(sentinels.has('garbage') ? garbage.map(() => 'garbage' as const) : []),
    'result',
  ]
  if (sentinels.has('twice')) kinds.push('result')
  if (sentinels.has('contradict')) kinds.push('opposite')
  return kinds.map((kind) => ({ kind, ...newMessage('waiting') }))
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
