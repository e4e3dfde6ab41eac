/**
 * Sends deliveries: claims endpoints that are due, each under a lease, and serves every one by itself, so that an
 * endpoint that hangs holds up its own deliveries only. No transaction is open while it sends. A crash between an
 * attempt and its record repeats the attempt with the same webhook-id: at-least-once.
 */

import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import { claimInParts, type Lease } from '../db/claim.ts'
import type { Sql } from '../db/db.ts'
import { type Dispatcher, dispatchLoop, dispatchOnce, type Signals } from '../process/dispatch-loop.ts'
import { type Attempt, attempt, type Delivery, type Sending, unsigned, type WebhookFormats } from './attempt.ts'
import { DISABLE_AFTER_DAYS, pauseUntil } from './schedule.ts'
import { unsealSecret } from './secret.ts'

/** Endpoints that one worker serves at a time, and how many of them may be failing. */
const ENDPOINTS_MAX = 256
const FAILING_MAX = 128
/** Requests to one endpoint at a time. */
const CONCURRENCY = 16
/** Deliveries of one claim; an endpoint that fails is tried with one. */
const BATCH = 128
const LEASE_MS = 60_000
/** No request starts later after the claim began, so that the last one ends within the lease. */
const SEND_MS = 25_000
/** Attempts that are recorded together while others are sent. */
const RECORD_AFTER = 32
/** Age of the latest proof of the lease up to which requests start: an ended endpoint gets none a second later. */
const CONFIRMED_MAX_MS = 800

type Endpoint = {
  userId: string
  id: string
  url: string
  isRegistered: boolean
  secret: Buffer | null
  previousSecret: Buffer | null
  /** The secrets before the previous one, newest first, that still sign. */
  earlierSecrets: Buffer[]
  hasOwnSecret: boolean
  failures: number
}

/** `sendUntilMs`: by `performance.now()`. */
type Claimed = Endpoint & { lease: string; sendUntilMs: number; deliveries: Delivery[] }

/** Serves endpoints until `stopping` aborts, and then gives what is being sent the time until `aborting`. */
export const dispatchWebhooks = (
  app: App,
  isClockRight: () => Promise<boolean>,
  signals: Signals,
  formats: WebhookFormats,
): Promise<void> => dispatchLoop(app, isClockRight, signals, dispatcherOf(app, formats))

/** Sends what is due now, once, and returns the number of endpoints. For tests and tools. */
export const dispatchWebhooksOnce = (app: App, formats: WebhookFormats = {}): Promise<number> =>
  dispatchOnce(dispatcherOf(app, formats), ENDPOINTS_MAX)

const dispatcherOf = (app: App, formats: WebhookFormats): Dispatcher<Claimed> => ({
  name: 'webhooks',
  max: ENDPOINTS_MAX,
  claim: (free, running) => claim(app, free, Math.max(0, Math.min(free, FAILING_MAX - failingOf(running)))),
  describe: ({ id, userId }) => ({ endpoint: id, userId }),
  serve: (endpoint, signals) => serve(app, endpoint, signals, formats),
})

const failingOf = (endpoints: Iterable<Endpoint>): number =>
  [...endpoints].filter(({ failures }) => failures > 0).length

async function claim(app: App, limit: number, failingLimit: number): Promise<Claimed[]> {
  // The lease counts from here, and the claim itself may be slow.
  const sendUntilMs = performance.now() + SEND_MS
  const { jobs } = await claimInParts<Claimed>(
    app,
    app.database.parts(),
    { limit, leaseMs: LEASE_MS },
    async (sql, lease, missing, claimed) => {
      const failing = Math.max(0, failingLimit - failingOf(claimed))
      const endpoints = await claimEndpoints(sql, lease, missing, failing)
      const deliveries = await deliveriesOf(sql, endpoints, lease.now)
      return endpoints.map((endpoint, i) => ({
        ...endpoint,
        lease: lease.lease,
        sendUntilMs,
        deliveries: deliveries.get(i + 1) ?? [],
      }))
    },
  )
  return jobs
}

const claimEndpoints = async (sql: Sql, lease: Lease, limit: number, failingLimit: number): Promise<Endpoint[]> =>
  (await call(sql, 'webhook_claim', { limit, failingLimit, ...lease })) as Endpoint[]

/** The deliveries of each endpoint that are due, by its position, from 1. */
async function deliveriesOf(sql: Sql, endpoints: Endpoint[], now: Date): Promise<Map<number, Delivery[]>> {
  if (endpoints.length === 0) return new Map()
  const rows = await sql<(Delivery & { position: number })[]>`
    select c.position::integer as position, d.id, d.type, d.subject_id, coalesce(d.url, c.url) as url, d.body, d.format, d.attempt,
           d.type in ('video.completed', 'video.failed') and exists (
             select from kinora.video v where v.user_id = c.user_id and v.id = d.subject_id and v.is_replayable
           ) as has_new_end
    from unnest(
      ${endpoints.map(({ userId }) => userId)}::uuid[], ${endpoints.map(({ id }) => id)}::uuid[],
      ${endpoints.map(({ url }) => url)}::text[],
      ${endpoints.map(({ failures }) => (failures > 0 ? 1 : BATCH))}::integer[]
    ) with ordinality c (user_id, id, url, count, position)
    cross join lateral (
      select w.id, w.type, w.subject_id, w.url, w.body, w.format, w.attempt, w.due_at
      from kinora.webhook_delivery w
      where w.user_id = c.user_id and w.endpoint_id = c.id and w.due_at <= ${now}
      order by w.due_at, w.id
      limit c.count
    ) d
    order by c.position, d.due_at, d.id
  `
  return Map.groupBy(rows, ({ position }) => position)
}

/**
 * Sends the deliveries of one endpoint, those of one video one after another, and ends its lease.
 * @throws the error of an attempt or of its record, when all requests under way have ended: no other one is begun after
 * it
 */
async function serve(
  app: App,
  endpoint: Claimed,
  { stopping, aborting }: Signals,
  formats: WebhookFormats,
): Promise<void> {
  const secrets = secretsOf(app, endpoint)
  const queues = [...Map.groupBy(endpoint.deliveries, ({ id, subjectId }) => subjectId ?? id).values()]
  const attempts: Attempt[] = []
  let unrecorded: Attempt[] = []
  /** The endpoint wants no more of this claim, or another worker has it. */
  let isEnded = false
  const isOver = () => isEnded || stopping.aborted || performance.now() > endpoint.sendUntilMs
  let confirmedMs = endpoint.sendUntilMs - SEND_MS
  let recording: Promise<void> | null = null
  const recordSent = async () => {
    const startMs = performance.now()
    const recorded = unrecorded
    unrecorded = []
    if (await record(app, endpoint, recorded)) confirmedMs = startMs
    else isEnded = true
  }
  const sendNext = async () => {
    for (let queue = queues.shift(); queue; queue = queues.shift()) {
      for (const delivery of queue) {
        if (unrecorded.length >= RECORD_AFTER || performance.now() - confirmedMs > CONFIRMED_MAX_MS) {
          recording ??= recordSent().finally(() => {
            recording = null
          })
          await recording
        }
        if (isOver()) return
        const sent = secrets
          ? await attemptUnlessAborted(app, { userId: endpoint.userId, delivery, secrets, formats, signal: aborting })
          : unsigned(app, delivery)
        if (!sent) return
        if (sent.row.state === 'delivered' && delivery.hasNewEnd && delivery.subjectId)
          await noteEndRead(app, endpoint.userId, delivery.subjectId)
        attempts.push(sent)
        isEnded ||= sent.isGone || sent.isOverloaded
        unrecorded.push(sent)
      }
    }
  }
  const sendUntilFailure = async () => {
    try {
      await sendNext()
    } catch (error) {
      isEnded = true
      throw error
    }
  }
  const sent = await Promise.allSettled(Array.from({ length: Math.min(CONCURRENCY, queues.length) }, sendUntilFailure))
  const failure = sent.find((each) => each.status === 'rejected')
  if (!failure) return finish(app, endpoint, attempts, unrecorded)
  // The lease stays: its end is the pause before what was not recorded is sent again.
  if (unrecorded.length > 0) await record(app, endpoint, unrecorded)
  throw failure.reason
}

const noteEndRead = ({ sql }: App, userId: string, videoId: string) =>
  call(sql, 'video_note_ends_read', { userId, ids: [videoId], ofAll: true })

/** null: aborted, so that the outcome is unknown, and the delivery stays due. */
async function attemptUnlessAborted(app: App, sending: Sending): Promise<Attempt | null> {
  try {
    return await attempt(app, sending)
  } catch (error) {
    if (sending.signal.aborted) return null
    throw error
  }
}

function secretsOf({ config }: App, endpoint: Claimed): Buffer[] | null {
  const owner = { userId: endpoint.userId, endpointId: endpoint.hasOwnSecret ? endpoint.id : null }
  const [newest, ...older] = [endpoint.secret, endpoint.previousSecret, ...endpoint.earlierSecrets].map(
    (sealed) => sealed && unsealSecret(config, owner, sealed),
  )
  return newest ? [newest, ...older.filter((secret) => secret !== null)] : null
}

/** @returns false when the lease has passed on to another worker: nothing is recorded */
async function record({ sql }: App, { userId, id, lease }: Claimed, attempts: Attempt[]): Promise<boolean> {
  const isRecorded = await call(sql, 'webhook_record', { userId, endpointId: id, lease, attempts: rowsOf(attempts) })
  return isRecorded === true
}

async function finish(app: App, endpoint: Claimed, attempts: Attempt[], unrecorded: Attempt[]): Promise<void> {
  const now = app.now()
  const hasSuccess = attempts.some(({ row }) => row.state === 'delivered')
  const overloaded = attempts.filter(({ isOverloaded }) => isOverloaded)
  const retryAfterS = Math.max(0, ...overloaded.map((each) => each.retryAfterS ?? 0)) || null
  const pause = overloaded.length > 0 ? pauseUntil(now, (hasSuccess ? 0 : endpoint.failures) + 1, retryAfterS) : null
  const outcome = await call(app.sql, 'webhook_finish', {
    userId: endpoint.userId,
    endpointId: endpoint.id,
    lease: endpoint.lease,
    attempts: rowsOf(unrecorded),
    hasSuccess,
    hasFailure: attempts.some((each) => each.row.state !== 'delivered'),
    isGone: attempts.some(({ isGone }) => isGone),
    pauseUntil: pause,
    disableAfter: `${DISABLE_AFTER_DAYS} days`,
    now,
  })
  if (outcome === 'disabled')
    app.log.info({ endpoint: endpoint.id, userId: endpoint.userId }, 'a webhook endpoint was disabled')
}

const rowsOf = (attempts: Attempt[]) => attempts.map(({ row }) => row)
