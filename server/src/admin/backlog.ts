/** The number of videos in progress over all users, for administrators and metrics; without those of test keys. */
import type { App } from '../app.ts'
import { figures, sum } from '../db/parts.ts'
import type { Status } from '../film/fields.ts'
import { OVERDUE_AFTER_MS } from './why-waiting.ts'

/** Videos that are not final, by status. `overdue`: due for longer than OVERDUE_AFTER_MS, so no worker claims them. */
export type Backlog = { status: Status; inProgress: number; overdue: number }[]

/** @returns one entry for each status that has videos */
export const backlog = (app: App): Promise<Backlog> =>
  figures<Backlog[number]>(
    app,
    (sql) => sql`
      select status, count(*) as in_progress,
             count(*) filter (where due_at < ${new Date(app.now().getTime() - OVERDUE_AFTER_MS)}) as overdue
      from kinora.video
      where due_at is not null and not kinora.is_test(user_id)
      group by status
    `,
    { inProgress: sum, overdue: sum },
  )
