/** How many videos are in progress, of how many at a time. */
import type { Spender } from '../account/key/api-key.ts'
import type { App } from '../app.ts'

/**
 * `limit`: of the account, with those of all its keys and tokens: what an administrator has set, else the service's;
 * null: any number. `now`: a token reads that of its
 * subject.
 */
export async function inProgress(
  { sql, config }: App,
  { userId, key }: Spender,
): Promise<{ limit: number | null; now: number }> {
  const subject = key?.token?.subject
  const [own] = await sql<{ limit: number | null }[]>`
    select max_in_progress as limit from kinora.api_key where user_id = ${userId} and id = ${userId}
  `
  const [row] =
    subject === undefined
      ? await sql<{ now: number }[]>`
          select open_holds - waiting_holds as now from kinora.credit_account where user_id = ${userId}
        `
      : await sql<{ now: number }[]>`
          select count(*)::integer as now
          from kinora.video
          where user_id = ${userId} and subject = ${subject} and due_at is not null and not is_waiting
        `
  return { limit: own?.limit ?? (config.maxInProgress || null), now: row?.now ?? 0 }
}
