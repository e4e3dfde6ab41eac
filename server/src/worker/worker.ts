/**
 * The worker: claims videos that are due, runs one step for each, and leaves the outcome to the step. Any number of
 * workers may run. A claim is a lease that is renewed while its step runs; when a worker dies its leases end and other
 * workers claim the rows.
 */

import { sweepAuthority } from '../account/team/authority.ts'
import { eraseDeletedAccounts, eraseSubjects } from '../account-data/erase.ts'
import { askBalances } from '../admin/balances.ts'
import { sumFilms } from '../admin/film-sums.ts'
import { mailIncidents } from '../admin/incidents.ts'
import type { App } from '../app.ts'
import { sweepAssets } from '../asset/asset.ts'
import { sweepUploads } from '../asset/upload.ts'
import { sleepUnless, withTimeout } from '../async/timer.ts'
import { compare } from '../catalogue/compare.ts'
import { expireDue } from '../credit/ledger.ts'
import { notifyExpiring, notifySpending } from '../credit/notices.ts'
import { openClockGuard } from '../db/clock.ts'
import type { Status } from '../film/fields.ts'
import { dispatchMail, expireMail } from '../mail/dispatcher.ts'
import { openBilling } from '../payment/billing.ts'
import { retries } from '../payment/events.ts'
import { reconcile } from '../payment/reconcile.ts'
import { sendRefunds } from '../payment/refund.ts'
import { topUps } from '../payment/top-up.ts'
import { dispatchLoop, dispatchOnce, type Signals } from '../process/dispatch-loop.ts'
import { removeStaleTemporaryFiles } from '../storage/temporary-files.ts'
import { type Claim, claim, claimRoundRobin, nextBucket } from '../video/claim.ts'
import { sweepFilms, sweepOrphans } from '../video/film-files.ts'
import { checkSigner, signDue } from '../video/film-provenance.ts'
import { runStep } from '../video/lifecycle.ts'
import { idsOf, renewLease, returnLease } from '../video/outcome.ts'
import { applyTakedowns } from '../video/takedown.ts'
import type { ClaimedVideo } from '../video/transitions.ts'
import type { WebhookFormats } from '../webhook/attempt.ts'
import { dispatchWebhooks } from '../webhook/dispatcher.ts'
import { openDuePoll, type Wakers } from './due-poll.ts'
import { sweepOldRows } from './retention.ts'

const RENEW_EVERY_MS = 20_000
const AFTER_ERROR_MS = 1000
const SWEEP_EVERY_MS = 60_000
const HOURLY_MS = 3600_000
/** Graceful shutdown: running steps get this long to finish, then this long to react to their abort signal. */
const FINISH_MS = 6_000
const ABORT_MS = 1_500
const RETURN_LEASE_MS = 500

/**
 * Steps of some statuses under a concurrency limit of their own: large downloads must not keep short steps waiting.
 * `perUserMax`: steps of one user at a time, so that a user's long steps leave room for others; null: any number.
 */
type StepPool = {
  name: string
  statuses: Status[]
  concurrency: number
  perUserMax: number | null
  /** The part of the backlog, 0 to 63, from which the next claim takes; null: the last claim found no backlog. */
  bucket: number | null
  running: Map<ClaimedStep, Promise<void>>
}
/** The loops whose work is made due by steps, requests and callbacks. */
const WOKEN = ['provider steps', 'collect steps', 'payment events']
type ClaimedStep = { video: ClaimedVideo; lease: string; abort: AbortController }

/** What the loops of a worker share. `run`: what is run for a claimed video. */
type Loops = { app: App; run: typeof runStep; isClockRight: () => Promise<boolean>; signals: Signals }

export type Worker = { stop: () => Promise<void> }
type WorkerOptions = { run?: typeof runStep; dispatch?: typeof dispatchWebhooks; formats?: WebhookFormats }

/**
 * @param run what is run for a claimed video; the bench replaces the steps that need storage
 * @param dispatch what sends webhooks; the simulation, whose users have none, leaves it out
 * @param formats the webhooks of other services' formats
 */
export function startWorker(
  app: App,
  { run = runStep, dispatch = dispatchWebhooks, formats = {} }: WorkerOptions = {},
): Worker {
  const { workerConcurrency } = app.config
  const collectConcurrency = Math.max(2, Math.ceil(workerConcurrency / 8))
  const pools: StepPool[] = [
    {
      name: 'provider steps',
      statuses: ['PENDING', 'GENERATING'],
      concurrency: workerConcurrency,
      perUserMax: null,
      // It begins as if there were a backlog: workers that start together, after an outage, do not read the same rows.
      bucket: nextBucket(null, true),
      running: new Map(),
    },
    {
      name: 'collect steps',
      statuses: ['UPLOADING'],
      concurrency: collectConcurrency,
      // A download may take a quarter of an hour, so a quarter of the pool is never one user's.
      perUserMax: collectConcurrency - Math.ceil(collectConcurrency / 4),
      bucket: null,
      running: new Map(),
    },
  ]
  const stopping = new AbortController()
  const aborting = new AbortController()
  const isClockRight = openClockGuard(app, app.database.clock)
  const wakers: Wakers = new Map()
  // What this process makes due is claimed at once.
  app.wake = () => {
    for (const name of WOKEN) wakers.get(name)?.()
  }
  const duePoll = openDuePoll(app, wakers)
  const renewal = setInterval(() => renewLeases(app, pools), RENEW_EVERY_MS)
  const signals = { stopping: stopping.signal, aborting: aborting.signal, wakers }
  const shared: Loops = { app, run, isClockRight, signals }
  const loops = [
    ...pools.map((pool) => runPool(shared, pool)),
    sweep(shared),
    signFilms(shared),
    ...(app.config.reconcile.intervalS === null
      ? []
      : [apart(shared, 'payments could not be reconciled', (signal) => reconcile(app, { due: true, signal }))]),
    apart(shared, 'open refunds could not be sent again', () => sendRefunds(app)),
    apart(shared, 'balances at providers could not be read', (signal) => askBalances(app, signal)),
    apart(shared, 'the catalogue could not be compared', (signal) => compare(app, { signal })),
    apart(shared, 'automatic top-ups could not be claimed', (signal) => chargeTopUps(app, signal)),
    dispatch(app, isClockRight, signals, formats),
    dispatchMail(app, isClockRight, signals),
    dispatchLoop(app, isClockRight, signals, retries(app)),
  ]
  return {
    stop: async () => {
      stopping.abort()
      const drained = Promise.all(loops)
      await withTimeout(drained, FINISH_MS, () => undefined)
      aborting.abort()
      for (const step of runningSteps(pools)) step.abort.abort()
      await withTimeout(drained, ABORT_MS, () => undefined)
      // A step that does not react to its signal, such as a large upload, loses its lease: another worker can start at
      // once.
      const rest = runningSteps(pools).map((step) => returnLease(app, step).catch(() => undefined))
      await withTimeout(Promise.all(rest), RETURN_LEASE_MS, () => undefined)
      clearInterval(renewal)
      duePoll.close()
      app.wake = () => {}
    },
  }
}

/** Claims what is due now and runs its steps, once. Returns the number of videos. For tests and tools. */
export async function workOnce(app: App, statuses: Status[] = ['PENDING', 'GENERATING', 'UPLOADING']): Promise<number> {
  const { lease, videos } = await claim(app, statuses, 100)
  const { signal } = new AbortController()
  await Promise.all(
    videos.map((video) =>
      runStep(app, { video, lease, signal }).catch((err: unknown) =>
        app.log.error({ err, ...idsOf(app, video) }, 'a step could not be finished'),
      ),
    ),
  )
  return videos.length
}

const runPool = ({ app, run, isClockRight, signals }: Loops, pool: StepPool): Promise<void> =>
  dispatchLoop<ClaimedStep>(app, isClockRight, signals, {
    name: pool.name,
    max: pool.concurrency,
    running: pool.running,
    claim: (free) => claimSteps(app, pool, free),
    describe: ({ video }) => ({ ...idsOf(app, video), status: video.status }),
    // An outcome is either recorded or it is not; without one the row becomes due again when its lease ends.
    serve: ({ video, lease, abort }) => run(app, { video, lease, signal: abort.signal }),
  })

async function claimSteps(app: App, pool: StepPool, count: number): Promise<ClaimedStep[]> {
  const { statuses, perUserMax } = pool
  const [status] = statuses
  const claimed =
    perUserMax === null || !status
      ? await claimOldest(app, pool, count)
      : await claimRoundRobin(app, {
          status,
          count,
          perUserMax,
          running: runningSteps([pool]).map(({ video }) => video),
        })
  return claimed.videos.map((video) => ({ video, lease: claimed.lease, abort: new AbortController() }))
}

async function claimOldest(app: App, pool: StepPool, count: number): Promise<Claim> {
  const claimed = await claim(app, pool.statuses, count, pool.bucket)
  pool.bucket = nextBucket(pool.bucket, claimed.videos.length === count)
  return claimed
}

/** Renews the leases of running steps and aborts a step whose lease has passed on. */
function renewLeases(app: App, pools: StepPool[]): void {
  for (const step of runningSteps(pools)) {
    renewLease(app, step).then(
      (hasLease) => hasLease || step.abort.abort(),
      (err: unknown) => app.log.warn({ err, ...idsOf(app, step.video) }, 'a lease could not be renewed'),
    )
  }
}

/**
 * The periodic sweep. Every minute: credits of inactive users that expired, assets without a name or a video, uploads
 * that were given up, takedowns that were not applied, files that no video was completed with, mail that is out of
 * date, films that retention does not keep, what members of teams may give no longer, data of deleted accounts, the
 * sums behind reports, mail of incidents. Every hour: the certificate that signs films, notices of credits that are
 * about to expire, old rows, and temporary files that crashed processes left. One task that fails does not keep the
 * others from running.
 */
async function sweep({ app, isClockRight, signals: { stopping } }: Loops): Promise<void> {
  const repeat = (task: (app: App) => Promise<number>) => async () => {
    while ((await task(app)) > 0 && !stopping.aborted);
  }
  const everyMinute = [
    repeat(expireDue),
    repeat((each) => sweepAssets(each)),
    repeat((each) => sweepUploads(each)),
    () => applyTakedowns(app),
    repeat(sweepOrphans),
    repeat(expireMail),
    () => sweepFilms(app, stopping),
    () => sweepAuthority(app),
    () => eraseDeletedAccounts(app, stopping),
    () => eraseSubjects(app, stopping),
    () => sumFilms(app, stopping),
    () => notifySpending(app, stopping),
    () => mailIncidents(app, stopping),
  ]
  const everyHour = [
    () => checkSigner(app),
    () => notifyExpiring(app, stopping),
    () => sweepOldRows(app, { signal: stopping }),
    () => removeStaleTemporaryFiles(app.config.dataDir),
  ]
  let nextHourlyMs = 0
  while (!stopping.aborted) {
    if (!(await isClockRight().catch(() => false))) {
      await sleepUnless(stopping, AFTER_ERROR_MS)
      continue
    }
    const isHourly = Date.now() >= nextHourlyMs
    if (isHourly) nextHourlyMs = Date.now() + HOURLY_MS
    for (const task of isHourly ? [...everyMinute, ...everyHour] : everyMinute) {
      if (stopping.aborted) return
      await task().catch((err: unknown) => app.log.warn({ err }, 'a sweep could not be finished; it runs again'))
    }
    await sleepUnless(stopping, SWEEP_EVERY_MS)
  }
}

/** Runs apart from the sweep, which films of years that are due at once would keep from its other tasks. */
async function signFilms({ app, isClockRight, signals: { stopping } }: Loops): Promise<void> {
  while (!stopping.aborted) {
    const isRight = await isClockRight().catch(() => false)
    const signed = isRight
      ? await signDue(app).catch((err: unknown) => {
          app.log.warn({ err }, 'films that are due could not be signed; the next run tries again')
          return 0
        })
      : 0
    if (signed === 0) await sleepUnless(stopping, SWEEP_EVERY_MS)
  }
}

/**
 * Runs a task every minute apart from the sweep, because those outside may take minutes or hang. The database decides
 * what is due.
 */
async function apart(
  { app, isClockRight, signals: { stopping } }: Loops,
  failure: string,
  task: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  while (!stopping.aborted) {
    if (await isClockRight().catch(() => false)) {
      await task(stopping).catch((err: unknown) => {
        if (!stopping.aborted) app.log.warn({ err }, `${failure}; the next run tries again`)
      })
    }
    await sleepUnless(stopping, SWEEP_EVERY_MS)
  }
}

/** Charges while charges are due. */
async function chargeTopUps(app: App, signal: AbortSignal): Promise<void> {
  const billing = openBilling(app)
  try {
    if (billing.offSession === null) return
    const dispatcher = topUps(app, billing)
    while ((await dispatchOnce(dispatcher, dispatcher.max)) > 0 && !signal.aborted);
  } finally {
    await billing.close()
  }
}

const runningSteps = (pools: StepPool[]): ClaimedStep[] => pools.flatMap((pool) => [...pool.running.keys()])
