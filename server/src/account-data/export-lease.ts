/**
 * One export at a time per user, over all API processes: a lease that its download renews as long as data flows. A download that
 * stalls, or whose process dies, loses it.
 */
import { randomUUID } from 'node:crypto'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'

const LEASE_MS = 120_000
const RENEW_EVERY_MS = 20_000

export type ExportLease = {
  /** Called for each chunk that is sent. @throws when the lease has passed on to another export */
  renew: () => Promise<void>
  release: () => Promise<void>
}

/** @throws AppError RATE_LIMITED while another export of the user is running */
export async function takeExportLease({ sql, now }: App, userId: string): Promise<ExportLease> {
  const leaseId = randomUUID()
  const leaseUntil = () => new Date(now().getTime() + LEASE_MS)
  const taken = await sql`
    insert into kinora.account_export as e (user_id, lease_id, lease_until)
    values (${userId}, ${leaseId}, ${leaseUntil()})
    on conflict (user_id) do update set lease_id = excluded.lease_id, lease_until = excluded.lease_until
    where e.lease_until <= ${now()}
  `
  if (taken.count === 0) {
    const message = 'An export of your data is running already; wait for it to finish, or two minutes after it stopped.'
    throw new AppError('RATE_LIMITED', message, { retryAfterS: LEASE_MS / 1000 })
  }
  let renewedMs = now().getTime()
  return {
    renew: async () => {
      if (now().getTime() - renewedMs < RENEW_EVERY_MS) return
      const renewed = await sql`
        update kinora.account_export set lease_until = ${leaseUntil()} where user_id = ${userId} and lease_id = ${leaseId}
      `
      if (renewed.count === 0) throw new Error('the lease of this export has passed on')
      renewedMs = now().getTime()
    },
    release: async () => {
      await sql`delete from kinora.account_export where user_id = ${userId} and lease_id = ${leaseId}`
    },
  }
}
