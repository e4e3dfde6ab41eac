/** The claim of due videos by a worker: a lease on each row, for which the worker then runs a step. */

import type { App } from '../app.ts'
import { part } from '../db/call.ts'
import { claimInParts, type Lease } from '../db/claim.ts'
import { videoColumns } from '../db/columns.ts'
import type { Query, Sql } from '../db/db.ts'
import type { Status } from '../film/fields.ts'
import { LEASE_MS } from './outcome.ts'
import type { ClaimedVideo } from './transitions.ts'

export type Claim = { lease: string; videos: ClaimedVideo[] }

/** How many of the oldest due videos the round robin covers. */
const CLAIM_WINDOW = 256

/** The parts of a backlog, by the last byte of a video's id. */
const BUCKETS = 64

/**
 * Claims up to `count` due videos of the statuses.
 * @param bucket the part of a backlog to claim from; null: the oldest of all, for a worker whose last claim found less
 * than it had room for
 */
export async function claim(app: App, statuses: Status[], count: number, bucket: number | null = null): Promise<Claim> {
  return claimVideos(app, count, (sql, lease, missing) =>
    videoClaimOldest(sql, { statuses, count: missing, bucket, ...lease }),
  )
}

/**
 * The bucket of the next claim. While there is a backlog a worker goes from bucket to bucket, beginning anywhere, so
 * that each is visited every 64 claims and workers seldom meet.
 */
export function nextBucket(bucket: number | null, hasBacklog: boolean): number | null {
  if (!hasBacklog) return null
  return bucket === null ? Math.floor(Math.random() * BUCKETS) : (bucket + 1) % BUCKETS
}

/**
 * Claims up to `count` due videos of one status, round robin by user: first of users that this worker runs no step of,
 * then of those with one, and so on, and never more than `perUserMax` of a user.
 */
export async function claimRoundRobin(
  app: App,
  {
    status,
    count,
    perUserMax,
    running,
  }: { status: Status; count: number; perUserMax: number; running: ClaimedVideo[] },
): Promise<Claim> {
  const steps = Map.groupBy(running, ({ userId }) => userId)
  const users = [...steps].map(([userId, { length }]) => ({ userId, running: length }))
  const request = { status, perUserMax, users, window: CLAIM_WINDOW }
  return claimVideos(app, count, (sql, lease, missing) =>
    videoClaimRoundRobin(sql, { ...request, ...lease, count: missing }),
  )
}

async function claimVideos(
  app: App,
  count: number,
  claimFrom: (sql: Sql, lease: Lease, missing: number) => Promise<ClaimedVideo[]>,
): Promise<Claim> {
  const startMs = Date.now()
  const { lease, jobs } = await claimInParts(app, app.database.parts(), { limit: count, leaseMs: LEASE_MS }, claimFrom)
  if (app.tracing) for (const { id } of jobs) app.tracing.rootOf(id).child('video.claim', { startMs }).end()
  return { lease, videos: jobs }
}

/** Claims up to `count` due videos of the statuses, the oldest first. `bucket`: 0 to 63 of a backlog; null: all. */
export async function videoClaimOldest(
  sql: Query,
  {
    statuses,
    count,
    bucket,
    lease,
    leaseUntil,
    now,
  }: Lease & { statuses: Status[]; count: number; bucket: number | null },
): Promise<ClaimedVideo[]> {
  return [
    ...(await sql<ClaimedVideo[]>`
      select ${videoColumns(sql, 'claim', now)}
      from ${part(sql, 'video_claim_oldest', { statuses, count, bucket, lease, leaseUntil, now })} v
    `),
  ]
}

/**
 * Claims up to `count` due videos of one status, round robin by user.
 * @param request `users`: those of the worker's steps, and how many of each; `window`: how many of the oldest due
 * videos the round robin covers
 */
export async function videoClaimRoundRobin(
  sql: Query,
  request: Lease & {
    status: Status
    count: number
    perUserMax: number
    window: number
    users: { userId: string; running: number }[]
  },
): Promise<ClaimedVideo[]> {
  const claimed = part(sql, 'video_claim_round_robin', {
    status: request.status,
    count: request.count,
    perUserMax: request.perUserMax,
    window: request.window,
    userIds: request.users.map(({ userId }) => userId),
    running: request.users.map(({ running }) => running),
    lease: request.lease,
    leaseUntil: request.leaseUntil,
    now: request.now,
  })
  return [
    ...(await sql<ClaimedVideo[]>`
      select ${videoColumns(sql, 'claim', request.now)}
      from ${claimed} v
    `),
  ]
}
