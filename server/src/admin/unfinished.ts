/** The unfinished videos of all users, for administrators: the next step, its time, and why it waits. */

import { Type } from 'typebox'
import type { App } from '../app.ts'
import { part } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { filter, matches, type QueryOf } from '../db/filter.ts'
import { ascending, by, type Clauses, type PageQuery, readCountedPage } from '../db/page.ts'
import { either, figures } from '../db/parts.ts'
import { accountsWithoutRoom, type NoRoom } from '../video/provider-slot.ts'
import { backlog } from './backlog.ts'
import { type Owner, withOwners } from './owner.ts'
import { OVERDUE_AFTER_MS, type Waiting, why } from './why-waiting.ts'

export type Unfinished = Owner & {
  uuid: string
  userId: string
  model: string
  status: Waiting['status']
  /** The current provider and its id of the task. */
  provider: string
  providerTaskId: string | null
  /** Attempts at the current run step: polls while GENERATING, failed attempts otherwise. */
  attempt: number
  progress: number
  createdAt: Date
  submittedAt: Date | null
  acceptedAt: Date | null
  /** When the next step is due. */
  dueAt: Date
  /** Expiry of the worker's lease; null: not claimed. */
  leaseUntil: Date | null
  /** The provider's deadline. */
  deadlineAt: Date
  isOverdue: boolean
  why: string
  lastEvent: { event: string; detail: string | null; at: Date } | null
}

type Row = Omit<Unfinished, keyof Owner | 'isOverdue' | 'why' | 'lastEvent'> &
  Omit<Waiting, keyof Unfinished> & { lastAt: Date | null; lastEvent: string | null }

type Context = { now: Date }
export const unfinishedFilters = {
  state: filter(
    Type.Enum(['in-progress', 'overdue'], {
      default: 'in-progress',
      description: 'overdue: due for more than a minute, and no worker has claimed it',
    }),
    (sql, state, { now }: Context) =>
      state === 'overdue' ? sql`v.due_at < ${new Date(now.getTime() - OVERDUE_AFTER_MS)}` : sql`true`,
  ),
  userId: filter(Type.String({ format: 'uuid' }), (sql, id) => sql`v.user_id = ${id}`),
  provider: filter(
    Type.String({ maxLength: 100 }),
    (sql, provider) => sql`v.providers[v.provider_index] = ${provider}`,
  ),
}

/**
 * Oldest first, because old videos are the likely problems. `overdue`: due for more than a minute and not claimed by a
 * worker. `total` and `counts`: of all matching videos, and of all.
 * @throws AppError INVALID_REQUEST for an invalid cursor
 */
export async function unfinished(app: App, query: QueryOf<typeof unfinishedFilters> & PageQuery) {
  const now = app.now()
  const [{ rows, ...page }, [workers], counts, noRoom] = await Promise.all([
    readCountedPage({ log: app.log, parts: app.database.parts() }, query, {
      sequence: ascending(by('v.id', 'uuid')),
      // `due_at is not null` selects the partial index of due videos, which contains unfinished videos only.
      where: (sql) =>
        sql`v.due_at is not null and not kinora.is_test(v.user_id) and ${matches(sql, unfinishedFilters, query, { now })}`,
      rows: (sql, page) => readRows(sql, now, page),
      count: (sql, where) => sql<{ total: number }[]>`select count(*) as total from kinora.video v where ${where}`,
    }),
    // An aggregate: the planner expects `exists` to stop at an early row and would choose a scan of the whole table.
    figures<{ areBusy: boolean }>(
      app,
      (sql) => sql`
        select coalesce(bool_or(lease_until > ${now}), false) as are_busy from kinora.video where due_at is not null
      `,
      { areBusy: either },
    ),
    backlog(app),
    accountsWithoutRoom(app),
  ])
  return {
    videos: (await withOwners(app, rows)).map((row) => toUnfinished(row, now, workers?.areBusy ?? false, noRoom)),
    counts: {
      inProgress: counts.reduce((all, each) => all + each.inProgress, 0),
      overdue: counts.reduce((all, each) => all + each.overdue, 0),
    },
    ...page,
  }
}

const readRows = (sql: Query, now: Date, { where, order, limit }: Clauses) => sql<Row[]>`
  with page as materialized (
    select v.*, ${part(sql, 'video_progress', { video: sql`v`, now })} as shown
    from kinora.video v
    where ${where}
    order by ${order}
    limit ${limit}
  )
  select v.id as uuid, v.user_id, v.model, v.status, v.providers[v.provider_index] as provider,
         v.providers[v.provider_index:] as accounts, v.provider_task_id,
         v.attempt, v.provider_index, v.shown as progress, v.created_at, v.submitted_at, v.accepted_at, v.result_at, v.due_at,
         v.lease_until, v.deadline_at, v.usual_s, v.is_waiting, e.entry as last_event, e.detail as last_detail, e.at as last_at
  from page v
  left join lateral (
    select entry, detail, at
    from kinora.video_log e
    where e.user_id = v.user_id and e.video_id = v.id
    order by e.id desc
    limit 1
  ) e on true
  order by ${order}
`

function toUnfinished(
  row: Row & Owner,
  now: Date,
  workersAreBusy: boolean,
  noRoom: ReadonlyMap<string, NoRoom>,
): Unfinished {
  const {
    accounts: _a,
    providerIndex: _p,
    resultAt: _r,
    usualS: _u,
    isWaiting: _w,
    lastEvent: event,
    lastDetail: detail,
    lastAt: at,
    ...shown
  } = row
  return {
    ...shown,
    isOverdue: row.dueAt.getTime() < now.getTime() - OVERDUE_AFTER_MS,
    why: why(row, now, workersAreBusy, noRoom),
    lastEvent: event !== null && at !== null ? { event, detail, at } : null,
  }
}
