/** A child's log file in the data folder, rotated by size. The child writes to its file descriptor. */
import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { explainFileError } from './cli-error.ts'

const SIZE_BYTES_MAX = 8 * 1024 ** 2
const ROTATE_CHECK_MS = 30_000
const TAIL_BYTES = 16 * 1024

export type LogFile = {
  path: string
  fd: number
  /** The last lines since the file was opened or `mark` was called. */
  tail: (lines: number) => string[]
  mark: () => void
  write: (text: string) => void
  close: () => void
}

/**
 * Opens the log for appending. A log that has reached `SIZE_BYTES_MAX` is rotated to `<path>.1`, which replaces the
 * earlier one: copied and truncated, because the child keeps its file descriptor.
 */
export function openLogFile(path: string): LogFile {
  let fd: number
  try {
    fd = openSync(path, 'a+', 0o600)
  } catch (error) {
    throw explainFileError(error, path)
  }
  let markedAt = 0
  const rotate = () => {
    if (fstatSync(fd).size < SIZE_BYTES_MAX) return
    copyFileSync(path, `${path}.1`)
    ftruncateSync(fd)
    markedAt = 0
  }
  const mark = () => {
    markedAt = fstatSync(fd).size
  }
  rotate()
  mark()
  const timer = setInterval(rotate, ROTATE_CHECK_MS)
  timer.unref()
  return {
    path,
    fd,
    mark,
    write: (text) => writeSync(fd, text),
    tail: (lines) => {
      const size = fstatSync(fd).size
      const from = Math.max(markedAt, size - TAIL_BYTES)
      const buffer = Buffer.alloc(Math.max(0, size - from))
      readSync(fd, buffer, 0, buffer.length, from)
      return buffer.toString('utf8').trimEnd().split('\n').slice(-lines)
    },
    close: () => {
      clearInterval(timer)
      closeSync(fd)
    },
  }
}
