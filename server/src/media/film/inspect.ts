/**
 * Inspects an untrusted film before the service stores or serves it: whether it is a complete film of a supported kind, its
 * duration and dimensions, and a thumbnail. All parsing and decoding happens in a sandboxed child process.
 */
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { openSemaphore } from '../../async/semaphore.ts'
import { parseReply, runChild } from '../child-process.ts'
import { filmRefusalCodes, MediaRefused } from '../refusal.ts'
import { sandboxLayers } from '../sandbox/sandbox.ts'
import {
  FILM_SECONDS_MAX,
  type Film,
  type FilmExtension,
  type FilmLimits,
  filmCodecs,
  filmContentTypes,
} from './film.ts'

export type InspectedFilm = Film & { thumbnail: { width: number; height: number; sizeBytes: number } }

const REPLY_BYTES_MAX = 1024 * 1024
const FAILURE = 'The film could not be decoded within the limits'

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

const inspectedReply = Type.Object({
  film: Type.Object({
    durationS: Type.Number({ exclusiveMinimum: 0 }),
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    codec: Type.Enum(filmCodecs),
    contentType: Type.Enum(Object.values(filmContentTypes)),
    extension: Type.Enum(Object.keys(filmContentTypes) as FilmExtension[]),
    sizeBytes: Type.Integer({ minimum: 1 }),
  }),
  thumbnail: Type.Object({
    width: Type.Integer({ minimum: 1, maximum: 640 }),
    height: Type.Integer({ minimum: 1, maximum: 640 }),
  }),
})

/**
 * Probes the film and writes a JPEG of one of its frames, at most 640 pixels on the longer side, to `thumbnailFile`.
 * At most two films are inspected at a time, one of a user; further calls queue, and users are served round robin.
 * @throws MediaRefused when the film is at fault; the signal's reason when aborted; an ordinary Error for a failure of the
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
    const inspection = { script: 'film/child', limits, replyMaxBytes: REPLY_BYTES_MAX, failure: FAILURE }
    const { film, thumbnail, jpeg } = validateReply(
      await runChild(handle.fd, inspection, { layers: await sandboxLayers(), signal: options.signal }),
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

/**
 * A hostile film may control the child, so a reply that no acceptable film could produce is refused.
 * @throws MediaRefused the child's refusal, or UNDECODABLE for an implausible reply
 */
function validateReply(bytes: Buffer, limits: FilmLimits) {
  const { line, content: jpeg } = parseReply(bytes, filmRefusalCodes)
  if (!Check(inspectedReply, line) || !isWithin(line.film, limits) || !isJpeg(jpeg))
    throw new MediaRefused('UNDECODABLE', `${FAILURE}.`)
  return { ...line, jpeg }
}

function isWithin(film: Film, limits: FilmLimits): boolean {
  return film.durationS <= limits.durationMaxS && film.width * film.height <= limits.pixelsMax
}

function isJpeg(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9
}

async function writeThumbnail(file: string, jpeg: Buffer, signal: AbortSignal | undefined): Promise<void> {
  try {
    signal?.throwIfAborted()
    await writeFile(file, jpeg)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}
