/**
 * Idempotency keys for requests that cost credits. A request keeps its key until its outcome is known, so that a retry,
 * automatic or by hand, is an idempotent replay and not a second charge.
 */
import { type IdempotencyKeys, openIdempotencyKeys } from '@kinora/client'
import { useState } from 'react'

/** The keys of one component, kept for its lifetime. */
export function useIdempotencyKeys(): IdempotencyKeys {
  const [keys] = useState(openIdempotencyKeys)
  return keys
}
