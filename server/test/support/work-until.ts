/** Runs the worker's steps in a test that starts no worker loop. */
import { randomUUID } from 'node:crypto'
import type { App } from '../../src/app.ts'
import { runStep } from '../../src/video/lifecycle.ts'
import { LEASE_MS } from '../../src/video/outcome.ts'
import { workOnce } from '../../src/worker/worker.ts'
import { videoClaim } from './video-calls.ts'

type Wakes = { next: () => Promise<void> }

/** `next` resolves when the worker is next woken: a video was created, or a callback has made one due. */
export function openWakes(app: App): Wakes {
  let woken = Promise.withResolvers<void>()
  const wakeWorker = app.wake
  app.wake = () => {
    wakeWorker()
    woken.resolve()
    woken = Promise.withResolvers()
  }
  return { next: () => woken.promise }
}

/** Steps that become due by time, which wake no worker, are polled for. More often costs more than it gains. */
const POLL_MS = 50

/** Runs the step of one video, if it is due. @returns 1 when it was */
export async function workOn(app: App, userId: string, videoId: string): Promise<number> {
  const [now, lease] = [app.now(), randomUUID()]
  const claim = { videos: [{ userId, id: videoId }], lease, leaseUntil: new Date(now.getTime() + LEASE_MS), now }
  const [video] = await videoClaim(app.sql, claim)
  if (!video) return 0
  // The same as in a worker: after an error the step runs again when its lease ends.
  await runStep(app, { video, lease, signal: new AbortController().signal }).catch((err) => app.log.error({ err }))
  return 1
}

/** Runs due steps until the condition holds. @throws Error when none was due for `patienceMs` and no film is made */
export async function workUntil(
  app: App,
  options: {
    condition: () => Promise<boolean>
    /** Runs what is due, once; returns how many steps that were. Default: the steps of all videos. */
    work?: () => Promise<number>
    wakes: Wakes
    /** Films are rendered one after another, also those of earlier files; polls are up to 60 s apart. */
    isFilmOpen: () => Promise<boolean>
    patienceMs: number
  },
): Promise<void> {
  const { condition, work = () => workOnce(app), wakes, isFilmOpen, patienceMs } = options
  let lastChangeMs = Date.now()
  for (;;) {
    const woken = wakes.next()
    if (await condition()) return
    if ((await work()) > 0) {
      lastChangeMs = Date.now()
      continue
    }
    if (Date.now() - lastChangeMs > patienceMs) {
      if (!(await isFilmOpen())) throw new Error('nothing was due any more, and the condition does not hold')
      lastChangeMs = Date.now()
    }
    const poll = Promise.withResolvers<void>()
    const timer = setTimeout(poll.resolve, POLL_MS)
    await Promise.race([woken, poll.promise])
    clearTimeout(timer)
  }
}
