/** One typed function for each way in which a worker claims due rows (server/sql/video_claim.sql). */
import { videoColumns } from '../db/columns.ts'
import type { Query } from '../db/db.ts'
import type { Status } from './fields.ts'
import type { ClaimedVideo } from './transitions.ts'

/** A worker's lease: its name, its end, and the time of the claim. */
type Lease = { lease: string; leaseUntil: Date; now: Date }

/** Claims up to `count` due videos of the statuses, the oldest first. `bucket`: 0 to 63, a part of a backlog; null: all. */
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
      from kinora.video_claim_oldest(
        p_statuses => ${statuses}::text[],
        p_count => ${count},
        p_bucket => ${bucket},
        p_lease => ${lease},
        p_lease_until => ${leaseUntil},
        p_now => ${now}
      ) v
    `),
  ]
}

/**
 * Claims up to `count` due videos of one status, round robin by user.
 * @param request `users`: those of the worker's steps, and how many of each; `window`: how many of the oldest due videos the round robin covers
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
  return [
    ...(await sql<ClaimedVideo[]>`
      select ${videoColumns(sql, 'claim', request.now)}
      from kinora.video_claim_round_robin(
        p_status => ${request.status},
        p_count => ${request.count},
        p_per_user_max => ${request.perUserMax},
        p_window => ${request.window},
        p_user_ids => ${request.users.map(({ userId }) => userId)}::uuid[],
        p_running => ${request.users.map(({ running }) => running)}::integer[],
        p_lease => ${request.lease},
        p_lease_until => ${request.leaseUntil},
        p_now => ${request.now}
      ) v
    `),
  ]
}
