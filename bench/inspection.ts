/** What it costs to inspect the films of a busy service, of which each user has several. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Bench, runInProcess } from './environment.ts'
import { makeFilm } from './film.ts'
import type { InspectionResult, Job } from './inspection-process.ts'
import { type Line, median } from './table.ts'

const LIMIT_MS = 120

export async function inspection({ environment, runs }: Bench): Promise<Line[]> {
  const folder = environment.env.DATA_DIR ?? ''
  const file = path.join(folder, 'film.mp4')
  const film = await makeFilm()
  writeFileSync(file, film)
  const env = { ...process.env, KINORA_MEDIA_DIR: path.resolve(import.meta.dirname, '../server/dist/media') }
  const measure = async (isWarm: boolean) => {
    const results: InspectionResult[] = []
    for (let i = 0; i < runs; i += 1) {
      results.push(await runInProcess<Job, InspectionResult>('inspection-process.ts', { folder, file, isWarm }, env))
    }
    return results.map(({ cpuMs }) => cpuMs)
  }
  const [warm, cold] = [await measure(true), await measure(false)]
  const noteOf = (all: number[][]) => `${Math.round(meanOf(all.flat()))} ms in the mean.`
  return [
    {
      what: 'inspection of a film, processor time of the server and its children',
      unit: 'ms',
      runs: warm.map(median),
      limit: LIMIT_MS,
      note: `${noteOf(warm)} 5 users with 20 films each, who take turns; 5 s of 720p, ${(film.length / 1e6).toFixed(1)} MB.`,
    },
    {
      what: 'the same with a child for each film',
      unit: 'ms',
      runs: cold.map(median),
      note: noteOf(cold),
      figures: { inspectionUs: meanOf(cold.flat()) * 1000 },
    },
  ]
}

const meanOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
