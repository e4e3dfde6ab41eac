/** Runs the worker's steps in a test that starts no worker loop. */
import type { App } from '../src/app.ts'
import { workOnce } from '../src/worker.ts'

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

/** Runs due steps until the condition holds. @throws Error when no step was due for `patienceMs` and no film is being made */
export async function workUntil(
  app: App,
  options: {
    condition: () => Promise<boolean>
    wakes: Wakes
    /** Films are rendered one after another, also those of earlier files; meanwhile polls of a video are up to 60 s apart. */
    isFilmOpen: () => Promise<boolean>
    patienceMs: number
  },
): Promise<void> {
  const { condition, wakes, isFilmOpen, patienceMs } = options
  let lastChangeMs = Date.now()
  for (;;) {
    const woken = wakes.next()
    if (await condition()) return
    if ((await workOnce(app)) > 0) {
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
