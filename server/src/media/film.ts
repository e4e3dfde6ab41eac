/**
 * Looks into a film from outside before anything else of the service touches it: is it a whole film of a kind that we
 * serve, how long and how large is it, what does it look like. With image.ts the entry to `media/`.
 */
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises'
import { readAnswer } from './answer.ts'
import { type Inspection, runChild } from './child.ts'
import { type Film, type FilmLimits, FilmRefused } from './refusal.ts'
import { openTurns } from './semaphore.ts'

export { type Film, type FilmLimits, FilmRefused }

export type InspectedFilm = Film & { thumbnail: { width: number; height: number; sizeBytes: number } }

const ANSWER_BYTES_MAX = 1024 * 1024

const filmLimits: FilmLimits = {
  sidePixelsMax: 5120,
  pixelsMax: 12_000_000,
  durationMaxS: 120,
  // A 4k film takes about 230 MB; with 10 bits a sample and sixteen reference frames it would take 600 MB.
  memoryMaxBytes: 768 * 1024 * 1024,
  cpuMaxS: 15,
  timeoutMs: 60_000,
}

/** Inspections at a time: each may take `memoryMaxBytes` and decodes on every core it finds. */
const turns = openTurns(2)

/**
 * Probes the film and writes a JPEG of one of its frames, at most 640 pixels on the longer side, to `thumbnailFile`.
 * At most two films are inspected at a time; further ones wait.
 * @throws FilmRefused where the film is at fault; the signal's reason when aborted; an ordinary Error for the server's
 *   own trouble (no such file, no process to be had, disk full), which is worth trying again. No thumbnail is left then.
 */
export async function inspectFilm(
  file: string,
  options: { thumbnailFile: string; signal?: AbortSignal; limits?: Partial<FilmLimits> },
): Promise<InspectedFilm> {
  const limits = { ...filmLimits, ...options.limits }
  await turns.take(options.signal)
  let handle: FileHandle | undefined
  try {
    handle = await open(file, 'r')
    const { film, thumbnail, jpeg } = readAnswer(
      await runChild(handle.fd, inspectionOf(limits), options.signal),
      limits,
    )
    const { size: sizeBytes } = await handle.stat()
    await writeThumbnail(options.thumbnailFile, jpeg, options.signal)
    return { ...film, sizeBytes, thumbnail: { ...thumbnail, sizeBytes: jpeg.length } }
  } finally {
    await handle?.close()
    turns.pass()
  }
}

const inspectionOf = (limits: FilmLimits): Inspection<FilmLimits> => ({
  program: 'inspect-child.ts',
  limits,
  answerMaxBytes: ANSWER_BYTES_MAX,
  refused: (code, cause) => {
    const why = code === 'TOO_SLOW' ? ': it takes too long' : ''
    return new FilmRefused(code, `The film could not be decoded within the limits${why}.`, { cause })
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
