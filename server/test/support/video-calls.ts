/** A claim of chosen videos; the server claims the oldest. */
import { videoColumns } from '../../src/db/columns.ts'
import type { Query } from '../../src/db/db.ts'
import type { ClaimedVideo } from '../../src/video/transitions.ts'

/** Claims those of the given videos, which the caller has sorted by id, that are still due. */
export async function videoClaim(
  sql: Query,
  claim: { videos: { userId: string; id: string }[]; lease: string; leaseUntil: Date; now: Date },
): Promise<ClaimedVideo[]> {
  const { videos, lease, leaseUntil, now } = claim
  return [
    ...(await sql<ClaimedVideo[]>`
      update kinora.video v
      set lease_id = ${lease}, lease_until = ${leaseUntil}, due_at = ${leaseUntil}
      where v.user_id = any(${videos.map((video) => video.userId)}) and v.id = any(${videos.map((video) => video.id)})
        and v.due_at <= ${now}
      returning ${videoColumns(sql, 'claim', now)}
    `),
  ]
}
