/** The claim of due videos by a worker: a lease on each row, for which the worker then runs a step. */
import { randomUUID } from 'node:crypto'
import type { App } from '../app.ts'
import type { Sql } from '../db/db.ts'
import { inEach } from '../db/parts.ts'
import { videoClaimOldest, videoClaimRoundRobin } from './claim-transitions.ts'
import type { Status } from './fields.ts'
import { LEASE_MS } from './outcome.ts'
import type { ClaimedVideo } from './transitions.ts'

export type Claim = { lease: string; videos: ClaimedVideo[] }

/** How many of the oldest due videos the round robin covers. */
const CLAIM_WINDOW = 1000

/** The parts of a backlog, by the last byte of a video's id. */
const BUCKETS = 64

/**
 * Claims up to `count` due videos of the statuses.
 * @param bucket the part of a backlog to claim from; null: the oldest of all, for a worker whose last claim found less than it had room for
 */
export async function claim(app: App, statuses: Status[], count: number, bucket: number | null = null): Promise<Claim> {
  const lease = openLease(app)
  const videos = await fromParts(app, count, (sql, missing) =>
    videoClaimOldest(sql, { statuses, count: missing, bucket, ...lease }),
  )
  return { lease: lease.lease, videos }
}

/**
 * The bucket of the next claim. While there is a backlog a worker goes from bucket to bucket, beginning anywhere, so that each is
 * visited every 64 claims and workers seldom meet.
 */
export function nextBucket(bucket: number | null, hasBacklog: boolean): number | null {
  if (!hasBacklog) return null
  return bucket === null ? Math.floor(Math.random() * BUCKETS) : (bucket + 1) % BUCKETS
}

/**
 * Claims up to `count` due videos of one status, round robin by user: first of users that this worker runs no step of, then of those
 * with one, and so on, and never more than `perUserMax` of a user.
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
  const lease = openLease(app)
  const request = { status, perUserMax, users, window: CLAIM_WINDOW, ...lease }
  const videos = await fromParts(app, count, (sql, missing) =>
    videoClaimRoundRobin(sql, { ...request, count: missing }),
  )
  return { lease: lease.lease, videos }
}

/**
 * Claims from one part of the database after the other until there are enough. A node that is down keeps its users' videos, and no
 * others, from being claimed.
 */
async function fromParts(
  app: App,
  count: number,
  claimFrom: (sql: Sql, missing: number) => Promise<ClaimedVideo[]>,
): Promise<ClaimedVideo[]> {
  const startMs = Date.now()
  const videos: ClaimedVideo[] = []
  for await (const claimed of inEach(app, app.database.parts(), (sql) => claimFrom(sql, count - videos.length))) {
    videos.push(...claimed)
    if (videos.length >= count) break
  }
  if (app.tracing) for (const { id } of videos) app.tracing.rootOf(id).child('video.claim', { startMs }).end()
  return videos
}

function openLease(app: App): { lease: string; leaseUntil: Date; now: Date } {
  const now = app.now()
  return { lease: randomUUID(), leaseUntil: new Date(now.getTime() + LEASE_MS), now }
}
