/** The claim of due videos by a worker: a lease on each row, for which the worker then runs a step. */
import { randomUUID } from 'node:crypto'
import type { App } from '../app.ts'
import { LEASE_MS } from './outcome.ts'
import type { Status } from './status.ts'
import { type ClaimedVideo, videoClaim } from './transitions.ts'

export type Claim = { lease: string; videos: ClaimedVideo[] }

/** Of how many of the oldest due videos users take turns. */
const CLAIM_WINDOW = 1000

/**
 * Claims up to `count` of the oldest due videos. Two statements, so that it works on a sharded PostgreSQL too: a plain read
 * of what is due, then a conditional update of the rows that still are.
 */
export async function claim(app: App, statuses: Status[], count: number): Promise<Claim> {
  const { sql } = app
  const now = app.now()
  const due = await sql<{ userId: string; id: string }[]>`
    select oldest.user_id, oldest.id
    from unnest(${statuses}::text[]) as lane (status)
    cross join lateral (
      select v.user_id, v.id, v.due_at
      from kinora.video v
      where v.status = lane.status and v.due_at <= ${now}
      order by v.due_at
      limit ${count}
    ) oldest
    order by oldest.due_at
    limit ${count}
  `
  return await lease(app, due)
}

/**
 * Claims up to `count` due videos of one status, users in turn: first of users that this worker runs no step of, then of those
 * with one, and so on, and never more than `perUserMax` of a user. A user at that limit is left out of the read, because the
 * backlog of one user may be longer than the window.
 */
export async function claimInTurn(
  app: App,
  {
    status,
    count,
    perUserMax,
    running,
  }: { status: Status; count: number; perUserMax: number; running: ClaimedVideo[] },
): Promise<Claim> {
  const steps = Map.groupBy(running, ({ userId }) => userId)
  const users = [...steps.keys()]
  const counts = [...steps.values()].map(({ length }) => length)
  const full = users.filter((_, at) => (counts[at] ?? 0) >= perUserMax)
  const due = await app.sql<{ userId: string; id: string }[]>`
    select place.user_id, place.id
    from (
      select oldest.user_id, oldest.id, oldest.due_at,
        row_number() over (partition by oldest.user_id order by oldest.due_at, oldest.id)
          + coalesce((${counts}::int[])[array_position(${users}::uuid[], oldest.user_id)], 0) as n
      from (
        select v.user_id, v.id, v.due_at
        from kinora.video v
        where v.status = ${status} and v.due_at <= ${app.now()} and v.user_id <> all(${full}::uuid[])
        order by v.due_at
        limit ${CLAIM_WINDOW}
      ) oldest
    ) place
    where place.n <= ${perUserMax}
    order by place.n, place.due_at
    limit ${count}
  `
  return await lease(app, due)
}

/** Claims the videos that still are due. The rows are sorted by id, because two workers that lock in the same order cannot deadlock. */
async function lease(app: App, due: { userId: string; id: string }[]): Promise<Claim> {
  const id = randomUUID()
  if (due.length === 0) return { lease: id, videos: [] }
  const now = app.now()
  const byId = due.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const leaseUntil = new Date(now.getTime() + LEASE_MS)
  return { lease: id, videos: await videoClaim(app.sql, { videos: byId, lease: id, leaseUntil, now }) }
}
