/**
 * The child process that inspects files. It loads what its kind of job needs, gives up every system call that decoding
 * does not need, and then takes one job after the other: a line of JSON, and the open files beside it. It has no path,
 * no setting and no permission to write, so the effect of a hostile file ends with the process, which has files of one
 * user alone.
 */
import { closeSync, readSync, writeSync } from 'node:fs'
import { inheritedFd, messageOf, PIECE_BYTES_MAX, POSITION_BYTES } from './channel.ts'
import type { ChildJob, ChildOptions, JobKind } from './child-process.ts'
import type { FilmBytes } from './film/structure.ts'
import type { Inspect, Sent } from './job.ts'
import { MediaRefused } from './refusal.ts'
import { CHANNEL_FD, installSeccomp } from './sandbox/seccomp.ts'
import { openNative } from './sandbox/syscalls.ts'

/** `damaged`: the sentence about a file on which the job fails otherwise. */
type Work = { inspect: Inspect<never>; damaged: string }

/** Each loads no more than it needs: sharp and the decoder of films take most of the time of a start. */
const works: Record<JobKind, () => Promise<Work>> = {
  film: () => import('./film/film-job.ts'),
  binding: () => import('./film/binding-job.ts'),
  frames: () => import('./film/frames-job.ts'),
  image: () => import('./image/image-job.ts'),
  asset: () => import('./asset/asset-job.ts'),
  cut: () => import('./cut/cut-job.ts'),
  encoders: () => import('./cut/encoders-job.ts'),
  probe: () => import('./sandbox/probe-job.ts'),
}

const JOB_BYTES_MAX = 64 * 1024
const noFile: FilmBytes = { sizeBytes: 0, read: () => new Uint8Array() }

const options = JSON.parse(process.argv[2] ?? '') as ChildOptions
const native = openNative()
const work = await works[options.kind]()
// An exit before it is ready is the server's failure, not the file's.
const problem = options.seccomp ? installSeccomp(native) : null
if (problem !== null) throw new Error(`The seccomp filter could not be installed: ${problem}.`)
send(messageOf('ready', 0))
for (let received = receiveJob(); received !== null; received = receiveJob()) await answer(received)
endChild()

/** @returns null: the server has closed the channel, or has died */
function receiveJob(): { job: ChildJob; fds: number[] } | null {
  const bytes = Buffer.alloc(JOB_BYTES_MAX)
  const { length, files } = native?.receiveFiles(CHANNEL_FD, bytes) ?? {
    length: readSync(CHANNEL_FD, bytes),
    files: [],
  }
  if (length <= 0) return null
  const job = JSON.parse(bytes.toString('utf8', 0, length)) as ChildJob
  return { job, fds: job.sizesBytes.map((_, index) => files[index] ?? inheritedFd(index)) }
}

/** The files are closed before the reply: between two jobs the child has none. */
async function answer({ job, fds }: { job: ChildJob; fds: number[] }): Promise<void> {
  // Should the server die, no other process ends this one.
  let leftS = Math.ceil(job.limits.timeoutMs / 1000)
  const watchdog = setInterval(() => leftS-- > 0 || endChild(), 1000).unref()
  const { line, bytes = new Uint8Array() } = await inspected(job, fds)
  clearInterval(watchdog)
  for (const fd of fds) closeSync(fd)
  send(messageOf('reply', job.number, Buffer.from(`${JSON.stringify(line)}\n`), bytes))
}

async function inspected(job: ChildJob, fds: number[]): Promise<{ line: object; bytes?: Uint8Array }> {
  const [first = noFile, ...others] = fds.map((fd, index) => bytesOf(job.sizesBytes[index] ?? 0, fd))
  try {
    return await work.inspect(job.limits as never, { ...first, ...sentBy(job) }, [first, ...others])
  } catch (error) {
    const refused = error instanceof MediaRefused ? error : new MediaRefused('UNDECODABLE', work.damaged)
    return { line: { refused: { code: refused.code, message: refused.message } } }
  }
}

function bytesOf(sizeBytes: number, fd: number): FilmBytes {
  return {
    sizeBytes,
    read: (position, lengthBytes) => {
      const bytes = new Uint8Array(lengthBytes)
      let readBytes = 0
      for (let more = 1; more > 0 && readBytes < lengthBytes; readBytes += more) {
        more = readSync(fd, bytes, readBytes, lengthBytes - readBytes, position + readBytes)
      }
      return bytes.subarray(0, readBytes)
    },
  }
}

function sentBy({ number }: ChildJob): Sent {
  return {
    sendPiece: (position, bytes) => {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES_MAX) {
        const header = Buffer.alloc(POSITION_BYTES)
        header.writeUIntBE(position + at, 0, POSITION_BYTES)
        send(messageOf('piece', number, header, bytes.subarray(at, at + PIECE_BYTES_MAX)))
      }
    },
    sendProgress: (percent, part) => send(messageOf('progress', number, Uint8Array.of(percent, part))),
  }
}

function send(message: Uint8Array): void {
  for (let written = 0; written < message.length; ) written += writeSync(CHANNEL_FD, message, written)
}

/**
 * Ends the process without waiting for native threads, which may still be busy with a damaged file. Under the filter
 * Node's own exit would abort, because it closes event loops that use io_uring.
 */
function endChild(): never {
  native?.call('exit_group', 0)
  process.exit(0)
}
