/** What `generate` and an administrator's grant share about the Idempotency-Key header. SQL functions check it. */
import { createHash } from 'node:crypto'
import { AppError } from '../errors.ts'

/** The SHA-256 of a request's validated values: the same values in another order on the wire are the same request. */
export const requestHash = (request: Record<string, unknown>): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest()

export const idempotencyKeyReused = () =>
  new AppError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request; take a new one.')
