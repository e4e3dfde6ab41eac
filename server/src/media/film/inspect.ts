/**
 * Inspects an untrusted film before the service stores or serves it: whether it is a complete film of a supported kind, its
 * duration and dimensions, and a thumbnail. All parsing and decoding happens in a sandboxed child process.
 */
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises'
import { type Inspection, runChild } from '../child-process.ts'
import { sandboxLayers } from '../sandbox/sandbox.ts'
import { openSemaphore } from '../semaphore.ts'
import { FILM_SECONDS_MAX, type Film, type FilmLimits, FilmRefused } from './refusal.ts'
import { validateReply } from './reply.ts'

export { type Film, type FilmLimits, FilmRefused }

export type InspectedFilm = Film & { thumbnail: { width: number; height: number; sizeBytes: number } }

const REPLY_BYTES_MAX = 1024 * 1024

const filmLimits: FilmLimits = {
  sidePixelsMax: 5120,
  pixelsMax: 12_000_000,
  // Half a second more than was asked for: the last frames, and the padding of the sound.
  durationMaxS: FILM_SECONDS_MAX + 0.5,
  // A 4k film takes about 230 MB; with 10 bits a sample and sixteen reference frames it would take 600 MB.
  memoryMaxBytes: 768 * 1024 * 1024,
  cpuMaxS: 15,
  timeoutMs: 60_000,
}

/** Inspections at a time: each may take `memoryMaxBytes` and decodes on every core. The worker's pools bound the queue. */
const semaphore = openSemaphore({ permits: 2, queuedMax: Number.POSITIVE_INFINITY })

/**
 * Probes the film and writes a JPEG of one of its frames, at most 640 pixels on the longer side, to `thumbnailFile`.
 * At most two films are inspected at a time, one of a user; further calls queue, and users are served round robin.
 * @throws FilmRefused when the film is at fault; the signal's reason when aborted; an ordinary Error for a failure of the
 *   server (no such file, no process, disk full), which is worth a retry. No thumbnail is left then.
 */
export async function inspectFilm(
  file: string,
  options: { userId?: string; thumbnailFile: string; signal?: AbortSignal; limits?: Partial<FilmLimits> },
): Promise<InspectedFilm> {
  const limits = { ...filmLimits, ...options.limits }
  const release = await semaphore.acquire(options.userId ?? null, options.signal)
  let handle: FileHandle | undefined
  try {
    handle = await open(file, 'r')
    const { film, thumbnail, jpeg } = validateReply(
      await runChild(handle.fd, inspectionOf(limits), { layers: await sandboxLayers(), signal: options.signal }),
      limits,
    )
    const { size: sizeBytes } = await handle.stat()
    await writeThumbnail(options.thumbnailFile, jpeg, options.signal)
    return { ...film, sizeBytes, thumbnail: { ...thumbnail, sizeBytes: jpeg.length } }
  } finally {
    await handle?.close()
    release()
  }
}

const inspectionOf = (limits: FilmLimits): Inspection<FilmLimits> => ({
  script: 'film/child',
  limits,
  replyMaxBytes: REPLY_BYTES_MAX,
  refused: (code, cause) => {
    const reason = code === 'TOO_SLOW' ? ': it takes too long' : ''
    return new FilmRefused(code, `The film could not be decoded within the limits${reason}.`, { cause })
  },
})

async function writeThumbnail(file: string, jpeg: Buffer, signal: AbortSignal | undefined): Promise<void> {
  try {
    signal?.throwIfAborted()
    await writeFile(file, jpeg)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}
