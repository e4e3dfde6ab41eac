/**
 * A process that inspects films as a worker does, in the sandbox of this machine: 20 of each of five users, who take
 * turns. After each film it reads the processor time of itself and of all that it has started.
 */
import path from 'node:path'
import { inspectFilm } from '../server/src/media/film/inspect.ts'
import { openSandbox } from '../server/src/media/sandbox/sandbox.ts'
import { treeUsOf } from './environment.ts'

const OWNERS = 5
const FILMS_EACH = 20

/** `isWarm`: films of a user share a child; otherwise each has a child of its own. */
export type Job = { folder: string; file: string; isWarm: boolean }
/** Milliseconds of processor time, a film. */
export type InspectionResult = { cpuMs: number[] }

process.once('message', async ({ folder, file, isWarm }: Job) => {
  await openSandbox()
  const cpuMs: number[] = []
  let before = treeUsOf(process.pid) / 1000
  for (let n = 0; n < OWNERS * FILMS_EACH; n += 1) {
    await inspectFilm(file, {
      ...(isWarm && { userId: `owner ${n % OWNERS}` }),
      thumbnailFile: path.join(folder, 'thumbnail.jpg'),
      binding: { boxBytes: 20_000, aigc: null },
    })
    const after = treeUsOf(process.pid) / 1000
    cpuMs.push(after - before)
    before = after
  }
  process.send?.({ cpuMs } satisfies InspectionResult)
})
