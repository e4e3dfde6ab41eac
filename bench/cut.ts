/** What it costs to render a minute of ten shots: encoded anew with a sound beside them, scaled, and copied. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { CutJob, CutResult } from './cut-process.ts'
import { type Bench, runInProcess } from './environment.ts'
import { FRAMES_PER_SECOND, makeFilm, SIZE } from './film.ts'
import { type Line, median } from './table.ts'

const SHOTS = 10
const SHOT_MS = 6000
/** Less than the length of the cut: it is rendered faster than it is seen. */
const LIMIT_S = 60
const MEMORY_LIMIT_MB = 600

/** The takes have 100 ms more at each end, so a shot that begins there begins between two key frames. */
export async function cut({ environment, runs }: Bench): Promise<Line[]> {
  const folder = environment.env.DATA_DIR ?? ''
  const take = path.join(folder, 'take.mp4')
  const sound = path.join(folder, 'sound.wav')
  writeFileSync(take, await makeFilm(SHOT_MS / 1000 + 0.5))
  writeFileSync(sound, noise((SHOTS * SHOT_MS) / 1000))
  const env = { ...process.env, KINORA_MEDIA_DIR: path.resolve(import.meta.dirname, '../server/dist/media') }
  const measure = async (size: typeof SIZE, beginMs: number) => {
    const shots = Array.from({ length: SHOTS }, () => ({ file: 0, inMs: beginMs, outMs: beginMs + SHOT_MS }))
    const beside = { file: 1, volume: 0.5, fadeInS: 1, fadeOutS: 1 }
    const recipe = { ...size, fps: FRAMES_PER_SECOND, fit: 'fit' as const, shots, sound: beside }
    const results: CutResult[] = []
    for (let i = 0; i < runs; i += 1) {
      const job = { recipe, files: [take, sound], outFile: path.join(folder, 'cut.mp4') }
      results.push(await runInProcess<CutJob, CutResult>('cut-process.ts', job, env))
    }
    return results
  }
  const [anew, larger, copied] = [
    await measure(SIZE, 125),
    await measure({ width: 1920, height: 1080 }, 125),
    await measure(SIZE, 0),
  ]
  const noteOf = (results: CutResult[]) =>
    `${median(results.map(({ wallS }) => wallS)).toFixed(1)} s, ${(median(results.map(({ sizeBytes }) => sizeBytes)) / 1e6).toFixed(1)} MB, ` +
    `${results.every((result) => result.copied) ? 'copied' : 'encoded anew'}.`
  const cpuOf = (results: CutResult[]) => results.map(({ cpuMs }) => cpuMs / 1000)
  const memoryOf = (results: CutResult[]) => results.map(({ peakBytes }) => peakBytes / 1e6)
  const lines = (what: string, results: CutResult[], limits: { cpuS?: number; memoryMb: number }): Line[] => [
    {
      ...{ what: `cut of a minute, ten shots, ${what}: processor time`, unit: 's', runs: cpuOf(results) },
      ...(limits.cpuS !== undefined && { limit: limits.cpuS }),
      note: noteOf(results),
    },
    { what: `${what}: memory of the process`, unit: 'MB', runs: memoryOf(results), limit: limits.memoryMb },
  ]
  return [
    ...lines('720p anew', anew, { cpuS: LIMIT_S, memoryMb: MEMORY_LIMIT_MB }),
    ...lines('720p to 1080p', larger, { memoryMb: MEMORY_LIMIT_MB }),
    ...lines('720p copied', copied, { memoryMb: MEMORY_LIMIT_MB }),
  ]
}

/** A WAV of 44.1 kHz, 16 bits, two channels. */
function noise(seconds: number): Buffer {
  const dataBytes = seconds * 44_100 * 4
  const file = Buffer.alloc(44 + dataBytes)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(36 + dataBytes, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  for (const [at, value] of [16, 0x2_0001, 44_100, 44_100 * 4, 0x10_0004].entries())
    file.writeUInt32LE(value, 16 + at * 4)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(dataBytes, 40)
  let value = 1
  for (let at = 44; at < file.length; at += 2) {
    value = (value * 1_103_515_245 + 12_345) & 0x7fff_ffff
    file.writeInt16LE(((value >> 16) & 0x3fff) - 0x2000, at)
  }
  return file
}
