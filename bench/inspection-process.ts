/**
 * A process that inspects films as a worker does, in the sandbox of this machine: 20 of each of five users, who take
 * turns. After each film it reads the processor time of itself and of all that it has started.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { inspectFilm } from '../server/src/media/film/inspect.ts'
import { openSandbox } from '../server/src/media/sandbox/sandbox.ts'
import { cpuUsOf } from './environment.ts'

const OWNERS = 5
const FILMS_EACH = 20

/** `isWarm`: films of a user share a child; otherwise each has a child of its own. */
export type Job = { folder: string; file: string; isWarm: boolean }
/** Milliseconds of processor time, a film. */
export type InspectionResult = { cpuMs: number[] }

process.once('message', async ({ folder, file, isWarm }: Job) => {
  await openSandbox()
  const cpuMs: number[] = []
  let before = cpuMsOfAll()
  for (let n = 0; n < OWNERS * FILMS_EACH; n += 1) {
    await inspectFilm(file, {
      ...(isWarm && { userId: `owner ${n % OWNERS}` }),
      thumbnailFile: path.join(folder, 'thumbnail.jpg'),
      binding: { boxBytes: 20_000, aigc: null },
    })
    const after = cpuMsOfAll()
    cpuMs.push(after - before)
    before = after
  }
  process.send?.({ cpuMs } satisfies InspectionResult)
})

/** What has ended is counted by its parent, once that has waited for it. */
function cpuMsOfAll(): number {
  const { user, system } = process.cpuUsage()
  return (
    (user + system + endedUsOf(process.pid) + childrenOf(process.pid).reduce((sum, pid) => sum + treeUsOf(pid), 0)) /
    1000
  )
}

const treeUsOf = (pid: number): number =>
  cpuUsOf(pid) + endedUsOf(pid) + childrenOf(pid).reduce((sum, child) => sum + treeUsOf(child), 0)

function endedUsOf(pid: number): number {
  const [user, system] = readOf(pid, 'stat').split(') ').at(-1)?.split(' ').slice(13, 15) ?? []
  return (Number(user ?? 0) + Number(system ?? 0)) * 10_000
}

const childrenOf = (pid: number): number[] => readOf(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)

/** Empty for a process that has just ended. */
function readOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}
