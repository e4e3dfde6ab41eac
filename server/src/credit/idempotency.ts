/** What `generate` and an administrator's grant share about the Idempotency-Key header. The SQL functions do the check. */
import { createHash } from 'node:crypto'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'

/** Clients may rely on 24 hours. */
const KEPT_MS = 2 * 86_400_000

/** The SHA-256 of a request's validated values: the same values in another order on the wire are the same request. */
export const requestHash = (request: Record<string, unknown>): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest()

export const idempotencyKeyReused = () =>
  new AppError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request; take a new one.')

/** Deletes idempotency keys that are older than two days. */
export async function deleteOldIdempotencyKeys({ sql, now }: App): Promise<void> {
  await sql`delete from kinora.idempotency_key where created_at < ${new Date(now().getTime() - KEPT_MS)}`
}
