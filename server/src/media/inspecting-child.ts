/**
 * The child side of an inspection, shared by the children of films, images and assets. The child inherits the open file
 * as standard input and a pipe for its reply: a line when it is ready, then one line of JSON followed by bytes. It has
 * no path, no setting and no permission to write, so the effect of a hostile file ends with the process. Before it
 * reads the file it gives up every system call that decoding does not need.
 */
import { fstatSync, readSync, writeSync } from 'node:fs'
import sharp from 'sharp'
import type { ChildOptions } from './child-process.ts'
import type { FilmBytes } from './film/structure.ts'
import { pieceHeader } from './pieces.ts'
import { MediaRefused } from './refusal.ts'
import { installSeccomp } from './sandbox/seccomp.ts'
import { type Native, openNative } from './sandbox/syscalls.ts'

const INPUT_FD = 0
const REPLY_FD = 3
const OUTPUT_FD = 4

let isFiltered = false
let native: Native | null = null

/**
 * Reads the limits from the command line and sets up sharp for one short-lived, single-threaded run.
 * @returns the limits, and the inspected file: its size is not readable any more after `replyReady`
 */
export function setUpChild<Limits extends ChildOptions>(): { limits: Limits; bytes: FilmBytes } {
  const limits = JSON.parse(process.argv[2] ?? '') as Limits
  isFiltered = limits.seccomp
  // A watchdog: should the server die, no other process ends this one.
  setTimeout(() => process.exit(1), limits.timeoutMs).unref()
  sharp.cache(false)
  sharp.concurrency(1)
  return { limits, bytes: { sizeBytes: fstatSync(INPUT_FD).size, read } }
}

function read(position: number, lengthBytes: number): Uint8Array {
  const bytes = new Uint8Array(lengthBytes)
  let readBytes = 0
  for (let more = 1; more > 0 && readBytes < lengthBytes; readBytes += more) {
    more = readSync(INPUT_FD, bytes, readBytes, lengthBytes - readBytes, position + readBytes)
  }
  return bytes.subarray(0, readBytes)
}

/**
 * Becomes ready, answers with what `inspect` returns or its refusal, and ends.
 * @param damaged the sentence about a file on which it fails otherwise
 */
export async function answer(
  inspect: () => Promise<{ line: object; bytes?: Uint8Array }>,
  damaged: string,
): Promise<never> {
  replyReady()
  try {
    const { line, bytes } = await inspect()
    reply(line, bytes)
  } catch (error) {
    const refused = error instanceof MediaRefused ? error : new MediaRefused('UNDECODABLE', damaged)
    reply({ refused: { code: refused.code, message: refused.message } })
  }
  endChild()
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
  writeAll(REPLY_FD, Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), bytes]))
}

/** Sends bytes of the file to keep; the server writes them at that position. */
export function sendPiece(position: number, bytes: Uint8Array): void {
  writeAll(OUTPUT_FD, pieceHeader(position, bytes.length))
  writeAll(OUTPUT_FD, bytes)
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
}

/**
 * Ends the process without waiting for native threads, which may still be busy with a damaged file. Under the filter
 * Node's own exit would abort, because it closes event loops that use io_uring.
 */
export function endChild(): never {
  native?.call('exit_group', 0)
  process.exit(0)
}
