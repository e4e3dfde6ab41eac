/**
 * The persistent state of the providers: one record per task, and one per video with its number of submits. Every
 * change is written before it is acted on or returned, so that a process killed at any instruction carries on from
 * it.
 */
import path from 'node:path'
import type { FilmRequest } from './film-request.ts'
import { openRecords, type Records } from './records.ts'
import type { ProviderName } from './settings.ts'

export const garbageKinds = ['garbage 1', 'garbage 2', 'garbage 3', 'garbage 4', 'garbage 5'] as const
/** The outcome, the opposite outcome, or a numbered kind of unreadable body. */
export type CallbackKind = 'result' | 'opposite' | (typeof garbageKinds)[number]

export type Task = {
  taskId: string
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
  state: 'waiting' | 'generating' | 'completed' | 'failed'
  /** Why it failed. */
  error: string | null
  /** The callbacks to send, in order. */
  outbox: { kind: CallbackKind; attempts: number; done: boolean }[]
  /** The attempts made; `status` is the HTTP status of the response, null when there was none. */
  callbacks: { at: string; kind: CallbackKind; status: number | null }[]
}

/** `rejected` counts the submits that `[down]` answered with HTTP 503. */
export type Video = { name: string; createdAt: number; submits: number; rejected: number }

export type Tasks = {
  tasks: Records<Task>
  videos: Records<Video>
  byIdempotencyKey: (key: string) => Task | undefined
}

const TASKS_MAX = 5_000

export function openTasks(dataDir: string): Tasks {
  const isDone = (task: Task): boolean => task.endedAt !== null && task.outbox.every(({ done }) => done)
  const tasks = openRecords<Task>(path.join(dataDir, 'provider-tasks'), {
    id: (task) => task.taskId,
    max: TASKS_MAX,
    mayDelete: isDone,
  })
  const videos = openRecords<Video>(path.join(dataDir, 'submits'), { id: (video) => video.name, max: TASKS_MAX })
  return {
    tasks,
    videos,
    byIdempotencyKey: (key) => [...tasks.all.values()].find((task) => task.idempotencyKey === key),
  }
}

/** Whole per cent, rising with the clock; 100 only at the end. */
export function progressOf(task: Task): number {
  if (task.state === 'waiting') return 0
  if (task.state === 'completed') return 100
  const share = ((task.endedAt ?? Date.now()) - task.startsAt) / Math.max(1, task.finishesAt - task.startsAt)
  return Math.max(0, Math.min(99, Math.round(share * 100)))
}
