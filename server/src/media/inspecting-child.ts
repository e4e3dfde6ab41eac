/**
 * The child side of an inspection, shared by film/child.ts and image/child.ts. The child inherits the open file as
 * standard input and a pipe for its reply: a line when it is ready, then one line of JSON followed by bytes. It has no
 * path, no setting and no permission to write, so the effect of a hostile file ends with the process. Before it reads
 * the file it gives up every system call that decoding does not need.
 */
import { fstatSync, writeSync } from 'node:fs'
import sharp from 'sharp'
import type { ChildOptions } from './child-process.ts'
import { installSeccomp } from './sandbox/seccomp.ts'
import { type Native, openNative } from './sandbox/syscalls.ts'

/** File descriptor of the inspected file. */
export const INPUT_FD = 0
const REPLY_FD = 3

let isFiltered = false
let native: Native | null = null

/**
 * Reads the limits from the command line and sets up sharp for one short-lived, single-threaded run.
 * @returns the limits, and the size of the inspected file, which is not readable any more after `replyReady`
 */
export function setUpChild<Limits extends ChildOptions>(): { limits: Limits; sizeBytes: number } {
  const limits = JSON.parse(process.argv[2] ?? '') as Limits
  isFiltered = limits.seccomp
  // A watchdog: should the server die, no other process ends this one.
  setTimeout(() => process.exit(1), limits.timeoutMs).unref()
  sharp.cache(false)
  sharp.concurrency(1)
  return { limits, sizeBytes: fstatSync(INPUT_FD).size }
}

/**
 * Installs the seccomp filter and writes the first line of the reply; an exit before it is the server's failure, not
 * the file's. Every library must be loaded before.
 */
export function replyReady(): void {
  if (isFiltered) {
    native = openNative()
    const problem = installSeccomp(native)
    if (problem !== null) throw new Error(`The seccomp filter could not be installed: ${problem}.`)
  }
  reply({ ready: true })
}

/** Writes one line of JSON, then the bytes that it describes. */
export function reply(line: object, bytes: Uint8Array = new Uint8Array()): void {
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), bytes])
  for (let written = 0; written < whole.length; ) written += writeSync(REPLY_FD, whole, written)
}

/**
 * Ends the process without waiting for native threads, which may still be busy with a damaged file. Under the filter
 * Node's own exit would abort, because it closes event loops that use io_uring.
 */
export function endChild(): never {
  native?.call('exit_group', 0)
  process.exit(0)
}
