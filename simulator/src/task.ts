/**
 * What the simulator remembers: one JSON file per task, and one per video with how often it was submitted. Every
 * change is written before it is acted on or answered, so that a process killed at any instruction carries on from it.
 */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import path from 'node:path'
import type { FilmOrder } from './picture.ts'
import { readRecords, writeRecord } from './record.ts'
import type { ProviderName } from './settings.ts'

export type TaskState = 'waiting' | 'generating' | 'completed' | 'failed'
/** What a callback says: the outcome, the other outcome, or a numbered kind of nonsense. */
export type CallbackKind = 'result' | 'opposite' | (typeof garbageKinds)[number]
export const garbageKinds = ['garbage 1', 'garbage 2', 'garbage 3', 'garbage 4', 'garbage 5'] as const

export type Task = {
  taskId: string
  provider: ProviderName
  /** The client's name for the video, the same at both providers. */
  video: string
  idempotencyKey: string | null
  order: FilmOrder
  callbackUrl: string | null
  /** Times in milliseconds since 1970. */
  acceptedAt: number
  startsAt: number
  finishesAt: number
  endedAt: number | null
  state: TaskState
  /** Why it failed. */
  error: string | null
  /** The callbacks to make, in order. */
  outbox: { kind: CallbackKind; attempts: number; done: boolean }[]
  /** The callbacks made; `status` is the HTTP status of the answer, null when there was none. */
  callbacks: { at: string; kind: CallbackKind; status: number | null }[]
}

export type Video = { video: string; submits: number; turnedAway: number }

export type TaskStore = {
  tasks: ReadonlyMap<string, Task>
  save: (task: Task) => void
  findByKey: (idempotencyKey: string) => Task | undefined
  videoOf: (video: string) => Video
  saveVideo: (video: Video) => void
}

/** Beyond this many the oldest that have ended are forgotten. */
const TASKS_MAX = 5_000

/** Reads back every task and video kept in `dataDir`, which is made if need be. */
export function openTaskStore(dataDir: string): TaskStore {
  const taskDir = path.join(dataDir, 'tasks')
  const videoDir = path.join(dataDir, 'videos')
  const tasks = new Map(
    readRecords<Task>(taskDir)
      .sort((a, b) => a.acceptedAt - b.acceptedAt)
      .map((task) => [task.taskId, task]),
  )
  const videos = new Map(readRecords<Video>(videoDir).map((video) => [video.video, video]))
  const byKey = new Map(
    [...tasks.values()].flatMap((task) => (task.idempotencyKey ? [[task.idempotencyKey, task]] : [])),
  )

  const forgetOldest = (): void => {
    for (const task of tasks.values()) {
      if (tasks.size <= TASKS_MAX) return
      if (task.endedAt === null || task.outbox.some((callback) => !callback.done)) continue
      tasks.delete(task.taskId)
      videos.delete(task.video)
      if (task.idempotencyKey) byKey.delete(task.idempotencyKey)
      rmSync(path.join(taskDir, `${task.taskId}.json`), { force: true })
      rmSync(path.join(videoDir, videoFile(task.video)), { force: true })
    }
  }
  const save = (task: Task): void => {
    tasks.set(task.taskId, task)
    if (task.idempotencyKey) byKey.set(task.idempotencyKey, task)
    writeRecord(path.join(taskDir, `${task.taskId}.json`), task)
    forgetOldest()
  }
  const videoOf = (video: string): Video => videos.get(video) ?? { video, submits: 0, turnedAway: 0 }
  const saveVideo = (video: Video): void => {
    videos.set(video.video, video)
    writeRecord(path.join(videoDir, videoFile(video.video)), video)
  }
  return { tasks, save, findByKey: (key) => byKey.get(key), videoOf, saveVideo }
}

/** The client names the video as it likes; a file name must not follow it. */
function videoFile(video: string): string {
  return `${createHash('sha256').update(video).digest('hex').slice(0, 32)}.json`
}
