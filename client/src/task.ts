/** Status and progress of a video, and which of two is the later one. */
import type { Schemas } from './calls.ts'

/** Status and progress of a video. */
export type Task = Schemas['TaskStatus']

const STATUS_SEQUENCE = ['PENDING', 'GENERATING', 'UPLOADING', 'COMPLETED', 'FAILED'] as const

/** Whether `task` is later than `other` of the same video. Polls and events may overtake each other. */
export function isNewerTask(
  task: Pick<Task, 'status' | 'progress'>,
  other: Pick<Task, 'status' | 'progress'>,
): boolean {
  const steps = STATUS_SEQUENCE.indexOf(task.status) - STATUS_SEQUENCE.indexOf(other.status)
  return steps > 0 || (steps === 0 && task.progress > other.progress)
}
