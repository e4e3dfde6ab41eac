/** The number of videos in progress over all users, for administrators and metrics. */
import { type App, fromEach } from '../app.ts'
import type { Status } from '../video/status.ts'
import { OVERDUE_AFTER_MS } from './why-waiting.ts'

/** Videos that are not final, by status. `overdue`: due for longer than OVERDUE_AFTER_MS, so no worker claims them. */
export type Backlog = { status: Status; inProgress: number; overdue: number }[]

/** @returns one entry for each status that has videos, the shards of a distributed database added up */
export async function backlog(app: App): Promise<Backlog> {
  const parts = await fromEach(
    app,
    app.shards(),
    (sql) => sql<Backlog>`
      select status, count(*) as in_progress,
             count(*) filter (where due_at < ${new Date(app.now().getTime() - OVERDUE_AFTER_MS)}) as overdue
      from kinora.video
      where due_at is not null
      group by status
    `,
  )
  return [...Map.groupBy(parts, ({ status }) => status)].map(([status, rows]) => ({
    status,
    inProgress: rows.reduce((sum, each) => sum + each.inProgress, 0),
    overdue: rows.reduce((sum, each) => sum + each.overdue, 0),
  }))
}
