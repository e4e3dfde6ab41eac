/**
 * The child process that inspects one film: facts, one decoded frame, thumbnail, how its bytes are bound to a manifest,
 * one reply, exit; or pictures of it at intervals. See inspecting-child.ts for what it is given.
 */
import { getNativeVariant } from 'node-webcodecs'
import type { ChildOptions } from '../child-process.ts'
import { answer, setUpChild } from '../inspecting-child.ts'
import { bindFilm } from './binding.ts'
import type { FilmJob } from './film.ts'
import { takeFrames } from './frames.ts'
import { probeFilm } from './probe.ts'
import { makeThumbnail } from './thumbnail.ts'

const { limits, bytes } = setUpChild<FilmJob & ChildOptions>()
// A missing native library is a failure of the server, so it must surface before the film is read.
if (getNativeVariant() === undefined) throw new Error('The decoder for films could not be loaded.')

await answer(async () => {
  const { film, track } = await probeFilm(bytes, limits)
  if (limits.frames > 0) {
    const jpegs = await takeFrames(track, film.durationS, { countMax: limits.frames, limits })
    return { line: { frames: jpegs.map(({ length }) => length) }, bytes: Buffer.concat(jpegs) }
  }
  const bound = limits.binding === null ? null : bindingOf(limits.binding)
  const parts = bound?.parts ?? []
  if (limits.isSeen) return { line: { film, binding: bound?.line ?? null }, bytes: Buffer.concat(parts) }
  const { thumbnail, width, height } = await makeThumbnail(track, film.durationS, limits)
  const { jpeg, ...size } = thumbnail
  const line = {
    film: { ...film, width, height },
    thumbnail: { ...size, sizeBytes: jpeg.length },
    binding: bound?.line ?? null,
  }
  return { line, bytes: Buffer.concat([jpeg, ...parts]) }
}, 'The film could not be decoded within the limits.')

function bindingOf(request: NonNullable<FilmJob['binding']>) {
  const { hash, embed, manifests } = bindFilm(bytes, request)
  const line = {
    hash: Buffer.from(hash).toString('hex'),
    embed: embed && { edits: embed.edits, isLabelled: embed.isLabelled },
    manifestsBytes: manifests?.length ?? 0,
  }
  return { line, parts: [embed?.content ?? new Uint8Array(), manifests ?? new Uint8Array()] }
}
