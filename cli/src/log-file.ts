/** A child's log in the data folder: bounded in size, and open for the child itself to write. */
import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { explainFileError } from './cli-error.ts'

const SIZE_BYTES_MAX = 8 * 1024 ** 2
const CHECK_EVERY_MS = 30_000
const TAIL_BYTES = 16 * 1024

export type LogFile = {
  path: string
  fd: number
  /** The last lines written since the file was opened or `mark` was called. */
  tail: (lines: number) => string[]
  mark: () => void
  write: (text: string) => void
  close: () => void
}

/** Opens the log for appending. When it has grown too long its lines move to `<path>.1`, over those of the last time. */
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
  const timer = setInterval(rotate, CHECK_EVERY_MS)
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
