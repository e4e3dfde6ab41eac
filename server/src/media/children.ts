/**
 * Whose files a child gets: those of one user, up to 20, as long as none of them fails. A start takes most of the
 * processor time of an inspection, so a child stays for the next file of its user for a minute.
 *
 * Invariant: a child that has had a file of one user never gets one of another. One that refuses a file, or fails, is
 * killed.
 */
import { open } from 'node:fs/promises'
import type { Semaphore } from '../async/semaphore.ts'
import { type Child, canSendFiles, type Job, type JobKind, startChild } from './child-process.ts'
import { sandboxLayers } from './sandbox/sandbox.ts'

/** `accept` reads the reply, and throws MediaRefused for one that no acceptable file could produce. */
export type Inspection<Limits, Result> = Omit<Job, 'files' | 'limits'> & {
  kind: JobKind
  limits: Limits & Job['limits']
  semaphore: Semaphore
  accept: (reply: Buffer, sizeBytes: number) => Result | Promise<Result>
}

/** `key`: what a child was started for: user, kind, and the limits that the kernel enforces. */
type Idle = { key: string; child: Child; jobs: number; timer: NodeJS.Timeout }

const JOBS_MAX = 20
const IDLE_MS = 60_000
/** Children that wait for a file take 55 to 110 MB each. */
const IDLE_MAX = 6

/** The least recently used first. */
let idle: Idle[] = []

/**
 * Inspects a file in a child that has had no other user's. A null user's has had no other file.
 * @throws MediaRefused when the file is at fault; QueueFullError; the signal's reason; an ordinary Error for a failure
 * of the server
 */
export async function inspectFile<Limits, Result extends object>(
  file: string,
  userId: string | null,
  { kind, semaphore, accept, ...job }: Inspection<Limits, Result>,
): Promise<Result> {
  const release = await semaphore.acquire(userId, job.signal)
  try {
    await using handle = await open(file, 'r')
    const key = userId === null || !canSendFiles() ? null : keyOf(userId, kind, job.limits)
    const attempt = async ({ child, jobs }: Pick<Idle, 'child' | 'jobs'>) => {
      try {
        await job.output?.handle.truncate(0)
        const result = await accept(await child.run({ ...job, files: [handle] }), (await handle.stat()).size)
        if (key !== null && jobs + 1 < JOBS_MAX && (await child.isFit())) keep({ key, child, jobs: jobs + 1 })
        else await child.end()
        return result
      } catch (error) {
        await child.end()
        throw error
      }
    }
    const used = takeIdle(key)
    if (used) {
      // Only a child that has had no other file says that a file is at fault: an earlier one may have damaged this.
      const result = await attempt(used).catch(() => null)
      if (result !== null) return result
      job.signal?.throwIfAborted()
    }
    const layers = await sandboxLayers()
    const fresh = startChild({ kind, limits: job.limits, layers, isReused: key !== null, files: [handle] })
    return await attempt({ child: fresh, jobs: 0 })
  } finally {
    release()
  }
}

/** At shutdown: one that a file has taken over does not end when the server does. */
export async function endIdleChildren(): Promise<void> {
  await Promise.all(idle.map(discard))
}

function takeIdle(key: string | null): Idle | undefined {
  const found = idle.findLast((each) => each.key === key)
  if (found) forget(found)
  return found
}

const keyOf = (userId: string, kind: JobKind, { memoryMaxBytes, cpuMaxS }: Job['limits']): string =>
  JSON.stringify([userId, kind, memoryMaxBytes, cpuMaxS])

function keep(kept: Omit<Idle, 'timer'>): void {
  const entry = { ...kept, timer: setTimeout(() => discard(entry), IDLE_MS).unref() }
  idle.push(entry)
  // It may end by itself, or be killed for what it writes.
  void kept.child.ended.then(() => forget(entry))
  const [oldest] = idle
  if (oldest && idle.length > IDLE_MAX) void discard(oldest)
}

function forget(entry: Idle): void {
  clearTimeout(entry.timer)
  idle = idle.filter((each) => each !== entry)
}

async function discard(entry: Idle): Promise<void> {
  forget(entry)
  await entry.child.end()
}
