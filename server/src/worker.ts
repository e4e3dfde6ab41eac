/**
 * The worker: claims videos that are due, does one step for each, and leaves the outcome to the step. Any number of them
 * may run. A row in hand is leased; while its step goes on the lease is renewed, and when the worker dies the lease ends
 * and somebody else takes the row.
 */
import { randomUUID } from 'node:crypto'
import type { App } from './app.ts'
import { expireDue, forgetKeys } from './credit/ledger.ts'
import { sweepImages } from './image/start-image.ts'
import { removeStaleTemporaryFiles } from './storage/temporary-files.ts'
import { step } from './video/lifecycle.ts'
import { type ClaimedVideo, handBack, keepLease, LEASE_MS } from './video/outcome.ts'

const RENEW_EVERY_MS = 20_000
/** How long a worker sleeps when nothing is due; videos made in this process wake it at once. */
const POLL_MS = 500
const CLAIM_PAUSE_MS = 10
const AFTER_ERROR_MS = 1000
const SWEEP_EVERY_MS = 60_000
/** At a stop, steps in hand get this long to finish, then this long to heed an interruption; then they are abandoned. */
const FINISH_MS = 6_000
const INTERRUPT_MS = 1_500
const HAND_BACK_MS = 500

/** Collecting has few places of its own, so that large films cannot keep short steps waiting. */
type Lane = { name: string; statuses: string[]; places: number; inHand: Set<Held> }

/** A claimed video and the way to interrupt the step at it. */
type Held = { video: ClaimedVideo; lease: string; interrupt: AbortController; done: Promise<void> }

export type Worker = { stop: () => Promise<void> }

/** @param doStep what is done for a claimed video; the bench leaves storage out of it */
export function startWorker(app: App, doStep = step): Worker {
  const { workerConcurrency } = app.config
  const lanes: Lane[] = [
    { name: 'talk', statuses: ['PENDING', 'GENERATING'], places: workerConcurrency, inHand: new Set() },
    {
      name: 'collect',
      statuses: ['UPLOADING'],
      places: Math.max(2, Math.ceil(workerConcurrency / 8)),
      inHand: new Set(),
    },
  ]
  const stopping = new AbortController()
  const wakers = new Set<() => void>()
  app.wake = () => {
    for (const wake of wakers) wake()
  }
  const renewing = setInterval(() => renew(app, lanes), RENEW_EVERY_MS)
  const running = [
    ...lanes.map((lane) => runLane(app, lane, doStep, stopping.signal, wakers)),
    sweep(app, stopping.signal),
  ]
  return {
    stop: async () => {
      stopping.abort()
      app.wake()
      const finished = Promise.all(running)
      await within(finished, FINISH_MS)
      for (const held of inHandOf(lanes)) held.interrupt.abort()
      await within(finished, INTERRUPT_MS)
      // What does not heed an interruption, such as a large upload, loses its lease: whoever is next begins it anew at once.
      const rest = inHandOf(lanes).map((held) => handBack(app, held).catch(() => undefined))
      await within(Promise.all(rest), HAND_BACK_MS)
      clearInterval(renewing)
      app.wake = () => {}
    },
  }
}

/** Claims and does what is due now, once; answers how many videos that were. For tests and tools. */
export async function workOnce(app: App, statuses = ['PENDING', 'GENERATING', 'UPLOADING']): Promise<number> {
  const { lease, videos } = await claim(app, statuses, 100)
  await Promise.all(videos.map((video) => hold(app, video, lease, step).done))
  return videos.length
}

async function runLane(
  app: App,
  lane: Lane,
  doStep: typeof step,
  stopping: AbortSignal,
  wakers: Set<() => void>,
): Promise<void> {
  const { inHand, places } = lane
  let woken = Promise.withResolvers<void>()
  const wake = () => woken.resolve()
  wakers.add(wake)
  while (!stopping.aborted) {
    woken = Promise.withResolvers<void>()
    const free = places - inHand.size
    const { lease, videos } = free > 0 ? await claimOrWait(app, lane, free, stopping) : { lease: '', videos: [] }
    for (const video of videos) {
      const held = hold(app, video, lease, doStep)
      inHand.add(held)
      held.done.then(() => {
        inHand.delete(held)
        // Claiming for every place that comes free would cost a query a step; so a claim waits for half of them, or
        // for a moment when the other half is slow.
        if (inHand.size <= places / 2) wake()
        else setTimeout(wake, CLAIM_PAUSE_MS)
      })
    }
    if (videos.length === free && free > 0) continue
    const timer = setTimeout(wake, POLL_MS)
    await woken.promise
    clearTimeout(timer)
  }
  wakers.delete(wake)
  await Promise.all([...inHand].map((held) => held.done))
}

/** Keeps the leases of steps that take long; a step whose lease has passed on is interrupted. */
function renew(app: App, lanes: Lane[]): void {
  for (const held of inHandOf(lanes)) {
    keepLease(app, held).then(
      (isHeld) => isHeld || held.interrupt.abort(),
      (err: unknown) => app.log.warn({ err, video: held.video.id }, 'a lease could not be renewed'),
    )
  }
}

async function claimOrWait(app: App, lane: Lane, free: number, stopping: AbortSignal) {
  try {
    return await claim(app, lane.statuses, free)
  } catch (err) {
    app.log.error({ err, lane: lane.name }, 'no videos could be claimed; trying again')
    await pause(AFTER_ERROR_MS, stopping)
    return { lease: '', videos: [] }
  }
}

/**
 * Two statements, so that it works on a sharded PostgreSQL too: a plain look at what is due, then a conditional update
 * that takes those rows which are still due. Sorted by id, because two workers that lock in the same order cannot
 * deadlock.
 */
async function claim(app: App, statuses: string[], count: number): Promise<{ lease: string; videos: ClaimedVideo[] }> {
  const { sql } = app
  const now = app.now()
  const lease = randomUUID()
  const due = await sql<{ userId: string; id: string }[]>`
    select oldest.user_id, oldest.id
    from unnest(${statuses}::text[]) as lane (status)
    cross join lateral (
      select v.user_id, v.id, v.due_at
      from kinora.video v
      where v.status = lane.status and v.due_at <= ${now}
      order by v.due_at
      limit ${count}
    ) oldest
    order by oldest.due_at
    limit ${count}
  `
  if (due.length === 0) return { lease, videos: [] }
  due.sort((a, b) => (a.id < b.id ? -1 : 1))
  const videos = await sql<ClaimedVideo[]>`
    select * from kinora.video_claim(
      ${due.map((row) => row.userId)}, ${due.map((row) => row.id)}, ${lease}, ${new Date(now.getTime() + LEASE_MS)}, ${now}
    )
  `
  return { lease, videos: [...videos] }
}

function hold(app: App, video: ClaimedVideo, lease: string, doStep: typeof step): Held {
  const interrupt = new AbortController()
  // The row is due again when its lease ends. Nothing is lost: an outcome is either recorded or it is not.
  const done = doStep(app, { video, lease, signal: interrupt.signal }).catch((err: unknown) =>
    app.log.error(
      { err, video: video.id, status: video.status },
      'a step could not be finished; it will be taken up again',
    ),
  )
  return { video, lease, interrupt, done }
}

/**
 * What nobody waits for: expiry of users who do not come by, start images that no video uses, old idempotency keys, and
 * what dead workers left.
 */
async function sweep(app: App, stopping: AbortSignal): Promise<void> {
  let nextForgetMs = 0
  while (!stopping.aborted) {
    try {
      while ((await expireDue(app)) > 0 && !stopping.aborted);
      while ((await sweepImages(app)) > 0 && !stopping.aborted);
      if (Date.now() >= nextForgetMs) {
        await forgetKeys(app)
        await removeStaleTemporaryFiles(app.config.dataDir)
        nextForgetMs = Date.now() + 3600_000
      }
    } catch (err) {
      app.log.warn({ err }, 'the sweep could not be finished; it comes again')
    }
    await pause(SWEEP_EVERY_MS, stopping)
  }
}

const inHandOf = (lanes: Lane[]): Held[] => lanes.flatMap((lane) => [...lane.inHand])

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', done)
    resolve()
  }
  const timer = setTimeout(done, ms)
  signal.addEventListener('abort', done)
  if (signal.aborted) done()
  return promise
}

/** Waits for it, but no longer than that. */
async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const enough = new AbortController()
  await Promise.race([work, pause(ms, enough.signal)])
  enough.abort()
}
