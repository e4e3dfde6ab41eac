/** What the child does with a film that was inspected before: its facts, and how its bytes are bound to a manifest. */
import type { Inspect } from '../job.ts'
import { bindFilm, boundParts } from './binding.ts'
import type { FilmJob } from './film.ts'
import { probeFilm } from './probe.ts'

export const damaged = 'The film could not be decoded within the limits.'

export const inspect: Inspect<FilmJob> = async (job, file) => {
  const { film } = await probeFilm(file, job)
  const bound = job.binding && boundParts(bindFilm(file, job.binding))
  return { line: { film, binding: bound?.line ?? null }, bytes: Buffer.concat(bound?.parts ?? []) }
}
