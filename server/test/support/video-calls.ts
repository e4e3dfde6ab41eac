/** The typed call of kinora.video_claim, which processes of the release before call and the server does not. */
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
      select ${claimedColumns(sql)}
      from kinora.video_claim(
        p_user_ids => ${videos.map((video) => video.userId)},
        p_ids => ${videos.map((video) => video.id)},
        p_lease => ${lease},
        p_lease_until => ${leaseUntil},
        p_now => ${now}
      )
    `),
  ]
}
