/**
 * What an owner's films of a period have cost, by day, model, or who made them. Films that failed cost nothing. Days
 * that are summed (kinora.usage_sum) are read from their sums, all others from the holds.
 */
import type { App } from '../app.ts'
import type { Fragment } from '../db/db.ts'
import { firstIdOf, NIL_UUID } from '../id.ts'

export const USAGE_BY = ['day', 'model', 'maker'] as const
export type UsageBy = (typeof USAGE_BY)[number]
/** `key`: the day, the model's id, or the id of the API key or member; null: a session of the user. */
export type Usage = { key: string | null; credits: number; videos: number }

/** A hold is dated by its account's history, which another process's clock may have moved. */
const SKEW_MS = 60_000
const DAY_MS = 86_400_000

/**
 * Days are those of UTC, which begin and end the period. The holds are read by their ids, which begin with their time.
 */
export async function usage(
  { sql }: Pick<App, 'sql'>,
  userId: string,
  { by, since, until, subject }: { by: UsageBy; since: Date; until: Date; subject?: string | undefined },
): Promise<Usage[]> {
  const summed = subject === undefined ? await summedDays({ sql }, userId, since, until) : new Set<number>()
  const ranges = rangesWithout(summed, since, until)
  const needsVideo = by === 'model' || subject !== undefined
  const keyOf: Record<UsageBy, [ofHold: Fragment, ofSum: Fragment]> = {
    day: [sql`to_char(h.created_at at time zone 'utc', 'YYYY-MM-DD')`, sql`to_char(s.day, 'YYYY-MM-DD')`],
    model: [sql`v.model`, sql`s.model`],
    maker: [sql`h.key_id::text`, sql`nullif(s.maker_id, ${NIL_UUID})::text`],
  }
  const order = by === 'day' ? sql`key` : sql`credits desc, key`
  const texts = (all: Date[]) => sql`${all.map((each) => each.toISOString())}::text[]::timestamptz[]`
  const ids = (all: Date[]) => sql`${all.map(firstIdOf)}::uuid[]`
  const shifted = (all: Date[], ms: number) => all.map((each) => new Date(each.getTime() + ms))
  const [starts, ends] = [ranges.map(([start]) => start), ranges.map(([, end]) => end)]
  return await sql<Usage[]>`
    with found as (
      select ${keyOf[by][0]} as key, h.credits - h.rest as credits, 1 as videos
      from unnest(${texts(starts)}, ${texts(ends)}, ${ids(shifted(starts, -SKEW_MS))}, ${ids(shifted(ends, SKEW_MS))})
        as r (since, until, first_id, end_id)
      join kinora.credit_hold h
        on h.user_id = ${userId} and h.id >= r.first_id and h.id < r.end_id and h.created_at >= r.since and h.created_at < r.until
      ${needsVideo ? sql`join kinora.video v on v.user_id = h.user_id and v.id = h.id` : sql``}
      where h.state <> 'released' ${subject === undefined ? sql`` : sql`and v.subject = ${subject}`}
      union all
      select ${keyOf[by][1]}, s.credits, s.videos
      from kinora.usage_sum s
      where s.user_id = ${userId} and s.day = any(${[...summed].map(dayText)}::text[]::date[])
    )
    select key, sum(credits)::bigint as credits, sum(videos)::bigint as videos
    from found
    group by key
    order by ${order}
  `
}

/** The days of a period that have sums, in milliseconds. */
async function summedDays({ sql }: Pick<App, 'sql'>, userId: string, since: Date, until: Date): Promise<Set<number>> {
  const days = await sql<{ day: string }[]>`
    select distinct day::text from kinora.usage_sum
    where user_id = ${userId} and day >= ${dayText(since.getTime())} and day < ${dayText(until.getTime())}
  `
  return new Set(days.map(({ day }) => Date.parse(day)))
}

function rangesWithout(days: ReadonlySet<number>, since: Date, until: Date): [Date, Date][] {
  const ranges: [Date, Date][] = []
  for (let at = since.getTime(); at < until.getTime(); at += DAY_MS) {
    const last = ranges.at(-1)
    if (days.has(at)) continue
    if (last?.[1].getTime() === at) last[1] = new Date(at + DAY_MS)
    else ranges.push([new Date(at), new Date(at + DAY_MS)])
  }
  return ranges
}

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
