/**
 * The child process that inspects one film: facts, one decoded frame, thumbnail, how its bytes are bound to a manifest,
 * one reply, exit. See inspecting-child.ts for what it is given.
 */
import { readSync } from 'node:fs'
import { getNativeVariant } from 'node-webcodecs'
import type { ChildOptions } from '../child-process.ts'
import { endChild, INPUT_FD, reply, replyReady, setUpChild } from '../inspecting-child.ts'
import { MediaRefused } from '../refusal.ts'
import { bindFilm } from './binding.ts'
import type { FilmJob } from './film.ts'
import { probeFilm } from './probe.ts'
import type { FilmBytes } from './structure.ts'
import { makeThumbnail } from './thumbnail.ts'

const { limits, sizeBytes } = setUpChild<FilmJob & ChildOptions>()
// A missing native library is a failure of the server, so it must surface before the film is read.
if (getNativeVariant() === undefined) throw new Error('The decoder for films could not be loaded.')
replyReady()

try {
  const bytes = filmBytes()
  const { film, track } = await probeFilm(bytes, limits)
  const bound = limits.binding === null ? null : bindingOf(bytes, limits.binding)
  const parts = bound?.parts ?? []
  if (limits.isSeen) reply({ film, binding: bound?.line ?? null }, Buffer.concat(parts))
  else {
    const { thumbnail, width, height } = await makeThumbnail(track, film.durationS, limits)
    const { jpeg, ...size } = thumbnail
    const line = {
      film: { ...film, width, height },
      thumbnail: { ...size, sizeBytes: jpeg.length },
      binding: bound?.line ?? null,
    }
    reply(line, Buffer.concat([jpeg, ...parts]))
  }
} catch (error) {
  const refused =
    error instanceof MediaRefused
      ? error
      : new MediaRefused('UNDECODABLE', 'The film could not be decoded within the limits.')
  reply({ refused: { code: refused.code, message: refused.message } })
}
endChild()

function bindingOf(bytes: FilmBytes, request: NonNullable<FilmJob['binding']>) {
  const { hash, embed, manifests } = bindFilm(bytes, request)
  const line = {
    hash: Buffer.from(hash).toString('hex'),
    embed: embed && { edits: embed.edits, isLabelled: embed.isLabelled },
    manifestsBytes: manifests?.length ?? 0,
  }
  return { line, parts: [embed?.content ?? new Uint8Array(), manifests ?? new Uint8Array()] }
}

function filmBytes(): FilmBytes {
  return {
    sizeBytes,
    read(position, lengthBytes) {
      const buffer = new Uint8Array(lengthBytes)
      return buffer.subarray(0, readSync(INPUT_FD, buffer, 0, lengthBytes, position))
    },
  }
}
