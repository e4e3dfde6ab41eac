/**
 * The child process that looks into one film: facts, one decoded frame, thumbnail, one answer, end.
 *
 * It is given the open film as its standard input and a pipe for the answer, and no path, no setting and no right to
 * write anywhere. Whatever a film does to it ends with it.
 */
import { fstatSync, readSync, writeSync } from 'node:fs'
import { getNativeVariant } from 'node-webcodecs'
import sharp from 'sharp'
import { probeFilm } from './probe.ts'
import { type FilmLimits, FilmRefused } from './refusal.ts'
import type { FilmBytes } from './structure.ts'
import { makeThumbnail } from './thumbnail.ts'

const FILM = 0
const ANSWER = 3

const limits = JSON.parse(process.argv[2] ?? '') as FilmLimits
// Should the server die, nobody else ends this process.
setTimeout(() => process.exit(1), limits.timeoutMs).unref()
// What cannot be loaded is the server's trouble and must show before the film is touched.
if (getNativeVariant() === undefined) throw new Error('The decoder for films could not be loaded.')
sharp.cache(false)
sharp.concurrency(1)
answer({ ready: true })

try {
  const bytes = filmBytes()
  const { film, track } = await probeFilm(bytes, limits)
  const { thumbnail, width, height } = await makeThumbnail(track, film.durationS, limits)
  const { jpeg, ...size } = thumbnail
  answer({ film: { ...film, width, height }, thumbnail: { ...size, sizeBytes: jpeg.length } }, jpeg)
} catch (error) {
  const refused =
    error instanceof FilmRefused
      ? error
      : new FilmRefused('UNDECODABLE', 'The film could not be decoded within the limits.')
  answer({ refused: { code: refused.code, message: refused.message } })
}
// Native threads may still be at work on a damaged film.
process.exit(0)

function filmBytes(): FilmBytes {
  return {
    sizeBytes: fstatSync(FILM).size,
    read(position, lengthBytes) {
      const buffer = new Uint8Array(lengthBytes)
      return buffer.subarray(0, readSync(FILM, buffer, 0, lengthBytes, position))
    },
  }
}

/** One line of JSON, then the bytes it announces. */
function answer(line: object, bytes: Uint8Array = new Uint8Array()): void {
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), bytes])
  for (let written = 0; written < whole.length; ) written += writeSync(ANSWER, whole, written)
}
