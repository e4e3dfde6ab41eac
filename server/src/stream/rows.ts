/**
 * What the tail of events.ts reads: two queries, each for all users at once, that walk along keys of one user each and so
 * stay cheap however large the tables are.
 */
import type { App } from '../app.ts'
import { type TaskStatus, taskColumns } from '../video/library.ts'
import type { Status } from '../video/status.ts'

/**
 * How late a change may become visible after the time that is written on it: a statement may run for 30 s, after waiting
 * for a connection; and the clocks of two machines differ.
 */
const OVERLAP_MS = 120_000
/** Of one user in one look; what is more comes with the next. */
const MADE_MAX = 200

export type Row = TaskStatus & { userId: string; n: number | null; deletedAt: Date | null }
export type Told = { status: Status; progress: number; atMs: number }
/** `n`: the last numbered row of the history that has been looked at; and what has been told of videos that are not final. */
export type Known = { n: number; inProgress: Map<string, Told> }

/** `newcomer`: whose row it is, by position. Without a video there is still one row, for `n`. */
export type FirstRow = (Row | { uuid: null; n: number }) & { newcomer: number }

/**
 * Videos in progress are the newest as a rule, and the account says how many there are, so reading backwards ends early.
 * What changed since a moment takes all rows of the user, like a page of the list with its total.
 */
export async function firstRead(
  { sql }: App,
  newcomers: { userId: string; since: Date | null }[],
  at: Date,
): Promise<FirstRow[]> {
  const columns = sql`v.user_id, ${taskColumns(sql, at)}, v.deleted_at`
  const sinces = newcomers.map(({ since }) => since && before(since).toISOString())
  const rows = await sql<FirstRow[]>`
    select came.i::integer - 1 as newcomer, coalesce(a.transactions, 0) as n, v.*
    from unnest(${newcomers.map(({ userId }) => userId)}::uuid[], ${sinces}::timestamptz[])
      with ordinality as came (user_id, since, i)
    left join kinora.credit_account a on a.user_id = came.user_id
    left join lateral (
      (
        select ${columns} from kinora.video v
        where v.user_id = came.user_id and v.due_at is not null
        order by v.id desc
        limit coalesce(a.open_holds, 0)
      )
      union all
      select ${columns} from kinora.video v
      where came.since is not null and v.user_id = came.user_id and v.due_at is null and v.updated_at >= came.since
      union all
      select ${columns} from kinora.video v
      where v.user_id = came.user_id and v.deleted_at >= ${before(at)}
    ) v on true
    order by v.uuid
  `
  return rows
}

/**
 * One query for all users: the rows of the history that are new, the videos in progress, and what was deleted lately.
 * Each `limit` keeps its part a walk along one index, whatever the planner believes about the tables.
 */
export async function changes({ sql }: App, watched: Map<string, Known>, at: Date): Promise<Row[]> {
  const columns = sql`${taskColumns(sql, at)}, v.deleted_at`
  const known = [...watched].flatMap(([userId, { inProgress }]) =>
    [...inProgress].map(([id, { status, progress }]) => ({ userId, id, status, progress })),
  )
  return await sql<Row[]>`
    with watched (user_id, n) as (
      select * from unnest(${literal([...watched.keys()])}::uuid[], ${literal([...watched.values()].map(({ n }) => n))}::bigint[])
    )
    select watched.user_id, made.n, v.*
    from watched
    cross join lateral (
      select t.n, case when t.trans_type = 'VIDEO_CONSUME' then t.video_id end as id
      from kinora.credit_transaction t
      where t.user_id = watched.user_id and t.n > watched.n
      order by t.n
      limit ${MADE_MAX}
    ) made
    left join lateral (
      select ${columns} from kinora.video v where v.user_id = watched.user_id and v.id = made.id limit 1
    ) v on true
    union all
    select known.user_id, null, v.*
    from unnest(
      ${literal(known.map(({ userId }) => userId))}::uuid[], ${literal(known.map(({ id }) => id))}::uuid[],
      ${literal(known.map(({ status }) => status))}::text[], ${literal(known.map(({ progress }) => progress))}::integer[]
    ) as known (user_id, id, status, progress)
    cross join lateral (
      select ${columns} from kinora.video v where v.user_id = known.user_id and v.id = known.id limit 1
    ) v
    where v.status <> known.status or v.progress > known.progress or v.deleted_at is not null
    union all
    select watched.user_id, null, v.*
    from watched
    cross join lateral (
      select ${columns} from kinora.video v
      where v.user_id = watched.user_id and v.deleted_at >= ${before(at)}
      order by v.deleted_at desc
      limit 10000
    ) v
  `
}

/** An array as PostgreSQL writes it. The driver would look at every element, of which there may be thousands. */
const literal = (values: (string | number)[]): string => `{${values.join()}}`

/** From when on to look back from a moment. */
export const before = (moment: Date): Date => new Date(moment.getTime() - OVERLAP_MS)
