/**
 * The child side of an inspection, shared by film/child.ts and image/child.ts. The child inherits the open file as standard
 * input and a pipe for its reply: a line when it is ready, then one line of JSON followed by bytes. It has no path, no
 * setting and no permission to write, so the effect of a hostile file ends with the process.
 */
import { writeSync } from 'node:fs'
import sharp from 'sharp'
import type { ChildLimits } from './child-process.ts'

/** File descriptor of the inspected file. */
export const INPUT_FD = 0
const REPLY_FD = 3

/** Reads the limits from the command line and sets up sharp for one short-lived, single-threaded run. */
export function setUpChild<Limits extends ChildLimits>(): Limits {
  const limits = JSON.parse(process.argv[2] ?? '') as Limits
  // A watchdog: should the server die, no other process ends this one.
  setTimeout(() => process.exit(1), limits.timeoutMs).unref()
  sharp.cache(false)
  sharp.concurrency(1)
  return limits
}

/** The first line of the reply; an exit before it is the server's failure, not the file's. */
export const replyReady = (): void => reply({ ready: true })

/** Writes one line of JSON, then the bytes that it describes. */
export function reply(line: object, bytes: Uint8Array = new Uint8Array()): void {
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), bytes])
  for (let written = 0; written < whole.length; ) written += writeSync(REPLY_FD, whole, written)
}

/** Ends the process without waiting for native threads, which may still be busy with a damaged file. */
export const endChild = (): never => process.exit(0)
