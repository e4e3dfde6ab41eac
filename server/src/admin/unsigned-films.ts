/** Stored films without content credentials : how many wait, and how many of the last hour were signed later. */
import type { App } from '../app.ts'
import { figures, sum } from '../db/parts.ts'

/** `failed`: of those that wait, the ones that were claimed more than once, so that an attempt has failed. */
export type UnsignedFilms = { waiting: number; failed: number; signedLater: number }

export async function unsignedFilms(app: App): Promise<UnsignedFilms> {
  const lastHour = new Date(app.now().getTime() - 3600_000)
  const [found] = await figures<UnsignedFilms>(
    app,
    (sql) => sql`
      select count(*) filter (where due_at is not null) as waiting,
             count(*) filter (where due_at is not null and attempt > 1) as failed,
             count(*) filter (where due_at is null) as signed_later
      from kinora.video_provenance
      where due_at is not null or (attempt > 0 and signed_at > ${lastHour})
    `,
    { waiting: sum, failed: sum, signedLater: sum },
  )
  return found ?? { waiting: 0, failed: 0, signedLater: 0 }
}
