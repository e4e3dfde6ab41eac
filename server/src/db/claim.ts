/**
 * The claim of due rows by a worker: videos, endpoints of webhooks and messages. A claim puts a lease on each row, and
 * the worker records what it did under that lease. When the worker is gone, the row is due again at the lease's end.
 */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Sql } from './db.ts'
import { inEach } from './parts.ts'

export type Lease = { lease: string; leaseUntil: Date; now: Date }

/**
 * Claims under one lease from one part of the database after the other, until there are `limit` jobs. A part that is
 * down keeps the rows of its own users, and no others, from being claimed.
 * @param claimFrom claims up to `missing` jobs from a part; `claimed` are those of the parts before
 */
export async function claimInParts<Job>(
  app: { log: Logger; now: () => Date },
  parts: readonly Sql[],
  { limit, leaseMs }: { limit: number; leaseMs: number },
  claimFrom: (sql: Sql, lease: Lease, missing: number, claimed: readonly Job[]) => Promise<Job[]>,
): Promise<{ lease: string; jobs: Job[] }> {
  const now = app.now()
  const lease = { lease: randomUUID(), leaseUntil: new Date(now.getTime() + leaseMs), now }
  const jobs: Job[] = []
  for await (const claimed of inEach(app, parts, (sql) => claimFrom(sql, lease, limit - jobs.length, jobs))) {
    jobs.push(...claimed)
    if (jobs.length >= limit) break
  }
  return { lease: lease.lease, jobs }
}
