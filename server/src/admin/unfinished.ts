/** The unfinished videos of all users, for administrators: the next step, when it is due, and why the video is waiting. */

import type { App } from '../app.ts'
import { part } from '../db/call.ts'
import { either, figures, fromEach, sum } from '../db/parts.ts'
import { unknownCursor } from '../errors.ts'
import { isUuid } from '../id.ts'
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

export type UnfinishedQuery = {
  state: 'in-progress' | 'overdue'
  userId?: string
  provider?: string
  cursor?: string
  pageSize: number
}

type Page = {
  videos: Unfinished[]
  /** All matching videos. */
  total: number
  counts: { inProgress: number; overdue: number }
  nextCursor: string | null
}

/**
 * Oldest first, because old videos are the likely problems. `overdue`: due for more than a minute and not claimed by a worker.
 * Keyset pagination by `cursor`.
 * @throws AppError INVALID_REQUEST for an invalid cursor
 */
export async function unfinished(app: App, query: UnfinishedQuery): Promise<Page> {
  const { cursor, pageSize } = query
  const now = app.now()
  if (cursor !== undefined && !isUuid(cursor)) throw unknownCursor()
  const matching = matchingIn(app, query, now)
  const [found, [matches], [workers], counts, noRoom] = await Promise.all([
    fromEach(
      app,
      app.database.parts(),
      (sql) => sql<Row[]>`
        with page as materialized (
          select v.*, ${part(sql, 'video_progress', { video: sql`v`, now })} as shown
          from kinora.video v
          where ${matching} ${cursor === undefined ? sql`` : sql`and v.id > ${cursor}`}
          order by v.id
          limit ${pageSize + 1}
        )
        select p.id as uuid, p.user_id, p.model, p.status, p.providers[p.provider_index] as provider,
               p.providers[p.provider_index:] as accounts, p.provider_task_id,
               p.attempt, p.provider_index, p.shown as progress, p.created_at, p.submitted_at, p.accepted_at, p.result_at, p.due_at,
               p.lease_until, p.deadline_at, p.usual_s, e.entry as last_event, e.detail as last_detail, e.at as last_at
        from page p
        left join lateral (
          select entry, detail, at
          from kinora.video_log e
          where e.user_id = p.user_id and e.video_id = p.id
          order by e.id desc
          limit 1
        ) e on true
        order by p.id
      `,
    ),
    figures<{ total: number }>(app, (sql) => sql`select count(*) as total from kinora.video v where ${matching}`, {
      total: sum,
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
  const rows = found.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1))
  const shown = rows.slice(0, pageSize)
  return {
    videos: (await withOwners(app, shown)).map((row) => toUnfinished(row, now, workers?.areBusy ?? false, noRoom)),
    total: matches?.total ?? 0,
    counts: {
      inProgress: counts.reduce((all, each) => all + each.inProgress, 0),
      overdue: counts.reduce((all, each) => all + each.overdue, 0),
    },
    nextCursor: rows.length > pageSize ? (shown.at(-1)?.uuid ?? null) : null,
  }
}

/** `due_at is not null` selects the partial index of due videos, which contains unfinished videos only. */
const matchingIn = ({ sql }: App, { state, userId, provider }: UnfinishedQuery, now: Date) => sql`
  v.due_at is not null
  ${state === 'overdue' ? sql`and v.due_at < ${new Date(now.getTime() - OVERDUE_AFTER_MS)}` : sql``}
  ${userId === undefined ? sql`` : sql`and v.user_id = ${userId}`}
  ${provider === undefined ? sql`` : sql`and v.providers[v.provider_index] = ${provider}`}
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
