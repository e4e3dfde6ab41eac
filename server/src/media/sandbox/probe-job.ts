/**
 * What the child does that probes the sandbox: it does what hostile native code in a decoder would do, before and
 * behind the seccomp filter, and then decodes an image and a film, so that layers that break decoding are noticed at
 * start-up.
 */
import { inflateSync } from 'node:zlib'
import type { FilmLimits } from '../film/film.ts'
import { probeFilm } from '../film/probe.ts'
import { makeThumbnail } from '../film/thumbnail.ts'
import type { Inspect } from '../job.ts'
import { sharp } from '../sharp.ts'
import type { Attempts, ProbeReply, Targets } from './escape-routes.ts'
import { readLayers } from './seccomp.ts'
import { openNative } from './syscalls.ts'

const AT_FDCWD = -100
const O_WRONLY_CREAT = 0o101
const AF_INET = 2
const SOCK_STREAM = 1
const SIGCHLD = 17
const EPERM = 1
const ENOSYS = 38
const RLIMIT = { cpu: 0, data: 2, processes: 6, openFiles: 7 }

/** One grey second of 64×64 pixels: an MP4 of 1 kB, deflated. */
const FILM = Buffer.from(
  [
    'eNq1UjFLw0AUfkkVLTgU6dChYBEHp9KAqINIrUsXR50cTHupCc01JbmG1kmKg+IvsBmE/gA3dxFncXari4vgT6jvkj6aWhURPO7lfXf37nvfxw',
    'UAsjXRaVqewwFUkFn3qxpvrmm4fuOO4wOAzX2TYYbXVXEjA2AAYSjhHI+JxfS6CD8OFWdbuHod8aGohz0T457ENpi++Zu+RQJqmjNLR5Dj7Gtf',
    '+w/htQ2T2a4E3LRd32JGnHPPQJJKq9HoHOCJU9YbzDZktXLLrUYNQdrnIX1czAqLzrLMNWoxsQst185FWGl5omIjvvKEx2I1F/JpvjEsrRWhjL',
    'lMFYtjhTlfy69r+cLkjcxwiN8lZN1VSnfbwwHMH2N+Tl0/KTBjPm6dShMV4Yqofm4zCsh4QngxIRmA5JE0hYKrsf3Q2CgLPDuJNx9F8h8DdVad',
    '8b+VSGFcSk+oxfuk850zXfpMG+dnfXdytHF/dqe33C1EoESgQqBLoE/gnsDLCAQqAeIJiCcgnoB4AuIJiCcgnh7x/F3PB3QBomM=',
  ].join(''),
  'base64',
)

const { targets } = JSON.parse(process.argv[2] ?? '') as { targets: Targets }

export const damaged = 'The sandbox could not be probed.'

const native = openNative()
// This is loaded before the filter.
const before = attemptAll()
const options = { pid: process.pid, uid: process.getuid?.() ?? -1, limits: readLimits() }

export const inspect: Inspect<FilmLimits> = async (limits) => {
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'grey' } })
    .png()
    .toBuffer()
  const { info } = await sharp(image).raw().toBuffer({ resolveWithObject: true })
  const film = inflateSync(FILM)
  const bytes = { sizeBytes: film.length, read: (at: number, length: number) => film.subarray(at, at + length) }
  const { film: facts, track } = await probeFilm(bytes, limits)
  const { thumbnail } = await makeThumbnail(track, facts.durationS, limits)
  const line: ProbeReply = {
    ...options,
    ...(native ? readLayers(native) : { noNewPrivileges: false, seccomp: false }),
    before,
    after: attemptAll(),
    // The kernel refuses it otherwise without a ring: with EBADF.
    ioUring: native?.call('io_uring_enter', -1) === -EPERM ? EPERM : 0,
    decoded: { image: info.width * info.height, film: thumbnail.width * thumbnail.height },
  }
  return { line }
}

/** Tries each route; without native calls none can be tried, and each counts as open. */
function attemptAll(): Attempts {
  const { secretFile, newFile, serverPid, port } = targets
  if (native === null) {
    return { readFile: 0, readEnvironment: 0, writeFile: 0, connect: 0, signal: 0, startProcess: 0 }
  }
  const { call } = native
  const errorOf = (result: number) => Math.max(0, -result)
  const open = (file: string, flags: number) =>
    errorOf(call('openat', AT_FDCWD, Buffer.from(`${file}\0`), flags, 0o600))
  return {
    readFile: open(secretFile, 0),
    readEnvironment: open(`/proc/${serverPid}/environ`, 0),
    writeFile: open(newFile, O_WRONLY_CREAT),
    connect: connect(port),
    signal: errorOf(call('kill', serverPid, 0)),
    startProcess: fork(),
  }
}

/** Connects to 127.0.0.1, where the server listens. */
function connect(port: number): number {
  const socket = native?.call('socket', AF_INET, SOCK_STREAM, 0) ?? -ENOSYS
  if (socket < 0) return -socket
  const address = Buffer.alloc(16)
  address.writeUInt16LE(AF_INET, 0)
  address.writeUInt16BE(port, 2)
  address.set([127, 0, 0, 1], 4)
  return Math.max(0, -(native?.call('connect', socket, address, address.length) ?? -ENOSYS))
}

/** The new process exits at once. */
function fork(): number {
  const pid = native?.call('clone', SIGCHLD) ?? -ENOSYS
  if (pid === 0) native?.call('exit_group', 0)
  return Math.max(0, -pid)
}

function readLimits(): ProbeReply['limits'] {
  const read = (resource: number) => {
    const limit = Buffer.alloc(16)
    const isRead = native?.call('getrlimit', resource, limit) === 0
    const soft = limit.readBigUInt64LE(0)
    return isRead && soft < 1n << 62n ? Number(soft) : null
  }
  return {
    dataBytes: read(RLIMIT.data),
    cpuS: read(RLIMIT.cpu),
    openFiles: read(RLIMIT.openFiles),
    processes: read(RLIMIT.processes),
  }
}
