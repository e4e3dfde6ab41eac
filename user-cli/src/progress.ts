/** The progress of a film: one bar that is redrawn on a terminal, a line for each change in a pipe or a log. */
import type { WaitOptions } from '@kinora/client'
import type { Output } from './output.ts'

type Task = Parameters<NonNullable<WaitOptions['onProgress']>>[0]

export type Progress = { show: (task: Task) => void; end: () => void }

export const progressLine = ({ uuid, status, progress }: Task): string => `${uuid} ${status} ${progress} %`

const WIDTH = 30
const stages = {
  PENDING: 'waiting',
  GENERATING: 'generating',
  UPLOADING: 'storing',
  COMPLETED: 'done',
  FAILED: 'failed',
} as const

export function openProgress({ isJson, note }: Output, stream = process.stderr): Progress {
  if (isJson) return { show: () => {}, end: () => {} }
  if (!stream.isTTY) {
    return { show: (task) => note(progressLine(task)), end: () => {} }
  }
  let isDrawn = false
  return {
    show: ({ status, progress }) => {
      const filled = Math.round((WIDTH * progress) / 100)
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled)
      stream.write(`\r\x1b[K${bar} ${String(progress).padStart(3)} %  ${stages[status]}`)
      isDrawn = true
    },
    end: () => {
      if (isDrawn) stream.write('\n')
      isDrawn = false
    },
  }
}
