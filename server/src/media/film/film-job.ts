/** What the child does with one film: facts, one decoded frame, thumbnail, how its bytes are bound to a manifest. */
import type { Inspect } from '../job.ts'
import { bindFilm, boundParts } from './binding.ts'
import type { FilmJob } from './film.ts'
import { probeFilm } from './probe.ts'
import { makeThumbnail } from './thumbnail.ts'

export const damaged = 'The film could not be decoded within the limits.'

export const inspect: Inspect<FilmJob> = async (job, file) => {
  const { film, track } = await probeFilm(file, job)
  const bound = job.binding && boundParts(bindFilm(file, job.binding))
  const { thumbnail, width, height } = await makeThumbnail(track, film.durationS, job)
  const { jpeg, ...size } = thumbnail
  const line = {
    film: { ...film, width, height },
    thumbnail: { ...size, sizeBytes: jpeg.length },
    binding: bound?.line ?? null,
  }
  return { line, bytes: Buffer.concat([jpeg, ...(bound?.parts ?? [])]) }
}
