/**
 * The child process that inspects one film: facts, one decoded frame, thumbnail, one reply, exit. See inspecting-child.ts
 * for what it is given.
 */
import { readSync } from 'node:fs'
import { getNativeVariant } from 'node-webcodecs'
import type { ChildOptions } from '../child-process.ts'
import { endChild, INPUT_FD, reply, replyReady, setUpChild } from '../inspecting-child.ts'
import { MediaRefused } from '../refusal.ts'
import type { FilmLimits } from './film.ts'
import { probeFilm } from './probe.ts'
import type { FilmBytes } from './structure.ts'
import { makeThumbnail } from './thumbnail.ts'

const { limits, sizeBytes } = setUpChild<FilmLimits & ChildOptions>()
// A missing native library is a failure of the server, so it must surface before the film is read.
if (getNativeVariant() === undefined) throw new Error('The decoder for films could not be loaded.')
replyReady()

try {
  const bytes = filmBytes()
  const { film, track } = await probeFilm(bytes, limits)
  const { thumbnail, width, height } = await makeThumbnail(track, film.durationS, limits)
  const { jpeg, ...size } = thumbnail
  reply({ film: { ...film, width, height }, thumbnail: { ...size, sizeBytes: jpeg.length } }, jpeg)
} catch (error) {
  const refused =
    error instanceof MediaRefused
      ? error
      : new MediaRefused('UNDECODABLE', 'The film could not be decoded within the limits.')
  reply({ refused: { code: refused.code, message: refused.message } })
}
endChild()

function filmBytes(): FilmBytes {
  return {
    sizeBytes,
    read(position, lengthBytes) {
      const buffer = new Uint8Array(lengthBytes)
      return buffer.subarray(0, readSync(INPUT_FD, buffer, 0, lengthBytes, position))
    },
  }
}
