/** What an owner's films of a period have cost, by day, model, or who made them. Films that failed cost nothing. */
import type { App } from '../app.ts'
import { firstIdOf } from '../id.ts'

export const USAGE_BY = ['day', 'model', 'maker'] as const
export type UsageBy = (typeof USAGE_BY)[number]
/** `key`: the day, the model's id, or the id of the API key or member; null: a session of the user. */
export type Usage = { key: string | null; credits: number; videos: number }

/** A hold is dated by its account's history, which another process's clock may have moved. */
const SKEW_MS = 60_000

/** Days are those of UTC. The holds are read by their ids, which begin with their time. */
export async function usage(
  { sql }: Pick<App, 'sql'>,
  userId: string,
  { by, since, until, subject }: { by: UsageBy; since: Date; until: Date; subject?: string | undefined },
): Promise<Usage[]> {
  const keyOf = {
    day: sql`to_char(h.created_at at time zone 'utc', 'YYYY-MM-DD')`,
    model: sql`v.model`,
    maker: sql`h.key_id::text`,
  }
  const order = by === 'day' ? sql`key` : sql`credits desc, key`
  return await sql<Usage[]>`
    select ${keyOf[by]} as key, sum(h.credits - h.rest)::bigint as credits, count(*) as videos
    from kinora.credit_hold h
    ${by === 'model' || subject !== undefined ? sql`join kinora.video v on v.user_id = h.user_id and v.id = h.id` : sql``}
    where h.user_id = ${userId} ${subject === undefined ? sql`` : sql`and v.subject = ${subject}`} and h.state <> 'released'
      and h.id >= ${firstIdOf(new Date(since.getTime() - SKEW_MS))} and h.id < ${firstIdOf(new Date(until.getTime() + SKEW_MS))}
      and h.created_at >= ${since} and h.created_at < ${until}
    group by 1
    order by ${order}
  `
}
