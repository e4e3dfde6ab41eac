/** What the child does with a film for those who look at pictures alone: pictures of it at intervals. */
import type { Inspect } from '../job.ts'
import type { FramesJob } from './film.ts'
import { takeFrames } from './frames.ts'
import { probeFilm } from './probe.ts'

export const damaged = 'The film could not be decoded within the limits.'

export const inspect: Inspect<FramesJob> = async (job, file) => {
  const { film, track } = await probeFilm(file, job)
  const jpegs = await takeFrames(track, film.durationS, { countMax: job.countMax, limits: job })
  return { line: { frames: jpegs.map(({ length }) => length) }, bytes: Buffer.concat(jpegs) }
}
