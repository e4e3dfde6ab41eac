/** The pictures a second of a cut whose recipe names none. It runs in the child process only. */
import type { FilmBytes } from '../film/structure.ts'
import { CUT_FRAME_RATE_MAX, type CutJob } from './cut.ts'
import { openTake } from './take.ts'

/** Rates that films have; a measured one is the nearest of them. */
const RATES = [12, 15, 24000 / 1001, 24, 25, 30000 / 1001, 30, 48, 50, 60000 / 1001, 60]
/** Enough to tell 24 from 23.976 pictures a second, in films of some seconds. */
const PACKETS_MEASURED = 240

/** The rate that most of the cut's time has in its takes. @throws MediaRefused */
export async function commonestRate(files: FilmBytes[], job: CutJob): Promise<number> {
  const msByRate = new Map<number, number>()
  for (const [number, shots] of Map.groupBy(job.shots, ({ file }) => file)) {
    const bytes = files[number]
    if (!bytes) throw new Error('A cut names a file that it does not have.')
    const { video } = await openTake(bytes, job)
    using _ = video.input
    const rate = standardRate((await video.computePacketStats(PACKETS_MEASURED)).averagePacketRate)
    const ms = shots.reduce((sum, { inMs, outMs }) => sum + outMs - inMs, 0)
    msByRate.set(rate, (msByRate.get(rate) ?? 0) + ms)
  }
  const [[rate] = [CUT_FRAME_RATE_MAX]] = [...msByRate].sort(([, a], [, b]) => b - a)
  return rate
}

function standardRate(measured: number): number {
  const differenceTo = (rate: number) => Math.abs(measured - rate)
  const nearest = RATES.reduce((best, rate) => (differenceTo(rate) < differenceTo(best) ? rate : best))
  return Math.min(nearest, CUT_FRAME_RATE_MAX)
}
