/**
 * The queries of the event stream's poller. Each serves all subscribers at once and walks along keys of single users,
 * so its cost does not depend on the size of the tables.
 */
import type { App } from '../app.ts'
import { videoColumns } from '../db/columns.ts'
import { groupByPart } from '../db/parts.ts'
import type { Row as RowOf, Status } from '../film/fields.ts'

/**
 * How long after its timestamp a change may become visible: a statement may run for 30 s after waiting for a
 * connection, and the clocks of two machines differ.
 */
const OVERLAP_MS = 120_000
/** More than a user's videos can change in the time that a stream may be resumed after. */
const CHANGED_MAX = 1_000_000
/** New videos of one user read by one poll; the next poll reads the rest. */
const CREATED_MAX = 200

/** `n`: of the history row that created it. `isCut`: a cut in progress, which may have no such row. */
export type Row = RowOf<'change'> & { userId: string; n: number | null; isCut?: boolean; deletedAt: Date | null }
/** The state of a video that was last sent to a user's streams. */
export type SentState = { status: Status; progress: number; atMs: number }
/** `n`: the last read row of the user's credit history. `inProgress`: the last sent state by video id. */
export type Position = { n: number; inProgress: Map<string, SentState> }

/** `subscription`: the index of its subscription. A user without videos still gets one row, which carries `n`. */
export type InitialRow = (Row | { uuid: null; n: number }) & { subscription: number }

/**
 * The initial state for new subscriptions: videos in progress, changes after `since`, and recent deletions, each by an
 * index of its own. Each `limit` keeps its branch an index scan when the planner overestimates the row count.
 */
export async function readInitial(
  app: App,
  subscriptions: { userId: string; since: Date | null }[],
  at: Date,
): Promise<InitialRow[]> {
  const numbered = subscriptions.map((subscription, index) => ({ ...subscription, index }))
  const parts = await Promise.all(
    groupByPart(app.database, numbered, ({ userId }) => userId).map(async (part) => {
      const rows = await readInitialOf(app, part, at)
      return rows.map((row) => ({ ...row, subscription: part[row.subscription]?.index as number }))
    }),
  )
  return parts.flat()
}

async function readInitialOf(
  { sql }: App,
  subscriptions: { userId: string; since: Date | null }[],
  at: Date,
): Promise<InitialRow[]> {
  const columns = sql`v.user_id, ${videoColumns(sql, 'change', at)}, v.deleted_at`
  const sinces = subscriptions.map(({ since }) => since && overlapStart(since).toISOString())
  const rows = await sql<InitialRow[]>`
    select pending.i::integer - 1 as subscription, coalesce(a.transactions, 0) as n, v.*
    from unnest(${subscriptions.map(({ userId }) => userId)}::uuid[], ${sinces}::timestamptz[])
      with ordinality as pending (user_id, since, i)
    left join kinora.credit_account a on a.user_id = pending.user_id
    left join lateral (
      (
        select ${columns} from kinora.video v
        where v.user_id = pending.user_id and v.due_at is not null
        order by v.id desc
        -- One more: a free cut holds nothing.
        limit coalesce(a.open_holds, 0) + 1
      )
      union all
      (
        select ${columns} from kinora.video v
        where pending.since is not null and v.user_id = pending.user_id and v.due_at is null
          and v.updated_at >= pending.since
        order by v.updated_at
        limit ${CHANGED_MAX}
      )
      union all
      (
        select ${columns} from kinora.video v
        where v.user_id = pending.user_id and v.deleted_at >= ${overlapStart(at)}
        order by v.deleted_at desc
        limit 10000
      )
    ) v on true
    order by v.uuid
  `
  return rows
}

/**
 * The change feed, one query for all users: new rows of the credit history, changed videos in progress, cuts in
 * progress, recent deletions. Each `limit` keeps its branch an index scan when the planner overestimates the row count.
 */
export async function readChanges(app: App, positions: Map<string, Position>, at: Date): Promise<Row[]> {
  const parts = groupByPart(app.database, [...positions], ([userId]) => userId)
  return (await Promise.all(parts.map((part) => readChangesOf(app, new Map(part), at)))).flat()
}

async function readChangesOf({ sql }: App, positions: Map<string, Position>, at: Date): Promise<Row[]> {
  const columns = sql`${videoColumns(sql, 'change', at)}, v.deleted_at`
  const sent = [...positions].flatMap(([userId, { inProgress }]) =>
    [...inProgress].map(([id, { status, progress }]) => ({ userId, id, status, progress })),
  )
  const lastNumbers = [...positions.values()].map(({ n }) => n)
  return await sql<Row[]>`
    with subscriber (user_id, n) as (
      select * from unnest(${literal([...positions.keys()])}::uuid[], ${literal(lastNumbers)}::bigint[])
    )
    select subscriber.user_id, created.n, false as is_cut, v.*
    from subscriber
    cross join lateral (
      select t.n, case when t.trans_type = 'VIDEO_CONSUME' then t.video_id end as id
      from kinora.credit_transaction t
      where t.user_id = subscriber.user_id and t.n > subscriber.n
      order by t.n
      limit ${CREATED_MAX}
    ) created
    left join lateral (
      select ${columns} from kinora.video v where v.user_id = subscriber.user_id and v.id = created.id limit 1
    ) v on true
    union all
    select sent.user_id, null, false, v.*
    from unnest(
      ${literal(sent.map(({ userId }) => userId))}::uuid[], ${literal(sent.map(({ id }) => id))}::uuid[],
      ${literal(sent.map(({ status }) => status))}::text[], ${literal(sent.map(({ progress }) => progress))}::integer[]
    ) as sent (user_id, id, status, progress)
    cross join lateral (
      select ${columns} from kinora.video v where v.user_id = sent.user_id and v.id = sent.id limit 1
    ) v
    where v.status <> sent.status or v.progress > sent.progress or v.deleted_at is not null
    union all
    select subscriber.user_id, null, true, v.*
    from subscriber
    cross join lateral (
      select ${columns} from kinora.video v
      where v.user_id = subscriber.user_id and v.due_at is not null and v.model = 'cut'
      limit 1
    ) v
    union all
    select subscriber.user_id, null, false, v.*
    from subscriber
    cross join lateral (
      select ${columns} from kinora.video v
      where v.user_id = subscriber.user_id and v.deleted_at >= ${overlapStart(at)}
      order by v.deleted_at desc
      limit 10000
    ) v
  `
}

/** A PostgreSQL array literal. The driver would inspect every element, and there may be thousands. */
const literal = (values: (string | number)[]): string => `{${values.join()}}`

/** The time from which changes may still become visible after `moment`. */
export const overlapStart = (moment: Date): Date => new Date(moment.getTime() - OVERLAP_MS)
