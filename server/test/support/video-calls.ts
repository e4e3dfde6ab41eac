/** A claim of chosen videos; the server claims the oldest. */
import type { Query } from '../../src/db/db.ts'
import { claimedColumns } from '../../src/video/claim-transitions.ts'
import type { ClaimedVideo } from '../../src/video/transitions.ts'

/** Claims those of the given videos, which the caller has sorted by id, that are still due. */
export async function videoClaim(
  sql: Query,
  claim: { videos: { userId: string; id: string }[]; lease: string; leaseUntil: Date; now: Date },
): Promise<ClaimedVideo[]> {
  const { videos, lease, leaseUntil, now } = claim
  return [
    ...(await sql<ClaimedVideo[]>`
      update kinora.video
      set lease_id = ${lease}, lease_until = ${leaseUntil}, due_at = ${leaseUntil}
      where user_id = any(${videos.map((video) => video.userId)}) and id = any(${videos.map((video) => video.id)}) and due_at <= ${now}
      returning ${claimedColumns(sql)}
    `),
  ]
}
