/** What the child does with the takes of a cut: it sends the film that it makes of them. */
import 'node-webcodecs/register'
import { Logging, LogLevel } from 'mediabunny'
import type { Inspect } from '../job.ts'
import { makeCut } from './assemble.ts'
import type { CutJob } from './cut.ts'
import { commonestRate } from './rate.ts'

export const damaged = 'The cut could not be made of these films.'

Logging.level = LogLevel.Silent

export const inspect: Inspect<CutJob> = async (job, { sendPiece, sendProgress }, files) => ({
  line: {
    cut: await makeCut(files, { ...job, fps: job.fps ?? (await commonestRate(files, job)), sendPiece, sendProgress }),
  },
})
